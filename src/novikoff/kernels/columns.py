"""Scores of dense rows by columns: the loop over rows is the one that is made of vectors.

A few rows and columns at a time, which stay in the first cache. Product and sum are rounded for one
feature after the other, so scores are those of a plain loop; but rows do not wait for each other.
Rows that are stored one after the other are turned into columns first. An only hyperplane reads
what is stored column by column as it lies.
"""

from __future__ import annotations

import numpy as np

from novikoff._jit import kernel, row_kernel
from novikoff.kernels.tiles import WIDTH, add_four, add_two, turn_eight

_SOME = 64  # rows, whose values stay in a cache until their last column is there


@row_kernel
def _turn_eight(flat, start, step, target, i, j, height):
    """The same as `turn` for a width of eight."""
    for a in range(0, height - 7, 8):
        turn_eight(flat, start + a, step, target, i + a, j)
    if height % 8:  # the last eight reach back
        turn_eight(flat, start + height - 8, step, target, i + height - 8, j)


@row_kernel
def turn(flat, start, step, target, i, j, height, width):
    """target[i + a, j + b] <- flat[start + b * step + a], for a < height and b < width."""
    if height < 8 or width < 8:
        i, j, start, step = np.uint64(i), np.uint64(j), np.uint64(start), np.uint64(step)
        for b in range(np.uint64(width)):
            for a in range(np.uint64(height)):
                target[i + a, j + b] = target.dtype.type(flat[start + b * step + a])
        return
    for b in range(0, width - 7, 8):
        _turn_eight(flat, start + b * step, step, target, i, j + b, height)
    if width % 8:
        b = width - 8
        _turn_eight(flat, start + b * step, step, target, i, j + b, height)


@kernel
def stand_in_rows(columns, result):
    """result <- the transpose of `columns`, (d, n), some rows at a time."""
    flat, n = columns.reshape(-1), columns.shape[1]
    for first in range(0, n, _SOME):
        turn(flat, first, n, result, first, 0, min(_SOME, n - first), columns.shape[0])


@stand_in_rows.wholly_by_numpy
def _(columns, result):
    result[:] = columns.T


@row_kernel
def _to_columns(values, width, first, size, begin, n_columns, columns):
    """columns[j, r] <- value begin + j of row first + r, for so many columns and rows."""
    if values.ndim == 2:  # stored column by column
        for j in range(n_columns):
            for r in range(np.uint64(size)):
                columns[j, r] = columns.dtype.type(values[begin + j, np.uint64(first) + r])
    else:
        turn(values, first * width + begin, width, columns, 0, 0, n_columns, size)


@row_kernel
def _add_to_one(theta, k, begin, columns, at, n_columns, first, size, scores):
    """scores[k] += those of the same columns, the features from `begin` on."""
    k, kind, first, one = np.uint64(k), theta.dtype.type, np.uint64(first), np.uint64(1)
    q, j = np.uint64(begin), np.uint64(at)
    for _ in range(n_columns >> 2):
        q1, q2, q3 = q + one, q + one + one, q + one + one + one
        j1, j2, j3 = j + one, j + one + one, j + one + one + one
        a, b, c, d = theta[k, q], theta[k, q1], theta[k, q2], theta[k, q3]
        for r in range(np.uint64(size)):
            x, y = kind(columns[j, first + r]), kind(columns[j1, first + r])
            z, t = kind(columns[j2, first + r]), kind(columns[j3, first + r])
            scores[k, r] = (((scores[k, r] + a * x) + b * y) + c * z) + d * t
        q, j = q3 + one, j3 + one
    for _ in range(n_columns & 3):
        a = theta[k, q]
        for r in range(np.uint64(size)):
            scores[k, r] += a * kind(columns[j, first + r])
        q, j = q + one, j + one


@row_kernel
def _add_columns(theta, begin, columns, n_columns, scores):
    """scores[k] += those of whole columns, for every k."""
    tile = WIDTH // columns.itemsize
    fours = theta.shape[0] - theta.shape[0] % 4
    for r in range(0, columns.shape[1], tile):
        for k in range(0, fours, 4):
            add_four(theta, k, begin, columns, n_columns, r, scores)
        if theta.shape[0] & 2:
            add_two(theta, fours, begin, columns, n_columns, r, scores)
    if theta.shape[0] & 1:
        _add_to_one(
            theta, theta.shape[0] - 1, begin, columns, 0, n_columns, 0, columns.shape[1], scores
        )


@row_kernel
def score_columns(theta, values, width, first, size, columns, scores):
    """scores <- those of so many dense rows, in whatever order they are stored.

    columns : scratch space, for as many columns as are taken at a time
    """
    scores[:] = 0
    n_columns = columns.shape[0]
    for begin in range(0, width, n_columns):
        few = min(n_columns, width - begin)
        if values.ndim == 2 and theta.shape[0] == 1:
            _add_to_one(theta, 0, begin, values, begin, few, first, size, scores)
        else:
            _to_columns(values, width, first, size, begin, few, columns)
            _add_columns(theta, begin, columns, few, scores)
