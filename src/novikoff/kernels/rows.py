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

from novikoff._jit import fusing_row_kernel, reordering_row_kernel, row_kernel, steady_kernel
from novikoff.kernels.registers import (
    REGISTER,
    eight_sums,
    five_rows,
    four_sums,
    numbers_of,
    one_row,
    sixteen_sums,
    sixty_four_sums,
)
from novikoff.kernels.words import prefetch

AHEAD = 8  # so many rows before it is visited a row is fetched, see `fetch`
LINE = 64  # bytes that come from memory together
FETCHED = 8  # so many lines of a dense row are


class Rows(NamedTuple):
    """A data matrix; see the module's text."""

    values: Any  # (nnz,) any real type; (d, n) of a matrix stored column by column, to predict for
    indices: Any  # (nnz,) uint32 or uint64, or None
    indptr: Any  # (n + 1,) int64, or None
    width: int  # d


def read_only(array: Any) -> Any:
    """A plain, read-only view: one kernel then serves arrays, memory maps and frames alike."""
    view = np.asarray(array).view()
    view.flags.writeable = False
    return view


def take(rows: Rows, index: Any) -> Rows:
    """The rows numbered `index`, copied (dense rows of a slice are not)."""
    if rows.indices is None:
        columns = rows.values.ndim == 2
        X = rows.values.T if columns else rows.values.reshape(-1, rows.width)
        return Rows(read_only(X[index].ravel()), None, None, rows.width)
    lengths = np.diff(rows.indptr)[index]
    indptr = np.concatenate([[0], np.cumsum(lengths)])
    source = np.repeat(rows.indptr[:-1][index] - indptr[:-1], lengths) + np.arange(indptr[-1])
    return Rows(
        read_only(rows.values[source]),
        read_only(rows.indices[source]),
        read_only(indptr),
        rows.width,
    )


@row_kernel
def span(indptr, width, i):
    """Where row `i` lies: (low, high)."""
    if indptr is None:
        return np.int64(i) * width, (np.int64(i) + 1) * width
    else:
        return indptr[i], indptr[np.uint64(i) + np.uint64(1)]


@row_kernel
def fetch(values, indices, indptr, width, norms, i):
    """Have row `i` and its norm on their way from memory, or as much of it as is long to wait for.

    Rows that follow each other the processor fetches by itself; in a random order it cannot know.
    """
    i = np.uint64(i)
    low, high = span(indptr, width, i)
    prefetch(norms, i)
    if indices is None:
        line = LINE // values.itemsize
        most = low + FETCHED * line
        for p in range(low, most if most < high else high, line):
            prefetch(values, p)
    else:
        prefetch(values, low)
        prefetch(indices, low)


@row_kernel
def fetch_rest(values, indices, indptr, i):
    """Have the rest of a sparse row on its way, whose beginning was fetched some rows ago."""
    if indices is not None:
        low, high = span(indptr, np.int64(0), np.uint64(i))
        line = LINE // indices.itemsize
        for p in range(low + line, high, line):
            prefetch(values, p)
            prefetch(indices, p)


@row_kernel
def by_fives(theta, values, low, length, planes, first, last, scores):
    """scores[k] <- theta[k] . values[low : low + length], for every k in planes[first:last].

    See `registers.one_row` for the types, and for how many values there must be.
    """
    a = first
    if last - first >= 5:
        while a < last:  # the last five reach back, and some sums are taken twice
            five_rows(theta, planes, min(a, last - 5), values, low, length, scores)
            a += 5
    while a < last:
        one_row(theta, planes, a, values, low, length, scores)
        a += 1


# The two functions below call nothing and use each array on every path: numba then counts no
# references inside the loop over the rows, which would cost more than a short row.


@reordering_row_kernel
def _dense_dots(theta, values, low, high, planes, first, last, scores):
    """scores[k] <- theta[k] . x for every k in planes[first:last].

    Several hyperplanes at a time, so that a value is loaded and converted once for all of them.
    """
    low, high = np.uint64(low), np.uint64(high)
    if last - first >= 5 and (high - low) * theta.itemsize >= REGISTER:
        by_fives(theta, values, low, high - low, planes, first, last, scores)
        return
    a = first
    while a + 1 < last:
        k, m = np.uint64(planes[a]), np.uint64(planes[a + 1])
        total = other = theta.dtype.type(0)
        for p in range(low, high):
            x = theta.dtype.type(values[p])
            total += theta[k, p - low] * x
            other += theta[m, p - low] * x
        scores[k] = total
        scores[m] = other
        a += 2
    if a < last:
        k = np.uint64(planes[a])
        total = theta.dtype.type(0)
        for p in range(low, high):
            total += theta[k, p - low] * theta.dtype.type(values[p])
        scores[k] = total


