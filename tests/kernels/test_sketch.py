"""Sketches of rows: their bounds hold, and they change nothing but the time."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novikoff.kernels.filter import precision_of, weight_norms
from novikoff.kernels.rows import Rows
from novikoff.kernels.sketch import draw, narrow, sketch_dot, sketch_error

SINGLE = precision_of(np.float32)


def sketch_of(X, zero):
    n, d = X.shape
    values = X.reshape(-1)
    norms, scale, gap = np.empty(n), np.empty(n), np.empty(n)
    result = np.empty(n * d, np.uint8)
    bits = values.view(np.int32 if X.dtype == np.float32 else np.int64)
    assert draw(values, bits, d, 1.0, zero, norms, result, scale, gap) == -1
    return norms, result.reshape(n, d), scale, gap


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@settings(max_examples=60)
@given(
    seed=st.integers(0, 10**6),
    d=st.integers(1, 40),
    exponent=st.sampled_from([-60, -20, 0, 3, 20, 60]),
    size=st.sampled_from([-500, -200, -140, -120, 0, 100, 120, 200, 500]),
    zero=st.sampled_from([0.0, 128.0]),
)
def test_gap_and_error_bound_what_the_sketch_leaves_out(dtype, seed, d, exponent, size, zero):
    random = np.random.default_rng(seed)
    # Negative values where none are expected (zero = 0) must cost time only, never rightness.
    X = (random.standard_normal((3, d)) * 2.0**exponent).astype(dtype)
    X[0] = np.abs(X[0])
    # theta in double precision may be beyond what its rounded copy can hold, at either end.
    full = random.standard_normal((1, d)) * 2.0**size
    with np.errstate(over="ignore"):
        theta = full.astype(np.float32)
    weights = np.empty(1)
    weight_norms(full, np.zeros(1), weights)
    norms, q, scale, gap = sketch_of(X, zero)
    for i in range(3):
        step = Fraction(float(scale[i]))
        image = [step * (int(v) - int(zero)) for v in q[i]]
        exact = [Fraction(float(v)) for v in X[i]]
        rest = sum((a - b) ** 2 for a, b in zip(exact, image, strict=True))
        if np.isfinite(gap[i]):
            assert rest <= Fraction(float(gap[i])) ** 2
        error = sketch_error(d, weights[0], norms[i], scale[i], gap[i], SINGLE)
        score = scale[i] * np.float64(sketch_dot(theta, 0, q.reshape(-1), zero, i * d, (i + 1) * d))
        truth = sum(Fraction(float(t)) * v for t, v in zip(full[0], exact, strict=True))
        if np.isfinite(error):
            assert abs(Fraction(float(score)) - truth) <= Fraction(float(error))


@pytest.mark.parametrize("d", [128, 4096])
def test_gap_holds_for_rows_that_one_value_dominates(d):
    X = np.full((1, d), 0.99 * 2.0**-17, np.float32)
    X[0, 0] = 64.0
    _, q, scale, gap = sketch_of(X, 128.0)
    rest = X[0].astype(float) - scale[0] * (q[0].astype(float) - 128.0)
    assert (rest @ rest) ** 0.5 <= gap[0]


def test_integers_up_to_255_are_sketched_without_loss():
    X = np.array([[0.0, 255.0, 17.0], [1.0, 2.0, 3.0]])
    _, q, scale, gap = sketch_of(X, 0.0)
    np.testing.assert_array_equal(scale[:, None] * q, X)
    assert (gap <= 1e-5 * np.linalg.norm(X, axis=1)).all()


def test_rows_beyond_single_precision_are_never_trusted():
    X = np.array([[1e40, 0.0], [1.0, 1.0]])
    _, _, _, gap = sketch_of(X, 0.0)
    assert gap[0] == np.inf
    assert np.isfinite(gap[1])


@pytest.mark.parametrize(
    ("row", "narrows"),
    [
        ([0.0, 255.0, 3.0], True),
        ([0.0, 256.0, 3.0], False),
        ([0.0, -1.0, 3.0], False),
        ([0.5, 1.0, 3.0], False),
        ([np.nan, 1.0, 3.0], False),
        ([1e300, 1.0, 3.0], False),
    ],
)
def test_only_bytes_are_narrowed(row, narrows):
    values = np.array(row)
    norms, result = np.empty(1), np.empty(3, np.uint8)
    assert (narrow(Rows(values, None, None, 3), 1.0, norms, result) == -1) == narrows
    if narrows:
        np.testing.assert_array_equal(result, values)
