"""The space a run took place in, and the largest margin of its examples there."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff._arrays import Array, Floats, Ints
from novikoff.geometry.sparse import with_ones

if TYPE_CHECKING:
    from novikoff.certificates.results import MaxMargin
    from novikoff.trace._trace import Trace


def rows_of_run(trace: Trace) -> tuple[Any, Ints]:
    """The rows that took part, with a 1 appended if there is an offset; and their sides."""
    examples = trace.known_examples()
    X, side = examples.X[examples.used], examples.side[examples.used].astype(np.int64)
    return with_ones(X) if trace.fit_intercept else X, side


def largest_margin(trace: Trace, given: MaxMargin | None) -> tuple[MaxMargin | None, str | None]:
    """(margin, None), or (None, why there is none). A given one must be of the run's own rows."""
    X, side = rows_of_run(trace)
    if given is not None:
        _check(given, X, side, trace.fit_intercept)
        return given, None
    from novikoff.certificates import NotSeparableError, max_margin

    try:
        return max_margin(X, side, fit_intercept=False), None
    except NotSeparableError as error:
        return None, f"the examples are not separable where the run took place. {error}"


def _check(given: MaxMargin, X: Any, side: Ints, with_ones: bool) -> None:
    from novikoff.certificates.check import digest

    if given.fit_intercept or given.shape != X.shape or len(given.theta) != X.shape[1]:
        ones = ", from X with a column of ones appended." if with_ones else "."
        raise ValueError(
            f"max_margin must speak of the {X.shape[0]} examples in the space the run took place "
            f"in, of {X.shape[1]} dimensions and through the origin: compute it with fit_intercept="
            f"False{ones}"
        )
    if given.digest != digest(X, side):
        raise ValueError("max_margin speaks of other examples than those of this run.")
    if not given.margin > 0.0:
        raise ValueError(f"max_margin has the margin {given.margin}; it must be positive.")


def unit_vector(theta: Array) -> Floats:
    """theta / ||theta|| in doubles, every entry with a relative error of at most 8 roundings."""
    if theta.dtype == object:
        largest = max(abs(Fraction(t)) for t in theta)
        scale = Fraction(2) ** (largest.numerator.bit_length() - largest.denominator.bit_length())
        near_one = np.array([float(Fraction(t) / scale) for t in theta])
    else:
        _, exponent = np.frexp(np.abs(theta).max())
        near_one = np.ldexp(theta.astype(np.float64), -exponent)
    result: Floats = near_one / math.sqrt(math.fsum(near_one * near_one))
    return result
