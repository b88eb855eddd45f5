"""One epoch of the kernel perceptron: blocks of rows, and scores that are kept up to date.

Every row keeps the scores that all hyperplanes gave it, and how many changes of the hypotheses they
contain. When a block of rows is visited, its kernel values against the support rows that changed
since are one matrix product; the walk through the block then needs only the kernel values of its
rows with each other. So a later epoch costs what its updates cost, in any visiting order.

Where a table of all kernel values fits and as many have been computed already, it is made once.
From then on every update changes the scores of all rows; nothing is left to bring up to date.

Beside X this takes n * K scores, and the blocks of `Room`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from novikoff._arrays import Floats, Ints
from novikoff.kernels.dual import dual_walk, next_mistake
from novikoff.training.gram import Gram, Points, Room
from novikoff.training.learners import Updates
from novikoff.training.schemes import Scheme


@dataclass(frozen=True)
class DualProblem:
    """Rows with their classes and steps; `visited` numbers those that are learned from.

    X : (n, d) array or CSR in any type; a continued run has its support rows on top
    numbers : (n,) what the user calls the rows
    """

    X: Any
    numbers: Ints
    labels: Ints
    steps: Floats
    visited: Ints


@dataclass
class Counts:
    """Examples each hyperplane has seen, (K,)."""

    counts: Ints


class Change(NamedTuple):
    """What a block's updates added to the dual coefficients."""

    rows: Ints  # (m,) distinct
    coef: Floats  # (m, K)


def refuse_overflow(scores: Floats, numbers: Ints) -> None:
    """Raise where one of the (K, m) `scores` of the rows `numbers` is not finite."""
    finite = np.isfinite(scores).all(axis=0)
    if not finite.all():
        raise ValueError(
            f"The score of row {numbers[int(np.argmin(finite))]} overflowed: the kernel values are "
            "too large to be summed. Scale the features, or lower gamma, coef0, degree or the "
            "weights."
        )


class BlockLearner(ABC):
    """What learning with and without a budget share; see `DualLearner`."""

    def __init__(
        self, problem: DualProblem, scheme: Scheme, gram: Gram, rule: Any, room: Room, counts: Ints
    ) -> None:
        self.problem = problem
        self.scheme = scheme
        self.gram = gram
        self.rule = rule
        self.room = room
        self.state = Counts(counts)
        self.active = np.ones(len(scheme.roles), bool)
        self._planes = np.empty(len(scheme.roles), np.int64)

    def epoch(self, order: Ints) -> Updates:
        """Visit the rows in `order` with every active hyperplane; all counters advance."""
        plan = self.scheme.plan(self.active)
        pieces = [Updates.room_for(0, np.float64)]
        for first in range(0, len(order), self.room.rows):
            rows = order[first : first + self.room.rows]
            plane, place = self._visit(rows, plan)
            row, time = rows[place], self.state.counts[plane] + first + place + 1
            pieces.append(Updates(plane, row, time, self._steps(plane, row)[:, None]))
        self.state.counts += len(order)
        return Updates.joined(pieces)

    @abstractmethod
    def _visit(self, rows: Ints, plan: Any) -> tuple[Ints, Ints]:
        """Walk through one block; the hyperplane and the place in the block of every update."""

    @abstractmethod
    def _scores_of(self, rows: Ints) -> Floats:
        """(K, m): what the hyperplanes say of some rows as they stand."""

    def examples_per_plane(self, visit: Ints) -> Ints:
        """(K,): how many of the visited rows concern each hyperplane: all do."""
        return np.full(len(self.scheme.roles), len(visit))

    def asks_for_more(self, k: int) -> bool:
        """Whether hyperplane `k` (all of them, if joint) makes a mistake on any visited row."""
        plan = self.scheme.plan(np.arange(len(self.active)) == k)
        visited = self.problem.visited
        for first in range(0, len(visited), self.room.rows):
            rows = visited[first : first + self.room.rows]
            _, n_wrong = self._next_mistake(rows, self._scores_of(rows), plan)
            if n_wrong:
                return True
        return False

    def updates_per_plane(self, updates: Updates) -> Ints:
        """(K,): how many updates each hyperplane took part in."""
        result = np.bincount(updates.plane, minlength=len(self.scheme.roles))
        if self.scheme.joint:
            labels = self.problem.labels[updates.row]
            result += np.bincount(labels, minlength=len(self.scheme.roles))
        return result

    def _next_mistake(self, rows: Ints, scores: Floats, plan: Any) -> tuple[int, int]:
        """See :func:`novikoff.kernels.dual.next_mistake`."""
        self._refuse_overflow(rows, scores)
        labels = self.problem.labels[rows]
        place, n_wrong = next_mistake(
            labels, scores, 0, plan, self.rule, self.scheme.joint, self._planes
        )
        return int(place), int(n_wrong)

    def _values(self, queries: Points, rows: Ints) -> Iterator[tuple[slice, Floats]]:
        """(part, (q, m)): kernel values with one part of the `rows` after the other."""
        for first in range(0, len(rows), self.room.support):
            part = slice(first, first + self.room.support)
            support = self.gram.support(self.problem.X, rows[part], self.problem.numbers)
            yield part, self.gram.values(queries, support)

    def _refuse_overflow(self, rows: Ints, scores: Floats) -> None:
        refuse_overflow(scores[:, : len(rows)], self.problem.numbers[rows])

    def _signed_steps(self, rows: Ints, planes: Ints, coef: Floats, at: Any) -> None:
        """coef[at[e]] += what update e, by row rows[e] of hyperplane planes[e], adds to its row."""
        steps = self._steps(planes, rows)
        if self.scheme.joint:
            np.add.at(coef, (at, self.problem.labels[rows]), steps)
            steps = -steps
        np.add.at(coef, (at, planes), steps)

    def _steps(self, planes: Ints, rows: Ints) -> Floats:
        """The signed step of each update; joint: what is added to the row's own class."""
        steps = self.problem.steps[rows]
        if self.scheme.joint:
            return steps
        return steps * self.scheme.sides()[planes, self.problem.labels[rows]]


