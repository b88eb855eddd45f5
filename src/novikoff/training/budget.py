"""The kernel perceptron on a budget: how a row is taken in when no more rows may be kept.

A budget counts distinct rows, over all classes. Three published ways to keep to it:

- "random": the randomised budget perceptron (Cavallanti, Cesa-Bianchi and Gentile 2007): forget a
  row drawn at random, then take the new one in.
- "oldest": the self-tuned Forgetron (Dekel, Shalev-Shwartz and Singer 2008): take the new row in,
  shrink all coefficients, forget the oldest row.
- "project": the Projectron (Orabona, Keshet and Caputo 2008): replace the new row's kernel function
  by its projection on the span of the rows that are kept.

A row that is kept and errs again only has its coefficients changed.

A score is summed when its row is visited, over the support rows as they stand, the oldest first. A
score that was kept and corrected would keep the rounding errors of rows that are long forgotten.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from scipy.linalg import solve_triangular

from novikoff._arrays import Floats, Ints
from novikoff.kernels.dual import next_kept_mistake, sum_kept
from novikoff.training.dual import BlockLearner
from novikoff.training.learners import Updates


@dataclass
class Board:
    """The support rows and a block of rows, while the block is being visited.

    Candidates are the rows of the block and, after them, the support rows there were before it.
    The first W can be asked for their scores: the block, and the rows that may be forgotten.

    Attributes
    ----------
    rows : (C,) the candidates, as rows of the problem
    values : (W, C) values[w, c] = K(x_w, x_c)
    kept : (m,) which candidates are support rows, the oldest first
    coef : (m, K) their coefficients
    """

    rows: Ints
    values: Floats
    kept: Ints
    coef: Floats

    def place_of(self, row: int) -> int | None:
        """The place among the support rows of a row of the problem, if it is one."""
        places = np.flatnonzero(self.rows[self.kept] == row)
        return int(places[0]) if len(places) else None

    def scores_of(self, candidate: int) -> list[float]:
        """(K,): what the hyperplanes say of a candidate."""
        scores = np.empty((self.coef.shape[1], 1))
        sum_kept(self.values[candidate : candidate + 1], self.kept, self.coef, scores)
        result: list[float] = scores[:, 0].tolist()
        return result

    def take_in(self, candidate: int, steps: Floats) -> None:
        """Make a candidate the newest support row, with the coefficients `steps`, (K,)."""
        self.kept = np.append(self.kept, candidate)
        self.coef = np.vstack([self.coef, steps])

    def forget(self, place: int) -> None:
        """The support row at `place` is one no more."""
        self.kept = np.delete(self.kept, place)
        self.coef = np.delete(self.coef, place, axis=0)


class Policy(Protocol):
    """A way to keep to a budget; it may remember things from update to update."""

    budget: int

    def oldest_watched(self, n_kept: int, n_block: int) -> int:
        """How many of the oldest support rows must have their scores followed."""

    def admit(self, board: Board, candidate: int, steps: Floats) -> None:
        """Update with a row that is no support row yet; steps : (K,), signed."""

    def repeat(self, steps: Floats) -> None:
        """Take note of an update with a row that is a support row already."""


@dataclass
class RandomRemoval:
    """Cavallanti, Cesa-Bianchi and Gentile (2007), the randomised budget perceptron.

    With fewer rows than the budget allows, the perceptron's update. Otherwise a support row drawn
    uniformly at random is forgotten first.
    """

    budget: int
    random: np.random.RandomState

    def oldest_watched(self, n_kept: int, n_block: int) -> int:
        return 0

    def admit(self, board: Board, candidate: int, steps: Floats) -> None:
        if len(board.kept) >= self.budget:
            board.forget(int(self.random.randint(len(board.kept))))
        board.take_in(candidate, steps)

    def repeat(self, steps: Floats) -> None:
        pass


@dataclass
class Forgetron:
    """Dekel, Shalev-Shwartz and Singer (2008), the self-tuned Forgetron.

    (1) f' = f + y K(x, .). If that is more rows than the budget allows: (2) f'' = phi f', (3) the
    oldest row r is forgotten. Forgetting does a damage of Psi(phi lambda, phi mu), where Psi(l, m)
    = l^2 + 2 l - 2 l m, lambda is the weight of row r and mu = y_r f'(x_r); phi is the largest
    number in (0, 1] for which the damage done so far stays below 15/32 of the number of updates.

    The paper has one hypothesis and K(x, x) <= 1. Several hypotheses are treated as one with a
    component for each: damages add up, phi is common, so that shrinking changes no comparison
    between classes. Kernel values are divided by the largest K(x, x) met so far. With weights w_k
    and scores s_k of row r, the damage is a phi^2 + b phi, where a sums w_k^2 - 2 w_k s_k / largest
    and b sums 2 |w_k|, class by class.
    """

    budget: int
    damage: float = 0.0
    n_updates: int = 0
    largest: float = 0.0

    def oldest_watched(self, n_kept: int, n_block: int) -> int:
        return min(n_kept, n_block)  # a row of the block forgets one row at most

    def admit(self, board: Board, candidate: int, steps: Floats) -> None:
        self.repeat(steps)
        self.largest = max(self.largest, float(board.values[candidate, candidate]))
        board.take_in(candidate, steps)
        if len(board.kept) > self.budget:
            weights, scores = board.coef[0].tolist(), board.scores_of(int(board.kept[0]))
            square, linear = 0.0, 0.0
            for weight, score in zip(weights, scores, strict=True):
                square += weight * weight
                if self.largest > 0.0:
                    square -= 2.0 * weight * score / self.largest
                linear += 2.0 * abs(weight)
            phi = shrinking(square, linear, self.damage - 15.0 / 32.0 * self.n_updates)
            self.damage += square * phi**2 + linear * phi
            board.coef *= phi
            board.forget(0)

    def repeat(self, steps: Floats) -> None:
        self.n_updates += int(np.count_nonzero(steps))


def shrinking(a: float, b: float, c: float) -> float:
    """The largest phi in (0, 1] with a phi^2 + b phi + c <= 0, where b > 0 > c."""
    if a + b + c <= 0.0:
        return 1.0
    # The smaller root of a parabola that opens downwards; rounding must not lift it above 1.
    return float(min(1.0, -2.0 * c / (b + np.sqrt(b * b - 4.0 * a * c))))


@dataclass
class Projectron:
    """Orabona, Keshet and Caputo (2008), the Projectron, with a limit on the number of rows.

    Let d be the coefficients of the projection of K(x, .) on the span of the support rows' kernel
    functions and delta its distance from it. If delta is at most `threshold` times the norm of
    K(x, .), or the budget is spent, the update is projected: a_j <- a_j + y d_j. Otherwise x
    becomes a support row. No row is ever forgotten.

    The paper keeps the inverse of the support rows' kernel matrix; its Cholesky factor does the
    same work and is more accurate. A distance that is zero but for rounding counts as zero. Either
    way d is rounded, so scores that would be tied without rounding need not be. The kernel must be
    positive semi-definite, or projections mean nothing.
    """

    budget: int
    threshold: float
    # (m, m) upper triangular, factor.T @ factor = K between support rows; grown in advance
    factor: Floats = field(default_factory=lambda: np.zeros((0, 0)))

    def oldest_watched(self, n_kept: int, n_block: int) -> int:
        return 0

    def admit(self, board: Board, candidate: int, steps: Floats) -> None:
        size = len(board.kept)
        norm = float(board.values[candidate, candidate])
        factor = self.factor[:size, :size]
        reduced = solve(factor, board.values[candidate, board.kept], trans="T")
        distance = norm - float(reduced @ reduced)  # squared
        if size >= self.budget or distance <= max(self.threshold**2, _ROUNDING) * norm:
            board.coef += np.multiply.outer(solve(factor, reduced, trans="N"), steps)
            return
        if size == len(self.factor):
            grown = min(self.budget, max(16, 2 * size))
            self.factor, old = np.zeros((grown, grown)), self.factor
            self.factor[:size, :size] = old
        self.factor[:size, size] = reduced
        self.factor[size, size] = np.sqrt(distance)
        board.take_in(candidate, steps)

    def repeat(self, steps: Floats) -> None:
        pass


_ROUNDING = 1e-10


def solve(factor: Floats, right: Floats, trans: str) -> Any:
    """The solution of factor x = right, or of its transpose."""
    if not len(right):
        return right
    return solve_triangular(factor, right, trans=trans, check_finite=False)


def new_policy(
    name: str, budget: int, threshold: float, random: np.random.RandomState
) -> RandomRemoval | Forgetron | Projectron:
    """The policy that `budget_policy` names."""
    if name == "random":
        return RandomRemoval(budget, random)
    if name == "oldest":
        return Forgetron(budget)
    return Projectron(budget, threshold)


class BudgetLearner(BlockLearner):
    """The hyperplanes of a scheme, learning in their dual form from at most `budget` rows.

    kept : (m,) the support rows, the oldest first; coef : (m, K) their coefficients
    Memory and time per example depend on the budget and the block, not on how many were seen.
    """

    def __init__(self, *arguments: Any, policy: Policy, kept: Ints, coef: Floats) -> None:
        super().__init__(*arguments)
        self.policy = policy
        self.kept = kept
        self.coef = coef

    def epoch(self, order: Ints) -> Updates:
        # What one hyperplane's mistake makes all forget changes the others: none rests alone.
        self.active[:] = True
        return super().epoch(order)

    def _visit(self, rows: Ints, plan: Any) -> tuple[Ints, Ints]:
        board = self._board(rows)
        scores = np.empty((len(self.active), len(rows)))
        planes, places = [], []
        place, n_wrong = self._next_kept_mistake(rows, board, scores, 0, plan)
        while n_wrong:
            wrong = self._planes[:n_wrong].copy()
            planes.append(wrong)
            places.append(np.full(n_wrong, place))
            row = rows[place : place + 1]
            steps = np.zeros((1, len(self.active)))
            self._signed_steps(np.repeat(row, n_wrong), wrong, steps, np.zeros(n_wrong, np.int64))
            known = board.place_of(int(row[0]))
            if known is None:
                self.policy.admit(board, place, steps[0])
            else:
                self.policy.repeat(steps[0])
                board.coef[known] += steps[0]
            place, n_wrong = self._next_kept_mistake(rows, board, scores, place + 1, plan)
        self.kept, self.coef = board.rows[board.kept], board.coef
        none = np.zeros(0, np.int64)
        return np.concatenate([none, *planes]), np.concatenate([none, *places])

    def _board(self, rows: Ints) -> Board:
        watched = self.kept[: self.policy.oldest_watched(len(self.kept), len(rows))]
        candidates = np.concatenate([rows, self.kept])
        values = self._table(np.concatenate([rows, watched]), candidates)
        kept = np.arange(len(rows), len(candidates))
        return Board(candidates, values, kept, self.coef.copy())

    def _table(self, rows: Ints, candidates: Ints) -> Floats:
        """(W, C): the kernel values of `rows` with the candidates."""
        table = np.empty((len(rows), len(candidates)))
        queries = self.gram.take(self.problem.X, rows, self.problem.numbers)
        for part, values in self._values(queries, candidates):
            table[:, part] = values
        return table

    def _next_kept_mistake(
        self, rows: Ints, board: Board, scores: Floats, start: int, plan: Any
    ) -> tuple[int, int]:
        """See :func:`novikoff.kernels.dual.next_kept_mistake`."""
        place, n_wrong = next_kept_mistake(
            self.problem.labels[rows], board.values, board.kept, board.coef, scores, start, plan,
            self.rule, self.scheme.joint, self._planes,
        )  # fmt: skip
        visited = slice(start, place + 1)
        self._refuse_overflow(rows[visited], scores[:, visited])
        return int(place), int(n_wrong)

    def _scores_of(self, rows: Ints) -> Floats:
        scores = np.empty((len(self.active), len(rows)))
        everyone = np.arange(len(self.kept))
        sum_kept(self._table(rows, self.kept), everyone, np.ascontiguousarray(self.coef), scores)
        return scores
