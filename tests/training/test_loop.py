"""The order of rows, and when a run ends; the learner here is a lecture's, not ours."""

from itertools import islice

import numpy as np
import pytest

from novikoff.training.loop import (
    EARLY_STOPPED,
    EPOCH_LIMIT,
    SEPARATED,
    Ending,
    train,
    visiting_orders,
)
from novikoff.training.schemes import closed_scheme

ROWS = np.array([3, 5, 6, 9])  # of ten, those that are learned from


class Changed:
    def __init__(self, moved):
        self._moved = np.array([moved])

    def moved(self, n_planes):
        return self._moved


class Lecture:
    """The perceptron through the origin, on integers, as the loop asks for it."""

    def __init__(self, X, y):
        self.X, self.y = np.array(X), np.array(y)
        self.visited = np.arange(len(y))
        self.problem = self.state = self
        self.scheme = closed_scheme("ovr", 2)
        self.active, self.counts = np.ones(1, bool), np.zeros(1, np.int64)
        self.theta, self.n_epochs = np.zeros(self.X.shape[1], int), 0

    def epoch(self, order):
        updated = False
        for row in order:
            if self.y[row] * (self.X[row] @ self.theta) <= 0:
                self.theta = self.theta + self.y[row] * self.X[row]
                updated = True
        self.counts += self.examples_per_plane(order)
        self.n_epochs += 1
        return Changed(updated)

    def examples_per_plane(self, visit):
        return np.array([len(visit)])

    def asks_for_more(self, k):
        return bool((self.y * (self.X @ self.theta) <= 0).any())


def run(learner, order="cyclic", max_iter=50, **options):
    told = {"begin": lambda: None, "observe": lambda epoch: False, **options}
    return train(learner, order=order, max_iter=max_iter, random=np.random.RandomState(0), **told)


def test_orders_are_those_of_numpys_generator():
    random = np.random.RandomState
    cyclic = list(islice(visiting_orders("cyclic", ROWS, random(1)), 3))
    assert [order.tolist() for order in cyclic] == 3 * [ROWS.tolist()]
    shuffled = list(islice(visiting_orders("shuffled", ROWS, random(1)), 3))
    drawn = list(islice(visiting_orders("random", ROWS, random(1)), 3))
    same = random(1)
    assert [order.tolist() for order in shuffled] == [
        ROWS[same.permutation(4)].tolist() for _ in range(3)
    ]
    same = random(1)
    assert [order.tolist() for order in drawn] == [
        ROWS[same.randint(4, size=4)].tolist() for _ in range(3)
    ]


@pytest.mark.parametrize("order", ["cyclic", "shuffled", "random"])
@pytest.mark.parametrize("counts_matter", [True, False])
def test_a_run_ends_once_every_row_is_right_and_counts_as_if_it_had_not(order, counts_matter):
    learner = Lecture([[2, 1], [1, 3], [-1, -1], [-2, 1]], [1, 1, -1, -1])
    ending = run(learner, order, counts_matter=counts_matter)
    assert ending.status == SEPARATED
    assert ending.n_iter == learner.n_epochs < 50
    assert not learner.asks_for_more(0)
    assert learner.counts[0] == 4 * (50 if counts_matter else learner.n_epochs)


@pytest.mark.parametrize("order", ["cyclic", "shuffled", "random"])
def test_what_cannot_be_separated_runs_to_its_limit(order):
    """Under "random" many an epoch of these rows draws only one of the two that contradict."""
    learner = Lecture([[1, 0], [1, 0], *[[0, 1]] * 8], [1, -1, *[1] * 8])
    assert run(learner, order, max_iter=60) == Ending(EPOCH_LIMIT, 60)


def test_a_run_that_is_taken_up_again_has_the_epochs_that_are_left():
    learner = Lecture([[1], [1]], [1, -1])
    assert run(learner, max_iter=7, n_done=4).n_iter == 7
    assert learner.n_epochs == 3


@pytest.mark.parametrize(
    ("accuracies", "ends"),
    [
        ([0.5, 0.6, 0.7, 0.7, 0.7, 0.7], 5),  # two epochs that are no better than the third
        ([0.5, 0.4, 0.6, 0.5, 0.7, 0.6, 0.6], 7),
        ([0.5, 0.5, 0.5], 3),
        ([0.1, 0.2, 0.3, 0.4], None),
    ],
)
def test_it_stops_when_validation_is_no_better_for_so_many_epochs(accuracies, ends):
    learner, said = Lecture([[1], [1]], [1, -1]), iter(accuracies)
    ending = run(learner, max_iter=len(accuracies), validate=lambda: next(said), n_iter_no_change=2)
    expected = (EPOCH_LIMIT, len(accuracies)) if ends is None else (EARLY_STOPPED, ends)
    assert ending == Ending(*expected)


def test_whoever_watches_may_stop_it():
    seen = []

    def observe(epoch):
        seen.append((epoch.number, epoch.order.tolist()))
        return epoch.number == 3

    ending = run(Lecture([[1], [1]], [1, -1]), observe=observe)
    assert ending == Ending(EARLY_STOPPED, 3)
    assert seen == [(1, [0, 1]), (2, [0, 1]), (3, [0, 1])]
