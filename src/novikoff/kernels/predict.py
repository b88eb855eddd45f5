"""Scores with exact signs, exact argmaxes, and hypotheses replayed from their updates.

Rows are scored in blocks, in one pass that also finds their norms (for the filter's bound) and
whether they are finite; then they are decided one by one. See docs/design/0020-prediction.md.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from novikoff._jit import kernel, reordering_row_kernel, row_kernel
from novikoff.kernels.at_once import loop_where, scores_at_once, scores_in_order_at_once
from novikoff.kernels.exact import accumulate, dot_sign, value
from novikoff.kernels.filter import Precision, norm_bound, precision_of, product_error
from novikoff.kernels.joint import bounded_scores, strongest
from novikoff.kernels.rows import dots, span
from novikoff.kernels.rules import update
from novikoff.kernels.walk import Arithmetic, new_arithmetic

BLOCK = 64  # rows, a multiple of four


class Block(NamedTuple):
    """What is known of a few rows, and scratch space."""

    theta: Any  # (K, d) as scores are summed, perhaps in a narrower type than it is
    precision: Precision  # of that type
    scores: Any  # (BLOCK, K) in that type, without offsets
    squares: Any  # (BLOCK,) likewise, ||x||^2
    four: Any  # (4, d) likewise, copies of dense rows
    arithmetic: Arithmetic  # for one row


def new_block(theta: Any, dtype: Any) -> Block:
    """Room for scores of the hyperplanes `theta`, shape (K, d), summed in `dtype`."""
    n_planes, width = theta.shape
    with np.errstate(over="ignore"):  # then the bound is infinite
        copy = theta.astype(dtype, copy=False)
    return Block(
        copy, precision_of(copy.dtype), np.empty((BLOCK, n_planes), dtype), np.empty(BLOCK, dtype),
        np.empty((4, width if n_planes > 1 else 0), dtype), new_arithmetic(theta),
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


@_square.by_numpy
def _(theta, values, low, high):
    x = values[low:high].astype(theta.dtype)
    return x @ x


@reordering_row_kernel
def _score_and_square(theta, values, indices, low, high):
    """theta[0] . x and ||x||^2, both taken while the row is in the first cache."""
    low, high = np.uint64(low), np.uint64(high)
    total = square = theta.dtype.type(0)
    if indices is None:
        for p in range(low, high):
            x = theta.dtype.type(values[p])
            total += theta[0, p - low] * x
            square += x * x
    else:
        for p in range(low, high):
            total += theta[0, indices[p]] * theta.dtype.type(values[p])
        for p in range(low, high):
            x = theta.dtype.type(values[p])
            square += x * x
    return total, square


@_score_and_square.by_numpy
def _(theta, values, indices, low, high):
    x = values[low:high].astype(theta.dtype)
    weights = theta[0] if indices is None else theta[0, indices[low:high]]
    return weights @ x, x @ x


@reordering_row_kernel
def _copy_and_square(four, r, values, low):
    """four[r] <- a dense row, converted; returns ||x||^2."""
    r, low = np.uint64(r), np.uint64(low)
    square = four.dtype.type(0)
    for j in range(np.uint64(four.shape[1])):
        x = four.dtype.type(values[low + j])
        four[r, j] = x
        square += x * x
    return square


@_copy_and_square.by_numpy
def _(four, r, values, low):
    four[r] = values[low : low + four.shape[1]]
    return four[r] @ four[r]


@reordering_row_kernel
def _four_by_two(theta, k, m, four, r, scores):
    """scores[r : r + 4, (k, m)] <- theta[k] . x and theta[m] . x of `four` rows.

    Eight sums in registers: hyperplanes that do not fit into the first cache are read once for four
    rows, rows once for two hyperplanes.
    """
    k, m, r = np.uint64(k), np.uint64(m), np.uint64(r)
    ka = kb = kc = kd = ma = mb = mc = md = theta.dtype.type(0)
    for j in range(np.uint64(four.shape[1])):
        u, v = theta[k, j], theta[m, j]
        a, b, c, d = four[0, j], four[1, j], four[2, j], four[3, j]
        ka, kb, kc, kd = ka + u * a, kb + u * b, kc + u * c, kd + u * d
        ma, mb, mc, md = ma + v * a, mb + v * b, mc + v * c, md + v * d
    for q, (s_k, s_m) in enumerate(((ka, ma), (kb, mb), (kc, mc), (kd, md))):
        scores[r + np.uint64(q), k], scores[r + np.uint64(q), m] = s_k, s_m


@_four_by_two.by_numpy
def _(theta, k, m, four, r, scores):
    scores[r : r + 4, [k, m]] = four @ theta[[k, m]].T


@kernel
def score_block(rows, first, last, everyone, block):
    """block.scores, .squares <- those of the rows first ... last - 1, at most `BLOCK`."""
    values, indices, indptr, width = rows
    theta, scores, squares, four = block.theta, block.scores, block.squares, block.four
    n_planes = theta.shape[0]
    if n_planes == 1:
        for i in range(first, last):
            low, high = span(indptr, width, i)
            score, square = _score_and_square(theta, values, indices, low, high)
            scores[i - first, 0] = score
            squares[i - first] = square
    elif indices is not None:
        for i in range(first, last):
            low, high = span(indptr, width, i)
            dots(theta, values, indices, low, high, everyone, 0, n_planes, scores[i - first])
            squares[i - first] = _square(theta, values, low, high)
    else:
        for r in range(0, last - first, 4):
            for q in range(4):
                i = min(first + r + q, last - 1)  # past the last row it is taken again
                squares[r + q] = _copy_and_square(four, q, values, i * width)
            for k in range(0, n_planes, 2):
                _four_by_two(theta, k, min(k + 1, n_planes - 1), four, r, scores)


@row_kernel
def _in_order(theta, k, values, low, width, totals):
    """totals[:4, k] <- theta[k] . x of four dense rows that begin at `low`, feature by feature."""
    k, p, width = np.uint64(k), np.uint64(low), np.uint64(width)
    q, r, s = p + width, p + width + width, p + width + width + width
    a = b = c = d = theta.dtype.type(0)
    for j in range(width):
        a += theta[k, j] * theta.dtype.type(values[p + j])
        b += theta[k, j] * theta.dtype.type(values[q + j])
        c += theta[k, j] * theta.dtype.type(values[r + j])
        d += theta[k, j] * theta.dtype.type(values[s + j])
    totals[0, k], totals[1, k], totals[2, k], totals[3, k] = a, b, c, d


@_in_order.by_numpy
def _(theta, k, values, low, width, totals):
    rows = values[low : low + 4 * width].reshape(4, width).astype(theta.dtype)
    totals[:4, k] = np.add.accumulate(theta[k] * rows, axis=1)[:, -1]


@row_kernel
def _one_in_order(theta, k, values, indices, low, high):
    """theta[k] . x of one row, dense or sparse, feature by feature."""
    low, high = np.uint64(low), np.uint64(high)
    total = theta.dtype.type(0)
    for p in range(low, high):
        j = p - low if indices is None else indices[p]
        total += theta[k, j] * theta.dtype.type(values[p])
    return total


@kernel
def score_in_order(rows, first, last, block):
    """As `score_block`; product and sum are rounded for one feature after the other.

    So the scores are those of a plain loop, however the rows are stored and whatever compiled it.
    """
    values, indices, indptr, width = rows
    theta, scores, squares = block.theta, block.scores, block.squares
    i = first
    while indices is None and i + 4 <= last:
        for k in range(theta.shape[0]):
            _in_order(theta, k, values, i * width, width, scores[i - first :])
        for q in range(4):
            squares[i - first + q] = _square(theta, values, (i + q) * width, (i + q + 1) * width)
        i += 4
    while i < last:
        low, high = span(indptr, width, i)
        for k in range(theta.shape[0]):
            scores[i - first, k] = _one_in_order(theta, k, values, indices, low, high)
        squares[i - first] = _square(theta, values, low, high)
        i += 1


@row_kernel
def bound_scores(values, low, high, r, offset, norms, block):
    """The scores of row r of a block, with offsets, and bounds on their errors.

    Changes block.arithmetic.wide and .errors. Returns an upper bound on ||(x, 1)||, NaN if the row
    is not finite: then the sum of its squares is not, either.
    """
    scores, wide, errors = block.scores, block.arithmetic.wide, block.arithmetic.errors
    square = block.squares[r]
    if not square < np.inf:
        for p in range(low, high):
            if not math.isfinite(values[p]):
                return np.nan
    row_norm = norm_bound(square, high - low, block.precision)
    for k in range(wide.shape[0]):
        wide[k] = np.float64(scores[r, k]) + np.float64(offset[k])
        errors[k] = product_error(high - low, norms[k], row_norm, block.precision)
    return row_norm


@bound_scores.by_numpy
def _(values, low, high, r, offset, norms, block):
    square = block.squares[r]
    if not square < np.inf and not np.isfinite(values[low:high]).all():
        return np.nan
    row_norm = norm_bound(square, high - low, block.precision)
    block.arithmetic.wide[:] = block.scores[r].astype(np.float64) + offset
    block.arithmetic.errors[:] = product_error(high - low, norms, row_norm, block.precision)
    return row_norm


@row_kernel
def look_at(i, n_rows, rows, offset, norms, everyone, block):
    """Where row i lies, and what `bound_scores` returns; the first row of a block scores it."""
    if i % BLOCK == 0:
        score_block(rows, i, min(i + BLOCK, n_rows), everyone, block)
    low, high = span(rows.indptr, rows.width, i)
    return low, high, bound_scores(rows.values, low, high, i % BLOCK, offset, norms, block)


@kernel
def signed_scores(rows, theta, offset, norms, block, result):
    """result[i, k] <- theta[k] . x_i + offset[k], its sign exact (0.0 only on the boundary).

    A score larger than its error bound is the sum feature by feature, see `score_in_order`; a
    smaller one is the exact sum, rounded once. Returns the first row with a NaN or an infinity, or
    -1.
    """
    values, indices = rows.values, rows.indices
    scores, errors, limbs = block.arithmetic.wide, block.arithmetic.errors, block.arithmetic.limbs
    n_rows = result.shape[0]
    for i in range(n_rows):
        if i % BLOCK == 0:
            score_in_order(rows, i, min(i + BLOCK, n_rows), block)
        low, high = span(rows.indptr, rows.width, i)
        row_norm = bound_scores(values, low, high, i % BLOCK, offset, norms, block)
        if math.isnan(row_norm):
            return i
        for k in range(theta.shape[0]):
            result[i, k] = scores[k]
            if not abs(scores[k]) > errors[k]:
                accumulate(theta, offset, k, -1, values, indices, low, high, 1, 0.0, limbs)
                result[i, k] = value(limbs)
    return -1


@signed_scores.at_once
def _(loop, rows, theta, offset, norms, block, result):
    result[:], errors = scores_in_order_at_once(rows, len(result), offset, norms, block)
    unclear = ~(np.abs(result) > errors).all(axis=1)
    return loop_where(unclear, loop, rows, (theta, offset, norms, block), result)


@kernel
def signs(rows, theta, offset, norms, everyone, block, result):
    """result[i] <- 1 if the score of the only hyperplane is >= 0 at row i, exactly, else 0.

    Returns as `signed_scores`.
    """
    values, indices = rows.values, rows.indices
    scores, errors, limbs = block.arithmetic.wide, block.arithmetic.errors, block.arithmetic.limbs
    n_rows = result.shape[0]
    for i in range(n_rows):
        low, high, row_norm = look_at(i, n_rows, rows, offset, norms, everyone, block)
        if math.isnan(row_norm):
            return i
        result[i] = scores[0] > 0.0
        if not abs(scores[0]) > errors[0]:
            sign = dot_sign(theta, offset, 0, -1, values, indices, low, high, 1, 0.0, limbs)
            result[i] = sign >= 0
    return -1


@signs.at_once
def _(loop, rows, theta, offset, norms, everyone, block, result):
    rest = (theta, offset, norms, everyone, block)
    scores, errors = scores_at_once(rows, len(result), offset, norms, block)
    result[:] = scores[:, 0] > 0.0
    return loop_where(~(np.abs(scores) > errors)[:, 0], loop, rows, rest, result)


@row_kernel
def _add_columns(theta, j, columns, first, size, totals, squares):
    """totals[r] += theta[0] . x and squares[r] += ||x||^2 over the columns j ... j + 3.

    The totals are summed as in `score_in_order`.
    """
    j, first, one = np.uint64(j), np.uint64(first), np.uint64(1)
    j1, j2, j3 = j + one, j + one + one, j + one + one + one
    a, b, c, d = theta[0, j], theta[0, j1], theta[0, j2], theta[0, j3]
    for r in range(np.uint64(size)):
        x = theta.dtype.type(columns[j, first + r])
        y = theta.dtype.type(columns[j1, first + r])
        z = theta.dtype.type(columns[j2, first + r])
        t = theta.dtype.type(columns[j3, first + r])
        totals[r] = (((totals[r] + a * x) + b * y) + c * z) + d * t
        squares[r] += (x * x + y * y) + (z * z + t * t)


@_add_columns.by_numpy
def _(theta, j, columns, first, size, totals, squares):
    for column in range(j, j + 4):
        _add_column(theta, column, columns, first, size, totals, squares)


@row_kernel
def _add_column(theta, j, columns, first, size, totals, squares):
    """The same for a single column."""
    j, first = np.uint64(j), np.uint64(first)
    for r in range(np.uint64(size)):
        x = theta.dtype.type(columns[j, first + r])
        totals[r] += theta[0, j] * x
        squares[r] += x * x


@_add_column.by_numpy
def _(theta, j, columns, first, size, totals, squares):
    x = columns[j, first : first + size].astype(theta.dtype)
    totals[:size] += theta[0, j] * x
    squares[:size] += x * x


@kernel
def column_scores(columns, theta, offset, norm, precision, totals, squares, scores, clear):
    """scores[i] <- theta[0] . x_i + offset[0], clear[i] <- whether its sign is certainly right.

    columns : (d, n), the rows of a matrix that is stored column by column
    totals, squares : (B,) in theta's type, scratch; B rows are taken at a time
    The score of a row that is not finite is never clear.
    """
    width, n_rows = columns.shape
    for first in range(0, n_rows, totals.shape[0]):
        size = min(totals.shape[0], n_rows - first)
        totals[:] = 0
        squares[:] = 0
        whole = width - width % 4
        for j in range(0, whole, 4):
            _add_columns(theta, j, columns, first, size, totals, squares)
        for j in range(whole, width):
            _add_column(theta, j, columns, first, size, totals, squares)
        for r in range(size):
            score = np.float64(totals[r]) + np.float64(offset[0])
            row_norm = norm_bound(squares[r], width, precision)
            scores[first + r] = score
            clear[first + r] = abs(score) > product_error(width, norm, row_norm, precision)


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
def strongest_planes(rows, theta, offset, norms, everyone, block, result):
    """result[i] <- the lowest index of the exactly largest score at row i.

    What the scores of the block leave open is summed again in theta's own type, then exactly.
    Returns as `signed_scores`.
    """
    values, indices = rows.values, rows.indices
    arithmetic = block.arithmetic
    scores, errors, limbs = arithmetic.wide, arithmetic.errors, arithmetic.limbs
    n_rows = result.shape[0]
    for i in range(n_rows):
        low, high, row_norm = look_at(i, n_rows, rows, offset, norms, everyone, block)
        if math.isnan(row_norm):
            return i
        best = clear_winner(scores, errors)
        if best < 0:
            bounded_scores(theta, offset, values, indices, low, high, norms, row_norm, everyone,
                           arithmetic)  # fmt: skip
            best = strongest(theta, offset, values, indices, low, high, scores, errors, -1, limbs)
        result[i] = best
    return -1


@strongest_planes.at_once
def _(loop, rows, theta, offset, norms, everyone, block, result):
    rest = (theta, offset, norms, everyone, block)
    scores, errors = scores_at_once(rows, len(result), offset, norms, block)
    best = scores.argmax(axis=1)[:, None]
    floor = np.take_along_axis(scores - errors, best, axis=1)
    rivals = (~(scores + errors < floor)).sum(axis=1)  # as in `clear_winner`
    result[:] = best[:, 0]
    return loop_where(rivals != 1, loop, rows, rest, result)


@kernel
def replay(rule, rows, planes, chosen_rows, chosen_planes, signs, entries, numbers, start, stop):
    """Make moves start ... stop - 1 again: of hyperplane chosen_planes[m] by row chosen_rows[m].

    planes : theta, offset, extra and constant, as in `Planes`, and limbs; changed in place
    numbers : (., N) those of the rule, entries[m] the line of each; signs : -1 where a joint update
        moves away from the row
    With the rounding of training, so that a hypothesis comes back bit for bit.
    """
    theta, offset, extra, constant, limbs = planes
    values, indices, indptr, width = rows
    for m in range(start, stop):
        low, high = span(indptr, width, chosen_rows[m])
        update(
            rule, theta, offset, extra, None, None, chosen_planes[m], signs[m], values, indices,
            low, high, constant, limbs, numbers, entries[m], 0.0,
        )  # fmt: skip
