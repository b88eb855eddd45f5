"""Means and standard deviations, rounded once: against the standard library's exact ones."""

import statistics
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from novikoff.streams.tables.statistics import Moments, _nearest_root, scratch
from tests.examples import examples

values = st.lists(st.floats(-1e150, 1e150), min_size=1, max_size=30)


def moments_of(*pieces):
    moments = Moments()
    for piece in pieces:
        moments.add(np.array(piece, np.float64), scratch())
    return moments


@examples(150)
@given(values, st.integers(0, 30))
def test_both_are_correctly_rounded_and_do_not_depend_on_chunks(column, cut):
    moments = moments_of(column[:cut], column[cut:])
    assert moments.mean() == float(sum(map(Fraction, column)) / len(column))
    truth = statistics.pstdev(map(Fraction, column))
    assert moments.deviation() == truth or truth == 0.0 < moments.deviation() == 5e-324
    whole = moments_of(column)
    assert (whole.mean(), whole.deviation()) == (moments.mean(), moments.deviation())


def test_cancellation_that_ruins_the_textbook_formula():
    column = [1e9 + 0.1, 1e9 + 0.2, 1e9 + 0.3]
    assert moments_of(column).deviation() == statistics.pstdev(column)


def test_equal_values_have_no_variance_at_all():
    assert moments_of([0.1] * 1000).variance() == 0
    assert moments_of([0.1] * 1000).mean() == 0.1


def test_missing_values_do_not_count():
    moments = moments_of([1.0, np.nan, 3.0, 0.0])
    assert (moments.n, moments.n_zero, moments.mean()) == (3, 1, 4 / 3)
    nothing = moments_of([np.nan])
    assert (nothing.n, nothing.mean(), nothing.deviation()) == (0, 0.0, 0.0)


@pytest.mark.parametrize("root", [5e-324, 1e-310, 0.1, 1.0, 1e308])
def test_the_root_of_a_square_is_the_number(root):
    assert _nearest_root(Fraction(root) ** 2) == root


@pytest.mark.parametrize(("tiny", "nearest"), [(2.0**-60, 2.0**53 + 2), (-(2.0**-60), 2.0**53)])
def test_the_root_is_rounded_once(tiny, nearest):
    # Next to the middle between two doubles: what is cut off far below decides.
    root = Fraction(2**53 + 1) + Fraction(tiny)
    assert _nearest_root(root**2) == nearest
