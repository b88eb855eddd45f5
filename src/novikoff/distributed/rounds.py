"""What workers do in a round: an epoch on each of their shards, and sums of the results.

These functions are the tasks that Dask's dashboard shows. Their results depend on their arguments
alone, so that a lost one can be computed again by anybody.

Sums over shards go along one binary tree, whoever adds up what and in which order. It is fixed by
the number of shards: node (0, i) is shard i, node (l + 1, i) is the sum of nodes (l, 2i) and
(l, 2i + 1), the first of them alone if there is no second. Additions of floating point numbers do
not commute with regrouping, so no other sums are ever formed; what cannot be added yet because its
neighbour is elsewhere is handed on as it is.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from novikoff._arrays import Array, Bools, Floats, Ints
from novikoff.distributed.shard import Shard, Start, Survey
from novikoff.training.learners import RowError, Updates
from novikoff.training.loop import visiting_orders
from novikoff.training.state import State


class Outcome(NamedTuple):
    """What is counted of one shard in one round; a part is a hyperplane or, joint, all of them."""

    mistakes: Ints  # (n_parts,)
    updates: Ints  # (K,)
    counts: Ints  # (K,) examples seen
    unproved: Bools  # (n_parts,) no mistake among the rows drawn, but on others
    n_wrong: Ints  # predictions that were wrong, see `Scheme.n_counted`
    n_rows: int
    seconds: float
    worker: str


@dataclass(frozen=True)
class Sums:
    """What some shards come to, of the active hyperplanes only, in float64; by name.

    added : weighted sums, over the shards i, of w_i theta_i ("theta", "offset"), of what the rule
        keeps and mixes as theta, and, where the mean is kept, of w_i times the sum of the
        hypotheses after each example ("sums", "sums_offset")
    least : the smallest numbers of what the rule mixes so
    """

    added: dict[str, Floats]
    least: dict[str, Floats]

    def __add__(self, other: Sums) -> Sums:
        return Sums(
            {name: array + other.added[name] for name, array in self.added.items()},
            {name: np.minimum(array, other.least[name]) for name, array in self.least.items()},
        )

    @property
    def nbytes(self) -> int:
        return sum(array.nbytes for array in (*self.added.values(), *self.least.values()))


@dataclass(frozen=True)
class Contribution:
    """What some shards contribute to a round."""

    forest: Forest
    outcomes: dict[int, Outcome]  # by the number of the shard

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + sum(each.nbytes for each in self.forest.nodes.values())


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
    learner = lesson.spec.learner(problem, scheme, state)
    learner.active = start.active.copy()
    random = lesson.random(start.number, shard.label.number)
    order, updates = problem.visited, Updates.room_for(0, lesson.dtype)
    if len(order):
        order = next(visiting_orders(lesson.spec.order, problem.visited, random))
        try:
            updates = learner.epoch(order)
        except RowError as error:
            raise shard.label.error(str(error)) from None

    parts = np.zeros(len(updates.plane), np.int64) if scheme.joint else updates.plane
    mistakes = np.bincount(parts, minlength=scheme.n_parts)
    unproved = np.zeros(scheme.n_parts, bool)
    if lesson.spec.order == "random" and len(order):
        # theta was not changed, so what is clean here is clean for the mixed one too if all
        # shards say so.
        for k in np.flatnonzero((mistakes == 0) & start.active[: scheme.n_parts]):
            unproved[k] = learner.asks_for_more(int(k))
    outcome = Outcome(
        mistakes, learner.updates_per_plane(updates), state.counts, unproved, learner.n_wrong,
        len(order), time.perf_counter() - began, _address(),
    )  # fmt: skip
    weights = lesson.per_plane(mistakes) if lesson.by_mistakes else state.counts > 0
    return _sums(start, state, weights.astype(np.float64)), outcome


def _sums(start: Start, state: State, weights: Floats) -> Sums:
    chosen, w = start.active, weights[start.active]

    def taken(array: Array) -> Floats:
        return np.ascontiguousarray(array[chosen], np.float64)

    def by(factor: Array, array: Floats) -> Floats:
        return factor.reshape(-1, *[1] * (array.ndim - 1)) * array

    added = {"theta": taken(state.theta), "offset": taken(state.offset)}
    least: dict[str, Floats] = {}
    for extra in start.lesson.spec.rule.EXTRA:
        (added if extra.mix == "mean" else least).update(
            {name: taken(state.beside[name]) for name in extra.names}
        )
    if "sums" in state.beside:
        # The mean's u is the sum of t (new - old); from it the sum of all hypotheses but the start.
        n = 1.0 + state.counts[chosen]
        for name, current in (("sums", "theta"), ("sums_offset", "offset")):
            before = taken(getattr(start, current))
            added[name] = (by(n, added[current]) - taken(state.beside[name])) - before
    return Sums({name: by(w, array) for name, array in added.items()}, least)


def _address() -> Any:
    from distributed import get_worker

    return get_worker().address


Node = tuple[int, int]


@dataclass
class Forest:
    """Sums of whole nodes over some of the shards."""

    n_shards: int
    nodes: dict[Node, Sums] = field(default_factory=dict)

    def add(self, node: Node, value: Sums) -> None:
        """Put in the value of a node, and add up what can be."""
        while (width := self._width(node[0])) > 1:
            level, i = node
            if i ^ 1 < width:
                neighbour = self.nodes.pop((level, i ^ 1), None)
                if neighbour is None:
                    break
                value = neighbour + value if i % 2 else value + neighbour
            node = (level + 1, i // 2)
        self.nodes[node] = value

    def update(self, other: Forest) -> None:
        """Put in all nodes of another forest."""
        for node, value in other.nodes.items():
            self.add(node, value)

    @property
    def total(self) -> Sums:
        """The sum over all shards, when all are in."""
        ((level, _),) = self.nodes
        assert self._width(level) == 1
        return next(iter(self.nodes.values()))

    def _width(self, level: int) -> int:
        """How many nodes a level has."""
        return (self.n_shards + (1 << level) - 1) >> level
