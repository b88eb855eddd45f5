"""What the certificates' solvers do most: triangular factors, and dual coordinate descent."""

from __future__ import annotations

import numpy as np

from novikoff._jit import kernel, steady_kernel
from novikoff.kernels.rows import add_row, dot, span


@kernel
def delete_column(R, k, position, rotations):
    """Remove a column of the leading k x k block of R, in place.

    The columns behind it move up, and plane rotations of neighbouring rows make the block upper
    triangular again (Golub and Van Loan 2013, section 6.5.2). The last column becomes that of
    a unit matrix.

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
    R[k - 1, k - 1] = 1.0


@delete_column.by_numpy
def _(R, k, position, rotations):
    R[:, position : k - 1] = R[:, position + 1 : k]
    for j in range(position, k - 1):
        length = np.hypot(R[j, j], R[j + 1, j])
        cosine, sine = R[j, j] / length, R[j + 1, j] / length
        above, below = R[j, j + 1 : k - 1], R[j + 1, j + 1 : k - 1]
        R[j, j + 1 : k - 1], R[j + 1, j + 1 : k - 1] = (
            cosine * above + sine * below, cosine * below - sine * above,
        )  # fmt: skip
        R[j, j], R[j + 1, j] = length, 0.0
    R[:k, k - 1] = 0.0
    R[k - 1, k - 1] = 1.0


@steady_kernel(0)
def descend(rows, y, squares, order, stiffness, offset, balance, a, theta):
    """Minimise over one a_i after the other, for the rows i in `order` (Hsieh et al. 2008).

    The function is ||theta||^2 / 2 - sum_i a_i + offset b + stiffness b^2 / 2, with theta =
    sum_i a_i y_i x_i and b = sum_i a_i y_i. Changes `a` and theta.

    squares : (n,) ||x_i||^2, rounded up
    balance : b
    """
    values, indices, indptr, width = rows
    for i in order:
        curvature = squares[i] + stiffness
        if curvature > 0.0:
            low, high = span(indptr, width, i)
            score = dot(theta, values, indices, low, high)
            slope = y[i] * (score + offset + stiffness * balance) - 1.0
            new = max(a[i] - slope / curvature, 0.0)
            if new != a[i]:
                step = (new - a[i]) * y[i]
                a[i] = new
                balance += step
                add_row(theta, None, 0, values, indices, low, high, step, 0.0)
