"""Scores with exact signs, exact argmaxes, and hypotheses replayed from their updates.

Rows are scored in blocks, in one pass that also finds their norms (for the filter's bound) and
whether they are finite; then they are decided one by one. See docs/design/0020-prediction.md.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from novikoff._jit import kernel, reordering_row_kernel, row_kernel
from novikoff.kernels.exact import N_LIMBS, accumulate, dot_sign, value
from novikoff.kernels.filter import (
    Precision,
    precision_of,
    relative_error,
    score_error,
    underflow_error,
)
from novikoff.kernels.joint import strongest
from novikoff.kernels.rows import dots, span
from novikoff.kernels.rules import update

BLOCK = 64  # rows, a multiple of four


class Block(NamedTuple):
    """What is known of a few rows, and scratch space."""

    precision: Precision  # of theta's type
    scores: Any  # (BLOCK, K) in theta's type, without offsets
    squares: Any  # (BLOCK,) in theta's type, ||x||^2
    wide: Any  # (K,) float64, the scores of one row, with offsets
    errors: Any  # (K,) float64, bounds on their errors
    limbs: Any  # (N_LIMBS,) int64


def new_block(theta: Any) -> Block:
    """Room for the scores of the hyperplanes `theta`, shape (K, d)."""
    n_planes, dtype = theta.shape[0], theta.dtype
    return Block(
        precision_of(dtype), np.empty((BLOCK, n_planes), dtype), np.empty(BLOCK, dtype),
        np.empty(n_planes), np.empty(n_planes), np.empty(N_LIMBS, np.int64),
    )  # fmt: skip


# As in `rows`, the functions below call nothing and use each array on every path.


@reordering_row_kernel
def _square(theta, values, low, high):
    """||x||^2 in theta's type."""
    total = theta.dtype.type(0)
    for p in range(np.uint64(low), np.uint64(high)):
        x = theta.dtype.type(values[p])
        total += x * x
    return total


@reordering_row_kernel
def _score_and_square(theta, values, low, high):
    """theta[0] . x and ||x||^2 of a dense row, which is read once for both."""
    low, high = np.uint64(low), np.uint64(high)
    total = square = theta.dtype.type(0)
    for p in range(low, high):
        x = theta.dtype.type(values[p])
        total += theta[0, p - low] * x
        square += x * x
    return total, square


@reordering_row_kernel
def _four_by_two(theta, k, m, values, width, a, b, c, d, r, scores):
    """scores[r : r + 4, (k, m)] <- theta[k] . x and theta[m] . x of dense rows at a, b, c and d.

    Eight sums in registers: hyperplanes that do not fit into the first cache are read once for four
    rows, rows once for two hyperplanes.
    """
    k, m, r = np.uint64(k), np.uint64(m), np.uint64(r)
    a, b, c, d = np.uint64(a), np.uint64(b), np.uint64(c), np.uint64(d)
    ka = kb = kc = kd = ma = mb = mc = md = theta.dtype.type(0)
    for j in range(np.uint64(width)):
        u, v = theta[k, j], theta[m, j]
        xa, xb = theta.dtype.type(values[a + j]), theta.dtype.type(values[b + j])
        xc, xd = theta.dtype.type(values[c + j]), theta.dtype.type(values[d + j])
        ka, kb, kc, kd = ka + u * xa, kb + u * xb, kc + u * xc, kd + u * xd
        ma, mb, mc, md = ma + v * xa, mb + v * xb, mc + v * xc, md + v * xd
    for t, (s_k, s_m) in enumerate(((ka, ma), (kb, mb), (kc, mc), (kd, md))):
        scores[r + np.uint64(t), k], scores[r + np.uint64(t), m] = s_k, s_m


@kernel
def score_block(rows, first, last, theta, everyone, block):
    """block.scores, .squares <- those of the rows first ... last - 1, at most `BLOCK`."""
    values, indices, indptr, width = rows
    scores, squares = block.scores, block.squares
    n_planes = theta.shape[0]
    if indices is not None:
        for i in range(first, last):
            low, high = span(indptr, width, i)
            dots(theta, values, indices, low, high, everyone, 0, n_planes, scores[i - first])
            squares[i - first] = _square(theta, values, low, high)
    elif n_planes == 1:
        for i in range(first, last):
            score, square = _score_and_square(theta, values, i * width, (i + 1) * width)
            scores[i - first, 0] = score
            squares[i - first] = square
    else:
        for i in range(first, last, 4):
            # Past the last row it is taken again; so is the last hyperplane.
            a, b, c, d = i, min(i + 1, last - 1), min(i + 2, last - 1), min(i + 3, last - 1)
            for row in range(a, d + 1):
                squares[row - first] = _square(theta, values, row * width, (row + 1) * width)
            for k in range(0, n_planes, 2):
                m = min(k + 1, n_planes - 1)
                _four_by_two(
                    theta, k, m, values, width, a * width, b * width, c * width, d * width,
                    i - first, scores,
                )  # fmt: skip


