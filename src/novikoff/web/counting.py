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
_BLOCK = 2**16  # scores that are worked on at a time: 512 KiB
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
    theta: Array, offset: Array, lived: NDArray[np.int64], X: Array, y: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """(K,), (K,) and a number: how many examples a hypothesis has wrong, as in :func:`errors`; how
    many the vote has wrong right after its update; and how many at the end.

    Right after its update a hypothesis has one vote, for the example that made it.

    lived : as from :func:`survival_times`
    """
    each, voted = np.empty((2, len(theta)), np.int64)
    side, votes = y.astype(np.float64), np.zeros(len(X))  # of y's side, of those no more
    for block, found in scores(theta, offset, X):
        h = np.where(found >= 0.0, side, -side)
        found *= side
        each[block] = np.count_nonzero(found <= 0.0, axis=1)
        past = np.multiply(lived[block, None], h, out=found)
        h -= past
        past[0] += votes
        np.cumsum(past, axis=0, out=past)  # with all of its own time
        h += past
        if block.start == 0:
            h[0] = 0.0  # nothing has been seen at the start: no votes
        voted[block] = np.count_nonzero(h <= 0.0, axis=1)
        votes = past[-1].copy()
    return each, voted, int(np.count_nonzero(votes <= 0.0))
