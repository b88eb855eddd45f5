"""Watching a run: one printed line per epoch, and scikit-learn's callbacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.callback import CallbackSupportMixin

if TYPE_CHECKING:
    from novikoff.training.learners import Updates
    from novikoff.training.loop import Epoch

__all__ = ["CallbackSupportMixin", "Watch"]


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
