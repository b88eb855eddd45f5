"""A run of the kernel perceptron, update by update."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from novikoff.web.replies import Dual, DualUpdates
from novikoff.web.runs import Run


def chain(estimator: Any) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
    """(row, signed step, examples seen) of every update of a kernel perceptron; None made none."""
    if estimator is None:
        return np.empty(0, np.int64), np.empty(0), np.empty(0, np.int64)
    made = estimator._model.history.chains[0]
    return estimator.support_[made.row], made.step, made.time


def follow(run: Run) -> tuple[Dual, NDArray[np.int64]]:
    """The updates with their scores, and the training errors before each and after the last."""
    from novikoff.training.loop import visiting_orders

    estimator, n = run.estimator, len(run.X)
    everything = np.arange(n)
    row, step, time = chain(estimator)
    values = _values(run) if len(row) else np.empty((0, 0))
    scores = np.zeros(n)
    before, after = np.empty((2, len(row)))
    errors = np.empty(len(row) + 1, np.int64)
    errors[0] = n
    for k, (i, c) in enumerate(zip(row.tolist(), step.tolist(), strict=True)):
        before[k] = scores[i]
        scores += c * values[i]
        after[k] = scores[i]
        errors[k + 1] = np.count_nonzero(run.y * scores <= 0.0)
    n_epochs = 0 if estimator is None else estimator.n_iter_
    orders = None
    if run.settings.order != "cyclic":
        draw = visiting_orders(
            run.settings.order, everything, check_random_state(run.settings.seed)
        )
        orders = [next(draw).tolist() for _ in range(n_epochs)]
    dual = Dual(
        updates=DualUpdates(
            epoch=((time - 1) // max(n, 1) + 1).tolist(), t=time.tolist(), row=row.tolist(),
            y=run.y[row].tolist(), step=step.tolist(), score_before=before.tolist(),
            score_after=after.tolist(),
        ),
        orders=orders, n_epochs=n_epochs,
        status="epoch_limit" if estimator is None else estimator.status_,
        ties=run.settings.ties, margin=0.0, order=run.settings.order,
        alpha=np.bincount(row, minlength=n).tolist(), kernel=run.settings.kernel,
    )  # fmt: skip
    return dual, errors


def _values(run: Run) -> NDArray[np.float64]:
    """(n, n): the kernel between all points."""
    gram = run.estimator._model.gram
    points = gram.take(run.X, slice(None), np.arange(len(run.X)))
    values: NDArray[np.float64] = gram.values(points, points)
    return values
