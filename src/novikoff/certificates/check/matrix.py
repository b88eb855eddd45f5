"""Rows of doubles, dense or sparse: the few operations the checker needs of them.

Both classes have the same methods. Nothing here is exact by itself except `nonzeros`, which hands
out the entries of a row; `times` is an ordinary floating-point product, in whatever order of
summation NumPy chooses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Function = Callable[[Floats], Floats]

BLOCK = 2**20  # entries converted to doubles at a time,
ROWS = 2**14  # and at most so many rows
ENTRIES = 2**15  # handed out at a time, to stay in the cache
SMALL = 2.0**-500  # entries with bits below this are left to exact arithmetic


@dataclass(frozen=True)
class Dense:
    """An (n, d) array of any real type whose values are doubles."""

    values: NDArray[Any]

    @property
    def shape(self) -> tuple[int, int]:
        return self.values.shape[0], self.values.shape[1]

    def blocks(self, columns: Integers | None = None) -> Iterator[tuple[int, Dense]]:
        """Consecutive rows as doubles, each block with the number of its first row."""
        n, d = self.shape
        step = _rows_per_block(d)
        for start in range(0, n, step):
            block = self.values[start : start + step]
            if columns is not None and len(columns) < d:
                block = block[:, columns]
            yield start, Dense(block.astype(np.float64))

    def take(self, rows: Integers) -> Dense:
        return Dense(self.values[rows])

    def keep(self, columns: Integers) -> Dense:
        return Dense(self.values[:, columns])

    def times(self, weights: Floats) -> Floats:
        return self.values @ weights

    def apply(self, function: Function) -> Dense:
        """A function of every entry; it must keep zeros."""
        return Dense(function(self.values))

    def scale(self, factors: Floats) -> Dense:
        """Row i times factors[i]."""
        return Dense(self.values * factors[:, None])

    def largest(self) -> Floats:
        """Per row, the largest absolute value."""
        return np.asarray(np.abs(self.values).max(axis=1, initial=0.0))

    def units(self) -> Floats:
        """Per row, a power of two up to 1 that divides every entry; 0.0 if below `SMALL`."""
        units = np.ones(len(self.values))
        odd = np.flatnonzero((self.values != np.rint(self.values)).any(axis=1))
        units[odd] = lowest_bits(self.values[odd]).min(axis=1, initial=1.0)
        units[units < SMALL] = 0.0
        return units

    def nonzeros(self, row: int) -> tuple[Integers, Floats]:
        """The columns and values of a row's non-zero entries."""
        columns = np.flatnonzero(self.values[row])
        return columns, self.values[row, columns].astype(np.float64)

    def entries(self) -> Iterator[tuple[Integers, Floats]]:
        """All non-zero entries in row order: row * d + column, and the value."""
        n, d = self.shape
        step = max(1, ENTRIES // max(1, d))
        for start in range(0, n, step):
            flat = self.values[start : start + step].reshape(-1)
            used = flat != 0
            if used.all():
                yield np.arange(start * d, start * d + len(flat)), flat.astype(np.float64)
            else:
                places = np.flatnonzero(used)
                yield places + start * d, flat[places].astype(np.float64)

    def used_columns(self) -> Integers:
        """The columns that are not zero everywhere."""
        return np.flatnonzero(self.values.any(axis=0))


@dataclass(frozen=True)
class Sparse:
    """Row i holds values[p] in columns[p] for starts[i] <= p < starts[i + 1]; no zeros, sorted."""

    values: Floats
    columns: Integers
    starts: Integers
    width: int

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.starts) - 1, self.width

    def blocks(self, columns: Integers | None = None) -> Iterator[tuple[int, Sparse]]:
        n = self.shape[0]
        step = _rows_per_block(len(self.values) / max(1, n))
        for start in range(0, n, step):
            bounds = self.starts[start : start + step + 1]
            part = slice(bounds[0], bounds[-1])
            block = Sparse(self.values[part], self.columns[part], bounds - bounds[0], self.width)
            yield start, block if columns is None else block.keep(columns)

    def take(self, rows: Integers) -> Sparse:
        lengths = np.diff(self.starts)[rows]
        starts = _running_total(lengths)
        source = np.repeat(self.starts[rows] - starts[:-1], lengths) + np.arange(starts[-1])
        return Sparse(self.values[source], self.columns[source], starts, self.width)

    def keep(self, columns: Integers) -> Sparse:
        place = np.full(self.width, -1)
        place[columns] = np.arange(len(columns))
        places = place[self.columns]
        kept = places >= 0
        starts = _running_total(kept)[self.starts]
        return Sparse(self.values[kept], places[kept], starts, len(columns))

    def times(self, weights: Floats) -> Floats:
        product = np.zeros((self.shape[0], weights.shape[1]))
        for j in range(weights.shape[1]):
            product[:, j] = self._reduce(np.add, self.values * weights[self.columns, j], 0.0)
        return product

    def apply(self, function: Function) -> Sparse:
        return Sparse(function(self.values), self.columns, self.starts, self.width)

    def scale(self, factors: Floats) -> Sparse:
        scaled = self.values * np.repeat(factors, np.diff(self.starts))
        return Sparse(scaled, self.columns, self.starts, self.width)

    def largest(self) -> Floats:
        return self._reduce(np.maximum, np.abs(self.values), 0.0)

    def units(self) -> Floats:
        units = self._reduce(np.minimum, np.minimum(lowest_bits(self.values), 1.0), 1.0)
        units[units < SMALL] = 0.0
        return units

    def nonzeros(self, row: int) -> tuple[Integers, Floats]:
        part = slice(self.starts[row], self.starts[row + 1])
        return self.columns[part], self.values[part]

    def entries(self) -> Iterator[tuple[Integers, Floats]]:
        for start, block in self.blocks():
            rows = np.repeat(np.arange(block.shape[0]) + start, np.diff(block.starts))
            yield rows * self.width + block.columns, block.values

    def used_columns(self) -> Integers:
        return np.flatnonzero(np.bincount(self.columns, minlength=self.width))

    def _reduce(self, operation: np.ufunc, terms: Floats, empty: float) -> Floats:
        """Per row, the terms reduced by `operation`; `empty` for rows without terms."""
        result = np.full(self.shape[0], empty)
        filled = np.diff(self.starts) > 0
        if filled.any():
            result[filled] = operation.reduceat(terms, self.starts[:-1][filled])
        return result


Matrix = Dense | Sparse


def lowest_bits(values: Floats) -> Floats:
    """The largest power of two that divides each value; infinity for zero.

    >>> lowest_bits(np.array([6.0, -0.75, 0.0])).tolist()
    [2.0, 0.25, inf]
    """
    fractions, exponents = np.frexp(values)
    mantissas = np.ldexp(fractions, 53).astype(np.int64)
    bits = np.ldexp((mantissas & -mantissas).astype(np.float64), exponents - 53)
    return np.where(values == 0.0, np.inf, bits)


def _rows_per_block(entries_per_row: float) -> int:
    return int(max(1, min(ROWS, BLOCK // max(1, entries_per_row))))


def _running_total(lengths: NDArray[Any]) -> Integers:
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
