"""The training error as a function of theta's direction, in the plane: exact, piecewise constant.

For theta = (cos phi, sin phi) and an offset b per unit of theta's length, an example (x, y) is an
error where y (|x| cos(phi - psi) + b) <= 0, psi being the direction of x: on a closed arc, on the
whole circle, or nowhere. So the error changes at no more than two directions per example.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

TURN = 2.0 * np.pi


class Staircase(NamedTuple):
    """A piecewise constant function on the circle: values[i] between edges[i] and edges[i + 1].

    edges : (m + 1,), ascending from 0 to 2 pi; values : (m,)
    """

    edges: Array
    values: Array

    def at(self, angle: float) -> float:
        """The value at an angle (at an edge, of the piece that begins there)."""
        i = int(np.searchsorted(self.edges, angle % TURN, side="right")) - 1
        return float(self.values[min(max(i, 0), len(self.values) - 1)])


def error_steps(X: Array, y: NDArray[np.int64], offset: float = 0.0) -> Staircase:
    """The number of errors (y s <= 0) between the directions at which it changes.

    X : (n, 2); y : (n,), -1 or +1; offset : per unit of the length of theta
    """
    length = np.hypot(X[:, 0], X[:, 1])
    # y (|x| cos + b) <= 0: cos(phi - psi) <= -b / |x| for y = +1, >= for y = -1. Turned by half a
    # circle for y = +1, both are an arc around `middle`.
    middle = np.arctan2(X[:, 1], X[:, 0]) + np.where(y > 0, np.pi, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        level = np.where(y > 0, offset, -offset) / length  # an error where cos(phi - middle) >= it
    always = np.where(length > 0, level <= -1.0, y * offset <= 0.0)
    never = np.where(length > 0, level > 1.0, ~always)
    some = ~always & ~never
    half = np.arccos(np.clip(level[some], -1.0, 1.0))
    start, end = (middle[some] - half) % TURN, (middle[some] + half) % TURN
    at_zero = int(always.sum()) + int(np.count_nonzero(start > end))
    angles = np.concatenate([start, end])
    change = np.concatenate([np.ones(len(start)), -np.ones(len(end))])
    edges, place = np.unique(angles, return_inverse=True)
    jumps = np.bincount(place, weights=change, minlength=len(edges)) if len(edges) else np.zeros(0)
    values = at_zero + np.concatenate([[0.0], np.cumsum(jumps)])
    all_edges = np.concatenate([[0.0], edges, [TURN]])
    wide = np.diff(all_edges) > 0
    return Staircase(np.concatenate([[0.0], all_edges[1:][wide]]), values[wide])


def separating_cone(Z: Array) -> tuple[float, float] | None:
    """The open interval of directions phi with z . theta(phi) > 0 for all rows z; None if empty.

    The interval starts in [0, 2 pi) and may end beyond it. Z : (n, 2), y x.
    """
    if not np.all(np.any(Z != 0.0, axis=1)):
        return None
    angles = np.sort(np.unique(np.arctan2(Z[:, 1], Z[:, 0]) % TURN))
    gaps = np.diff(np.append(angles, angles[0] + TURN))
    widest = int(np.argmax(gaps))
    if not gaps[widest] > np.pi:
        return None
    # All z lie in the arc that is left of the gap; theta must be within a right angle of both ends.
    first = angles[(widest + 1) % len(angles)]
    last = first + (TURN - gaps[widest])
    low, high = last - np.pi / 2, first + np.pi / 2
    shift = TURN * np.floor(low / TURN)
    return float(low - shift), float(high - shift)


def best_offsets(X: Array, y: NDArray[np.int64], angles: Array) -> NDArray[np.int64]:
    """(m,): the fewest errors that any offset leaves at each direction."""
    fewest = np.empty(len(angles), np.int64)
    for i, angle in enumerate(angles):
        along = X @ np.array([np.cos(angle), np.sin(angle)])
        order = np.argsort(along)
        along, side = along[order], y[order]
        # A threshold between the places j - 1 and j: positives below it and negatives from it on
        # are errors. It cannot stand between two rows at the same place.
        below = np.concatenate([[0], np.cumsum(side > 0)])
        above = np.count_nonzero(side < 0) - np.concatenate([[0], np.cumsum(side < 0)])
        possible = np.concatenate([[True], np.diff(along) > 0, [True]])
        fewest[i] = (below + above)[possible].min()
    return fewest
