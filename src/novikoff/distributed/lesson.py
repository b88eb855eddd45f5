"""What all shards are told: once, what is learned; in every round, where to start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from novikoff.kernels.walk import Rule
from novikoff.streams.blocks import widened
from novikoff.training.problem import Problem, build_problem
from novikoff.training.schemes import Scheme
from novikoff.training.state import State

if TYPE_CHECKING:
    from novikoff.distributed.shard import Shard


@dataclass(frozen=True)
class Lesson:
    """What is learned, and how; the same in all rounds.

    token : tells the lessons of different calls of `fit` apart
    dtype : of theta; width : features, the most that a shard has
    """

    token: str
    n_shards: int
    classes: NDArray[Any]
    class_weights: NDArray[np.float64]
    scheme: Scheme
    width: int
    dtype: np.dtype[Any]
    eta: float
    constant: float
    rule: Rule
    order: str
    seed: int
    rounds: int
    by_mistakes: bool  # whether shards are weighed by their mistakes
    averaged: bool
    n_jobs: int | None

    def problem(self, shard: Shard) -> Problem:
        """The rows of a shard as the kernels take them."""
        X = shard.X
        if X.shape[1] < self.width:  # LIBSVM text, or no rows
            X = widened(sp.csr_array(X), self.width)
        codes = np.zeros(len(shard.y), np.int64)
        codes[shard.used] = np.searchsorted(self.classes, shard.y[shard.used])
        return build_problem(
            X, codes, self.class_weights, shard.weights, shard.used, self.dtype, eta=self.eta,
            constant=self.constant, n_planes=len(self.scheme.roles), max_iter=self.rounds,
        )  # fmt: skip

    def random(self, number: int, shard: int) -> np.random.RandomState:
        """The random numbers of one shard in one round, whoever runs it and when."""
        sequence = np.random.SeedSequence([self.seed, number, shard])
        return np.random.RandomState(np.random.MT19937(sequence))

    @property
    def n_parts(self) -> int:
        """How many hypotheses learn independently of each other."""
        return 1 if self.scheme.joint else len(self.scheme.roles)

    def per_plane(self, parts: NDArray[Any]) -> NDArray[Any]:
        """(..., n_parts) -> (..., K): what is counted of a part holds for its hyperplanes."""
        if not self.scheme.joint:
            return parts
        return np.repeat(parts, len(self.scheme.roles), axis=-1)


@dataclass(frozen=True)
class Start:
    """Where every shard starts in a round: the mixed hyperplanes."""

    lesson: Lesson
    number: int  # of the round, from 1
    theta: NDArray[Any]  # (K, d)
    offset: NDArray[Any]  # (K,)
    active: NDArray[np.bool_]  # (K,) which hyperplanes have not converged

    def state(self, *, sparse: bool) -> State:
        """A copy to change, its counters at zero."""
        lesson = self.lesson
        state = State.zeros(
            len(self.theta), lesson.width, lesson.dtype, sparse=sparse, averaged=lesson.averaged,
            constant=lesson.constant,
        )  # fmt: skip
        state.theta[...] = self.theta
        state.offset[...] = self.offset
        return state

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + self.theta.nbytes + self.offset.nbytes
