"""What grows at its end is what concatenation gives, and what it was before stays so."""

import copy
import math
import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from novikoff import AveragedPerceptron, VotedPerceptron
from novikoff.training.growing import appended, appended_rows
from novikoff.training.matrix import as_matrix, as_rows

PIECES = st.lists(st.integers(-9, 9), max_size=5)


@given(st.lists(st.tuples(st.integers(0, 99), PIECES), max_size=40), st.booleans())
def test_whatever_is_extended_stays_as_it_was(steps, wide):
    """Each step extends any array made so far, also one that was extended before."""
    made = [np.arange(3)]
    expected = [[0, 1, 2]]
    for which, piece in steps:
        which %= len(made)
        added = np.array(piece, np.float64 if wide and len(piece) == 2 else np.int64)
        made.append(appended(made[which], added))
        expected.append(expected[which] + piece)
    for mine, theirs in zip(made, expected, strict=True):
        assert mine.tolist() == theirs


def test_memory_is_taken_as_often_as_it_doubles():
    array, rooms = np.zeros((1, 2)), []
    for i in range(10_000):
        array = appended(array, np.full((1, 2), float(i)))
        rooms += [array.base] if not rooms or array.base is not rooms[-1] else []
    assert array[1:, 0].tolist() == list(range(10_000))
    assert len(rooms) <= math.log2(len(array)) + 1


def test_a_copy_does_not_bring_the_room_along():
    array = appended(np.arange(10_000), np.arange(10))
    assert array.base.nbytes == 2 * array.nbytes
    assert len(pickle.dumps(array)) < 1.01 * array.nbytes
    assert copy.deepcopy(array).base is None


@pytest.mark.parametrize("first", ["dense", "sparse"])
def test_rows_are_extended_within_their_kind(first):
    random = np.random.RandomState(0)
    parts = [random.randint(-1, 2, (n, 4)).astype(kind) for n, kind in
             [(3, np.float32), (2, np.uint8), (4, np.float64), (1, np.float32)]]  # fmt: skip
    blocks = []
    for i, part in enumerate(parts):
        sparse = (first == "sparse") ^ (i == 3)
        blocks = appended_rows(blocks, as_rows(sp.csr_array(part) if sparse else part))
    assert len(blocks) == 2
    found = [as_matrix(block) for block in blocks]
    found = [block.toarray() if sp.issparse(block) else block for block in found]
    np.testing.assert_array_equal(np.vstack(found), np.vstack(parts))
    assert not any(block.values.flags.writeable for block in blocks)


def test_a_model_that_was_copied_does_not_learn_along():
    """Both go on from the same updates, and write different ones behind them."""
    random = np.random.RandomState(0)
    X, y = random.standard_normal((60, 3)), random.randint(0, 3, 60)
    batches = [slice(20 * i, 20 * i + 20) for i in range(3)]

    def learned(*which):
        clf = VotedPerceptron()
        for batch in which:
            clf.partial_fit(X[batches[batch]], y[batches[batch]], classes=[0, 1, 2])
        return clf

    one = learned(0, 1)  # the second batch makes room
    other, before = copy.copy(one), copy.copy(one)
    one.partial_fit(X[batches[2]], y[batches[2]])
    other.partial_fit(X[batches[0]], y[batches[0]])
    for clf, which in [(one, (0, 1, 2)), (other, (0, 1, 0)), (before, (0, 1))]:
        same = learned(*which)
        np.testing.assert_array_equal(clf.decision_function(X), same.decision_function(X))
        for mine, theirs in zip(clf.survival_times_, same.survival_times_, strict=True):
            np.testing.assert_array_equal(mine, theirs)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("max_iter", [50, 5000])  # the second draws several blocks
def test_epochs_after_convergence_are_drawn_from_the_same_stream(max_iter):
    """One-vs-one in random order: how often each pair was seen, by a plain loop over all epochs."""
    random = np.random.RandomState(3)
    X = np.concatenate([random.standard_normal((n, 2)) + at for n, at in
                        [(7, (0, 0)), (9, (40, 0)), (5, (0, 40))]])  # fmt: skip
    y = np.repeat([0, 1, 2], [7, 9, 5])
    mine, theirs = np.random.RandomState(1), np.random.RandomState(1)
    options = {"order": "random", "multi_class": "ovo", "max_iter": max_iter}
    clf = VotedPerceptron(random_state=mine, **options).fit(X, y)
    assert clf.n_iter_ < max_iter
    seen = np.zeros(3, np.int64)
    for _ in range(max_iter):
        per_class = np.bincount(y[theirs.randint(len(y), size=len(y))], minlength=3)
        seen += per_class[[0, 0, 1]] + per_class[[1, 2, 2]]
    assert [times.sum() for times in clf.survival_times_] == seen.tolist()
    assert mine.randint(2**30) == theirs.randint(2**30)
    mean = AveragedPerceptron(random_state=1, **options).fit(X, y)
    assert mean.learned_.state.counts.tolist() == seen.tolist()
