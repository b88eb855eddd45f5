"""What ordinary Python does for all rows at once: `Kernel.at_once` registers it.

All rows are scored, dense ones by a product of matrices; what the bounds on the errors leave open,
or what is not finite, goes through the loop that is compiled elsewhere.
"""

from __future__ import annotations

import numpy as np

from novikoff.kernels.filter import norm_bound, product_error
from novikoff.kernels.rows import take


def scores_at_once(rows, n_rows, offset, norms, block):
    """(n, K) each: the scores of the rows, with offsets, and bounds on their errors."""
    if rows.indices is not None:
        return scores_in_order_at_once(rows, n_rows, offset, norms, block)
    x = _dense(rows, n_rows, block)
    return (x @ block.theta.T).astype(np.float64) + offset, _dense_errors(x, norms, block)


def scores_in_order_at_once(rows, n_rows, offset, norms, block):
    """The same, the scores summed as in `score_in_order`."""
    theta = block.theta
    totals = np.zeros((n_rows, len(theta)), theta.dtype)
    if rows.indices is None:
        x = _dense(rows, n_rows, block)
        for j in range(rows.width):
            totals += x[:, j : j + 1] * theta[:, j]
        errors = _dense_errors(x, norms, block)
    else:
        lengths = np.diff(rows.indptr)
        stored = slice(rows.indptr[0], rows.indptr[-1])
        x, columns = rows.values[stored].astype(theta.dtype), rows.indices[stored]
        row = np.repeat(np.arange(n_rows), lengths)
        for k in range(len(theta)):
            np.add.at(totals[:, k], row, theta[k, columns] * x)  # one after the other
        squares = np.zeros(n_rows, theta.dtype)
        np.add.at(squares, row, x * x)
        errors = _errors(squares, lengths.max(initial=0), norms, block)
    return totals.astype(np.float64) + offset, errors


def _dense(rows, n_rows, block):
    return rows.values.reshape(n_rows, rows.width).astype(block.theta.dtype, copy=False)


def _dense_errors(x, norms, block):
    return _errors(np.einsum("ij,ij->i", x, x), x.shape[1], norms, block)


def _errors(squares, n_terms, norms, block):
    row_norms = norm_bound.plain(squares, n_terms, block.precision)
    return product_error.plain(n_terms, norms, row_norms[:, None], block.precision)


def loop_where(unclear, loop, rows, arguments, result):
    """Let the loop decide about the rows that are `unclear`; returns what it returns."""
    chosen = np.flatnonzero(unclear)
    if len(chosen) == 0:
        return -1
    decided = np.empty((len(chosen), *result.shape[1:]), result.dtype)
    bad = loop(take(rows, chosen), *arguments, decided)
    result[chosen] = decided
    return bad if bad < 0 else int(chosen[bad])
