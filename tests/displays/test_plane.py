"""Lines, half-planes and angles in a window."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.path import Path
from scipy.spatial import ConvexHull

from novikoff import Hyperplane
from novikoff.displays import _plane
from novikoff.displays._plane import hull

numbers = st.integers(-20, 20).map(float)
vectors = st.tuples(numbers, numbers).filter(any).map(np.array)
BOX = _plane.Box(np.array([-3.0, -2.0]), np.array([5.0, 4.0]))


@given(vectors, numbers)
def test_both_half_planes_fill_the_window_and_know_their_side(theta, offset):
    pieces = {side: _plane.half_plane(BOX, theta, offset, side) for side in (-1, 1)}
    points = np.random.RandomState(0).uniform(BOX.low, BOX.high, (200, 2))
    clear = np.abs(Hyperplane(theta, offset).distances(points)) > 1e-9
    for side, corners in pieces.items():
        inside = Path(corners).contains_points(points) if len(corners) > 2 else np.zeros(200, bool)
        expected = side * (points @ theta + offset) > 0
        np.testing.assert_array_equal(inside[clear], expected[clear])


@given(vectors, numbers)
def test_the_segment_lies_on_the_line_and_reaches_the_edges(theta, offset):
    ends = _plane.segment(BOX, theta, offset)
    corners = np.array([[x, y] for x in (-3.0, 5.0) for y in (-2.0, 4.0)])
    sides = np.sign(corners @ theta + offset)
    if ends is None:
        assert len(set(sides)) == 1 or 0 in sides
        return
    np.testing.assert_allclose(ends @ theta + offset, 0.0, atol=1e-9 * np.abs(theta).max())
    assert all(BOX.holds(end, 1 + 1e-9) for end in ends)


@given(vectors, numbers, vectors, numbers)
def test_the_crossing_lies_on_both_lines(a, s, b, t):
    meeting = _plane.crossing(a, s, b, t)
    if a[0] * b[1] == a[1] * b[0]:
        assert meeting is None
    elif meeting is not None:
        expected = np.linalg.solve(np.array([a, b]), -np.array([s, t]))
        np.testing.assert_allclose(meeting, expected, rtol=1e-6, atol=1e-6)


@given(vectors, vectors)
def test_the_angle_is_the_arc_cosine(a, b):
    cosine = np.clip(a @ b / np.linalg.norm(a) / np.linalg.norm(b), -1, 1)
    assert _plane.angle_between(a, b) == pytest.approx(np.arccos(cosine), abs=3e-8)


def test_a_small_angle_keeps_its_digits():
    a, b = np.array([1.0, 0.0]), np.array([1.0, 1e-10])
    assert _plane.angle_between(a, b) == pytest.approx(1e-10, rel=1e-12)


def test_zero_has_no_angle():
    assert np.isnan(_plane.angle_between(np.zeros(2), np.ones(2)))


@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e200])
def test_the_length_of_theta_does_not_matter(scale):
    theta, point = np.array([3.0, 4.0]) * scale, np.array([3.0, 4.0])
    assert _plane.distance(theta, -5.0 * scale, point) == pytest.approx(4.0)


@pytest.mark.parametrize("points", [[[2.0, 3.0]], [[0.0, 0.0]], [[0.0, 1.0], [0.0, 9.0]]])
def test_a_window_has_room_around_any_points(points):
    box = _plane.window(np.array(points))
    assert all(box.holds(np.array(point), 0.95) for point in points)
    assert 0.69 < box.size[1] / box.size[0] < 1.26


def test_the_origin_is_in_sight_when_it_is_near_or_asked_for():
    near, far = np.array([[1.0, 1.0], [4.0, 4.0]]), np.array([[101.0, 1.0], [104.0, 4.0]])
    assert _plane.window(near, "auto").holds(np.zeros(2))
    assert not _plane.window(far, "auto").holds(np.zeros(2))
    assert _plane.window(far, True).holds(np.zeros(2))


@pytest.mark.parametrize("n", [3, 10, 500])
def test_the_hull_is_that_of_qhull(n):
    points = np.random.RandomState(n).randn(n, 2)
    theirs = points[ConvexHull(points).vertices]
    start = np.lexsort(theirs.T[::-1])[0]
    np.testing.assert_array_equal(hull(points), np.roll(theirs, -start, axis=0))


def test_the_hull_of_points_in_a_line_is_its_ends():
    points = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [1.0, 1.0]])
    np.testing.assert_array_equal(hull(points), [[0.0, 0.0], [2.0, 2.0]])
    np.testing.assert_array_equal(hull(points[:1]), [[0.0, 0.0]])
