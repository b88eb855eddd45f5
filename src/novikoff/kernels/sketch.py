"""A sketch of dense rows, one byte a value, that spares most rows a reading in full.

Training from memory is as fast as memory is read. Most examples are no mistake by a wide margin,
and a coarse copy is enough to see it: with x_j = lowest_j + step_j q_j + rest_j and q_j a byte,

    |theta . x - (theta . lowest + sum_j (step_j theta_j) q_j)| <= ||theta|| * ||rest||

on top of the rounding of the sum. Only where this leaves a doubt is the row itself read and the
example decided as always, so that nothing but the time depends on the sketch. Each column has its
own lowest value and step: indicators and pixels have no rest even when they are standardised.
Floats that are integers from 0 to 255 are not even sketched but narrowed: bytes hold them exactly.

Sparse rows have another kind (:mod:`novikoff.kernels.packed`); what a walk asks of either, it asks
by the functions that have a form for each.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from novikoff._jit import by_class, kernel, reordering_row_kernel
from novikoff.kernels.rows import LINE, norm_of, rounded_up_root, row_norm, span
from novikoff.kernels.words import prefetch

_SOME, _TOGETHER = 2**10, 2**16  # values that are narrowed at a time: few enough for a cache


class Sketch(NamedTuple):
    """A coarse copy of dense rows, for some hyperplanes; without rows where there is none."""

    values: Any  # (n * stride,) uint8, q; what follows the d values of a row does not matter
    stride: int
    reach: Any  # (n,) float64: the error of a score is at most this times ||theta||, plus `least`
    least: float
    limit: float  # of ||theta||: beyond it, single precision might overflow
    lowest: Any  # (d,) float64
    step: Any  # (d,) float64
    theta: Any  # (K, stride) float32, step_j theta_j, then zeros; see `refresh`
    n_read: Any  # (1,) int64, how many rows were read after all, in doubt or for an update
    read_in: Any  # (n,) uint8, the epoch in which a row was last read after all; of 256
    epoch: Any  # (1,) uint8, the present one


@by_class
def is_drawn(sketch):
    """Whether there is a sketch."""


@by_class
def sketched(sketch, base, indptr, i):
    """theta[0] . x at row i, as the sketch has it.

    base : what `follow_theta` or `follow_update` has returned last
    """


@by_class
def fetch_sketched(sketch, indptr, i):
    """Have what `sketched` reads on its way from memory."""


@by_class
def follow_theta(sketch, theta):
    """Let the sketch follow theta[0]; returns the `base` of `sketched`."""


@by_class
def follow_update(sketch, theta, offset, norm, indices, low, high):
    """The same after an update by one row, and an upper bound on ||(theta[0], offset[0])||.

    norm : such a bound that is known
    """


@reordering_row_kernel
def _quantise(values, low, width, lowest, step, inverse, result, begin):
    """The bytes of a row; returns the sums of x**2 and of rest**2."""
    total = gap = 0.0
    low, begin = np.uint64(low), np.uint64(begin)
    for j in range(np.uint64(width)):
        x = np.float64(values[low + j])
        above = x - lowest[j]
        q = np.int32(min(max(above * inverse[j] + 0.5, 0.0), 255.0))
        result[begin + j] = q
        rest = above - step[j] * np.float64(q)
        gap += rest * rest
        total += x * x
    return total, gap


@kernel
def draw(values, width, constant, lowest, step, inverse, stride, g, norms, result, reach):
    """Fill in `norms` as `rows.row_norms` does, and the sketch, in one pass over dense rows.

    g : the relative error of a sum of d products in single precision
    Returns the first row with a NaN or an infinity, or -1, and the largest ||theta|| for which no
    sum overflows.
    """
    base = math.sqrt(np.sum(lowest * lowest))
    longest = 1e-30
    for i in range(norms.shape[0]):
        low, high = i * width, (i + 1) * width
        total, gap = _quantise(values, low, width, lowest, step, inverse, result, i * stride)
        norms[i] = norm_of(total, values, low, high, constant)
        if math.isnan(norms[i]):
            return i, 0.0
        length = norms[i] + base
        rest = 1.0001 * math.sqrt(gap) + 1e-12 * length
        reach[i] = 1.0001 * (rest + (g + 1e-9) * (length + rest))
        if not (norms[i] > 1e-30 and reach[i] < 1e30):  # beyond what single precision can weigh
            reach[i] = np.inf
        else:
            longest = max(longest, length + rest)
    return -1, 1e37 / longest


@reordering_row_kernel
def sketch_dot(theta, values, stride, i):
    """theta[0] . q at one row, in single precision."""
    total = np.float32(0)
    low = np.uint64(i * stride)
    for j in range(np.uint64(theta.shape[1])):
        total += theta[0, j] * np.float32(values[low + j])
    return np.float64(total)


@reordering_row_kernel
def refresh(sketch_theta, lowest, step, theta, k):
    """Let the sketch follow theta[k]; returns theta[k] . lowest and ||theta[k]||^2."""
    base = squares = 0.0
    k = np.uint64(k)
    for j in range(np.uint64(lowest.shape[0])):
        weight = np.float64(theta[k, j])
        sketch_theta[k, j] = step[j] * weight
        base += lowest[j] * weight
        squares += weight * weight
    return base, squares


@refresh.by_numpy
def _(sketch_theta, lowest, step, theta, k):
    weights = theta[k, : len(lowest)].astype(np.float64)  # none where there is no sketch
    sketch_theta[k, : len(lowest)] = step * weights
    return lowest @ weights, weights @ weights


@is_drawn.of(Sketch)
def _(sketch):
    return sketch.reach.shape[0] > 0


@sketched.of(Sketch)
def _(sketch, base, indptr, i):
    return base + sketch_dot(sketch.theta, sketch.values, sketch.stride, i)


@fetch_sketched.of(Sketch)
def _(sketch, indptr, i):
    prefetch(sketch.reach, i)
    for p in range(0, sketch.stride, LINE):
        prefetch(sketch.values, i * np.uint64(sketch.stride) + np.uint64(p))


@follow_theta.of(Sketch)
def _(sketch, theta):
    return refresh(sketch.theta, sketch.lowest, sketch.step, theta, np.int64(0))[0]


@follow_update.of(Sketch)
def _(sketch, theta, offset, norm, indices, low, high):
    base, squares = refresh(sketch.theta, sketch.lowest, sketch.step, theta, np.int64(0))
    return base, rounded_up_root(squares + np.float64(offset[0]) ** 2, theta.shape[1])


@reordering_row_kernel
def _narrow_values(values, low, high, result):
    """result[low:high] <- the values as bytes; returns how many are none."""
    lost = 0
    for p in range(np.uint64(low), np.uint64(high)):
        x = values[p]
        q = np.uint8(np.int32(x))
        result[p] = q
        lost += values.dtype.type(q) != x
    return lost


@kernel
def narrow(rows, constant, norms, result):
    """Fill in `norms` as `rows.row_norms` does, and `result` with the values as bytes, exactly.

    Returns whether all of them are integers from 0 to 255; where not, neither is of any use.
    """
    values, _, indptr, width = rows
    n_rows, first = norms.shape[0], 0
    while first < n_rows:
        # Some short rows together: each by itself would be too short for the compiler's vectors.
        low, high = span(indptr, width, first)
        end = first + 1
        while end < n_rows and high - low < _SOME:
            end += 1
            high = span(indptr, width, end - 1)[1]
        if _narrow_values(values, low, high, result) > 0:
            return False
        for i in range(first, end):
            low, high = span(indptr, width, i)
            norms[i] = row_norm(result, low, high, constant)
        first = end
    return True


@narrow.wholly_by_numpy
def _(rows, constant, norms, result):
    n_rows = len(norms)
    ends = np.arange(n_rows + 1) * rows.width if rows.indptr is None else rows.indptr
    step = max(1, _TOGETHER * n_rows // max(1, len(result)))
    for first in range(0, n_rows, step):
        mine = ends[first : first + step + 1]
        x, few = rows.values[mine[0] : mine[-1]], result[mine[0] : mine[-1]]
        few[:] = x  # what does not fit is cut off, and noticed
        if not (few == x).all():
            return False
        # Integers below 2**53: exact, however they are added up.
        total = np.append(0, np.cumsum(np.square(few, dtype=np.int64)))[mine - mine[0]]
        norms[first : first + step] = rounded_up_root(np.diff(total) + constant, np.diff(mine))
    return True
