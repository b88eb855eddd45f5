"""Lines and half-planes in a window: geometry only, in the scaled units of a view.

theta = 0 has no boundary and no direction. Whoever draws asks `divides` first, and if it does not,
colours the whole plane in the class that is predicted everywhere: positive if the offset is >= 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

LEAST_HEIGHT, MOST_HEIGHT = 0.7, 1.25  # of a window, relative to its width


class Box(NamedTuple):
    """A window: its lower left and upper right corner."""

    low: Array
    high: Array

    @property
    def size(self) -> Array:
        size: Array = self.high - self.low
        return size

    @property
    def centre(self) -> Array:
        centre: Array = (self.low + self.high) / 2
        return centre

    def grown(self, factor: float) -> Box:
        """The box with the same centre, `factor` times as large."""
        return Box(self.centre - factor * self.size / 2, self.centre + factor * self.size / 2)

    def holds(self, point: Array, part: float = 1.0) -> bool:
        """Whether a point lies in the middle `part` of the box."""
        return bool(np.all(np.abs(point - self.centre) <= part * self.size / 2))


def window(points: Array, origin: bool | str = False) -> Box:
    """A window around points (n, 2), with room at the edges, neither flat nor narrow.

    origin : whether it must be in sight; "auto": only if the points still fill most of the window
    """
    low, high = points.min(axis=0), points.max(axis=0)
    near = np.minimum(low, 0.0), np.maximum(high, 0.0)
    if origin is True or (origin == "auto" and max(near[1] - near[0]) <= 1.7 * max(high - low)):
        low, high = near
    size = high - low
    if not size.max() > 1e-9 * max(np.abs(high).max(), np.abs(low).max(), 1e-300):
        size = np.full(2, 2.0 * max(np.abs(high).max(), 0.5))  # a single point
    # Room for the largest marker and an arrow beyond the outermost point.
    room = size + 0.2 * size.max()
    width, height = room
    height = max(height, LEAST_HEIGHT * width)
    width = max(width, height / MOST_HEIGHT)
    half, centre = np.array([width, height]) / 2, (low + high) / 2
    return Box(centre - half, centre + half)


def divides(theta: Array) -> bool:
    """Whether there is a boundary at all."""
    return bool(np.any(theta != 0.0))


def unit(theta: Array) -> Array:
    """theta / ||theta||, however long or short it is."""
    scaled = theta / np.abs(theta).max()
    result: Array = scaled / np.linalg.norm(scaled)
    return result


def distance(theta: Array, offset: float, point: Array) -> float:
    """The signed distance of a point from the line theta . p + offset = 0."""
    largest = np.abs(theta).max()
    scaled = theta / largest
    return float((scaled @ point + offset / largest) / np.linalg.norm(scaled))


def foot(theta: Array, offset: float, point: Array) -> Array:
    """The point of the line that is nearest to `point`."""
    result: Array = point - distance(theta, offset, point) * unit(theta)
    return result


def half_plane(box: Box, theta: Array, offset: float, side: int) -> Array:
    """(m, 2): the corners of the part of the box on the side of theta (+1) or on the other (-1)."""
    corners = np.array([box.low, (box.high[0], box.low[1]), box.high, (box.low[0], box.high[1])])
    away = np.array([side * distance(theta, offset, corner) for corner in corners])
    kept = []
    for a, b, here, there in zip(
        corners, np.roll(corners, -1, axis=0), away, np.roll(away, -1), strict=True
    ):
        if here >= 0:
            kept.append(a)
        if here * there < 0:
            kept.append(a + (b - a) * (here / (here - there)))
    return np.array(kept).reshape(-1, 2)


def segment(box: Box, theta: Array, offset: float) -> Array | None:
    """(2, 2): the part of the line inside the box; None if they do not meet."""
    corners = half_plane(box, theta, offset, 1)
    if len(corners) == 0:
        return None
    reach = float(np.linalg.norm(box.size))
    on_line = [c for c in corners if abs(distance(theta, offset, c)) <= 1e-9 * reach]
    return np.array([on_line[0], on_line[-1]]) if len(on_line) >= 2 else None


def crossing(theta_a: Array, offset_a: float, theta_b: Array, offset_b: float) -> Array | None:
    """Where two lines meet; None if they are parallel."""
    a, b = unit(theta_a), unit(theta_b)
    sine = a[0] * b[1] - a[1] * b[0]
    if abs(sine) < 1e-9:
        return None
    s = distance(theta_a, offset_a, np.zeros(2)), distance(theta_b, offset_b, np.zeros(2))
    meeting: Array = np.array([a[1] * s[1] - b[1] * s[0], b[0] * s[0] - a[0] * s[1]]) / sine
    return meeting


def angle_between(a: Array, b: Array) -> Array:
    """The angle in [0, pi] between vectors (..., d), exact for small ones; nan where one is 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        a = a / np.abs(a).max(axis=-1, keepdims=True)
        b = b / np.abs(b).max(axis=-1, keepdims=True)
        a = a / np.linalg.norm(a, axis=-1, keepdims=True)
        b = b / np.linalg.norm(b, axis=-1, keepdims=True)
    # Kahan's formula: the arc cosine would lose half of the digits of a small angle.
    angle: Array = 2.0 * np.arctan2(np.linalg.norm(a - b, axis=-1), np.linalg.norm(a + b, axis=-1))
    return angle
