"""The perceptron's rule (Rosenblatt 1958), with a margin (Krauth and Mezard 1987).

    if y s <= beta:    theta <- theta + c y x,    theta_0 <- theta_0 + c y

The test is the exact sign of y s - beta. c is eta times the weights of the example, in float64, and
is rounded once to theta's type. What equality means is the caller's choice.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from novikoff.kernels.exact import dot_sign
from novikoff.kernels.rules import additive, asks


@additive("eta0", is_step=True)
class PerceptronRule(NamedTuple):
    """A mistake is y s < threshold, or y s = threshold where a tie counts as one."""

    size: float  # eta
    threshold: float  # beta
    positive_tie: bool  # a tie on an example with y = +1 is a mistake
    negative_tie: bool  # a tie on an example with y = -1 is a mistake


@asks.of(PerceptronRule)
def _(rule, y, side, size, score, error, norm, row_norm, theta, offset, extra, k, rival, values,
      indices, low, high, constant, limbs, numbers, e):  # fmt: skip
    sign = y * score - rule.threshold
    mistake = sign < -error
    if not mistake:
        if error != 0.0:
            sign = np.float64(
                dot_sign(
                    theta, offset, k, rival, values, indices, low, high, y, rule.threshold, limbs
                )
            )
        tie = rule.positive_tie if side > 0 else rule.negative_tie
        mistake = sign < 0 or (sign == 0 and tie)
    if mistake:
        numbers[e, 0] = size if y > 0 else -size
    return mistake


# The training error: a point on the boundary counts.
ERROR = PerceptronRule(1.0, 0.0, True, True)
