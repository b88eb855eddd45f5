"""Exact linear algebra over the rows: independence, spans and what is orthogonal to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from flint import fmpq, fmpz, fmpz_mat, nmod_mat

from novikoff._arrays import Array, Floats, Ints
from novikoff.certificates.clock import Clock
from novikoff.certificates.scaled import Scaled, primitive

PRIME = (1 << 61) - 1
FEW = 8  # orthogonal vectors that are told one by one
SOLVING = 50  # operations of an exact solve, per entry and dimension


class TooLarge(ValueError):
    """A question that dense exact arithmetic would have to answer, for too many numbers."""


def independent(rows: Sequence[Sequence[int]], coordinates: Sequence[int]) -> list[int]:
    """Numbers of linearly independent rows, the earlier ones preferred.

    Decided modulo a prime: what is independent there is independent. What is not may still be, once
    in 10^18; callers that need all of a span check it.
    """
    if not rows or not coordinates:
        return []
    matrix = nmod_mat([[row[j] % PRIME for row in rows] for j in coordinates], PRIME)
    reduced, rank = matrix.rref()
    pivots, column = [], 0
    for k in range(rank):
        while int(reduced[k, column]) == 0:
            column += 1
        pivots.append(column)
        column += 1
    return pivots


def pivot_coordinates(rows: Sequence[Sequence[int]], coordinates: Sequence[int]) -> list[int]:
    """Coordinates in which independent rows are a nonsingular matrix, earlier ones preferred."""
    transposed = [[row[j] for row in rows] for j in coordinates]
    return [coordinates[k] for k in independent(transposed, range(len(rows)))]


@dataclass(frozen=True)
class Solution:
    """numerators / denominator, one column."""

    numerators: list[fmpz]
    denominator: fmpz

    @property
    def fractions(self) -> list[fmpq]:
        return [fmpq(x, self.denominator) for x in self.numerators]


def solve(matrix: fmpz_mat, right: fmpz_mat, clock: Clock) -> Solution:
    """The x with matrix x = right, of one column; the matrix is nonsingular."""
    return clock.apart(SOLVING * matrix.nrows() ** 3, _solve, matrix, right)


def weigh(
    vectors: Sequence[Sequence[int]], target: list[Any], coordinates: Sequence[int], clock: Clock
) -> Solution:
    """The weights with which vectors add up to the target in the coordinates, as many as they."""
    matrix = fmpz_mat([[vector[j] for vector in vectors] for j in coordinates])
    return solve(matrix, fmpz_mat([[target[j]] for j in coordinates]), clock)


def _solve(matrix: fmpz_mat, right: fmpz_mat) -> Solution:
    solution: Any = matrix.solve(right)
    numerators, denominator = solution.numer_denom()
    return Solution(numerators.entries(), denominator)


class Spanned:
    """What some rows span.

    Attributes
    ----------
    rows : independent rows, that span the others
    empty : set of the columns in which no row has a value
    orthogonal : list of integer vectors over the other columns, a basis of what is orthogonal to
        every row
    """

    rows: Ints
    orthogonal: list[list[fmpz]]

    def __init__(self, dimension: int, used: Sequence[int]) -> None:
        self.dimension = dimension
        self.empty = set(range(dimension)) - set(used)

    def outside(self, scaled: Scaled, within: Ints) -> Ints:
        """Rows that are not in the span after all."""
        if len(within) == 0:
            return within
        for vector in self.orthogonal:
            outside: Ints = within[scaled.signs(vector, within) != 0]
            if len(outside):
                return outside
        return within[:0]

    def complement(self) -> list[list[fmpz]]:
        """A basis of all that is orthogonal to every row."""
        units = [unit_vector(j, self.dimension) for j in sorted(self.empty)]
        return [*self.orthogonal, *units]

    def sees_not(self, j: int) -> list[fmpz] | None:
        """A vector orthogonal to every row that is not zero at j, if there is one."""
        if j in self.empty:
            return unit_vector(j, self.dimension)
        if self._mixture and self._mixture[j]:
            return self._mixture
        return next((v for v in self.orthogonal if v[j]), None)

    @cached_property
    def _mixture(self) -> list[fmpz]:
        """Many vectors mixed into one, which speaks for nearly all columns that they speak for."""
        if len(self.orthogonal) <= FEW:
            return []
        random = np.random.RandomState(0)
        factors = fmpz_mat([random.randint(1, 2**16, len(self.orthogonal)).tolist()])
        return primitive((factors * fmpz_mat(self.orthogonal)).entries())


class Span(Spanned):
    """Rows that span the z_i of all rows numbered `within`, by dense arithmetic.

    Attributes
    ----------
    integers, exponents : the independent rows as `Scaled.integers` gives them
    """

    def __init__(self, scaled: Scaled, within: Ints, important: Ints) -> None:
        used = scaled.used_columns(within)
        super().__init__(scaled.dimension, used)
        clock = scaled.data.clock
        rows = important[scaled.data.among(important, within)][: 2 * self.dimension]
        if len(rows) < len(within) and not scaled.data.few:
            # A column that these miss would cost a round of its own.
            rare = scaled.covering(within, 4, len(rows))
            rows = np.concatenate([rows, rare[~scaled.data.among(rare, rows)]])
        while True:
            integers, exponents = scaled.integers(rows)
            clock.say(f"rank of {len(rows)} rows in {len(used)} columns")
            work = len(rows) * len(used) * min(len(rows), len(used))
            chosen = clock.apart(work, independent, integers, used)
            self.rows = rows[chosen]
            self.integers = [integers[k] for k in chosen]
            self.exponents = [exponents[k] for k in chosen]
            self.orthogonal = clock.apart(10 * work, self._orthogonal, used)
            outside = self.outside(scaled, within[~scaled.data.among(within, self.rows)])
            if len(outside) == 0:
                break
            rows = np.concatenate([self.rows, outside[: 2 * self.dimension]])

    def _orthogonal(self, used: list[int]) -> list[list[fmpz]]:
        """A basis of the vectors over the `used` coordinates that are orthogonal to the rows."""
        if len(self.rows) == len(used):
            return []
        if len(self.rows) == 0:
            basis, nullity = fmpz_mat(np.eye(len(used), dtype=int).tolist()), len(used)
        else:
            basis, nullity = fmpz_mat([[row[j] for j in used] for row in self.integers]).nullspace()
        vectors = []
        for k in range(nullity):
            vector = [fmpz(0)] * self.dimension
            for place, j in enumerate(used):
                vector[j] = basis[place, k]
            vectors.append(primitive(vector))
        return vectors


def unit_vector(j: int, dimension: int) -> list[fmpz]:
    return [fmpz(int(k == j)) for k in range(dimension)]


def one_size(vectors: Sequence[Sequence[Any]]) -> list[int]:
    """Powers of two that bring vectors of integers to one size."""
    sizes = [max(map(abs, vector)).bit_length() for vector in vectors]
    return [1 << (max(sizes) - size) for size in sizes]


# ----------------------------------------------------------- modulo what some rows span


class Quotient:
    """The rows u_i of `scaled` modulo the rows of `span`: what a `Cone` needs to know of them.

    Every weak separator is zero on the overlap rows, so it is a combination of the vectors v_k that
    are orthogonal to all of them, and sees of a row z no more than u = (v_1 . z, v_2 . z, ...).
    Questions about weak separators are questions about the cone of these u, in as many dimensions
    as the overlap rows leave. The overlap rows cancel with positive weights, so that with b also
    what differs from it by a combination of them is in the cone of all rows.

    Attributes
    ----------
    dimension : the number of the v_k
    """

    def __init__(self, scaled: Scaled, span: Spanned) -> None:
        self.scaled, self.data = scaled, scaled.data
        self._vectors = span.complement()
        self._matrix = fmpz_mat(self._vectors).transpose()
        self.dimension = len(self._vectors)
        self._known: dict[int, tuple[list[int], int]] = {}  # the same rows are asked for again

    def target(self, vector: Sequence[int]) -> list[int]:
        """What is seen of a vector over the scaled columns."""
        return [int(x) for x in (fmpz_mat([vector]) * self._matrix).entries()]

    def lifted(self, w: Sequence[fmpz]) -> list[fmpz]:
        """sum_k w_k v_k, a hyperplane over the scaled columns."""
        return primitive((self._matrix * fmpz_mat(self.dimension, 1, list(w))).entries())

    def integers(
        self, index: Ints, columns: Sequence[int] | None = None
    ) -> tuple[list[list[int]], list[int]]:
        """The u_i times powers of two that make them integers, as `Scaled.integers` has them."""
        new = np.array([i for i in index.tolist() if i not in self._known], np.int64)
        if len(new):
            rows, exponents = self.scaled.integers(new)
            products = (fmpz_mat(rows) * self._matrix).tolist()
            for i, row, exponent in zip(new.tolist(), products, exponents, strict=True):
                self._known[i] = ([int(x) for x in row], exponent)
        known = [self._known[i] for i in index.tolist()]
        chosen = range(self.dimension) if columns is None else columns
        return [[row[k] for k in chosen] for row, _ in known], [e for _, e in known]

    def floats(self, index: Ints) -> Floats:
        """The same as floats, the largest of every row in [1/2, 1) or 0."""
        rows, _ = self.integers(index)
        sizes = [max(map(abs, row)).bit_length() for row in rows]
        return np.array(
            [[x / (1 << size) for x in row] for row, size in zip(rows, sizes, strict=True)]
        ).reshape(len(rows), self.dimension)

    def used_columns(self, index: Ints) -> list[int]:
        return list(range(self.dimension))

    def unscaled(self, w: Floats) -> Floats:
        """A guess as a hyperplane over unscaled rows."""
        return self.doubles(rounded(w))

    def doubles(self, w: Sequence[fmpz]) -> Floats:
        return self.scaled.doubles(self.lifted(w))

    def scores(self, w: Floats) -> Floats:
        return self.scaled.scores(w)

    def refuting(self, w: Sequence[fmpz], index: Ints, *, strict: bool = False) -> Ints:
        return self.scaled.refuting(self.lifted(w), index, strict=strict)


def rounded(w: Array) -> list[fmpz]:
    """A direction in integers, to about 40 bits of its largest number."""
    size = np.abs(w).max(initial=0.0) or 1.0
    return [fmpz(x) for x in np.rint(np.ldexp(w / size, 40)).astype(np.int64).tolist()]
