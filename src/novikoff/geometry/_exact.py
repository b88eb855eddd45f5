"""Scores whose sign is exact, in NumPy alone.

A filter: sum in double precision, in whatever order BLAS likes, and keep the sum where it exceeds
its own error bound by far. With u the unit roundoff, for d products and an offset (Higham 2002,
section 3.1):

    |computed - exact| <= (d + 1) u / (1 - (d + 1) u) * m + d * tiny

with m = sum |theta_j x_j| + |offset|; `tiny` covers products that underflow. What is left is summed
in integers.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

SMALLEST = 5e-324  # subnormal
LARGEST = float(np.finfo(np.float64).max)
_EPS = float(np.finfo(np.float64).eps)  # 2 u: the factor 2 pays for the rounding of m itself
_TINY = float(np.finfo(np.float64).tiny)
_CLEARANCE = 2.0**20  # a rounded sum is kept where it is this many times its error bound
_WHOLE = 2.0**53  # whole numbers below it are summed without rounding
_BLOCK = 2**18  # stored numbers that are worked on at a time: 2 MiB of doubles


def scores(
    X: Any, theta: NDArray[np.float64], offset: float, exponent: int = 0
) -> NDArray[np.float64]:
    """(n,): (theta . x + offset) / 2**exponent, the sign exact, the relative error below 1e-6.

    X : (n, d), a validated array or CSR array

    What is too small or too large for a double becomes the smallest or largest one: a score is 0.0
    on the boundary only, and never infinite.
    """
    n = X.shape[0]
    stored = X.nnz if sp.issparse(X) else X.size
    step = max(1, _BLOCK * n // max(stored, 1))
    result = np.empty(n)
    for start in range(0, n, step):
        block = X[start : start + step].astype(np.float64, copy=False)
        result[start : start + step] = _block_scores(block, theta, offset, exponent)
    return result


def _block_scores(
    block: Any, theta: NDArray[np.float64], offset: float, exponent: int
) -> NDArray[np.float64]:
    n_terms = np.diff(block.indptr) if sp.issparse(block) else len(theta)
    with np.errstate(all="ignore"):  # what overflows is undecided
        rounded = block @ theta + offset
        size = abs(block) @ abs(theta) + abs(offset)
        error = (n_terms + 8) * (_EPS * size + _TINY)
        # Room below LARGEST, because the first sum may overflow where the second, in another order,
        # just does not.
        decided = (abs(rounded) > _CLEARANCE * error) & (size < LARGEST / 4)
        result = with_sign_of(np.ldexp(rounded, -exponent), rounded)
    undecided = np.flatnonzero(~decided)
    if _sums_without_rounding(block[undecided], size[undecided], theta, offset):
        return result  # ties are common in whole numbers: not one by one, then
    for i in undecided.tolist():
        result[i] = _exact_score(*_row(block, i), theta, offset, exponent)
    return result


def with_sign_of(values: NDArray[Any], signs: NDArray[Any]) -> NDArray[np.float64]:
    """`values`, kept from becoming 0.0 or infinite where `signs` is not 0."""
    clipped = np.copysign(np.clip(abs(values), SMALLEST, LARGEST), signs)
    return np.where(signs == 0.0, 0.0, clipped)


def _sums_without_rounding(
    rows: Any, size: NDArray[np.float64], theta: NDArray[np.float64], offset: float
) -> bool:
    """Whether all terms are whole numbers, and too small for any partial sum to be rounded."""
    used = rows.data[theta[rows.indices] != 0.0] if sp.issparse(rows) else rows[:, theta != 0.0]
    numbers = (used, theta, np.array(offset))
    return bool((size < _WHOLE).all()) and all((x == np.rint(x)).all() for x in numbers)


def _row(block: Any, i: int) -> tuple[Any, NDArray[np.float64]]:
    """The columns and values of one row."""
    if not sp.issparse(block):
        return slice(None), block[i]
    low, high = block.indptr[i], block.indptr[i + 1]
    return block.indices[low:high], block.data[low:high]


def _exact_score(
    columns: Any, x: NDArray[np.float64], theta: NDArray[np.float64], offset: float, exponent: int
) -> float:
    """The score of one row over 2**exponent, correctly rounded, but neither to 0.0 nor infinite."""
    factors = np.stack([np.append(theta[columns], offset), np.append(x, 1.0)])  # (2, d + 1)
    fractions, exponents = np.frexp(factors[:, (factors != 0.0).all(axis=0)])
    left, right = np.ldexp(fractions, 53).astype(np.int64).tolist()  # whole numbers below 2**53
    powers = exponents.sum(axis=0)
    lowest = int(powers.min(initial=0))
    total = sum(
        a * b << shift for a, b, shift in zip(left, right, (powers - lowest).tolist(), strict=True)
    )
    if total == 0:
        return 0.0
    power = lowest - 106 - exponent
    try:  # both are rounded once, to the nearest double
        size = abs(total) / (1 << -power) if power < 0 else float(abs(total) << power)
    except OverflowError:
        size = LARGEST
    return math.copysign(max(size, SMALLEST), 1 if total > 0 else -1)
