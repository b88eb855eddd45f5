"""From the log of a finished run to its traces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from novikoff._arrays import Array, Bools, Ints
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
    orders: list[Array] | None  # of each epoch; None if cyclic
    n_epochs: Ints  # (K,) the epochs each hyperplane took part in
    pockets: list[tuple[list[int], list[float]]] | None  # (k, error) of replacements, of each part


class Told(NamedTuple):
    """What a run was told."""

    X: Any  # validated, in its own type
    classes: Array
    rule: Rule
    order: str


def traces_of_run(
    learner: Learner, record: Record, setting: Told, status: str
) -> Trace | list[Trace]:
    """One trace per hyperplane of a finished run; a single one if there is only one.

    An update of joint classes is in the traces of both that moved.
    """
    number = np.repeat(np.arange(1, len(record.updates) + 1), [len(u.row) for u in record.updates])
    plane, row, time, numbers = (np.concatenate(p) for p in zip(*record.updates, strict=True))
    X = _own_copy(setting.X)
    scheme, problem = learner.scheme, learner.problem
    labels = problem.examples.labels
    names = np.array([str(label) for label in setting.classes], object)
    sides = scheme.sides()
    traces = []
    for k, role in enumerate(scheme.roles):
        mine, other = plane == k, None
        if scheme.joint:
            mine |= labels[row] == k
            # The class that moved the other way when this one did, of each update.
            moved = np.where(labels[row] == k, plane, labels[row])[mine]
            other = tuple(names[moved].tolist())
        negative = names[role.negative] if role.negative >= 0 else "rest"
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
                classes=(negative, names[role.positive]),
                status=status if learner.active[k] else "separated",
                n_epochs=ran,
                epoch=number[mine],
                t=time[mine],
                row=row[mine],
                y=y,
                step=np.copysign(numbers[mine, 0], y.astype(numbers.dtype)),
                orders=None if record.orders is None else record.orders[:ran],
                replacements=_pocketed(record.pockets, k, mine if scheme.joint else None),
                examples=Examples(X, side),
                other=other,
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


def _pocketed(
    pockets: list[tuple[list[int], list[float]]] | None, k: int, mine: Bools | None
) -> Replacements | None:
    """What went into the pocket of hyperplane `k`.

    mine : which updates of joint classes, that share a pocket, moved it; else None
    """
    if pockets is None:
        return None
    counts, errors = pockets[k if mine is None else 0]
    if mine is not None:
        # Of sets in which it had not moved meanwhile the last, and best, counts.
        own = dict(zip(np.append(0, np.cumsum(mine))[counts].tolist(), errors, strict=True))
        counts, errors = list(own), list(own.values())
    return Replacements(np.array(counts, np.int64), np.array(errors))
