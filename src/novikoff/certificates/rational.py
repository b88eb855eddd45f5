"""The nearest points in rational arithmetic, for data where rounding errors would decide.

Wolfe's algorithm as in :mod:`novikoff.certificates.nearest`, with every number exact. Then every
step makes v strictly shorter, so no corral comes back, and the search ends at the optimum. The
shortest point over the affine hulls of a corral solves a linear system in integers,

    (P P^T  A^T) (lambda)   (0)
    (A      0  ) (  -mu ) = (1),        A_ci = 1 if member i is on side c, else 0,

which python-flint does by p-adic lifting.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq, fmpz_mat

from novikoff._arrays import Floats, Ints
from novikoff.certificates.linear import independent, solve
from novikoff.certificates.nearest import Candidate, Points
from novikoff.certificates.scaled import proportional
from novikoff.certificates.whole import (
    Integers,
    distinct,
    rounded,
    rounded_scores,
    row,
    score,
    whole,
)

FIRST = 50  # rows that are looked at first for one that breaks the condition


@dataclass(frozen=True)
class Optimum:
    """The nearest points, exactly.

    Attributes
    ----------
    support : (k,) int64
    weights : list of Fraction, positive, summing to 1 on each side
    theta : list of Fraction
        A multiple of v, the largest |theta_j| in [1/2, 1).
    """

    support: Ints
    weights: list[Fraction]
    theta: list[Fraction]

    def rounded(self) -> Candidate:
        """The optimum in doubles."""
        weights = np.array([float(w) for w in self.weights])
        return Candidate(self.support, weights, np.array([float(x) for x in self.theta]))


class RationalSearch:
    """A search among separable rows that starts from a guess.

    Attributes
    ----------
    members : list of row numbers, whose (e_c, p_i) are linearly independent
    weights : list of fmpq
    v : (d,) integers
        A positive multiple of sum_i weights_i p_i.
    """

    def __init__(self, points: Points, support: Ints, weights: Floats) -> None:
        self.points, self.data = points, points.data
        self._rows: dict[int, tuple[Ints, Integers, int]] = {}
        self.members = self._independent(support[np.argsort(-weights, kind="stable")].tolist())
        sizes = np.bincount(points.sides[self.members])
        self.weights = [fmpq(1, int(sizes[c])) for c in points.sides[self.members]]
        self.v = np.zeros(self.data.shape[1], object)

    def run(self) -> Optimum:
        """Search for the optimum."""
        self._move()
        while (entering := self._worst()) is not None:
            self.data.clock.say(f"nearest points in fractions, {len(self.members)} rows")
            self.members.append(entering)
            self.weights.append(fmpq(0))
            self._move()
        top = self._bits()
        return Optimum(
            np.array(self.members, np.int64),
            [Fraction(int(w.p), int(w.q)) for w in self.weights],
            [Fraction(x, 1 << top) for x in self.v.tolist()],
        )

    def _independent(self, candidates: list[int]) -> list[int]:
        """Candidates that are independent, the earlier ones preferred, and one of each side."""
        sides = self.points.sides
        first = [next(i for i in candidates if sides[i] == c) for c in range(self._n_sides)]
        candidates = first + [i for i in candidates if i not in first]
        matrix = self._matrix(candidates)
        kept = independent(
            [a + p for a, p in zip(self._indicators(candidates), matrix, strict=True)],
            range(self._n_sides + len(matrix[0])),
        )
        return [candidates[k] for k in kept]

    @property
    def _n_sides(self) -> int:
        return len(self.points.groups)

    def _indicators(self, rows: list[int]) -> list[list[int]]:
        """A^T, a row for each of the rows given."""
        table: list[list[int]] = np.eye(self._n_sides, dtype=int)[self.points.sides[rows]].tolist()
        return table

    def _matrix(self, rows: list[int]) -> list[list[int]]:
        """The p_i of the rows given, times a power of two, in the columns that any of them uses."""
        for i in rows:
            if i not in self._rows:
                columns, values = row(self.data, i)
                integers, exponent = whole(values)
                self._rows[i] = columns, int(self.data.y[i]) * integers, exponent
        used = np.unique(np.concatenate([self._rows[i][0] for i in rows]))
        lowest = min(self._rows[i][2] for i in rows)
        matrix = np.zeros((len(rows), len(used)), object)
        for k, i in enumerate(rows):
            columns, integers, exponent = self._rows[i]
            matrix[k, np.searchsorted(used, columns)] = integers << (exponent - lowest)
        self._used = used
        return matrix.tolist()

    def _move(self) -> None:
        """Move to the minimiser over the corral, dismissing members on the way."""
        while True:
            rows = fmpz_mat(self._matrix(self.members))
            target = self._minimiser(rows)
            steps = [w / (w - x) for w, x in zip(self.weights, target, strict=True) if x <= 0]
            step = min(steps, default=fmpq(1))
            moved = [w + step * (x - w) for w, x in zip(self.weights, target, strict=True)]
            kept = [k for k, w in enumerate(moved) if w > 0]
            self.members = [self.members[k] for k in kept]
            self.weights = [moved[k] for k in kept]
            if not steps:
                self._combine(rows)
                return

    def _minimiser(self, rows: fmpz_mat) -> list[fmpq]:
        """The weights of the shortest point over the affine hulls of the members."""
        k, m = len(self.members), self._n_sides
        indicators = self._indicators(self.members)
        products = (rows * rows.transpose()).tolist()
        system: list[list[Any]] = [[*p, *a] for p, a in zip(products, indicators, strict=True)]
        system += [[*a, *([0] * m)] for a in zip(*indicators, strict=True)]
        right = fmpz_mat(k + m, 1, [0] * k + [1] * m)
        solution = solve(fmpz_mat(system), right, self.data.clock)
        return solution.fractions[:k]

    def _combine(self, rows: fmpz_mat) -> None:
        """Set v."""
        v = fmpz_mat(1, len(self.weights), proportional(self.weights)) * rows
        self.v[:] = 0
        self.v[self._used] = [int(x) for x in v.entries()]

    def _bits(self) -> int:
        return max(abs(int(x)) for x in self.v.tolist()).bit_length()

    def _worst(self) -> int | None:
        """A row that breaks the optimality condition, among the first found the worst, or None.

        Rounded scores leave few rows whose exact score is worth computing.
        """
        scale, sides = 1 << self._bits(), self.points.sides
        found, errors = rounded_scores(self.data, np.array([x / scale for x in self.v.tolist()]))
        one_of_each = [next(i for i in self.members if sides[i] == c) for c in range(self._n_sides)]
        levels = [score(self.data, i, self.v) for i in one_of_each]
        excess = found - np.array([rounded(level / scale) for level in levels])[sides]
        suspicious = excess < errors + errors[one_of_each][sides]
        suspicious[self.members] = False
        suspects = np.flatnonzero(suspicious)
        suspects = suspects[np.argsort(excess[suspects], kind="stable")]
        for some in self._batches(suspects):
            exact = [(score(self.data, i, self.v) - levels[sides[i]], i) for i in some]
            worst, i = min(exact, default=(Fraction(0), -1))
            if worst < 0:
                return i
        return None

    def _batches(self, suspects: Ints) -> Iterator[list[int]]:
        """The first few suspects, then the others, of equal rows only one."""
        yield suspects[:FIRST].tolist()
        others = suspects[FIRST:]
        for c in range(self._n_sides):
            yield distinct(self.data, others[self.points.sides[others] == c])
