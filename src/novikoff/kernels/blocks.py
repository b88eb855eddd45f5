"""The scores of a few rows by all hyperplanes, and bounds on their errors.

Scores that somebody sees are summed feature by feature, product and sum rounded for one after the
other: they are those of a plain loop, however the rows are stored and whatever compiled it. Dense
rows are turned into columns for that (see `columns`), at a sparse row the hyperplanes lie side by
side. An only hyperplane has such a loop for sparse rows and for very short ones; where only its
side is asked for, dense rows are summed as is fastest.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from novikoff._jit import kernel, reordering_row_kernel, row_kernel
from novikoff.kernels.columns import score_columns
from novikoff.kernels.filter import (
    Precision,
    exact_below,
    norm_bound,
    precision_of,
    product_error,
    relative_error,
    underflow_error,
)
from novikoff.kernels.rows import Rows, span, sparse_dots

BLOCK, _CHUNK = 64, 64  # rows (several tiles) and columns at a time: they fill the first cache
# The same for an only hyperplane: a call costs as much as some rows. And for columns as they lie.
_LONG_BLOCK, _FEW = 512, 4
EXACT = -1.0  # the error of scores that were not rounded, so that 0 is larger, too


class Block(NamedTuple):
    """Hyperplanes, and room for what is known of a few rows; all in the type of the sums."""

    theta: Any  # (K, d), of dense rows in C order, of sparse ones in Fortran order
    offset: Any  # (K,)
    norm: float  # an upper bound on every ||(theta[k], offset[k])||
    precision: Precision
    exact: float  # see `filter.exact_below`; of rows of integers
    scores: Any  # (K, B), without offsets, for B rows: `BLOCK`, or more for an only hyperplane
    errors: Any  # (B,) bounds on the errors of a row's scores with their offsets, or `EXACT`
    squares: Any  # (B,) ||x||^2, or of rows `in_turn` the sums of the sizes of their terms
    columns: Any  # (., B) those of dense rows, a few at a time; none where `_score_rows` serves
    in_turn: bool  # whether `_score_in_turn` serves
    one: Any  # (K,) the scores of a sparse row
    everyone: Any  # (K,) int64, 0 ... K - 1


def new_block(
    rows: Rows, theta: Any, offset: Any, norm: float, dtype: Any, *, any_order: bool
) -> Block:
    """For the hyperplanes `theta`, shape (K, d), `norm` an upper bound on their norms.

    rows : those that are to be scored
    dtype : the type of the sums, perhaps narrower than theta's
    any_order : sum an only hyperplane as is fastest; for scores that nobody sees
    """
    few = rows.values.flat[:64]  # most data that are not whole are known by these
    whole = all(bool((np.floor(part) == part).all()) for part in (few, offset, theta))
    with np.errstate(over="ignore", under="ignore"):  # the bounds know of both
        theta, offset = theta.astype(dtype, copy=False), offset.astype(dtype, copy=False)
    n_planes, precision = len(theta), precision_of(theta.dtype)
    size, chunk, in_turn = BLOCK, _CHUNK, False
    if n_planes == 1 and rows.values.ndim == 2:
        size, chunk = _LONG_BLOCK, _FEW
    elif n_planes == 1 and (rows.indices is not None or (rows.width < 8 and not any_order)):
        size, chunk, in_turn = _LONG_BLOCK, 0, True  # so few features are not turned by eights
    elif n_planes == 1 and any_order:
        size, chunk = _LONG_BLOCK, 0
    elif n_planes == 1 and rows.width < _CHUNK:
        size, chunk = BLOCK * min(_CHUNK // rows.width, _LONG_BLOCK // BLOCK), rows.width
    return Block(
        theta, offset, norm, precision, exact_below(precision, whole),
        np.empty((n_planes, size), dtype), np.empty(size, dtype), np.empty(size, dtype),
        np.zeros((chunk, size), dtype), in_turn, np.empty(n_planes, dtype), np.arange(n_planes),
    )  # fmt: skip


# As in `rows`, the functions below call nothing and use each array on every path.


@reordering_row_kernel
def _score_and_square(theta, values, low, high):
    """theta[0] . x and ||x||^2 of a dense row, taken while it is in the first cache."""
    low, high = np.uint64(low), np.uint64(high)
    total = square = theta.dtype.type(0)
    for p in range(low, high):
        x = theta.dtype.type(values[p])
        total += theta[0, p - low] * x
        square += x * x
    return total, square


@row_kernel
def _score_rows(theta, values, width, first, size, scores, squares):
    """scores[0], squares <- those of rows of an only hyperplane, which lie as rows."""
    if values.ndim == 2:  # never asked; not to be compiled
        return
    for r in range(size):
        low, high = span(None, width, first + r)
        scores[0, r], squares[r] = _score_and_square(theta, values, low, high)


@reordering_row_kernel
def _square(theta, values, low, high):
    """||x||^2 in theta's type."""
    total = theta.dtype.type(0)
    for p in range(np.uint64(low), np.uint64(high)):
        x = theta.dtype.type(values[p])
        total += x * x
    return total


