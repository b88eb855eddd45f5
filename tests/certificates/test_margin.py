"""max_margin: intervals that hold the exact margin, whatever the data; and the mistake bound."""

from __future__ import annotations

import math
import sys
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from benchmarks import questions
from novikoff import (
    CertificateError,
    Hyperplane,
    NotSeparableError,
    Perceptron,
    max_margin,
    mistake_bound,
    separability,
)
from novikoff.certificates import MaxMargin
from tests.certificates.oracle import dot, reduced
from tests.examples import examples


def squared_margin(X, y, fit_intercept):
    """The largest margin, squared, by brute force: every support, in fractions.

    The nearest points are combinations of affinely independent rows, and of these they are the
    stationary point; every stationary point with weights >= 0 is in the hulls.
    """
    P = [[Fraction(s) * Fraction(v) for v in x] for x, s in zip(X, y, strict=True)]
    sides = y if fit_intercept else [0] * len(y)
    kinds = sorted(set(sides))
    best = None
    for size in range(len(kinds), len(X[0]) + len(kinds) + 1):
        for chosen in combinations(range(len(P)), size):
            weights = stationary([P[i] for i in chosen], [sides[i] for i in chosen], kinds)
            if weights is None or min(weights) < 0:
                continue
            v = [
                sum((w * P[i][j] for w, i in zip(weights, chosen, strict=True)), Fraction(0))
                for j in range(len(X[0]))
            ]
            best = dot(v, v) if best is None else min(best, dot(v, v))
    return best / len(kinds) ** 2


def stationary(points, sides, kinds):
    """Weights that sum to 1 on each side and make the shortest v, if they are unique."""
    n, m = len(points), len(kinds)
    system = [
        [*(dot(p, q) for q in points), *(Fraction(int(s == k)) for k in kinds), Fraction(0)]
        for p, s in zip(points, sides, strict=True)
    ]
    system += [
        [*(Fraction(int(s == k)) for s in sides), *([Fraction(0)] * m), Fraction(1)] for k in kinds
    ]
    solved = reduced(system)
    pivots = [next(j for j, x in enumerate(row) if x) for row in solved]
    if sorted(pivots) != list(range(n + m)):
        return None
    return [row[-1] for row, p in sorted(zip(solved, pivots, strict=True), key=lambda t: t[1])][:n]


def holds(result, square):
    """Whether the interval holds a margin given by its square."""
    return Fraction(result.margin) ** 2 <= square <= Fraction(result.upper_bound) ** 2


@st.composite
def small_sets(draw):
    n, d = draw(st.integers(2, 6)), draw(st.integers(1, 3))
    size = draw(st.sampled_from([2, 9, 100]))
    row = st.lists(st.integers(-size, size), min_size=d, max_size=d)
    X = draw(st.lists(row, min_size=n, max_size=n))
    y = draw(st.lists(st.sampled_from([-1, 1]), min_size=n, max_size=n))
    y[0], y[1] = -1, 1
    return X, y, draw(st.booleans())


@examples(75)
@given(small_sets(), st.sampled_from([1e-1, 1e-6, 1e-12]))
def test_the_interval_holds_the_exact_margin(problem, tol):
    X, y, fit_intercept = problem
    square = squared_margin(X, y, fit_intercept)
    if square == 0:
        with pytest.raises(NotSeparableError) as caught:
            max_margin(X, y, fit_intercept=fit_intercept, tol=tol)
        assert caught.value.separability.verify(X, y)
        return
    result = max_margin(X, y, fit_intercept=fit_intercept, tol=tol)
    assert holds(result, square)
    assert result.upper_bound - result.margin <= tol * result.margin * (1 + 1e-9)
    assert result.verify(X, y)


def test_margins_known_on_paper():
    line = max_margin([[0.0], [1.0]], [0, 1])
    assert holds(line, Fraction(1, 4))
    pythagoras = max_margin([[0, 0], [3, 4], [9, 9]], [0, 1, 1])
    assert holds(pythagoras, Fraction(25, 4))
    for n in (1, 2, 5, 16):  # the hull of n orthonormal rows is 1 / sqrt(n) from the origin
        y = np.where(np.arange(n + 1) % 2, 1, -1)
        X = np.vstack([np.eye(n + 1)]) * y[:, None]
        assert holds(max_margin(X, y, fit_intercept=False), Fraction(1, n + 1))


