"""Rounds on a cluster, as epochs of the one epoch loop."""

from __future__ import annotations

from typing import Any

from novikoff._arrays import Array, Bools, Ints
from novikoff.distributed import rounds
from novikoff.distributed.cluster import Cluster
from novikoff.distributed.placement import Graph, lanes_of
from novikoff.distributed.shard import Lesson
from novikoff.distributed.standing import MixingStanding, RoundChanges
from novikoff.training.keepers import LastKeeper
from novikoff.training.state import State


class MixingLearner:
    """The hyperplanes of an estimator, learning from shards; an epoch is a round.

    Of each round the client receives the sums over all shards and sends the mixed hyperplanes into
    the next graph. So a graph never reaches back further than to its own round: what a lost worker
    takes with it is computed again from there and from the shards' sources.
    """

    visited = None  # the shards number their rows themselves

    def __init__(
        self,
        cluster: Cluster,
        lesson: Lesson,
        shards: list[Any],
        homes: list[str],
        sizes: list[int],
        standing: MixingStanding,
    ) -> None:
        self.lesson = lesson
        self.rule, self.scheme = lesson.spec.rule, lesson.scheme
        self.standing = standing
        self.homes = homes  # the worker of each shard
        self._cluster = cluster
        self._shards = shards
        self._sizes = sizes  # of the shards, in bytes
        self._lanes = lanes_of(homes, cluster.workers(), sizes)

    # What the epoch loop asks of a learner

    @property
    def problem(self) -> MixingLearner:
        return self

    @property
    def state(self) -> State:
        return self.standing.state(self.lesson.spec.constant)

    @property
    def active(self) -> Bools:
        return self.standing.active

    @active.setter
    def active(self, value: Bools) -> None:
        self.standing.active = value

    def epoch(self, order: None) -> RoundChanges:
        """Run one round on the cluster."""
        start = self.standing.start(self.lesson)
        name = f"{self.lesson.token}-{start.number}"
        graph = Graph()
        theta = graph.add(f"mixing-theta-{name}", rounds.hand_out, start)
        epochs = graph.per_lane(
            f"mixing-epoch-{name}", rounds.epoch, self._lanes, self._shards, theta
        )
        root = graph.reduce(f"mixing-merge-{name}", rounds.merge, epochs)
        # The results of all lanes are held until the round is over: when a worker dies after some
        # of them were added up there, only its own shards are visited again.
        with self._cluster.submitted(graph.build(), [root, *epochs]) as held:
            found: rounds.Contribution = self._cluster.gather(held[:1])[0]
        outcomes = [found.outcomes[i] for i in range(len(self._shards))]
        homes = [outcome.worker for outcome in outcomes]
        if homes != self.homes:
            self.homes, self._lanes = homes, lanes_of(homes, self._cluster.workers(), self._sizes)
        return self.standing.mix(self.lesson, found.forest.total, outcomes)

    def examples_per_plane(self, visit: None) -> Ints:
        """(K,): how many rows of all shards concern each hyperplane."""
        result: Ints = self.standing.examples.sum(axis=0)
        return result

    @property
    def n_wrong(self) -> Ints:
        return self.standing.n_wrong

    @property
    def n_seen(self) -> int:
        """How many rows were visited, of all shards; where they all concern the hyperplanes."""
        return self.standing.n_rounds * int(self.examples_per_plane(None)[0])

    def asks_for_more(self, k: int) -> bool:
        # The loop asks only where it draws the rows itself; here it is told order="cyclic".
        raise NotImplementedError("under order='random' the shards confirm their own epochs")


class MixedMeanKeeper(LastKeeper):
    """Keeps the mean over rounds and shards."""

    counts_matter = True

    def weights(self) -> tuple[Array, Array]:
        learner: Any = self.learner
        return self.shown(*learner.standing.mean())
