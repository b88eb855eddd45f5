"""Scores of dense rows by columns: the loop over rows is the one that is made of vectors.

A few rows and columns at a time, which stay in the first cache. Product and sum are rounded for one
feature after the other, so scores are those of a plain loop; but rows do not wait for each other.
Rows that are stored one after the other are turned into columns first.
"""

from __future__ import annotations

import numpy as np

from novikoff._jit import row_kernel
from novikoff.kernels.rows import LINE
from novikoff.kernels.words import prefetch, turn_eight


@row_kernel
def _turn_eight_rows(values, start, width, ahead, columns, r, n_columns):
    """columns[:, r : r + 8] <- so many values of each of eight rows, from values[start] on.

    What stands `ahead` of each is fetched meanwhile: of rows in turns the processor does not see
    what comes next.
    """
    line = LINE // values.itemsize
    for row in range(start + ahead, start + ahead + 8 * width, width):
        for p in range(row, row + n_columns, line):
            prefetch(values, p)
    for j in range(0, n_columns - 7, 8):
        turn_eight(values, start + j, width, columns, j, r)
    if n_columns % 8:  # the last eight reach back
        turn_eight(values, start + n_columns - 8, width, columns, n_columns - 8, r)


@row_kernel
def _turn(values, width, first, size, begin, n_columns, columns):
    """columns[j, r] <- value begin + j of row first + r, for so many columns and rows."""
    start = first * width + begin
    if size < 8 or n_columns < 8:
        for r in range(size):
            for j in range(n_columns):
                columns[j, r] = columns.dtype.type(values[start + r * width + j])
        return
    last = begin + n_columns == width
    ahead = size * width - begin if last else n_columns
    for r in range(0, size - 7, 8):
        _turn_eight_rows(values, start + r * width, width, ahead, columns, r, n_columns)
    if size % 8:
        r = size - 8
        _turn_eight_rows(values, start + r * width, width, ahead, columns, r, n_columns)


# Below, column j of the features from `begin` on is columns[at + j, first : first + size].


@row_kernel
def _add_squares(columns, at, n_columns, first, size, squares):
    first = np.uint64(first)
    for j in range(np.uint64(at), np.uint64(at + n_columns)):
        for r in range(np.uint64(size)):
            x = squares.dtype.type(columns[j, first + r])
            squares[r] += x * x


@row_kernel
def _add_to_four(theta, k, begin, columns, at, j, first, size, scores):
    """scores[k : k + 4] += those of the columns j ... j + 3."""
    q, j, one, first = np.uint64(begin + j), np.uint64(at + j), np.uint64(1), np.uint64(first)
    q1, q2, q3 = q + one, q + one + one, q + one + one + one
    j1, j2, j3 = j + one, j + one + one, j + one + one + one
    k, kind = np.uint64(k), theta.dtype.type
    k1, k2, k3 = k + one, k + one + one, k + one + one + one
    a, b, c, d = theta[k, q], theta[k, q1], theta[k, q2], theta[k, q3]
    a1, b1, c1, d1 = theta[k1, q], theta[k1, q1], theta[k1, q2], theta[k1, q3]
    a2, b2, c2, d2 = theta[k2, q], theta[k2, q1], theta[k2, q2], theta[k2, q3]
    a3, b3, c3, d3 = theta[k3, q], theta[k3, q1], theta[k3, q2], theta[k3, q3]
    for r in range(np.uint64(size)):
        x, y = kind(columns[j, first + r]), kind(columns[j1, first + r])
        z, t = kind(columns[j2, first + r]), kind(columns[j3, first + r])
        s0 = (((scores[k, r] + a * x) + b * y) + c * z) + d * t
        s1 = (((scores[k1, r] + a1 * x) + b1 * y) + c1 * z) + d1 * t
        s2 = (((scores[k2, r] + a2 * x) + b2 * y) + c2 * z) + d2 * t
        s3 = (((scores[k3, r] + a3 * x) + b3 * y) + c3 * z) + d3 * t
        scores[k, r], scores[k1, r], scores[k2, r], scores[k3, r] = s0, s1, s2, s3


@row_kernel
def _add_four(theta, k, begin, columns, at, j, first, size, scores):
    """The same for an only hyperplane."""
    q, j, one, first = np.uint64(begin + j), np.uint64(at + j), np.uint64(1), np.uint64(first)
    q1, q2, q3 = q + one, q + one + one, q + one + one + one
    j1, j2, j3 = j + one, j + one + one, j + one + one + one
    k, kind = np.uint64(k), theta.dtype.type
    a, b, c, d = theta[k, q], theta[k, q1], theta[k, q2], theta[k, q3]
    for r in range(np.uint64(size)):
        x, y = kind(columns[j, first + r]), kind(columns[j1, first + r])
        z, t = kind(columns[j2, first + r]), kind(columns[j3, first + r])
        scores[k, r] = (((scores[k, r] + a * x) + b * y) + c * z) + d * t


@row_kernel
def _add_one(theta, k, begin, columns, at, j, first, size, scores):
    """The same for an only hyperplane and a single column."""
    k, q, j, first = np.uint64(k), np.uint64(begin + j), np.uint64(at + j), np.uint64(first)
    weight = theta[k, q]
    for r in range(np.uint64(size)):
        scores[k, r] += weight * theta.dtype.type(columns[j, first + r])


@row_kernel
def _add_columns(theta, begin, columns, at, n_columns, first, size, scores, squares):
    """scores, squares += those of so many columns."""
    _add_squares(columns, at, n_columns, first, size, squares)
    fours = n_columns - n_columns % 4
    together = theta.shape[0] - theta.shape[0] % 4
    for k in range(0, together, 4):
        for j in range(0, fours, 4):
            _add_to_four(theta, k, begin, columns, at, j, first, size, scores)
    for k in range(together, theta.shape[0]):
        for j in range(0, fours, 4):
            _add_four(theta, k, begin, columns, at, j, first, size, scores)
    for j in range(fours, n_columns):
        for k in range(theta.shape[0]):
            _add_one(theta, k, begin, columns, at, j, first, size, scores)


@row_kernel
def score_columns(theta, values, width, first, size, columns, scores, squares):
    """scores, squares <- those of so many dense rows, in whatever order they are stored."""
    scores[:] = 0
    squares[:] = 0
    n_columns = columns.shape[0]
    for begin in range(0, width, n_columns):
        few = min(n_columns, width - begin)
        if values.ndim == 2:
            _add_columns(theta, begin, values, begin, few, first, size, scores, squares)
        else:
            _turn(values, width, first, size, begin, few, columns)
            _add_columns(theta, begin, columns, 0, few, 0, size, scores, squares)
