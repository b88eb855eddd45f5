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

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from flint import fmpq, fmpz
from numpy.typing import NDArray

from novikoff.certificates.program import Guess, guess
from novikoff.certificates.scaled import Scaled
from novikoff.certificates.simplex import Member, Simplex

WORKING_SET = 2000
BATCH = 200  # rows that join at a time, at least
BROKEN = 1e-6  # a weak guess that is short of zero by less may be a rounding error


@dataclass(frozen=True)
class Weighted:
    """Rows and positive weights of the z_i, scaled by columns only."""

    rows: list[int]
    weights: list[fmpq]


@dataclass(frozen=True)
class Halfspace:
    """w over the scaled columns, in integers."""

    w: list[fmpz]


class Cone:
    """The rows of `scaled` numbered `within`.

    important : all rows, those first that are worth looking at first
    """

    def __init__(
        self, scaled: Scaled, within: NDArray[np.int64], important: NDArray[np.int64]
    ) -> None:
        self.scaled = scaled
        self.within = within
        self.important = important[np.isin(important, within)]

    def strict(self) -> Weighted | Halfspace:
        """Rows that cancel with positive weights, or w with w . z_i > 0 for every row."""
        target = [0] * self.scaled.dimension + [1]
        return self._decide(target, strict=True)

    def holds(self, target: list[int]) -> Weighted | Halfspace:
        """Rows that combine to `target`, or w with w . z_i >= 0 for every row, w . target < 0."""
        return self._decide(target, strict=False)

    def _decide(self, target: list[int], *, strict: bool) -> Weighted | Halfspace:
        working = self.important[:WORKING_SET]
        while True:
            program = guess(self._floats(working, strict), _rounded(target))
            new = working[:0]
            if not program.reached:
                w = self.scaled.unscaled(-program.functional[: self.scaled.dimension])
                scores = self.scaled.scores(w)[self.within]
                if strict and (scores > 0).all():
                    return Halfspace(self.scaled.integral(w.tolist()))
                new = self._breaking(w, scores, working, strict)
            if len(new) == 0:
                found = self._exactly(working, target, program, strict)
                if isinstance(found, Weighted):
                    return found
                new = self._refuting(found.w, self.within, strict)
                if len(new) == 0:
                    return self._rounded(found) if strict else found
            working = np.concatenate([working, new[: max(BATCH, len(working) // 2)]])

    def _rounded(self, found: Halfspace) -> Halfspace:
        """The strict separator in doubles, if it is still one."""
        w = self.scaled.doubles(found.w)
        if (self.scaled.scores(w)[self.within] > 0).all():
            return Halfspace(self.scaled.integral(w.tolist()))
        return found

    def _floats(self, working: NDArray[np.int64], strict: bool) -> Any:
        """The columns of the float program, one per row."""
        Z = self.scaled.floats(working)
        if not strict:
            return Z
        ones = np.ones((len(working), 1))
        return sp.hstack([Z, ones], format="csr") if sp.issparse(Z) else np.hstack([Z, ones])

    def _breaking(
        self,
        w: NDArray[np.float64],
        scores: NDArray[np.float64],
        working: NDArray[np.int64],
        strict: bool,
    ) -> NDArray[np.int64]:
        """Rows outside of the working set that break the guess w, the worst first."""
        if not w.any():
            return working[:0]
        with np.errstate(invalid="ignore", over="ignore"):
            relative = scores / (np.linalg.norm(w) * self.scaled.data.norms[self.within])
        bad = (relative <= 0 if strict else relative < -BROKEN) & ~np.isin(self.within, working)
        order = np.argsort(relative[bad], kind="stable")
        return self.within[bad][order]

    def _exactly(
        self, working: NDArray[np.int64], target: list[int], program: Guess, strict: bool
    ) -> Weighted | Halfspace:
        """Decide the question for the rows of the working set, starting from a guess."""
        signs = np.where(program.functional < 0, -1, 1).tolist()
        rows = working[program.columns]
        start = list(range(len(rows)))
        while True:
            # Columns in which none of the rows has a value cannot matter to them.
            used = set(self.scaled.used_columns(rows)) | {j for j, x in enumerate(target) if x}
            place = {j: k for k, j in enumerate(j for j in program.coordinates if j in used)}
            columns, exponents = self._integers(rows, list(place), strict)
            simplex = Simplex([target[j] for j in place], columns)
            simplex.start_from(start, range(len(place)), [signs[j] for j in place])
            found = simplex.run()
            if isinstance(found, Member):
                weights = [
                    x * fmpq(2) ** -exponents[k]
                    for k, x in zip(found.columns, found.weights, strict=True)
                ]
                return Weighted(rows[found.columns].tolist(), weights)
            w = [fmpz(0)] * self.scaled.dimension
            for j, k in place.items():
                if j < self.scaled.dimension:
                    w[j] = -found.vector[k]
            new = self._refuting(w, np.setdiff1d(working, rows), strict)[:BATCH]
            if len(new) == 0:
                return Halfspace(w)
            start = simplex.chosen
            rows = np.concatenate([rows, new])

    def _refuting(self, w: list[fmpz], index: NDArray[np.int64], strict: bool) -> NDArray[np.int64]:
        """The rows among `index` that w does not separate, the worst first."""
        signs = self.scaled.signs(w, index)
        bad = index[signs <= 0] if strict else index[signs < 0]
        scores = self.scaled.scores(self.scaled.doubles(w))[bad] / self.scaled.data.norms[bad]
        result: NDArray[np.int64] = bad[np.argsort(scores, kind="stable")]
        return result

    def _integers(
        self, rows: NDArray[np.int64], coordinates: list[int], strict: bool
    ) -> tuple[list[list[int]], list[int]]:
        """The rows in the coordinates given; if strict, the last one is the 1 of (z, 1)."""
        own = [j for j in coordinates if j < self.scaled.dimension]
        columns, exponents = self.scaled.integers(rows, own)
        if strict:
            last = coordinates.index(self.scaled.dimension)
            for column in columns:
                column.insert(last, 1 << max(map(abs, column), default=0).bit_length())
        return columns, exponents


def _rounded(target: list[int]) -> NDArray[np.float64]:
    """The target as doubles, up to a power of two."""
    bits = max(abs(x).bit_length() for x in target)
    return np.array([float(x >> max(bits - 60, 0)) for x in target]) / 2.0 ** min(bits, 60)
