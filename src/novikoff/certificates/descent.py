"""The hyperplane with the largest margin where hundreds of rows hold it: coordinate descent.

A step of a corral with k members costs k^2, too much where data is wide (texts, say) and k large.
The same problem, up to scale, is a support vector machine without slack:

    minimise  ||sum_i a_i p_i||^2 / 2 - sum_i a_i    over a >= 0, with an offset  sum_i a_i y_i = 0;

then theta = sum_i a_i p_i has y_i s(x_i) >= 1 on every row, with equality where a_i > 0.
Coordinate descent (Hsieh et al. 2008) soon finds out which rows hold the hyperplane, and slowly how
much each of them matters; that is a linear system, and conjugate gradients solve it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff._arrays import Floats, Ints
from novikoff.certificates.nearest import Candidate, Points
from novikoff.kernels.solvers import descend
from novikoff.training.matrix import as_rows, norms_of

EPOCHS = 20  # between two looks at all rows
ACTIVE = 1.5  # a row without weight and with y s(x) above this is left out until the next look
STIFFNESS = 1e-3  # of the penalty on (sum_i a_i y_i)^2, relative to the squared length of a row
NEWTON = 0.1  # the gap at which a linear system is first solved
HALVINGS = 10  # of the step towards its solution, at most
STEPS = 2000  # of conjugate gradients, at most
LARGE = 100  # values beyond 2**LARGE, or all below 2**-LARGE, are scaled first
FINEST = 1e-9  # the smallest gap to try for


class Descent:
    """A descent from a = 0 that can be resumed.

    The condition sum_i a_i y_i = 0 is kept by an augmented Lagrangian (Hestenes 1969), whose
    multiplier tends to the offset.

    Attributes
    ----------
    a : (n,) >= 0
    theta : (1, d), sum_i a_i p_i
    offset : float
    gap : float
        The relative gap; infinite while all weight is on one side.
    separates : bool
        Whether some theta on the way had all rows on their side, up to rounding.
    """

    def __init__(self, points: Points) -> None:
        n, d = points.data.shape
        self.points = points
        self.X, self.rows = points.data.X, points.data.rows
        if points.centre.any() or abs(points.exponent) > LARGE:
            self.X = points.unsigned(np.arange(n))
            self.rows = as_rows(self.X)
        self.norms = norms_of(self.rows, n, 0.0)
        self.squares = self.norms**2
        self.y = points.data.y.astype(np.float64)
        self.stiffness = (
            STIFFNESS * float(self.squares.mean()) if points.data.fit_intercept else 0.0
        )
        self.a = np.zeros(n)
        self.theta = np.zeros((1, d))
        self.offset = 0.0
        self.gap = np.inf
        self.separates = False

    def run(self, tol: float, looks: int) -> Candidate:
        """Descend until the gap is within `tol`, with that many looks at all rows at most."""
        tol = max(tol, FINEST)
        random = np.random.RandomState(0)
        active = np.arange(len(self.y))
        newton_below = NEWTON
        for _ in range(looks):
            if self.gap <= tol:
                break
            self.points.data.clock.check()
            for _ in range(EPOCHS):
                random.shuffle(active)
                descend(
                    self.rows, self.y, self.squares, active, self.stiffness, self.offset,
                    self._balance(), self.a, self.theta,
                )  # fmt: skip
            self.offset += self.stiffness * self._balance()
            scores = self._look()
            if tol < self.gap <= newton_below:
                newton_below = self.gap / 2
                self._newton(tol / 10)
                scores = self._look()
            active = np.flatnonzero((self.y * (scores + self.offset) < ACTIVE) | (self.a > 0.0))
        return self._candidate()

    def _balance(self) -> float:
        return float(self.y @ self.a)

    def _candidate(self) -> Candidate:
        """The a_i scaled to sum to 1 on each side, and theta."""
        support = np.flatnonzero(self.a)
        sides = self.points.sides[support]
        totals = np.bincount(sides, self.a[support], len(self.points.groups))
        return Candidate(support, self.a[support] / totals[sides], self.theta[0])

    def _look(self) -> Floats:
        """Compute theta and the gap; returns theta . x of every row."""
        from novikoff.training.prediction import scores

        candidate = self._candidate()
        rows, y = self._rows(candidate.support)
        self.theta[0] = rows.T @ (y * self.a[candidate.support])
        found = scores(self.rows, len(self.norms), self.theta, np.zeros(1))[:, 0]
        least = sum((self.y[group] * found[group]).min() for group in self.points.groups)
        self.separates = self.separates or least > 0.0
        v = rows.T @ (y * candidate.weights)
        both = len(np.unique(self.points.sides[candidate.support])) == len(self.points.groups)
        lengths = np.linalg.norm(self.theta) * np.linalg.norm(v)
        self.gap = float(1.0 - least / lengths) if both and lengths > 0.0 else np.inf
        return found

    def _rows(self, index: Ints) -> tuple[Any, Floats]:
        return self.X[index].astype(np.float64), self.y[index]

    def _newton(self, tol: float) -> None:
        """Step towards the solution of y_i s(x_i) = 1 on the rows of the support.

        What would become negative becomes zero; the step is halved until the function decreases.
        """
        support = np.flatnonzero(self.a)
        rows, y = self._rows(support)
        condition = y if self.points.data.fit_intercept else np.zeros_like(y)

        def scores(a: Floats) -> Floats:
            found: Floats = y * (rows @ (rows.T @ (y * a)))
            return found

        start = self.a[support]
        solution = conjugate_gradients(scores, condition, self.squares[support], start, tol)
        offset = float((condition * (1.0 - scores(solution))).mean())

        def function(a: Floats) -> float:
            balance = condition @ a
            penalty = offset * balance + self.stiffness * balance**2 / 2.0
            return float(a @ scores(a) / 2.0 - a.sum() + penalty)

        before = function(start)
        for step in 0.5 ** np.arange(HALVINGS):
            moved = np.maximum(start + step * (solution - start), 0.0)
            if function(moved) < before:
                self.a[support] = moved
                self.offset += step * (offset - self.offset)
                return


def conjugate_gradients(
    times: Any, condition: Floats, diagonal: Floats, start: Floats, tol: float
) -> Floats:
    """Minimise a . G a / 2 - sum_i a_i over all a with condition . a = 0.

    Projected conjugate gradients, preconditioned by the diagonal (Gould, Hribar and Nocedal 2001,
    algorithm 6.2). They end when G a = 1 up to a multiple of `condition` and `tol`.

    times : the function a -> G a, G symmetric and positive definite
    diagonal : of G
    start : where to begin
    """
    scaled = condition / diagonal
    total = float(condition @ scaled) or 1.0

    def project(left: Floats) -> Floats:
        step: Floats = left / diagonal
        return step - scaled * ((condition @ step) / total)

    a: Floats = start - scaled * ((condition @ start) / total)
    direction = step = project(1.0 - times(a))
    left = diagonal * step
    square = left @ step
    for _ in range(STEPS):
        if np.abs(diagonal * step).max() <= tol:
            break
        image = times(direction)
        curvature = direction @ image
        if not curvature > 0.0:
            break  # rounding errors only
        length = square / curvature
        a = a + length * direction
        step = project(left - length * image)
        left = diagonal * step  # without the part that the projection removes, which would grow
        square, before = left @ step, square
        direction = step + (square / before) * direction
    return a
