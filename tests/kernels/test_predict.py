"""The bounds that prediction decides by hold, also at the ends of single precision's range."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from novikoff.kernels.blocks import size_error
from novikoff.kernels.filter import norm_bound, precision_of, product_error, weight_norms
from novikoff.kernels.votes import clear_winner
from tests.examples import examples

SINGLE = precision_of(np.dtype(np.float32))


def fractions(v):
    return [Fraction(float(x)) for x in v]


@examples(150)
@given(
    st.integers(0, 10**6), st.integers(1, 40), st.integers(-160, 130), st.integers(-160, 130),
)  # fmt: skip
def test_the_error_of_a_product_of_rounded_factors_is_bounded(seed, d, exponent, other):
    random = np.random.default_rng(seed)
    theta = np.ldexp(random.standard_normal(d), exponent + random.integers(-3, 4, d))
    x = np.ldexp(random.standard_normal(d), other + random.integers(-3, 4, d))
    with np.errstate(over="ignore", invalid="ignore"):
        narrow, row = theta.astype(np.float32), x.astype(np.float32)
        computed = float(row @ narrow)
        square = np.float32(row @ row)
    norms = np.empty(1)
    weight_norms(theta[None], np.zeros(1), norms)
    truth = sum(a * b for a, b in zip(fractions(theta), fractions(x), strict=True))
    if np.isfinite(square):
        row_norm = norm_bound(square, d, SINGLE)
        assert Fraction(row_norm) ** 2 >= 1 + sum(a * a for a in fractions(x))
        error = product_error(d, norms[0], row_norm, SINGLE)
        if np.isfinite(error):
            assert abs(Fraction(computed) - truth) <= Fraction(error)


def test_a_product_that_may_have_overflowed_is_never_trusted():
    assert product_error(3, 1e20, 1e19, SINGLE) == np.inf
    assert product_error(3, 1e-30, 1e39, SINGLE) == np.inf  # the row itself becomes infinite
    assert product_error(2**24, 1.0, 1.0, SINGLE) == np.inf
    assert product_error(3, 0.0, np.inf, SINGLE) == np.inf


@pytest.mark.parametrize("strange", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_winner_is_clear_only_where_bounds_do_not_meet(strange, place):
    scores, errors = np.array([1.0, 3.0, 2.0]), np.array([0.4, 0.4, 0.4])
    assert clear_winner(scores, errors) == 1
    errors[:] = 0.5  # 2 + 0.5 and 3 - 0.5 meet
    assert clear_winner(scores, errors) == -1
    errors[:] = 0.4
    scores[place], errors[place] = strange, np.inf
    assert clear_winner(scores, errors) == -1


@pytest.mark.parametrize("n_terms", [1, 100, 3_000, 100_000, 1_000_000])
def test_whatever_norms_are_sure_of_terms_are_sure_of_too(n_terms):
    """Else a score would be settled in one form of a kernel and not in another.

    The sum of the sizes of all terms is at most the product of the norms, but for its rounding.
    """
    size = 1.0 + 1.01 * n_terms * SINGLE.unit
    of_terms = size_error.plain(n_terms, size, 0.0, SINGLE)
    assert of_terms <= product_error.plain(n_terms, 1.0, 1.0, SINGLE)
