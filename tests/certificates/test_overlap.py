"""The residuals of a logistic regression, made exact: rows that cancel, or a hyperplane."""

from __future__ import annotations

from contextlib import nullcontext
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from novikoff import separability
from novikoff.certificates.cones import Halfspace, Weighted
from novikoff.certificates.data import read
from novikoff.certificates.linear import Span
from novikoff.certificates.newton import logistic
from novikoff.certificates.overlap import regress, vertex
from novikoff.certificates.scaled import Scaled
from tests.certificates.oracle import Truth, dot, nothing_is_few, reduced, signed_rows
from tests.examples import examples


def ask(X, y, fit_intercept=True):
    """What the regression says of all rows, and the rows it says it of."""
    scaled = Scaled(read(X, y, fit_intercept))
    every = np.arange(len(y))
    answer = regress(scaled, every, Span(scaled, every, every))
    dense = X.toarray() if sp.issparse(X) else X
    rows = signed_rows(dense.tolist(), np.where(y == y.max(), 1, -1).tolist(), fit_intercept)
    scales = [Fraction(2) ** -int(e) for e in scaled.column_exponents]
    return answer, [[s * x for s, x in zip(scales, row, strict=True)] for row in rows]


def noisy(n, d, seed=0):
    random = np.random.RandomState(seed)
    X = random.standard_normal((n, d))
    return X, (X[:, 0] + random.logistic(size=n) > 0).astype(int)


def mixed(X, seed):
    """X times an integer matrix of determinant 1, whose inverse is integer too."""
    random = np.random.RandomState(seed)
    d = X.shape[1]
    for _ in range(3 * d):
        i, j = random.permutation(d)[:2]
        X[:, i] += random.choice([-2, -1, 1, 2]) * X[:, j]
    return X


def test_the_residuals_of_an_estimate_cancel():
    X, y = noisy(300, 4)
    Z = np.where(y, 1, -1)[:, None] * np.c_[X, np.ones(300)]
    fit = logistic(Z)
    assert not fit.separated
    np.testing.assert_allclose(fit.residuals, 1 / (1 + np.exp(Z @ fit.w)), rtol=1e-10)
    np.testing.assert_allclose(fit.residuals @ Z, 0.0, atol=1e-6)
    assert (fit.residuals > 0).all()


def test_the_scales_of_columns_and_their_dependence_do_not_matter_to_the_regression():
    X, y = noisy(300, 3)
    Z = np.where(y, 1, -1)[:, None] * np.c_[X, X[:, 0] + X[:, 1], np.ones(300)]
    plain, scaled = logistic(Z), logistic(Z * [1e-9, 1.0, 1e9, 1.0, 1e3])
    np.testing.assert_allclose(scaled.residuals, plain.residuals, rtol=1e-6)


@pytest.mark.parametrize("storage", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_rows_that_cancel_do_so_exactly_and_span_all(storage, fit_intercept):
    X, y = noisy(400, 5)
    X[:, 4] = 2 * X[:, 1]  # one dimension less
    found, rows = ask(storage(X), y, fit_intercept)
    assert isinstance(found, Weighted)
    weights = [Fraction(int(w.p), int(w.q)) for w in found.weights]
    assert min(weights) > 0
    assert len(weights) <= 8 * (5 + fit_intercept)
    for column in zip(*(rows[i] for i in found.rows), strict=True):
        assert dot(weights, list(column)) == 0
    assert len(reduced([rows[i] for i in found.rows])) == len(reduced(rows)) == 4 + fit_intercept


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("rank", [1, 3, 6])
def test_a_few_of_the_rows_that_cancel_do_so_as_well(rank, seed):
    """One more than the rank, with positive weights in fractions; of 7 columns some depend."""
    random = np.random.RandomState(seed)
    Z = random.randint(-5, 6, (40, rank)) @ random.randint(-2, 3, (rank, 7))
    Z = np.vstack([Z, -Z.sum(axis=0)]).astype(float)
    chosen = vertex(Z, np.ones(41))
    rows = [[Fraction(int(x)) for x in row] for row in Z[chosen]]
    assert len(rows) == len(reduced([[Fraction(int(x)) for x in row] for row in Z])) + 1
    assert Truth(rows).overlap_rows == list(range(len(rows)))


def test_the_proof_of_overlap_is_an_obstruction():
    X, y = noisy(3000, 6)
    result = separability(X, y, core=True)
    assert len(result.spanning) == 8
    assert result.obstruction.rows.tolist() == result.spanning.rows.tolist()
    assert result.verify(X, y)


@pytest.mark.parametrize("seed", range(4))
def test_rows_beside_a_core_are_told_from_it(seed):
    """60 rows overlap within a hyperplane that no feature shows; 40 are strictly beside it."""
    random = np.random.RandomState(seed)
    X, y = random.randint(-9, 10, (100, 4)).astype(float), random.randint(0, 2, 100)
    X[:60, 0] = 0.0
    X[60:, 0] = np.where(y[60:], 1, -1) * random.randint(1, 9, 40)
    X = mixed(X, seed)
    found, rows = ask(X, y)
    assert isinstance(found, Halfspace)
    scores = [dot([Fraction(int(x)) for x in found.w], row) for row in rows]
    assert all(s == 0 for s in scores[:60])
    assert all(s > 0 for s in scores[60:])
    result = separability(X, y, core=True)
    assert result.overlap_rows.tolist() == list(range(60))
    assert result.verify(X, y)


def test_rows_that_the_sample_misses_join_it():
    """One label of many is wrong: no small sample shows that the classes overlap."""
    random = np.random.RandomState(0)
    X = random.standard_normal((3000, 4))
    y = (X[:, 0] > 0).astype(int)
    apart, _ = ask(X, y)
    assert isinstance(apart, Halfspace)
    y[np.argmax(X[:, 0])] = 0
    found, _ = ask(X, y)
    assert isinstance(found, Weighted)
    assert int(np.argmax(X[:, 0])) in found.rows


@st.composite
def degenerate(draw):
    """Rows that repeat, columns of zeros, multiples of others, of very different sizes."""
    n, d = draw(st.integers(2, 9)), draw(st.integers(1, 3))
    kinds = draw(st.lists(st.lists(st.integers(-2, 2), min_size=d, max_size=d), min_size=1))
    X = np.array([draw(st.sampled_from(kinds)) for _ in range(n)], float)
    y = np.array([0, 1, *draw(st.lists(st.integers(0, 1), min_size=n - 2, max_size=n - 2))])
    scales = draw(st.lists(st.sampled_from([-400, -1, 0, 1, 400]), min_size=d, max_size=d))
    if d > 1 and draw(st.booleans()):
        X[:, -1] = draw(st.sampled_from([0, 1, -3])) * X[:, 0]
    return np.ldexp(X, scales), y, draw(st.booleans())


@examples(60)
@given(degenerate())
def test_degenerate_rows_against_brute_force(problem):
    X, y, fit_intercept = problem
    truth = Truth(signed_rows(X.tolist(), np.where(y, 1, -1).tolist(), fit_intercept))
    for guesses in (nullcontext, nothing_is_few):
        with guesses():
            result = separability(X, y, fit_intercept=fit_intercept, core=True)
        assert result.verdict == truth.verdict
        assert result.overlap_rows.tolist() == truth.overlap_rows
        assert list(result.infinite) == truth.infinite
        assert result.verify(X, y)
    assert separability(X, y, fit_intercept=fit_intercept).verdict == truth.verdict
