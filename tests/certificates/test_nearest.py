"""The searches behind max_margin: each of them alone finds the nearest points."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.linalg import solve
from sklearn.exceptions import ConvergenceWarning

from benchmarks import questions
from novikoff import NotSeparableError, max_margin
from novikoff.certificates import margin
from novikoff.certificates.corral import Corral
from novikoff.certificates.data import read
from novikoff.certificates.descent import Descent, conjugate_gradients
from novikoff.certificates.interval import in_doubles, in_fractions, on_grid
from novikoff.certificates.nearest import Candidate, Points, Search
from novikoff.certificates.rational import RationalSearch

BOTH = pytest.mark.parametrize("fit_intercept", [True, False])
STORED = pytest.mark.parametrize("storage", [np.asarray, sp.csr_array])


def separable(n, d, fit_intercept, seed=0):
    """Rows on both sides of a hyperplane, none nearer to it than 0.1."""
    random = np.random.RandomState(seed)
    theta = random.standard_normal(d)
    theta /= np.linalg.norm(theta)
    X = random.standard_normal((n, d))
    y = np.where(X @ theta > 0, 1, -1)
    y[:2] = [-1, 1]
    X[:2] = y[:2, None] * theta
    return X + 0.1 * y[:, None] * theta + 5.0 * fit_intercept, y


def proves(points, candidate, tol):
    return in_doubles(points, candidate, tol).gap <= tol


def test_sparse_points_have_their_columns_in_order():
    """Sums over them are rounded in that order, and certificates to the last bit with them."""
    X, y = sp.csr_array([[1.0, 0.0, 2.0], [3.0, 4.0, 0.0]]), [-1, 1]
    points = Points(read(X, y, True))
    assert points.take(np.arange(2)).indices.tolist() == [0, 2, 0, 1]
    assert points.with_sides(np.arange(2)).indices.tolist() == [0, 2, 4, 1, 2, 3]


@BOTH
@STORED
@pytest.mark.parametrize(("n", "d"), [(2, 1), (500, 3), (400, 30), (40, 60)])
def test_floats_and_fractions_find_the_nearest_points(fit_intercept, storage, n, d):
    X, y = separable(n, d, fit_intercept)
    search = Search(read(storage(X), y, fit_intercept))
    search.run(1e-9, 0.0, 1000)
    assert search.status == "nearest"
    assert search.separates
    assert proves(search.points, search.candidate(), 1e-8)
    worst_guess = np.array([group[0] for group in search.points.groups])
    found = RationalSearch(search.points, worst_guess, np.ones(len(worst_guess))).run()
    assert in_fractions(search.points, found).gap <= 2.0**-52
    assert sum(found.weights) == len(search.points.groups)


@BOTH
@STORED
@pytest.mark.parametrize("exponent", [0, 600, -600])
def test_descent_finds_them_in_wide_data(fit_intercept, storage, exponent):
    X, y = separable(60, 200, fit_intercept)
    points = Points(read(storage(X * 2.0**exponent), y, fit_intercept))
    descent = Descent(points)
    assert proves(points, descent.run(1e-8, 300), 1e-7)
    assert descent.separates


def test_conjugate_gradients_solve_the_linear_system():
    random = np.random.RandomState(0)
    A, y = random.standard_normal((12, 30)), np.where(random.random(12) < 0.4, -1.0, 1.0)
    G = A @ A.T
    a = conjugate_gradients(lambda a: G @ a, np.zeros(12), np.diag(G), np.zeros(12), 1e-12)
    np.testing.assert_allclose(a, solve(G, np.ones(12)), rtol=1e-9)
    a = conjugate_gradients(lambda a: G @ a, y, np.diag(G), np.ones(12), 1e-12)
    assert abs(y @ a) < 1e-12
    bordered = np.block([[G, y[:, None]], [y, np.zeros(1)]])
    np.testing.assert_allclose(a, solve(bordered, [1.0] * 12 + [0.0])[:12], rtol=1e-9)


def test_a_corral_keeps_its_triangle_when_rows_come_and_go():
    """R^T R is the matrix of products, and what a projection leaves is orthogonal to the rows."""
    random = np.random.RandomState(1)
    q = random.standard_normal((200, 90))
    corral = Corral(q, np.zeros(200, np.int64), 1.0)
    for i in range(180):
        assert corral.add(i)
        if i % 3 == 2 or len(corral.members) > 80:
            corral.drop(random.randint(len(corral.members)))
        rows, k = q[corral.members], len(corral.members)
        R = corral._triangle[:k, :k]
        np.testing.assert_allclose(R.T @ R, rows @ rows.T, atol=1e-11)
        left, u = corral.project(q[199])
        np.testing.assert_allclose(rows @ left, 0.0, atol=1e-12)
        np.testing.assert_allclose(left + u @ rows, q[199], atol=1e-11)
    assert not corral.add(corral.members[0])


def test_weights_on_the_grid_sum_to_one():
    random = np.random.RandomState(2)
    sides = random.randint(0, 2, 1000)
    weights = random.random(1000) ** 40
    for c in (0, 1):
        weights[sides == c] /= weights[sides == c].sum()
    rows, rounded = on_grid(Candidate(np.arange(1000), weights, np.zeros(1)), sides)
    assert (rounded > 0).all()
    assert len(rows) < 1000  # some were below the grid
    for c in (0, 1):
        assert sum(map(int, rounded[sides[rows] == c] * 2.0**52)) == 2**52


def test_weights_of_one_side_only_prove_nothing():
    points = Points(read(np.array([[0.0], [1.0]]), np.array([0, 1]), True))
    found = in_doubles(points, Candidate(np.array([1]), np.ones(1), np.ones(1)), 1e-6)
    assert found.upper.bound == np.inf
    assert found.lower.margin == 0.5


# ------------------------------------------------------------------ from one search to the next


@BOTH
@pytest.mark.thorough
def test_where_the_corral_grows_too_large_descent_takes_over(monkeypatch, fit_intercept):
    X, y = separable(60, 200, fit_intercept)
    expected = max_margin(X, y, fit_intercept=fit_intercept)
    monkeypatch.setattr(margin, "WIDE", 10)
    monkeypatch.setattr(margin, "FEW", 5)
    monkeypatch.setattr(margin, "LARGEST_EXACT", 0)
    with monkeypatch.context() as patch:
        patch.setattr(Search, "candidate", None)  # must not be needed
        found = max_margin(X, y, fit_intercept=fit_intercept)
    assert found.verify(X, y)
    assert found.margin <= expected.upper_bound
    assert expected.margin <= found.upper_bound
    monkeypatch.setattr(margin, "PATIENCE", 0)
    monkeypatch.setattr(margin, "LOOKS", 1)  # if descent fails, the corral goes on
    assert max_margin(X, y, fit_intercept=fit_intercept).verify(X, y)
    X[0], X[1] = X[1], X[0]
    X = np.vstack([X, X[:1]])
    y = np.append(y, -y[0])
    with pytest.raises(NotSeparableError):
        max_margin(X, y, fit_intercept=fit_intercept)


def test_an_interval_that_is_too_wide_is_announced_and_still_proved(monkeypatch):
    """Too small a margin for doubles, in data that is made out to be too large for fractions."""
    monkeypatch.setattr(margin, "LARGEST_EXACT", 0)
    monkeypatch.setattr(margin, "SMALL", 0)
    for k in (15, 40):
        X, y = questions.known_truth(8, 40, k, "outside", seed=1)
        with pytest.warns(ConvergenceWarning, match="relative width"):
            found = max_margin(X, y, tol=1e-12)
        assert found.verify(X, y)
