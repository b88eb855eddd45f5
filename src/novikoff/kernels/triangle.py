"""Upper triangular factors: normal equations solved with one, and a column removed from one."""

from __future__ import annotations

import numpy as np

from novikoff._jit import kernel, reordering_row_kernel


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