class DualLearner(BlockLearner):
    """The hyperplanes of a scheme, learning from a problem in their dual form.

    start : (M, K) the coefficients of the problem's first M rows, from an earlier run; or None
    """

    def __init__(self, *arguments: Any, start: Floats | None = None) -> None:
        super().__init__(*arguments)
        n = len(self.problem.numbers)
        self._scores = np.zeros((len(self.scheme.roles), n))
        self._changes: list[Change] = []
        self._contains = np.zeros(n, np.int64)  # how many changes each row's scores contain
        self._n_computed = 0  # kernel values
        self._table: Floats | None = None  # (n, n), all of them
        if start is not None and len(start):
            self._changes.append(Change(np.arange(len(start)), start))

    def epoch(self, order: Ints) -> Updates:
        if self._table is None and self._table_pays():
            self._make_table()
        updates = super().epoch(order)
        self._forget()
        return updates

    def _table_pays(self) -> bool:
        """Whether as many values as a table holds were computed already, and there is room."""
        n = len(self.problem.numbers)
        named = isinstance(self.gram.kernel, str) and not self.gram.precomputed
        return named and n <= self.room.table and self._n_computed >= n * n

    def _make_table(self) -> None:
        """Compute all kernel values, and bring the scores of all visited rows up to date."""
        visited = self.problem.visited
        for first in range(0, len(visited), self.room.rows):
            self._catch_up(visited[first : first + self.room.rows])
        self._forget()
        points = self.gram.take(self.problem.X, slice(None), self.problem.numbers)
        self._table = np.ascontiguousarray(self.gram.values(points, points).T)

    def _forget(self) -> None:
        """Drop the changes that the scores of all visited rows contain."""
        oldest = int(self._contains[self.problem.visited].min())
        del self._changes[:oldest]
        self._contains -= oldest

    def _visit(self, rows: Ints, plan: Any) -> tuple[Ints, Ints]:
        labels, steps = self.problem.labels, self.problem.steps
        if self._table is not None:
            found = self._walk(rows, labels, steps, self._table, self._scores, plan)
            self._refuse_overflow(np.arange(len(labels)), self._scores)
            return found
        scores = self._scores_of(rows)
        first, n_wrong = self._next_mistake(rows, scores, plan)
        if not n_wrong:
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        rows = rows[first:]
        scores = np.ascontiguousarray(scores[:, first:])
        queries = self.gram.take(self.problem.X, rows, self.problem.numbers)
        support = queries if not self.gram.precomputed else Points(None, queries.numbers)
        values = np.ascontiguousarray(self.gram.values(queries, support).T)
        self._n_computed += values.size
        everyone = np.arange(len(rows))
        plane, place = self._walk(everyone, labels[rows], steps[rows], values, scores, plan)
        self._refuse_overflow(rows, scores)
        changed, at = np.unique(rows[place], return_inverse=True)
        coef = np.zeros((len(changed), len(self.active)))
        self._signed_steps(rows[place], plane, coef, at)
        self._changes.append(Change(changed, coef))
        self._scores[:, rows] = scores
        self._contains[rows] = len(self._changes)
        return plane, place + first

    def _walk(
        self, order: Ints, labels: Ints, steps: Floats, values: Floats, scores: Floats, plan: Any
    ) -> tuple[Ints, Ints]:
        """See :func:`novikoff.kernels.dual.dual_walk`."""
        plane, place = np.empty((2, len(order) * len(self.active)), np.int64)
        size = dual_walk(
            order, labels, steps, values, scores, plan, self.rule, self.scheme.joint,
            self._planes, plane, place,
        )  # fmt: skip
        return plane[:size], place[:size]

    def _scores_of(self, rows: Ints) -> Floats:
        self._catch_up(rows)
        return np.ascontiguousarray(self._scores[:, rows])

    def _catch_up(self, rows: Ints) -> None:
        """Bring the scores of `rows` up to date.

        Rows that contain fewer changes come first, so those that lack a change are the first few.
        """
        rows = rows[np.argsort(self._contains[rows], kind="stable")]
        contained = self._contains[rows]
        if not len(rows) or contained[0] == len(self._changes):
            return
        queries = self.gram.take(self.problem.X, rows, self.problem.numbers)
        levels = np.unique([*contained, len(self._changes)])
        for level, following in pairwise(levels):
            lacking = int(np.searchsorted(contained, level, side="right"))
            changes = self._changes[level:following]
            changed = np.concatenate([change.rows for change in changes])
            coef = np.concatenate([change.coef for change in changes])
            for part, values in self._values(queries.first(lacking), changed):
                self._n_computed += values.size
                with np.errstate(all="ignore"):  # an overflow is refused where scores are used
                    self._scores[:, rows[:lacking]] += (values @ coef[part]).T
        self._contains[rows] = len(self._changes)
