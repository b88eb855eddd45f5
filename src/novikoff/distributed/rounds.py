"""What workers do in a round: an epoch on each of their shards, and sums of the results.

These functions are the tasks that Dask's dashboard shows. Their results depend on their arguments
alone, so that a lost one can be computed again by anybody.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.distributed.lesson import Start
from novikoff.distributed.shard import Shard, Survey
from novikoff.distributed.tree import Forest
from novikoff.training.learners import Learner, ThetaOverflow, Updates
from novikoff.training.loop import visiting_orders
from novikoff.training.state import State


class Outcome(NamedTuple):
    """What is counted of one shard in one round; a part is a hyperplane or, joint, all of them."""

    mistakes: NDArray[np.int64]  # (n_parts,)
    updates: NDArray[np.int64]  # (K,)
    counts: NDArray[np.int64]  # (K,) examples seen
    unproved: NDArray[np.bool_]  # (n_parts,) no mistake among the rows drawn, but on others
    n_rows: int
    seconds: float
    worker: str


@dataclass(frozen=True)
class Sums:
    """Weighted sums over some shards, of the active hyperplanes only, in float64.

    theta, offset : sums of w_i theta_i; history, offset_history : of w_i times the sum of the
    hypotheses after each example, None where only the last counts
    """

    theta: NDArray[np.float64]
    offset: NDArray[np.float64]
    history: NDArray[np.float64] | None
    offset_history: NDArray[np.float64] | None

    def __add__(self, other: Sums) -> Sums:
        history = offset_history = None
        if self.history is not None and other.history is not None:
            history = self.history + other.history
        if self.offset_history is not None and other.offset_history is not None:
            offset_history = self.offset_history + other.offset_history
        return Sums(self.theta + other.theta, self.offset + other.offset, history, offset_history)


@dataclass(frozen=True)
class Contribution:
    """What some shards contribute to a round."""

    forest: Forest[Sums]
    outcomes: dict[int, Outcome]  # by the number of the shard

    def __sizeof__(self) -> int:
        sums = self.forest.nodes.values()
        arrays = [a for each in sums for a in (each.theta, each.history) if a is not None]
        return object.__sizeof__(self) + sum(array.nbytes for array in arrays)


def survey(shards: list[Shard], digest: bool, before: Any) -> list[Survey]:
    """The task ``mixing-survey``; what comes `before` must be done, and is not looked at."""
    return [shard.survey(digest=digest) for shard in shards]


def hand_out(start: Start) -> Start:
    """The task ``mixing-theta``: the mixed hyperplanes, for the workers to pass on."""
    return start


def epoch(shards: list[Shard], start: Start, before: Any) -> Contribution:
    """The task ``mixing-epoch``: one epoch on each of some shards, all from the same start."""
    result = Contribution(Forest(start.lesson.n_shards), {})
    for shard in shards:
        sums, outcome = _visit(shard, start)
        result.forest.add((0, shard.label.number), sums)
        result.outcomes[shard.label.number] = outcome
    return result


def merge(contributions: list[Contribution]) -> Contribution:
    """The task ``mixing-merge``."""
    result = Contribution(Forest(contributions[0].forest.n_shards), {})
    for contribution in contributions:
        result.forest.update(contribution.forest)
        result.outcomes.update(contribution.outcomes)
    return result


def _visit(shard: Shard, start: Start) -> tuple[Sums, Outcome]:
    began = time.perf_counter()
    lesson, scheme = start.lesson, start.lesson.scheme
    problem = shard.problem(lesson)
    state = start.state(sparse=problem.rows.indices is not None)
    learner = Learner(problem, scheme, state, lesson.rule, _n_threads(lesson.n_jobs))
    learner.active = start.active.copy()
    random = lesson.random(start.number, shard.label.number)
    order, updates = problem.visited, Updates(*np.empty((3, 0), np.int64))
    if len(order):
        order = next(visiting_orders(lesson.order, problem.visited, random))
        try:
            updates = learner.epoch(order)
        except ThetaOverflow as error:
            raise shard.label.error(str(error)) from None

    parts = np.zeros(len(updates.plane), np.int64) if scheme.joint else updates.plane
    mistakes = np.bincount(parts, minlength=lesson.n_parts)
    unproved = np.zeros(lesson.n_parts, bool)
    if lesson.order == "random" and len(order):
        # theta was not changed, so what is clean here is clean for the mixed one too if all
        # shards say so.
        for k in np.flatnonzero((mistakes == 0) & start.active[: lesson.n_parts]):
            unproved[k] = learner.any_mistake(int(k))
    outcome = Outcome(
        mistakes, learner.updates_per_plane(updates), state.counts, unproved, len(order),
        time.perf_counter() - began, _address(),
    )  # fmt: skip
    weights = lesson.per_plane(mistakes) if lesson.by_mistakes else state.counts > 0
    return _sums(start, state, weights.astype(np.float64)), outcome


def _sums(start: Start, state: State, weights: NDArray[np.float64]) -> Sums:
    chosen, w = start.active, weights[start.active]
    theta = np.ascontiguousarray(state.theta[chosen], np.float64)
    offset = state.offset[chosen].astype(np.float64)
    history = offset_history = None
    if state.sums is not None and state.offset_sums is not None:
        # The mean's u is the sum of t (new - old); from it the sum of all hypotheses but the start.
        n = 1.0 + state.counts[chosen]
        history = (n[:, None] * theta - state.sums[chosen]) - start.theta[chosen]
        offset_history = (n * offset - state.offset_sums[chosen]) - start.offset[chosen]
        history, offset_history = w[:, None] * history, w * offset_history
    return Sums(w[:, None] * theta, w * offset, history, offset_history)


def _n_threads(n_jobs: int | None) -> int:
    from joblib import effective_n_jobs, parallel_config

    if n_jobs is None:
        return 1
    with parallel_config(backend="threading"):  # a worker may be forbidden to start processes
        return int(effective_n_jobs(n_jobs))


def _address() -> Any:
    from distributed import get_worker

    return get_worker().address
