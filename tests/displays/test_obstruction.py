"""Hulls, and the point that lies in both."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from novikoff import Hyperplane, Perceptron, max_margin, separability
from novikoff.displays import ObstructionDisplay
from tests.displays.data import clouds
from tests.examples import examples

coordinates = st.tuples(st.integers(-4, 4), st.integers(-4, 4))
classes = st.lists(coordinates, min_size=1, max_size=7)


def in_hull(point, rows):
    """Whether a point is a weighted mean of rows, up to rounding: a linear program decides."""
    n = len(rows)
    equations = np.vstack([rows.T, np.ones(n)])
    found = linprog(np.zeros(n), A_eq=equations, b_eq=[*point, 1.0], bounds=(0, None))
    return found.status == 0


@examples(40)
@given(classes, classes)
def test_the_common_point_lies_in_both_hulls_or_a_street_between(negative, positive):
    X = np.array(negative + positive, float)
    y = np.repeat([0, 1], [len(negative), len(positive)])
    display = ObstructionDisplay.from_data(X, y, standardize=False)
    assert display.verdict == separability(X, y).verdict
    if display.common is None:
        theta, offset, half = display.street
        margins = Hyperplane(theta, offset).margins(X, 2 * y - 1)
        assert margins.min() >= half * (1 - 1e-9)
        assert half == max_margin(X, y).margin
        return
    assert in_hull(display.common, X[y == 0])
    assert in_hull(display.common, X[y == 1])
    table = display.frame()
    for label in ("0", "1"):
        mine = table[table["class"] == label]
        mean = mine["weight"] @ mine[["x", "y"]]
        np.testing.assert_allclose(mean, display.common, atol=1e-9)
        assert mine["weight"].sum() == pytest.approx(1.0)


def test_the_drawn_star_is_the_common_point_in_original_units():
    X, y = clouds(60, 0.5)
    raw = X * [1000.0, 0.01]
    display = ObstructionDisplay.from_data(raw, y).plot()
    (star,) = display.common_.get_xydata()
    proof = separability(raw, y).obstruction
    mine = [(Fraction(w), raw[r]) for w, r in zip(proof.weights, proof.rows, strict=True) if y[r]]
    total = sum(w for w, _ in mine)
    expected = [float(sum(w * Fraction(x[j]) for w, x in mine) / total) for j in (0, 1)]
    np.testing.assert_allclose(star, expected)
    assert display.note == "lengths in standard deviations"


def test_the_street_is_the_widest_and_the_perceptron_s_line_inside_the_gap():
    X, y = clouds(60)
    display = ObstructionDisplay.from_data(X, y).plot()
    best = max_margin(X, y)
    np.testing.assert_array_equal(display.rows, best.support)
    for edge in display.band_:
        a, b = edge.get_xydata()
        np.testing.assert_allclose(
            np.abs(Hyperplane(display.street[0], display.street[1]).distances([a, b])),
            best.margin, rtol=1e-6,
        )  # fmt: skip
    theta, offset = display.line
    assert (Hyperplane(theta, offset).margins(X, 2 * y - 1) > 0).all()
    assert Hyperplane(theta, offset).margin(X, 2 * y - 1) <= best.margin


def test_an_estimator_s_own_line_is_drawn():
    X, y = clouds(60)
    clf = Perceptron(random_state=3, max_iter=500).fit(X, y)
    display = ObstructionDisplay.from_data(X, y, estimator=clf).plot()
    np.testing.assert_allclose(
        display.line_.get_xydata() @ clf.coef_[0] + clf.intercept_[0], 0.0, atol=1e-6
    )


def test_a_pair_of_several_features_in_the_order_asked_for():
    X, y = clouds(60)
    frame = pd.DataFrame({"a": X[:, 1], "rest": 0.0, "b": X[:, 0]})
    display = ObstructionDisplay.from_data(frame, y, features=("b", "a"))
    np.testing.assert_allclose(display.points * display.units, X)
    assert display.names == ("b", "a")
    with pytest.raises(ValueError, match="features=\\(0, 1\\)"):
        ObstructionDisplay.from_data(frame, y)


def test_hulls_that_touch_are_quasi_separable():
    display = ObstructionDisplay.from_data([[0, 0], [1, 1], [1, 1], [2, 0.5]], [0, 0, 1, 1]).plot()
    assert display.verdict == "quasi-separable"
    assert display.common.tolist() == [1.0, 1.0]
    assert "touch" in display.ax_.get_title(loc="left")
