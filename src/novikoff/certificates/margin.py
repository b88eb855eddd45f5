"""How far apart two classes are, as an interval with proof, and what the perceptron makes of it."""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Iterator
from fractions import Fraction
from numbers import Real
from typing import TYPE_CHECKING, Any

from sklearn.exceptions import ConvergenceWarning

from novikoff.certificates.clock import Clock, OutOfTime, one_thread
from novikoff.certificates.data import Labelled, read
from novikoff.certificates.results import (
    SEPARABLE,
    MaxMargin,
    MistakeBound,
    NotSeparableError,
)
from novikoff.geometry.sparse import with_ones

if TYPE_CHECKING:
    from novikoff.certificates.interval import Interval
    from novikoff.certificates.nearest import Search
    from novikoff.certificates.parts import Separator

SMALLEST_TOL = 1e-15  # the ends are doubles: they may have to be one apart
DOUBTFUL = 1e-3  # hulls this near to each other, relative to the rows, may well meet
NARROW = 100  # columns up to which it costs little to search on all the same
WIDE = 800  # rows and columns beyond which a corral may become too large to be quick
FEW, MANY = 200, 2000  # members it may have then before coordinate descent is tried, and at all
PATIENCE, LOOKS = 25, 100  # of coordinate descent at all rows: until it must separate, and then
SMALL = 20  # columns up to which the exact optimum costs next to nothing
LARGEST_EXACT = 500  # rows of a support that an exact solution is tried for
_OUT_OF_RANGE = (
    "of this data is not within the range of doubles. Multiply X by a power of two that brings its "
    "values near 1."
)


def max_margin(
    X: Any,
    y: Any,
    *,
    fit_intercept: bool = True,
    tol: float = 1e-6,
    time_limit: float | None = None,
    verbose: int = 0,
) -> MaxMargin:
    """The hyperplane with the largest margin, and an interval that provably holds that margin.

    The margin of a data set is the distance from the best hyperplane to the nearest row: half the
    distance between the convex hulls of the classes or, through the origin, the distance of the
    origin from the hull of the y_i x_i. The nearest points are found in floating point, and in
    rational arithmetic where that is too coarse; both ends of the interval are then computed
    exactly and rounded outwards.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Taken as the doubles they are.
    y : array-like of shape (n_samples,)
        Two classes.
    fit_intercept : bool, default=True
        Whether the hyperplane may have an offset; without it, it goes through the origin.
    tol : float, default=1e-6
        The relative width of the interval, at least 1e-15.
    time_limit : float or None, default=None
        Seconds after which the interval is returned as it is. Its lower end is 0.0 where no
        separating hyperplane was found by then.
    verbose : int, default=0
        If not 0, every step is announced.

    Returns
    -------
    MaxMargin
        `margin` <= the largest margin <= `upper_bound`; `theta`, `offset` have a margin of at least
        `margin`. `verify(X, y)` checks the proof, `to_json()` publishes it.

    Raises
    ------
    NotSeparableError
        If no hyperplane separates the classes; it carries the obstruction.

    Warns
    -----
    ConvergenceWarning
        If the interval is wider than `tol`, because doubles are too coarse for the data and it is
        too large for rational arithmetic, because the margin is below the smallest normal double,
        or because the time is up. It is a proof all the same.

    Examples
    --------
    >>> from novikoff import max_margin
    >>> result = max_margin([[0.0, 0.0], [3.0, 4.0], [9.0, 9.0]], ["no", "yes", "yes"])
    >>> result.margin, result.upper_bound, result.support
    (2.5, 2.5, array([0, 1]))
    """
    if not isinstance(tol, Real) or not SMALLEST_TOL <= float(tol) < 1.0:
        raise ValueError(f"tol must be a number from {SMALLEST_TOL} up to 1; it is {tol!r}.")
    return _solve(read(X, y, fit_intercept, Clock(time_limit, verbose)), float(tol))