@pytest.mark.parametrize(("k", "n"), [(1, 1), (1, 4), (3, 5), (20, 30)])
def test_the_faces_of_a_simplex_are_as_far_apart_as_their_centres(k, n):
    """k unit vectors against n others, (1/k + 1/n)^(1/2) apart; and one row against a simplex."""
    X, y = np.eye(k + n), np.arange(k + n) < k
    for storage in (np.asarray, sp.csr_array):
        result = max_margin(storage(X), y)
        assert holds(result, (Fraction(1, k) + Fraction(1, n)) / 4)
        assert result.support.tolist() == list(range(k + n))
        assert result.verify(X, y)


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, bool, np.float32, object])
def test_what_type_the_values_have_does_not_matter(dtype):
    X = np.array([[0, 0], [1, 0], [0, 1], [1, 1]])
    y = [0, 0, 0, 1]
    result = max_margin(X.astype(dtype), y)
    assert holds(result, Fraction(1, 8))
    assert result.upper_bound == math.nextafter(result.margin, 1.0)
    assert result.verify(X.astype(float), y)


def awkward_sets():
    """Sets whose largest margin is 1, with the rows (-1, 0, ...) and (1, 0, ...) next to it."""
    random = np.random.RandomState(0)
    y = np.where(np.arange(300) % 2, 1, -1)
    X = random.standard_normal((300, 8))
    X[:, 0] = y * (1.0 + random.random(300))
    X[:2] = [[-1.0] + [0.0] * 7, [1.0] + [0.0] * 7]
    yield "one row per class", X[:2], y[:2]
    yield "many rows", np.vstack([X] * 40), np.tile(y, 40)
    yield "duplicate rows", np.vstack([X[:20]] * 3), np.tile(y[:20], 3)
    yield "constant and all-zero columns", np.hstack([X, np.full((300, 1), 7.0), 0 * X]), y
    yield "repeated columns", X[:, [0] + [1] * 12], y
    yield "rank one", X[:, :1] * [[1.0] + [0.0] * 30], y
    yield "wider than long", np.hstack([X[:10], random.standard_normal((10, 50)) * 0]), y[:10]


