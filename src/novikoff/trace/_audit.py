"""The theorem of Block and Novikoff (1962), checked against every update of a run.

In the space the run took place in (with an offset: R^{d+1}, rows (x, 1), through the origin), let
theta* separate the examples with margin gamma, let R be the longest row, eta the step, beta the
margin rule's threshold. After k updates from zero:

    theta . theta* / ||theta*||  >=  k eta gamma                  an update adds at least its share
    ||theta||^2                  <=  k eta (eta R^2 + 2 beta)     an update adds at most its share
    cos(theta, theta*)           >=  sqrt(k) gamma / sqrt(R^2 + 2 beta / eta)
    k                            <=  (R^2 + 2 beta / eta) / gamma^2

:mod:`novikoff.trace._theorem` has the loss bounds of PA, which rest on the same two inequalities.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from novikoff._arrays import Bools, Floats, Ints
from novikoff.rules import FORMULAS
from novikoff.trace._parts import RULES
from novikoff.trace._theorem import (
    SLACK,
    Shares,
    first_step,
    largest_margin,
    shares_of,
    unit_vector,
)

if TYPE_CHECKING:
    from novikoff.certificates.results import MaxMargin
    from novikoff.kernels.audit import Findings
    from novikoff.trace._trace import Trace

_SMALLEST, _LARGEST = 1e-250, 1e250  # squares within these neither vanish nor overflow
_OUT_OF_RANGE = "the squared norms leave the range of doubles. Scale the features."


@dataclass(frozen=True, eq=False)
class Audit:
    """The proof's inequalities at every update of a run.

    The run's theta is the rounded one, so each inequality is granted an allowance: a proven bound
    on what rounding can have done to its left side up to that update. An update moves a weight by
    at most ``u (|theta_j| + |eta x_j|)`` off its exact value, u being the unit roundoff of theta's
    type (2^-24 or 2^-53); the sums are taken in double precision, with their own error bounds added
    (:func:`novikoff.kernels.audit.audit_updates` has the details). The steps of the proof are
    checked too, each with the allowance of its one update: that its y and the sign of its step are
    the side of its row, that the example was a mistake (both exactly), what the update gained, and
    by how much the norm grew.

    Attributes
    ----------
    covered : bool
        Whether the theorem speaks of this run; if not, `reason` says why, `holds` is None and the
        arrays are empty.
    reason : str or None
    holds : bool or None
        Whether every inequality holds at every update, and every update follows the proof.
    violation : str or None
        The first that does not.
    n_updates : int
    counted : str
        What there is a bound on: "updates"; "squared losses" of PA and PA-II, (1 - y s)^2 before
        each update; "mistakes" of PA-I, updates with y s <= 0.
    total : float
        Of the run.
    bound : float
        The most it can be: (R^2 + 2 beta / eta) / gamma^2; R^2 / gamma^2 of PA, (R^2 + 1 / (2 C)) /
        gamma^2 of PA-II, max(R^2, 1 / C) / gamma^2 of PA-I. Rounded up.
    radius, gamma, beta, eta : float
        R (rounded up); the certified lower end of the margin; the threshold; the step in theta's
        type, or nan where the rule computes one for each update.
    progress, squared_norm, cosine : (k,)
        theta . theta* / ||theta*||, ||theta||^2 and the cosine of their angle after each update.
    progress_bound, squared_norm_bound, cosine_bound : (k,)
        What the theorem says: at least, at most, at least.
    progress_allowance, squared_norm_allowance : (k,)
        What is allowed for rounding.
    tightest : int or None
        The number of the update at which cosine / cosine_bound is smallest, where the proof gives
        away least.
    tightness : float or None
        That quotient: 1.0 where the proof is sharp.
    max_margin : MaxMargin or None
        theta* and its margin.

    Examples
    --------
    >>> from novikoff import Perceptron
    >>> X, y = [[2.0, 0.0], [0.0, 3.0], [-1.0, 0.0]], [1, 0, 0]
    >>> trace = Perceptron(fit_intercept=False, order="cyclic", record_trace=True).fit(X, y).trace_
    >>> audit = trace.audit()
    >>> audit.holds, audit.n_updates, int(audit.bound)
    (True, 2, 10)
    >>> audit.squared_norm, audit.squared_norm_bound
    (array([ 4., 13.]), array([ 9., 18.]))
    """

    covered: bool
    reason: str | None
    holds: bool | None
    violation: str | None
    n_updates: int
    counted: str
    total: float
    bound: float
    radius: float
    gamma: float
    beta: float
    eta: float
    progress: Floats
    progress_bound: Floats
    progress_allowance: Floats
    squared_norm: Floats
    squared_norm_bound: Floats
    squared_norm_allowance: Floats
    cosine: Floats
    cosine_bound: Floats
    tightest: int | None
    tightness: float | None
    max_margin: MaxMargin | None

    @property
    def k(self) -> Ints:
        """The number of each update, from 1; beside the arrays."""
        return np.arange(1, len(self.progress) + 1)

    @property
    def _most(self) -> str:
        if self.counted == "squared losses":
            return f"{self.bound:.6g}"
        return "∞" if math.isinf(self.bound) else str(math.floor(self.bound))

    def __str__(self) -> str:
        if not self.covered:
            return f"Not covered by the theorem: {self.reason}"
        lines = [
            "The theorem holds." if self.holds else f"The theorem is violated: {self.violation}.",
            f"{self.counted.capitalize()}: {self.total:.6g}, at most {self._most} possible: R = "
            f"{self.radius:.6g}, gamma = {self.gamma:.6g}"
            + ("." if math.isnan(self.eta) else f", beta = {self.beta:.6g}, eta = {self.eta:.6g}."),
        ]
        if self.tightest is not None:
            lines.append(
                f"Tightest at update {self.tightest}: the cosine is {self.tightness:.6g} times its "
                "bound."
            )
        return "\n".join(lines)


def audit(trace: Trace, max_margin: MaxMargin | None) -> Audit:
    """See :meth:`novikoff.trace.Trace.audit`."""
    from novikoff.kernels.audit import largest_square

    examples = trace.known_examples()
    constant = float(trace.fit_intercept)
    squared_radius = float(largest_square(examples.rows, constant, examples.used))
    reason = _unspoken(trace, squared_radius)
    if reason is None:
        shares = shares_of(trace, squared_radius)
        if not np.abs(shares.growth).sum() < _LARGEST:
            reason = _OUT_OF_RANGE
        else:
            max_margin, reason = largest_margin(trace, max_margin)
    if reason is None and max_margin is not None:
        found = _checked(trace, max_margin, squared_radius, shares)
        if shares.full or not found.holds:
            return found
        reason = "some steps are smaller than C asks for (sample_weight or class_weight)."
    return _not_covered(trace, squared_radius, reason)


def _unspoken(trace: Trace, squared_radius: float) -> str | None:
    """Why no theorem speaks of this run, as far as a look at it tells."""
    if trace.other is not None:
        return (
            "the theorem is about the weights of all joint classes together, and this is the trace "
            "of one class."
        )
    if trace.rule != "perceptron" and trace.rule not in FORMULAS:
        return (
            "it is about the perceptron's rule and about PA, and the run learned by another "
            f"({trace.rule})."
        )
    if trace.start_theta.any() or trace.start_offset != 0.0:
        return "the run did not start at zero (coef_init, intercept_init or warm_start)."
    steps = np.abs(trace.step)
    least, most = (float(end(initial=first_step(trace))) for end in (steps.min, steps.max))
    if trace.rule == "perceptron" and least < most:
        return (
            f"the updates have different steps, from {least} to {most} (sample_weight or "
            "class_weight)."
        )
    in_range = _SMALLEST < squared_radius < _LARGEST and least * least * squared_radius > _SMALLEST
    return None if in_range else _OUT_OF_RANGE


def _checked(trace: Trace, max_margin: MaxMargin, squared_radius: float, shares: Shares) -> Audit:
    from novikoff.certificates.whole import rounded_up

    gamma = float(max_margin.margin)
    least_gain = shares.steps * gamma
    findings = _follow(trace, max_margin, least_gain, shares.growth)
    progress_bound, squared_norm_bound = np.cumsum(least_gain), np.cumsum(shares.growth)

    cosine = findings.progress / np.sqrt(np.maximum(findings.squared_norm, _SMALLEST))
    cosine_bound = progress_bound / np.sqrt(np.maximum(squared_norm_bound, _SMALLEST))
    bound = rounded_up(shares.most / Fraction(gamma) ** 2)
    violation = _first_violation(trace, findings, progress_bound, squared_norm_bound, shares, bound)
    tightest = int(np.argmin(cosine / cosine_bound)) if len(trace) else None
    return Audit(
        covered=True, reason=None, holds=violation is None, violation=violation,
        n_updates=len(trace), counted=shares.counted, total=float(shares.totals.max(initial=0.0)),
        bound=bound, radius=math.sqrt(squared_radius), gamma=gamma, beta=trace.margin,
        eta=first_step(trace) if trace.rule == "perceptron" else math.nan,
        progress=findings.progress, progress_bound=progress_bound,
        progress_allowance=findings.progress_allowance,
        squared_norm=findings.squared_norm, squared_norm_bound=squared_norm_bound,
        squared_norm_allowance=findings.squared_norm_allowance,
        cosine=cosine, cosine_bound=cosine_bound,
        tightest=None if tightest is None else tightest + 1,
        tightness=None if tightest is None else float(cosine[tightest] / cosine_bound[tightest]),
        max_margin=max_margin,
    )  # fmt: skip


def _follow(
    trace: Trace, max_margin: MaxMargin, least_gain: Floats, most_growth: Floats
) -> Findings:
    """Run the updates again beside theta*."""
    from novikoff.kernels.audit import Findings, Theorem, audit_updates
    from novikoff.kernels.rules.perceptron import PerceptronRule

    direction = unit_vector(max_margin.theta)
    weights, offset = direction, 0.0
    if trace.fit_intercept:
        weights, offset = direction[:-1], float(direction[-1])
    theta, theta_0, _, constant, limbs = trace._start()
    kind = np.finfo(theta.dtype)
    theorem = Theorem(
        np.ascontiguousarray(weights), offset, least_gain * (1.0 - SLACK),
        most_growth + np.abs(most_growth) * SLACK, float(kind.eps) / 2.0,
        float(kind.smallest_subnormal),
    )  # fmt: skip
    progress, drift, squared_norm, swelling = np.empty((4, len(trace)))
    # Of another rule, whose test is about a rounded score, the exact one is below its margin too.
    rule = PerceptronRule(1.0, trace.margin, trace.ties == "mistake", trace.ties != "correct")
    findings = Findings(progress, drift, squared_norm, swelling, np.empty(3, np.int64))
    audit_updates(
        trace.known_examples().rows, constant, trace.row, trace.step, theta, theta_0, rule, theorem,
        limbs, findings,
    )  # fmt: skip
    return findings


def _first_violation(
    trace: Trace,
    findings: Findings,
    progress_bound: Floats,
    squared_norm_bound: Floats,
    shares: Shares,
    bound: float,
) -> str | None:
    """The earliest update that the proof does not allow, in words; None if all is well."""
    progress, progress_error, squared_norm, squared_norm_error, breaches = findings
    slack = SLACK + len(trace) * 2.0**-52  # of the sums that the bounds are, too
    least = progress_bound * (1.0 - slack) - progress_error
    most = squared_norm_bound + slack * np.cumsum(np.abs(shares.growth)) + squared_norm_error
    positive = np.maximum(least, 0.0)
    least_norm = np.sqrt(np.maximum(squared_norm - squared_norm_error, 0.0))
    root = np.sqrt(np.maximum(most, 0.0))
    sharp = (progress + progress_error) * root >= positive * least_norm * (1.0 - SLACK)
    # The cosine and the bound follow from the two sums, so they inherit their allowances.
    few = (shares.totals <= bound) | (positive**2 <= most * (1.0 + SLACK))
    side = trace.known_examples().side[trace.row]
    towards = (trace.y == side) & (np.sign(trace.step) == side)
    unasked, gain, growth, gains, growths, floor, limit = shares.words
    found = [
        (_first(towards), "has a y or a step that is not of the side of its row"),
        (int(breaches[0]), f"{unasked}: {RULES[trace.ties]} fails"),
        (int(breaches[1]), f"gained less than {gain}"),
        (int(breaches[2]), f"let ‖θ‖² grow by more than {growth}"),
        (_first(progress >= least), f"left θ·θ*/‖θ*‖ below {gains}"),
        (_first(squared_norm <= most), f"brought ‖θ‖² above {growths}"),
        (_first(sharp), f"left the cosine below {floor}"),
        (_first(few), f"went beyond the bound {limit}"),
    ]
    e, text = min(found, key=lambda pair: pair[0] if pair[0] >= 0 else len(trace))
    return None if e < 0 else f"update {e + 1} (row {trace.row[e]}) {text}"


def _first(holds: Bools) -> int:
    """The first entry that is not true, or -1."""
    return -1 if holds.all() else int(np.argmin(holds))


def _not_covered(trace: Trace, squared_radius: float, reason: str | None) -> Audit:
    none = np.empty(0)
    return Audit(
        covered=False, reason=reason, holds=None, violation=None, n_updates=len(trace),
        counted="updates", total=float(len(trace)), bound=math.inf,
        radius=math.sqrt(squared_radius), gamma=math.nan, beta=trace.margin, eta=first_step(trace),
        progress=none, progress_bound=none, progress_allowance=none, squared_norm=none,
        squared_norm_bound=none, squared_norm_allowance=none, cosine=none, cosine_bound=none,
        tightest=None, tightness=None, max_margin=None,
    )  # fmt: skip
