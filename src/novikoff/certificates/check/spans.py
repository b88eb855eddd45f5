"""Is every row a combination of a few given ones? Is a unit vector one of rows? Exactly.

Two bounds on the rank meet:

- the rank of the few rows modulo a prime is at most their rank over the rationals;
- hyperplanes through all rows, k of them independent, leave the rows at most D - k dimensions.

If the first is r and there are D - r hyperplanes, the few span all. How the hyperplanes are found
does not matter: that each has score zero on every row is checked in exact arithmetic, and they are
independent because each has a column of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.check.errors import CertificateError
from novikoff.certificates.check.matrix import Integers, Matrix, Sparse
from novikoff.certificates.check.modular import as_fractions, eliminate, lift, primes, sparse_planes
from novikoff.certificates.check.numbers import as_integers
from novikoff.certificates.check.signs import IntegerScore, signs

TABLE = 2**26  # signs held at a time
DENSE = 2**25  # entries of rows that are eliminated densely


@dataclass(frozen=True)
class Spanned:
    """What a few rows' (x, 1) span.

    columns : (k,) those of (x, 1) in which the rows have values; the offset's is d
    planes : per hyperplane through all of them its k weights; none if they span these columns
    """

    columns: Integers
    planes: list[list[int]]

    @cached_property
    def _place(self) -> dict[int, int]:
        return {column: k for k, column in enumerate(self.columns.tolist())}

    def holds(self, vector: dict[int, Fraction]) -> bool:
        """Whether a vector, given by its non-zero coordinates, is a combination of the rows.

        >>> spanned = Spanned(np.array([0, 2]), [[1, -1]])
        >>> spanned.holds({0: 3, 2: 3}), spanned.holds({0: 3}), spanned.holds({1: 1})
        (True, False, False)
        """
        place = self._place
        if any(column not in place for column in vector):
            return False
        return all(
            sum(plane[place[column]] * value for column, value in vector.items()) == 0
            for plane in self.planes
        )


NOTHING = Spanned(np.zeros(0, np.int64), [])


def spanned_by(X: Matrix, spanning: Integers, *, offset: bool) -> tuple[Spanned, int | None]:
    """What the spanning rows span, and a row whose (x, 1) is not in it; None if there is none.

    Without an offset the 1 is left out.

    >>> from novikoff.certificates.check.matrix import Dense
    >>> X = Dense(np.array([[1, 0], [2, 0], [3, 0], [1, 1]]))
    >>> spanned_by(X, np.array([0, 1]), offset=True)[1]
    3
    """
    few = X.take(spanning)
    used = few.used_columns()
    alone = np.setdiff1d(X.used_columns(), used)
    if len(alone):  # the first row that has a value there
        entries = X.keep(alone[:1]).entries()
        return Spanned(used, []), next(int(rows[0]) for rows, _ in entries if len(rows))
    planes = _null_space(few.keep(used), offset)
    columns = np.append(used, X.shape[1]) if offset else used
    if not planes:  # mostly, and then no column need be copied
        return Spanned(columns, []), None
    weights = [[*plane.numerators, plane.constant][: len(columns)] for plane in planes]
    outside = np.flatnonzero(signs(X.keep(used), planes).any(axis=1))
    return Spanned(columns, weights), int(outside[0]) if len(outside) else None


def not_identified(X: Matrix, coefficients: Sequence[int], *, offset: bool) -> int | None:
    """One of the coefficients whose unit vector is no combination of the rows' (x, 1), or None.

    Such a coefficient can be changed, with others, without changing any score. A few rows mostly
    suffice to show that there is none among those asked for; if a hyperplane through the few says
    otherwise, it goes through all rows, or one that it misses joins the few.

    >>> from novikoff.certificates.check.matrix import Dense
    >>> X = Dense(np.array([[1.0, 2.0, 2.0], [3.0, 1.0, 1.0]]))
    >>> not_identified(X, [0], offset=False), not_identified(X, [0, 1], offset=False)
    (None, 1)
    """
    if not coefficients:
        return None
    n, d = X.shape
    used = X.used_columns()
    unused = [j for j in coefficients if j < d and j not in used]
    if unused:
        return unused[0]
    X = X.keep(used)
    wanted = {int(np.searchsorted(used, j)): j for j in coefficients}  # the offset comes last
    rows = np.union1d(_one_row_a_column(X), np.linspace(0, n - 1, min(n, d + 1)).astype(np.int64))
    while True:
        found = [
            (plane, j)
            for plane in _null_space(X.take(rows), offset)
            if (j := _moved(plane, wanted)) is not None
        ]
        if not found:
            return None
        found = found[: max(1, TABLE // n)]
        missed = signs(X, [plane for plane, _ in found]) != 0
        for (_, j), rows_missed in zip(found, missed.T, strict=True):
            if not rows_missed.any():
                return j
        rows = np.union1d(rows, missed.argmax(axis=0))


def _moved(plane: IntegerScore, wanted: dict[int, int]) -> int | None:
    """A wanted coefficient that is not zero in the hyperplane."""
    weights = [*plane.numerators, plane.constant]
    return next((j for column, j in wanted.items() if weights[column]), None)


def _one_row_a_column(X: Matrix) -> Integers:
    """For every column, a row that is not zero there."""
    d = X.shape[1]
    rows = np.zeros(d, np.int64)
    for places, _ in X.entries():
        rows[places % d] = places // d
    return np.unique(rows)


def _null_space(few: Matrix, offset: bool) -> list[IntegerScore]:
    """Independent hyperplanes through the few rows, as many as there are."""
    if isinstance(few, Sparse) and few.shape[0] * few.shape[1] > DENSE:
        return _sparse_null_space(few, offset)
    rows = _integer_rows(few, offset)
    for p in primes():
        pivot_rows, pivots = eliminate((rows % p).astype(np.int64), p)
        if len(pivots) == rows.shape[1]:
            return []
        planes = _annihilators(few, rows, pivot_rows, pivots, p, offset)
        if planes is not None:
            return planes
    raise AssertionError("unreachable: only finitely many primes divide a non-zero minor")


def _sparse_null_space(few: Matrix, offset: bool) -> list[IntegerScore]:
    """The same for rows that are too many for dense arithmetic: small numbers, or none at all."""
    planes = [
        IntegerScore(weights[:-1], weights[-1]) if offset else IntegerScore(weights, 0)
        for weights in sparse_planes(few, next(primes()), offset=offset)
    ]
    if planes and signs(few, planes).any():
        raise CertificateError(
            f"What {few.shape[0]} rows in {few.shape[1]} columns span cannot be checked: the "
            "hyperplanes through them have long numbers, and they are too many for these."
        )
    return planes


def _integer_rows(X: Matrix, offset: bool) -> NDArray[Any]:
    """The rows (x, 1), each times a power of two of its own that makes it integer: (n, D)."""
    n, d = X.shape
    rows = np.zeros((n, d + offset), object)
    for i in range(n):
        columns, values = X.nonzeros(i)
        rows[i, columns], shift = as_integers(values)
        if offset:
            rows[i, d] = 1 << shift
    return rows


def _annihilators(
    few: Matrix, rows: NDArray[Any], pivot_rows: Integers, pivots: Integers, p: int, offset: bool
) -> list[IntegerScore] | None:
    """One hyperplane through the few rows for each column that is no pivot.

    It has that column's weight and those of the pivots, so it solves a square system, invertible
    modulo p: the solution is lifted to powers of p until fractions are found that hold on all the
    few rows. None if p divides a minor that matters, so that there are no such fractions.
    """
    width = rows.shape[1]
    free = np.setdiff1d(np.arange(width), pivots)
    square = rows[np.ix_(pivot_rows, pivots)]
    right = -rows[np.ix_(pivot_rows, free)]
    enough = _enough_bits(rows[pivot_rows])
    attempt = 2
    for step, (solution, modulus) in enumerate(lift(square, right, p), start=1):
        last = modulus.bit_length() > enough
        if step < attempt and not last:
            continue
        attempt *= 2
        planes = [
            _plane(solution[:, k].tolist(), modulus, pivots, int(column), width, offset)
            for k, column in enumerate(free)
        ]
        if not signs(few, planes).any():
            return planes
        if last:
            return None
    raise AssertionError("unreachable: lift never ends")


def _enough_bits(rows: NDArray[Any]) -> int:
    """The bits of a modulus at which every solution is found.

    By Cramer's rule and Hadamard's inequality numerators and denominators are at most the product H
    of the rows' norms, and a modulus above 2 H**2 suffices.
    """
    squares = [max(1, sum(int(x) ** 2 for x in row)) for row in rows]
    return sum(square.bit_length() for square in squares) + 2


def _plane(
    residues: list[int], modulus: int, pivots: Integers, column: int, width: int, offset: bool
) -> IntegerScore:
    """A multiple of the hyperplane with weight 1 at `column` and these weights at the pivots."""
    numerators, denominator = as_fractions(residues, modulus)
    weights = [0] * width
    for c, a in zip(pivots.tolist(), numerators, strict=True):
        weights[c] = a
    weights[column] = denominator
    common = math.gcd(*weights)
    weights = [a // common for a in weights]
    return IntegerScore(weights[:-1], weights[-1]) if offset else IntegerScore(weights, 0)
