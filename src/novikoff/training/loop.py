"""The epoch loop: order, convergence, stopping, status. There is no other.

A hyperplane that went through an epoch without an update has seen every row and will never change
again; it rests while the others go on (its counters advance all the same), unless their learner
wakes it, see :mod:`novikoff.training.budget`. Under ``order="random"`` an epoch need not contain
every row, so an exact pass over all rows must confirm it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from novikoff._arrays import Bools, Ints
from novikoff.training.schemes import Scheme

SEPARATED = "separated"
EPOCH_LIMIT = "epoch_limit"
EARLY_STOPPED = "early_stopped"

_BLOCK = 2**16  # rows drawn at a time, where only their classes are counted


class Visited(Protocol):
    """A problem, as far as the loop knows it: which rows are learned from.

    They are numbered by an array; a stream, which has only file order, does not number them.
    """

    @property
    def visited(self) -> Any: ...


class Changes(Protocol):
    """What an epoch changed, as far as the loop wants to know."""

    def moved(self, n_planes: int) -> Bools:
        """(K,): which hyperplanes were updated."""


C = TypeVar("C", bound=Changes, covariant=True)


class Counted(Protocol):
    """A state, as far as the loop knows it: how many examples each hyperplane has seen."""

    counts: Ints


class EpochLearner(Protocol[C]):
    """What can be trained: hyperplanes in primal or in dual form, on rows in memory or not."""

    active: Bools  # (K,) which hyperplanes have not converged yet

    @property
    def problem(self) -> Visited: ...

    @property
    def scheme(self) -> Scheme: ...

    @property
    def state(self) -> Counted: ...

    def epoch(self, order: Any) -> C: ...

    def examples_per_plane(self, visit: Any) -> Ints: ...

    def asks_for_more(self, k: int) -> bool: ...


@dataclass(frozen=True)
class Epoch(Generic[C]):
    """What happened in one epoch."""

    number: int  # from 1
    order: Any
    updates: C
    seconds: float


@dataclass(frozen=True)
class Ending:
    """How a run ended."""

    status: str
    n_iter: int


def visiting_orders(kind: str, visited: Any, random: np.random.RandomState) -> Iterator[Any]:
    """The rows to visit, epoch by epoch: "cyclic", "shuffled" or "random"."""
    if kind == "cyclic":
        while True:
            yield visited
    n = len(visited)
    while True:
        if kind == "shuffled":
            yield random.permutation(visited)
        else:
            yield visited[random.randint(n, size=n)]


def train(
    learner: EpochLearner[C],
    *,
    order: str,
    max_iter: int,
    random: np.random.RandomState,
    begin: Callable[[], None],
    observe: Callable[[Epoch[C]], bool],
    validate: Callable[[], float] | None = None,
    n_iter_no_change: int = 5,
    counts_matter: bool = True,
    n_done: int = 0,
) -> Ending:
    """Run epochs until every hyperplane has converged, `max_iter`, or a reason to stop.

    begin, observe : called before and after each epoch; a true result of `observe` stops the run
    validate : the validation accuracy of the model as it stands, for early stopping
    counts_matter : whether the examples of epochs that need not run are to be counted too
    n_done : epochs that a run taken up again has behind it
    """
    orders = visiting_orders(order, learner.problem.visited, random)
    best, best_epoch = -np.inf, 0
    for number in range(n_done + 1, max_iter + 1):
        begin()
        began = time.perf_counter()
        visit = next(orders)
        updates = learner.epoch(visit)
        rest(learner, updates, confirm=order == "random")
        asked_to_stop = observe(Epoch(number, visit, updates, time.perf_counter() - began))
        if not learner.active.any():
            if counts_matter:
                _count_unneeded(learner, order, random, max_iter - number)
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


def rest(learner: EpochLearner[Changes], updates: Changes, *, confirm: bool) -> None:
    """Let the hyperplanes rest that were not updated (joint: all of them or none)."""
    moved = updates.moved(len(learner.active))
    if learner.scheme.joint:
        learner.active[:] = moved.any() or (confirm and learner.asks_for_more(0))
        return
    if confirm:
        for k in np.flatnonzero(learner.active & ~moved):
            moved[k] = learner.asks_for_more(int(k))
    learner.active &= moved


def _count_unneeded(
    learner: EpochLearner[Changes], order: str, random: np.random.RandomState, n_epochs: int
) -> None:
    """Advance the counters by the epochs that were not run because nothing would have changed."""
    visited = learner.problem.visited
    if order == "random" and learner.scheme.name == "ovo":
        # How often a pair is drawn is random, so the draws must be made. The numbers are those of
        # `visiting_orders`, whether they are drawn by epochs or by blocks.
        for left in range(n_epochs * len(visited), 0, -_BLOCK):
            drawn = random.randint(len(visited), size=min(left, _BLOCK))
            learner.state.counts += learner.examples_per_plane(visited[drawn])
    else:
        learner.state.counts += n_epochs * learner.examples_per_plane(visited)
