"""Scores with exact signs, and exact argmaxes.

Rows are scored in blocks, in one pass that also bounds the errors of their scores (so that what is
not finite shows, too), and most are decided by that. Those that are not `clear` are few; they are
settled one by one. See docs/design/0020-prediction.md.
"""

from __future__ import annotations

import math

import numpy as np

from novikoff._jit import kernel, row_kernel
from novikoff.kernels.at_once import scores_at_once, scores_in_order_at_once
from novikoff.kernels.blocks import BLOCK, score_and_size, score_block, size_error
from novikoff.kernels.columns import turn
from novikoff.kernels.exact import accumulate, dot_sign, value
from novikoff.kernels.joint import bounded_scores, strongest
from novikoff.kernels.rows import row_norm, span


@row_kernel
def widen(scores, offset, errors, wide, doubts):
    """wide[k, r] <- the score with its offset; doubts[r] <- how many of them have unclear signs.

    0.0 is clear where nothing was rounded.
    """
    doubts[:] = 0
    for k in range(offset.shape[0]):
        threshold = np.float64(offset[k])
        for r in range(np.uint64(errors.shape[0])):
            score = np.float64(scores[k, r]) + threshold
            wide[k, r] = score
            doubts[r] += not abs(score) > errors[r]


@kernel
def signed_scores(rows, block, result, clear):
    """result[i, k] <- theta[k] . x_i + offset[k], clear[i] <- whether its signs are right."""
    n_rows, errors = clear.shape[0], block.errors
    wide, doubts = np.empty(block.scores.shape), np.empty(errors.shape[0], np.int64)
    flat = wide.ravel()
    for first in range(0, n_rows, errors.shape[0]):
        size = min(errors.shape[0], n_rows - first)
        score_block(rows, first, size, block)
        widen(block.scores, block.offset, errors, wide, doubts)
        turn(flat, 0, wide.shape[1], result, first, 0, size, wide.shape[0])
        begin = np.uint64(first)
        for r in range(np.uint64(size)):
            clear[begin + r] = doubts[r] == 0


@signed_scores.by_numpy
def _(rows, block, result, clear):
    result[:], errors = scores_in_order_at_once(rows, len(clear), block)
    clear[:] = (np.abs(result) > errors).all(axis=1)


@kernel
def settle_scores(rows, theta, offset, norms, arithmetic, result):
    """result[i, k] <- the score, feature by feature; if its sign is in doubt the exact one.

    Zeros do not count for the doubt, which is the same whether they are stored or not. Returns the
    first row with a NaN or an infinity, or -1; as all that settle.
    """
    values, indices, indptr, width = rows
    for i in range(result.shape[0]):
        low, high = span(indptr, width, i)
        if math.isnan(row_norm(values, low, high, 1.0)):
            return i
        n_terms = 0
        for p in range(low, high):
            n_terms += values[p] != 0
        for k in range(theta.shape[0]):
            score, size = score_and_size(theta, k, values, indices, low, high)
            result[i, k] = np.float64(score) + np.float64(offset[k])
            if not abs(result[i, k]) > size_error(n_terms, size, offset[k], arithmetic.precision):
                accumulate(theta, offset, k, -1, values, indices, low, high, 1, 0.0,
                           arithmetic.limbs)  # fmt: skip
                result[i, k] = value(arithmetic.limbs)
    return -1


@kernel
def signs(rows, block, result, clear):
    """result[i] <- 1 if the score of the only hyperplane is >= 0, else 0; clear as above."""
    n_rows, offset, scores, errors = clear.shape[0], block.offset, block.scores, block.errors
    for first in range(0, n_rows, errors.shape[0]):
        size = min(errors.shape[0], n_rows - first)
        score_block(rows, first, size, block)
        begin = np.uint64(first)
        for r in range(np.uint64(size)):
            score = scores[0, r] + offset[0]
            result[begin + r] = score >= 0.0
            clear[begin + r] = abs(score) > errors[r]


@signs.by_numpy
def _(rows, block, result, clear):
    scores, errors = scores_at_once(rows, len(clear), block)
    result[:] = scores[:, 0] >= 0.0
    clear[:] = np.abs(scores[:, 0]) > errors[:, 0]


@kernel
def settle_signs(rows, theta, offset, norms, arithmetic, result):
    """result[i] <- 1 if the score of the only hyperplane is >= 0 at row i, exactly, else 0."""
    values, indices, indptr, width = rows
    for i in range(result.shape[0]):
        low, high = span(indptr, width, i)
        if math.isnan(row_norm(values, low, high, 1.0)):
            return i
        result[i] = (
            dot_sign(theta, offset, 0, -1, values, indices, low, high, 1, 0.0, arithmetic.limbs)
            >= 0
        )
    return -1


@row_kernel
def _find_leaders(scores, offset, best, top, second):
    """best[r] <- the lowest index of the largest score of row r; top, second <- it and the next."""
    for r in range(np.uint64(BLOCK)):
        best[r], top[r], second[r] = 0, scores[0, r] + offset[0], -np.inf
    for k in range(1, offset.shape[0]):
        for r in range(np.uint64(BLOCK)):
            score, before = scores[k, r] + offset[k], top[r]
            loser = min(score, before)
            best[r] = k if score > before else best[r]
            top[r] = max(score, before)
            second[r] = max(second[r], loser)


@kernel
def strongest_planes(rows, block, result, clear):
    """result[i] <- the lowest index of the largest score at row i; clear as above."""
    n_rows, scores, errors = clear.shape[0], block.scores, block.errors
    best = np.empty(BLOCK, np.int32)
    top, second = np.empty(BLOCK, scores.dtype), np.empty(BLOCK, scores.dtype)
    for first in range(0, n_rows, BLOCK):
        size = min(BLOCK, n_rows - first)
        score_block(rows, first, size, block)
        _find_leaders(scores, block.offset, best, top, second)
        begin = np.uint64(first)
        for r in range(np.uint64(size)):
            lead = np.float64(top[r]) - np.float64(second[r])
            result[begin + r] = best[r]
            clear[begin + r] = lead > 2.000001 * np.float64(errors[r])


@strongest_planes.by_numpy
def _(rows, block, result, clear):
    scores, errors = scores_at_once(rows, len(clear), block)
    result[:] = scores.argmax(axis=1)
    best = result[:, None]
    top = np.take_along_axis(scores, best, axis=1)
    np.put_along_axis(scores, best, -np.inf, axis=1)
    clear[:] = (top - scores > 2.000001 * errors).all(axis=1)


@kernel
def settle_strongest(rows, theta, offset, norms, arithmetic, result):
    """result[i] <- the lowest index of the exactly largest score at row i.

    What a block left open is summed again in theta's own type, then exactly.
    """
    values, indices, indptr, width = rows
    everyone = np.arange(theta.shape[0])
    for i in range(result.shape[0]):
        low, high = span(indptr, width, i)
        bound = row_norm(values, low, high, 1.0)
        if math.isnan(bound):
            return i
        bounded_scores(
            theta, offset, values, indices, low, high, norms, bound, everyone, arithmetic
        )
        result[i] = strongest(
            theta, offset, everyone, values, indices, low, high, arithmetic.wide,
            arithmetic.errors, -1, arithmetic.limbs,
        )  # fmt: skip
    return -1
