"""The records of a CSV file without its cells: where each begins and how many cells it has.

polars takes a row that is too short for one that ends in empty cells, a blank line for a row of
them, and knows no line numbers. This pass over the bytes does; it is made only when a file gives
cause, or somebody asks for a line.

Text is *regular* if a quote opens a cell only right at its beginning, and closes it only right at
its end (inside, it is doubled). Then every second quote closes, and no state but that parity is
needed to find the ends of cells and records.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff._arrays import Bools, Ints
from novikoff._messages import Setting
from novikoff.streams.bytes import StreamError
from novikoff.streams.tables.text import Text

CHUNK = 1 << 22
_QUOTE, _LF, _CR = b'"\n\r'
_BLANKS = np.isin(np.arange(256), np.frombuffer(b" \t\n\r\v\f", np.uint8))


class Irregular(Exception):
    """Quotes are not only where quoted cells begin and end."""


class _ChunkStart(NamedTuple):
    """What is known where a chunk of whole lines begins."""

    offset: int  # of the chunk in the file
    line: int  # its first line, from 1
    record: int  # the record that ends next, blank lines included
    row: int  # the same without blank lines
    cells: int  # cells of that record that ended before
    began: int  # its first line
    quoted: bool  # whether the chunk begins inside quotes
    opened: int  # the line on which the last quote was opened


class _Records(NamedTuple):
    """The records that end in a chunk."""

    began: Ints  # first lines
    cells: Ints
    blank: Bools


class Layout:
    """The records of a regular CSV file after its header.

    Parameters
    ----------
    text : Text
    delimiter : str
    quotes : bool
        Whether there are any quotes in the file.
    skipped : int
        Lines before the first data row.
    expected : int
        How many cells a row must have.

    Attributes
    ----------
    blank : ndarray of int64
        Which records are blank lines, counted from the first data row.
    """

    def __init__(
        self, text: Text, delimiter: str, *, quotes: bool, skipped: int, expected: int
    ) -> None:
        self._text = text
        self._delimiter = ord(delimiter)
        self._quotes = quotes
        self._expected = expected
        self._index: list[_ChunkStart] = []
        blank = []
        for state, records in self._scan(skipped):
            self._index.append(state)
            blank.append(np.flatnonzero(records.blank) + state.record)
            self._check(records)
        self.blank: Ints = np.concatenate(blank) if blank else np.zeros(0, dtype=np.int64)

    def lines_of(self, rows: Iterable[int]) -> dict[int, int]:
        """The lines on which data rows begin; rows that are not there are left out."""
        firsts = [state.row for state in self._index]
        wanted: dict[int, list[int]] = {}
        for row in rows:
            # Of chunks in which no row ends, the last begins with the row; bisect finds that one.
            wanted.setdefault(bisect_right(firsts, row) - 1, []).append(row)
        lines: dict[int, int] = {}
        with self._text.path.open("rb") as file:
            for k, here in wanted.items():
                if k < 0:
                    continue
                state = self._index[k]
                file.seek(state.offset)
                end = self._index[k + 1].offset if k + 1 < len(self._index) else None
                chunk = file.read(-1 if end is None else end - state.offset)
                records, _ = self._read(_closed(chunk), state)
                began = records.began[~records.blank]
                for row in here:
                    if row - state.row < len(began):
                        lines[row] = int(began[row - state.row])
        return lines

    def _check(self, records: _Records) -> None:
        wrong = np.flatnonzero((records.cells != self._expected) & ~records.blank)
        if len(wrong):
            line, found = int(records.began[wrong[0]]), int(records.cells[wrong[0]])
            raise wrong_count(self._text.name, line, found, self._expected, chr(self._delimiter))

    def _scan(self, skipped: int) -> Iterator[tuple[_ChunkStart, _Records]]:
        line, start = skipped + 1, self._text.behind(skipped)
        state = _ChunkStart(start, line, 0, 0, 0, line, False, 0)
        with self._text.path.open("rb") as file:
            file.seek(start)
            while chunk := file.read(CHUNK):
                chunk += file.readline()
                records, after = self._read(_closed(chunk), state)
                yield state, records
                state = after._replace(offset=state.offset + len(chunk))
        if state.quoted:
            raise unclosed_quote(self._text.name, state.opened)

    def _read(self, chunk: bytes, state: _ChunkStart) -> tuple[_Records, _ChunkStart]:
        """The records that end in a chunk of whole lines."""
        text = np.frombuffer(chunk, np.uint8)
        newlines = np.flatnonzero(text == _LF)
        ends = newlines
        delimiters = np.flatnonzero(text == self._delimiter)
        quoted, opened = state.quoted, state.opened
        if self._quotes:
            quotes = np.flatnonzero(text == _QUOTE)
            opening = self._openings(text, quotes, quoted)
            if len(quotes) or quoted:
                inside = np.bitwise_xor.accumulate((text == _QUOTE).view(np.uint8))
                outside = inside == quoted  # a chunk that begins inside quotes flips all
                ends = newlines[outside[newlines]]
                delimiters = delimiters[outside[delimiters]]
            if len(opening):
                opened = state.line + int(np.searchsorted(newlines, opening[-1]))
            quoted ^= len(quotes) % 2 == 1
        cells = np.diff(np.searchsorted(delimiters, ends), prepend=0) + 1
        cells[:1] += state.cells
        began = state.line + np.searchsorted(newlines, ends) + 1  # the line after each end
        began = np.concatenate(([state.began], began))
        blank = self._blank(text, ends, cells, state.quoted)
        left = len(delimiters) - (int(np.searchsorted(delimiters, ends[-1])) if len(ends) else 0)
        after = _ChunkStart(
            offset=state.offset + len(chunk),
            line=state.line + len(newlines),
            record=state.record + len(ends),
            row=state.row + len(ends) - int(blank.sum()),
            cells=left + (0 if len(ends) else state.cells),
            began=int(began[-1]),
            quoted=quoted,
            opened=opened,
        )
        return _Records(began[:-1], cells, blank), after

    def _openings(
        self, text: NDArray[np.uint8], quotes: NDArray[np.intp], quoted: bool
    ) -> NDArray[np.intp]:
        """The quotes that open a cell; Irregular if one opens or closes in the middle of it."""
        doubled = np.diff(quotes, prepend=-2, append=len(text) + 1) == 1
        first = 1 if quoted else 0
        opening, closing = quotes[first::2], quotes[1 - first :: 2]
        before = text[np.maximum(opening - 1, 0)]
        allowed = (before == self._delimiter) | (before == _LF) | (opening == 0)
        again = doubled[:-1][first::2]  # the second of two: inside, the cell goes on
        after = text[np.minimum(closing + 1, len(text) - 1)]
        closed = (after == self._delimiter) | (after == _LF) | (after == _CR)
        closed |= doubled[1:][1 - first :: 2]
        if not ((allowed | again).all() and closed.all()):
            raise Irregular
        genuine: NDArray[np.intp] = opening[~again]
        return genuine

    def _blank(self, text: NDArray[np.uint8], ends: Ints, cells: Ints, quoted: bool) -> Bools:
        """Which records are lines of nothing but blanks."""
        starts = np.concatenate(([0], ends[:-1] + 1)) if len(ends) else ends
        blank: Bools = (cells == 1) & _BLANKS[text[starts]]
        if quoted:
            blank[:1] = False
        for k in np.flatnonzero(blank):
            blank[k] = _BLANKS[text[starts[k] : ends[k]]].all()
        return blank


def _closed(chunk: bytes) -> bytes:
    return chunk if chunk.endswith(b"\n") else chunk + b"\n"


_DELIMITER_NAMES = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "pipes", " ": "spaces"}


def delimiter_name(delimiter: str) -> str:
    """How to call a delimiter in a sentence."""
    return _DELIMITER_NAMES.get(delimiter, repr(delimiter))


def wrong_count(name: str, line: int, found: int, expected: int, delimiter: str) -> StreamError:
    """The error about a row with too few or too many cells."""
    told = f"found {found} column{'s' * (found != 1)}, expected {expected} (cells are separated by "
    hint = f"{delimiter_name(delimiter)}; if that is wrong, give "
    return StreamError(told, hint, Setting("delimiter"), ")", file=name, line=line)


def unclosed_quote(name: str, line: int) -> StreamError:
    """The error about a quoted cell without an end."""
    return StreamError(
        'a quote (") opens a cell here and is never closed; close it, or double it if it belongs '
        "to the text",
        file=name,
        line=line,
    )
