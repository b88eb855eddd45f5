"""A corral (Wolfe 1976): independent rows, and the point nearest to the origin among their hulls.

The problem of both questions about margins, in one notation. Each row has a side: through the
origin there is one side, with an offset there are two, the classes. With p_i = y_i x_i, the point

    v = sum_i lambda_i p_i,    lambda_i >= 0 summing to 1 on each side,

is to be as short as possible: the distance of the origin from the hull of the p_i, or of the hulls
of the two classes from each other. It is the shortest if and only if p_i . v >= mu_c for every row
i of side c, with equality where lambda_i > 0.

The side is appended as coordinates, q_i = (sigma e_c, p_i) with some sigma > 0. Then t =
(-mu / sigma, v) has q_i . t = p_i . v - mu_c, so that one product with t prices every row, and over
the affine hulls of a corral the shortest point has a t that is orthogonal to all of its rows:
a combination of the residuals that the unit vectors e_c leave when projected on these rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.linalg.blas import dtrsv

from novikoff._arrays import Floats, Ints
from novikoff.kernels.solvers import delete_column

INDEPENDENT = 1e-14  # a row closer than this to the span of the others, relatively, is in it
PASSES = 2  # the first finds a projection, the second removes its rounding errors


class Corral:
    """Members of the rows q, and R, upper triangular, with R^T R the matrix of their products.

    There is no orthogonal factor: a projection solves R^T R u = Q t and is corrected by repeating
    it on what it leaves (the corrected seminormal equations of Björck 1987), which for sparse rows
    needs no dense matrix but R. R itself is updated when a row comes or goes (Saunders 1972), not
    computed from the products, whose rounding errors would cost half of the digits.

    Attributes
    ----------
    q : (w, m + d) array or CSR matrix, the rows to choose from; `extend` appends
    sides : (w,) int64, the side of each row, 0 ... m - 1
    members : list of row numbers
    weights : (k,) lambda of the members
    """

    def __init__(self, q: Any, sides: Ints, sigma: float) -> None:
        self.q, self.sides, self.sigma = q, sides, sigma
        self.n_sides = int(sides.max()) + 1
        self.members: list[int] = []
        self.weights = np.zeros(0)
        self._triangle = np.eye(64, order="F")  # R, and a unit matrix behind it
        self._rows = q[:0]

    def extend(self, q: Any, sides: Ints) -> None:
        """More rows to choose from."""
        self.q = sp.vstack([self.q, q], format="csr") if sp.issparse(q) else np.vstack([self.q, q])
        self.sides = np.concatenate([self.sides, sides])

    def add(self, i: int, weight: float = 0.0) -> bool:
        """Make row i a member; False, and no change, if it depends on the others."""
        k = len(self.members)
        row = self.q[[i]].toarray()[0] if sp.issparse(self.q) else self.q[i]
        left, u = self.project(row)
        length = np.linalg.norm(left)
        if not length > INDEPENDENT * np.linalg.norm(row):
            return False
        if k == len(self._triangle):
            larger = np.eye(2 * k, order="F")
            larger[:k, :k] = self._triangle
            self._triangle = larger
        self._triangle[:k, k] = self._triangle[:k, :k] @ u
        self._triangle[k, k] = length
        self.members.append(i)
        self.weights = np.append(self.weights, weight)
        self._rows = self.q[self.members]
        return True

    def drop(self, position: int) -> None:
        """Dismiss the member at this position."""
        k = len(self.members)
        delete_column(self._triangle, k, position, np.empty((2, k)))
        del self.members[position]
        self.weights = np.delete(self.weights, position)
        self._rows = self.q[self.members]

    def project(self, t: Floats) -> tuple[Floats, Floats]:
        """t less its projection on the span of the members, and that projection's coefficients."""
        u = np.zeros(len(self.members))
        for _ in range(PASSES if self.members else 0):
            correction = self._solve(self._rows @ t)
            u += correction
            t = t - self._rows.T @ correction
        return t, u

    def _solve(self, x: Floats) -> Floats:
        """u with R^T R u = x."""
        padded = np.zeros(len(self._triangle))
        padded[: len(x)] = x
        halfway = dtrsv(self._triangle, padded, trans=1)
        solution: Floats = dtrsv(self._triangle, halfway)[: len(x)]
        return solution

    def minimiser(self) -> tuple[Floats, Floats]:
        """The weights of the shortest point over the affine hulls of the members, and its t."""
        m = self.n_sides
        left, u = zip(*(self.project(e) for e in np.eye(m, self.q.shape[1])), strict=True)
        residuals, coefficients = np.array(left), np.array(u)
        # Weights sum_c w_c u_c have the side coordinates sigma (1, ..., 1): they sum to one.
        sums = np.eye(m) - residuals[:, :m]
        w = np.linalg.lstsq(sums.T, np.full(m, self.sigma))[0]
        t, _ = self.project(-(w @ residuals))
        weights: Floats = w @ coefficients
        return weights, t

    def move(self) -> Floats:
        """Move the weights to the minimiser, dismissing members on the way; returns its t.

        The minor cycle of Wolfe's algorithm: where the way leaves the hulls, it ends at their
        boundary, and the members whose weight is zero there are dismissed.
        """
        while True:
            target, t = self.minimiser()
            falling = np.flatnonzero(target <= 0.0)
            if len(falling) == 0:
                self.weights = target
                return t
            now = self.weights[falling]
            steps = np.divide(now, now - target[falling], out=np.zeros_like(now), where=now > 0.0)
            self.weights = self.weights + steps.min() * (target - self.weights)
            for position in falling[steps <= steps.min()][::-1].tolist():
                self.drop(position)