@row_kernel
def _square_rows(theta, values, width, first, size, squares):
    """squares[r] <- ||x||^2 of dense rows.

    They come from memory one after the other, which is fast; whoever turns them finds them near.
    """
    if values.ndim == 2:  # stored column by column
        squares[:] = 0
        for j in range(width):
            for r in range(np.uint64(size)):
                x = squares.dtype.type(values[j, np.uint64(first) + r])
                squares[r] += x * x
    else:
        for r in range(size):
            low, high = span(None, width, first + r)
            squares[r] = _square(theta, values, low, high)


@row_kernel
def score_and_size(theta, k, values, indices, low, high):
    """theta[k] . x of one row, and the sum of the sizes of its terms."""
    k, low, high = np.uint64(k), np.uint64(low), np.uint64(high)
    total = size = theta.dtype.type(0)
    for p in range(low, high):
        j = p - low if indices is None else indices[p]
        product = theta[k, j] * theta.dtype.type(values[p])
        total += product
        size += abs(product)
    return total, size


@row_kernel
def size_error(n_terms, size, offset, precision):
    """A bound on the error of a score with its offset, by the rounded sum of its terms' sizes.

    Not finite where the sum may have overflowed, or where the row is not.
    """
    g = relative_error(n_terms, precision)
    size = np.float64(size) + abs(np.float64(offset))
    return g * (1.0 + 2.0 * g) * size + underflow_error(n_terms, precision)


@row_kernel
def _whole(values, indptr, width, first, size):
    """Whether all values of so many rows are integers."""
    fractions = 0
    if values.ndim == 2:
        for j in range(width):
            for i in range(np.uint64(first), np.uint64(first + size)):
                fractions += values[j, i] != np.floor(values[j, i])
    else:
        low, _ = span(indptr, width, first)
        _, high = span(indptr, width, first + size - 1)
        for p in range(np.uint64(low), np.uint64(high)):
            fractions += values[p] != np.floor(values[p])
    return fractions == 0


@row_kernel
def _set_error(errors, r, error, size, exact):
    """errors[r] <- `error`, rounded upwards; or `EXACT`, if no sum can exceed `size` < `exact`."""
    errors[r] = EXACT if size < exact else errors.dtype.type(error * (1.0 + 2.0**-22))


@row_kernel
def _score_in_turn(theta, offset, values, indices, indptr, width, first, size, exact, precision,
                   scores, sizes, errors):  # fmt: skip
    """scores[0], errors <- those of rows of an only hyperplane; bounds are made of the terms."""
    if values.ndim == 2:  # never asked; not to be compiled
        return
    longest = 0
    for r in range(np.uint64(size)):
        low, high = span(indptr, width, np.uint64(first) + r)
        scores[0, r], sizes[r] = score_and_size(theta, 0, values, indices, low, high)
        longest = max(longest, high - low)
    for r in range(np.uint64(size)):
        error = size_error(longest, sizes[r], offset[0], precision)
        _set_error(errors, r, error, error / precision.unit, exact)


@row_kernel
def _score_sparse(theta, norm, values, indices, low, high, everyone, precision, scores):
    """scores[k] <- theta[k] . x of a sparse row; returns bounds on their errors and sizes."""
    if indices is None:  # never asked; not to be compiled
        return 0.0, 0.0
    sparse_dots(theta, values, indices, low, high, everyone, 0, theta.shape[0], scores)
    row_norm = norm_bound(_square(theta, values, low, high), high - low, precision)
    return product_error(high - low, norm, row_norm, precision), norm * row_norm


@kernel
def score_block(rows, first, size, block):
    """block.scores, .errors <- those of `size` rows, as many as it holds or less, from `first`."""
    values, indices, indptr, width = rows
    theta, scores, errors, squares = block.theta, block.scores, block.errors, block.squares
    norm, precision = block.norm, block.precision
    exact = block.exact if block.exact > 0.0 and _whole(values, indptr, width, first, size) else 0.0
    if block.in_turn:
        _score_in_turn(
            theta, block.offset, values, indices, indptr, width, first, size, exact, precision,
            scores, squares, errors,
        )  # fmt: skip
        return
    if indices is not None:
        for r in range(size):
            low, high = span(indptr, width, first + r)
            error, most = _score_sparse(
                theta, norm, values, indices, low, high, block.everyone, precision, block.one
            )
            _set_error(errors, r, error, most, exact)
            for k in range(theta.shape[0]):
                scores[k, r] = block.one[k]
        return
    if block.columns.shape[0] == 0:
        _score_rows(theta, values, width, first, size, scores, squares)
    else:
        _square_rows(theta, values, width, first, size, squares)
        score_columns(theta, values, width, first, size, block.columns, scores)
    for r in range(np.uint64(size)):
        row_norm = norm_bound(squares[r], width, precision)
        error = product_error(width, norm, row_norm, precision)
        _set_error(errors, r, error, norm * row_norm, exact)
