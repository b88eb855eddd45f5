"""Blocks, memory and the scores that are kept up to date."""

import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp

from novikoff._jit import compiling_at_once
from novikoff.estimators.kernel import KernelPerceptron
from novikoff.kernels.rules.perceptron import ERROR
from novikoff.training.dual import DualLearner, DualProblem
from novikoff.training.gram import Gram, Room
from novikoff.training.schemes import closed_scheme

RANDOM = np.random.RandomState(11)
X = RANDOM.randint(-3, 4, (60, 3))
LABELS = RANDOM.randint(0, 3, 60)


def learner(rows, block, table=0):
    gram = Gram.of("poly", 2, 1.0, 1.0, rows)
    scheme = closed_scheme("ovr", 3)
    problem = DualProblem(rows, np.arange(60), LABELS, np.ones(60), np.arange(60))
    return DualLearner(problem, scheme, gram, ERROR, Room(block, 4, table), np.zeros(3, np.int64))


@pytest.mark.parametrize("table", [0, 60])
@pytest.mark.parametrize("rows", [X, sp.csr_array(X)])
def test_scores_are_up_to_date_whenever_they_are_asked_for(rows, table):
    """After epochs in any order, with rows drawn twice or not at all; with and without a table."""
    one = learner(rows, 7, table)
    coef = np.zeros((60, 3))
    values = (1.0 + X @ X.T) ** 2
    sides = one.scheme.sides()
    for order in (np.arange(60), RANDOM.permutation(60), RANDOM.randint(60, size=60)):
        updates = one.epoch(order)
        np.add.at(coef, (updates.row, updates.plane), sides[updates.plane, LABELS[updates.row]])
        asked = RANDOM.randint(60, size=9)
        np.testing.assert_array_equal(one._scores_of(asked), (values[asked] @ coef).T)
        for k in range(3):
            y = sides[k, LABELS]
            assert one.asks_for_more(k) == (y * (values @ coef)[:, k] <= 0).any()
    assert (one._table is not None) == (table > 0)


def test_a_row_that_errs_for_three_classes_is_stored_once():
    clf = KernelPerceptron(kernel="poly", gamma=1.0, coef0=1.0, max_iter=2).fit(X, LABELS)
    errs = (clf.dual_coef_ != 0).sum(axis=0)
    assert errs.max() == 3
    assert len(clf.support_) == len(np.unique(clf.support_)) < clf.n_updates_.sum()


@pytest.mark.parametrize("cache_mb", [0.001, 1.0, 200.0])
@pytest.mark.parametrize("budget", [0, 10, 100_000])
@pytest.mark.parametrize("row_bytes", [8.0, 6272.0, 1e6])
def test_blocks_fit_into_the_cache(cache_mb, budget, row_bytes):
    room = Room.of(cache_mb, row_bytes, budget)
    assert room.rows >= 1
    assert room.support >= 1
    if room.rows > 1:
        values = room.rows * room.support + 2 * room.rows * (room.rows + budget) / (
            1 + (budget == 0)
        )
        assert 8 * values + row_bytes * room.rows <= cache_mb * 2**20
    if room.support > 1:
        assert row_bytes * room.support <= cache_mb * 2**20 / 8


@pytest.mark.parametrize("vote", ["last", "voted"])
@pytest.mark.parametrize("budget", [None, 50])
@pytest.mark.thorough
def test_nothing_of_size_n_by_n_is_allocated(vote, budget):
    if budget and vote != "last":
        return
    n = 4000
    rows = RANDOM.standard_normal((n, 3))
    y = (rows[:, 0] * rows[:, 1] > 0).astype(int)
    clf = KernelPerceptron(vote=vote, max_iter=2, cache_mb=1.0, budget=budget)
    with compiling_at_once(True):
        clf.fit(rows, y).predict(rows)
    tracemalloc.start()
    clf.fit(rows, y).predict(rows)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2**20 + 8 * n * 30  # the cache, and a few numbers per row; n * n would be 128 MB


def test_one_kernel_value_per_support_row_and_query():
    """However many hypotheses vote, and however many stages are asked for."""
    calls = []

    def kernel(A, B):
        calls.append(len(A) * len(B))
        return (1.0 + A @ B.T) ** 2

    clf = KernelPerceptron(kernel=kernel, vote="voted", max_iter=5).fit(X, LABELS)
    assert clf.n_updates_.sum() > 2 * len(clf.support_)
    for ask in (clf.predict, lambda rows: list(clf.staged_predict(rows))):
        calls.clear()
        ask(X[:20])
        assert sum(calls) == 20 * len(clf.support_)