@row_kernel
def norm_bound(square, n_terms, precision):
    """An upper bound on ||(x, 1)||, where ||x||^2 was summed in `precision` to `square`."""
    total = (np.float64(square) + 1.0) * (1.0 + 2.0 * (n_terms + 8) * precision.unit)
    return math.sqrt(total + (n_terms + 1) * precision.tiny)


@row_kernel
def bound_scores(values, low, high, r, offset, norms, block):
    """block.wide, .errors <- the scores of its row r, with offsets, and bounds on their errors.

    Returns False if the row is not finite: then the sum of its squares is not, either.
    """
    scores, wide, errors, precision = block.scores, block.wide, block.errors, block.precision
    square = block.squares[r]
    if not square < np.inf:
        for p in range(low, high):
            if not math.isfinite(values[p]):
                return False
    row_norm = norm_bound(square, high - low, precision)
    g = relative_error(high - low, precision)
    extra = underflow_error(high - low, precision)
    for k in range(wide.shape[0]):
        wide[k] = np.float64(scores[r, k]) + np.float64(offset[k])
        errors[k] = score_error(g, norms[k] * row_norm, extra, precision)
    return True


@kernel
def signed_scores(rows, theta, offset, norms, everyone, block, result):
    """result[i, k] <- theta[k] . x_i + offset[k], its sign exact (0.0 only on the boundary).

    A score larger than its error bound is the rounded sum; a smaller one is taken from the exact
    sum, so that it does not depend on how the row was stored. Returns the first row with a NaN or
    an infinity, or -1.
    """
    values, indices, indptr, width = rows
    scores, errors, limbs = block.wide, block.errors, block.limbs
    n_rows = result.shape[0]
    for first in range(0, n_rows, BLOCK):
        last = min(first + BLOCK, n_rows)
        score_block(rows, first, last, theta, everyone, block)
        for i in range(first, last):
            low, high = span(indptr, width, i)
            if not bound_scores(values, low, high, i - first, offset, norms, block):
                return i
            for k in range(theta.shape[0]):
                result[i, k] = scores[k]
                if not abs(scores[k]) > errors[k]:
                    accumulate(theta, offset, k, -1, values, indices, low, high, 1, 0.0, limbs)
                    result[i, k] = value(limbs)
    return -1


@row_kernel
def clear_winner(scores, errors):
    """The index of the largest score if the bounds on their errors leave no doubt, else -1."""
    best, top = 0, -np.inf
    for k in range(scores.shape[0]):
        if scores[k] > top:
            best, top = k, scores[k]
    floor = top - errors[best]
    rivals = 0
    for k in range(scores.shape[0]):
        rivals += not scores[k] + errors[k] < floor  # the best itself, and what is not a number
    return best if rivals == 1 else -1


@kernel
def predicted(rows, theta, offset, norms, everyone, block, result):
    """result[i] <- the class of row i, exactly: the lowest index of the largest score.

    Of a single hyperplane: 1 if its score is >= 0, else 0. Returns as `signed_scores`.
    """
    values, indices, indptr, width = rows
    scores, errors, limbs = block.wide, block.errors, block.limbs
    n_rows, single = result.shape[0], theta.shape[0] == 1
    for first in range(0, n_rows, BLOCK):
        last = min(first + BLOCK, n_rows)
        score_block(rows, first, last, theta, everyone, block)
        for i in range(first, last):
            low, high = span(indptr, width, i)
            if not bound_scores(values, low, high, i - first, offset, norms, block):
                return i
            if not single:
                best = clear_winner(scores, errors)
                if best < 0:
                    best = strongest(
                        theta, offset, values, indices, low, high, scores, errors, -1, limbs
                    )
                result[i] = best
            elif abs(scores[0]) > errors[0]:
                result[i] = scores[0] > 0.0
            else:
                sign = dot_sign(theta, offset, 0, -1, values, indices, low, high, 1, 0.0, limbs)
                result[i] = sign >= 0
    return -1


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
