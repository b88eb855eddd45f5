"""The nearest points of two hulls, or of a hull and the origin, in floating point.

The problem and its notation are in :mod:`novikoff.certificates.corral`. Wolfe's algorithm (1976):
add the row that breaks the optimality condition most, move to the shortest point over the corral,
repeat. Every step makes v shorter, so it ends. The steps are taken in a working set; when nothing
in it breaks the condition, all rows are priced, and those that break it most join.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff._arrays import Floats, Ints
from novikoff.certificates.corral import Corral
from novikoff.certificates.data import Labelled, beside, scaled_rows

BATCH = 100  # rows of each side that join the working set at a time
NOISE = 1e-15  # a v shorter than this, relative to the points, is nothing but rounding errors
SAMPLE = 1000  # rows of each side that the centre, the size and the first guess are taken from


class Points:
    """The rows p_i = y_i x_i of the data, each with its side.

    They are scaled by a power of two, so that the largest value is below 1, and with an offset
    centred, unless they are sparse. Neither changes which hyperplane is best; rounding errors are
    smaller for both.

    Attributes
    ----------
    sides : (n,) int64
        With an offset 0 and 1, the classes; through the origin all 0.
    groups : list of arrays, the rows of each side
    sigma : float
        The root of the mean of ||p_i||^2 over a sample: the size of the points.
    guess : (d,)
        A first guess at v: the sum of the means of the sides over that sample.
    """

    def __init__(self, data: Labelled) -> None:
        self.data = data
        self.sides = (data.y + 1) // 2 if data.fit_intercept else np.zeros_like(data.y)
        self.groups = [np.flatnonzero(self.sides == c) for c in np.unique(self.sides)]
        values = data.rows.values
        low, high = float(values.min(initial=0)), float(values.max(initial=0))
        self.exponent = int(np.frexp(max(-low, high))[1])
        self.centre = np.zeros(data.shape[1])
        samples = [group[:: len(group) // SAMPLE + 1] for group in self.groups]
        if data.fit_intercept and not data.sparse:
            sample = np.concatenate(samples)
            self.centre = (data.y[sample, None] * self.take(sample)).mean(axis=0)
        drawn = [self.take(sample) for sample in samples]
        squares = np.concatenate([(p * p).sum(axis=1) for p in drawn])
        self.sigma = float(np.sqrt(squares.mean())) or 1.0
        self.guess: Floats = np.sum([p.mean(axis=0) for p in drawn], axis=0)

    def take(self, index: Ints) -> Any:
        """The p_i of the rows numbered `index` in float64: an array, or a CSR array if sparse."""
        return scaled_rows(self.unsigned(index), self.data.y[index].astype(np.float64))

    def unsigned(self, index: Ints) -> Any:
        """The same without their signs: the x_i, scaled and centred."""
        X = self.data.X[index].astype(np.float64)
        if self.data.sparse:
            X.data = np.ldexp(X.data, -self.exponent)
            return X
        return np.ldexp(X, -self.exponent) - self.centre

    def with_sides(self, index: Ints) -> Any:
        """The q_i = (sigma e_c, p_i) of the rows numbered `index`; c is the side of row i."""
        sides = self.sigma * np.eye(len(self.groups))[self.sides[index]]
        return beside([sides, self.take(index)])

    def price(self, v: Floats) -> Floats:
        """(n,): p_i . v for every row, rounded."""
        half = self.exponent // 2  # 2 ** -exponent may be no normal number, its root is
        found = np.ldexp(self.data.scores(np.ldexp(v, -half)), half - self.exponent)
        return found - self.data.y * (self.centre @ v)


@dataclass(frozen=True)
class Candidate:
    """What a search in floating point proposes; nothing of it is proved.

    Attributes
    ----------
    support : (k,) int64, rows
    weights : (k,) float64, positive, summing to about 1 on each side
    theta : (d,) float64
    """

    support: Ints
    weights: Floats
    theta: Floats


class Search:
    """A search that can be resumed.

    Attributes
    ----------
    t : (m + d,)
        (-mu / sigma, v) of the corral, as :mod:`novikoff.certificates.corral` explains.
    working : rows of the working set; `corral` counts in their order
    separates : bool
        Whether some v on the way had all rows on their side, up to rounding.
    status : str
        Why the search ended. "nearest": the gap is within the tolerance. "small": v is so short
        that the hulls may well meet. "large": the corral has outgrown its limit. "stalled":
        rounding errors are all that is left to remove.
    """

    def __init__(self, data: Labelled) -> None:
        points = self.points = Points(data)
        prices = points.price(points.guess)
        self.working = np.concatenate([_lowest(prices, group) for group in points.groups])
        sides = points.sides[self.working]
        self.corral = Corral(points.with_sides(self.working), sides, points.sigma)
        for c in range(len(points.groups)):
            self.corral.add(int(np.argmax(sides == c)), weight=1.0)
        self.t = self.corral.move()
        self.separates = False
        self.status = ""

    @property
    def v(self) -> Floats:
        return self.t[self.corral.n_sides :]

    def run(self, tol: float, floor: float, limit: int) -> None:
        """Search until `status` says why to end.

        tol : the gap to reach, (||v||^2 - sum_c min_i p_i . v) / ||v||^2
        floor : end when v is shorter than this, relative to the points, unless it `separates`
        limit : end when the corral has more members than this
        """
        points, self.status = self.points, ""
        clock = points.data.clock
        while True:
            clock.check()
            large = self._improve(tol / 2, floor, limit)
            prices = points.price(self.v)
            if sum(prices[group].min() for group in points.groups) > 0.0:
                self.separates = True
            excess = prices + points.sigma * self.t[points.sides]
            if self._short(floor):
                self.status = "small"
            elif self._closed(excess, points.sides, tol):
                self.status = "nearest"
            elif large:
                self.status = "large"
            if self.status:
                return
            breaking = excess < -tol / 4 * (self.v @ self.v)
            breaking[self.working] = False
            new = np.concatenate(
                [_lowest(excess, group[breaking[group]]) for group in points.groups]
            )
            if len(new) == 0:
                self.status = "stalled"
                return
            self.corral.extend(points.with_sides(new), points.sides[new])
            self.working = np.concatenate([self.working, new])

    def candidate(self) -> Candidate:
        """Where the search stands."""
        return Candidate(self.working[self.corral.members], self.corral.weights, self.v)

    def _improve(self, tol: float, floor: float, limit: int) -> bool:
        """Take steps within the working set; returns whether the corral has outgrown its limit."""
        corral = self.corral
        while not self._short(floor):
            self.points.data.clock.check()
            excess = corral.q @ self.t
            if self._closed(excess, corral.sides, tol):
                break
            worst, square = int(np.argmin(excess)), self.v @ self.v
            if worst in corral.members or not corral.add(worst):
                break
            self.t = corral.move()
            if len(corral.members) > limit:
                return True
            if not self.v @ self.v < square:
                break
        return False

    def _short(self, floor: float) -> bool:
        """Whether v is too short to go on."""
        floor = NOISE if self.separates else max(floor, NOISE)
        return bool(np.linalg.norm(self.v) <= floor * self.points.sigma)

    def _closed(self, excess: Floats, sides: Ints, tol: float) -> bool:
        """Whether ||v||^2 - sum_c min_i p_i . v <= tol ||v||^2, given all p_i . v - mu_c."""
        short = sum(-excess[sides == c].min() for c in range(self.corral.n_sides))
        return bool(short <= tol * (self.v @ self.v))


def _lowest(prices: Floats, group: Ints) -> Ints:
    """Up to `BATCH` rows of a group with the lowest prices, the lowest first."""
    if len(group) > BATCH:
        group = group[np.argpartition(prices[group], BATCH - 1)[:BATCH]]
    return group[np.argsort(prices[group], kind="stable")]
