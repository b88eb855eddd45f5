"""Scores with exact signs, exact argmaxes, and hypotheses replayed from their updates."""

from __future__ import annotations

from novikoff._jit import kernel
from novikoff.kernels.exact import accumulate, dot_sign, value
from novikoff.kernels.joint import bounded_scores, strongest
from novikoff.kernels.rows import add_row, span


@kernel
def signed_scores(rows, row_norms, theta, offset, norms, everyone, arithmetic, result):
    """result[i, k] <- theta[k] . x_i + offset[k], its sign exact (0.0 only on the boundary).

    A score larger than its error bound is the rounded sum; a smaller one is taken from the exact
    sum, so that it does not depend on how the row was stored.
    """
    values, indices, indptr, width = rows
    scores, errors = arithmetic.wide, arithmetic.errors
    for i in range(result.shape[0]):
        low, high = span(indptr, width, i)
        bounded_scores(theta, offset, values, indices, low, high, norms, row_norms[i], everyone,
                       arithmetic)  # fmt: skip
        for k in range(theta.shape[0]):
            if abs(scores[k]) > errors[k]:
                result[i, k] = scores[k]
            else:
                accumulate(
                    theta, offset, k, -1, values, indices, low, high, 1, 0.0, arithmetic.limbs
                )
                result[i, k] = value(arithmetic.limbs)


@kernel
def strongest_planes(rows, row_norms, theta, offset, norms, everyone, arithmetic, result):
    """result[i] <- the lowest index of the exactly largest score at row i."""
    values, indices, indptr, width = rows
    scores, errors = arithmetic.wide, arithmetic.errors
    for i in range(result.shape[0]):
        low, high = span(indptr, width, i)
        bounded_scores(theta, offset, values, indices, low, high, norms, row_norms[i], everyone,
                       arithmetic)  # fmt: skip
        result[i] = strongest(
            theta, offset, values, indices, low, high, scores, errors, -1, arithmetic.limbs
        )


@kernel
def replay(rows, theta, offset, constant, chosen_rows, planes, steps, start, stop):
    """Apply updates start ... stop - 1: theta[planes[e]] += steps[e] * x_{chosen_rows[e]}.

    With the rounding of training, so that a hypothesis comes back bit for bit.
    """
    values, indices, indptr, width = rows
    for e in range(start, stop):
        low, high = span(indptr, width, chosen_rows[e])
        k = planes[e]
        add_row(theta, None, k, values, indices, low, high, steps[e], 0.0)
        offset[k] += steps[e] * offset.dtype.type(constant)


@kernel
def unfold(rows, constant, chosen_rows, steps, start, theta, offset, thetas, offsets):
    """Write the hypotheses before updates start, start + 1, ... of one hyperplane side by side.

    theta : (1, d), offset : (1,), the hypothesis before update `start`; left as the one after the
    last update applied. thetas : (B, d), offsets : (B,), filled; at its last row the updates may
    have run out, then it is the final hypothesis.
    """
    values, indices, indptr, width = rows
    for b in range(thetas.shape[0]):
        for j in range(width):
            thetas[b, j] = theta[0, j]
        offsets[b] = offset[0]
        e = start + b
        if e < steps.shape[0]:
            low, high = span(indptr, width, chosen_rows[e])
            add_row(theta, None, 0, values, indices, low, high, steps[e], 0.0)
            offset[0] += steps[e] * offset.dtype.type(constant)


@kernel
def settle_signs(rows, theta, offset, row_numbers, planes, limbs, signs):
    """signs[m] <- +1 or -1, h(x) exactly, of hyperplane planes[m] at row row_numbers[m]."""
    values, indices, indptr, width = rows
    for m in range(row_numbers.shape[0]):
        low, high = span(indptr, width, row_numbers[m])
        sign = dot_sign(theta, offset, planes[m], -1, values, indices, low, high, 1, 0.0, limbs)
        signs[m] = 1 if sign >= 0 else -1
