"""Rows that need not be looked at: nothing but the time depends on them."""

from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from novikoff import OnlineClassifier, rules
from novikoff.kernels.alone import path_after, path_to
from novikoff.kernels.filter import precision_of

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
RANDOM = np.random.RandomState(0)
X = RANDOM.standard_normal((400, 5))
Y = (X @ RANDOM.standard_normal(5) + 0.3 > 0).astype(int)
RULES = [
    rules.Perceptron(),
    rules.Perceptron(margin=0.5, eta=0.25),
    rules.PassiveAggressive(C=0.1),
]


@pytest.mark.parametrize("rule", RULES, ids=repr)
@pytest.mark.parametrize(
    "dtype", [pytest.param(np.float32, marks=pytest.mark.thorough), np.float64]
)
@pytest.mark.parametrize("sparse", [False, True])
def test_many_epochs_equal_as_many_single_ones(rule, dtype, sparse):
    """Every call of partial_fit looks at all of its rows; only a fit of many epochs excuses any."""
    data = sp.csr_array(X.astype(dtype)) if sparse else X.astype(dtype)
    whole = OnlineClassifier(rule, keep="mean", order="cyclic", max_iter=60).fit(data, Y)
    online = OnlineClassifier(rule, keep="mean")
    for _ in range(whole.n_iter_):
        online.partial_fit(data, Y, classes=[0, 1])
    np.testing.assert_array_equal(whole.last_coef_, online.last_coef_, strict=True)
    np.testing.assert_array_equal(whole.last_intercept_, online.last_intercept_)
    np.testing.assert_array_equal(whole.n_updates_, online.n_updates_)
    assert whole.n_iter_ > 5


@given(
    steps=st.lists(st.floats(-100, 100), min_size=1, max_size=20),
    seed=st.integers(0, 10**6),
    exponent=st.integers(-20, 20),
    single=st.booleans(),
)
def test_the_path_is_at_least_as_long_as_theta_moved(steps, seed, exponent, single):
    random = np.random.default_rng(seed)
    dtype = np.float32 if single else np.float64
    precision = precision_of(dtype)
    theta = start = (random.standard_normal(3) * 2.0**exponent).astype(dtype)
    began = moved = 10.0 ** random.integers(0, 12)
    margin, row_norm = random.random(), 1.0 + random.random()
    until = path_to(began, margin, row_norm)
    for step in steps:
        x = random.standard_normal(3).astype(dtype)
        theta = theta + dtype(step) * x
        lengths = [float(np.linalg.norm(v.astype(float))) * (1 + 1e-15) for v in (x, theta)]
        moved = path_after(moved, float(dtype(step)), lengths[0], lengths[1], precision)
        squared = sum(
            (Fraction(float(a)) - Fraction(float(b))) ** 2
            for a, b in zip(theta, start, strict=True)
        )
        assert squared <= (Fraction(moved) - Fraction(began)) ** 2
        if moved < until:
            assert squared * Fraction(row_norm) ** 2 < Fraction(margin) ** 2
