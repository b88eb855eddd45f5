"""What a run keeps: the mean of all hypotheses, and states that grow, shrink and descend."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from novikoff.kernels.rules import Extra
from novikoff.training.state import State, refuse_overflow

MEAN = Extra("sums", 0.0, "mean")
WEIGHTS, NUMBER, MATRIX = (
    Extra("sigma", 1.0, "mean"), Extra("largest", 2.0, "smallest", "number"),
    Extra("inverse", 3.0, "mean", "matrix"),
)  # fmt: skip
EVERY_KIND = (MEAN, WEIGHTS, NUMBER, MATRIX)


def some_state(n_planes, width, beside=EVERY_KIND, *, sparse=False):
    """Numbers everywhere, none of them that of a start."""
    state = State.begin(n_planes, width, np.float64, sparse=sparse, constant=1.0, beside=beside)
    random = np.random.RandomState(0)
    return state.mapped(lambda array: array + random.randint(5, 50, array.shape))


def arrays(state):
    named = {"theta": state.theta, "offset": state.offset, "counts": state.counts}
    return {**named, **state.beside}


def assert_equal(one, other):
    assert arrays(one).keys() == arrays(other).keys()
    for name, array in arrays(one).items():
        np.testing.assert_array_equal(array, arrays(other)[name], err_msg=name, strict=True)


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=30))
def test_the_mean_is_that_of_the_start_and_of_what_each_example_left(moves):
    """The lazy sum, count * (new - old) at each update, against the sum of all hypotheses."""
    state = State.begin(1, 1, np.float64, sparse=False, constant=1.0, beside=(MEAN,))
    theta, hypotheses = Fraction(0), [Fraction(0)]
    for count, move in enumerate(moves, 1):
        theta += move
        hypotheses.append(theta)
        state.beside["sums"] += count * move
        state.beside["sums_offset"] -= 2 * count * move
    state.theta[0, 0], state.offset[0], state.counts[0] = theta, -2 * theta, len(moves)
    mean = sum(hypotheses) / len(hypotheses)
    (found,), (offset,) = (part.ravel() for part in state.mean())
    assert found == pytest.approx(float(mean), rel=1e-15, abs=1e-14)
    assert offset == pytest.approx(float(-2 * mean), rel=1e-15, abs=1e-14)


@pytest.mark.parametrize("sparse", [False, True])
def test_more_features_and_back_is_what_it_was(sparse):
    state = some_state(3, 4, sparse=sparse)
    wider = state.resized(7, EVERY_KIND)
    assert wider.theta.flags.f_contiguous == state.theta.flags.f_contiguous
    fresh = State.begin(3, 7, np.float64, sparse=sparse, constant=1.0, beside=EVERY_KIND)
    assert not wider.theta[:, 4:].any()
    for name in ("sums", "sigma"):
        np.testing.assert_array_equal(wider.beside[name][:, 4:], fresh.beside[name][:, 4:])
    # The offset's part is the first of a matrix, so the new features are the last ones.
    new = wider.beside["inverse"][:, :-1]
    np.testing.assert_array_equal(new[:, 5:], fresh.beside["inverse"][:, 5:-1])
    np.testing.assert_array_equal(new[:, :5, 5:], fresh.beside["inverse"][:, :5, 5:])
    back = wider.resized(4, EVERY_KIND)
    for part in (state, back):
        part.beside["inverse"][:, -1] = 0.0  # scratch
    assert_equal(back, state)


def test_a_descendant_has_its_ancestors_numbers_or_those_of_a_start():
    state = some_state(2, 3)
    found = state.descend([1, None, 0, 1], EVERY_KIND)
    fresh = State.begin(1, 3, np.float64, sparse=False, constant=1.0, beside=EVERY_KIND)
    for name, array in arrays(found).items():
        old, start = arrays(state)[name], arrays(fresh)[name]
        np.testing.assert_array_equal(array, np.stack([old[1], start[0], old[0], old[1]]))


def test_copies_are_not_touched_by_what_comes_later():
    state = some_state(2, 3, sparse=True)
    before = state.snapshot()
    copies = [state.snapshot(), state.prepared(np.float64, sparse=True)]
    alone = state.only(1)
    for array in arrays(state).values():
        array[...] = -1
    for copy in copies:
        assert_equal(copy, before)
    np.testing.assert_array_equal(alone.theta, before.theta[1:])
    assert "sums" not in alone.beside


def test_a_prepared_state_has_the_order_of_the_rows_and_the_wider_type():
    state = State.begin(2, 3, np.float32, sparse=False, constant=1.0, beside=EVERY_KIND)
    for sparse in (False, True):
        ready = state.prepared(np.float64, sparse=sparse)
        assert ready.theta.dtype == ready.offset.dtype == np.float64
        assert ready.theta.flags["F_CONTIGUOUS" if sparse else "C_CONTIGUOUS"]
        assert ready.beside["inverse"].flags.c_contiguous
    assert state.prepared(np.float32, sparse=True).theta.dtype == np.float32


def test_weights_that_would_fill_the_memory_are_refused():
    with pytest.raises(ValueError, match=r"of memory, .*Use fewer features\.$"):
        State.begin(1, 10**15, np.float32, sparse=False, constant=1.0, beside=())
    with pytest.raises(ValueError, match=r'of memory, and there are .*multi_class="ovr" has one'):
        State.begin(10**6, 10**9, np.float32, sparse=False, constant=1.0, beside=())
    one = State.begin(1, 10**7, np.float32, sparse=False, constant=1.0, beside=())
    with pytest.raises(ValueError, match="of memory, and there are"):
        one.descend([0] * 10**6, ())


def test_matrices_that_would_fill_the_memory_are_refused():
    with pytest.raises(ValueError, match=r"1 matrices of 20001 × 20001 numbers, 3\.2 GB; 2\.1 GB"):
        State.begin(1, 20_000, np.float64, sparse=False, constant=1.0, beside=(MATRIX,))


@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan])
def test_sums_that_left_the_range_are_an_error(bad):
    with pytest.raises(ValueError, match=r"the mean overflowed float64\. Scale the features"):
        refuse_overflow("the mean", np.ones(3), np.array([1.0, bad]))
