"""Scores with exact signs, exact argmaxes, and hypotheses replayed from their updates."""

from __future__ import annotations

from novikoff._jit import kernel
from novikoff.kernels.exact import accumulate, dot_sign, value
from novikoff.kernels.joint import bounded_scores, strongest
from novikoff.kernels.rows import span
from novikoff.kernels.rules import update


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
def replay(rule, rows, planes, chosen_rows, chosen_planes, signs, entries, numbers, start, stop):
    """Make moves start ... stop - 1 again: of hyperplane chosen_planes[m] by row chosen_rows[m].

    planes : theta, offset, extra and constant, as in `Planes`; changed in place
    numbers : (., N) those of the rule, entries[m] the line of each; signs : -1 where a joint update
        moves away from the row
    With the rounding of training, so that a hypothesis comes back bit for bit.
    """
    theta, offset, extra, constant = planes
    values, indices, indptr, width = rows
    for m in range(start, stop):
        low, high = span(indptr, width, chosen_rows[m])
        update(
            rule, theta, offset, extra, None, None, chosen_planes[m], signs[m], values, indices,
            low, high, constant, numbers, entries[m], 0.0,
        )  # fmt: skip


@kernel
def unfold(rule, rows, planes, chosen_rows, numbers, start, thetas, offsets):
    """Write the hypotheses before updates start, start + 1, ... of one hyperplane side by side.

    planes : the hypothesis before update `start`, theta of shape (1, d); left as the one after the
        last update applied. thetas : (B, d), offsets : (B,), filled; at its last row the updates
        may have run out, then it is the final hypothesis.
    """
    theta, offset, extra, constant = planes
    values, indices, indptr, width = rows
    for b in range(thetas.shape[0]):
        for j in range(width):
            thetas[b, j] = theta[0, j]
        offsets[b] = offset[0]
        e = start + b
        if e < chosen_rows.shape[0]:
            low, high = span(indptr, width, chosen_rows[e])
            update(
                rule, theta, offset, extra, None, None, 0, 1.0, values, indices, low, high,
                constant, numbers, e, 0.0,
            )  # fmt: skip


@kernel
def settle_signs(rows, theta, offset, row_numbers, planes, limbs, signs):
    """signs[m] <- +1 or -1, h(x) exactly, of hyperplane planes[m] at row row_numbers[m]."""
    values, indices, indptr, width = rows
    for m in range(row_numbers.shape[0]):
        low, high = span(indptr, width, row_numbers[m])
        sign = dot_sign(theta, offset, planes[m], -1, values, indices, low, high, 1, 0.0, limbs)
        signs[m] = 1 if sign >= 0 else -1
