"""The rows z_i of the data as floats to search with and as integers to prove with.

z_i is y_i (x_i, 1), or y_i x_i through the origin. Every row and every column is scaled by a power
of two: that is exact, changes no sign, and keeps a linear program in floats well scaled. Doubles
are dyadic, so a further power of two per row makes a row integral.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property, reduce
from typing import Any

import numpy as np
import scipy.sparse as sp
from flint import fmpq, fmpz, fmpz_mat
from numpy.typing import NDArray

from novikoff._arrays import Floats, Ints
from novikoff.certificates.data import Labelled, beside, ranges, scaled_rows
from novikoff.certificates.parts import Combination, Separator, as_array
from novikoff.certificates.whole import odd_parts
from novikoff.geometry.sparse import dense

ROUNDING = 2.0**-52
TINY = 2.0**-960  # more than what a term can lose to underflow
NEVER = np.iinfo(np.int64).max
CHUNK = 1 << 18  # values that are converted at a time


class Scaled:
    """The scaled rows of `data`.

    Attributes
    ----------
    dimension : D
    column_exponents : (D,) int64
        Column j is divided by 2 ** column_exponents[j].
    """

    def __init__(self, data: Labelled) -> None:
        self.data = data
        self.dimension = data.dimension
        self.column_exponents = np.zeros(self.dimension, np.int64)
        self.column_exponents[: data.shape[1]] = np.frexp(np.abs(ranges(data.X)).max(axis=0))[1]

    def rows(self, index: Ints) -> Any:
        """z_i of the rows numbered `index`, unscaled, as float64: an array, or CSR if sparse."""
        y = self.data.y[index].astype(np.float64)
        Z = scaled_rows(self.data.X[index].astype(np.float64), y)
        return beside([Z, y[:, None]]) if self.data.fit_intercept else Z

    def floats(self, index: Ints) -> Any:
        """The scaled rows numbered `index`: largest value in [1/2, 1) or 0."""
        Z = self.rows(index)
        columns = np.ldexp(1.0, -np.clip(self.column_exponents, -1000, 1000))
        if sp.issparse(Z):
            Z = Z @ sp.diags_array(columns)
            largest = abs(Z).max(axis=1).toarray().ravel()
            return sp.diags_array(np.ldexp(1.0, -np.frexp(largest)[1])) @ Z
        Z *= columns
        largest = np.abs(Z).max(axis=1, initial=0.0)
        return Z * np.ldexp(1.0, -np.frexp(largest)[1])[:, None]

    def integers(
        self, index: Ints, columns: Sequence[int] | None = None
    ) -> tuple[list[list[int]], list[int]]:
        """The scaled rows times 2 ** -e_i, integral: (rows as lists of integers, the e_i).

        columns : the only ones to return, in this order; all others must be zero. Without them the
            rows are not to be changed: others may have the same.
        """
        if self.data.few:
            known, numbers = self._converted, index.tolist()
            rows = [known[0][i] for i in numbers]
            if columns is not None:
                rows = [[row[j] for j in columns] for row in rows]
            return rows, [known[1][i] for i in numbers]
        chosen = np.arange(self.dimension) if columns is None else np.array(columns, np.int64)
        return self._convert(index, chosen)

    @cached_property
    def _converted(self) -> tuple[list[list[int]], list[int]]:
        """All rows in integers."""
        return self._convert(np.arange(self.data.shape[0]), np.arange(self.dimension))

    def _convert(self, index: Ints, chosen: Ints) -> tuple[list[list[int]], list[int]]:
        rows: list[list[int]] = []
        exponents: list[int] = []
        step = max(1, CHUNK // self.dimension)
        for begin in range(0, len(index), step):
            self.data.clock.check()
            Z = self.rows(index[begin : begin + step])[:, chosen]
            whole, exponent = odd_parts(dense(Z))
            exponent -= self.column_exponents[chosen]
            lowest = np.where(whole == 0, NEVER, exponent).min(axis=1, initial=NEVER)
            lowest = np.where(lowest == NEVER, 0, lowest)
            shift = np.where(whole == 0, 0, exponent - lowest[:, None])
            exponents.extend(lowest.tolist())
            if shift.max(initial=0) <= 9 and np.abs(whole).max(initial=0) < 2**53:
                rows.extend((whole << shift).tolist())
            else:
                rows.extend((whole.astype(object) << shift.astype(object)).tolist())
        return rows, exponents

    def used_columns(self, index: Ints) -> list[int]:
        """The columns in which any of the rows numbered `index` has a value."""
        X = self.data.X if len(index) == self.data.shape[0] else self.data.X[index]
        if self.data.sparse:
            used = np.zeros(X.shape[1], bool)
            used[X.indices[X.data != 0]] = True
        else:
            used = X.any(axis=0)
        columns = np.flatnonzero(used).tolist()
        return [*columns, X.shape[1]] if self.data.fit_intercept and len(index) else columns

    def covering(self, index: Ints, count: int, drawn: int) -> Ints:
        """Of the rows numbered `index`, the first `count` with a value in each rare column.

        drawn : so many rows are drawn from them; rare are columns that these may miss
        """
        X = self.data.X
        if self.data.sparse:
            X = X[index]
            filled = np.bincount(X.indices, minlength=X.shape[1])
        else:  # most columns are seen not to be rare in a few rows
            few = np.count_nonzero(X[index[:: len(index) // drawn + 1]], axis=0) < 2 * count
            X = X[np.ix_(index, np.flatnonzero(few))]
            filled = np.count_nonzero(X, axis=0)
        rare = np.flatnonzero(filled * drawn < count * len(index))
        columns = sp.csc_array(X[:, rare])
        places = columns.indptr[:-1, None] + np.arange(count)
        first = columns.indices[places[places < columns.indptr[1:, None]]]
        found: Ints = index[np.unique(first)]
        return found

    # --------------------------------------------------------------- hyperplanes

    def unscaled(self, w: Floats) -> Floats:
        """(D,): a guess over scaled columns as a hyperplane over unscaled rows."""
        return np.ldexp(w, -np.clip(self.column_exponents, -900, 900))

    def integral(self, w: Sequence[float | Fraction]) -> list[fmpz]:
        """A hyperplane over unscaled rows, exactly, over scaled columns."""
        used = [(j, x.as_integer_ratio(), e) for j, (x, e) in enumerate(self._entries(w)) if x]
        common = math.lcm(*(denominator for _, (_, denominator), _ in used))
        lowest = min((e for _, _, e in used), default=0)
        whole = [fmpz(0)] * self.dimension
        for j, (numerator, denominator), e in used:
            whole[j] = fmpz(numerator * (common // denominator) << (e - lowest))
        return primitive(whole)

    def doubles(self, w: Sequence[fmpz]) -> Floats:
        """(D,): w for unscaled rows, rounded, up to a power of two; the largest is near 1."""
        exponents = [int(x).bit_length() - int(e) if x else None for x, e in self._entries(w)]
        top = max((e for e in exponents if e is not None), default=0)
        return np.array([_ldexp(int(x), -int(e) - top) for x, e in self._entries(w)])

    def signs(self, w: Sequence[fmpz], index: Ints) -> NDArray[np.int8]:
        """The exact signs of w . z_i for the rows numbered `index`.

        Where w is not a vector of doubles, a double sum decides if it is larger than its error, and
        integers decide the rest.
        """
        if self.data.few:
            signs, unsure = np.zeros(len(index), np.int8), np.arange(len(index))
        else:
            rounded = self.doubles(w)
            found = self.scores(rounded)[index]
            signs = np.sign(found).astype(np.int8)
            if self.integral(rounded.tolist()) == primitive(w):
                return signs
            error = 2 * (self.dimension + 8) * ROUNDING * np.linalg.norm(rounded)
            with np.errstate(over="ignore", invalid="ignore"):
                certain = np.abs(found) > error * self.data.norms[index] + TINY
            unsure = np.flatnonzero(~certain)
        vector = fmpz_mat(self.dimension, 1, list(w))
        step = max(1, CHUNK // self.dimension)
        for begin in range(0, len(unsure), step):
            some = unsure[begin : begin + step]
            products = fmpz_mat(self.integers(index[some])[0]) * vector
            signs[some] = [(x > 0) - (x < 0) for x in products.entries()]
        return signs

    def refuting(self, w: Sequence[fmpz], index: Ints, *, strict: bool = False) -> Ints:
        """The rows among `index` that w has on the wrong side, the worst first.

        strict : rows on the hyperplane are on the wrong side too
        """
        signs = self.signs(w, index)
        bad = index[signs <= 0] if strict else index[signs < 0]
        scores = self.scores(self.doubles(w))[bad] / self.data.norms[bad]
        return bad[np.argsort(scores, kind="stable")]

    def scores(self, w: Floats) -> Floats:
        """(n,): w . z_i for a hyperplane in doubles; the signs are exact."""
        d = self.data.shape[1]
        return self.data.scores(w[:d], w[d] if self.data.fit_intercept else 0.0)

    def separator(self, w: Sequence[fmpz]) -> Separator:
        """w for unscaled rows, up to a positive factor, in doubles where they are exact."""
        top = int(self.column_exponents.max())
        whole = primitive([x << top - e for x, e in self._entries(w)])
        exact: list[Any] = [_ldexp(int(x), 0) for x in whole]
        if any(not math.isfinite(f) or int(f) != x for f, x in zip(exact, whole, strict=True)):
            exact = [Fraction(int(x)) for x in whole]
        if self.data.fit_intercept:
            return Separator(as_array(exact[:-1]), exact[-1])
        return Separator(as_array(exact), 0.0)

    def _entries(self, w: Sequence[Any]) -> Iterator[tuple[Any, int]]:
        return zip(w, self.column_exponents.tolist(), strict=True)


def primitive(numbers: Sequence[fmpz]) -> list[fmpz]:
    """The numbers without their common divisor."""
    divisor = reduce(fmpz.gcd, numbers, fmpz(0))
    return [x // divisor for x in numbers] if divisor else list(numbers)


def proportional(fractions: Sequence[fmpq]) -> list[fmpz]:
    """Integers that are to each other as the fractions are."""
    common = reduce(fmpz.lcm, (x.q for x in fractions), fmpz(1))
    return [x.p * (common // x.q) for x in fractions]


def combination(
    rows: Sequence[int], weights: Sequence[fmpq], *, exact: bool = False
) -> Combination:
    """Rows in rising order with their weights, none zero; coprime integers unless `exact`."""
    pairs = sorted((i, w) for i, w in zip(rows, weights, strict=True) if w)
    index = np.array([i for i, _ in pairs], np.int64)
    if exact:
        return Combination(index, tuple(Fraction(int(w.p), int(w.q)) for _, w in pairs))
    whole = primitive(proportional([w for _, w in pairs]))
    return Combination(index, tuple(int(w) for w in whole))


def _ldexp(x: int, exponent: int) -> float:
    """x * 2 ** exponent, rounded; x may be too long for a double."""
    excess = max(x.bit_length() - 64, 0)  # truncates beyond the 64th bit: within one rounding
    try:
        return math.ldexp(float(x >> excess), exponent + excess)
    except OverflowError:
        return math.inf if x > 0 else -math.inf
