"""A run of the kernel perceptron, update by update."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from novikoff.web.replies import Dual, DualUpdates
from novikoff.web.runs import Run

_BLOCK = 2**18  # scores at a time
_REMEMBERED = 4


def chain(run: Run) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
    """(row, signed step, examples seen) of every update of a kernel perceptron."""
    if run.estimator is None:
        return np.empty(0, np.int64), np.empty(0), np.empty(0, np.int64)
    row, step, time = run.estimator.updates()
    return row[: run.n_updates], step[: run.n_updates], time[: run.n_updates]


@lru_cache(_REMEMBERED)
def follow(run: Run) -> tuple[Dual, NDArray[np.int64]]:
    """The updates with their scores, and the training errors before each and after the last."""
    from novikoff.training.loop import visiting_orders

    n = len(run.X)
    row, step, time = chain(run)
    before, after, errors = _scores(run, row, step)
    orders = None
    if run.settings.order != "cyclic":
        draw = visiting_orders(
            run.settings.order, np.arange(n), check_random_state(run.settings.seed)
        )
        orders = [next(draw).tolist() for _ in range(run.n_epochs)]
    dual = Dual(
        updates=DualUpdates(
            epoch=((time - 1) // max(n, 1) + 1).tolist(), t=time.tolist(), row=row.tolist(),
            y=run.y[row].tolist(), step=step.tolist(), score_before=before.tolist(),
            score_after=after.tolist(),
        ),
        orders=orders, n_epochs=run.n_epochs,
        status="epoch_limit" if run.estimator is None else run.status,
        ties=run.settings.ties, margin=0.0, order=run.settings.order,
        alpha=np.bincount(row, minlength=n).tolist(), kernel=run.settings.kernel,
    )  # fmt: skip
    return dual, errors


def _scores(
    run: Run, row: NDArray[np.int64], step: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """(K,) the score of each update's example before it and after it, (K + 1,) training errors."""
    n = len(run.X)
    before, after = np.empty((2, len(row)))
    errors = np.full(len(row) + 1, n, np.int64)
    values = run.estimator.kernel_values(run.X) if len(row) else np.empty((0, 0))
    scores = np.zeros(n)
    size = max(1, _BLOCK // max(1, n))
    for first in range(0, len(row), size):
        rows, block = row[first : first + size], slice(first, first + size)
        path = np.vstack([scores, step[block, None] * values[rows]])
        np.cumsum(path, axis=0, out=path)  # one after the other, as the updates were
        each = np.arange(len(rows))
        before[block], after[block] = path[each, rows], path[each + 1, rows]
        errors[first + 1 : first + 1 + len(rows)] = np.count_nonzero(
            run.y * path[1:] <= 0.0, axis=1
        )
        scores = path[-1]
    return before, after, errors