@_dense_dots.by_numpy
def _(theta, values, low, high, planes, first, last, scores):
    chosen = planes[first:last]
    scores[chosen] = theta[chosen] @ values[low:high].astype(theta.dtype)


@row_kernel
def sparse_dots(theta, values, indices, low, high, planes, first, last, scores):
    """The same for a sparse row; of several hyperplanes each feature's weights lie side by side.

    The planes ascend; scores of others that lie between them may be overwritten. Product and sum
    are rounded for one feature after the other.
    """
    low, high = np.uint64(low), np.uint64(high)
    n_planes = theta.shape[0] if theta.strides[0] == theta.itemsize else 1
    a = first
    while a < last:
        # A group from the next hyperplane on that is wanted (they ascend), as large as enough of it
        # is wanted; or the smallest that holds the rest.
        k = planes[a]
        left = planes[last - 1] + 1 - k
        if left > 16 and n_planes >= 64 and planes[min(a + 16, last - 1)] < k + 64:
            k = min(k, n_planes - 64)
            sixty_four_sums(theta, k, values, indices, low, high, scores)
            done = k + 64
        elif left > 8 and n_planes >= 16 and planes[min(a + 3, last - 1)] < k + 16:
            k = min(k, n_planes - 16)
            sixteen_sums(theta, k, values, indices, low, high, scores)
            done = k + 16
        elif left > 4 and n_planes >= 8 and planes[min(a + 2, last - 1)] < k + 8:
            k = min(k, n_planes - 8)
            eight_sums(theta, k, values, indices, low, high, scores)
            done = k + 8
        elif n_planes >= 4:
            k = min(k, n_planes - 4)
            four_sums(theta, k, values, indices, low, high, scores)
            done = k + 4
        else:
            total = theta.dtype.type(0)
            for p in range(low, high):
                total += theta[k, indices[p]] * theta.dtype.type(values[p])
            scores[k] = total
            done = k + 1
        a = min(a + done - k, last)
        while planes[a - 1] >= done:
            a -= 1


@sparse_dots.by_numpy
def _(theta, values, indices, low, high, planes, first, last, scores):
    chosen = planes[first:last]
    weights = numbers_of(theta[chosen[:, None], indices[low:high]])
    scores[chosen] = weights @ values[low:high].astype(weights.dtype)


@reordering_row_kernel
def _dense_dot(theta, values, low, high):
    total = theta.dtype.type(0)
    for p in range(np.uint64(low), np.uint64(high)):
        total += theta[0, p - np.uint64(low)] * theta.dtype.type(values[p])
    return total


@fusing_row_kernel
def _sparse_dot(theta, values, indices, low, high):
    """Four sums wait less than one; a compiler that may reorder them gathers: slower here."""
    one, two, three, four = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
    total = second = third = fourth = theta.dtype.type(0)
    p = np.uint64(low)
    for _ in range((high - low) >> 2):
        total += theta[0, indices[p]] * theta.dtype.type(values[p])
        second += theta[0, indices[p + one]] * theta.dtype.type(values[p + one])
        third += theta[0, indices[p + two]] * theta.dtype.type(values[p + two])
        fourth += theta[0, indices[p + three]] * theta.dtype.type(values[p + three])
        p += four
    while p < np.uint64(high):
        total += theta[0, indices[p]] * theta.dtype.type(values[p])
        p += one
    return (total + second) + (third + fourth)


@row_kernel
def dot(theta, values, indices, low, high):
    """theta[0] . x at one row, for an only hyperplane; as `dots`."""
    if indices is None:
        return np.float64(_dense_dot(theta, values, low, high))
    else:
        return np.float64(_sparse_dot(theta, values, indices, low, high))


@dot.by_numpy
def _(theta, values, indices, low, high):
    weights = theta[0] if indices is None else theta[0, indices[low:high]]
    return np.float64(weights @ values[low:high].astype(theta.dtype))


