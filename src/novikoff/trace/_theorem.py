"""What the theorem of a rule is about: its share of each update, and the largest margin.

The loss bounds of PA, PA-I and PA-II (Crammer et al. 2006, theorems 2, 4 and 5), where no example
loses under theta* / gamma, follow from the same two shares. With m = y s before an update, its loss
l = 1 - m and its step tau, which is at most l / ||x||^2:

    theta . theta* / ||theta*||  >=  gamma sum tau
    ||theta||^2                  <=  sum tau (1 + m)              2 tau m + tau^2 ||x||^2, at most
    sum tau l                    <=  1 / gamma^2                  by Cauchy and Schwarz

and a step is at least f(l), its rule's formula with R^2 in place of ||x||^2. So sum l^2 of PA and
PA-II, and the number of mistakes (l >= 1) of PA-I, are at most 1 / (f(1) gamma^2).

The margin is that of the examples in the space the run took place in.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from novikoff._arrays import Array, Floats, Ints
from novikoff.geometry.sparse import with_ones
from novikoff.rules import FORMULAS

if TYPE_CHECKING:
    from novikoff.certificates.results import MaxMargin
    from novikoff.trace._trace import Trace

SLACK = 2.0**-48  # covers the few roundings in which a share of a bound itself is computed


def first_step(trace: Trace) -> float:
    """The step of the first update; the perceptron's all have it."""
    return float(abs(trace.step[0] if len(trace) else trace.start_theta.dtype.type(trace.eta)))


class Shares(NamedTuple):
    """What a rule's theorem says of each update, of all of them, and in which words."""

    steps: Floats  # (k,) an update gains at least this times gamma
    growth: Floats  # (k,) and lets the squared norm grow by at most this
    totals: Floats  # (k,) what there is a bound on, so far
    most: Fraction  # that bound, times gamma^2
    full: bool  # whether the steps are as long as that takes
    counted: str
    words: tuple[str, str, str, str, str, str, str]  # of `_first_violation`


@np.errstate(over="ignore")
def shares_of(trace: Trace, squared_radius: float) -> Shares:
    steps = np.abs(trace.step).astype(np.float64)
    k = np.arange(1.0, len(trace) + 1.0)
    R2 = Fraction(squared_radius)
    if trace.rule == "perceptron":
        eta, beta = first_step(trace), trace.margin
        return Shares(
            steps, steps * (steps * squared_radius + 2.0 * beta), k,
            R2 + 2 * Fraction(beta) / Fraction(eta), True, "updates",
            (
                "was no mistake", "ηγ", "η(ηR² + 2β)", "kηγ", "kη(ηR² + 2β)",
                "√k·γ/√(R² + 2β/η)", "(R² + 2β/η)/γ²",
            ),
        )  # fmt: skip
    m = trace.y * trace.score_before
    loss = 1.0 - m
    # The step was rounded to theta's type, m and the loss to doubles.
    off = 2.0 * float(np.finfo(trace.step.dtype).eps)
    growth = steps * (1.0 + m) + steps * (loss * off + SLACK * np.abs(m))
    C, formula = trace.parameters.get("C"), FORMULAS[trace.rule].value
    least = np.array([formula(each, squared_radius, C) for each in loss.tolist()])
    one = formula(Fraction(1), R2, None if C is None else Fraction(C))
    mistakes = trace.rule == "PA-I"
    return Shares(
        steps, growth, np.cumsum(loss >= 1.0 if mistakes else loss * loss), 1 / one,
        bool((steps >= least * (1.0 - off)).all()), "mistakes" if mistakes else "squared losses",
        (
            "was not asked for", "τγ", "τ(1 + y·s)", "γ·Στ", "Στ(1 + y·s)", "γ·Στ/√Στ(1 + y·s)",
            f"1/{FORMULAS[trace.rule].text('1', 'R²', 'C')}/γ²",
        ),
    )  # fmt: skip


def largest_margin(trace: Trace, given: MaxMargin | None) -> tuple[MaxMargin | None, str | None]:
    """(margin, None), or (None, why there is none). A given one must be of the run's own rows."""
    examples = trace.known_examples()
    X, side = examples.X[examples.used], examples.side[examples.used].astype(np.int64)
    X = with_ones(X) if trace.fit_intercept else X
    if given is not None:
        _check(given, X, side, trace.fit_intercept)
        return given, None
    from novikoff.certificates import NotSeparableError, max_margin

    try:
        return max_margin(X, side, fit_intercept=False), None
    except NotSeparableError as error:
        return None, f"the examples are not separable where the run took place. {error}"


def _check(given: MaxMargin, X: Any, side: Ints, fit_intercept: bool) -> None:
    from novikoff.certificates.check import digest

    if given.fit_intercept or given.shape != X.shape or len(given.theta) != X.shape[1]:
        ones = ", from X with a column of ones appended." if fit_intercept else "."
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
    return near_one / math.sqrt(math.fsum(near_one * near_one))
