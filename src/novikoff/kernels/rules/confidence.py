"""Confidence-weighted learning, CW (Crammer, Dredze and Pereira 2008), and soft, SCW-I and SCW-II
(Wang, Zhao and Hoi 2012).

    if m = y s < phi sqrt(v), with phi the eta-quantile of the normal distribution:

    CW        alpha = (-m psi + sqrt(m^2 phi^4 / 4 + v phi^2 xi)) / (v xi)
    SCW-I     the same, at most C
    SCW-II    alpha = (g - m (2 n + phi^2 v)) / (2 (n^2 + n v phi^2)),    n = v + 1 / (2 C),
              g = phi sqrt(m^2 phi^2 v^2 + 4 n v (n + v phi^2))
    beta = alpha phi / (q + alpha v phi),    2 q = sqrt((alpha v phi)^2 + 4 v) - alpha v phi

with psi = 1 + phi^2 / 2 and xi = 1 + phi^2: theta moves just as far as it takes for the row to be
right with probability eta, were theta normal with covariance Sigma. theta <- theta + alpha y Sigma
x, and Sigma shrinks; :mod:`novikoff.kernels.covariance` says how, what v is, and what is rounded
when. m and v are rounded once, then every operation is, as it is written below. C is the parameter
times the weights of the example; CW has none, and weights change nothing. A row whose v is 0 asks
for nothing.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from novikoff.kernels.covariance import most_variance, second_order, variance
from novikoff.kernels.rounded import LEAST, MOST, rounded_score
from novikoff.kernels.rules import asks, enough, write_step


@second_order("C", bounded=False)
class ConfidenceRule(NamedTuple):
    """SCW-I, of which CW is that with C = inf, and with `squared` SCW-II."""

    size: float  # C
    threshold: float  # none: it depends on v
    phi: float
    squared: bool
    full: bool


@enough.of(ConfidenceRule)
def _(rule, extra, k, row_norm):
    return 1.5 * rule.phi * row_norm  # Sigma never exceeds the unit matrix but by rounding


@asks.of(ConfidenceRule)
def _(rule, y, side, size, score, error, norm, row_norm, theta, offset, extra, k, rival, values,
      indices, low, high, constant, limbs, numbers, e):  # fmt: skip
    phi = rule.phi
    most = most_variance(extra, k, rival, values, indices, low, high, constant)
    if y * score - error > phi * math.sqrt(most) * (1.0 + 1e-9):
        return False
    m = y * rounded_score(
        norm * row_norm, theta, offset, k, rival, values, indices, low, high, limbs
    )
    v = variance(row_norm, extra, k, rival, values, indices, low, high, constant, limbs)
    if not (v > 0.0 and m < phi * math.sqrt(v)):
        return False
    square = phi * phi
    if rule.squared:
        n = v + 1.0 / (2.0 * size)
        root = phi * math.sqrt((m * m) * (square * (v * v)) + ((4.0 * n) * v) * (n + v * square))
        alpha = (root - m * (2.0 * n + square * v)) / (2.0 * (n * n + (n * v) * square))
    else:
        psi, xi = 1.0 + square / 2.0, 1.0 + square
        root = math.sqrt((m * m) * (square * square) / 4.0 + (v * square) * xi)
        alpha = min(size, (root - m * psi) / (v * xi))
    if alpha <= 0.0:  # by rounding, so close to the threshold
        return False
    reach = (alpha * v) * phi
    deviation = (math.sqrt(reach * reach + 4.0 * v) - reach) / 2.0
    write_step(numbers, e, y, alpha, LEAST <= v < MOST and abs(m) < MOST)
    numbers[e, 1] = (alpha * phi) / (deviation + reach)
    return True
