"""Exact sums of columns against rational arithmetic."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from novikoff.kernels.exact import LOWEST, N_LIMBS
from novikoff.kernels.sums import N_BINS, add_column, extend_intervals
from tests.examples import examples

doubles = st.floats(allow_nan=False, allow_infinity=False, width=64)


def sums_of(pieces):
    """The exact sums after adding the pieces in turn, and what the calls returned in all."""
    sums, squares = np.zeros(N_LIMBS, np.int64), np.zeros(N_LIMBS, np.int64)
    bins = np.zeros((N_BINS, 4), np.int64)
    counts = np.zeros(2, np.int64)
    for piece in pieces:
        counts += add_column(np.array(piece, np.float64).view(np.int64), bins, sums, squares)
    assert not bins.any()
    return as_fraction(sums), as_fraction(squares), counts.tolist()


def as_fraction(limbs):
    return sum(
        Fraction(int(limb)) * Fraction(2) ** (32 * i + LOWEST) for i, limb in enumerate(limbs)
    )


@examples(150)
@given(st.lists(st.one_of(doubles, st.just(float("nan"))), max_size=40), st.integers(0, 40))
def test_sums_are_exact_however_the_column_is_cut(values, cut):
    present = [Fraction(x) for x in values if x == x]
    truth = sum(present, Fraction(0)), sum((x * x for x in present), Fraction(0))
    whole = sums_of([values])
    assert whole[:2] == truth
    assert whole[2] == [len(present), sum(x == 0 for x in present)]
    assert sums_of([values[:cut], values[cut:]]) == whole


def test_no_bin_overflows_between_two_flushes():
    # The largest mantissa, as often as fits between flushes and more, of either sign.
    largest = np.nextafter(2.0, 1.0)
    values = [largest] * 1500 + [-largest] * 513
    total, squares, _ = sums_of([values])
    assert total == Fraction(largest) * (1500 - 513)
    assert squares == Fraction(largest) ** 2 * (1500 + 513)


def test_the_ends_of_the_range():
    values = [5e-324, 1.7976931348623157e308, -5e-324, 2.2250738585072014e-308, -0.0]
    total, squares, counts = sums_of([values])
    assert total == sum(map(Fraction, values))
    assert squares == sum(Fraction(x) ** 2 for x in values)
    assert counts == [5, 1]


def test_many_exponents_at_once():
    random = np.random.RandomState(0)
    values = (random.choice([-1.0, 1.0], 3000) * 10.0 ** random.uniform(-307, 307, 3000)).tolist()
    total, squares, _ = sums_of([values])
    assert total == sum(map(Fraction, values))
    assert squares == sum(Fraction(x) ** 2 for x in values)


def test_intervals_hold_each_class_s_values():
    values = np.array([1.0, np.nan, -2.0, 5.0, 0.5])
    classes = np.array([0, 0, 1, 0, 1])
    lows, highs = np.full(3, np.inf), np.full(3, -np.inf)
    counts = np.zeros(3, np.int64)
    extend_intervals(values, classes, lows, highs, counts)
    assert lows.tolist() == [1.0, -2.0, np.inf]
    assert highs.tolist() == [5.0, 0.5, -np.inf]
    assert counts.tolist() == [2, 2, 0]
