"""Adaptive regularisation of weights (Crammer, Kulesza and Dredze 2009).

    if m = y s < 1:    alpha = (1 - m) beta,    beta = 1 / (v + r)

theta <- theta + alpha y Sigma x, and Sigma shrinks; :mod:`novikoff.kernels.covariance` says how,
what v is, and what is rounded when. m and v are rounded once; then r over the weights of the
example (1/r is the price of what is missing), the sum, beta, 1 - m and alpha are, each. A row whose
v is 0 asks for nothing.

The second-order perceptron (Cesa-Bianchi, Conconi and Gentile 2005) is the same on mistakes only,
with r its a: it keeps theta' = sum of y x and S = (a I + sum of x x^T)^-1 over its mistakes, and
predicts with S theta'. By Sherman and Morrison S theta' moves by y (1 - m) S x / (1 + x . S x), and
Sigma = a S by the formula above. That its S includes the row to be predicted changes no sign:
with the row, S x is S x / (1 + x . S x).
"""

from __future__ import annotations

from typing import NamedTuple

from novikoff.kernels.covariance import second_order, variance
from novikoff.kernels.rounded import MOST, rounded_score
from novikoff.kernels.rules import asks, write_step


@second_order("1/r")
class AROWRule(NamedTuple):
    """On a margin below 1, or of mistakes only, below 0."""

    size: float  # 1, for the weights alone
    threshold: float  # 1, or 0 for the second-order perceptron
    r: float
    positive_tie: bool  # m = threshold asks for an update where y = +1
    negative_tie: bool  # and where y = -1
    full: bool


@asks.of(AROWRule)
def _(rule, y, side, size, score, error, norm, row_norm, theta, offset, extra, k, rival, values,
      indices, low, high, constant, limbs, numbers, e):  # fmt: skip
    m = y * rounded_score(
        norm * row_norm, theta, offset, k, rival, values, indices, low, high, limbs
    )
    tie = rule.positive_tie if side > 0 else rule.negative_tie
    if not (m < rule.threshold or (tie and m == rule.threshold)):
        return False
    v = variance(row_norm, extra, k, rival, values, indices, low, high, constant, limbs)
    if not v > 0.0:
        return False
    beta = 1.0 / (v + rule.r / size)
    write_step(numbers, e, y, (1.0 - m) * beta, v < MOST and abs(m) < MOST)
    numbers[e, 1] = beta
    return True
