"""The training error of every direction."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from novikoff import AveragedPerceptron, Hyperplane, Perceptron, VotedPerceptron
from novikoff.displays import ErrorDisplay
from novikoff.displays._plane import best_offsets, error_steps
from tests.displays.data import clouds, fan

rows = st.lists(
    st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.sampled_from([-1, 1])),
    min_size=1,
    max_size=8,
)


@given(rows, st.sampled_from([0.0, 0.5, -1.7, 4.0]))
def test_the_steps_are_the_training_error_everywhere(given_rows, offset):
    table = np.array(given_rows, float)
    X, y = table[:, :2], table[:, 2].astype(np.int64)
    steps = error_steps(X, y, offset)
    assert steps.edges[0] == 0.0
    assert steps.edges[-1] == pytest.approx(2 * np.pi)
    for angle, value in zip((steps.edges[:-1] + steps.edges[1:]) / 2, steps.values, strict=True):
        if np.min(np.abs(steps.edges - angle)) < 1e-6:
            continue  # a sliver between two edges that differ by rounding only
        plane = Hyperplane([np.cos(angle), np.sin(angle)], offset)
        assert value == pytest.approx(plane.training_error(X, y) * len(X))


def test_the_estimator_stands_on_its_curve():
    X, y = clouds(100, 0.7)
    clf = AveragedPerceptron().fit(X, y)
    display = ErrorDisplay.from_estimator(clf, X, y).plot()
    assert display.found == Hyperplane.from_estimator(clf).training_error(X, 2 * y - 1)
    assert display.error_at(display.angle) == pytest.approx(display.found)
    np.testing.assert_allclose(
        display.estimator_.get_xydata(), [[np.degrees(display.angle), display.found]]
    )


def test_separable_data_has_directions_without_error():
    X, y = fan(30)
    table = ErrorDisplay.from_data(X, y).frame()
    assert table["error"].min() == 0.0
    assert table["from_degrees"].iloc[0] == 0.0
    assert table["to_degrees"].iloc[-1] == pytest.approx(360.0)


def test_turning_theta_around_turns_errors_into_the_opposite():
    X, y = fan(30)
    display = ErrorDisplay.from_data(X, y)
    for angle in np.linspace(0.05, 3.0, 30):
        assert display.error_at(angle) + display.error_at(angle + np.pi) == pytest.approx(1.0)


def test_the_best_offset_is_the_best_of_all():
    X, y = clouds(40, 0.5)
    side = 2 * y - 1
    angles = np.linspace(0, 2 * np.pi, 12)
    fewest = best_offsets(X, side, angles)
    for angle, few in zip(angles, fewest, strict=True):
        theta = np.array([np.cos(angle), np.sin(angle)])
        along = np.sort(X @ theta)
        between = np.concatenate([[along[0] - 1], (along[:-1] + along[1:]) / 2, [along[-1] + 1]])
        errors = [Hyperplane(theta, -b).training_error(X, side) * len(X) for b in between]
        assert few == pytest.approx(min(errors))


def test_rows_at_one_place_cannot_be_told_apart():
    X, y = np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([-1, 1])
    assert best_offsets(X, y, np.array([0.0, 1.0])).tolist() == [1, 1]


def test_theta_zero_has_no_direction():
    X, y = clouds(20)
    clf = Perceptron(max_iter=500).fit(X, y)
    clf.coef_, clf.intercept_ = np.zeros((1, 2)), np.zeros(1)
    display = ErrorDisplay.from_estimator(clf, X, y).plot()
    assert display.angle is display.estimator_ is None
    assert display.found == 1.0
    assert "θ = 0 has no direction" in display.ax_.get_title(loc="left")


def test_what_has_no_direction_is_refused():
    X, y = clouds(20)
    with pytest.raises(ValueError, match="not one hyperplane"):
        ErrorDisplay.from_estimator(VotedPerceptron().fit(X, y), X, y)
    with pytest.raises(ValueError, match="two features"):
        ErrorDisplay.from_data(np.ones((4, 3)), [0, 1, 0, 1])
    with pytest.raises(ValueError, match="'x' at row 0, column 1"):
        ErrorDisplay.from_data([[1, "x"], [2, "y"]], [0, 1])
