"""What a run keeps of its hypotheses: the last one, their mean, all of them, or the best.

A keeper sees the updates of every epoch and can say at any time which model it would return.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from novikoff._arrays import Array, Floats, Ints
from novikoff.kernels.rows import Rows
from novikoff.training.learners import Updates
from novikoff.training.prediction import LinearModel, Model
from novikoff.training.problem import Problem
from novikoff.training.schemes import Scheme
from novikoff.training.state import State

if TYPE_CHECKING:  # a run that keeps no votes has no use for them
    from novikoff.training.votes import History, RunningVote


class Learning(Protocol):
    """A learner, as far as a keeper knows it; also one on a stream, or on a cluster."""

    rule: Any

    @property
    def problem(self) -> Any: ...

    @property
    def scheme(self) -> Scheme: ...

    @property
    def state(self) -> State: ...


class LastKeeper:
    """Keeps the last hypothesis."""

    counts_matter = False  # whether the result depends on how many examples were seen

    def __init__(self, learner: Learning, history: History | None = None) -> None:
        self.learner = learner

    def observe(self, updates: Updates) -> None:
        """Take note of the updates of one epoch."""

    def absorb(self, problem: Problem, updates: Updates) -> None:
        """Take note of the updates of a batch whose rows will be gone when the epoch ends."""

    def descend(self, scheme: Scheme, ancestors: list[int | None]) -> None:
        """Go on with the hyperplanes of another scheme; see `schemes.ancestors`."""

    def resize(self, width: int) -> None:
        """Go on with another number of features; see `State.resized`."""

    def weights(self) -> tuple[Array, Array]:
        """theta (K, d) and offset (K,) of the hyperplanes shown."""
        return self.last()

    def last(self) -> tuple[Array, Array]:
        """The same of the last hypothesis, whatever is kept."""
        return self.shown(self.learner.state.theta, self.learner.state.offset)

    def shown(self, theta: Array, offset: Array) -> tuple[Array, Array]:
        n_shown = self.learner.scheme.n_shown
        return np.array(theta[:n_shown], order="K", copy=True), offset[:n_shown].copy()

    def history(self) -> History | None:
        """All hypotheses so far, where they are kept."""
        return None

    def replacements(self) -> list[tuple[list[int], list[float]]] | None:
        """What went into each pocket, see `Pockets.replacements`; None if there are none."""
        return None

    def model(self) -> Model:
        """The model as it stands."""
        return LinearModel(self.learner.scheme, *self.weights())

    def predictor(self, rows: Rows, row_norms: Floats) -> Callable[[], Ints]:
        """The classes that the model as it stands predicts for `rows`, as often as one asks."""
        return lambda: self.model().classes(rows, len(row_norms))


class MeanKeeper(LastKeeper):
    """Keeps the mean of all hypotheses, each counted as long as it survived."""

    counts_matter = True

    def weights(self) -> tuple[Array, Array]:
        return self.shown(*self.learner.state.mean())


class VoteKeeper(LastKeeper):
    """Keeps all hypotheses, as the updates between them."""

    counts_matter = True

    def __init__(self, learner: Learning, history: History | None = None) -> None:
        """`history` is what an earlier run kept, to go on with."""
        from novikoff.training.votes import History

        super().__init__(learner)
        self._before = history or History.begin(learner.rule, learner.scheme, learner.state)
        self._updates: list[Updates] = []
        self._running: list[RunningVote] = []

    def observe(self, updates: Updates) -> None:
        updates = updates.kept()
        self._updates.append(updates)
        for vote in self._running:
            vote.add(self.learner.problem, updates, self.learner.state)

    def absorb(self, problem: Problem, updates: Updates) -> None:
        self._before.extend(problem, updates)

    def descend(self, scheme: Scheme, ancestors: list[int | None]) -> None:
        self._before.descend(scheme, ancestors)

    def resize(self, width: int) -> None:
        self._before.resize(width)

    def history(self) -> History:
        if not self._updates:
            return self._before.copy()
        history = self._before.copy()
        history.extend(self.learner.problem, Updates.joined(self._updates))
        return history

    def model(self) -> Model:
        from novikoff.training.votes import VotedModel

        return VotedModel(self.history(), self.learner.state.counts.copy())

    def predictor(self, rows: Rows, row_norms: Floats) -> Callable[[], Ints]:
        from novikoff.training.votes import RunningVote

        self._running.append(RunningVote(self._before, rows, row_norms))
        return self._running[-1].classes


class PocketKeeper(LastKeeper):
    """Keeps the hypothesis with the smallest training error that the ratchet measured."""

    def __init__(self, learner: Any, history: History | None = None) -> None:
        from novikoff.training.pocket import Pockets

        super().__init__(learner)  # it has all rows in memory
        self._pockets = Pockets(learner)

    def observe(self, updates: Updates) -> None:
        self._pockets.observe(updates, self.learner.state.counts)

    def weights(self) -> tuple[Array, Array]:
        return self.shown(*self._pockets.best())

    def replacements(self) -> list[tuple[list[int], list[float]]] | None:
        return self._pockets.replacements()


KEEPERS: dict[str, type[LastKeeper]] = {
    "last": LastKeeper,
    "mean": MeanKeeper,
    "vote": VoteKeeper,
    "pocket": PocketKeeper,
}
