"""Training errors of many hypotheses at once, exact.

A point on the boundary is an error. Scores are summed in double precision; of those that do not
exceed their own error bound the sign is computed with fractions, and takes their place.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
_BLOCK = 2**17  # scores that are worked on at a time: 1 MiB
_ERROR = 16 * float(np.finfo(np.float64).eps)  # three terms: generous, it costs nothing
_WHOLE = 2.0**53


def scores(theta: Array, offset: Array, X: Array) -> Iterator[tuple[slice, Array]]:
    """Block by block of the hypotheses (K, 2), (K,): (block, (b, n) scores, their signs exact)."""
    whole = all((part == np.rint(part)).all() for part in (theta, offset, X))
    # At least sum |theta_j x_j| + |offset| of every row.
    sizes = abs(theta) @ abs(X).max(axis=0, initial=0.0) + abs(offset)
    exact = whole and sizes.max(initial=0.0) < _WHOLE
    limits = _ERROR * sizes  # 0 only where theta = 0: nothing was rounded
    size = max(1, _BLOCK // max(1, len(X)))
    for first in range(0, len(theta), size):
        block = slice(first, first + size)
        found = theta[block] @ X.T
        found += offset[block, None]
        if not exact and len(X):
            unsure = (abs(found).min(axis=1) <= limits[block]) & (sizes[block] > 0.0)
            for i in np.flatnonzero(unsure).tolist():
                rows = np.flatnonzero(abs(found[i]) <= limits[first + i])
                hypothesis = theta[first + i], offset[first + i]
                found[i, rows] = [_sign(*hypothesis, X[row]) for row in rows]
        yield block, found


def _sign(theta: Array, offset: float, x: Array) -> int:
    """The sign of theta·x + offset. Few are asked for, so that fractions are fast enough."""
    score = Fraction(offset) + sum(
        Fraction(a) * Fraction(b) for a, b in zip(theta.tolist(), x.tolist(), strict=True)
    )
    return (score > 0) - (score < 0)


def errors(theta: Array, offset: Array, X: Array, y: NDArray[np.int64]) -> NDArray[np.int64]:
    """(K,): how many examples have y s <= 0 under each hypothesis."""
    result, side = np.empty(len(theta), np.int64), y.astype(np.float64)
    for block, found in scores(theta, offset, X):
        found *= side
        result[block] = np.count_nonzero(found <= 0.0, axis=1)
    return result


def survival_times(t: NDArray[np.int64], total: int) -> NDArray[np.int64]:
    """(K + 1,): how long each hypothesis lives, from its own example until that of the next update.

    t : (K,) the examples seen when each update was made, its own included
    total : the examples of the whole run
    """
    return np.diff(np.concatenate([[1], t, [total + 1]]))


def vote_errors(
    theta: Array,
    offset: Array,
    t: NDArray[np.int64],
    total: int,
    X: Array,
    y: NDArray[np.int64],
) -> tuple[NDArray[np.int64], int]:
    """(K + 1,): how many examples the vote has wrong right after each update; and at the end.

    Right after its update a hypothesis has one vote, for the example that made it.

    t, total : as for :func:`survival_times`
    """
    lived = survival_times(t, total).astype(np.float64)
    result = np.empty(len(theta), np.int64)
    votes = np.zeros(len(X))
    for block, found in scores(theta, offset, X):
        h = np.where(found >= 0.0, 1.0, -1.0)
        past = np.cumsum(lived[block, None] * h, axis=0) + votes  # with all of its own time
        now = past + (1.0 - lived[block, None]) * h
        if block.start == 0:
            now[0] = 0.0  # nothing has been seen at the start: no votes
        result[block] = np.count_nonzero(now * y <= 0.0, axis=1)
        votes = past[-1]
    return result, int(np.count_nonzero(votes * y <= 0.0))
