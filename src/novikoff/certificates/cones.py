"""Two questions about the cone of the rows z_i, answered exactly on a working set that grows.

- Is there a strict separator, w . z_i > 0 for every row, or do some rows cancel with positive
  weights (Gordan 1873)? The second means that (0, 1) is in the cone of the (z_i, 1).
- Is b in the cone of the z_i, or is there a w with w . z_i >= 0 for every row and w . b < 0
  (Farkas 1902)?

Most rows do not matter: a linear program over the rows that matter so far makes a guess, the rows
that break it join, and only when floats have nothing more to say is the question put to
:mod:`novikoff.certificates.simplex`.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import fmpq, fmpz

from novikoff._arrays import Floats, Ints
from novikoff.certificates import data
from novikoff.certificates.linear import Quotient
from novikoff.certificates.scaled import Scaled
from novikoff.certificates.simplex import Member, Simplex
from novikoff.geometry.sparse import with_ones

WORKING_SET = 2000
BATCH = 200  # rows that join at a time, at least
BROKEN = 1e-6  # a weak guess that is short of zero by less may be a rounding error
NEGLIGIBLE = 1e-9


@dataclass(frozen=True)
class Weighted:
    """Rows and positive weights of the z_i, scaled by columns only."""

    rows: list[int]
    weights: list[fmpq]

    @classmethod
    def of(cls, rows: Ints, weights: Sequence[Any], exponents: Sequence[int]) -> Weighted:
        """From weights of the rows in integers, which are the rows times 2 ** -e_i."""
        scaled = [x * fmpq(2) ** -e for x, e in zip(weights, exponents, strict=True)]
        return cls(rows.tolist(), scaled)


@dataclass(frozen=True)
class Halfspace:
    """w over the scaled columns, in integers."""

    w: list[fmpz]


class Cone:
    """The cone of the rows numbered `within`.

    scaled : where the rows are
    important : all rows, those first that are worth looking at first
    """

    strict = False

    def __init__(self, scaled: Scaled | Quotient, within: Ints, important: Ints) -> None:
        self.scaled = scaled
        self.within = within
        # The rows looked at first; those that turn out to matter stay for later questions.
        self._working = important[scaled.data.among(important, within)][:WORKING_SET]

    def holds(self, target: list[int]) -> Weighted | Halfspace:
        """Rows that combine to `target`, or w with w . z_i >= 0 for every row, w . target < 0."""
        working, clock = self._working, self.scaled.data.clock
        if len(working) * len(target) <= data.FEW:  # these are all rows
            found, _ = self._simplex(working, target, range(len(target)), [1] * len(target), [])
            return found if isinstance(found, Weighted) else self._in_doubles(found)
        while True:
            clock.say(f"linear program of {len(working)} rows in {len(target)} dimensions")
            work = len(working) * len(target) ** 2
            program = clock.apart(work, guess, self._floats(working), _rounded(target))
            new = working[:0]
            if not program.reached:
                w = self.scaled.unscaled(-program.functional[: self.scaled.dimension])
                scores = self.scaled.scores(w)[self.within]
                settled = self._settled(w, scores)
                if settled is not None:
                    return settled
                new = self._breaking(w, scores, working)
            if len(new) == 0:
                found = self._exactly(working, target, program)
                if isinstance(found, Weighted):
                    return found
                new = self.scaled.refuting(found.w, self.within, strict=self.strict)
                if len(new) == 0:
                    return self._in_doubles(found)
            working = np.concatenate([working, new[: max(BATCH, len(working) // 2)]])
            self._working = working

    def _settled(self, w: Floats, scores: Floats | None = None) -> Halfspace | None:
        """What a hyperplane in doubles, and its scores, settle: nothing, if zeros matter."""
        return None

    def _in_doubles(self, found: Halfspace) -> Halfspace:
        """The same in doubles, if that makes no difference."""
        return self._settled(self.scaled.doubles(found.w)) or found

    def _floats(self, working: Ints) -> Any:
        """The columns of the float program, one per row."""
        return self.scaled.floats(working)

    def _integers(self, rows: Ints, coordinates: list[int]) -> tuple[list[list[int]], list[int]]:
        """The rows in the coordinates given, as `Scaled.integers` has them."""
        return self.scaled.integers(rows, coordinates)

    def _breaking(self, w: Floats, scores: Floats, working: Ints) -> Ints:
        """Rows outside of the working set that break the guess w, the worst first."""
        if not w.any():
            return working[:0]
        with np.errstate(invalid="ignore", over="ignore"):
            relative = scores / (np.linalg.norm(w) * self.scaled.data.norms[self.within])
        bad = relative <= 0 if self.strict else relative < -BROKEN
        bad &= ~self.scaled.data.among(self.within, working)
        order = np.argsort(relative[bad], kind="stable")
        return self.within[bad][order]

    def _exactly(self, working: Ints, target: list[int], program: Guess) -> Weighted | Halfspace:
        """Decide the question for the rows of the working set, starting from a guess."""
        signs = np.where(program.functional < 0, -1, 1).tolist()
        rows = working[program.columns]
        start = list(range(len(rows)))
        while True:
            found, start = self._simplex(rows, target, program.coordinates, signs, start)
            if isinstance(found, Weighted):
                return found
            others = np.sort(working[~self.scaled.data.among(working, rows)])
            new = self.scaled.refuting(found.w, others, strict=self.strict)[:BATCH]
            if len(new) == 0:
                return found
            rows = np.concatenate([rows, new])

    def _simplex(
        self,
        rows: Ints,
        target: list[int],
        coordinates: Sequence[int],
        signs: Sequence[int],
        start: Sequence[int],
    ) -> tuple[Weighted | Halfspace, list[int]]:
        """Decide the question for these rows; also returns which of them were chosen in the end.

        coordinates, signs, start : see `Simplex.start_from`
        """
        # Columns in which none of the rows has a value cannot matter to them.
        used = set(self.scaled.used_columns(rows)) | {j for j, x in enumerate(target) if x}
        place = {j: k for k, j in enumerate(j for j in coordinates if j in used)}
        columns, exponents = self._integers(rows, list(place))
        clock = self.scaled.data.clock
        clock.say(f"simplex in fractions, {len(rows)} rows in {len(place)} dimensions")
        simplex = Simplex([target[j] for j in place], columns, clock)
        simplex.start_from(start, range(len(place)), [signs[j] for j in place])
        found = simplex.run()
        if isinstance(found, Member):
            of_columns = [exponents[k] for k in found.columns]
            return Weighted.of(rows[found.columns], found.weights, of_columns), simplex.chosen
        w = [fmpz(0)] * self.scaled.dimension
        for j, k in place.items():
            if j < self.scaled.dimension:
                w[j] = -found.vector[k]
        return Halfspace(w), simplex.chosen


class StrictCone(Cone):
    """The cone of the (z_i, 1): (0, 1) is in it, or there is w with w . z_i > 0 for every row."""

    strict = True
    scaled: Scaled

    def answer(self) -> Weighted | Halfspace:
        """Rows that cancel with positive weights, or w with w . z_i > 0 for every row."""
        return self.holds([0] * self.scaled.dimension + [1])

    def _settled(self, w: Floats, scores: Floats | None = None) -> Halfspace | None:
        if scores is None:
            scores = self.scaled.scores(w)[self.within]
        return Halfspace(self.scaled.integral(w.tolist())) if (scores > 0).all() else None

    def _floats(self, working: Ints) -> Any:
        return with_ones(self.scaled.floats(working))

    def _integers(self, rows: Ints, coordinates: list[int]) -> tuple[list[list[int]], list[int]]:
        own = [j for j in coordinates if j < self.scaled.dimension]
        columns, exponents = self.scaled.integers(rows, own)
        last = coordinates.index(self.scaled.dimension)
        for column in columns:
            column.insert(last, 1 << max(map(abs, column), default=0).bit_length())
        return columns, exponents


def _rounded(target: list[int]) -> Floats:
    """The target as doubles, up to a power of two."""
    bits = max(abs(x).bit_length() for x in target)
    return np.array([float(x >> max(bits - 60, 0)) for x in target]) / 2.0 ** min(bits, 60)


# ---------------------------------------------------------------- the program in floats


@dataclass(frozen=True)
class Guess:
    """What a float linear program makes of a cone and a target.

    Attributes
    ----------
    functional : (m,)
        f, maximal in f . b with f . a_i <= 0 and |f_j| <= 1, up to rounding.
    reached : bool
        Whether f . b is zero but for rounding: the target seems to be in the cone.
    columns : indices of columns
        Those with a positive weight, the largest first; then, unless the target is reached, those
        with f . a_i = 0.
    coordinates : all m of them, those with |f_j| < 1 first
    """

    functional: Floats
    reached: bool
    columns: list[int]
    coordinates: list[int]


def guess(columns: Any, target: Floats) -> Guess:
    """Solve max f . b, f . a_i <= 0, -1 <= f <= 1 with HiGHS.

    columns : (n, m), one a_i per row, dense or sparse; target : (m,)
    """
    from scipy.optimize import linprog

    with warnings.catch_warnings(action="ignore"):  # a bad guess costs time, not correctness
        solution = linprog(
            -target, A_ub=columns, b_ub=np.zeros(columns.shape[0]), bounds=(-1.0, 1.0),
            method="highs-ds",
        )  # fmt: skip
    if solution.x is None:  # so that everything is to be decided exactly
        return Guess(np.zeros(len(target)), True, [], list(range(len(target))))
    weights = np.abs(solution.ineqlin.marginals)
    by_weight = np.argsort(-weights, kind="stable")
    reached = bool(-solution.fun <= NEGLIGIBLE)
    tight = weights > NEGLIGIBLE
    if not reached:
        tight |= np.abs(solution.slack) <= NEGLIGIBLE
    free = np.abs(solution.x) < 1.0 - NEGLIGIBLE
    return Guess(
        solution.x,
        reached,
        by_weight[tight[by_weight]].tolist(),
        np.argsort(~free, kind="stable").tolist(),
    )
