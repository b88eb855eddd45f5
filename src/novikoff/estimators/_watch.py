"""Watching a run: what is counted and remembered, one printed line per epoch, callbacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from novikoff._arrays import Array, Ints
from novikoff.kernels.walk import tally
from novikoff.training.keepers import LastKeeper
from novikoff.training.learners import Learner, Updates
from novikoff.training.loop import Epoch
from novikoff.training.spec import RunSpec


class Watch:
    """Tells the user of each epoch, by print and by callback."""

    def __init__(
        self, estimator: Any, X: Any, y: Any, attributes: Callable[[], dict[str, Any]]
    ) -> None:
        self.estimator = estimator
        self._data = {"X": X, "y": y}
        self._attributes = attributes
        self._context: Any = None
        self._epoch: Any = None
        if getattr(estimator, "_skl_callbacks", None) or hasattr(estimator, "_parent_callback_ctx"):
            self._context = estimator._init_callback_context(max_subtasks=estimator.max_iter)
            self._context.call_on_fit_task_begin(estimator=estimator, **self._data)

    def begin(self) -> None:
        """An epoch begins."""
        if self._context is not None:
            self._epoch = self._context.subcontext(task_name="epoch")
            self._epoch.call_on_fit_task_begin(estimator=self.estimator, **self._data)

    def end(self, epoch: Epoch[Updates], first_wrong: float | None = None) -> bool:
        """An epoch has ended; whether a callback asks to stop.

        first_wrong : the share of wrong predictions in the first epoch, where they are counted
        """
        if self.estimator.verbose:
            share = len(np.unique(epoch.updates.row)) / len(epoch.order)
            line = (
                f"epoch {epoch.number:>3}  updates {len(epoch.updates.row):>8}  on {share:.4f} of "
                f"the rows  {epoch.seconds:.3f} s"
            )
            if epoch.number == 1 and first_wrong is not None:
                line += f"  progressive error {first_wrong:.4f}"
            print(line)
        if self._epoch is None:
            return False
        return bool(
            self._epoch.call_on_fit_task_end(
                estimator=self.estimator,
                reconstruction_attributes=self._attributes,
                **self._data,
            )
        )

    def finish(self) -> None:
        """The run has ended and its attributes are set."""
        if self._context is not None:
            self._context.call_on_fit_task_end(
                estimator=self.estimator, reconstruction_attributes=self._attributes, **self._data
            )


class Recorder:
    """Counts the updates of a run and, if asked to, keeps them for a trace."""

    def __init__(self, learner: Learner, keeper: LastKeeper, spec: RunSpec) -> None:
        self.learner = learner
        self.keeper = keeper
        self.spec = spec
        self.first_wrong: float | None = None  # the share of wrong predictions in the first epoch
        self._start = learner.state.snapshot() if spec.record_trace else None
        # How often each row asked for an update: of each hyperplane, or of joint ones.
        shape = learner.scheme.n_parts, len(learner.problem.weights)
        self._counted = np.zeros(shape, np.int64)
        self._updates: list[Updates] = []
        self._orders: list[Array] | None = None if spec.order == "cyclic" else []
        # A long run on few rows has many orders: kept in the narrowest type that numbers the rows.
        self._row_type = np.min_scalar_type(len(learner.problem.weights))
        self._n_epochs = np.zeros(len(learner.scheme.roles), np.int64)
        self._resting = np.zeros(len(learner.scheme.roles), bool)
        self.per_plane = np.zeros(len(learner.scheme.roles), np.int64)

    def observe(self, epoch: Epoch[Updates]) -> None:
        updates = epoch.updates
        self.keeper.observe(updates)
        tally(updates.plane, updates.row, self._counted)
        self.per_plane += self.learner.updates_per_plane(updates)
        if epoch.number == 1 and self.learner.scheme.predicts_while_learning:
            self.first_wrong = int(self.learner.n_wrong[0]) / len(epoch.order)
        if self.spec.record_trace:
            self._updates.append(updates.kept())
            if self._orders is not None:
                self._orders.append(epoch.order.astype(self._row_type))
            self._n_epochs[~self._resting] = epoch.number
            self._resting = ~self.learner.active

    def mistake_counts(self) -> Ints:
        """alpha: (n,) for one hyperplane or joint ones, else (K, n)."""
        return self._counted[0] if len(self._counted) == 1 else self._counted

    def traces(self, X: Any, classes: Array, status: str, rule: Any) -> Any:
        """`trace_`: one trace, or a list with one per hyperplane."""
        from novikoff.trace import Record, Told, traces_of_run

        assert self._start is not None
        record = Record(
            self._start, self._updates, self._orders, self._n_epochs, self.keeper.replacements()
        )
        setting = Told(X, classes, rule, self.spec.order)
        return traces_of_run(self.learner, record, setting, status)
