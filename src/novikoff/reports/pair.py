"""The run that is replayed: the plain perceptron on two features."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from novikoff.replay import Fragment, fragment
from novikoff.replay.html import MAX_ROWS, MAX_UPDATES

EPOCHS = 100


@dataclass(frozen=True)
class Replayed:
    """A replay to put on the page, and what is to be said of it."""

    fragment: Fragment
    names: tuple[str, str]
    rows: int
    of_rows: int
    updates: int
    epochs: int
    cut: bool  # whether epochs were left off so that the updates stay few
    separated: bool
    bound: float | None
    positive: str
    negative: str


def replay(
    X: Any,
    side: Any,
    names: tuple[str, str],
    labels: tuple[str, str],
    *,
    seed: int,
    of_rows: int,
    scaled: bool,
) -> Replayed:
    """Fit the last-hypothesis perceptron, rows in order, and record it.

    X : (n, 2) array; side : (n,) -1 and +1; labels : of the negative and the positive side;
    of_rows : how many rows there are in all
    """
    n = len(side)
    if n > MAX_ROWS:
        kept = np.sort(np.random.RandomState(seed).choice(n, MAX_ROWS, replace=False))
        X, side = X[kept], side[kept]
    trace = _trace(X, side, EPOCHS)
    cut = len(trace) > MAX_UPDATES
    if cut:  # the run is the same up to the epoch that goes too far
        trace = _trace(X, side, int(trace.epoch[MAX_UPDATES]) - 1)
    separated = trace.status == "separated"
    bound = trace.audit().bound if separated and len(trace) else None
    trace = replace(trace, classes=labels)
    axes = [f"{name} (standardised)" if scaled else name for name in names]
    part = fragment(trace, "replay-view", feature_names=axes, bound=bound)
    return Replayed(
        part, names, len(side), of_rows, len(trace), trace.n_epochs, cut, separated, bound,
        labels[1], labels[0],
    )  # fmt: skip


def _trace(X: Any, side: Any, epochs: int) -> Any:
    from novikoff import Perceptron

    model = Perceptron(order="cyclic", max_iter=epochs, record_trace=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # how the run ended is said beside it
        return model.fit(X, side).trace_
