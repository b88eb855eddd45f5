"""A CSV parser in Python: for the first rows of every file, and for files with stray quotes.

Slow and lenient where `lines` and polars are fast and strict. A quote counts only where a cell
begins (blanks may come before it, and after the closing one); elsewhere it belongs to the text, as
in ``5" disk``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from novikoff.streams.bytes import StreamError
from novikoff.streams.tables.lines import unclosed_quote

_BLANKS = " \t"
_LINE_BLANKS = " \t\r\n\v\f"
_LONGEST_CELL = 1 << 26  # characters: a quote never closed must not swallow a huge file


class Record(NamedTuple):
    """One row as it stands in the file."""

    began: int  # its first line, from 1
    ended: int  # its last line
    cells: list[str]


def parse(lines: Iterable[str], delimiter: str, name: str) -> Iterator[Record]:
    """The records of some lines, blank ones left out; `name` is the file's, for errors."""
    numbered = enumerate(lines, 1)
    for number, line in numbered:
        if '"' not in line:
            body = _body(line)
            if delimiter in body:
                yield Record(number, number, body.split(delimiter))
            elif body.strip(_LINE_BLANKS):
                yield Record(number, number, [body])
        else:
            cells: list[str] = []
            ended, rest = number, line
            at: int | None = 0
            while at is not None:
                opening = _opening(rest, at, delimiter)
                if opening is None:
                    cell, at = _plain(rest, at, delimiter)
                else:
                    cell, rest, ended, at = _quoted(rest, opening, ended, numbered, delimiter, name)
                cells.append(cell)
            yield Record(number, ended, cells)


def _body(line: str) -> str:
    return line.removesuffix("\n").removesuffix("\r")


def _opening(line: str, at: int, delimiter: str) -> int | None:
    """Where the cell that begins at `at` has its opening quote, if it has one."""
    while at < len(line) and line[at] in _BLANKS and line[at] != delimiter:
        at += 1
    return at if line[at : at + 1] == '"' else None


def _plain(line: str, at: int, delimiter: str) -> tuple[str, int | None]:
    """A cell without quotes, and where the next begins."""
    end = line.find(delimiter, at)
    return (_body(line[at:]), None) if end < 0 else (line[at:end], end + 1)


def _quoted(
    line: str,
    opening: int,
    number: int,
    numbered: Iterator[tuple[int, str]],
    delimiter: str,
    name: str,
) -> tuple[str, str, int, int | None]:
    """A quoted cell; the line it ends on, that line's number, and where the next cell begins."""
    opened = number
    parts: list[str] = []
    length, at = 0, opening + 1
    while True:
        quote = line.find('"', at)
        if quote < 0:
            parts.append(line[at:])
            length += len(line) - at
            number, line = next(numbered, (0, ""))
            at = 0
            if not number or length > _LONGEST_CELL:
                raise unclosed_quote(name, opened)
        elif line[quote + 1 : quote + 2] == '"':
            parts.append(line[at : quote + 1])
            at = quote + 2
        else:
            parts.append(line[at:quote])
            break
    at = quote + 1
    while at < len(line) and line[at] in _BLANKS and line[at] != delimiter:
        at += 1
    cell = "".join(parts)
    if line[at : at + 1] == delimiter:
        return cell, line, number, at + 1
    if not _body(line[at:]):
        return cell, line, number, None
    raise StreamError(
        f"the quoted cell that opens here goes on after its closing quote (on line {number}: "
        f"{line[quote : quote + 12].rstrip()!r}); a quote is missing, or one inside the text is "
        "not doubled",
        file=name,
        line=opened,
    )
