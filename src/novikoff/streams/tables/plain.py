"""CSV files of plain numbers, parsed straight into columns of doubles.

Most of a large file's time is spent on its digits, and on them the library's own parser is faster
than a general one. It knows numbers, empty cells and one column of plain text, the labels; whatever
else it meets is left to the general reader.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np
from numpy.typing import NDArray

from novikoff._arrays import Floats, Ints
from novikoff.kernels import cells as kernels
from novikoff.kernels.cells import gather_cells
from novikoff.streams.bytes import StreamError
from novikoff.streams.chunks import ENDLESS, Chunk, chunks, parsed_in_order
from novikoff.streams.tables.columns import numbers_among
from novikoff.streams.tables.dialect import DELIMITERS, Dialect, number_test
from novikoff.streams.tables.lazy import pl
from novikoff.streams.tables.reader import NotNumbersError
from novikoff.streams.tables.text import Text

_CHUNK = 1 << 24  # bytes: enough rows that what is done once per chunk does not count
_MOST_ODD = 1 << 16  # cells of a chunk
_LONGEST_LABEL = 64


class NotPlain(Exception):
    """The file holds something that is not read here."""


class PlainReader:
    """The rows of a file whose cells are numbers, but for one column at most.

    Parameters
    ----------
    text : Text
    dialect : Dialect
    numbers : collection of str
        The columns of numbers.
    missing : list of str
        What stands for a missing cell.
    """

    def __init__(
        self, text: Text, dialect: Dialect, numbers: Collection[str], missing: list[str]
    ) -> None:
        self._text = text
        self._dialect = dialect
        self._missing = frozenset(missing)
        self._numbers = [name for name in dialect.names if name in numbers]
        self._others = [name for name in dialect.names if name not in numbers]
        places = {name: k for k, name in enumerate(self._numbers)}
        places |= {name: -1 - k for k, name in enumerate(self._others)}
        self._places = np.array([places[name] for name in dialect.names])
        self._is_number = number_test(".")

    @staticmethod
    def suits(dialect: Dialect, numbers: Collection[str], missing: list[str]) -> bool:
        """Whether such columns in such a file are worth a try."""
        return (
            len(dialect.names) > 1  # of one column, a blank line is a missing cell
            and len(numbers) >= len(dialect.names) - 1
            and dialect.decimal == "."
            and dialect.delimiter in DELIMITERS
            and not numbers_among(missing)
        )

    def frames(self) -> Iterator[pl.DataFrame]:
        """The rows in file order; NotPlain or NotNumbersError where they cannot be read so."""
        with self._text.path.open("rb", buffering=0) as file:
            file.seek(self._text.behind(self._dialect.skipped))
            endless = StreamError(f"{ENDLESS}: is this a table?", file=self._text.name)
            yield from parsed_in_order(self._parse, chunks(file, _CHUNK, endless), n_threads=2)

    def _parse(self, chunk: Chunk) -> pl.DataFrame:
        room = kernels.count_newlines(chunk.text, chunk.stop) + 1
        values = np.empty((len(self._numbers), room))
        spans = np.empty((len(self._others), 2, room), np.int64)
        odd = np.empty((_MOST_ODD, 4), np.int64)
        outcome, n_rows, n_missing, n_odd = kernels.parse_cells(
            chunk.text, chunk.stop, np.uint8(ord(self._dialect.delimiter)), self._places,
            values, spans, odd,
        )  # fmt: skip
        if outcome != kernels.DONE:
            raise NotPlain
        self._settle(chunk.text, values, odd[:n_odd])
        columns = {}
        for name, column in zip(self._numbers, values[:, :n_rows], strict=True):
            series = pl.Series(name, column)
            columns[name] = series.fill_nan(None) if n_missing or n_odd else series
        for name, span in zip(self._others, spans[:, :, :n_rows], strict=True):
            columns[name] = self._words(chunk.text, span).alias(name)
        return pl.DataFrame([columns[name] for name in self._dialect.names])

    def _settle(self, text: NDArray[np.uint8], values: Floats, odd: Ints) -> None:
        """Missing cells, and numbers of more digits than a kernel decides."""
        for k, row, start, end in odd.tolist():
            cell = text[start:end].tobytes().decode()
            if cell in self._missing:
                values[k, row] = np.nan
            elif self._is_number(cell):
                values[k, row] = float(cell)
            else:
                raise NotNumbersError

    def _words(self, text: NDArray[np.uint8], spans: Ints) -> pl.Series:
        """The cells at `spans`, of which few are expected to be different."""
        longest = int((spans[1] - spans[0]).max(initial=0))
        if longest > _LONGEST_LABEL:
            raise NotPlain
        width = 8 if longest <= 8 else _LONGEST_LABEL
        cells = np.zeros((spans.shape[1], width), np.uint8)
        gather_cells(text, spans, cells)
        # Eight bytes are compared as one number.
        keys = cells.view(np.uint64 if width == 8 else f"S{width}")[:, 0]
        found, place = np.unique(keys, return_inverse=True)
        words = [word.decode() for word in found.view(f"S{width}").tolist()]
        known = [None if word in self._missing else word for word in words]
        return pl.Series(known, dtype=pl.String).gather(pl.Series(place.astype(np.uint32)))
