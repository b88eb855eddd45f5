"""From one run of the kernel perceptron to the next: what it is told, what it leaves behind.

It leaves all hypotheses, as the updates between them. From their log follow the last hypothesis,
the mean and the votes at any time of a run. However many hypotheses there were, a prediction needs
each kernel value once: scores are followed from hypothesis to hypothesis.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from novikoff._arrays import Array, Floats, Ints
from novikoff.kernels.dual import joint_tally, tally
from novikoff.training import matrix
from novikoff.training.budget import BudgetLearner, Policy, new_policy
from novikoff.training.dual import BlockLearner, DualLearner, DualProblem, refuse_overflow
from novikoff.training.gram import Gram, Points, Room
from novikoff.training.learners import Updates
from novikoff.training.schemes import Scheme, ancestors
from novikoff.training.state import inherit
from novikoff.training.votes import Chain, chains_of


@dataclass(frozen=True)
class DualSpec:
    """What a run is told and a later run that goes on must be told again.

    The fields are parameters of `KernelPerceptron`.
    """

    kernel: Any
    degree: int
    gamma: Any
    coef0: float
    multi_class: str
    budget: int | None
    budget_policy: str
    projection_threshold: float

    def start(self, X: Any, scheme: Scheme, random: np.random.RandomState) -> DualLearned:
        """What is known before the first row; X, the first rows, settles what gamma is."""
        gram = Gram.of(self.kernel, self.degree, self.gamma, float(self.coef0), X)
        history, policy = None, None
        if self.budget is None:
            history = DualHistory.begin(scheme)
        else:
            threshold = self.projection_threshold
            policy = new_policy(self.budget_policy, self.budget, threshold, random)
        none, n_planes = np.zeros(0, np.int64), len(scheme.roles)
        return DualLearned(
            self, "last", scheme, gram, X[:0], none, np.zeros((0, n_planes)),
            np.zeros(n_planes, np.int64), 0, 0, None, history, policy,
        )  # fmt: skip


@dataclass(frozen=True)
class DualLearned:
    """What a run leaves behind: enough to predict, and for a later run to go on.

    keep : which hypothesis is the model: "last", "mean" or "vote", as in `keepers.KEEPERS`
    X : (M, d) the support rows in their own type, (0, 0) if the kernel is precomputed
    numbers : (M,) what the user calls them
    coef : (M, K) the last hypothesis, of all hyperplanes, spare ones included
    n_updates : (K,) likewise
    count : examples seen; n_rows : rows given; epoch_rows : examples per epoch, None in batches
    history, policy : all hypotheses, or on a budget how it is kept to; the other one is None
    """

    spec: DualSpec
    keep: str
    scheme: Scheme
    gram: Gram
    X: Any
    numbers: Ints
    coef: Floats
    n_updates: Ints
    count: int
    n_rows: int
    epoch_rows: int | None
    history: DualHistory | None
    policy: Policy | None

    # ------------------------------------------------------------------ going on

    def descended(self, scheme: Scheme, renumbered: Array) -> DualLearned:
        """For a scheme with more classes; renumbered : the new number of each old class."""
        if scheme == self.scheme:
            return self
        lineage = ancestors(self.scheme, scheme, renumbered)
        return replace(
            self, scheme=scheme, history=self.history and self.history.descended(scheme, lineage),
            coef=inherit(self.coef.T, lineage).T, n_updates=inherit(self.n_updates, lineage),
        )  # fmt: skip

    def problem(self, X: Any, labels: Ints, steps: Floats, used: Ints) -> DualProblem:
        """The next rows, below the support rows; `used` numbers those that are learned from."""
        old = self.numbers
        if len(old):
            X = matrix.as_matrix(matrix.stack([matrix.as_rows(self.X), matrix.as_rows(X)]))
        return DualProblem(
            X, np.append(old, np.arange(len(labels)) + self.n_rows),
            np.append(np.zeros_like(old), labels), np.append(np.ones(len(old)), steps),
            used + len(old),
        )  # fmt: skip

    def learner(
        self, problem: DualProblem, rule: Any, cache_mb: float, most_rows: int
    ) -> BlockLearner:
        """The hyperplanes, ready to go on with `problem`; a policy goes on, too."""
        budget = 0 if self.policy is None else self.policy.budget
        room = Room.of(cache_mb, self.gram.row_bytes(problem.X), budget, most_rows)
        counts = np.full(len(self.scheme.roles), self.count)
        shared = (problem, self.scheme, self.gram, rule, room, counts)
        if self.policy is None:
            return DualLearner(*shared, start=self.coef)
        kept = np.arange(len(self.coef))
        return BudgetLearner(*shared, policy=self.policy, kept=kept, coef=self.coef)

    def extended(
        self, learner: Any, updates: Updates, keep: str, epoch_rows: int | None = None
    ) -> DualLearned:
        """With what `learner`, one of ours, has learned by these updates."""
        problem, count = learner.problem, int(learner.state.counts[0])
        if self.history is None:
            history, kept, coef = None, learner.kept, learner.coef
        else:
            history, kept = self.history.extended(problem, updates).compressed()
            coef = history.coefficients(len(kept), count, total=False).T
        return replace(
            self, keep=keep, X=np.zeros((0, 0)) if self.gram.precomputed else problem.X[kept],
            numbers=problem.numbers[kept], coef=coef.copy(),
            n_updates=self.n_updates + learner.updates_per_plane(updates), count=count,
            n_rows=int(problem.numbers[-1]) + 1, epoch_rows=epoch_rows, history=history,
        )  # fmt: skip

    # ------------------------------------------------------------------ predicting

    def shown(self) -> Floats:
        """(K, M): the coefficients of the hyperplanes shown, of the mean or the last hypothesis."""
        coef = self.coef.T
        if self.keep == "mean":
            assert self.history is not None
            total = self.history.coefficients(len(self.numbers), self.count, total=True)
            coef = total / (1.0 + self.count)
        return coef[: self.scheme.n_shown].copy()

    def scores(self, queries: Any, coef: Floats, cache_mb: float) -> Iterator[Floats]:
        """Block by block of the rows of `queries`: (q, R) its sums with coefficients (R, M)."""
        room = self._room(queries, cache_mb)
        for points in self._blocks(queries, room.rows):
            total = np.zeros((len(points.numbers), len(coef)))
            with np.errstate(over="ignore", invalid="ignore"):
                for part, values in self._values(points, room.support):
                    total += values @ coef[:, part].T
            refuse_overflow(total.T, points.numbers)
            yield total

    def staged(
        self, queries: Any, times: list[int], keep: str, cache_mb: float
    ) -> Iterator[Floats]:
        """Block by block of `queries`: (S, q, K) what the model said of it after rising `times`.

        Kernel values are computed once for all times.
        """
        assert self.history is not None
        n_shown, n_rows = self.scheme.n_shown, len(self.numbers)
        if keep != "vote":
            mean = keep == "mean"
            coef = [self.history.coefficients(n_rows, t, total=mean)[:n_shown] for t in times]
            divisor = 1.0 + np.array(times)[:, None, None] if mean else 1.0
            for sums in self.scores(queries, np.concatenate(coef), cache_mb):
                yield sums.reshape(-1, len(times), n_shown).transpose(1, 0, 2) / divisor
            return
        room = self._room(queries, cache_mb)
        # A quarter of the cache: all values of a block are needed at once.
        most = int(cache_mb * 2**20 / (4 * 8 * max(1, n_rows)))
        for points in self._blocks(queries, max(1, min(room.rows, most))):
            turned = np.empty((n_rows, len(points.numbers)))
            for part, values in self._values(points, room.support):
                turned[part] = values.T
            votes = self.history.votes(turned, points.numbers, times)
            yield votes[:, :n_shown].transpose(0, 2, 1)

    def _room(self, queries: Any, cache_mb: float) -> Room:
        return Room.of(cache_mb, max(map(self.gram.row_bytes, (queries, self.X))))

    def _blocks(self, queries: Any, n_block: int) -> Iterator[Points]:
        numbers = np.arange(queries.shape[0])
        for first in range(0, len(numbers), n_block):
            yield self.gram.take(queries, slice(first, first + n_block), numbers)

    def _values(self, points: Points, n_part: int) -> Iterator[tuple[slice, Floats]]:
        """(part, (q, m)): kernel values with one part of the support rows after the other."""
        for first in range(0, len(self.numbers), n_part):
            part = slice(first, first + n_part)
            support = self.gram.support(self.X, part, self.numbers)
            yield part, self.gram.values(points, support)


@dataclass(frozen=True)
class DualHistory:
    """One chain of updates per hyperplane (one in all if joint); `Chain.row` numbers the rows."""

    scheme: Scheme
    chains: tuple[Chain, ...]

    @classmethod
    def begin(cls, scheme: Scheme) -> DualHistory:
        return cls(scheme, (Chain.empty(np.float64),) * scheme.n_parts)

    def extended(self, problem: DualProblem, updates: Updates) -> DualHistory:
        """With the updates of a run over `problem`."""
        added = chains_of(self.scheme, problem.labels, updates, updates.row)
        chains = (old.extended(new) for old, new in zip(self.chains, added, strict=True))
        return replace(self, chains=tuple(chains))

    def descended(self, scheme: Scheme, ancestors: list[int | None]) -> DualHistory:
        """For a scheme with more classes; see `schemes.ancestors`."""
        none = Chain.empty(np.float64)
        chains = (none if a is None else self.chains[a] for a in ancestors)
        return DualHistory(scheme, tuple(chains))

    def compressed(self) -> tuple[DualHistory, Ints]:
        """With the rows that caused updates renumbered 0 ... M - 1, and their former numbers."""
        kept = np.unique(np.concatenate([chain.row for chain in self.chains]))
        chains = (chain._replace(row=np.searchsorted(kept, chain.row)) for chain in self.chains)
        return replace(self, chains=tuple(chains)), kept

    def survival_times(self, count: int) -> list[Ints]:
        """Per chain, how many of `count` examples each hypothesis was the current one for."""
        return [chain.survival_times(0, count) for chain in self.chains]

    def updates(self, k: int) -> tuple[Ints, Floats, Ints]:
        """(row, signed step, time) of every update of hyperplane k."""
        chain = self.chains[0 if self.scheme.joint else k]
        step = chain.numbers[:, 0]
        if not self.scheme.joint:
            return chain.row, step, chain.time
        mine = (chain.own == k) | (chain.rival == k)
        return chain.row[mine], np.where(chain.own == k, step, -step)[mine], chain.time[mine]

    def coefficients(self, n_rows: int, time: int, *, total: bool) -> Floats:
        """(K, n_rows): the dual coefficients after `time` examples, or their total until then.

        The total is that of the start and of the hypotheses after each example; divided by
        1 + time it is the mean. Undivided it is exact where the steps are integers.
        """
        result = np.zeros((len(self.scheme.roles), n_rows))
        for k, chain in enumerate(self.chains):
            made = slice(0, int(np.searchsorted(chain.time, time, side="right")))
            row, numbers, when, rival, own = (field[made] for field in chain)
            step = numbers[:, 0]
            with np.errstate(over="ignore", invalid="ignore"):
                if total:
                    step = step * (1.0 + time - when)
                if self.scheme.joint:
                    np.add.at(result, (own, row), step)
                    np.add.at(result, (rival, row), -step)
                else:
                    np.add.at(result[k], row, step)
        if not np.isfinite(result).all():
            raise ValueError("The dual coefficients overflowed float64: use smaller weights.")
        return result

    def votes(self, values: Floats, numbers: Ints, times: list[int]) -> Floats:
        """(S, K, q): the votes after each of the rising `times`.

        values : (M, q) the kernel values of the support rows with the queries `numbers`
        """
        scores = np.zeros((len(self.scheme.roles), values.shape[1]))
        votes = np.zeros_like(scores)
        result, before = [], 0
        for time in times:
            for k, chain in enumerate(self.chains):
                first, last = np.searchsorted(chain.time, [before, time], side="right")
                some = Chain(*(field[first:last] for field in chain))
                survival = some.survival_times(before, time).astype(float)
                row, step = some.row, some.numbers[:, 0]
                if self.scheme.joint:
                    joint_tally(values, row, step, some.own, some.rival, survival, scores, votes)
                else:
                    tally(values, row, step, survival, scores[k], votes[k])
            result.append(votes.copy())
            before = time
        refuse_overflow(scores, numbers)  # what is not finite stays so: the last scores tell
        return np.stack(result)
