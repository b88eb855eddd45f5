"""From the log of a finished run to its traces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.trace._parts import Examples, Replacements
from novikoff.trace._trace import Trace

if TYPE_CHECKING:
    from novikoff.rules import Rule
    from novikoff.training.learners import Learner, Updates
    from novikoff.training.state import State


class Record(NamedTuple):
    """What was noted of a run, for all its hyperplanes."""

    start: State
    updates: list[Updates]  # of each epoch
    orders: list[NDArray[Any]] | None  # of each epoch; None if cyclic
    n_epochs: NDArray[np.int64]  # (K,) the epochs each hyperplane took part in
    pockets: list[tuple[list[int], list[float]]] | None  # (k, error) of its replacements, each


class Told(NamedTuple):
    """What a run was told."""

    X: Any  # validated, in its own type
    classes: NDArray[Any]
    rule: Rule
    order: str


def traces_of_run(
    learner: Learner, record: Record, setting: Told, status: str
) -> Trace | list[Trace]:
    """One trace per hyperplane of a finished run; a single one if there is only one."""
    number = np.repeat(np.arange(1, len(record.updates) + 1), [len(u.row) for u in record.updates])
    plane, row, time, numbers = (np.concatenate(p) for p in zip(*record.updates, strict=True))
    X = _own_copy(setting.X)
    scheme, problem = learner.scheme, learner.problem
    labels = problem.examples.labels
    sides = scheme.sides()
    traces = []
    for k in range(len(scheme.roles)):
        mine = plane == k
        y = sides[k, labels[row[mine]]]
        side = np.zeros(len(labels), np.int8)
        side[problem.visited] = sides[k, labels[problem.visited]]
        ran = int(record.n_epochs[k])
        traces.append(
            Trace(
                start_theta=np.array(record.start.theta[k]),
                start_offset=float(record.start.offset[k]),
                fit_intercept=learner.state.constant == 1.0,
                **setting.rule.noted(),
                order=setting.order,
                classes=_names(scheme.roles[k], setting.classes),
                status=status if learner.active[k] else "separated",
                n_epochs=ran,
                epoch=number[mine],
                t=time[mine],
                row=row[mine],
                y=y,
                step=numbers[mine, 0],
                orders=None if record.orders is None else record.orders[:ran],
                replacements=None if record.pockets is None else _pocketed(*record.pockets[k]),
                examples=Examples(X, side),
            )
        )
    return traces[0] if len(traces) == 1 else traces


def _own_copy(X: Any) -> Any:
    """X in its own type, in memory that the user cannot change."""
    from novikoff.training.matrix import tidied

    copy = tidied(X).copy()
    for array in [copy] if isinstance(copy, np.ndarray) else [copy.data, copy.indices, copy.indptr]:
        array.flags.writeable = False
    return copy


def _names(role: Any, classes: NDArray[Any]) -> tuple[str, str]:
    labels = [str(label) for label in classes]
    return labels[role.negative] if role.negative >= 0 else "rest", labels[role.positive]


def _pocketed(k: list[int], error: list[float]) -> Replacements:
    return Replacements(np.array(k, np.int64), np.array(error))
