"""The theorem of McDonald, Hall and Mann (2010), checked against a run.

Let theta* separate all examples with margin gamma, R be the longest row, eta the step and beta the
margin rule's threshold, all in the space the run took place in. If shard i made k_in mistakes in
round n and was mixed in with mu_in, then (their Theorem 3, for eta = 1 and beta = 0)

    sum over n and i of mu_in k_in  <=  (R^2 + 2 beta / eta) / gamma^2.

For a mean is no longer than its longest part (the norm is convex) and makes its share of progress
(the scalar product is linear); the rest is Novikoff's proof.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff._arrays import Array, Bools, Floats, Ints
from novikoff.certificates import mistake_bound
from novikoff.certificates.results import MistakeBound
from novikoff.training.schemes import Scheme


@dataclass(frozen=True, eq=False)
class MixingAudit:
    """Mixed mistakes beside the bound on them, one entry per hyperplane.

    Attributes
    ----------
    covered : bool
        Whether the theorem speaks of this run; if not, `reason` says why, `holds` is None and the
        arrays are empty.
    reason : str or None
    holds : bool or None
        Whether every hyperplane kept within its bound.
    mistakes : (n_rounds, K)
        The sum of mu_in k_in up to each round; the last row is what the theorem bounds.
    bound : (K,)
        (R^2 + 2 beta / eta) / gamma^2; infinite where the examples are not separable, of which the
        theorem says nothing.
    radius, gamma : (K,)
    """

    covered: bool
    reason: str | None
    holds: bool | None
    mistakes: Floats
    bound: Floats
    radius: Floats
    gamma: Floats

    def __str__(self) -> str:
        if not self.covered:
            return f"Not covered by the theorem: {self.reason}"
        lines = ["The theorem holds." if self.holds else "The theorem is violated."]
        for k, bound in enumerate(self.bound):
            at_most = f"at most {bound:.6g}" if math.isfinite(bound) else "not separable, no bound"
            lines.append(
                f"Hyperplane {k}: {self.mistakes[-1, k]:.6g} mixed mistakes, {at_most} (R = "
                f"{self.radius[k]:.6g}, gamma = {self.gamma[k]:.6g})."
            )
        return "\n".join(lines)


def as_bounds(given: MistakeBound | Sequence[MistakeBound] | None) -> list[MistakeBound]:
    """No bound, one or several, as a list."""
    if given is None:
        return []
    bounds: list[Any] = list(given) if isinstance(given, list | tuple) else [given]
    for bound in bounds:
        if not isinstance(bound, MistakeBound):
            raise TypeError(
                f"bound must be what novikoff.mistake_bound returns, not {type(bound).__name__}."
            )
    return bounds


def mixed_mistakes(mistakes: Ints, present: Bools, *, by_mistakes: bool) -> list[list[Fraction]]:
    """Per round and hyperplane, the exact sum of mu_i k_i.

    mistakes : (rounds, S, K); present : (S, K) whether a shard has examples of a hyperplane
    """
    result = []
    for numbers in mistakes.astype(object):
        weights = numbers if by_mistakes else present.astype(object)
        mixed, totals = (weights * numbers).sum(axis=0), weights.sum(axis=0)
        result.append([Fraction(m, n or 1) for m, n in zip(mixed, totals, strict=True)])
    return result


def audit(
    mixed: list[list[Fraction]],
    bounds: Sequence[MistakeBound],
    reason: str | None,
    *,
    beta: float,
    eta: float,
) -> MixingAudit:
    """Hold the mixed mistakes against the bounds of their hyperplanes."""
    if reason is None and not any(math.isfinite(bound.value) for bound in bounds):
        reason = "the examples are not separable where the run took place."
    if reason is not None:
        none = np.empty(0)
        return MixingAudit(False, reason, None, np.empty((0, 0)), none, none, none)
    limits = [_bound(bound, beta, eta) for bound in bounds]
    so_far, lines = [Fraction(0)] * len(bounds), []
    for line in mixed:
        so_far = [a + b for a, b in zip(so_far, line, strict=True)]
        lines.append([float(value) for value in so_far])
    holds = all(
        limit is None or total <= limit for total, limit in zip(so_far, limits, strict=True)
    )
    return MixingAudit(
        True, None, holds, np.array(lines),
        np.array([math.inf if limit is None else float(limit) for limit in limits]),
        np.array([bound.radius for bound in bounds]),
        np.array([bound.margin for bound in bounds]),
    )  # fmt: skip


def _bound(bound: MistakeBound, beta: float, eta: float) -> Fraction | None:
    if not math.isfinite(bound.value) or not bound.margin > 0.0:
        return None
    reach = Fraction(bound.radius) ** 2 + 2 * Fraction(beta) / Fraction(eta)
    return reach / Fraction(bound.margin) ** 2


def bounds_of(
    X: Any, y: Array, classes: Array, scheme: Scheme, *, fit_intercept: bool
) -> list[MistakeBound]:
    """The bound of every hyperplane, from all rows in memory."""
    codes = np.searchsorted(classes, y)
    found = []
    for sides in scheme.sides():
        side = sides[codes]
        rows = np.flatnonzero(side)
        found.append(mistake_bound(X[rows], side[rows], fit_intercept=fit_intercept))
    return found
