"""CSV files as batches of text cells, read by polars.

polars sees only regular files (see `lines`); a file with stray quotes is parsed in Python and
written anew first. What polars says about a file it cannot read becomes an error with a line.
"""

from __future__ import annotations

import csv
from array import array
from collections.abc import Collection, Iterable, Iterator

import numpy as np

from novikoff.persistence.disk import Temporary
from novikoff.streams.bytes import Bytes, StreamError, scannable
from novikoff.streams.tables.columns import spellings, without_missing
from novikoff.streams.tables.dialect import Dialect, detect
from novikoff.streams.tables.lazy import pl
from novikoff.streams.tables.lines import Irregular, Layout, wrong_count
from novikoff.streams.tables.options import TableOptions
from novikoff.streams.tables.parse import parse
from novikoff.streams.tables.plain import NotPlain, PlainReader
from novikoff.streams.tables.reader import NotNumbersError, ReadAgainError, Reader
from novikoff.streams.tables.text import Text

BATCH_ROWS = 50_000
BATCH_BYTES = 1 << 24  # of text, about


class CsvReader(Reader):
    """A CSV file, as a `Reader`: every column is text."""

    def __init__(self, data: Bytes, options: TableOptions) -> None:
        self.name = data.name
        self.kind = "csv"
        self._data = data
        self._text = Text(data, options.encoding)
        self._dialect = detect(self._text, options)
        self.names = self._dialect.names
        self.named = self._dialect.named
        self.decimal = self._dialect.decimal
        self.decisions = self._dialect.decisions
        self._missing = spellings(options.na)
        self._plain = True  # until the contrary is found
        self._examined = False
        self._layout: Layout | None = None
        self._rewritten: Rewritten | None = None

    def _examine(self) -> None:
        """Look through the whole file for what decides how it is to be read."""
        if self._examined:
            return
        self._quotes, blanks = self._text.quotes_and_blanks(self._dialect.delimiter)
        self._strip = self._quotes or blanks  # quotes may keep a newline at an end
        # polars takes a delimiter at the very end of a file for nothing.
        if self._quotes or self._text.ends_with(self._dialect.delimiter):
            try:
                self._find_layout()
            except Irregular:
                self._rewritten = Rewritten(self._text, self._dialect)
        self._examined = True

    def head(self) -> pl.DataFrame:
        """The rows from which the dialect was found out."""
        rows = [row for row in self._dialect.sample if len(row) == len(self.names)]
        frame = pl.DataFrame(rows, schema=dict.fromkeys(self.names, pl.String), orient="row")
        return without_missing(frame, self._missing)

    def frames(self, numbers: Collection[str] = ()) -> Iterator[pl.DataFrame]:
        """The rows, in the order of the file, in batches of text columns; see `Reader`."""
        if self._plain and PlainReader.suits(self._dialect, numbers, self._missing):
            plain = PlainReader(self._text, self._dialect, numbers, self._missing)
            begun = False
            try:
                for frame in plain.frames():
                    begun = True
                    yield frame
                return
            except NotPlain:
                self._plain = False
                if begun:
                    raise ReadAgainError from None
        yield from self._general_frames(numbers)

    def _general_frames(self, numbers: Collection[str]) -> Iterator[pl.DataFrame]:
        self._examine()
        if self._strip or self.decimal != ".":
            numbers = ()  # polars would read blanks and commas as something else

        record = 0  # the first of the frame, blank lines included
        try:
            for frame in self._scan(numbers):
                # Only a missing last cell can be that of a short row or of a blank line.
                unsure = self._layout is None and self._rewritten is None
                if unsure and frame[self.names[-1]].null_count():
                    self._find_layout()
                kept = self._without_blank_lines(frame, record)
                record += frame.height
                if kept.height:
                    yield kept
        except pl.exceptions.PolarsError as error:
            if numbers:
                raise NotNumbersError from error
            self._text.check_encoding()
            if self._rewritten is None:
                self._find_layout()
            reason = str(error).splitlines()[0]
            raise StreamError(f"cannot be read as CSV ({reason})", file=self.name) from error

    def lines_of(self, rows: Iterable[int]) -> dict[int, int]:
        """The lines on which data rows start; see `Reader`."""
        self._examine()
        if self._rewritten is not None:
            return self._rewritten.lines_of(rows)
        return self._find_layout().lines_of(rows)

    def fingerprint(self) -> str:
        return self._data.fingerprint(self._text.path)

    def _scan(self, numbers: Collection[str]) -> Iterator[pl.DataFrame]:
        types = {name: pl.Float64 if name in numbers else pl.String for name in self.names}
        rows = int(BATCH_BYTES / self._dialect.bytes_per_row)
        lazy = pl.scan_csv(
            scannable(self._text.path if self._rewritten is None else self._rewritten.path),
            has_header=False,
            skip_lines=self._dialect.skipped if self._rewritten is None else 0,
            schema=types,
            separator=self._dialect.delimiter,
            quote_char='"' if self._quotes else None,
            null_values=None if self._strip else self._missing,
            missing_columns="insert",  # a short first row is found as any other is
            glob=False,
        )
        if self._strip:
            cell = pl.all().str.strip_chars()
            lazy = lazy.with_columns(
                pl.when(cell.is_in(self._missing)).then(None).otherwise(cell).name.keep()
            )
        size = min(BATCH_ROWS, max(1, rows))
        yield from lazy.collect_batches(chunk_size=size, maintain_order=True, lazy=True)

    def _without_blank_lines(self, frame: pl.DataFrame, record: int) -> pl.DataFrame:
        if self._layout is None:
            return frame
        blank = self._layout.blank
        first, last = np.searchsorted(blank, (record, record + frame.height))
        if first == last:
            return frame
        kept = np.ones(frame.height, bool)
        kept[blank[first:last] - record] = False
        return frame.filter(pl.Series(kept))

    def _find_layout(self) -> Layout:
        """Where the records are; raises the error about the first that is not as it should be."""
        if self._layout is None:
            self._layout = Layout(
                self._text,
                self._dialect.delimiter,
                quotes=self._quotes,
                skipped=self._dialect.skipped,
                expected=len(self.names),
            )
        return self._layout


class Rewritten:
    """The rows of a file with stray quotes, written as a regular one, and their lines."""

    def __init__(self, text: Text, dialect: Dialect) -> None:
        self._regular = Temporary()
        self._lines = Temporary()
        self.path = self._regular.path
        expected = len(dialect.names)
        with (
            self.path.open("w", encoding="utf-8", newline="") as rows,
            self._lines.path.open("wb") as lines,
        ):
            writer = csv.writer(rows, delimiter=dialect.delimiter, lineterminator="\n")
            for record in parse(text.lines(), dialect.delimiter, text.name):
                if record.began <= dialect.skipped:
                    continue
                if len(record.cells) != expected:
                    raise wrong_count(
                        text.name, record.began, len(record.cells), expected, dialect.delimiter
                    )
                writer.writerow(record.cells)
                array("q", [record.began]).tofile(lines)

    def lines_of(self, rows: Iterable[int]) -> dict[int, int]:
        """The lines on which data rows began in the file as it was."""
        count = self._lines.path.stat().st_size // 8
        began = np.memmap(self._lines.path, np.int64, "r") if count else np.zeros(0, np.int64)
        return {row: int(began[row]) for row in rows if 0 <= row < count}
