"""The approximately largest margin, ALMA with p = 2 (Gentile 2001).

    if y theta . x^ <= (1 - alpha) B / sqrt(k), with x^ = x / ||x|| and k - 1 updates so far:
        theta <- theta + (C / sqrt(k)) y x^, then theta <- theta / max(1, ||theta||)

with the offset as a feature that is always 1. m = y s, X = ||x||^2 and N = ||theta||^2 are rounded
once; then every operation is, of the test m / sqrt(X) <= ((1 - alpha) B) / sqrt(k), of the step
c = C / sqrt(k) / sqrt(X), of the new square (N + 2 c m) + c^2 X, of the scale a (one over its root,
or 1) and of b = a c; then theta <- a theta + b y x, b and a in theta's type. C is the parameter
times the weights of the example; k is kept beside theta. A row of length zero asks for nothing.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from novikoff.kernels.rounded import LEAST, MOST, rounded_norm, rounded_score, rounded_square
from novikoff.kernels.rules import Extra, asks, enough, scale_and_add, scaling, update, write_step


@scaling("C", extra=(Extra("steps", 1.0, "mean", "number"),), bounded=False)
class ALMARule(NamedTuple):
    """ALMA_2(alpha; B, C)."""

    size: float  # C
    threshold: float  # none: it depends on ||x||
    margin: float  # (1 - alpha) B


@enough.of(ALMARule)
def _(rule, extra, k, row_norm):
    return rule.margin / math.sqrt(extra[0][k]) * row_norm * (1.0 + 1e-12)


@asks.of(ALMARule)
def _(rule, y, side, size, score, error, norm, row_norm, theta, offset, extra, k, rival, values,
      indices, low, high, constant, limbs, numbers, e):  # fmt: skip
    square = rounded_square(row_norm, values, low, high, constant, limbs)
    if square == 0.0:
        return False
    root, length = math.sqrt(extra[0][k]), math.sqrt(square)
    m = y * rounded_score(
        norm * row_norm, theta, offset, k, rival, values, indices, low, high, limbs
    )
    if not m / length <= rule.margin / root:
        return False
    step = size / root / length
    after = rounded_norm(norm, theta, offset, k, limbs)
    after = (after + (2.0 * step) * m) + (step * step) * square
    scale = 1.0 / math.sqrt(after) if after > 1.0 else 1.0
    write_step(numbers, e, y, scale * step, LEAST <= square < MOST and after < MOST)
    numbers[e, 1] = scale
    return True


@update.of(ALMARule)
def _(rule, theta, offset, extra, sums, offset_sums, k, sign, values, indices, low, high, constant,
      limbs, numbers, e, count):  # fmt: skip
    extra[0][k] += 1.0
    return scale_and_add(
        theta, offset, sums, offset_sums, k, values, indices, low, high, constant, numbers, e, count
    )
