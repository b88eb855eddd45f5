"""Convex hulls in the plane, of any number of points, in a line or not."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def hull(points: Array) -> Array:
    """(m, 2): the corners, counterclockwise (Andrew's monotone chain, 1979)."""
    unique = np.unique(points, axis=0)  # sorted by the first, then the second coordinate
    if len(unique) <= 2:
        return unique
    lower, upper = _chain(unique), _chain(unique[::-1])
    return np.array(lower[:-1] + upper[:-1])


def _chain(points: Array) -> list[Any]:
    chain: list[Any] = []
    for point in points.tolist():
        while len(chain) >= 2 and _turn(chain[-2], chain[-1], point) <= 0:
            chain.pop()
        chain.append(point)
    return chain


def _turn(a: Any, b: Any, c: Any) -> float:
    """Positive if c is to the left of the way from a to b."""
    cross: float = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return cross
