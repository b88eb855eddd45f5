"""The cone, the half-planes and the path through them."""

import numpy as np
import pytest

from novikoff import PocketPerceptron, max_margin
from novikoff.displays import ThetaSpaceDisplay
from novikoff.displays._plane import separating_cone
from tests.displays.data import arrow_ends, clouds, fan, traced


def direction(angle):
    return np.array([np.cos(angle), np.sin(angle)])


@pytest.mark.parametrize("n", [2, 12, 150, 2000])
def test_the_cone_is_exactly_what_separates(n):
    X, y = fan(n, 0.05)
    Z = X * (2 * y - 1)[:, None]
    low, high = separating_cone(Z)
    assert 0 < high - low < np.pi
    for angle in np.linspace(low, high, 9)[1:-1]:
        assert (Z @ direction(angle) > 0).all()
    for angle in (low - 1e-6, high + 1e-6):
        assert (Z @ direction(angle) < 0).any()


def test_no_cone_where_nothing_separates():
    assert separating_cone(np.array([[1.0, 0.0], [-1.0, 0.0]])) is None
    assert separating_cone(np.array([[1.0, 0.0], [-1.0, 1.0], [-1.0, -1.0]])) is None
    assert separating_cone(np.array([[1.0, 0.0], [0.0, 0.0]])) is None


def test_theta_hops_by_examples_into_the_cone():
    X, y = fan(12)
    trace = traced(X, y, fit_intercept=False, eta0=0.5)
    display = ThetaSpaceDisplay.from_trace(trace)
    hops = np.diff(display.theta, axis=0)
    np.testing.assert_allclose(hops, display.steps[trace.row])
    assert (np.linalg.norm(hops, axis=1) <= display.radius * (1 + 1e-12)).all()
    violated = display.frame()["violated"].tolist()
    assert violated[-1] == 0
    assert all(violated[:-1])
    angle = np.arctan2(*display.theta[-1][::-1]) % (2 * np.pi)
    assert display.cone[0] < angle < display.cone[1]


def test_theta_star_has_the_largest_margin_and_lies_in_the_cone():
    X, y = fan(12)
    display = ThetaSpaceDisplay.from_trace(traced(X, y, fit_intercept=False))
    best = max_margin(X, y, fit_intercept=False)
    assert (display.steps @ display.star).min() == pytest.approx(best.margin)
    # It halves no angle in general, but no other direction does better:
    angles = np.linspace(*display.cone, 2001)
    others = np.array([(display.steps @ direction(a)).min() for a in angles])
    assert others.max() <= best.margin * (1 + 1e-6)


def test_alpha_and_the_circle_are_drawn_as_they_are():
    X, y = fan(12)
    display = ThetaSpaceDisplay.from_trace(traced(X, y, fit_intercept=False)).plot(k=3)
    arc = display.arc_.get_xydata()
    ends = arc[[0, -1]] / np.linalg.norm(arc[[0, -1]], axis=1)[:, None]
    assert np.arccos(ends[0] @ ends[1]) == pytest.approx(display.angle[3])
    np.testing.assert_allclose(ends[0], display.star, atol=1e-9)
    np.testing.assert_allclose(arrow_ends(display.theta_), [[0, 0], display.theta[3]])
    circle = np.linalg.norm(display.circle_.get_xydata(), axis=1)
    np.testing.assert_allclose(circle, np.linalg.norm(X, axis=1).max())
    cosine = display.theta[3] @ display.star / np.linalg.norm(display.theta[3])
    assert np.cos(display.angle[3]) == pytest.approx(cosine)


def test_every_example_has_the_edge_of_its_half_plane():
    X, y = fan(12)
    display = ThetaSpaceDisplay.from_trace(traced(X, y, fit_intercept=False)).plot()
    assert len(display.edges_) == 12
    for z, line in zip(display.steps, display.edges_, strict=True):
        np.testing.assert_allclose(line.get_xydata() @ z, 0.0, atol=1e-9)
    many = ThetaSpaceDisplay.from_trace(traced(*fan(500), fit_intercept=False)).plot()
    assert len(many.edges_) == 2  # those of the cone


def test_one_feature_with_an_offset_has_two_weights_too():
    trace = traced([[0.0], [1.0], [3.0], [4.0]], [0, 0, 1, 1])
    display = ThetaSpaceDisplay.from_trace(trace).plot()
    np.testing.assert_array_equal(display.theta, np.column_stack(trace.hypotheses()))
    assert display.names == ("θ₁", "θ₀")
    assert display.radius == pytest.approx(np.sqrt(17.0))


def test_at_zero_there_is_no_angle():
    display = ThetaSpaceDisplay.from_trace(traced(*fan(12), fit_intercept=False)).plot(k=0)
    assert display.theta_ is display.arc_ is None
    assert "θ = 0, no angle" in display.ax_.get_title(loc="left")
    assert np.isnan(display.angle[0])


def test_without_a_cone_there_is_neither_theta_star_nor_alpha():
    X, y = clouds(30, 0.3)
    clf = PocketPerceptron(record_trace=True, fit_intercept=False, max_iter=20).fit(X, y)
    display = ThetaSpaceDisplay.from_trace(clf.trace_).plot()
    assert display.star is display.cone is display.star_ is display.arc_ is None
    assert "no cone" in display.ax_.get_title(loc="left")


def test_more_weights_are_refused():
    with pytest.raises(ValueError, match="the run had 3"):
        ThetaSpaceDisplay.from_trace(traced(*fan(12)))
