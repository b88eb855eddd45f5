"""All hypotheses of a kernel perceptron, as the updates between them, and what becomes of them.

From the log of updates follow the last hypothesis, the mean and the votes at any time of a run.
However many hypotheses there were, a prediction needs each kernel value once: scores are followed
from hypothesis to hypothesis.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.kernels.dual import joint_tally, tally
from novikoff.training.dual import DualProblem, refuse_overflow
from novikoff.training.gram import Gram, Points, Room
from novikoff.training.learners import Updates
from novikoff.training.schemes import Scheme
from novikoff.training.votes import Chain


@dataclass(frozen=True)
class DualHistory:
    """One chain of updates per hyperplane (one in all if joint); `Chain.row` numbers the rows."""

    scheme: Scheme
    chains: tuple[Chain, ...]

    @classmethod
    def begin(cls, scheme: Scheme) -> DualHistory:
        n_chains = 1 if scheme.joint else len(scheme.roles)
        return cls(scheme, (Chain.empty(),) * n_chains)

    def extended(self, problem: DualProblem, updates: Updates) -> DualHistory:
        """With the updates of a run over `problem`."""
        own = problem.labels[updates.row]
        step = problem.steps[updates.row]
        if not self.scheme.joint:
            step = step * self.scheme.sides()[updates.plane, own]
        chains = []
        for k, old in enumerate(self.chains):
            mine = slice(None) if self.scheme.joint else updates.plane == k
            fields = (updates.row, step, updates.time, updates.plane, own)
            added = (field[mine] for field in fields)
            chains.append(Chain(*(np.concatenate(p) for p in zip(old, added, strict=True))))
        return replace(self, chains=tuple(chains))

    def descended(self, scheme: Scheme, ancestors: list[int | None]) -> DualHistory:
        """For a scheme with more classes; see `schemes.ancestors`."""
        none = Chain.empty()
        chains = (none if a is None else self.chains[a] for a in ancestors)
        return DualHistory(scheme, tuple(chains))

    def compressed(self) -> tuple[DualHistory, NDArray[np.int64]]:
        """With the rows that caused updates renumbered 0 ... M - 1, and their former numbers."""
        kept = np.unique(np.concatenate([chain.row for chain in self.chains]))
        chains = (chain._replace(row=np.searchsorted(kept, chain.row)) for chain in self.chains)
        return replace(self, chains=tuple(chains)), kept

    def survival_times(self, count: int) -> list[NDArray[np.int64]]:
        """Per chain, how many of `count` examples each hypothesis was the current one for."""
        return [np.diff(np.concatenate([[1], chain.time, [count + 1]])) for chain in self.chains]

    def coefficients(self, n_rows: int, time: int, *, total: bool) -> NDArray[np.float64]:
        """(K, n_rows): the dual coefficients after `time` examples, or their total until then.

        The total is that of the start and of the hypotheses after each example; divided by
        1 + time it is the mean. Undivided it is exact where the steps are integers.
        """
        result = np.zeros((len(self.scheme.roles), n_rows))
        for k, chain in enumerate(self.chains):
            made = slice(0, int(np.searchsorted(chain.time, time, side="right")))
            row, step, when, rival, own = (field[made] for field in chain)
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

    def votes(
        self, values: NDArray[np.float64], numbers: NDArray[np.int64], times: list[int]
    ) -> NDArray[np.float64]:
        """(S, K, q): the votes after each of the rising `times`.

        values : (M, q) the kernel values of the support rows with the queries `numbers`
        """
        scores = np.zeros((len(self.scheme.roles), values.shape[1]))
        votes = np.zeros_like(scores)
        result, before = [], 0
        for time in times:
            for k, chain in enumerate(self.chains):
                first, last = np.searchsorted(chain.time, [before, time], side="right")
                row, step, when, rival, own = (field[first:last] for field in chain)
                survival = np.diff(np.concatenate([[before + 1], when, [time + 1]])).astype(float)
                if self.scheme.joint:
                    joint_tally(values, row, step, own, rival, survival, scores, votes)
                else:
                    tally(values, row, step, survival, scores[k], votes[k])
            result.append(votes.copy())
            before = time
        refuse_overflow(scores, numbers)  # what is not finite stays so: the last scores tell
        return np.stack(result)


@dataclass(frozen=True)
class DualModel:
    """A kernel perceptron that has learned: support rows, and what to make of them.

    X : (M, d) the support rows in their own type; numbers : (M,) what the user calls them
    history : None after a run on a budget
    """

    scheme: Scheme
    gram: Gram
    X: Any
    numbers: NDArray[np.int64]
    history: DualHistory | None

    def scores(
        self, queries: Any, coef: NDArray[np.float64], cache_mb: float
    ) -> Iterator[tuple[slice, NDArray[np.float64]]]:
        """Block by block of the rows of `queries`: (block, its sums with coefficients (R, M)).

        The sums have shape (q, R).
        """
        room = self._room(queries, cache_mb)
        for block, points in self._blocks(queries, room.rows):
            total = np.zeros((len(points.numbers), len(coef)))
            with np.errstate(over="ignore", invalid="ignore"):
                for part, values in self._values(points, room.support):
                    total += values @ coef[:, part].T
            refuse_overflow(total.T, points.numbers)
            yield block, total

    def staged(
        self, queries: Any, times: list[int], vote: str, cache_mb: float
    ) -> Iterator[tuple[slice, NDArray[np.float64]]]:
        """Block by block of `queries`: (block, what the model said of it after rising `times`).

        vote : "last", "averaged" or "voted"
        What it said has shape (S, q, K); kernel values are computed once for all times.
        """
        assert self.history is not None
        n_shown, n_rows = self.scheme.n_shown, len(self.numbers)
        if vote != "voted":
            mean = vote == "averaged"
            coef = [self.history.coefficients(n_rows, t, total=mean)[:n_shown] for t in times]
            divisor = 1.0 + np.array(times)[:, None, None] if mean else 1.0
            for block, sums in self.scores(queries, np.concatenate(coef), cache_mb):
                yield block, sums.reshape(-1, len(times), n_shown).transpose(1, 0, 2) / divisor
            return
        room = self._room(queries, cache_mb)
        # A quarter of the cache: all values of a block are needed at once.
        most = int(cache_mb * 2**20 / (4 * 8 * max(1, n_rows)))
        for block, points in self._blocks(queries, max(1, min(room.rows, most))):
            turned = np.empty((n_rows, len(points.numbers)))
            for part, values in self._values(points, room.support):
                turned[part] = values.T
            votes = self.history.votes(turned, points.numbers, times)
            yield block, votes[:, :n_shown].transpose(0, 2, 1)

    def _room(self, queries: Any, cache_mb: float) -> Room:
        return Room.of(cache_mb, max(map(self.gram.row_bytes, (queries, self.X))))

    def _blocks(self, queries: Any, n_block: int) -> Iterator[tuple[slice, Points]]:
        numbers = np.arange(queries.shape[0])
        for first in range(0, len(numbers), n_block):
            block = slice(first, first + n_block)
            yield block, self.gram.take(queries, block, numbers)

    def _values(self, points: Points, n_part: int) -> Iterator[tuple[slice, NDArray[np.float64]]]:
        """(part, (q, m)): kernel values with one part of the support rows after the other."""
        for first in range(0, len(self.numbers), n_part):
            part = slice(first, first + n_part)
            support = self.gram.support(self.X, part, self.numbers)
            yield part, self.gram.values(points, support)
