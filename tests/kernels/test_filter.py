"""The floating-point filter: its bounds hold, and what it lets pass is right."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from novikoff._jit import kernel
from novikoff.kernels import rows as rows_
from novikoff.kernels.filter import (
    exact_below,
    grown_norm,
    precision_of,
    relative_error,
    score_error,
    underflow_error,
    weight_norms,
)
from novikoff.kernels.rows import Rows, add_row, row_norms
from tests.examples import examples

DTYPES = [np.float32, np.float64]


@kernel
def dots(theta, values, indices, low, high, planes, first, last, scores):
    rows_.dots(theta, values, indices, low, high, planes, first, last, scores)


def matrix(seed, shape, dtype, spread):
    random = np.random.default_rng(seed)
    scale = 2.0 ** random.integers(-spread, spread + 1, shape)
    return (random.standard_normal(shape) * scale).astype(dtype)


def squared_norm(v):
    return sum((Fraction(float(x)) ** 2 for x in v), Fraction(0))


@pytest.mark.parametrize("dtype", DTYPES)
@examples(60)
@given(st.integers(0, 10**6), st.integers(1, 60), st.sampled_from([0, 3, 10, 60]))
def test_score_error_bounds_the_rounding_of_any_sum(dtype, seed, d, spread):
    if dtype == np.float32:
        spread = min(spread, 30)
    X, theta = matrix(seed, (1, d), dtype, spread), matrix(seed + 1, (1, d), dtype, spread)
    scores = np.empty(1, dtype)
    norms, weights = np.empty(1), np.empty(1)
    assert row_norms(Rows(X.reshape(-1), None, None, d), 0.0, norms) == -1
    weight_norms(theta, np.zeros(1, dtype), weights)
    assert Fraction(norms[0]) ** 2 >= squared_norm(X[0])
    assert Fraction(weights[0]) ** 2 >= squared_norm(theta[0])
    truth = sum(
        Fraction(float(a)) * Fraction(float(b)) for a, b in zip(X[0], theta[0], strict=True)
    )
    precision = precision_of(dtype)
    error = score_error(
        relative_error(d, precision),
        norms[0] * weights[0],
        underflow_error(d, precision),
        precision,
        0.0,
    )
    for indices in (None, np.arange(d, dtype=np.uint32)):
        dots(theta, X.reshape(-1), indices, 0, d, np.zeros(1, np.int64), 0, 1, scores)
        if np.isfinite(error):
            assert abs(Fraction(float(scores[0])) - truth) <= Fraction(error)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n_planes", [2, 3, 5])
@pytest.mark.parametrize("d", [1, 4, 7, 33])
def test_scores_of_several_hyperplanes_stay_within_the_bound(dtype, n_planes, d):
    X, theta = matrix(d, (1, d), dtype, 4), matrix(d + 1, (n_planes, d), dtype, 4)
    norms, weights = np.empty(1), np.empty(n_planes)
    row_norms(Rows(X.reshape(-1), None, None, d), 0.0, norms)
    precision = precision_of(dtype)
    for order, indices in (("C", None), ("F", np.arange(d, dtype=np.uint32))):
        arranged = np.asarray(theta, order=order)
        weight_norms(arranged, np.zeros(n_planes, dtype), weights)
        for chosen in ([*range(n_planes)], [0], [n_planes - 1], [0, n_planes - 1]):
            scores = np.full(n_planes, np.nan, dtype)
            planes = np.array(sorted(set(chosen)))
            dots(arranged, X.reshape(-1), indices, 0, d, planes, 0, len(planes), scores)
            for k in planes:
                truth = sum(
                    Fraction(float(a)) * Fraction(float(b))
                    for a, b in zip(X[0], theta[k], strict=True)
                )
                error = score_error(
                    relative_error(d, precision), norms[0] * weights[k],
                    underflow_error(d, precision), precision, 0.0,
                )  # fmt: skip
                assert abs(Fraction(float(scores[k])) - truth) <= Fraction(error)


@pytest.mark.parametrize("dtype", DTYPES)
@examples(60)
@given(st.integers(0, 10**6), st.integers(1, 60), st.integers(0, 30))
def test_scores_of_integers_are_exact_while_the_norms_are_small(dtype, seed, d, bits):
    random = np.random.RandomState(seed)
    X = random.randint(0, 256, (1, d)).astype(np.uint8)
    theta = random.randint(-(2**bits), 2**bits + 1, (1, d)).astype(dtype)
    norms, weights, scores = np.empty(1), np.empty(1), np.empty(1, dtype)
    row_norms(Rows(X.reshape(-1), None, None, d), 0.0, norms)
    weight_norms(theta, np.zeros(1, dtype), weights)
    precision = precision_of(dtype)
    below = exact_below(precision, True)
    if score_error(1.0, norms[0] * weights[0], 1.0, precision, below) > 0.0:
        assert norms[0] * weights[0] >= below
        return
    for indices in (None, np.arange(d, dtype=np.uint32)):
        dots(theta, X.reshape(-1), indices, 0, d, np.zeros(1, np.int64), 0, 1, scores)
        assert int(scores[0]) == sum(map(int, X[0].astype(int) * theta[0].astype(int)))


@pytest.mark.parametrize("dtype", DTYPES)
@examples(30)
@given(st.integers(0, 10**6), st.integers(1, 20))
def test_grown_norm_stays_an_upper_bound_through_many_updates(dtype, seed, d):
    X = matrix(seed, (40, d), dtype, 2)
    theta = np.zeros((1, d), dtype)
    norms = np.empty(40)
    row_norms(Rows(X.reshape(-1), None, None, d), 0.0, norms)
    precision = precision_of(dtype)
    bound = 0.0
    for i in range(40):
        step = dtype((-1) ** i * 0.7)
        score = float(theta[0].astype(float) @ X[i].astype(float))
        inner = float(step) * score + abs(float(step)) * 1e-9 * (bound * norms[i] + 1.0)
        add_row(theta, None, 0, X.reshape(-1), None, i * d, (i + 1) * d, step, 0.0)
        bound = grown_norm(bound, inner, float(step), norms[i], precision)
        assert Fraction(bound) ** 2 >= squared_norm(theta[0])


@pytest.mark.parametrize(
    ("row_exponent", "step_exponent"),
    [
        (a, b)
        for a in (-1074, -1000, -511, 0, 500, 511, 1000)
        for b in (-1074, -1000, -548, -511, 0, 511, 1000)
        if a + b <= 1000  # beyond, theta overflows, which is an error
    ],
)
def test_norms_are_upper_bounds_at_the_ends_of_the_range(row_exponent, step_exponent):
    d, precision = 3, precision_of(np.float64)
    X = np.ldexp(matrix(0, (12, d), np.float64, 0), row_exponent)
    norms = np.empty(len(X))
    row_norms(Rows(X.reshape(-1), None, None, d), 0.0, norms)
    theta, bound = np.zeros((1, d)), 0.0
    for i, x in enumerate(X):
        assert norms[i] == np.inf or Fraction(norms[i]) ** 2 >= squared_norm(x)
        step = np.ldexp((-1.0) ** i, step_exponent)
        pairs = zip(theta[0].tolist(), x.tolist(), strict=True)
        inner = Fraction(step) * sum(Fraction(a) * Fraction(b) for a, b in pairs)
        above = np.nextafter(float(inner), np.inf) if abs(inner) < 1e300 else np.inf
        add_row(theta, None, 0, X.reshape(-1), None, i * d, (i + 1) * d, step, 0.0)
        bound = grown_norm(bound, above, step, norms[i], precision)
        assert not bound < np.inf or Fraction(bound) ** 2 >= squared_norm(theta[0])
        fresh = np.empty(1)
        weight_norms(theta, np.zeros(1), fresh)
        assert fresh[0] == np.inf or Fraction(fresh[0]) ** 2 >= squared_norm(theta[0])


def test_a_sum_that_may_have_overflowed_is_never_trusted():
    precision = precision_of(np.float32)
    assert score_error(relative_error(3, precision), 2e38, 0.0, precision, 0.0) == np.inf
    assert relative_error(2**24, precision) == np.inf


def test_row_norms_report_the_first_bad_row_and_survive_overflowing_squares():
    X = np.array([[1.0, 2.0], [1e200, 1e200], [np.nan, 0.0], [np.inf, 0.0]])
    norms = np.empty(4)
    assert row_norms(Rows(X.reshape(-1), None, None, 2), 1.0, norms) == 2
    assert norms[1] == np.inf
