"""ARFF, the format of Weka and of many of UCI's sets: a header that types the columns, then rows.

    @attribute height numeric
    @attribute 'eye colour' {blue, brown}
    @data
    1.5, blue
    {0 2.5}           what a sparse row leaves out is 0, or a nominal attribute's first value

Such files are small: one is read into memory as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from novikoff._memory import refusal
from novikoff.streams.bytes import Bytes
from novikoff.streams.chunks import ENDLESS, chunks
from novikoff.streams.tables.lazy import pl
from novikoff.streams.tables.options import Decision, TableOptions
from novikoff.streams.tables.reader import FrameReader

_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_BARE = r"""[^\s,'"{}]+"""
_CELL = rf"{_QUOTED}|{_BARE}(?:[ \t]+{_BARE})*"
_CELLS = re.compile(rf"\s*({_CELL})?\s*(,|$)")
_PAIR = re.compile(rf"\s*(\d+)\s+({_CELL})\s*(?:,|$)")
_ATTRIBUTE = re.compile(rf"@attribute\s+({_QUOTED}|[^\s{{]+)\s*(.*)", re.IGNORECASE)
_BYTES_PER_CELL = 40  # a Python number, its place in a row and in a column
_NUMERIC = ("numeric", "real", "integer")
_KNOWN = (*_NUMERIC, "string", "date")


class Attribute(NamedTuple):
    """A column of the header; `left_out` is what a sparse row means that does not name it.

    values : those that a nominal attribute may have; None for others
    """

    name: str
    numeric: bool
    left_out: str | None
    values: frozenset[str] | None = None

    def value(self, cell: str | None) -> float | str | None:
        """What a cell of this column stands for; a ValueError if it may not be there."""
        if cell is None or cell == "?":
            return None
        if self.numeric:
            try:
                return float(cell)
            except ValueError:
                raise ValueError(f"{self.name} is {cell}, no number") from None
        if self.values is not None and cell not in self.values:
            raise ValueError(f"{self.name} is {cell}, which its header does not list")
        return cell


class ArffReader(FrameReader):
    """An ARFF file as a `Reader`: numeric attributes are numbers, others text."""

    kind = "arff"

    def __init__(self, data: Bytes, options: TableOptions) -> None:
        lines = _lines(data, options.encoding or "utf-8-sig")
        attributes = _header(data, lines)
        self._lines: list[int] = []
        rows: list[list[float | str | None]] = []
        for number, line in lines:
            _refuse_too_large(data, len(attributes), len(rows) + 1)
            try:
                rows.append(_row(attributes, line))
            except ValueError as error:
                raise data.error(str(error), line=number) from None
            self._lines.append(number)
        columns = zip(*rows, strict=True) if rows else [()] * len(attributes)
        frame = pl.DataFrame(
            {
                each.name: pl.Series(column, dtype=pl.Float64 if each.numeric else pl.String)
                for each, column in zip(attributes, columns, strict=True)
            }
        )
        super().__init__(frame, options.na)
        self.name = data.name
        told = f"ARFF: its header types the {len(attributes)} columns"
        self.decisions = [Decision("read", None, told)]

    def lines_of(self, rows: Iterable[int]) -> dict[int, int]:
        return {row: self._lines[row] for row in rows}


def _refuse_too_large(data: Bytes, width: int, height: int) -> None:
    """A sparse row is a few bytes, however many cells it stands for."""
    reason = refusal(
        _BYTES_PER_CELL * width * height, f"{height} rows of {width} cells", given=data.max_memory
    )
    if reason is not None:
        raise data.error(reason, ". Rows that are mostly 0 suit LIBSVM text")


def _lines(data: Bytes, encoding: str) -> Iterator[tuple[int, str]]:
    """Numbered from 1, without blank ones and comments."""
    number = 0
    with data.open() as stream:
        for text, stop in chunks(stream, 1 << 20, data.error(ENDLESS)):
            for raw in text[:stop].tobytes().splitlines():
                number += 1
                try:
                    line = raw.decode(encoding).strip()
                except UnicodeDecodeError:
                    wrong = f"this is no {encoding} text; name its encoding"
                    raise data.error(wrong, line=number) from None
                if line and not line.startswith("%"):
                    yield number, line


def _header(data: Bytes, lines: Iterator[tuple[int, str]]) -> list[Attribute]:
    found: dict[str, Attribute] = {}
    for number, line in lines:
        word = line.split(None, 1)[0].lower()
        try:
            if word == "@attribute":
                attribute = _attribute(line)
                if found.setdefault(attribute.name, attribute) is not attribute:
                    raise ValueError(f"two attributes are called {attribute.name}")
            elif word == "@data":
                if not found:
                    raise ValueError("there is no @attribute before @data")
                return list(found.values())
            elif word != "@relation":
                raise ValueError(f"{word} stands where an @attribute or @data is needed")
        except ValueError as error:
            raise data.error(str(error), line=number) from None
    raise data.error("there is no @data")


def _attribute(line: str) -> Attribute:
    matched = _ATTRIBUTE.fullmatch(line)
    if matched is None:
        raise ValueError("this @attribute has no name or no type")
    name, kind = _plain(matched[1]), matched[2].strip()
    if kind.startswith("{") and kind.endswith("}"):
        values = _cells(kind[1:-1])
        if not values:
            raise ValueError(f"the values of {name} cannot be read")
        return Attribute(name, False, values[0], frozenset(values))
    word = kind.split(None, 1)[0].lower() if kind else ""
    if word not in _KNOWN:
        raise ValueError(
            f"{name} is of the type {word or 'nothing'}; known are {', '.join(_KNOWN)} and lists "
            "of values"
        )
    return Attribute(name, word in _NUMERIC, "0" if word in _NUMERIC else None)


def _row(attributes: list[Attribute], line: str) -> list[float | str | None]:
    cells = _sparse(attributes, line) if line.startswith("{") else _cells(line)
    if cells is None:
        raise ValueError("the cells of this row cannot be told apart")
    if len(cells) != len(attributes):
        raise ValueError(f"{len(cells)} cells, where there are {len(attributes)} attributes")
    return [each.value(cell) for each, cell in zip(attributes, cells, strict=True)]


def _sparse(attributes: list[Attribute], line: str) -> list[str | None]:
    cells = [attribute.left_out for attribute in attributes]
    inner, at = line[1:].partition("}")[0].strip(), 0
    while at < len(inner):
        pair = _PAIR.match(inner, at)
        if pair is None or int(pair[1]) >= len(cells):
            raise ValueError(
                f"a sparse row is written {{index value, …}}, from 0 to {len(cells) - 1}"
            )
        cells[int(pair[1])] = _plain(pair[2])
        at = pair.end()
    return cells


def _cells(text: str) -> list[str] | None:
    """What stands between commas, without quotes; None where that cannot be told."""
    found, at = [], 0
    while True:
        cell = _CELLS.match(text, at)
        if cell is None:
            return None
        found.append(_plain(cell[1] or "?"))
        if not cell[2]:
            return found
        at = cell.end()


def _plain(cell: str) -> str:
    if cell[0] in "'\"" and cell[-1] == cell[0] and len(cell) > 1:
        return re.sub(r"\\(.)", r"\1", cell[1:-1])
    return cell
