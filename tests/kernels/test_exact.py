"""The exact accumulator against rational arithmetic."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from novikoff.kernels.exact import (
    N_LIMBS,
    add_pending,
    add_product,
    compare,
    dot_sign,
    settle,
    value,
)
from tests.examples import examples

doubles = st.floats(allow_nan=False, allow_infinity=False, width=64)


def sign(x):
    return int(x > 0) - int(x < 0)


@examples(200)
@given(st.lists(st.tuples(doubles, doubles), min_size=0, max_size=12))
def test_sum_of_products_has_the_sign_of_the_rational_sum(pairs):
    limbs = np.zeros(N_LIMBS, np.int64)
    for a, b in pairs:
        add_product(limbs, a, b)
    truth = sum((Fraction(a) * Fraction(b) for a, b in pairs), Fraction(0))
    assert settle(limbs) == sign(truth)


@examples(200)
@given(st.lists(st.tuples(doubles, doubles), min_size=1, max_size=6))
def test_value_is_within_an_ulp_and_never_loses_the_sign(pairs):
    limbs = np.zeros(N_LIMBS, np.int64)
    for a, b in pairs:
        add_product(limbs, a, b)
    truth = sum((Fraction(a) * Fraction(b) for a, b in pairs), Fraction(0))
    got = value(limbs)
    assert sign(got) == sign(truth)
    if abs(truth) <= Fraction(1.7e308):
        ulp = Fraction(float(np.spacing(abs(got))))
        assert abs(Fraction(got) - truth) <= ulp


@examples(100)
@given(st.lists(doubles.map(abs) | st.integers(0, 9).map(float), max_size=20))
def test_sums_of_doubles_are_exact_whatever_is_pending(values):
    limbs, whole = np.zeros((2, N_LIMBS), np.int64)
    pending = 0.0, 0.0
    for v in values:
        pending = add_pending(limbs, *pending, v)
    for part in pending:
        add_product(limbs, part, 1.0)
    truth = sum(map(Fraction, values), Fraction(0))
    assert value(limbs) == float(min(truth, Fraction(np.finfo(float).max)))
    add_product(whole, 1.0, 1.0)
    settle(whole)
    assert compare(limbs, whole) == sign(truth - 1)


@pytest.mark.parametrize("scale", [5e-324, 1e-300, 1.0, 1e300])
def test_cancellation_at_any_scale(scale):
    limbs = np.zeros(N_LIMBS, np.int64)
    add_product(limbs, scale, 1.7e308)
    add_product(limbs, scale, -1.7e308)
    assert settle(limbs.copy()) == 0
    add_product(limbs, 5e-324, -5e-324)
    assert settle(limbs) == -1


@examples(150)
@given(st.data())
def test_dot_sign_is_exact_for_hyperplanes_and_their_differences(data):
    d = data.draw(st.integers(1, 5))
    # Few distinct magnitudes make ties and near ties common.
    number = st.sampled_from([0.0, 1.0, -1.0, 0.1, -0.1, 0.3, 1e16, -1e16, 2.0**-60, 1e200])
    theta = np.array(
        data.draw(st.lists(st.lists(number, min_size=d, max_size=d), min_size=2, max_size=2))
    )
    offset = np.array(data.draw(st.lists(number, min_size=2, max_size=2)))
    x = np.array(data.draw(st.lists(number, min_size=d, max_size=d)))
    beta = data.draw(st.sampled_from([0.0, 0.1, 0.3, 1.0]))
    y = data.draw(st.sampled_from([-1, 1]))
    rival = data.draw(st.sampled_from([-1, 1]))
    s = [
        sum(Fraction(t) * Fraction(v) for t, v in zip(row, x, strict=True)) + Fraction(o)
        for row, o in zip(theta, offset, strict=True)
    ]
    truth = y * (s[0] - (s[1] if rival >= 0 else 0)) - Fraction(beta)
    limbs = np.empty(N_LIMBS, np.int64)
    assert dot_sign(theta, offset, 0, rival, x, None, 0, d, y, beta, limbs) == sign(truth)
    indices = np.arange(d, dtype=np.uint32)
    assert dot_sign(theta, offset, 0, rival, x, indices, 0, d, y, beta, limbs) == sign(truth)