@row_kernel
def dots(theta, values, indices, low, high, planes, first, last, scores):
    """scores[k] <- theta[k] . x at one row, for every k in planes[first:last].

    In floating point, summed in any order; :mod:`novikoff.kernels.filter` bounds the error. The
    planes ascend.
    """
    if indices is None:
        _dense_dots(theta, values, low, high, planes, first, last, scores)
    elif theta.shape[0] == 1:
        scores[0] = _sparse_dot(theta, values, indices, low, high)
    else:
        sparse_dots(theta, values, indices, low, high, planes, first, last, scores)


@row_kernel
def add_row(theta, sums, k, values, indices, low, high, step, count):
    """theta[k] <- theta[k] + step * x, rounded after the product and after the sum.

    Changes theta[k], and the lazy average ``sums[k] += count * (new - old)`` unless it is None.
    """
    plane, low, high = np.uint64(k), np.uint64(low), np.uint64(high)
    for p in range(low, high):
        j = p - low if indices is None else indices[p]
        old = theta[plane, j]
        new = old + step * theta.dtype.type(values[p])
        theta[plane, j] = new
        if sums is not None:
            sums[plane, j] += count * (np.float64(new) - np.float64(old))


@add_row.by_numpy
def _(theta, sums, k, values, indices, low, high, step, count):
    columns = slice(None) if indices is None else indices[low:high]
    old = theta[k, columns].copy()
    new = old + step * values[low:high].astype(theta.dtype)
    theta[k, columns] = new
    if sums is not None:
        sums[k, columns] += count * (new.astype(np.float64) - old.astype(np.float64))


@reordering_row_kernel
def sum_of_squares(values, low, high):
    """||x||^2 in double precision."""
    total = 0.0
    for p in range(np.uint64(low), np.uint64(high)):
        x = np.float64(values[p])
        total += x * x
    return total


@sum_of_squares.by_numpy
def _(values, low, high):
    # Not by a product of vectors, whose last bits may depend on how many threads there are.
    return np.square(values[low:high], dtype=np.float64).sum()


@row_kernel
def row_norm(values, low, high, constant):
    """An upper bound on ||(x, constant)||, with constant 0 or 1; NaN if x is not finite."""
    return norm_of(sum_of_squares(values, low, high), values, low, high, constant)


@row_kernel
def norm_of(squares, values, low, high, constant):
    """`row_norm`, where the sum of the squares is known."""
    total = squares + constant
    if not math.isfinite(total):
        for p in range(low, high):
            if not math.isfinite(values[p]):
                return np.nan
        return np.inf  # the squares overflowed, the values did not
    return rounded_up_root(total, high - low)


@steady_kernel(2**16)
def row_norms(rows, constant, norms):
    """norms[i] <- an upper bound on ||(x_i, constant)||, for every row.

    Decisions do not depend on the last bits of these, but searches for certificates may.
    Returns the first row with a NaN or an infinity, or -1.
    """
    values, _, indptr, width = rows
    for i in range(norms.shape[0]):
        low, high = span(indptr, width, i)
        norms[i] = row_norm(values, low, high, constant)
        if math.isnan(norms[i]):
            return i
    return -1


@row_kernel
def rounded_up_root(total, n_terms):
    """An upper bound on the root of an exact sum of n squares that was rounded to `total`."""
    return np.sqrt(total * (1.0 + (n_terms + 8) * 2.0**-52) + (n_terms + 1) * 2.0**-1022)


@row_norms.by_numpy
def _(rows, constant, norms):
    values, _, indptr, width = rows
    if indptr is None:
        x = values.reshape(len(norms), width).astype(np.float64)
        squares, lengths = np.einsum("ij,ij->i", x, x), width
    else:
        lengths = np.diff(indptr)
        each = np.square(values[indptr[0] : indptr[-1]], dtype=np.float64)
        squares = np.bincount(np.repeat(np.arange(len(norms)), lengths), each, len(norms))
    norms[:] = rounded_up_root(squares + constant, lengths)
    if np.isfinite(norms).all():
        return -1
    for i in range(len(norms)):
        norms[i] = row_norm(values, *span(indptr, width, i), constant)
        if math.isnan(norms[i]):
            return i
    return -1
