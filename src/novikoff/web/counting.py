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
_LEAST = float(np.finfo(np.float64).smallest_subnormal)


def signed_scores(
    theta: Array, offset: Array, X: Array, y: NDArray[np.int64]
) -> Iterator[tuple[slice, Array]]:
    """Block by block of the hypotheses (K, 2), (K,): (block, (b, n) values of y s, signs exact).

    The values are overwritten when the next block is asked for.
    """
    both, rows = np.column_stack([theta, offset]), np.column_stack([X, np.ones(len(X))])
    whole = all((part == np.rint(part)).all() for part in (both, rows))
    # At least sum |theta_j x_j| + |offset| of every row.
    sizes = abs(both) @ abs(rows).max(axis=0, initial=0.0)
    exact = whole and sizes.max(initial=0.0) < _WHOLE
    limits = np.where(sizes > 0.0, _ERROR * sizes, -1.0)  # of theta = 0 nothing is rounded
    signed = (y[:, None] * rows).T
    size = max(1, _BLOCK // max(1, len(X)))
    room, more_room = np.empty((2, min(size, len(both)), len(X)))
    for first in range(0, len(both), size):
        block = slice(first, min(first + size, len(both)))
        n = block.stop - first
        found = np.matmul(both[block], signed, out=room[:n])
        if not exact and len(X):
            near = np.abs(found, out=more_room[:n])
            if near.min() <= limits[block].max():
                for i, row in np.argwhere(near <= limits[block, None]).tolist():
                    found[i, row] = y[row] * _sign(both[first + i], rows[row])
        yield block, found


def _sign(hypothesis: Array, row: Array) -> int:
    """The sign of a score. Few are asked for, so that fractions are fast enough."""
    score = sum(
        Fraction(a) * Fraction(b) for a, b in zip(hypothesis.tolist(), row.tolist(), strict=True)
    )
    return (score > 0) - (score < 0)


def errors(theta: Array, offset: Array, X: Array, y: NDArray[np.int64]) -> NDArray[np.int64]:
    """(K,): how many examples have y s <= 0 under each hypothesis."""
    result = np.empty(len(theta), np.int64)
    for block, found in signed_scores(theta, offset, X, y):
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
    votes = np.zeros(len(X))  # for y, less those against
    right = np.where(y > 0, -_LEAST, 0.0)  # at y s = 0 the prediction is +1
    weights = lived.astype(np.float64)[:, None]
    for block, found in signed_scores(theta, offset, X, y):
        each[block] = np.count_nonzero(found <= 0.0, axis=1)
        vote = 2.0 * (found > right)  # np.where would take four times as long
        vote -= 1.0
        past = np.multiply(weights[block], vote, out=found)
        vote -= past
        past[0] += votes
        np.cumsum(past, axis=0, out=past)  # with all of its own time
        vote += past
        if block.start == 0:
            vote[0] = 0.0  # nothing has been seen at the start: no votes
        voted[block] = np.count_nonzero(vote <= 0.0, axis=1)
        votes = past[-1].copy()
    return each, voted, int(np.count_nonzero(votes <= 0.0))
