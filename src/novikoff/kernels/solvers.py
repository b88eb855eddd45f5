"""What the certificates' solvers do most: triangular factors, and dual coordinate descent."""

from __future__ import annotations

import numpy as np

from novikoff._jit import kernel, reordering_row_kernel
from novikoff.kernels.rows import add_row, dots, span


@reordering_row_kernel
def _column_product(R, j, x):
    """The sum of R[i, j] x[i] over i < j."""
    total = 0.0
    for i in range(j):
        total += R[i, j] * x[i]
    return total


@kernel
def solve_normal(R, k, x):
    """x <- u with R^T R u = x, for the leading k x k block of R, upper triangular, by columns."""
    for j in range(k):
        x[j] = (x[j] - _column_product(R, j, x)) / R[j, j]
    for j in range(k - 1, -1, -1):
        x[j] /= R[j, j]
        for i in range(j):
            x[i] -= x[j] * R[i, j]


@kernel
def delete_column(R, k, position, rotations):
    """Remove a column of the leading k x k block of R, in place.

    The columns behind it move up, and plane rotations of neighbouring rows make the block upper
    triangular again (Golub and Van Loan 2013, section 6.5.2). The last column is cleared.

    rotations : (2, k), scratch
    """
    cosines, sines = rotations
    for j in range(position, k - 1):
        for i in range(j + 2):
            R[i, j] = R[i, j + 1]
        for i in range(position, j):
            above, below = R[i, j], R[i + 1, j]
            R[i, j] = cosines[i] * above + sines[i] * below
            R[i + 1, j] = cosines[i] * below - sines[i] * above
        length = np.hypot(R[j, j], R[j + 1, j])
        cosines[j], sines[j] = R[j, j] / length, R[j + 1, j] / length
        R[j, j], R[j + 1, j] = length, 0.0
    for i in range(k):
        R[i, k - 1] = 0.0


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
