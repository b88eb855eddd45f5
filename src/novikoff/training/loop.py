"""The epoch loop: order, convergence, stopping, status. There is no other.

A hyperplane that went through an epoch without a mistake has seen every row and will never change
again; it rests while the others go on (its counters advance all the same). Under
``order="random"`` an epoch need not contain every row, so an exact pass over all rows must confirm
it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from novikoff.training.learners import Updates
from novikoff.training.schemes import Scheme

SEPARATED = "separated"
EPOCH_LIMIT = "epoch_limit"
EARLY_STOPPED = "early_stopped"


class Visited(Protocol):
    """A problem, as far as the loop knows it: which rows are learned from."""

    @property
    def visited(self) -> NDArray[np.int64]: ...


class Counted(Protocol):
    """A state, as far as the loop knows it: how many examples each hyperplane has seen."""

    counts: NDArray[np.int64]


class EpochLearner(Protocol):
    """What can be trained: hyperplanes in primal or in dual form."""

    active: NDArray[np.bool_]  # (K,) which hyperplanes have not converged yet

    @property
    def problem(self) -> Visited: ...

    @property
    def scheme(self) -> Scheme: ...

    @property
    def state(self) -> Counted: ...

    def epoch(self, order: NDArray[np.int64]) -> Updates: ...

    def examples_per_plane(self, visit: NDArray[np.int64]) -> NDArray[np.int64]: ...

    def any_mistake(self, k: int) -> bool: ...


@dataclass(frozen=True)
class Epoch:
    """What happened in one epoch."""

    number: int  # from 1
    order: NDArray[np.int64]
    updates: Updates
    seconds: float


@dataclass(frozen=True)
class Ending:
    """How a run ended."""

    status: str
    n_iter: int


def visiting_orders(
    kind: str, visited: NDArray[np.int64], random: np.random.RandomState
) -> Iterator[NDArray[np.int64]]:
    """The rows to visit, epoch by epoch: "cyclic", "shuffled" or "random"."""
    n = len(visited)
    while True:
        if kind == "cyclic":
            yield visited
        elif kind == "shuffled":
            yield visited[random.permutation(n)]
        else:
            yield visited[random.randint(n, size=n)]


def train(
    learner: EpochLearner,
    *,
    order: str,
    max_iter: int,
    random: np.random.RandomState,
    begin: Callable[[], None],
    observe: Callable[[Epoch], bool],
    validate: Callable[[], float] | None = None,
    n_iter_no_change: int = 5,
    counts_matter: bool = True,
) -> Ending:
    """Run epochs until every hyperplane has converged, `max_iter`, or a reason to stop.

    begin, observe : called before and after each epoch; a true result of `observe` stops the run
    validate : the validation accuracy of the model as it stands, for early stopping
    counts_matter : whether the examples of epochs that need not run are to be counted too
    """
    orders = visiting_orders(order, learner.problem.visited, random)
    best, best_epoch = -np.inf, 0
    for number in range(1, max_iter + 1):
        begin()
        began = time.perf_counter()
        visit = next(orders)
        updates = learner.epoch(visit)
        rest(learner, updates, confirm=order == "random")
        asked_to_stop = observe(Epoch(number, visit, updates, time.perf_counter() - began))
        if not learner.active.any():
            if counts_matter:
                _count_unneeded(learner, order, orders, max_iter - number)
            return Ending(SEPARATED, number)
        if asked_to_stop:
            return Ending(EARLY_STOPPED, number)
        if validate is not None:
            accuracy = validate()
            if accuracy > best:
                best, best_epoch = accuracy, number
            elif number - best_epoch >= n_iter_no_change:
                return Ending(EARLY_STOPPED, number)
    return Ending(EPOCH_LIMIT, max_iter)


def rest(learner: EpochLearner, updates: Updates, *, confirm: bool) -> None:
    """Let the hyperplanes rest that made no mistake (joint: all of them or none)."""
    if learner.scheme.joint:
        learner.active[:] = len(updates.row) > 0 or (confirm and learner.any_mistake(0))
        return
    wrong = np.zeros(len(learner.active), bool)
    wrong[updates.plane] = True
    if confirm:
        for k in np.flatnonzero(learner.active & ~wrong):
            wrong[k] = learner.any_mistake(int(k))
    learner.active &= wrong


def _count_unneeded(
    learner: EpochLearner, order: str, orders: Iterator[NDArray[np.int64]], n_epochs: int
) -> None:
    """Advance the counters by the epochs that were not run because nothing would have changed."""
    if order == "random" and learner.scheme.name == "ovo":
        # How often a pair is drawn is random, so the draws must be made.
        for _ in range(n_epochs):
            learner.state.counts += learner.examples_per_plane(next(orders))
    else:
        learner.state.counts += n_epochs * learner.examples_per_plane(learner.problem.visited)
