"""The record of one run of one hyperplane."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from novikoff.training.learners import Learner
    from novikoff.training.loop import Epoch
    from novikoff.training.state import State


@dataclass(frozen=True)
class Trace:
    """Every update of one hyperplane in one run, in order.

    Attributes
    ----------
    start_theta : (d,), start_offset : float
        The hypothesis before the first update.
    fit_intercept : bool
    epoch, t, row, y, step : (k,)
        Per update: the epoch, from 1; how many examples had been seen, this one included; the row;
        its side, -1 or +1; the signed step c * y, in theta's type.
    orders : list of ndarray, or None
        The rows visited, epoch by epoch; None when the order was cyclic over all rows.

    Examples
    --------
    >>> from novikoff import Perceptron
    >>> X, y = [[2.0, 0.0], [0.0, 3.0], [-1.0, 0.0]], [1, 0, 0]
    >>> trace = Perceptron(fit_intercept=False, order="cyclic", record_trace=True).fit(X, y).trace_
    >>> trace.row, trace.y
    (array([0, 1]), array([ 1, -1]))
    >>> theta, offset = trace.hypotheses(X)
    >>> theta
    array([[ 0.,  0.],
           [ 2.,  0.],
           [ 2., -3.]])
    """

    start_theta: NDArray[Any]
    start_offset: float
    fit_intercept: bool
    epoch: NDArray[np.int64]
    t: NDArray[np.int64]
    row: NDArray[np.int64]
    y: NDArray[np.int64]
    step: NDArray[Any]
    orders: list[NDArray[np.int64]] | None

    def __len__(self) -> int:
        return len(self.row)

    def hypotheses(self, X: Any) -> tuple[NDArray[Any], NDArray[Any]]:
        """Replay the run on its rows X: theta of shape (k + 1, d) and offset of shape (k + 1,).

        Bit for bit what training went through; the last entry is the last hypothesis.
        """
        from novikoff.kernels.predict import unfold
        from novikoff.training.matrix import as_rows, norms_of

        rows = as_rows(X if hasattr(X, "tocsr") else np.asarray(X))
        if rows.width != len(self.start_theta):
            raise ValueError(
                f"X has {rows.width} features; the run was on {len(self.start_theta)}."
            )
        n_rows = len(rows.indptr) - 1 if rows.indptr is not None else len(np.asarray(X))
        if len(self) and n_rows <= self.row.max():
            raise ValueError(
                f"X has {n_rows} rows, but row {self.row.max()} took part in the run: pass the X "
                "that was fitted."
            )
        norms_of(rows, n_rows, 1.0)  # refuses what fit would have refused
        dtype = self.start_theta.dtype
        thetas = np.empty((len(self) + 1, len(self.start_theta)), dtype)
        offsets = np.empty(len(self) + 1, dtype)
        theta, offset = self.start_theta[None].copy(), np.array([self.start_offset], dtype)
        unfold(
            rows, float(self.fit_intercept), self.row, self.step, 0, theta, offset, thetas, offsets
        )
        return thetas, offsets


def traces_of_run(
    learner: Learner, start: State, epochs: list[Epoch], cyclic: bool
) -> Trace | list[Trace]:
    """One trace per hyperplane of a finished run; a single one if there is only one."""
    number = np.repeat([e.number for e in epochs], [len(e.updates.row) for e in epochs])
    plane, row, time = (
        np.concatenate(parts) for parts in zip(*(e.updates for e in epochs), strict=True)
    )
    labels, steps = learner.problem.examples.labels, learner.problem.examples.steps
    sides = learner.scheme.sides()
    orders = None if cyclic else [e.order for e in epochs]
    traces = []
    for k in range(len(learner.scheme.roles)):
        mine = plane == k
        y = sides[k, labels[row[mine]]]
        traces.append(
            Trace(
                np.array(start.theta[k]), float(start.offset[k]), learner.state.constant == 1.0,
                number[mine], time[mine], row[mine], y,
                steps[row[mine]] * y.astype(steps.dtype), orders,
            )
        )  # fmt: skip
    return traces[0] if len(traces) == 1 else traces