@pytest.mark.parametrize(("X", "y"), [pytest.param(X, y, id=name) for name, X, y in awkward_sets()])
@pytest.mark.parametrize("storage", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_awkward_data(X, y, storage, fit_intercept):
    result = max_margin(storage(X), y, fit_intercept=fit_intercept)
    assert holds(result, 1)
    assert result.verify(X, y)


@pytest.mark.parametrize(
    ("X", "y", "fit_intercept"),
    [
        ([[1.0, 2.0], [0.0, 5.0], [1.0, 2.0]], [0, 1, 1], True),  # a contradiction
        ([[0.0, 0.0], [1.0, 1.0], [-1.0, -2.0]], [1, 1, 0], False),  # a zero row
        ([[0.0, 0.0], [0.0, 0.0]], [0, 1], True),
        ([[0, 0], [1, 1], [0, 1], [1, 0]], [0, 0, 1, 1], True),
        ([[1.0], [2.0], [3.0]], [0, 0, 1], False),  # separable, but not through the origin
        ([[0.1], [0.2], [0.2], [0.3]], [0, 0, 1, 1], True),  # the hulls touch
        (np.random.RandomState(0).random((400, 5)), np.arange(400) % 2, True),
    ],
)
def test_what_cannot_be_separated_comes_with_the_obstruction(X, y, fit_intercept):
    for storage in (np.asarray, sp.csr_array):
        with pytest.raises(NotSeparableError) as caught:
            max_margin(storage(X), y, fit_intercept=fit_intercept)
        assert len(caught.value.obstruction) >= 1
        assert caught.value.separability.verify(X, y)
    assert mistake_bound(X, y, fit_intercept=fit_intercept).value == math.inf


@pytest.mark.parametrize("k", [5, 20, 40])
@pytest.mark.parametrize("d", [2, 10, 20])
def test_a_tiny_margin_is_found_to_the_tolerance(d, k):
    """Doubles are too coarse for these: fractions must do it."""
    X, y = questions.known_truth(d, 40, k, "outside", seed=d)
    result = max_margin(X, y)
    assert 0 < result.margin <= result.upper_bound <= result.margin * (1 + 1.1e-6)
    assert result.verify(X, y)
    for where in ("on", "inside"):
        X, y = questions.known_truth(d, 40, k, where, seed=d)
        with pytest.raises(NotSeparableError):
            max_margin(X, y)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_scaling_translation_order_and_storage(fit_intercept):
    rng = np.random.RandomState(0)
    X = rng.randint(-8, 9, (30, 3)).astype(float)
    y = np.where(X @ [1, 2, -1] > 1, 1, -1)
    X += y[:, None] * [1.0, 2.0, -1.0]
    one = max_margin(X, y, fit_intercept=fit_intercept)
    order = rng.permutation(30)
    others = [
        (max_margin(X[order], y[order], fit_intercept=fit_intercept), 1.0),
        (max_margin(sp.csr_array(X), y, fit_intercept=fit_intercept), 1.0),
        (max_margin(X.astype(np.float32), y, fit_intercept=fit_intercept), 1.0),
        (max_margin(X * 2.0**70, y, fit_intercept=fit_intercept), 2.0**70),
        (max_margin(X * 2.0**-70, y, fit_intercept=fit_intercept), 2.0**-70),
    ]
    if fit_intercept:
        others.append((max_margin(X + 2.0**20, y), 1.0))
    for other, scale in others:
        assert other.margin <= one.upper_bound * scale
        assert one.margin * scale <= other.upper_bound


def real_sets():
    iris, kinds = load_iris(return_X_y=True)
    yield iris, kinds == 0
    cancer = load_breast_cancer()
    yield StandardScaler().fit_transform(cancer.data), cancer.target
    if (questions.data.FOLDER / "small" / "sonar.csv").exists():
        yield questions.sonar()


@pytest.mark.thorough
def test_no_support_vector_machine_does_better():
    for X, y in real_sets():
        result = max_margin(X, y)
        assert result.verify(X, y)
        svc = SVC(kernel="linear", C=1e10).fit(X, y)
        sides = np.where(np.asarray(y) == svc.classes_[1], 1, -1)
        assert Hyperplane.from_estimator(svc).margin(X, sides) <= result.upper_bound
        assert Hyperplane(result.theta, result.offset).margin(X, sides) > 0


def test_both_ends_are_proved():
    X, y = [[0, 0], [1, 2], [3, 1]], [0, 1, 1]
    result = max_margin(X, y, tol=1e-15)
    assert result.verify(X, y)
    with pytest.raises(CertificateError, match="margin"):
        replace(result, margin=math.nextafter(result.upper_bound, math.inf)).verify(X, y)
    with pytest.raises(CertificateError):
        replace(result, upper_bound=math.nextafter(result.margin, 0.0)).verify(X, y)
    with pytest.raises(CertificateError, match="sum to"):
        replace(result, weights=result.weights * 2).verify(X, y)
    with pytest.raises(CertificateError, match="digest"):
        result.verify([[0, 0], [1, 2], [3, 1.5]], y)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_with_the_smallest_tolerance_the_ends_are_neighbours(fit_intercept):
    """Then no double above `margin` or below `upper_bound` can be proved."""
    random = np.random.RandomState(3)
    for _ in range(20):
        X, y = (random.randint(-9, 10, (6, 3)) + 0.1).tolist(), [0, 1] * 3
        square = squared_margin(X, [-1, 1] * 3, fit_intercept)
        if square > 0:
            result = max_margin(X, y, fit_intercept=fit_intercept, tol=1e-15)
            assert holds(result, square)
            assert result.upper_bound - result.margin <= 1e-15 * result.margin
    X, y = np.array([[0.0, 0.0], [1.0, 2.0], [3.0, 1.0]]), [0, 1, 1]
    result = max_margin(X, y, tol=1e-15)  # the exact margin is the root of 5 / 4
    assert result.upper_bound == math.nextafter(result.margin, math.inf)
    for tampered in (
        replace(result, margin=result.upper_bound),
        replace(result, upper_bound=result.margin),
    ):
        with pytest.raises(CertificateError):
            tampered.verify(X, y)


def test_the_whole_range_of_doubles():
    huge = max_margin([[-1.7e308], [1.7e308]], [0, 1])
    assert huge.margin == huge.upper_bound == 1.7e308
    tiny = max_margin([[-5e-324], [5e-324]], [0, 1])
    assert tiny.margin == tiny.upper_bound == 5e-324
    mixed = max_margin([[-1e-300, 1e300], [1e-300, 1e300]], [0, 1])
    assert mixed.margin == mixed.upper_bound == 1e-300
    for X in ([[-1.7e308] * 2, [1.7e308] * 2], [[0.0], [5e-324]]):
        with pytest.raises(ValueError, match="range of doubles"):
            max_margin(X, [0, 1])


def test_a_margin_among_the_subnormals_is_proved_as_well_as_doubles_can():
    X = np.array([[1.0, 2], [3, 1], [-1, -1], [-2, 1]]) * 1e-320
    with pytest.warns(ConvergenceWarning, match="margin this small; multiply X by a power of two"):
        found = max_margin(X, [1, 1, 0, 0])
    assert found.margin < found.upper_bound
    assert found.verify(X, [1, 1, 0, 0])


def test_json_round_trip():
    sets = [
        ([[0.1, 0.7], [1.3, 2.9], [3.1, 1.0]], [0, 1, 1]),
        questions.known_truth(5, 20, 40, "outside", 1),
    ]
    for X, y in sets:
        result = max_margin(X, y)
        again = MaxMargin.from_json(result.to_json())
        assert again.to_json() == result.to_json()
        assert again.verify(X, y)


@pytest.mark.parametrize(
    ("X", "y", "options", "message"),
    [
        ([[1.0], [2.0]], [1, 1], {}, "two classes"),
        ([[1.0], [2.0], [3.0]], [1, 2, 3], {}, "two classes"),
        ([[np.nan], [1.0]], [0, 1], {}, "NaN at row 0"),
        (np.zeros((0, 2)), [], {}, "0 sample"),
        ([[1.0], [2.0]], [0, 1], {"tol": 0.0}, "tol"),
        ([[1.0], [2.0]], [0, 1], {"tol": "small"}, "tol"),
    ],
)
def test_bad_input_is_refused(X, y, options, message):
    with pytest.raises(ValueError, match=message):
        max_margin(X, y, **options)


def test_a_radius_beyond_doubles_is_refused_in_words():
    M = sys.float_info.max
    X = np.array([[M, M], [-M, M]])  # the margin is M, the radius M times the root of two
    with pytest.raises(ValueError, match=r"The radius .* range of doubles. Multiply X by a power"):
        mistake_bound(X, [1, 0], fit_intercept=False)
    assert mistake_bound(X / 2.0**1000, [1, 0], fit_intercept=False).value == pytest.approx(2.0)
    assert mistake_bound(X[[0, 0]], [1, 0], fit_intercept=False).value == math.inf


@examples(50)
@given(small_sets())
def test_the_perceptron_keeps_to_the_bound(problem):
    X, y, fit_intercept = problem
    bound = mistake_bound(X, y, fit_intercept=fit_intercept)
    if separability(X, y, fit_intercept=fit_intercept).verdict != "separable":
        assert (bound.margin, bound.value) == (0.0, math.inf)
        return
    assume(bound.value < 10_000)
    Z = [[*x, 1] for x in X] if fit_intercept else X
    radius = max(sum(Fraction(v) ** 2 for v in z) for z in Z)
    square = squared_margin(Z, y, fit_intercept=False)
    assert radius / square <= Fraction(bound.value) <= radius / square * (1 + Fraction(1, 10**5))
    clf = Perceptron(fit_intercept=fit_intercept, max_iter=10_000).fit(np.array(X, float), y)
    assert clf.status_ == "separated"
    assert clf.n_updates_[0] <= bound.value
