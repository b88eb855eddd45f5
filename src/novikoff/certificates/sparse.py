"""Spans of very many sparse rows, by elimination modulo a prime.

Rows that are independent modulo a prime are independent. What is orthogonal to them is found modulo
the prime as well, guessed to consist of small fractions, and then has to be orthogonal to every row
exactly. That finds what dummies have in common (those of a factor add up to the offset's ones), and
gives up on anything that is not so simple.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from flint import fmpz

from novikoff._arrays import Floats, Ints
from novikoff.certificates.linear import Span, Spanned, TooLarge
from novikoff.certificates.scaled import Scaled
from novikoff.certificates.whole import odd_parts

PRIME = 2**31 - 1
DENSE = 20_000_000  # integers that dense arithmetic is used for
FILL = 40_000_000  # numbers that the reduced rows may have
AT_ONCE = 16  # rows that are reduced between two looks at the clock, at most
MOMENT = 0.1  # seconds that may lie between them
MORE = 4  # times as many rows as columns are left are tried,
ATTEMPTS = 4  # so often, and more each time


def span_of(scaled: Scaled, within: Ints, important: Ints) -> Spanned:
    """What the rows numbered `within` span, found by whatever arithmetic can hold them."""
    numbers = scaled.dimension * min(len(within), 2 * scaled.dimension)
    if numbers <= DENSE:
        return Span(scaled, within, important)
    if scaled.data.sparse:
        return SparseSpan(scaled, within, important)
    raise TooLarge(
        f"What {len(within)} rows in {scaled.dimension} columns span is a question for exact "
        "arithmetic, and they are too many. Ask about fewer features."
    )


class SparseSpan(Spanned):
    """The same as :class:`novikoff.certificates.linear.Span`, without the integers of the rows."""

    def __init__(self, scaled: Scaled, within: Ints, important: Ints) -> None:
        used = scaled.used_columns(within)
        super().__init__(scaled.dimension, used)
        candidates = important[scaled.data.among(important, within)]
        counts = np.bincount(scaled.data.X[within].indices, minlength=self.dimension)
        counts[scaled.data.shape[1] :] = len(within)  # the offset
        first = _first_of_each(scaled, candidates, counts)
        others = candidates[~scaled.data.among(candidates, first)]
        more = MORE * (len(used) - len(first)) + MORE
        for _ in range(ATTEMPTS):
            rows = np.concatenate([first, others[:more]])
            scaled.data.clock.say(f"rank of {len(rows)} sparse rows in {len(used)} columns")
            reduced = _Reduced(scaled, rows, counts)
            self.rows = reduced.rows
            found = [reduced.orthogonal(j) for j in sorted(set(used) - reduced.pivots)]
            self.orthogonal = [vector for vector in found if vector is not None]
            outside = self.outside(scaled, within)
            if len(self.orthogonal) == len(found) and len(outside) == 0:
                return
            others, more = np.concatenate([outside[:more], others]), 4 * more
        raise TooLarge(
            f"What {len(within)} rows in {len(used)} columns have in common is no matter of small "
            "numbers, and they are too many for dense exact arithmetic."
        )


def _first_of_each(scaled: Scaled, candidates: Ints, counts: Ints) -> Ints:
    """For every column that is the rarest of some row, the first such row."""
    X = scaled.data.X[candidates]
    filled = np.diff(X.indptr) > 0
    if not filled.any():
        return candidates[:0]
    keys = counts[X.indices] * scaled.dimension + X.indices  # by count, then by column
    rarest = np.minimum.reduceat(keys, X.indptr[:-1][filled]) % scaled.dimension
    _, first = np.unique(rarest, return_index=True)
    result: Ints = candidates[filled][np.sort(first)]
    return result


class _Reduced:
    """Independent rows in echelon form modulo the prime.

    Attributes
    ----------
    rows : the independent ones
    pivots : their columns
    """

    def __init__(self, scaled: Scaled, rows: Ints, counts: Ints) -> None:
        from novikoff.kernels.elimination import echelon

        self._scaled = scaled
        Z = scaled.rows(rows).tocsr()
        d, values = scaled.dimension, residues(Z.data)
        self._out, self._columns = np.zeros(FILL, np.int64), np.zeros(FILL, np.int32)
        self._starts, self._pivots = np.zeros(d + 1, np.int64), np.zeros(d, np.int64)
        chosen, work = np.zeros(d, np.int64), np.zeros(d, np.int64)
        self._count = 0
        clock, first, step = scaled.data.clock, 0, AT_ONCE
        while first < len(rows):
            clock.check()
            began, last = clock.seconds, min(first + step, len(rows))
            self._count = echelon(
                values, Z.indices, Z.indptr, first, last, PRIME, counts, work, self._out,
                self._columns, self._starts, self._pivots, chosen, self._count,
            )  # fmt: skip
            first = last
            if clock.seconds - began > MOMENT:  # rows fill up
                step = max(1, step // 2)
            if self._count < 0:
                raise TooLarge(f"Eliminating {len(rows)} rows in {d} columns fills up the memory.")
        self.rows = rows[chosen[: self._count]]
        self.pivots = set(self._pivots[: self._count].tolist())

    def orthogonal(self, column: int) -> list[fmpz] | None:
        """The vector orthogonal to the rows that is 1 at a column that is no pivot's.

        None if it does not consist of small fractions.
        """
        from novikoff.kernels.elimination import annihilate

        self._scaled.data.clock.check()
        v = np.zeros(len(self._starts) - 1, np.int64)
        v[column] = 1
        annihilate(self._out, self._columns, self._starts, self._pivots, self._count, PRIME, v)
        used = np.flatnonzero(v)
        vector = [Fraction(0)] * len(v)
        for j in used.tolist():
            fraction = small_fraction(int(v[j]))
            if fraction is None:
                return None
            vector[j] = fraction
        return self._scaled.integral(vector)


def residues(values: Floats) -> Ints:
    """Doubles modulo the prime: m 2**e, with 2 having an inverse there.

    >>> residues(np.array([3.0, 0.5, -1.0])).tolist()
    [3, 1073741824, 2147483646]
    """
    integers, exponents = odd_parts(values)
    powers = np.array([pow(2, e, PRIME) for e in range(31)])  # 2**31 is 1 modulo the prime
    found: Ints = integers % PRIME * powers[exponents % 31] % PRIME
    return found


def small_fraction(x: int) -> Fraction | None:
    """The quotient of numbers below 2**15 that is x modulo the prime, if there is one.

    >>> small_fraction(PRIME - 2), small_fraction(pow(3, -1, PRIME))
    (Fraction(-2, 1), Fraction(1, 3))
    """
    limit = math.isqrt(PRIME // 2)
    (a, b), (s, t) = (PRIME, x), (0, 1)
    while b > limit:
        q = a // b
        (a, b), (s, t) = (b, a - q * b), (t, s - q * t)
    return Fraction(b, t) if abs(t) <= limit else None
