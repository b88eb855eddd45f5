"""A sketch of sparse rows, four bytes a value and not twelve; see :mod:`novikoff.kernels.sketch`.

A word of 32 bits has the column in its lower bits and q, with its sign, in the others:
x_j = unit q_j + rest_j with a unit of each row's own, and

    |theta . x - unit (copy . q)| <= ||theta|| ||rest||

for a copy of theta in single precision, on top of its rounding and that of the sum.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from novikoff._jit import fusing_row_kernel, kernel, reordering_row_kernel
from novikoff.kernels.filter import precision_of, relative_error
from novikoff.kernels.rows import LINE, span, sum_of_squares
from novikoff.kernels.sketch import (
    fetch_sketched,
    follow_theta,
    follow_update,
    is_drawn,
    sketched,
)
from novikoff.kernels.words import prefetch

_SINGLE = precision_of(np.float32)


class Packed(NamedTuple):
    """A coarse copy of sparse rows, for an only hyperplane; without rows where there is none."""

    words: Any  # (nnz,) int32, q << bits | column
    bits: int  # of a column
    unit: Any  # (n,) float64
    reach: Any  # as of a `Sketch`, like what follows it
    least: float
    limit: float
    theta: Any  # (1, d) float32
    n_read: Any
    read_in: Any
    epoch: Any


class Unpacked(Packed):
    """Of sparse rows that will have none: the compiler drops what would look at it."""


@is_drawn.of(Packed)
def _(sketch):
    return sketch.reach.shape[0] > 0


@is_drawn.of(Unpacked)
def _(sketch):
    return False


@kernel
def pack(rows, norms, bits, unit, reach, words):
    """Fill in a `Packed`, of sparse rows with these `norms`.

    Returns the largest ||theta|| for which no sum overflows.
    """
    values, indices, indptr, _ = rows
    most = np.float64((1 << (31 - bits)) - 1)
    longest = 1.0
    for i in range(norms.shape[0]):
        low, high = span(indptr, 0, i)
        total = sum_of_squares(values, low, high)
        weighable = 1e-60 < total < 1e60  # in single precision
        unit[i] = math.sqrt(total) / most if weighable else 0.0  # no value is above the root
        inverse = 1.0 / unit[i] if weighable else 0.0
        gap = _pack_row(values, indices, low, high, unit[i], inverse, bits, words)
        rest = 1.0001 * math.sqrt(gap) + 1e-12 * norms[i]
        length = norms[i] + rest
        reach[i] = 1.0001 * (rest + (relative_error(high - low, _SINGLE) + 1e-7) * length)
        if not reach[i] < 1e30:
            reach[i] = np.inf
        elif weighable:
            longest = max(longest, length / unit[i])
    return 1e37 / longest


@reordering_row_kernel
def _pack_row(values, indices, low, high, unit, inverse, bits, words):
    """The words of a row; returns the sum of rest**2."""
    gap = 0.0
    for p in range(np.uint64(low), np.uint64(high)):
        x = np.float64(values[p])
        q = np.int32(np.rint(x * inverse))
        words[p] = np.int32(q << bits) | np.int32(indices[p])
        rest = x - unit * np.float64(q)
        gap += rest * rest
    return gap


@fusing_row_kernel
def packed_dot(theta, words, bits, low, high):
    """theta[0] . q at one row, in single precision; as `rows._sparse_dot`."""
    column = np.uint64((1 << bits) - 1)
    one, two, three, four = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
    total = second = third = fourth = np.float32(0)
    p = np.uint64(low)
    for _ in range((high - low) >> 2):
        a, b, c, d = words[p], words[p + one], words[p + two], words[p + three]
        total += theta[0, np.uint64(a) & column] * np.float32(a >> bits)
        second += theta[0, np.uint64(b) & column] * np.float32(b >> bits)
        third += theta[0, np.uint64(c) & column] * np.float32(c >> bits)
        fourth += theta[0, np.uint64(d) & column] * np.float32(d >> bits)
        p += four
    while p < np.uint64(high):
        total += theta[0, np.uint64(words[p]) & column] * np.float32(words[p] >> bits)
        p += one
    return np.float64((total + second) + (third + fourth))


@sketched.of(Packed)
@sketched.of(Unpacked)
def _(sketch, base, indptr, i):
    low, high = span(indptr, 0, i)
    return sketch.unit[i] * packed_dot(sketch.theta, sketch.words, sketch.bits, low, high)


@fetch_sketched.of(Packed)
@fetch_sketched.of(Unpacked)
def _(sketch, indptr, i):
    prefetch(sketch.reach, i)
    prefetch(sketch.unit, i)
    low, line = indptr[i], LINE // sketch.words.itemsize
    for p in range(low, low + 4 * line, line):  # the processor sees where that leads
        prefetch(sketch.words, p)


@follow_theta.of(Packed)
@follow_theta.of(Unpacked)
def _(sketch, theta):
    for j in range(theta.shape[1]):
        sketch.theta[0, j] = theta[0, j]
    return 0.0


@follow_update.of(Packed)
@follow_update.of(Unpacked)
def _(sketch, theta, offset, norm, indices, low, high):
    for p in range(np.uint64(low), np.uint64(high)):
        sketch.theta[0, indices[p]] = theta[0, indices[p]]
    return 0.0, norm
