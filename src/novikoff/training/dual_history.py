"""All hypotheses of a kernel perceptron, as the updates between them, and what becomes of them.

From the log of updates follow the last hypothesis, the mean and the votes at any time of a run.
However many hypotheses there were, a prediction needs each kernel value once: scores are followed
from hypothesis to hypothesis.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from novikoff.kernels.dual import joint_tally, tally
from novikoff.training.dual import DualProblem, refuse_overflow
from novikoff.training.learners import Updates
from novikoff.training.schemes import Scheme
from novikoff.training.votes import Chain, chains_of


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

    def compressed(self) -> tuple[DualHistory, NDArray[np.int64]]:
        """With the rows that caused updates renumbered 0 ... M - 1, and their former numbers."""
        kept = np.unique(np.concatenate([chain.row for chain in self.chains]))
        chains = (chain._replace(row=np.searchsorted(kept, chain.row)) for chain in self.chains)
        return replace(self, chains=tuple(chains)), kept

    def survival_times(self, count: int) -> list[NDArray[np.int64]]:
        """Per chain, how many of `count` examples each hypothesis was the current one for."""
        return [chain.survival_times(0, count) for chain in self.chains]

    def updates(self, k: int) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
        """(row, signed step, time) of every update of hyperplane k."""
        chain = self.chains[0 if self.scheme.joint else k]
        step = chain.numbers[:, 0]
        if not self.scheme.joint:
            return chain.row, step, chain.time
        mine = (chain.own == k) | (chain.rival == k)
        return chain.row[mine], np.where(chain.own == k, step, -step)[mine], chain.time[mine]

    def coefficients(self, n_rows: int, time: int, *, total: bool) -> NDArray[np.float64]:
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
