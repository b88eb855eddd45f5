"""Rows as the kernels see them, dense and sparse alike.

A matrix is a flat array of `values`. Row i lies at ``values[low:high]``: in a dense matrix with
``low = i * width``, in a CSR matrix with ``low = indptr[i]``. Sparse rows also have `indices`, the
column of each value, as *unsigned* integers (signed ones make numba test for wrap-around at every
access); for dense rows `indices` and `indptr` are None and the compiler drops the sparse branches.

The weights `theta` have shape (K, d): one row per hyperplane. With dense rows they are stored in C
order, with sparse rows in Fortran order, so that the K weights of one feature lie side by side.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from novikoff._jit import kernel, reordering_kernel


class Rows(NamedTuple):
    """A data matrix; see the module's text."""

    values: Any  # (nnz,) any real type
    indices: Any  # (nnz,) uint32 or uint64, or None
    indptr: Any  # (n + 1,) int64, or None
    width: int  # d


@kernel
def span(indptr, width, i):
    """Where row `i` lies: (low, high)."""
    if indptr is None:
        return i * width, (i + 1) * width
    else:
        return indptr[i], indptr[i + 1]


@reordering_kernel
def _dense_dot(theta, k, values, low, high):
    total = theta.dtype.type(0)
    plane, low = np.uint64(k), np.uint64(low)
    for p in range(low, np.uint64(high)):
        total += theta[plane, p - low] * theta.dtype.type(values[p])
    return total


@reordering_kernel
def _sparse_dot(theta, k, values, indices, low, high):
    a = b = c = d = theta.dtype.type(0)
    plane, low = np.uint64(k), np.uint64(low)
    whole = low + (np.uint64(high) - low) // np.uint64(4) * np.uint64(4)
    one, two, three = np.uint64(1), np.uint64(2), np.uint64(3)
    for p in range(low, whole, np.uint64(4)):
        a += theta[plane, indices[p]] * theta.dtype.type(values[p])
        b += theta[plane, indices[p + one]] * theta.dtype.type(values[p + one])
        c += theta[plane, indices[p + two]] * theta.dtype.type(values[p + two])
        d += theta[plane, indices[p + three]] * theta.dtype.type(values[p + three])
    for p in range(whole, np.uint64(high)):
        a += theta[plane, indices[p]] * theta.dtype.type(values[p])
    return (a + b) + (c + d)


@reordering_kernel
def _sparse_dots(theta, values, indices, low, high, scores):
    """scores[k] <- theta[k] . x for every k, reading each feature's K weights side by side."""
    scores[:] = 0
    for p in range(np.uint64(low), np.uint64(high)):
        x = theta.dtype.type(values[p])
        j = indices[p]
        for k in range(scores.shape[0]):
            scores[k] += theta[k, j] * x


@reordering_kernel
def _chosen_sparse_dots(theta, values, indices, low, high, planes, first, last, scores):
    """The same for the hyperplanes planes[first:last] only."""
    for a in range(first, last):
        scores[planes[a]] = 0
    for p in range(np.uint64(low), np.uint64(high)):
        x = theta.dtype.type(values[p])
        j = indices[p]
        for a in range(first, last):
            scores[planes[a]] += theta[planes[a], j] * x


@kernel
def dots(theta, values, indices, low, high, planes, first, last, scores):
    """scores[k] <- theta[k] . x at one row, for every k in planes[first:last].

    In floating point, summed in any order; :mod:`novikoff.kernels.filter` bounds the error.
    """
    if indices is None:
        for a in range(first, last):
            scores[planes[a]] = _dense_dot(theta, planes[a], values, low, high)
    elif theta.shape[0] == 1:
        scores[0] = _sparse_dot(theta, 0, values, indices, low, high)
    elif 2 * (last - first) >= theta.shape[0]:
        _sparse_dots(theta, values, indices, low, high, scores)
    else:
        _chosen_sparse_dots(theta, values, indices, low, high, planes, first, last, scores)


@kernel
def add_row(theta, sums, k, values, indices, low, high, step, count):
    """theta[k] <- theta[k] + step * x, rounded after the product and after the sum.

    Changes theta[k], and the lazy average ``sums[k] += count * (new - old)`` unless it is None.
    """
    if indices is None:
        row = values[low:high]
        weights = theta[k]
        for j in range(row.shape[0]):
            old = weights[j]
            new = old + step * weights.dtype.type(row[j])
            weights[j] = new
            if sums is not None:
                sums[k, j] += count * (np.float64(new) - np.float64(old))
    else:
        columns = indices[low:high]
        row = values[low:high]
        for p in range(row.shape[0]):
            j = columns[p]
            old = theta[k, j]
            new = old + step * theta.dtype.type(row[p])
            theta[k, j] = new
            if sums is not None:
                sums[k, j] += count * (np.float64(new) - np.float64(old))


@reordering_kernel
def _sum_of_squares(values, low, high):
    total = 0.0
    for p in range(np.uint64(low), np.uint64(high)):
        x = np.float64(values[p])
        total += x * x
    return total


@kernel
def row_norms(rows, constant, norms):
    """norms[i] <- an upper bound on ||(x_i, constant)||, for every row.

    Returns the first row with a NaN or an infinity, or -1.
    """
    values, _, indptr, width = rows
    for i in range(norms.shape[0]):
        low, high = span(indptr, width, i)
        total = _sum_of_squares(values, low, high) + constant
        if not math.isfinite(total):
            for p in range(low, high):
                if not math.isfinite(values[p]):
                    return i
            total = np.inf  # the squares overflowed, the values did not
        norms[i] = rounded_up_root(total, high - low)
    return -1


@kernel
def rounded_up_root(total, n_terms):
    """An upper bound on the root of an exact sum of n squares that was rounded to `total`."""
    return math.sqrt(total * (1.0 + (n_terms + 8) * 2.0**-52) + (n_terms + 1) * 2.0**-1022)
