"""The pocket algorithm with ratchet (Gallant 1990): the best hypothesis a run has met.

When the current hypothesis has been right on more examples in a row than the one in the pocket
was, its training error is measured, once and over all rows; a strictly smaller error puts it into
the pocket. The last hypothesis of a run is measured whatever its streak. An error is the total
weight of the rows that are wrong, summed and compared exactly.

Streaks follow from the log of updates, so the pocket works after each epoch, on a replay of it;
the walk itself knows nothing of pockets.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from novikoff._arrays import Array, Ints
from novikoff.kernels.exact import compare, value
from novikoff.kernels.rules.perceptron import ERROR
from novikoff.kernels.votes import replay
from novikoff.training.learners import Learner, Updates, weigh
from novikoff.training.problem import Problem
from novikoff.training.schemes import Scheme
from novikoff.training.state import State

Moves = tuple[Array, Array, Array, Array]


@dataclass
class _Pocket:
    """The pocket of one independently learning hypothesis (a hyperplane, or a joint set)."""

    scheme: Scheme
    current: State  # the hypothesis as of the last update replayed
    theta: Array  # the one in the pocket
    offset: Array
    error: Ints  # its training error, a sum of novikoff.kernels.exact
    streak: int = 0
    since: int = 0  # when the current one was made: examples seen, the one that caused it included
    measured: bool = True  # whether the current one has been
    holds_current: bool = True  # whether the current one is in the pocket
    n_updates: int = 0  # that made the current one
    entered: list[int] = field(default_factory=list)  # n_updates of all that went into the pocket
    errors: list[float] = field(default_factory=list)  # and their errors, rounded

    @cached_property
    def planes(self) -> tuple[Any, ...]:
        """The current hypothesis as the kernels replay it; its arrays are changed in place."""
        return self.current.hypothesis

    def take(self, error: Ints) -> None:
        """The current hypothesis goes into the pocket."""
        self.theta, self.offset = self.current.theta.copy(), self.current.offset.copy()
        self.error = error
        self.entered.append(self.n_updates)
        self.errors.append(float(value(error)))


class Pockets:
    """The pockets of all hypotheses of a learner."""

    def __init__(self, learner: Learner) -> None:
        self.learner = learner
        _check_weights(learner.problem)
        self.pockets = []
        for k in range(learner.scheme.n_parts):
            scheme, state = learner.part(k)
            error = self._measure(scheme, state)
            pocket = _Pocket(scheme, state, state.theta, state.offset, error)
            pocket.take(error)
            self.pockets.append(pocket)

    def observe(self, updates: Updates, counts: Ints) -> None:
        """Follow the updates of one epoch; `counts` are the examples seen at its end."""
        for k, pocket in enumerate(self.pockets):
            mine = slice(None) if pocket.scheme.joint else updates.plane == k
            times = updates.time[mine]
            moves = self._moves(pocket, updates.row[mine], updates.plane[mine])
            numbers = updates.numbers[mine]
            # Hypothesis i was made at since[i] and right on streaks[i] examples from then on; the
            # last one's streak goes on in the next epoch, what it has reached so far counts.
            since = np.concatenate([[pocket.since], times])
            streaks = np.concatenate([times - 1, counts[k : k + 1]]) - since
            at = 0
            for i in np.flatnonzero(streaks > pocket.streak).tolist():
                if i > at:
                    self._advance(pocket, moves, numbers, at, i)
                    at = i
                self._try(pocket, int(streaks[i]))
            if at < len(times):
                self._advance(pocket, moves, numbers, at, len(times))
            pocket.since = int(since[-1])

    def _moves(self, pocket: _Pocket, rows: Ints, rivals: Ints) -> Moves:
        """(row, plane, sign, update) of every single move; a joint update is two of them."""
        each = np.arange(len(rows))
        if not pocket.scheme.joint:
            return rows, np.zeros_like(rows), np.ones(len(rows)), each
        planes = np.column_stack([self.learner.problem.examples.labels[rows], rivals]).ravel()
        signs = np.tile([1.0, -1.0], len(rows))
        return np.repeat(rows, 2), planes, signs, np.repeat(each, 2)

    def _advance(
        self, pocket: _Pocket, moves: Moves, numbers: Array, first: int, last: int
    ) -> None:
        """Replay updates first ... last - 1; the hypothesis they lead to is a new one."""
        per_update = 2 if pocket.scheme.joint else 1
        replay(
            self.learner.rule, self.learner.problem.rows, pocket.planes, *moves, numbers,
            per_update * first, per_update * last,
        )  # fmt: skip
        pocket.n_updates += last - first
        pocket.measured = pocket.holds_current = False

    def _try(self, pocket: _Pocket, streak: int) -> None:
        """The current hypothesis has been right on `streak` examples in a row."""
        if streak <= pocket.streak:
            return
        if not pocket.measured:
            pocket.measured = True
            error = self._smaller_error(pocket)
            if error is not None:
                pocket.take(error)
                pocket.holds_current = True
        if pocket.holds_current:
            pocket.streak = streak

    def _measure(self, scheme: Scheme, state: State, limit: float = math.inf) -> Ints:
        """The total weight of the training errors, exact when it is below `limit`."""
        problem = self.learner.problem
        return weigh(problem, scheme, state, ERROR, problem.weights, limit)

    def _smaller_error(self, pocket: _Pocket) -> Ints | None:
        """The error of the current hypothesis, if smaller than that of the one in the pocket."""
        limit = float(value(pocket.error))
        if limit == sys.float_info.max:  # it may be larger, beyond doubles
            limit = math.inf
        error = self._measure(pocket.scheme, pocket.current, limit)
        return error if compare(error, pocket.error) < 0 else None

    def _last_error(self, pocket: _Pocket) -> Ints | None:
        """The error of the current hypothesis if the run ended here and put it into the pocket."""
        return None if pocket.measured else self._smaller_error(pocket)

    def best(self) -> tuple[Array, Array]:
        """The better of pocket and current hypothesis, for all hyperplanes: (K, d), (K,)."""
        thetas, offsets = [], []
        for pocket in self.pockets:
            better = self._last_error(pocket) is not None
            thetas.append(pocket.current.theta if better else pocket.theta)
            offsets.append(pocket.current.offset if better else pocket.offset)
        return np.concatenate(thetas), np.concatenate(offsets)

    def replacements(self) -> list[tuple[list[int], list[float]]]:
        """Per pocket: how many updates had made each hypothesis that went in, and its error.

        The last one is what `best` returns.
        """
        result = []
        for pocket in self.pockets:
            last = self._last_error(pocket)
            more = ([], []) if last is None else ([pocket.n_updates], [float(value(last))])
            result.append((pocket.entered + more[0], pocket.errors + more[1]))
        return result


def _check_weights(problem: Problem) -> None:
    """Refuse a weight that is no number; the step it goes into may be one all the same."""
    weights = problem.weights[problem.visited]
    good = (weights > 0.0) & np.isfinite(weights)
    if not good.all():
        bad = int(np.argmin(good))
        raise ValueError(
            f"The weight of row {problem.visited[bad]}, its class weight times its sample weight, "
            f"is {weights[bad]} in float64: use more moderate weights."
        )
