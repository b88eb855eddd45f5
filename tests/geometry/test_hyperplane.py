"""A hyperplane against its definitions: predictions, distances, margins, and what it refuses."""

from __future__ import annotations

import copy
import math
import pickle
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import sklearn.linear_model
import sklearn.svm
from hypothesis import given
from hypothesis import strategies as st

import novikoff
from novikoff.geometry import Hyperplane
from tests.geometry.oracle import LARGEST, SMALLEST, planes_and_points, score

X = np.array([[3.0, 4.0], [0.0, 0.0], [-1.0, 2.0], [0.5, 0.25]])
whole = st.integers(-4, 4).map(float)


# ---- prediction, distances, margins


@given(planes_and_points(elements=whole))
def test_definitions(case):
    theta, offset, rows = case
    plane = Hyperplane(theta, offset)
    exact = [score(theta, offset, x) for x in rows]
    assert plane.predict(rows).tolist() == [1 if s >= 0 else -1 for s in exact]
    for labels in (plane.predict(rows), -plane.predict(rows)):
        y = labels.tolist()
        agreement = [label * s for label, s in zip(y, exact, strict=True)]
        errors = sum(a <= 0 for a in agreement)
        assert plane.training_error(rows, y) == errors / len(y)
        if any(theta):
            norm = math.sqrt(sum(t * t for t in theta))
            expected = [float(a) / norm for a in agreement]
            assert plane.margins(rows, y).tolist() == pytest.approx(expected)
            smallest = min(expected)
            assert plane.margin(rows, y) == (pytest.approx(smallest) if smallest > 0 else -math.inf)


@given(planes_and_points())
def test_a_distance_has_the_sign_of_its_score(case):
    theta, offset, rows = case
    plane = Hyperplane(theta, offset)
    if any(theta):
        distances = plane.distances(rows)
        assert np.isfinite(distances).all()
        assert np.sign(distances).tolist() == np.sign(plane.scores(rows)).tolist()


@given(planes_and_points(elements=whole), st.integers(-1000, 1000))
def test_distances_do_not_depend_on_the_length_of_theta(case, power):
    theta, offset, rows = case
    if any(theta):
        scaled = Hyperplane(np.ldexp(theta, power), math.ldexp(offset, power))
        assert scaled.distances(rows).tolist() == Hyperplane(theta, offset).distances(rows).tolist()


def test_distances_where_the_norm_or_the_score_has_no_double():
    assert Hyperplane([3e-320, 4e-320]).distances([[3.0, 4.0]]) == pytest.approx(5.0, rel=1e-3)
    assert Hyperplane([LARGEST] * 9).distances([[6.0] * 9]) == pytest.approx(18.0)
    assert Hyperplane([SMALLEST], 1.0).distances([[0.0]]).tolist() == [LARGEST]
    assert Hyperplane([1.0] * 9).distances([[SMALLEST] + [0.0] * 8]).tolist() == [SMALLEST]


def test_a_point_on_the_boundary_is_positive_an_error_and_not_separated():
    plane = Hyperplane([1.0, -1.0])
    on_it = [[2.0, 2.0]]
    assert plane.predict(on_it).tolist() == [1]
    for y in ([1], [-1]):
        assert plane.training_error(on_it, y) == 1.0
        assert plane.margins(on_it, y).tolist() == [0.0]
        assert plane.margin(on_it, y) == -math.inf


def test_margin_is_that_of_the_nearest_point():
    plane = Hyperplane([3.0, 4.0], -5.0)
    y = [1, -1, 1, -1]
    assert plane.margins(X, y).tolist() == [4.0, 1.0, 0.0, 0.5]
    assert plane.margin(X[[0, 1, 3]], [1, -1, -1]) == 0.5
    assert plane.margin(X[[0, 1]], [-1, -1]) == -math.inf


# ---- a value


