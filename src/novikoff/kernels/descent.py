"""Dual coordinate descent for a linear support vector machine."""

from __future__ import annotations

from novikoff._jit import kernel
from novikoff.kernels.rows import add_row, dots, span


@kernel
def descend(rows, y, squares, order, stiffness, offset, balance, a, theta, plane, score):
    """Minimise over one a_i after the other, for the rows i in `order` (Hsieh et al. 2008).

    The function is ||theta||^2 / 2 - sum_i a_i + offset b + stiffness b^2 / 2, with theta =
    sum_i a_i y_i x_i and b = sum_i a_i y_i. Changes `a` and theta.

    squares : (n,) ||x_i||^2, rounded up
    balance : b
    plane, score : (1,) int64, which is 0, and float64, scratch
    """
    values, indices, indptr, width = rows
    for i in order:
        curvature = squares[i] + stiffness
        if curvature > 0.0:
            low, high = span(indptr, width, i)
            dots(theta, values, indices, low, high, plane, 0, 1, score)
            slope = y[i] * (score[0] + offset + stiffness * balance) - 1.0
            new = max(a[i] - slope / curvature, 0.0)
            if new != a[i]:
                step = (new - a[i]) * y[i]
                a[i] = new
                balance += step
                add_row(theta, None, 0, values, indices, low, high, step, 0.0)
