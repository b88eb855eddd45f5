"""What the training rows say of each column: sums, counts, intervals. None depends on chunking."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.streams.tables import dates, words
from novikoff.streams.tables.counts import Counts
from novikoff.streams.tables.leak import Intervals, categories_determine
from novikoff.streams.tables.moments import Moments, scratch
from novikoff.streams.tables.survey import Column

if TYPE_CHECKING:
    import polars as pl

FEWEST_TO_COUNT = 10  # rows from which on 501, 502, … is taken for a count, not for a measurement

__all__ = ["Numbers", "Piece", "Strings", "count_words", "gather"]


class Piece(NamedTuple):
    """Some rows of a surveyed table."""

    frame: pl.DataFrame  # as stored by the survey
    rows: NDArray[np.int64]  # (n,) their numbers
    classes: NDArray[np.int64]  # (n,) the numbers of their classes


class Numbers:
    """Statistics of a column of numbers, flags or dates.

    Attributes
    ----------
    moments : dict
        One for each part of a date, else one named "value".
    n_missing, n_rows : int
    """

    def __init__(self, column: Column, n_classes: int) -> None:
        parts = dates.PARTS if column.kind == "date" else ("value",)
        self.column = column
        self.moments = {part: Moments() for part in parts}
        self.n_missing = 0
        self.n_rows = 0
        self.intervals = Intervals(n_classes)
        self._counting = column.kind == "number"
        self._first = 0.0  # what the first row would be numbered

    def add(self, piece: Piece, bins: NDArray[np.int64]) -> None:
        values = piece.frame[self.column.key].to_numpy()
        before = next(iter(self.moments.values())).n
        for part, moments in self.moments.items():
            moments.add(values if part == "value" else dates.part(part, values), bins)
        self.n_rows += len(values)
        self.n_missing += len(values) - (next(iter(self.moments.values())).n - before)
        self.intervals.add(values, piece.classes)
        if self._counting and self.n_rows == len(values):
            self._first = float(values[0] - piece.rows[0])
        # Two rows alone refute nearly every column.
        self._counting = (
            self._counting
            and bool((values[:2] == piece.rows[:2] + self._first).all())
            and bool((values == piece.rows + self._first).all())
        )

    @property
    def counts_rows(self) -> bool:
        """Whether the values are but the numbers of the rows: from 0, 1 or, if many, any number."""
        few = self.n_rows < FEWEST_TO_COUNT and self._first not in (0.0, 1.0)
        return self._counting and self.n_rows > 1 and not few and self._first.is_integer()

    def determines(self, n_rows: NDArray[np.int64]) -> bool:
        return self.intervals.apart(n_rows)


class Strings:
    """Statistics of a column of text or categories."""

    def __init__(self, column: Column) -> None:
        self.column = column
        self.counts = Counts()
        self.n_rows = 0
        self._lengths: Counter[int] = Counter()

    def add(self, piece: Piece) -> None:
        import polars as pl

        values = piece.frame[self.column.key]
        table = self.counts.add(values, pl.Series(piece.classes))
        self.n_rows += len(values)
        if self.column.kind == "string":
            self._lengths += words.n_words(table)

    @property
    def n_missing(self) -> int:
        return self.counts.n_missing

    @property
    def n_values(self) -> int:
        """Different values, the missing one not among them."""
        return int(self.counts.table["value"].drop_nulls().len())

    @property
    def is_text(self) -> bool:
        return words.median_at_least(self._lengths, words.FEWEST_WORDS)

    @property
    def all_distinct(self) -> bool:
        typed = self.column.kind == "string"  # categories are categories, even if each is alone
        return typed and not self.counts.repeated and self.n_values > 1

    def determines(self, n_rows: NDArray[np.int64]) -> bool:
        return categories_determine(self.counts)


def gather(
    columns: list[Column], pieces: Iterable[Piece], n_classes: int
) -> list[Numbers | Strings]:
    """Go over the training rows once."""
    statistics: list[Numbers | Strings] = [
        Strings(column) if column.kind in ("string", "category") else Numbers(column, n_classes)
        for column in columns
    ]
    numbers = [s for s in statistics if isinstance(s, Numbers)]
    strings = [s for s in statistics if isinstance(s, Strings)]
    # Two threads, each with its own half of the columns: the kernels hold no interpreter lock.
    halves = [(numbers[0::2], scratch()), (numbers[1::2], scratch())]
    with ThreadPoolExecutor(2) as pool:
        for piece in pieces:
            if not len(piece.rows):
                continue
            list(pool.map(_adder(piece), halves))
            for column in strings:
                column.add(piece)
    for column in strings:
        column.counts.merge()
    return statistics


def _adder(piece: Piece) -> Callable[[tuple[list[Numbers], NDArray[np.int64]]], None]:
    def add(half: tuple[list[Numbers], NDArray[np.int64]]) -> None:
        columns, bins = half
        for column in columns:
            column.add(piece, bins)

    return add


def count_words(columns: list[Column], pieces: Iterable[Piece]) -> list[Counts]:
    """The words of columns of text, in one more pass over the training rows."""
    import polars as pl

    counts = [Counts() for _ in columns]
    for piece in pieces if columns else ():
        for column, count in zip(columns, counts, strict=True):
            found = words.tokens(piece.frame[column.key])["word"]
            count.add(found, pl.zeros(len(found), pl.Int64, eager=True))
    for count in counts:
        count.merge()
    return counts