def test_a_value():
    plane = Hyperplane([1, -0.0], 2)
    assert plane == Hyperplane(np.array([1.0, 0.0]), 2.0)
    assert hash(plane) == hash(Hyperplane([1.0, 0.0], 2.0))
    assert plane not in (Hyperplane([1.0, 0.0]), Hyperplane([1.0], 2.0), "plane")
    assert repr(plane) == "Hyperplane([1.0, 0.0], offset=2.0)"
    assert repr(Hyperplane(range(1, 101))) == (
        "Hyperplane([1.0, 2.0, 3.0, ... 94 more ..., 98.0, 99.0, 100.0], offset=0.0)"
    )
    with pytest.raises(AttributeError):
        plane.offset = 3.0
    for same in (plane, copy.deepcopy(plane), pickle.loads(pickle.dumps(plane))):
        assert same == plane
        with pytest.raises(ValueError, match="read-only"):
            same.theta[0] = 5.0


def test_theta_is_copied():
    theta = np.array([1.0, 2.0])
    plane = Hyperplane(theta)
    theta[0] = 7.0
    assert plane.theta.tolist() == [1.0, 2.0]


def test_fractions_are_rounded_to_doubles():
    theta = np.array([Fraction(1, 3), Fraction(-2), 3], object)
    plane = Hyperplane(theta, Fraction(1, 10))
    assert plane == Hyperplane([1 / 3, -2.0, 3.0], 0.1)
    with pytest.raises(ValueError, match="too large for a double"):
        Hyperplane(np.array([Fraction(10) ** 400], object))


# ---- from estimators

POINTS = np.array([[0.0, 0.0], [1.0, 0.0], [5.0, 5.0], [6.0, 5.0], [0.0, 9.0], [1.0, 9.0]])
LABELS = np.array(["a", "a", "b", "b", "c", "c"])


@pytest.mark.parametrize(
    "estimator",
    [
        novikoff.Perceptron(),
        novikoff.Perceptron(fit_intercept=False),
        novikoff.AveragedPerceptron(),
        sklearn.linear_model.Perceptron(),
        sklearn.svm.LinearSVC(),
        sklearn.svm.LinearSVC(fit_intercept=False),  # its intercept_ is a float
        sklearn.svm.SVC(kernel="linear"),
    ],
)
@pytest.mark.parametrize("layout", [np.asarray, sp.csr_matrix])
def test_from_estimator(estimator, layout):
    points, labels = POINTS[:4] - 3.0, LABELS[:4]
    estimator.fit(layout(points), labels)
    plane = Hyperplane.from_estimator(estimator)
    assert plane.scores(points) == pytest.approx(estimator.decision_function(layout(points)))
    y = np.where(labels == estimator.classes_[1], 1, -1)
    assert plane.training_error(points, y) == 1.0 - estimator.score(layout(points), labels)


@pytest.mark.parametrize(
    "estimator", [novikoff.Perceptron(multi_class="ovr"), sklearn.linear_model.Perceptron()]
)
def test_from_an_estimator_with_several_hyperplanes(estimator):
    estimator.fit(POINTS, LABELS)
    for k in range(3):
        plane = Hyperplane.from_estimator(estimator, index=k)
        assert plane.scores(POINTS) == pytest.approx(estimator.decision_function(POINTS)[:, k])
    with pytest.raises(ValueError, match="has 3 hyperplanes: choose one"):
        Hyperplane.from_estimator(estimator)
    for k in (3, -1):
        with pytest.raises(IndexError, match="hyperplanes 0 to 2 only"):
            Hyperplane.from_estimator(estimator, index=k)


def test_from_what_has_no_hyperplane():
    for estimator in (novikoff.Perceptron(), sklearn.svm.SVC().fit(POINTS, LABELS), object()):
        with pytest.raises(ValueError, match="has no coef_: pass a linear classifier after fit"):
            Hyperplane.from_estimator(estimator)


# ---- what is refused


