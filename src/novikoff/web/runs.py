"""From points and settings to a finished run."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from novikoff.trace import Examples, Replacements, Trace
from novikoff.web.counting import errors
from novikoff.web.questions import MOST_EXAMPLES, MOST_UPDATES, Point, Settings

LABELS = ("-1", "+1")
Array = NDArray[np.float64]
_FIRST_EXAMPLES = 3_000  # of the first try
_FIRST_EPOCHS = 3
_REMEMBERED = 4


@dataclass(frozen=True, eq=False)  # compared by identity: what is made of a run is remembered by it
class Run:
    """A run, cut to what an answer holds.

    Attributes
    ----------
    X, y : (n, 2) and (n,)
    estimator : fitted; None where there is nothing to learn yet. It may have gone on for longer
    trace : its trace; None for the kernel perceptron
    epochs : the epochs it was given
    n_epochs, n_updates, status : what became of them
    why : why they are fewer than were asked for, or None
    """

    X: Array
    y: NDArray[np.int64]
    settings: Settings
    estimator: Any
    trace: Trace | None
    epochs: int
    n_epochs: int = 0
    n_updates: int = 0
    status: str = "idle"
    why: str | None = None

    @property
    def weights(self) -> tuple[Array, float]:
        """What a finished run of one hyperplane predicts with."""
        assert self.trace is not None
        if self.settings.algorithm == "averaged":
            theta, offset = self.mean_after(-1, self.epochs * len(self.X))
            return theta, float(offset)
        if self.trace.replacements is not None:
            return self.trace.hypothesis(int(self.trace.replacements.k[-1]))
        return self.trace.final

    @cached_property
    def hypotheses(self) -> tuple[Array, Array]:
        """theta (k + 1, 2) and offset (k + 1,), of the start and after every update."""
        assert self.trace is not None
        return self.trace.hypotheses()

    @cached_property
    def sums(self) -> Array:
        """(k + 1, 3): what the mean of (theta, offset) lacks, as `AveragedPerceptron` computes it.

        It is the sum of t (new - old) over the updates, each with the examples t seen by then.
        """
        assert self.trace is not None
        both = np.column_stack(self.hypotheses)
        times = np.concatenate([[0], self.trace.t])[:, None]
        return np.cumsum(times * np.diff(both, axis=0, prepend=both[:1]), axis=0)

    def mean_after(self, k: Any, t: Any) -> tuple[Array, Any]:
        """theta and offset of the mean when there have been k updates and t examples."""
        theta, offset = self.hypotheses
        lacking = self.sums[k] / (1.0 + np.asarray(t))[..., None]
        return theta[k] - lacking[..., :2], offset[k] - lacking[..., 2]


def arrays(points: list[Point]) -> tuple[Array, NDArray[np.int64]]:
    """X (n, 2) and y (n,)."""
    X = np.array([(point.x, point.y) for point in points], np.float64).reshape(-1, 2)
    return X + 0.0, np.array([point.label for point in points], np.int64)  # no negative zeros


def parameters(settings: Settings) -> tuple[str, dict[str, Any]]:
    """The estimator's name and its parameters, without those that have their default."""
    names = {"averaged": "AveragedPerceptron", "voted": "VotedPerceptron"}
    names |= {"pocket": "PocketPerceptron", "kernel": "KernelPerceptron"}
    chosen: dict[str, Any] = {"order": settings.order, "max_iter": settings.epochs}
    if settings.ties != "mistake":
        chosen["ties"] = settings.ties
    if settings.seed:
        chosen["random_state"] = settings.seed
    if settings.algorithm == "kernel":
        kernel = settings.kernel
        chosen["kernel"] = kernel.name
        if kernel.name == "poly":
            chosen |= {"degree": kernel.degree, "coef0": kernel.coef0}
        if kernel.name != "linear":
            chosen["gamma"] = kernel.gamma
        return names["kernel"], chosen
    if not settings.offset:
        chosen["fit_intercept"] = False
    if settings.eta != 1.0:
        chosen["eta0"] = settings.eta
    if settings.algorithm == "margin":
        chosen["margin"] = settings.margin
    return names.get(settings.algorithm, "Perceptron"), chosen


def beginning(settings: Settings) -> dict[str, Any]:
    """The start as arguments of `fit`; nothing if it is zero."""
    if settings.start is None or settings.algorithm == "kernel":
        return {}
    first, second, offset = settings.start
    start: dict[str, Any] = {"coef_init": [[first, second]]}
    return start | ({"intercept_init": [offset]} if settings.offset else {})


def learn(points: list[Point], settings: Settings) -> Run:
    """Run the algorithm on the points, in their order.

    A run that would not fit into an answer is one of fewer, whole epochs: it is what the library
    does when it is given so many, no less. The last few are remembered: a page asks for a run, then
    for what is known about it and for the shading at each of its updates.
    """
    X, y = arrays(points)
    return _learn(X.tobytes(), y.tobytes(), settings.model_dump_json())


