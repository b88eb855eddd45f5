"""The relaxed online maximum margin algorithm, ROMMA (Li and Long 2002).

    if m = y s <= 0, or, aggressive, m < 1:    theta <- a theta + b y x

    a = (X N - m) / D,    b = N (1 - m) / D,    D = X N - m^2,    X = ||x||^2, N = ||theta||^2

the shortest vector with y theta . x >= 1 and as long a part along the old theta as the old one had.
From theta = 0, and, aggressive, where m >= X N, which that vector need not have, a = 0 and b = 1/X.
With the offset as a feature that is always 1. m, X and N are rounded once; then every operation is,
as it is written below, and a and b once more to theta's type. A row of length zero, and one that D
vanishes for (it lies along theta), ask for nothing. There is no step that weights could multiply:
they change nothing. What m = 0 means, where it is not aggressive, is the caller's choice.
"""

from __future__ import annotations

from typing import NamedTuple

from novikoff.kernels.rounded import LEAST, MOST, rounded_norm, rounded_score, rounded_square
from novikoff.kernels.rules import asks, scaling, write_step


@scaling("the step")
class ROMMARule(NamedTuple):
    """ROMMA, and with a threshold of 1 aggressive ROMMA."""

    size: float  # inf
    threshold: float  # 0, or 1
    positive_tie: bool  # m = threshold asks for an update where y = +1
    negative_tie: bool  # and where y = -1


@asks.of(ROMMARule)
def _(rule, y, side, size, score, error, norm, row_norm, theta, offset, extra, k, rival, values,
      indices, low, high, constant, limbs, numbers, e):  # fmt: skip
    m = y * rounded_score(
        norm * row_norm, theta, offset, k, rival, values, indices, low, high, limbs
    )
    tie = rule.positive_tie if side > 0 else rule.negative_tie
    if not (m < rule.threshold or (tie and m == rule.threshold)):
        return False
    square = rounded_square(row_norm, values, low, high, constant, limbs)
    if square == 0.0:
        return False
    length = rounded_norm(norm, theta, offset, k, limbs)
    product = square * length
    scale, step = 0.0, 1.0 / square
    if length > 0.0 and m < product:
        rest = product - m * m
        if not rest > 0.0:
            return False
        scale, step = (product - m) / rest, length * (1.0 - m) / rest
    write_step(numbers, e, y, step, LEAST <= square < MOST and abs(m) < MOST and length < MOST)
    numbers[e, 1] = scale
    return True
