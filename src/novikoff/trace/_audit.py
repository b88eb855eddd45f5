"""The theorem of Block and Novikoff (1962), checked against every update of a run.

In the space the run took place in (with an offset: R^{d+1}, rows (x, 1), through the origin), let
theta* separate the examples with margin gamma, let R be the longest row, eta the step, beta the
margin rule's threshold. After k updates from zero:

    theta . theta* / ||theta*||  >=  k eta gamma                  an update adds at least its share
    ||theta||^2                  <=  k eta (eta R^2 + 2 beta)     an update adds at most its share
    cos(theta, theta*)           >=  sqrt(k) gamma / sqrt(R^2 + 2 beta / eta)
    k                            <=  (R^2 + 2 beta / eta) / gamma^2
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from novikoff.trace._parts import RULES
from novikoff.trace._space import largest_margin, unit_vector

if TYPE_CHECKING:
    from novikoff.certificates.results import MaxMargin
    from novikoff.kernels.audit import Findings
    from novikoff.trace._trace import Trace

_SLACK = 2.0**-48  # covers the few roundings in which a bound itself is computed
_SMALLEST, _LARGEST = 1e-250, 1e250  # squares within these neither vanish nor overflow


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
    bound : float
        (R^2 + 2 beta / eta) / gamma^2, rounded up.
    radius, gamma, beta, eta : float
        R (rounded up); the certified lower end of the margin; the threshold; the step in theta's
        type.
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
    bound: float
    radius: float
    gamma: float
    beta: float
    eta: float
    progress: NDArray[np.float64]
    progress_bound: NDArray[np.float64]
    progress_allowance: NDArray[np.float64]
    squared_norm: NDArray[np.float64]
    squared_norm_bound: NDArray[np.float64]
    squared_norm_allowance: NDArray[np.float64]
    cosine: NDArray[np.float64]
    cosine_bound: NDArray[np.float64]
    tightest: int | None
    tightness: float | None
    max_margin: MaxMargin | None

    @property
    def k(self) -> NDArray[np.int64]:
        """The number of each update, from 1; beside the arrays."""
        return np.arange(1, len(self.progress) + 1)

    def __str__(self) -> str:
        if not self.covered:
            return f"Not covered by the theorem: {self.reason}"
        lines = [
            "The theorem holds." if self.holds else f"The theorem is violated: {self.violation}.",
            f"Updates: {self.n_updates}, at most {math.floor(self.bound)} possible: R = "
            f"{self.radius:.6g}, gamma = {self.gamma:.6g}, beta = {self.beta:.6g}, eta = "
            f"{self.eta:.6g}.",
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
    steps = np.unique(np.abs(trace.step))
    eta = float(steps[0]) if len(steps) else float(trace.start_theta.dtype.type(trace.eta))
    constant = float(trace.fit_intercept)
    squared_radius = float(largest_square(examples.rows, constant, examples.used))
    most_growth = eta * (eta * squared_radius + 2.0 * trace.margin)

    reason = None
    if trace.rule != "perceptron":
        reason = (
            f"it is about the perceptron's rule, and the run learned by another ({trace.rule})."
        )
    elif trace.start_theta.any() or trace.start_offset != 0.0:
        reason = "the run did not start at zero (coef_init, intercept_init or warm_start)."
    elif len(steps) > 1:
        reason = (
            f"the updates have different steps, from {steps[0]} to {steps[-1]} (sample_weight or "
            "class_weight)."
        )
    elif not (
        _SMALLEST < squared_radius < _LARGEST
        and eta * eta * squared_radius > _SMALLEST
        and max(len(trace), 1) * most_growth < _LARGEST
    ):
        reason = "the squared norms leave the range of doubles. Scale the features."
    if reason is None:
        max_margin, reason = largest_margin(trace, max_margin)
    if reason is not None or max_margin is None:
        return _not_covered(trace, eta, squared_radius, reason)
    return _checked(trace, max_margin, eta, squared_radius)


def _checked(trace: Trace, max_margin: MaxMargin, eta: float, squared_radius: float) -> Audit:
    gamma, beta = float(max_margin.margin), trace.margin
    least_gain, most_growth = eta * gamma, eta * (eta * squared_radius + 2.0 * beta)
    findings = _follow(trace, max_margin, least_gain, most_growth)

    k = np.arange(1.0, len(trace) + 1.0)
    cosine = findings.progress / np.sqrt(np.maximum(findings.squared_norm, _SMALLEST))
    cosine_bound = np.sqrt(k) * (gamma / math.sqrt(squared_radius + 2.0 * beta / eta))
    bound = _rounded_up(
        (Fraction(squared_radius) + 2 * Fraction(beta) / Fraction(eta)) / Fraction(gamma) ** 2
    )
    violation = _first_violation(trace, findings, k * least_gain, k * most_growth, bound)
    tightest = int(np.argmin(cosine / cosine_bound)) if len(k) else None
    return Audit(
        covered=True, reason=None, holds=violation is None, violation=violation,
        n_updates=len(trace), bound=bound, radius=math.sqrt(squared_radius), gamma=gamma,
        beta=beta, eta=eta,
        progress=findings.progress, progress_bound=k * least_gain,
        progress_allowance=findings.progress_allowance,
        squared_norm=findings.squared_norm, squared_norm_bound=k * most_growth,
        squared_norm_allowance=findings.squared_norm_allowance,
        cosine=cosine, cosine_bound=cosine_bound,
        tightest=None if tightest is None else tightest + 1,
        tightness=None if tightest is None else float(cosine[tightest] / cosine_bound[tightest]),
        max_margin=max_margin,
    )  # fmt: skip


def _follow(trace: Trace, max_margin: MaxMargin, least_gain: float, most_growth: float) -> Findings:
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
        np.ascontiguousarray(weights), offset, least_gain * (1.0 - _SLACK),
        most_growth * (1.0 + _SLACK), float(kind.eps) / 2.0, float(kind.smallest_subnormal),
    )  # fmt: skip
    progress, drift, squared_norm, swelling = np.empty((4, len(trace)))
    rule = PerceptronRule(1.0, trace.margin, trace.ties == "mistake", trace.ties != "correct")
    findings = Findings(progress, drift, squared_norm, swelling, np.empty(3, np.int64))
    audit_updates(
        trace.known_examples().rows, constant, trace.row, trace.step, theta, theta_0, rule, theorem,
        limbs, findings,
    )  # fmt: skip
    return findings


def _rounded_up(x: Fraction) -> float:
    try:
        result = float(x)
    except OverflowError:  # no double is as large
        return math.inf
    return result if Fraction(result) >= x else math.nextafter(result, math.inf)


def _first_violation(
    trace: Trace,
    findings: Findings,
    progress_bound: NDArray[np.float64],
    squared_norm_bound: NDArray[np.float64],
    bound: float,
) -> str | None:
    """The earliest update that the proof does not allow, in words; None if all is well."""
    progress, progress_error, squared_norm, squared_norm_error, breaches = findings
    least = progress_bound * (1.0 - _SLACK) - progress_error
    most = squared_norm_bound * (1.0 + _SLACK) + squared_norm_error
    positive = np.maximum(least, 0.0)
    least_norm = np.sqrt(np.maximum(squared_norm - squared_norm_error, 0.0))
    sharp = (progress + progress_error) * np.sqrt(most) >= positive * least_norm * (1.0 - _SLACK)
    # The cosine and the bound follow from the two sums, so they inherit their allowances.
    few = (np.arange(1, len(trace) + 1) <= bound) | (positive**2 <= most * (1.0 + _SLACK))
    side = trace.known_examples().side[trace.row]
    towards = (trace.y == side) & (np.sign(trace.step) == side)
    found = [
        (_first(towards), "has a y or a step that is not of the side of its row"),
        (int(breaches[0]), f"was no mistake: {RULES[trace.ties]} fails"),
        (int(breaches[1]), "gained less than ηγ"),
        (int(breaches[2]), "let ‖θ‖² grow by more than η(ηR² + 2β)"),
        (_first(progress >= least), "left θ·θ*/‖θ*‖ below kηγ"),
        (_first(squared_norm <= most), "brought ‖θ‖² above kη(ηR² + 2β)"),
        (_first(sharp), "left the cosine below √k·γ/√(R² + 2β/η)"),
        (_first(few), "went beyond the bound (R² + 2β/η)/γ²"),
    ]
    e, text = min(found, key=lambda pair: pair[0] if pair[0] >= 0 else len(trace))
    return None if e < 0 else f"update {e + 1} (row {trace.row[e]}) {text}"


def _first(holds: NDArray[np.bool_]) -> int:
    """The first entry that is not true, or -1."""
    return -1 if holds.all() else int(np.argmin(holds))


def _not_covered(trace: Trace, eta: float, squared_radius: float, reason: str | None) -> Audit:
    none = np.empty(0)
    return Audit(
        covered=False, reason=reason, holds=None, violation=None, n_updates=len(trace),
        bound=math.inf, radius=math.sqrt(squared_radius), gamma=math.nan, beta=trace.margin,
        eta=eta, progress=none, progress_bound=none, progress_allowance=none, squared_norm=none,
        squared_norm_bound=none, squared_norm_allowance=none, cosine=none, cosine_bound=none,
        tightest=None, tightness=None, max_margin=None,
    )  # fmt: skip
