"""Learning by Gaussian herding, NHERD (Crammer and Lee 2010).

    if m = y s < 1:    alpha = (1 - m) / (v + 1/C),    beta = C (C v + 2) / (1 + C v)^2

theta <- theta + alpha y Sigma x, as AROW with r = 1/C, and Sigma shrinks; more than AROW's, since
it is that of all the Gaussian's points, each of them herded. :mod:`novikoff.kernels.covariance`
says how, what v is, and what is rounded when. m and v are rounded once, then every operation is, as
it is written below. C is the parameter times the weights of the example. A row whose v is 0 asks
for nothing.
"""

from __future__ import annotations

from typing import NamedTuple

from novikoff.kernels.covariance import second_order, variance
from novikoff.kernels.rounded import MOST, rounded_score
from novikoff.kernels.rules import asks, write_step


@second_order("C")
class HerdingRule(NamedTuple):
    """NHERD; of a diagonal what its authors call to drop the rest."""

    size: float  # C
    threshold: float  # 1
    full: bool


@asks.of(HerdingRule)
def _(rule, y, side, size, score, error, norm, row_norm, theta, offset, extra, k, rival, values,
      indices, low, high, constant, limbs, numbers, e):  # fmt: skip
    m = y * rounded_score(
        norm * row_norm, theta, offset, k, rival, values, indices, low, high, limbs
    )
    if not m < 1.0:
        return False
    v = variance(row_norm, extra, k, rival, values, indices, low, high, constant, limbs)
    if not v > 0.0:
        return False
    reach = size * v
    there = v < MOST and abs(m) < MOST and reach < 1e150 and size * reach < MOST
    write_step(numbers, e, y, (1.0 - m) / (v + 1.0 / size), there)
    numbers[e, 1] = size * (reach + 2.0) / ((1.0 + reach) * (1.0 + reach))
    return True
