"""What is predicted where, on a grid, for shading."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.web.counting import survival_times
from novikoff.web.dual import chain
from novikoff.web.questions import FieldQuestion, Window
from novikoff.web.replies import FieldAnswer
from novikoff.web.runs import Run, learn

Array = NDArray[np.float64]
_LEVELS = 127
_BLOCK = 2**18  # scores at a time


def field_answer(question: FieldQuestion) -> FieldAnswer:
    """Votes (their share, of voted and averaged) or scores (over the largest), from -127 to 127."""
    window = question.window
    if not (window.left < window.right and window.bottom < window.top):
        raise ValueError("The window is empty: left must be below right, and bottom below top.")
    run = learn(question.points, question.settings)
    grid = cells(window, question.size)
    voting = question.settings.algorithm in ("voted", "averaged")
    kind = question.what or ("votes" if voting else "score")
    if kind == "votes" and not voting:
        raise ValueError('Only "voted" and "averaged" have votes; ask for the score.')
    if run.estimator is None:
        values = np.zeros(len(grid))
    else:
        step = _step(run, question.step)
        if kind == "votes":
            values = _votes(run, window, question.size, step)
        else:
            values = _score(run, grid, step)
    return FieldAnswer(
        size=question.size, window=window, step=question.step, kind=kind,
        values=_levels(values).tolist(),
    )  # fmt: skip


def cells(window: Window, size: int) -> Array:
    """(size * size, 2): the centres of the cells, the bottom row first."""
    x, y = axes(window, size)
    return np.column_stack([np.tile(x, size), np.repeat(y, size)])


def axes(window: Window, size: int) -> tuple[Array, Array]:
    """Where the centres of the cells are, from the left and from the bottom."""
    middle = (np.arange(size) + 0.5) / size
    x = window.left + (window.right - window.left) * middle
    return x, window.bottom + (window.top - window.bottom) * middle


def _levels(values: Array) -> NDArray[np.int64]:
    """Whole numbers with the sign of the values: 0 only for 0."""
    largest = float(abs(values).max(initial=0.0))
    if largest == 0.0:
        return np.zeros(len(values), np.int64)
    scaled = np.ceil(abs(values) / largest * _LEVELS)
    return (np.sign(values) * scaled).astype(np.int64)


def _step(run: Run, step: int | None) -> int | None:
    if step is not None and step > run.n_updates:
        raise ValueError(f"There is no update {step}: the run makes {run.n_updates}.")
    return step


def _votes(run: Run, window: Window, size: int, step: int | None) -> Array:
    """The sum of the signs, each counted as long as its hypothesis survived.

    Along a column of the grid the sign of a score changes at most once, also as it is rounded: each
    sum and product is monotone in the height. So a hypothesis costs one height per column.
    """
    trace = run.trace
    assert trace is not None
    theta, offset = run.hypotheses
    t = trace.t[:step]
    seen = run.epochs * len(run.X) if step is None else int(t.max(initial=0))
    lived = survival_times(t, seen).astype(np.float64)
    x, y = axes(window, size)
    # changes[j, i]: what is added to column i from height j on
    changes = np.zeros((size + 1) * size)
    used = np.flatnonzero(lived > 0)
    for first in range(0, len(used), _BLOCK // size):
        k = used[first : first + _BLOCK // size]
        weight = lived[k, None]
        lowest, height = _heights(theta[k, 0, None] * x, theta[k, 1, None], offset[k, None], y)
        changes[:size] += (weight * lowest).sum(axis=0)
        places = (height * size + np.arange(size)).ravel()
        changes += np.bincount(places, (-2.0 * weight * lowest).ravel(), len(changes))
    return np.cumsum(changes[: size * size].reshape(size, size), axis=0).ravel()


def _heights(
    across: Array, slope: Array, offset: Array, y: Array
) -> tuple[Array, NDArray[np.int64]]:
    """The sign of across + slope y + offset at the lowest y, and the first y where it is another.

    across : (k, columns); slope, offset : (k, 1). Where there is no such y it is len(y).
    """
    lowest = np.where(across + slope * y[0] + offset >= 0.0, 1.0, -1.0)
    with np.errstate(all="ignore"):
        guess = np.ceil((-(across + offset) / slope - y[0]) / (y[1] - y[0]))

    def another(at: Any) -> NDArray[np.bool_]:
        sign = np.where(across + slope * y[np.clip(at, 0, len(y) - 1)] + offset >= 0.0, 1.0, -1.0)
        other: NDArray[np.bool_] = sign != lowest
        return other

    # A line that crosses below the lowest y changes no sign above it.
    guess = np.where(guess > 1.0, guess, np.where(another(np.int64(1)), 1, len(y)))
    height = np.minimum(guess, len(y)).astype(np.int64)
    while True:  # the guess is rounded
        up = (height < len(y)) & ~another(height)
        down = (height > 0) & another(height - 1)
        if not (up.any() or down.any()):
            return lowest, height
        height += up.astype(np.int64) - down


def _score(run: Run, grid: Array, step: int | None) -> Array:
    if run.settings.algorithm == "kernel":
        return _kernel_score(run, grid, step)
    assert run.trace is not None
    if step is None and run.settings.algorithm != "voted":
        theta, offset = run.weights
    else:
        theta, offset = _at(run, len(run.trace) if step is None else step)
    return np.asarray(grid @ theta + offset, np.float64)


def _at(run: Run, k: int) -> tuple[Array, float]:
    """What the algorithm would predict with right after update k."""
    trace = run.trace
    assert trace is not None
    if run.settings.algorithm == "averaged":
        theta, offset = run.mean_after(k, trace.t[k - 1] if k else 0)
        return theta, float(offset)
    if trace.replacements is not None:
        k = int(trace.replacements.k[trace.replacements.k <= k].max())
    return trace.hypothesis(k)


def _kernel_score(run: Run, grid: Array, step: int | None) -> Array:
    if step == 0:
        return np.zeros(len(grid))
    _, _, time = chain(run)
    epochs = run.n_epochs if step is None else time[step - 1] / len(run.X)
    (score,) = run.estimator.staged_decision_function(grid, [epochs])
    return np.asarray(score, np.float64)