@pytest.mark.parametrize(
    ("theta", "offset", "message"),
    [
        ([[1.0]], 0.0, r"theta must be 1-D.*\(1, 1\)"),
        ([], 0.0, "theta must be 1-D"),
        (1.0, 0.0, "theta must be 1-D"),
        ([1.0, math.nan], 0.0, r"theta holds nan at position 1"),
        ([1.0, math.inf], 0.0, "theta holds inf"),
        ([1j], 0.0, "theta must hold real numbers"),
        (["a"], 0.0, "theta must hold real numbers"),
        ([2**53 + 1], 0.0, r"beyond 2\*\*53"),
        (sp.csr_array(np.ones((1, 2))), 0.0, "theta must be dense"),
        ([1.0], math.nan, "offset holds nan"),
        ([1.0], [1.0], "offset must be a single number"),
        ([1.0], None, "offset holds nan"),
    ],
)
def test_no_such_hyperplane(theta, offset, message):
    with pytest.raises(ValueError, match=message):
        Hyperplane(theta, offset)


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([1.0, 2.0], "X must be 2-D.*Write \\[x\\] for a single point"),
        ([[[1.0, 2.0]]], "X must be 2-D"),
        ([[1.0, 2.0, 3.0]], "X has 3 columns, but theta has 2 numbers"),
        ([[1.0, 2.0], [3.0]], "X must hold numbers, and rows of one length"),
        ([[1.0, 2.0], [3.0, math.nan]], "X holds nan at row 1, column 1"),
        (sp.csr_array([[0.0, 2.0], [0.0, math.inf]]), "X holds inf at row 1, column 1"),
        ([[0, 2**60]], r"X holds 1152921504606846976 at row 0, column 1: .*beyond 2\*\*53"),
        ([[0, -(2**60)]], r"beyond 2\*\*53"),
        ([["a", "b"]], "X must hold real numbers"),
        (pd.DataFrame({"a": [1.0], "b": ["x"]}), "X must hold numbers"),
        (sp.csr_array(np.array([[1j, 0.0]])), "X must hold real numbers"),
    ],
)
def test_no_such_points(points, message):
    with pytest.raises(ValueError, match=message):
        Hyperplane([1.0, 2.0]).scores(points)


def test_a_malformed_sparse_matrix():
    points = sp.csr_array(np.ones((2, 2)))
    points.indices[1] = 7
    with pytest.raises(ValueError, match="malformed: row 0 has a value in column 7"):
        Hyperplane([1.0, 2.0]).scores(points)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([0, 1], "y holds 0 at row 0.*np.where"),
        ([1, 2], "y holds 2 at row 1"),
        (["no", "yes"], r"np.where\(y == classes_\[1\], 1, -1\)"),
        ([True, True], "y holds True and False.*np.where"),
        ([1.0, math.nan], "y holds nan at row 1"),
        ([1], r"y must have shape \(2,\).*its shape is \(1,\)"),
        ([[1], [1]], r"y must have shape \(2,\)"),
    ],
)
def test_no_such_labels(y, message):
    plane = Hyperplane([1.0, 2.0])
    for method in (plane.margins, plane.margin, plane.training_error):
        with pytest.raises(ValueError, match=message):
            method([[1.0, 2.0], [3.0, 4.0]], y)


def test_zero_is_no_hyperplane_but_has_a_training_error():
    nothing = Hyperplane([0.0, 0.0], 1.0)
    for method in (nothing.margins, nothing.margin):
        with pytest.raises(ValueError, match="theta = 0 is no hyperplane"):
            method(X, [1, 1, 1, 1])
    with pytest.raises(ValueError, match="theta = 0 is no hyperplane"):
        nothing.distances(X)
    assert nothing.training_error(X, [1, 1, 1, -1]) == 0.25


def test_an_empty_data_set_has_no_margin_and_no_error():
    plane = Hyperplane([1.0, 2.0])
    for method in (plane.margin, plane.training_error):
        with pytest.raises(ValueError, match="X has no rows"):
            method(np.empty((0, 2)), [])