@lru_cache(_REMEMBERED)
def _learn(rows: bytes, labels: bytes, chosen: str) -> Run:
    settings = Settings.model_validate_json(chosen)
    X, y = np.frombuffer(rows).reshape(-1, 2), np.frombuffer(labels, np.int64)
    if len(np.unique(y)) < 2:
        return Run(X, y, settings, None, _nothing(X, y, settings), settings.epochs)
    most = max(1, MOST_EXAMPLES // len(X))
    epochs, why = settings.epochs, None
    estimator, n_updates = _tried(X, y, settings, min(epochs, most))
    status = estimator.status_
    fitting = int(np.searchsorted(np.cumsum(n_updates), MOST_UPDATES, side="right"))
    if fitting < len(n_updates):
        epochs, why = fitting, f"{MOST_UPDATES} updates are the most in one answer"
        n_updates, status = n_updates[:fitting], "epoch_limit"
    elif epochs > most and status != "separated":
        epochs, why = most, f"{MOST_EXAMPLES} examples are the most in one answer"
    if why is not None:
        only = "epoch is" if epochs == 1 else f"{epochs} epochs are"
        why = f"Only the first {only} shown: {why}."
    trace = _trace(estimator, len(n_updates), int(n_updates.sum()), status)
    return Run(
        X, y, settings, estimator, trace, epochs, len(n_updates), int(n_updates.sum()), status, why
    )


def _tried(X: Any, y: Any, settings: Settings, most: int) -> tuple[Any, NDArray[np.int64]]:
    """A run of at most `most` epochs that has ended or is too long, and its updates per epoch.

    Epochs are added in portions, so that a run that will be cut is not made to the end first.
    """
    epochs = max(_FIRST_EPOCHS, _FIRST_EXAMPLES // len(X))
    while True:
        estimator = _fit(X, y, settings, min(epochs, most))
        n_updates = updates_per_epoch(estimator, len(X))
        done = int(n_updates.sum())
        if estimator.status_ == "separated" or done > MOST_UPDATES or epochs >= most:
            return estimator, n_updates
        # As many as it will take at this rate, and some more: it may become slower.
        wanted = 1.2 * epochs * (MOST_UPDATES + 1) / max(1, done)
        epochs = int(min(wanted, 16 * epochs)) + 1


def updates_per_epoch(estimator: Any, n: int) -> NDArray[np.int64]:
    """(epochs that ran,): how many updates each made; an epoch has n examples."""
    if hasattr(estimator, "trace_"):
        epoch = estimator.trace_.epoch
    else:
        _, _, time = estimator.updates()
        epoch = (time - 1) // n + 1
    return np.bincount(epoch, minlength=estimator.n_iter_ + 1)[1:]


def _fit(X: Any, y: Any, settings: Settings, epochs: int) -> Any:
    import novikoff

    name, chosen = parameters(settings)
    if settings.algorithm != "kernel":
        chosen["record_trace"] = True
    estimator = getattr(novikoff, name)(**(chosen | {"max_iter": epochs}))
    with warnings.catch_warnings():
        # That the epochs ran out is said in the answer.
        warnings.simplefilter("ignore", ConvergenceWarning)
        estimator.fit(X, y, **beginning(settings))
    return estimator


def _trace(estimator: Any, n_epochs: int, n: int, status: str) -> Trace | None:
    """The trace of the first epochs, in which there were n updates."""
    trace: Trace | None = getattr(estimator, "trace_", None)
    if trace is None:
        return None
    columns = {name: getattr(trace, name)[:n] for name in ("epoch", "t", "row", "y", "step")}
    orders = trace.orders and trace.orders[:n_epochs]
    return replace(
        trace, classes=LABELS, n_epochs=n_epochs, status=status, orders=orders,
        replacements=_replacements(trace, n), **columns,
    )  # fmt: skip


def _replacements(trace: Trace, n: int) -> Replacements | None:
    """What went into the pocket of a run that ends after n updates.

    The last hypothesis of a run is measured whatever its streak, so that this one's streak, which
    may have gone on beyond the end, is of no account.
    """
    if trace.replacements is None or n == len(trace):
        return trace.replacements
    assert trace.examples is not None
    k, error = trace.replacements
    k, error = k[k < n], error[k < n]
    theta, offset = trace.hypothesis(n)
    X, y = np.asarray(trace.examples.X), trace.examples.side.astype(np.int64)
    (last,) = errors(theta[None], np.array([offset]), X, y)
    if last < error[-1]:
        k, error = np.append(k, n), np.append(error, float(last))
    return Replacements(k, error)


def _nothing(X: Array, y: NDArray[np.int64], settings: Settings) -> Trace | None:
    """The trace of a run that did not begin, for want of a second class."""
    if settings.algorithm == "kernel":
        return None
    none = np.empty(0, np.int64)
    theta, offset = np.zeros(2), 0.0
    if settings.start is not None:
        theta = np.array(settings.start[:2])
        offset = settings.start[2] if settings.offset else 0.0
    return Trace(
        start_theta=theta, start_offset=offset, fit_intercept=settings.offset,
        margin=settings.margin if settings.algorithm == "margin" else 0.0, ties=settings.ties,
        eta=settings.eta, order=settings.order, classes=LABELS, status="epoch_limit", n_epochs=0,
        epoch=none, t=none, row=none, y=none, step=np.empty(0),
        orders=None if settings.order == "cyclic" else [], examples=Examples(X, y.astype(np.int8)),
    )  # fmt: skip
