"""Losses against their definitions; the subgradient inequality in rational numbers."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import novikoff
from novikoff.geometry import Hyperplane, losses
from tests.geometry.oracle import doubles, planes_and_points, score, sign

whole = st.integers(-4, 4).map(float)
labels = st.sampled_from([-1, 1])
free = st.sampled_from([-1.0, -0.75, -0.5, -0.125, 0.0])


@given(st.lists(st.tuples(labels, doubles), min_size=1))
def test_definitions(pairs):
    y, scores = (list(part) for part in zip(*pairs, strict=True))
    agreement = [label * s for label, s in pairs]
    assert losses.zero_one(y, scores).tolist() == [float(a <= 0) for a in agreement]
    correct = losses.zero_one(y, scores, boundary="correct")
    assert correct.tolist() == [float(a < 0) for a in agreement]
    assert losses.perceptron(y, scores).tolist() == [max(0.0, -a) for a in agreement]
    hinge = losses.hinge(y, scores)
    assert hinge.tolist() == [max(0.0, 1.0 - a) for a in agreement]
    assert (hinge > 0).tolist() == [a < 1 for a in agreement]  # no difference is rounded to zero
    assert (hinge >= losses.zero_one(y, scores)).all()  # the hinge bounds the error


def test_two_readings_of_the_boundary():
    """Seed 000, eq. 4 (right side), and 001: y s <= 0 is an error. Seed 002: y s < 0 is."""
    y = np.array([1, -1])
    assert losses.zero_one(y, [0.0, -0.0]).tolist() == [1.0, 1.0]
    assert losses.zero_one(y, [0.0, -0.0], boundary="correct").tolist() == [0.0, 0.0]
    # Eq. 4, left side: h(x) differs from y. Neither reading.
    assert (Hyperplane([1.0]).predict([[0.0], [0.0]]) != y).tolist() == [False, True]


@given(planes_and_points(), st.data())
def test_the_mean_zero_one_loss_is_the_training_error(case, data):
    theta, offset, rows = case
    y = data.draw(st.lists(labels, min_size=len(rows), max_size=len(rows)))
    plane = Hyperplane(theta, offset)
    assert losses.zero_one(y, plane.scores(rows)).mean() == plane.training_error(rows, y)


def test_a_number_goes_with_an_array():
    assert losses.perceptron(1, [-2.0, 3.0]).tolist() == [2.0, 0.0]
    assert losses.hinge([1, -1], 0.25, margin=0.5).tolist() == [0.25, 0.75]
    assert losses.hinge(-1, 0.25) == 1.25
    assert np.signbit(losses.perceptron([1, -1], [0.0, -0.0])).tolist() == [False, False]


# ---- the subgradient


@given(planes_and_points(elements=whole), st.data())
def test_subgradient_inequality(case, data):
    """L(v) >= L(u) + g . (v - u) for every v, per example; whole numbers, so exact."""
    theta, offset, rows = case
    y = data.draw(st.lists(labels, min_size=len(rows), max_size=len(rows)))
    u = [*theta, offset]
    v = data.draw(st.lists(whole, min_size=len(u), max_size=len(u)))
    g = losses.perceptron_subgradient(rows, y, theta, offset, k=data.draw(free))
    for i, x in enumerate(rows):
        at_u = max(0, -y[i] * score(theta, offset, x))
        at_v = max(0, -y[i] * score(v[:-1], v[-1], x))
        gradient = [*g.theta[i].tolist(), float(g.offset[i])]
        rise = score(gradient, 0.0, [b - a for a, b in zip(u, v, strict=True)])
        assert at_v >= at_u + rise
        # The loss is positively homogeneous: g . u = L(u) at every u.
        assert score(gradient, 0.0, u) == at_u


@pytest.mark.parametrize("k", [-1.25, 0.25])
def test_beyond_the_interval_the_inequality_fails(k):
    """At u = 0, x = y = 1: L(v) = max(0, -v) >= k v for all v only if -1 <= k <= 0."""
    assert any(max(0.0, -v) < k * v for v in (-1.0, 1.0))
    with pytest.raises(ValueError, match="k must be between -1 and 0"):
        losses.perceptron_subgradient([[1.0]], [1], [0.0], k=k)


@given(planes_and_points(), free, st.data())
def test_cases_are_told_apart_exactly(case, k, data):
    theta, offset, rows = case
    y = data.draw(st.lists(labels, min_size=len(rows), max_size=len(rows)))
    g = losses.perceptron_subgradient(rows, y, theta, offset, k=k)
    factors = {-1: -1.0, 0: k, 1: 0.0}
    expected = [
        factors[sign(label * score(theta, offset, x))] * label
        for label, x in zip(y, rows, strict=True)
    ]
    assert g.offset.tolist() == expected
    products = [[f * v for v in x] for f, x in zip(expected, rows, strict=True)]
    assert g.theta.tolist() == products
    sparse = losses.perceptron_subgradient(sp.csc_matrix(np.array(rows)), y, theta, offset, k=k)
    assert isinstance(sparse.theta, sp.csr_array)
    assert sparse.theta.toarray().tolist() == products
    assert sparse.offset.tolist() == expected
    assert sparse.theta.nnz == np.count_nonzero(products)


def test_a_rounded_sum_would_choose_another_case():
    """0.1 + 0.2 - 0.3 is 2**-55 over the stored doubles; summed in doubles it is 2**-54."""
    theta, x = [0.1, 0.2, -0.3], [1.0, 1.0, 1.0]
    assert score(theta, 0.0, x) == Fraction(1, 2**55)
    wrong_by_a_bit = -float(Fraction(1, 2**55))
    assert losses.perceptron_subgradient([x], [1], theta, 0.0).offset.tolist() == [0.0]
    assert losses.perceptron_subgradient([x], [1], theta, wrong_by_a_bit).offset.tolist() == [-1.0]
    assert losses.perceptron_subgradient([x], [1], theta, 2 * wrong_by_a_bit, k=0.0).offset == [
        -1.0
    ]


@pytest.mark.parametrize(("k", "ties"), [(-1.0, "mistake"), (0.0, "correct")])
def test_descent_is_the_perceptron(k, ties):
    rng = np.random.RandomState(0)
    X = rng.randint(-5, 6, (30, 3)).astype(float)
    y = np.where(X @ [1.0, -2.0, 1.0] + 0.5 > 0, 1, -1)
    start = np.array([1.0, 0.0, 0.0])
    theta, offset = start, 0.0
    for i in range(len(X)):
        g = losses.perceptron_subgradient(X[i : i + 1], y[i : i + 1], theta, offset, k=k)
        theta, offset = theta - g.theta[0], offset - g.offset[0]
    clf = novikoff.AveragedPerceptron(order="cyclic", max_iter=1, ties=ties)
    clf.fit(X, y, coef_init=[start])
    assert clf.last_coef_.tolist() == [theta.tolist()]
    assert clf.last_intercept_.tolist() == [offset]


def test_no_rows_no_subgradients():
    for nothing in (np.empty((0, 2)), sp.csr_array((0, 2))):
        g = losses.perceptron_subgradient(nothing, [], [1.0, 2.0])
        assert g.theta.shape == (0, 2)
        assert g.offset.shape == (0,)


# ---- what is refused


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: losses.zero_one([1], [1.0], boundary="sign"), 'must be "error" or "correct"'),
        (lambda: losses.zero_one([0], [1.0]), "y holds 0 at row 0"),
        (lambda: losses.perceptron([1, -1], [1.0]), r"one shape; they have \(2,\) and \(1,\)"),
        (lambda: losses.hinge([[1], [1]], [1.0, 1.0]), "one shape"),
        (lambda: losses.hinge([1], [math.nan]), "scores holds nan at position 0"),
        (lambda: losses.hinge([1], [1.0], margin=-1.0), "margin must be 0 or more"),
        (lambda: losses.hinge([1], [1.0], margin=math.inf), "margin holds inf"),
        (lambda: losses.perceptron_subgradient([[1.0]], [2], [1.0]), "y holds 2 at row 0"),
        (lambda: losses.perceptron_subgradient([[1.0]], [1], [1.0], k=math.nan), "k holds nan"),
        (lambda: losses.perceptron_subgradient([[1.0]], [1], [1.0, 2.0]), "X has 1 columns"),
    ],
)
def test_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
