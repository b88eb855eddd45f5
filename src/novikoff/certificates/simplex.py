"""Farkas' lemma in rational arithmetic: a target in a cone, or a functional that keeps it out.

Given integer columns a_1, ..., a_n and a target b, exactly one of these exists (Farkas 1902):

    lambda >= 0 with sum_i lambda_i a_i = b,     or     f with f . a_i <= 0 for all i, f . b > 0.

The first phase of the simplex method finds out which: it minimises sum_j sigma_j r_j, where
r = b - sum_i lambda_i a_i is what is missing, carried by one artificial variable per coordinate.
Every number is an exact fraction and every step solves its linear systems afresh (python-flint's
p-adic lifting), so there is nothing to drift; after a run of steps that gain nothing, Bland's rule
excludes cycles. The starting columns are a guess, usually from a linear program in floats: where
that guess is right, no step is needed at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq, fmpz, fmpz_mat

from novikoff.certificates.clock import Clock
from novikoff.certificates.linear import independent, pivot_coordinates, solve, weigh

PATIENCE = 20  # steps without gain before Bland's rule takes over


@dataclass(frozen=True)
class Member:
    """The target is a combination of linearly independent columns with positive weights."""

    columns: list[int]
    weights: list[fmpq]


@dataclass(frozen=True)
class Functional:
    """f . a_i <= 0 for every column, f . b > 0; integers."""

    vector: list[fmpz]


class Simplex:
    """The state of a search.

    The basis consists of the columns `chosen` and of the artificial variables of all coordinates
    that are not in `settled`; the columns restricted to `settled` are a nonsingular matrix, and
    nothing is missing there.
    """

    def __init__(
        self, target: Sequence[int], columns: list[list[int]], clock: Clock | None = None
    ) -> None:
        self.clock = clock or Clock()
        self.target = [fmpz(x) for x in target]
        self.columns = columns
        self.chosen: list[int] = []
        self.settled: list[int] = []
        self.weights: list[fmpq] = []
        self.missing = [fmpq(x) for x in self.target]
        self.signs = [-1 if x < 0 else 1 for x in self.target]
        self._sizes = [max(map(abs, c), default=0).bit_length() for c in columns]
        self._matrix = fmpz_mat(columns) if columns else fmpz_mat(0, len(self.target))

    def start_from(self, guess: Sequence[int], order: Sequence[int], signs: Sequence[int]) -> None:
        """Begin with the columns of `guess`, as far as they are independent and feasible.

        order : the coordinates, those first that should be settled first
        signs : of the artificial variables where nothing is missing
        """
        remaining = list(guess)
        while True:
            self.clock.check()
            kept = independent([self.columns[i] for i in remaining], order)
            self.chosen = [remaining[k] for k in kept]
            self.settled = pivot_coordinates([self.columns[i] for i in self.chosen], order)
            self.weights, self.missing = self._weighed(self.target)
            if all(x >= 0 for x in self.weights):
                break
            remaining = [i for i, x in zip(self.chosen, self.weights, strict=True) if x > 0]
        self.signs = [
            hint if x == 0 else (-1 if x < 0 else 1)
            for hint, x in zip(signs, self.missing, strict=True)
        ]

    def run(self) -> Member | Functional:
        """Step until the question is decided for the columns at hand."""
        idle = 0
        while any(self.missing):
            self.clock.check()
            functional = self._functional()
            entering = self._entering(functional, bland=idle > PATIENCE)
            if entering is None:
                return Functional(functional)
            idle = 0 if self._step(entering) else idle + 1
        used = [k for k, x in enumerate(self.weights) if x > 0]
        return Member([self.chosen[k] for k in used], [self.weights[k] for k in used])

    def _weighed(self, vector: list[Any]) -> tuple[list[fmpq], list[fmpq]]:
        """Weights of the chosen columns that make the vector where it is settled; what is missing.

        The latter in all coordinates.
        """
        if not self.chosen:
            return [], [fmpq(x) for x in vector]
        chosen = [self.columns[i] for i in self.chosen]
        weights = weigh(chosen, vector, self.settled, self.clock)
        total = fmpz_mat(chosen).transpose() * fmpz_mat(len(chosen), 1, weights.numerators)
        missing = [
            x - fmpq(t, weights.denominator) for x, t in zip(vector, total.entries(), strict=True)
        ]
        return weights.fractions, missing

    def _functional(self) -> list[fmpz]:
        """f: sigma_j where something may be missing, and f . a_i = 0 for the chosen columns."""
        f = [fmpz(s) for s in self.signs]
        if not self.chosen:
            return f
        for j in self.settled:
            f[j] = fmpz(0)
        chosen = [self.columns[i] for i in self.chosen]
        rest = fmpz_mat(chosen) * fmpz_mat(len(f), 1, f)
        system = fmpz_mat([[column[j] for j in self.settled] for column in chosen])
        solution = solve(system, -rest, self.clock)
        f = [x * solution.denominator for x in f]
        for j, x in zip(self.settled, solution.numerators, strict=True):
            f[j] = x
        return f

    def _entering(self, functional: list[fmpz], *, bland: bool) -> int | None:
        """A column that would bring the target nearer: the first one, or the steepest."""
        gains = (self._matrix * fmpz_mat(len(functional), 1, functional)).entries()
        better = [i for i, g in enumerate(gains) if g > 0]
        if not better or bland:
            return better[0] if better else None
        return max(better, key=lambda i: gains[i] >> self._sizes[i])

    def _step(self, entering: int) -> bool:
        """Bring a column into the basis; whether the target came nearer."""
        moves, shifts = self._weighed(self.columns[entering])
        blocking = [
            (w / d, 0, i, k)
            for k, (i, w, d) in enumerate(zip(self.chosen, self.weights, moves, strict=True))
            if d > 0
        ]
        open_ = set(range(len(shifts))) - set(self.settled)
        blocking += [
            (self.missing[j] / shifts[j], 1, j, j) for j in open_ if self.signs[j] * shifts[j] > 0
        ]
        length, artificial, _, leaving = min(blocking)
        for k, d in enumerate(moves):
            self.weights[k] -= length * d
        self.missing = [r - length * s for r, s in zip(self.missing, shifts, strict=True)]
        if artificial:
            self.settled.append(leaving)
            self.chosen.append(entering)
            self.weights.append(length)
        else:
            self.chosen[leaving] = entering
            self.weights[leaving] = length
        return bool(length > 0)
