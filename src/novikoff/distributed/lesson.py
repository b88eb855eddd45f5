"""What all shards are told: once, what is learned; in every round, where to start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from novikoff._arrays import Array, Bools, Floats
from novikoff.streams.blocks import widened
from novikoff.training.matrix import as_rows
from novikoff.training.problem import Problem
from novikoff.training.schemes import Scheme
from novikoff.training.spec import RunSpec
from novikoff.training.state import State

if TYPE_CHECKING:
    from novikoff.distributed.shard import Shard


@dataclass(frozen=True)
class Lesson:
    """What is learned, and how; the same in all rounds.

    token : tells the lessons of different calls of `fit` apart
    spec : what a shard's epoch is told; dtype : of theta; width : the most features of any shard
    by_mistakes : whether shards are weighed by their mistakes
    """

    token: str
    spec: RunSpec
    n_shards: int
    classes: Array
    class_weights: Floats
    scheme: Scheme
    width: int
    dtype: np.dtype[Any]
    seed: int
    rounds: int
    by_mistakes: bool

    def problem(self, shard: Shard) -> Problem:
        """The rows of a shard as the kernels take them."""
        X = shard.X
        if X.shape[1] < self.width:  # LIBSVM text, or no rows
            X = widened(sp.csr_array(X), self.width)
        codes = np.zeros(len(shard.y), np.int64)
        codes[shard.used] = np.searchsorted(self.classes, shard.y[shard.used])
        return self.spec.problem(
            as_rows(X), codes, self.class_weights, shard.weights, shard.used, self.dtype,
            n_planes=len(self.scheme.roles), max_iter=self.rounds,
        )  # fmt: skip

    def random(self, number: int, shard: int) -> np.random.RandomState:
        """The random numbers of one shard in one round, whoever runs it and when."""
        sequence = np.random.SeedSequence([self.seed, number, shard])
        return np.random.RandomState(np.random.MT19937(sequence))

    def per_plane(self, parts: Array) -> Array:
        """(..., n_parts) -> (..., K): what is counted of a part holds for its hyperplanes."""
        if not self.scheme.joint:
            return parts
        return np.repeat(parts, len(self.scheme.roles), axis=-1)


@dataclass(frozen=True)
class Start:
    """Where every shard starts in a round: the mixed hyperplanes."""

    lesson: Lesson
    number: int  # of the round, from 1
    theta: Array  # (K, d)
    offset: Array  # (K,)
    beside: dict[str, Floats]  # what the rule keeps, mixed
    active: Bools  # (K,) which hyperplanes have not converged

    def state(self, *, sparse: bool) -> State:
        """A copy to change, its counters at zero."""
        lesson = self.lesson
        state = lesson.spec.start(len(self.theta), lesson.width, lesson.dtype, sparse=sparse)
        state.theta[...] = self.theta
        state.offset[...] = self.offset
        for name, array in self.beside.items():
            state.beside[name][...] = array
        return state

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + self.theta.nbytes + self.offset.nbytes
