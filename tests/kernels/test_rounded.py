"""Sums of products rounded once, against fractions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from novikoff._jit import kernel
from novikoff.kernels import rounded
from novikoff.kernels.covariance import _variance
from novikoff.kernels.exact import N_LIMBS
from novikoff.kernels.rounded import product_sizes
from novikoff.kernels.rows import row_norm
from tests.examples import examples

SHORT = [np.float32, np.uint8, np.int16]  # values whose products with single precision are doubles


@kernel
def rounded_score(most, theta, offset, k, rival, values, indices, low, high, limbs):
    return rounded.rounded_score(most, theta, offset, k, rival, values, indices, low, high, limbs)


@kernel
def rounded_square(row_norm, values, low, high, constant, limbs):
    return rounded.rounded_square(row_norm, values, low, high, constant, limbs)


def drawn(random, n, dtype, spread):
    """Numbers of many sizes, some of them large ones that cancel."""
    if dtype in (np.uint8, np.int16):
        return random.randint(0, 200, n).astype(dtype)
    found = np.ldexp(random.randint(-(2**24), 2**24, n), random.randint(-spread, spread + 1, n))
    return np.where(random.uniform(size=n) < 0.3, np.round(found), found).astype(dtype)


@pytest.mark.parametrize("dtype", [*SHORT, np.float64])
@examples(60)
@given(st.integers(0, 10**6), st.integers(0, 70), st.sampled_from([0, 4, 12, 30]))
def test_a_score_is_the_nearest_double(dtype, seed, d, spread):
    random = np.random.RandomState(seed)
    kind = np.float64 if dtype == np.float64 else np.float32
    x, theta = drawn(random, d, dtype, spread), drawn(random, d, kind, spread)
    theta[d // 2 : 2 * (d // 2)] = -theta[: d // 2]  # with equal values: only the offset is left
    if seed % 2:
        x[d // 2 : 2 * (d // 2)] = x[: d // 2]
    offset = drawn(random, 1, kind, spread)
    limbs = np.zeros(N_LIMBS, np.int64)
    exact = sum(
        (Fraction(float(a)) * Fraction(float(b)) for a, b in zip(theta, x, strict=True)),
        Fraction(float(offset[0])),
    )
    for indices in (None, np.arange(d, dtype=np.uint32)):
        size = product_sizes(theta[None], offset, 0, x, indices, 0, d)
        for most in (size, 1e6 * size, np.inf):  # a loose bound costs time alone
            found = rounded_score(most, theta[None], offset, 0, -1, x, indices, 0, d, limbs)
            assert found == float(exact)


@pytest.mark.parametrize("dtype", [*SHORT, np.float64])
@examples(60)
@given(st.integers(0, 10**6), st.integers(0, 70), st.sampled_from([0, 4, 12, 30]))
def test_a_square_is_the_nearest_double(dtype, seed, d, spread):
    x = drawn(np.random.RandomState(seed), d, dtype, spread)
    limbs = np.zeros(N_LIMBS, np.int64)
    for constant in (0.0, 1.0):
        exact = sum((Fraction(float(a)) ** 2 for a in x), Fraction(constant))
        norm = row_norm(x, 0, d, constant)
        assert norm**2 >= exact
        for most in (norm, 1e3 * norm):
            assert rounded_square(most, x, 0, d, constant, limbs) == float(exact)


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 0, 1], [0, 2, 1]])
def test_a_sum_may_overflow_on_the_way(order):
    theta = np.array([[1.5e308, 1.5e308, -1.5e308]])[:, order]
    limbs, ones = np.zeros(N_LIMBS, np.int64), np.ones(3)
    assert rounded_score(np.inf, theta, np.zeros(1), 0, -1, ones, None, 0, 3, limbs) == 1.5e308


@pytest.mark.parametrize("last", [-1, 0, 1])
def test_halfway_between_two_doubles_the_last_term_decides(last):
    """3 * 2^52 + 1 lies between two doubles; a term of 2^-60 more or less is seen."""
    theta = np.array([[2.0**30, 2.0**30, 1.0, last * 2.0**-30]], np.float32)
    x = np.array([2.0**23, 2.0**22, 1.0, 2.0**-30], np.float32)
    exact = sum(Fraction(float(a)) * Fraction(float(b)) for a, b in zip(theta[0], x, strict=True))
    limbs = np.zeros(N_LIMBS, np.int64)
    found = rounded_score(2.0**54, theta, np.zeros(1, np.float32), 0, -1, x, None, 0, 4, limbs)
    assert found == float(exact)
    assert (found > 2.0**53 + 2.0**52) == (last > 0)


@examples(100)
@given(st.integers(0, 10**6), st.integers(1, 20), st.sampled_from([2, 3, 1000]))
def test_a_sum_of_a_few_doubles_is_rounded_once(seed, d, largest):
    """Indicators and counts: products are doubles, and in every few sums two are equally near."""
    random = np.random.RandomState(seed)
    theta, offset = random.standard_normal((1, d)), random.standard_normal(1)
    theta = np.round(theta * 2.0**50) / 2.0**50  # as steps leave them
    x, limbs = random.randint(0, largest, d).astype(float), np.zeros(N_LIMBS, np.int64)
    exact = Fraction(offset[0]) + sum(
        Fraction(a) * Fraction(b) for a, b in zip(theta[0], x, strict=True)
    )
    for most in (np.abs(theta[0] * x).sum() + abs(offset[0]), 1e4 * largest * d):
        found = rounded_score(most, theta, offset, 0, -1, x, None, 0, d, limbs)
        assert found == float(exact)


@pytest.mark.parametrize("sign", [-1.0, 1.0])
@pytest.mark.parametrize("size", [2.0**-540, 2.0**-500])
def test_a_product_too_small_for_a_double_decides_between_two(size, sign):
    theta, x = np.array([[1.0, 2.0**-53, sign * size]]), np.array([1.0, 1.0, size])
    limbs = np.zeros(N_LIMBS, np.int64)
    found = rounded_score(2.0, theta, np.zeros(1), 0, -1, x, None, 0, 3, limbs)
    assert found == (1.0 + 2.0**-52 if sign > 0 else 1.0)


@pytest.mark.parametrize("largest", [1.0, 1e3, 1e30])
def test_a_variance_is_the_nearest_double_whatever_sigma_holds(largest):
    """The bound that is handed over is right up to 1; a file may hold more."""
    random = np.random.RandomState(0)
    limbs = np.zeros(N_LIMBS, np.int64)
    for d in (3, 40, 200):
        x, sigma, rest = random.normal(size=d), largest * random.uniform(size=(1, d)), np.ones(1)
        exact = sum(
            (Fraction(a) * Fraction(s * a) for a, s in zip(x.tolist(), sigma[0], strict=True)),
            Fraction(1),
        )
        most = 1.25 * row_norm(x, 0, d, 1.0) ** 2
        assert _variance(most, sigma, rest, 0, -1, x, None, 0, d, 1.0, limbs) == float(exact)
