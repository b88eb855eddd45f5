"""Which worker visits which shards, as graphs of tasks that leave every shard where it is.

Dask may run a task elsewhere than where its data lies: when it assigns it, and when an idle worker
steals it from the queue of another. Against the first, tasks are restricted to the worker that has
the shards (others are allowed, but Dask turns to them only if that one is gone). Against the
second, a worker has never more tasks ready than threads, so that none waits in a queue: a task
visits all shards of one thread, a *lane*. It also makes the cost of a round depend on the number of
workers, not of shards.

Dask brings all that a task needs into memory before it starts. Where the shards of a worker do not
fit, those of a lane are visited by several tasks, each waiting for the one before, and Dask keeps
the other shards on the worker's disk meanwhile.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

FAN_IN = 4  # results that one task adds up: fewer steps one after the other than with pairs


_COMFORTABLE = 0.5  # the share of a worker's memory that its shards may take without any care
_AT_A_TIME = 0.2  # and what its tasks may ask for at once, if they take more


class Place(NamedTuple):
    """What must be known of a worker."""

    n_threads: int
    memory: int  # bytes; 0 if there is no limit


class Lane(NamedTuple):
    """Shards that are visited one after the other, those of a batch by one task."""

    home: str
    batches: list[list[int]]


def lanes_of(
    homes: Sequence[str], workers: Mapping[str, Place], sizes: Sequence[int] | None
) -> list[Lane]:
    """A lane for each thread of each worker that has shards; neighbours stay together.

    homes, sizes : the worker of each shard, and its bytes; None while they are not known
    """
    held: dict[str, list[int]] = {}
    for shard, home in enumerate(homes):
        held.setdefault(home, []).append(shard)
    lanes = []
    for home, shards in held.items():
        worker = workers.get(home, Place(1, 0))
        n_lanes = min(worker.n_threads, len(shards))
        room = math.inf
        if sizes is None:
            room = 0
        elif worker.memory and sum(sizes[s] for s in shards) > _COMFORTABLE * worker.memory:
            room = _AT_A_TIME * worker.memory / n_lanes
        cuts = [len(shards) * k // n_lanes for k in range(n_lanes + 1)]
        for low, high in pairwise(cuts):
            lanes.append(Lane(home, _batches(shards[low:high], sizes, room)))
    return lanes


def _batches(shards: list[int], sizes: Sequence[int] | None, room: float) -> list[list[int]]:
    """Neighbours together as long as they fit; a shard that does not fit is on its own."""
    batches: list[list[int]] = []
    taken = 0
    for shard in shards:
        size = 1 if sizes is None else sizes[shard]
        if not batches or taken + size > room:
            batches.append([])
            taken = 0
        batches[-1].append(shard)
        taken += size
    return batches


class Graph:
    """Tasks under construction."""

    def __init__(self) -> None:
        self._layers: dict[str, dict[Any, Any]] = {}
        self._annotations: dict[str, dict[str, Any]] = {}

    def add(self, key: Any, *task: Any, home: str | None = None) -> Any:
        """A task (function, argument, ...), to run at `home` while that is alive."""
        layer = key[0] if isinstance(key, tuple) else key
        if home is not None:
            layer = f"{layer} at {home}"
            self._annotations[layer] = {"workers": [home], "allow_other_workers": True}
        self._layers.setdefault(layer, {})[key] = task
        return key

    def per_lane(
        self,
        name: str,
        function: Callable[..., Any],
        lanes: Sequence[Lane],
        shards: Sequence[Any],
        *more: Any,
    ) -> list[Any]:
        """Tasks for each lane: function(shards of a batch, *more, result of the batch before)."""
        keys: list[Any] = []
        for lane in lanes:
            before = None
            for batch in lane.batches:
                task = (function, [shards[s] for s in batch], *more, before)
                before = self.add((name, len(keys)), *task, home=lane.home)
                keys.append(before)
        return keys

    def reduce(self, name: str, function: Callable[[list[Any]], Any], keys: Sequence[Any]) -> Any:
        """The root of a tree of tasks over `keys`: function(results of its children)."""
        level, number = list(keys), 0
        while len(level) > 1:
            groups = [level[i : i + FAN_IN] for i in range(0, len(level), FAN_IN)]
            level = []
            for group in groups:
                level.append(self.add((name, number), function, group))
                number += 1
        return level[0]

    def build(self) -> Any:
        """The graph as Dask takes it."""
        from dask.highlevelgraph import HighLevelGraph, MaterializedLayer

        layers = {
            name: MaterializedLayer(tasks, annotations=self._annotations.get(name))
            for name, tasks in self._layers.items()
        }
        # Which layers depend on which matters to nobody here: the tasks themselves say it.
        return HighLevelGraph(layers, {name: set() for name in layers})
