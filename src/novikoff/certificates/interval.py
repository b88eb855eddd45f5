"""Both ends of an interval that holds the largest margin, proved in exact arithmetic.

Any theta that separates proves a lower end, the margin it has with the best offset for it, and any
weights prove an upper end (see :class:`novikoff.certificates.results.MaxMargin`). Both are computed
exactly, from the doubles in X and whatever theta and the weights are, and rounded outwards once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from novikoff._arrays import Array, Floats, Ints
from novikoff.certificates.nearest import Candidate, Points
from novikoff.certificates.parts import Exact, Separator, as_array
from novikoff.certificates.whole import least_scores, root, rounded, squared_norm, weighted_sum

if TYPE_CHECKING:
    from novikoff.certificates.rational import Optimum

GRID = 2**52  # a sum of multiples of 1 / GRID up to 1 is exact in doubles


@dataclass(frozen=True)
class LowerEnd:
    """A hyperplane and its margin, rounded down; 0.0 if it does not separate."""

    theta: Array
    offset: Exact
    margin: float


@dataclass(frozen=True)
class UpperEnd:
    """Weights, and the margin that none exceeds because of them, rounded up."""

    support: Ints
    weights: Array
    bound: float


@dataclass(frozen=True)
class Interval:
    """From `lower.margin` to `upper.bound`."""

    lower: LowerEnd
    upper: UpperEnd

    @property
    def gap(self) -> float:
        """The width, relative to the lower end; infinite where that says nothing."""
        if self.lower.margin > 0.0 and self.upper.bound < math.inf:
            return (self.upper.bound - self.lower.margin) / self.lower.margin
        return math.inf

    def intersected(self, other: Interval | None) -> Interval:
        """What both prove together; this one's part where they prove the same."""
        if other is None:
            return self
        return Interval(
            max(self.lower, other.lower, key=lambda end: end.margin),
            min(self.upper, other.upper, key=lambda end: end.bound),
        )


def lower_end(points: Points, theta: Sequence[Exact], tol: float) -> LowerEnd:
    """What theta proves, with the offset that is best for it.

    The offset is rounded to a double unless that costs a relative `tol` of the margin or more.
    The largest |theta_j| must be near 1.
    """
    least = least_scores(points.data, theta, points.groups)
    reached = sum(least, Fraction(0)) / len(least)
    if reached <= 0:
        return LowerEnd(as_array(theta), 0.0, 0.0)
    offset: Exact = 0.0
    if points.data.fit_intercept:
        best = (least[0] - least[1]) / 2
        offset = rounded(best)
        loss = abs(Fraction(offset) - best) if math.isfinite(offset) else reached
        if loss < reached * Fraction(tol):
            reached -= loss
        else:
            offset = best
    return LowerEnd(as_array(theta), offset, root(reached**2 / squared_norm(theta), up=False))


def upper_end(points: Points, support: Ints, weights: Sequence[Exact]) -> UpperEnd:
    """What weights prove; nothing, so an infinite bound, unless they sum to 1 on each side."""
    totals = [Fraction(0)] * len(points.groups)
    for c, weight in zip(points.sides[support].tolist(), weights, strict=True):
        totals[c] += Fraction(weight)
    if any(total != 1 for total in totals):
        return UpperEnd(support, as_array(weights), math.inf)
    order = np.argsort(support)
    sorted_weights = [weights[k] for k in order.tolist()]
    v = weighted_sum(points.data, support[order], sorted_weights)
    bound = root(squared_norm(v) / len(points.groups) ** 2, up=True)
    return UpperEnd(support[order], as_array(sorted_weights), bound)


def in_doubles(points: Points, candidate: Candidate, tol: float) -> Interval:
    """What a candidate proves."""
    largest = np.abs(candidate.theta).max()
    theta = np.ldexp(candidate.theta, -int(np.frexp(largest)[1]))
    support, weights = on_grid(candidate, points.sides[candidate.support])
    return Interval(
        lower_end(points, theta.tolist(), tol), upper_end(points, support, weights.tolist())
    )


def in_fractions(points: Points, optimum: Optimum) -> Interval:
    """What the optimum proves: the narrowest interval of doubles."""
    return Interval(
        lower_end(points, optimum.theta, 0.0), upper_end(points, optimum.support, optimum.weights)
    )


def with_separator(points: Points, separator: Separator, upper: UpperEnd) -> Interval:
    """What a separator proves, whatever its size."""
    theta = [Fraction(x) for x in separator.theta.tolist()]
    largest = max(map(abs, theta))
    scale = Fraction(2) ** (largest.denominator.bit_length() - largest.numerator.bit_length())
    return Interval(lower_end(points, [scale * x for x in theta], 0.0), upper)


def on_grid(candidate: Candidate, sides: Ints) -> tuple[Ints, Floats]:
    """Rows, and weights rounded to multiples of 1 / GRID that sum to exactly 1 on each side.

    What rounds to zero is left out.

    sides : (k,) those of the support
    """
    whole = np.rint(np.maximum(candidate.weights, 0.0) * GRID).astype(np.int64)
    for c in np.unique(sides):
        largest = np.argmax(np.where(sides == c, whole, -1))
        whole[largest] += GRID - whole[sides == c].sum()
    kept = whole > 0
    return candidate.support[kept], whole[kept] / GRID
