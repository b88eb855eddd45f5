"""What the training rows say of each column: sums, counts, intervals. None depends on chunking.

Mean and standard deviation of a column are each rounded once from their exact values. A column that
alone tells the classes apart is most often a copy of the target in other words.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import repeat

import numpy as np

from novikoff._arrays import Floats, Ints
from novikoff.kernels.exact import LOWEST, N_LIMBS
from novikoff.kernels.sums import N_BINS, add_column, extend_intervals
from novikoff.streams.tables import columns as kinds
from novikoff.streams.tables.counts import FEWEST_WORDS, Counts, median_at_least, n_words, tokens
from novikoff.streams.tables.frames import Piece
from novikoff.streams.tables.lazy import pl
from novikoff.streams.tables.survey import Column

FEWEST_TO_COUNT = 10  # rows from which on 501, 502, … is taken for a count, not for a measurement


class Numbers:
    """Statistics of a column of numbers, flags or dates.

    Attributes
    ----------
    moments : dict
        One for each part of a date, else one named "value".
    n_missing, n_rows : int
    """

    def __init__(self, column: Column, n_classes: int) -> None:
        parts = kinds.PARTS if column.kind == "date" else ("value",)
        self.column = column
        self.moments = {part: Moments() for part in parts}
        self.n_rows = 0
        self.intervals = Intervals(n_classes)
        self._counting = column.kind == "number"
        self._first = 0.0  # what the first row would be numbered

    def add(self, piece: Piece, bins: Ints) -> None:
        values = piece.frame[self.column.key].to_numpy()
        for part, moments in self.moments.items():
            moments.add(values if part == "value" else kinds.part(part, values), bins)
        self.n_rows += len(values)
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
    def n_missing(self) -> int:
        return self.n_rows - next(iter(self.moments.values())).n

    @property
    def counts_rows(self) -> bool:
        """Whether the values are but the numbers of the rows: from 0, 1 or, if many, any number."""
        few = self.n_rows < FEWEST_TO_COUNT and self._first not in (0.0, 1.0)
        return self._counting and self.n_rows > 1 and not few and self._first.is_integer()

    def determines(self, n_rows: Ints) -> bool:
        return self.intervals.apart(n_rows)


class Strings:
    """Statistics of a column of text or categories."""

    def __init__(self, column: Column) -> None:
        self.column = column
        self.counts = Counts()
        self.n_rows = 0
        self._lengths: Counter[int] = Counter()

    def add(self, piece: Piece) -> None:
        values = piece.frame[self.column.key]
        table = self.counts.add(values, pl.Series(piece.classes))
        self.n_rows += len(values)
        if self.column.kind == "string":
            self._lengths += n_words(table)

    @property
    def n_missing(self) -> int:
        return self.counts.n_missing

    @property
    def n_values(self) -> int:
        """Different values, the missing one not among them."""
        return int(self.counts.table["value"].drop_nulls().len())

    @property
    def is_text(self) -> bool:
        return median_at_least(self._lengths, FEWEST_WORDS)

    @property
    def all_distinct(self) -> bool:
        typed = self.column.kind == "string"  # categories are categories, even if each is alone
        return typed and not self.counts.repeated and self.n_values > 1

    def determines(self, n_rows: Ints) -> bool:
        """Whether every category occurs with one class only.

        Only if most rows are of categories that occur twice or more: one that occurs once is always
        pure, and a column of hardly repeated names would be so by chance.
        """
        table = self.counts.table
        if self.counts.forgotten or table.height < 2 or (table["low"] != table["high"]).any():
            return False
        if table["low"].min() == table["high"].max():
            return False
        n_present, n_once = table["n"].sum(), int((table["n"] == 1).sum())
        return 2 * n_once <= n_present and n_once < n_present


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
    halves, bins = (numbers[0::2], numbers[1::2]), (scratch(), scratch())
    with ThreadPoolExecutor(2) as pool:
        for piece in pieces:
            list(pool.map(_add, halves, repeat(piece), bins))
            for column in strings:
                column.add(piece)
    for column in strings:
        column.counts.merge()
    return statistics


def _add(columns: list[Numbers], piece: Piece, bins: Ints) -> None:
    for column in columns:
        column.add(piece, bins)


def count_words(columns: list[Column], pieces: Iterable[Piece]) -> dict[str, Counts]:
    """The words of columns of text, by name, in one more pass over the training rows."""
    counts = {column.name: Counts() for column in columns}
    for piece in pieces if columns else ():
        for column in columns:
            found = tokens(piece.frame[column.key])["word"]
            counts[column.name].add(found, pl.zeros(len(found), pl.Int64, eager=True))
    for count in counts.values():
        count.merge()
    return counts


class Intervals:
    """The interval that each class's values of a numeric column span, while they are apart.

    A missing cell is a value of its own: it too may occur with one class only.
    """

    def __init__(self, n_classes: int) -> None:
        self._lows = np.full(n_classes, np.inf)
        self._highs = np.full(n_classes, -np.inf)
        self._counts = np.zeros(n_classes, np.int64)
        self._missing: set[int] = set()  # classes of rows whose cell is missing
        self._overlap = n_classes < 2

    def add(self, values: Floats, classes: Ints) -> None:
        """Widen the intervals; nothing is done once two of them overlap: they always will."""
        if self._overlap:
            return

        before = self._counts.sum()
        extend_intervals(values, classes, self._lows, self._highs, self._counts)
        if self._counts.sum() - before < len(values):
            self._missing.update(classes[np.isnan(values)].tolist())
        order = np.argsort(self._lows, kind="stable")
        order = order[self._counts[order] > 0]
        overlap = bool((self._highs[order[:-1]] >= self._lows[order[1:]]).any())
        self._overlap = overlap or len(self._missing) > 1

    def apart(self, n_rows: Ints) -> bool:
        """Whether every class that has rows has values, and no two share a stretch of numbers.

        n_rows : rows of each class. One row of each is always apart, and says nothing.
        """
        with_cells = self._counts > 0
        with_cells[list(self._missing)] = True
        seen = with_cells == (n_rows > 0)
        several = (n_rows > 0).sum() > 1 and (self._counts > 1).any()
        return bool(seen.all() and several) and not self._overlap


class Moments:
    """Exact sums of a column that arrives in pieces: no matter in which.

    Attributes
    ----------
    n : int
        Values so far; missing ones (NaN) do not count.
    n_zero : int
        How many of them were zero.
    """

    def __init__(self) -> None:
        self.n = 0
        self.n_zero = 0
        self._sums = np.zeros(N_LIMBS, np.int64)
        self._squares = np.zeros(N_LIMBS, np.int64)
        self._variance: Fraction | None = None  # once it was asked for

    def add(self, values: Floats, bins: Ints) -> None:
        """Count `values`; `bins` is scratch, see :func:`scratch`."""
        bits = np.ascontiguousarray(values, np.float64).view(np.int64)
        n, n_zero = add_column(bits, bins, self._sums, self._squares)
        self._variance = None
        self.n += int(n)
        self.n_zero += int(n_zero)

    def mean(self) -> float:
        """The nearest double to the mean; 0.0 of no values."""
        return float(_rational(self._sums) / self.n) if self.n else 0.0

    def variance(self) -> Fraction:
        """The mean squared deviation from the mean, exactly; 0 only if all values are equal."""
        if not self.n:
            return Fraction(0)
        if self._variance is None:
            mean = _rational(self._sums) / self.n
            self._variance = _rational(self._squares) / self.n - mean**2
        return self._variance

    def deviation(self) -> float:
        """The nearest double to the standard deviation (of the population: divided by n)."""
        return _nearest_root(self.variance())


def scratch() -> Ints:
    """What :meth:`Moments.add` needs to work in; one for each thread."""
    return np.zeros((N_BINS, 4), np.int64)


def _rational(limbs: Ints) -> Fraction:
    total = 0
    for limb in limbs[::-1].tolist():
        total = (total << 32) + limb
    return Fraction(total, 1 << -LOWEST)


def _nearest_root(square: Fraction) -> float:
    """√square as the nearest double, ties to even; positive if `square` is."""
    if square == 0:
        return 0.0
    p, q = square.numerator, square.denominator
    # Scale by a power of four until the integer root has 64 bits or more; a last bit that says
    # whether anything was cut off makes the one rounding that follows the right one.
    shift = max(0, 64 - (p.bit_length() - q.bit_length()) // 2)
    scaled, rest = divmod(p << 2 * shift, q)
    root = math.isqrt(scaled)
    inexact = rest != 0 or root * root != scaled
    return max(float(Fraction(2 * root + inexact, 2 << shift)), 5e-324)
