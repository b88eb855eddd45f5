"""What ordinary Python does for all rows at once: `Kernel.at_once` registers it.

All rows are scored, dense ones by a product of matrices; what the bounds on the errors leave open,
or what is not finite, goes through a loop.
"""

from __future__ import annotations

import numpy as np

from novikoff.kernels.blocks import EXACT
from novikoff.kernels.filter import (
    norm_bound,
    product_error,
    relative_error,
    score_error,
    underflow_error,
)
from novikoff.kernels.rows import take

# Rows that a walk looks at together, and so many at least must be clear for it to be worth while.
_FEWEST, _MOST, _WORTH = 8, 1024, 4


def scores_at_once(rows, n_rows, block):
    """(n, K), (n, 1): the scores of the rows, with offsets, and a bound on the errors of a row."""
    theta = block.theta
    if rows.indices is None:
        x = _dense(rows, n_rows, block)
        scores, errors = x @ theta.T, _dense_errors(rows, x, block)
    else:
        from scipy.sparse import csr_array

        x, columns, row = _sparse(rows, n_rows, block)
        indptr = rows.indptr - rows.indptr[0]
        X = csr_array((x, columns.view(f"i{columns.itemsize}"), indptr), (n_rows, rows.width))
        scores, errors = X @ theta.T, _sparse_errors(rows, x, row, block)
    return scores.astype(np.float64) + block.offset, errors


def scores_in_order_at_once(rows, n_rows, block):
    """The same, the scores summed feature by feature."""
    theta = block.theta
    totals = np.zeros((n_rows, len(theta)), theta.dtype)
    if rows.indices is None:
        x = _dense(rows, n_rows, block)
        for j in range(rows.width):
            totals += x[:, j : j + 1] * theta[:, j]
        errors = _dense_errors(rows, x, block)
    else:
        x, columns, row = _sparse(rows, n_rows, block)
        for k in range(len(theta)):
            totals[:, k] = _sums_in_order(row, theta[k, columns] * x, n_rows)
        errors = _sparse_errors(rows, x, row, block)
    return totals.astype(np.float64) + block.offset, errors


def _sparse(rows, n_rows, block):
    """The values, their columns and the rows they are in."""
    stored = slice(rows.indptr[0], rows.indptr[-1])
    row = np.repeat(np.arange(n_rows), np.diff(rows.indptr))
    return rows.values[stored].astype(block.theta.dtype, copy=False), rows.indices[stored], row


def _sums_in_order(row, terms, n_rows):
    """The sum of the terms of each row, one after the other; both of these are such sums."""
    if terms.dtype == np.float64:
        return np.bincount(row, terms, minlength=n_rows)
    totals = np.zeros(n_rows, terms.dtype)
    np.add.at(totals, row, terms)
    return totals


def _sparse_errors(rows, x, row, block):
    n_rows = len(rows.indptr) - 1
    squares = np.bincount(row, x * x, minlength=n_rows)
    return _errors(rows, squares, np.diff(rows.indptr).max(initial=0), block)


def _dense(rows, n_rows, block):
    values = rows.values
    x = values.T if values.ndim == 2 else values.reshape(n_rows, rows.width)
    return x.astype(block.theta.dtype, copy=False)


def _dense_errors(rows, x, block):
    return _errors(rows, np.einsum("ij,ij->i", x, x), x.shape[1], block)


def _errors(rows, squares, n_terms, block):
    row_norms = norm_bound.plain(squares, n_terms, block.precision)[:, None]
    errors = product_error.plain(n_terms, block.norm, row_norms, block.precision)
    if block.exact > 0.0 and (np.floor(rows.values) == rows.values).all():
        errors[block.norm * row_norms < block.exact] = EXACT
    return errors


def leaping(walk, is_clear, order, start, pass_over=None):
    """Visit rows ``order[start:]`` as `walk` does, leaping over rows that ask for nothing.

    Until the next update rows do not depend on each other: those that are clear up to the first
    that is not are passed over together. Where updates are frequent, leaps are short, and `walk` is
    given more and more rows before the next one.

    walk : (order, start) -> (position, status), the loop; it may stop early
    is_clear : (rows) -> whether each of them certainly asks for nothing, as things stand
    pass_over : (rows) -> None, told of those that were
    """
    position, ahead, in_turn = start, _FEWEST, 1
    while position < len(order):
        block = order[position : position + ahead]
        clear = is_clear(block)
        length = len(block) if clear.all() else int(clear.argmin())
        if pass_over is not None:
            pass_over(block[:length])
        position += length
        ahead = min(max(2 * length, _FEWEST), _MOST)
        if length == len(block):
            continue
        in_turn = 1 if length >= _WORTH else min(2 * in_turn, _MOST)
        end = min(position + in_turn, len(order))
        position, status = walk(order[:end], position)
        if status != 0 or position < end:
            return position, status
    return len(order), 0


def bounded_at_once(rows, planes, row_norms, arithmetic, chosen):
    """(n, K) the scores of the rows `chosen`, and one bound on the errors of all of them."""
    theta, precision = planes.theta, arithmetic.precision
    if rows.indices is None:
        longest = rows.width
        x = rows.values.reshape(len(row_norms), longest)[chosen].astype(theta.dtype, copy=False)
        scores = x @ theta.T
    else:
        few = take(rows, chosen)
        lengths = np.diff(few.indptr)
        longest, row = int(lengths.max(initial=0)), np.repeat(np.arange(len(chosen)), lengths)
        products = theta[:, few.indices] * few.values.astype(theta.dtype)
        scores = np.array([np.bincount(row, each, len(chosen)) for each in products]).T
    error = score_error.plain(
        relative_error.plain(longest, precision),
        row_norms[chosen].max(initial=0.0) * planes.norms.max(),
        underflow_error.plain(longest, precision), precision, arithmetic.exact,
    )  # fmt: skip
    return scores.astype(np.float64) + planes.offset, error