def mistake_bound(
    X: Any,
    y: Any,
    *,
    fit_intercept: bool = True,
    time_limit: float | None = None,
    verbose: int = 0,
) -> MistakeBound:
    """The bound of Block and Novikoff (1962) on the perceptron's updates: k <= (R / gamma)^2.

    R is the largest norm and gamma the largest margin through the origin. With an offset the
    perceptron runs through the origin in R^{d+1}, on the rows (x, 1), and both are taken there.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
        Two classes.
    fit_intercept : bool, default=True
    time_limit : float or None, default=None
        Seconds after which the margin is taken to be what is proved of it by then.
    verbose : int, default=0
        If not 0, every step is announced.

    Returns
    -------
    MistakeBound
        `radius`, `margin` and `value`, the bound; infinite if the classes are not separable (then
        `margin` is 0.0), or if it exceeds the largest double. With the true margin it would be
        between `at_least` and `value`.

    Examples
    --------
    >>> from novikoff import mistake_bound
    >>> mistake_bound([[4.0, 3.0], [-4.0, 3.0]], [1, 0], fit_intercept=False)
    MistakeBound(radius=5.0, margin=4.0, value=1.5625)
    """
    clock = Clock(time_limit, verbose)
    data = read(X, y, fit_intercept, clock)
    if fit_intercept:
        data = read(with_ones(data.X), data.y, False, clock)
    from novikoff.certificates.whole import largest_norm, rounded_down, rounded_up

    radius = largest_norm(data)
    try:
        found = _solve(data, 1e-6)
    except NotSeparableError:
        return MistakeBound(radius, 0.0, math.inf, math.inf)
    if radius == math.inf:
        raise ValueError(f"The radius {_OUT_OF_RANGE}")
    margin = Fraction(found.margin)
    value = rounded_up((Fraction(radius) / margin) ** 2) if margin else math.inf
    at_least = rounded_down((Fraction(radius) / Fraction(found.upper_bound)) ** 2)
    return MistakeBound(radius, found.margin, value, at_least)


def _solve(data: Labelled, tol: float) -> MaxMargin:
    """The first interval that is narrow enough, or what all of them prove together."""
    from novikoff.certificates.interval import in_doubles
    from novikoff.certificates.nearest import Search

    best: Interval | None = None
    with one_thread():
        search = Search(data)
        try:
            for interval in _intervals(search, tol):
                best = interval.intersected(best)
                if best.gap <= tol:
                    break
        except OutOfTime:
            best = in_doubles(search.points, search.candidate(), tol / 4).intersected(best)
    assert best is not None
    lower, upper = best.lower, best.upper
    if best.gap == math.inf and not data.clock.over:
        raise ValueError(f"The margin {_OUT_OF_RANGE}")
    if best.gap > tol:
        why = "doubles are too coarse for this data, and it is too large for rational arithmetic"
        if data.clock.over:
            why = f"the time limit of {data.clock.time_limit:g} s is reached"
        elif lower.margin < sys.float_info.min:
            why = (
                "doubles are scarce near a margin this small; multiply X by a power of two that "
                "brings its values near 1"
            )
        warnings.warn(
            f"The interval for the margin has a relative width of {best.gap:.1e}, more than "
            f"tol={tol:.1e}: {why}. The interval is proved all the same.",
            ConvergenceWarning,
            stacklevel=3,
        )
    return MaxMargin(
        lower.theta, lower.offset, lower.margin, upper.bound, upper.support, upper.weights,
        data.fit_intercept, data.shape, data.digest,
    )  # fmt: skip


def _intervals(search: Search, tol: float) -> Iterator[Interval]:
    """Intervals that hold the largest margin, each harder to come by than the one before.

    Raises NotSeparableError when that is suspected and turns out to be so.
    """
    from novikoff.certificates.interval import in_doubles, in_fractions, with_separator

    points, data = search.points, search.points.data
    data.clock.say(f"nearest points of {data.shape[0]} rows in {data.shape[1]} dimensions")
    floor = DOUBTFUL if data.dimension > NARROW else 0.0
    search.run(tol / 4, floor, FEW if min(data.shape) > WIDE else MANY)
    if search.status == "large":
        from novikoff.certificates.descent import Descent

        data.clock.say("coordinate descent")
        descent = Descent(points)
        descent.run(tol / 4, PATIENCE)
        if not (search.separates or descent.separates):
            _separator(data)
        yield in_doubles(points, descent.run(tol / 4, LOOKS), tol / 4)
    elif not search.separates:
        _separator(data)
    if search.status != "nearest":
        search.run(tol / 4, 0.0, MANY)
    candidate = search.candidate()
    if data.dimension > SMALL:
        found = in_doubles(points, candidate, tol / 4)
        yield found
        if not found.lower.margin > 0.0:
            yield with_separator(points, _separator(data), found.upper)
    if len(candidate.support) <= LARGEST_EXACT:
        from novikoff.certificates.rational import RationalSearch

        optimum = RationalSearch(points, candidate.support, candidate.weights).run()
        if not any(optimum.theta):
            _separator(data)  # raises, because the hulls meet
        yield in_doubles(points, optimum.rounded(), tol / 4)
        yield in_fractions(points, optimum)


def _separator(data: Labelled) -> Separator:
    """A strict separator; raises if there is none, or if the time is up."""
    from novikoff.certificates.decide import decide  # loads the compiler

    result = decide(data, core=False)
    if result.obstruction is not None:
        raise NotSeparableError(result)
    if result.verdict != SEPARABLE:
        raise OutOfTime
    assert result.separator is not None
    return result.separator
