"""Lines, half-planes, hulls and directions in the plane: geometry only, in the units of a view.

theta = 0 has no boundary and no direction. Whoever draws asks `divides` first, and if it does not,
colours the whole plane in the class that is predicted everywhere: positive if the offset is >= 0.

The training error is an exact, piecewise constant function of theta's direction. For theta = (cos
phi, sin phi) and an offset b per unit of theta's length, an example (x, y) is an error where
y (|x| cos(phi - psi) + b) <= 0, psi being the direction of x: on a closed arc, on the whole circle,
or nowhere. So the error changes at no more than two directions per example.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from novikoff._arrays import Floats, Ints

LEAST_HEIGHT, MOST_HEIGHT = 0.7, 1.25  # of a window, relative to its width


class Box(NamedTuple):
    """A window: its lower left and upper right corner."""

    low: Floats
    high: Floats

    @property
    def size(self) -> Floats:
        return self.high - self.low

    @property
    def centre(self) -> Floats:
        return (self.low + self.high) / 2

    @property
    def corners(self) -> Floats:
        """(4, 2): counterclockwise."""
        (left, low), (right, high) = self
        return np.array([(left, low), (right, low), (right, high), (left, high)])

    def grown(self, factor: float) -> Box:
        """The box with the same centre, `factor` times as large."""
        return Box(self.centre - factor * self.size / 2, self.centre + factor * self.size / 2)

    def holds(self, point: Floats, part: float = 1.0) -> bool:
        """Whether a point lies in the middle `part` of the box."""
        return bool(np.all(np.abs(point - self.centre) <= part * self.size / 2))


def window(points: Floats, origin: bool | str = False) -> Box:
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


def divides(theta: Floats) -> bool:
    """Whether there is a boundary at all."""
    return bool(np.any(theta != 0.0))


def unit(theta: Floats) -> Floats:
    """theta / ||theta||, (..., d), however long or short it is."""
    scaled = theta / np.abs(theta).max(axis=-1, keepdims=True)
    result: Floats = scaled / np.linalg.norm(scaled, axis=-1, keepdims=True)
    return result


def distance(theta: Floats, offset: float, point: Floats) -> float:
    """The signed distance of a point from the line theta . p + offset = 0."""
    largest = np.abs(theta).max()
    scaled = theta / largest
    return float((scaled @ point + offset / largest) / np.linalg.norm(scaled))


def foot(theta: Floats, offset: float, point: Floats) -> Floats:
    """The point of the line that is nearest to `point`."""
    return point - distance(theta, offset, point) * unit(theta)


def half_plane(box: Box, theta: Floats, offset: float, side: int) -> Floats:
    """(m, 2): the corners of the part of the box on the side of theta (+1) or on the other (-1)."""
    corners = box.corners
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


def segment(box: Box, theta: Floats, offset: float) -> Floats | None:
    """(2, 2): the part of the line inside the box; None if they do not meet."""
    reach = float(np.linalg.norm(box.size))
    corners = half_plane(box, theta, offset, 1)
    on_line = [c for c in corners if abs(distance(theta, offset, c)) <= 1e-9 * reach]
    return np.array([on_line[0], on_line[-1]]) if len(on_line) >= 2 else None


def crossing(theta_a: Floats, offset_a: float, theta_b: Floats, offset_b: float) -> Floats | None:
    """Where two lines meet; None if they are parallel."""
    a, b = unit(theta_a), unit(theta_b)
    sine = a[0] * b[1] - a[1] * b[0]
    if abs(sine) < 1e-9:
        return None
    s = distance(theta_a, offset_a, np.zeros(2)), distance(theta_b, offset_b, np.zeros(2))
    meeting: Floats = np.array([a[1] * s[1] - b[1] * s[0], b[0] * s[0] - a[0] * s[1]]) / sine
    return meeting


def turn_between(a: Floats, b: Floats) -> float:
    """The signed angle from a to b, counterclockwise, in radians."""
    a, b = unit(a), unit(b)
    return float(np.arctan2(a[0] * b[1] - a[1] * b[0], a @ b))


def angle_between(a: Floats, b: Floats) -> Floats:
    """The angle in [0, pi] between vectors (..., d), exact for small ones; nan where one is 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        a, b = unit(a), unit(b)
    # Kahan's formula: the arc cosine would lose half of the digits of a small angle.
    angle: Floats = 2.0 * np.arctan2(np.linalg.norm(a - b, axis=-1), np.linalg.norm(a + b, axis=-1))
    return angle


def hull(points: Floats) -> Floats:
    """(m, 2): the corners, counterclockwise (Andrew's monotone chain, 1979)."""
    unique = np.unique(points, axis=0)  # sorted by the first, then the second coordinate
    if len(unique) <= 2:
        return unique
    lower, upper = _chain(unique), _chain(unique[::-1])
    return np.array(lower[:-1] + upper[:-1])


def _chain(points: Floats) -> list[list[float]]:
    chain: list[list[float]] = []
    for point in points.tolist():
        while len(chain) >= 2 and _turn(chain[-2], chain[-1], point) <= 0:
            chain.pop()
        chain.append(point)
    return chain


def _turn(a: list[float], b: list[float], c: list[float]) -> float:
    """Positive if c is to the left of the way from a to b."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


TURN = 2.0 * np.pi


class Staircase(NamedTuple):
    """A piecewise constant function on the circle: values[i] between edges[i] and edges[i + 1].

    edges : (m + 1,), ascending from 0 to 2 pi; values : (m,)
    """

    edges: Floats
    values: Floats

    def at(self, angle: float) -> float:
        """The value at an angle (at an edge, of the piece that begins there)."""
        i = int(np.searchsorted(self.edges, angle % TURN, side="right")) - 1
        return float(self.values[min(max(i, 0), len(self.values) - 1)])


def error_steps(X: Floats, y: Ints, offset: float = 0.0) -> Staircase:
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


def separating_cone(Z: Floats) -> tuple[float, float] | None:
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


def best_offsets(X: Floats, y: Ints, angles: Floats) -> Ints:
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
