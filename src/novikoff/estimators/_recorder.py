"""What `fit` counts and, if asked to, remembers of its updates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from novikoff.training.keepers import LastKeeper
    from novikoff.training.learners import Learner
    from novikoff.training.loop import Epoch


class Recorder:
    """Counts the updates of a run and, if asked to, keeps them for a trace."""

    def __init__(self, learner: Learner, keeper: LastKeeper, trace: bool, cyclic: bool) -> None:
        self.learner = learner
        self.keeper = keeper
        self.trace = trace
        self.cyclic = cyclic
        self.epochs: list[Epoch] = []
        self.start = learner.state.snapshot() if trace else None
        self._counts = np.zeros((learner.n_parts, len(learner.problem.weights)), np.int64)
        self.per_plane = np.zeros(len(learner.scheme.roles), np.int64)

    def observe(self, epoch: Epoch) -> None:
        updates = epoch.updates
        self.keeper.observe(updates)
        self.per_plane += self.learner.updates_per_plane(updates)
        part = updates.plane * (not self.learner.scheme.joint)
        np.add.at(self._counts, (part, updates.row), 1)
        if self.trace:
            self.epochs.append(epoch)

    def mistake_counts(self) -> NDArray[np.int64]:
        """alpha: (n,) for one hyperplane or joint ones, else (K, n)."""
        return self._counts[0] if len(self._counts) == 1 else self._counts

    def traces(self) -> Any:
        from novikoff.trace import traces_of_run

        assert self.start is not None
        return traces_of_run(self.learner, self.start, self.epochs, self.cyclic)
