"""Rounding an exact sum once, against fractions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from novikoff.kernels.audit import largest_square
from novikoff.kernels.exact import N_LIMBS, add_product, value
from novikoff.kernels.rounded import product_sizes
from novikoff.training.matrix import as_rows
from tests.examples import examples
from tests.kernels.test_rounded import rounded_score

numbers = st.floats(-1e150, 1e150).filter(lambda x: x == 0 or abs(x) > 1e-130) | st.sampled_from(
    [1.0, -1.0, 2.0**53, 2.0**-53, 2.0**27 + 1, 3.0, 0.1]
)


@examples(150)
@given(st.lists(st.tuples(numbers, numbers), max_size=6))
@example([(1.0, 1.0), (2.0**-53, 1.0)])  # a tie, to even
@example([(1.0, 1.0), (2.0**-53, 3.0)])  # a tie, to even, upwards
@example([(1.0, 1.0), (2.0**-53, 1.0), (2.0**-200, 1.0)])  # just above the tie
@example([(1.0, 1.0), (2.0**-53, 1.0), (2.0**-200, -1.0)])  # just below it
@example([(2.0**53 - 1, 1.0), (0.5, 1.0)])
def test_value_is_the_double_nearest_to_the_sum(terms):
    limbs = np.zeros(N_LIMBS, np.int64)
    for a, b in terms:
        add_product(limbs, a, b)
    exact = sum((Fraction(a) * Fraction(b) for a, b in terms), Fraction(0))
    assert value(limbs) == float(exact)


@pytest.mark.parametrize("terms", [[(1e200, 1e200)], [(-1e-200, 1e-200)]])
def test_a_sum_beyond_doubles_keeps_its_sign(terms):
    limbs = np.zeros(N_LIMBS, np.int64)
    for a, b in terms:
        add_product(limbs, a, b)
    assert value(limbs) in (1.7976931348623157e308, -5e-324)


@examples(50)
@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=6), numbers)
def test_rounded_score(terms, offset):
    theta, x = (np.array(side) for side in zip(*terms, strict=True))
    limbs = np.zeros(N_LIMBS, np.int64)
    exact = sum((Fraction(a) * Fraction(b) for a, b in terms), Fraction(offset))
    most = product_sizes(theta[None], np.array([offset]), 0, x, None, 0, len(x))
    got = rounded_score(most, theta[None], np.array([offset]), 0, -1, x, None, 0, len(x), limbs)
    assert got == float(exact)


def test_integers_that_sum_to_just_over_2_to_the_53_are_not_taken_for_small_ones():
    ones, x = np.ones((1, 3)), np.array([2.0**53, 1.0, 1.0])  # left to right the ones are lost
    limbs = np.zeros(N_LIMBS, np.int64)
    assert rounded_score(2.0**54, ones, np.zeros(1), 0, -1, x, None, 0, 3, limbs) == 2.0**53 + 2.0
    X = np.array([[2.0**26, 2.0**26]])
    assert Fraction(largest_square(as_rows(X), 1.0, np.array([0]))) >= 2**53 + 1


@examples(50)
@given(st.lists(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=2), min_size=1, max_size=5))
def test_largest_square_is_an_upper_bound_and_exact_for_integers(rows):
    X = np.array(rows)
    for constant in (0.0, 1.0):
        exact = max(sum(Fraction(v) ** 2 for v in row) + int(constant) for row in rows)
        got = Fraction(largest_square(as_rows(X), constant, np.arange(len(X))))
        assert exact <= got <= exact * Fraction(1 + 1e-14) + Fraction(1e-300)
        whole = np.round(X)
        exact = max(sum(int(v) ** 2 for v in row) for row in whole) + int(constant)
        assert largest_square(as_rows(whole), constant, np.arange(len(X))) == exact
