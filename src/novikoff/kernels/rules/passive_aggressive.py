"""The passive-aggressive rules (Crammer, Dekel, Keshet, Shalev-Shwartz and Singer 2006).

    if m = y s < 1:    theta <- theta + tau y x,    theta_0 <- theta_0 + tau y

    PA-I     tau = min(C, (1 - m) / ||x||^2)       PA is C = inf
    PA-II    tau = (1 - m) / (||x||^2 + 1 / (2 C))

with the offset as a feature that is always 1, so that it counts in ||x||^2. s and ||x||^2 are
rounded once; then 1 - m, the denominator and the quotient are, each, and tau once more to theta's
type. C is the parameter times the weights of the example. A row of length zero asks for nothing; a
step that theta's type does not hold, or rounds to zero, is an error.
Joint: m = s_y - s_r, and ||x||^2 counts twice, since two weight vectors move.
"""

from __future__ import annotations

from typing import NamedTuple

from novikoff.kernels.rounded import LEAST, MOST, rounded_score, rounded_square
from novikoff.kernels.rules import additive, asks, write_step


@additive("C")
class PassiveAggressiveRule(NamedTuple):
    """PA-I, and with `squared` PA-II."""

    size: float  # C
    threshold: float  # 1
    squared: bool  # whether the loss is the squared hinge


@asks.of(PassiveAggressiveRule)
def _(rule, y, side, size, score, error, norm, row_norm, theta, offset, extra, k, rival, values,
      indices, low, high, constant, limbs, numbers, e):  # fmt: skip
    m = y * rounded_score(
        norm * row_norm, theta, offset, k, rival, values, indices, low, high, limbs
    )
    loss = 1.0 - m
    if not loss > 0.0:
        return False
    length = rounded_square(row_norm, values, low, high, constant, limbs)
    if length == 0.0:
        return False
    sound = LEAST <= length < MOST and loss < MOST
    if rival >= 0:
        length *= 2.0
    if rule.squared:
        tau = loss / (length + 1.0 / (2.0 * size))
    else:
        tau = min(size, loss / length)
    write_step(numbers, e, y, tau, sound)
    return True
