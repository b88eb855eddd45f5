"""`novikoff.play`: the page inside a notebook."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np

from novikoff._arrays import Array, Floats
from novikoff.analysis.plane import LARGEST, MOST_POINTS
from novikoff.geometry.sparse import dense
from novikoff.trace import Trace
from novikoff.web.documents import state_of
from novikoff.web.site import PageState, page

_SEEDS = 10_000  # random states that are tried: a trace has the orders, not where they came from


class Playground:
    """The page, in a frame that needs no server; a notebook shows it."""

    def __init__(self, state: PageState | None, height: int) -> None:
        self.state = state
        self.height = height

    def _repr_html_(self) -> str:
        # srcdoc: the page is in the notebook, and nothing of the notebook is in its reach by name.
        return (
            f'<iframe srcdoc="{escape(page(self.state))}" title="novikoff playground" '
            f'width="100%" height="{self.height:d}" style="border: 0"></iframe>'
        )


def play(X: Any = None, y: Any = None, *, height: int = 720) -> Playground:
    """Show the playground in a notebook: points to move, the algorithm step by step.

    It computes by itself, without a server or a network, in Jupyter, VS Code and Colab. In a
    terminal, ``novikoff play`` opens it in a browser.

    Parameters
    ----------
    X : array-like of shape (n, 2) or Trace, optional
        The points, at most 2000; the names of a DataFrame's columns are those of the axes. Or a run
        on two features: the page opens on its points and repeats it.
    y : array-like of shape (n,), optional
        Two different labels; the second in sorted order is the positive one.
    height : int
        Of the frame, in pixels.

    Examples
    --------
    >>> import novikoff
    >>> shown = novikoff.play([[2.0, 0.0], [0.0, 3.0], [-1.0, 0.0]], ["yes", "no", "no"])
    >>> shown.state["document"]["classes"]
    {'negative': 'no', 'positive': 'yes'}
    """
    if isinstance(X, Trace):
        return Playground(_of_trace(X), height)
    return Playground(None if X is None else _of_points(X, y), height)


def _of_points(X: Any, y: Any) -> PageState:
    if y is None:
        raise ValueError(
            "play takes points with their labels, play(X, y), or a run, play(model.trace_) of a "
            "model with record_trace=True."
        )
    names = [str(name) for name in getattr(X, "columns", [])]
    labels = np.asarray(y)
    classes, sides = np.unique(labels, return_inverse=True)
    if labels.ndim != 1 or len(classes) != 2:
        raise ValueError(
            f"y must hold one of two labels for each point; it has {len(classes)}: choose two, or "
            "one against the others, as in y == label."
        )
    axes = (names[0], names[1]) if len(names) == 2 else None
    negative, positive = map(str, classes)
    points = _points(np.asarray(X, np.float64), 2 * sides - 1)
    return state_of(points, axes=axes, classes=(negative, positive))


def _of_trace(trace: Trace) -> PageState:
    """What the page has to be told to make the same run."""
    if trace.examples is None:
        raise ValueError(
            "This trace was stored without its examples: attach them, trace.with_examples(X, y)."
        )
    odd = {
        f"of the rule {trace.rule}": trace.rule != "perceptron",
        "of joint classes": trace.other is not None,
        "in single precision": trace.start_theta.dtype != np.float64,
        "with weights": bool((abs(trace.step) != trace.eta).any()),
        "with rows that took no part": not trace.examples.side.all(),
    }
    for what, so in odd.items():
        if so:
            raise ValueError(f"The playground cannot repeat a run {what}; replay shows it.")
    points = _points(dense(trace.examples.X).astype(np.float64), trace.examples.side)
    start = [*trace.start_theta.tolist(), trace.start_offset]
    algorithm = "last" if trace.margin == 0 else "margin"
    settings: dict[str, Any] = {
        "algorithm": algorithm if trace.replacements is None else "pocket",
        "offset": trace.fit_intercept, "ties": trace.ties, "order": trace.order, "eta": trace.eta,
        "epochs": max(1, trace.n_epochs), "start": start if any(start) else None,
        "seed": _seed(trace, len(points)),
    }  # fmt: skip
    if trace.margin:
        settings["margin"] = trace.margin
    return state_of(points, classes=trace.classes, settings=settings)


def _points(X: Floats, sides: Array) -> list[tuple[float, float, int]]:
    if X.ndim != 2 or X.shape[1] != 2:
        raise ValueError(f"The playground shows points of a plane; X has the shape {X.shape}.")
    if len(X) != len(sides):
        raise ValueError(f"X has {len(X)} rows, y {len(sides)}.")
    if len(X) > MOST_POINTS:
        raise ValueError(f"The playground holds at most {MOST_POINTS} points; X has {len(X)}.")
    if not (abs(X) <= LARGEST).all():
        raise ValueError("The playground takes numbers from -1e9 to 1e9; X has others, or NaN.")
    places = (X + 0.0).tolist()  # no negative zeros
    return [(x, z, side) for (x, z), side in zip(places, sides.tolist(), strict=True)]


def _seed(trace: Trace, n: int) -> int:
    """The random state that gives the orders of a run."""
    if not trace.orders:
        return 0
    for seed in range(_SEEDS):
        draw = np.random.RandomState(seed)
        orders = (draw.permutation(n) if trace.order == "shuffled" else draw.randint(n, size=n)
                  for _ in trace.orders)  # fmt: skip
        if all(map(np.array_equal, orders, trace.orders)):
            return seed
    raise ValueError(
        f"No random_state below {_SEEDS} gives the orders of this run; fit with one of them."
    )
