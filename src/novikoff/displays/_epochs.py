"""The errors of an estimator after one epoch, after two, and so on."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from novikoff._arrays import Floats, Ints


class Curves(NamedTuple):
    """What one estimator did; see LearningDisplay."""

    epochs: Ints
    mistakes: Floats
    training: Floats
    validation: Floats
    first_pass: float


def named(estimators: Mapping[str, Any] | Sequence[Any] | Any) -> list[tuple[str, Any]]:
    """(name, estimator) pairs with different names."""
    if isinstance(estimators, Mapping):
        pairs = [(str(name), e) for name, e in estimators.items()]
    else:
        several = list(estimators) if isinstance(estimators, Sequence) else [estimators]
        pairs = [(type(e).__name__, e) for e in several]
        names = [name for name, _ in pairs]
        pairs = [
            (f"{name} {names[: i + 1].count(name)}" if names.count(name) > 1 else name, e)
            for i, (name, e) in enumerate(pairs)
        ]
    if not pairs:
        raise ValueError("There is no estimator to draw: pass at least one.")
    for name, e in pairs:
        if "max_iter" not in e.get_params(deep=False):
            raise ValueError(
                f"{name} has no max_iter, so it cannot be stopped after an epoch. Of a pipeline, "
                "transform X first and pass its last step."
            )
    return pairs


def split(
    X: Any, y: Any, X_val: Any, y_val: Any, fraction: float | None, random_state: int
) -> tuple[Any, Any, Any, Any]:
    """Training and validation rows; the latter None if there are none."""
    if (X_val is None) != (y_val is None):
        raise ValueError("Pass both X_val and y_val, or neither.")
    if X_val is not None or fraction is None:
        return X, y, X_val, y_val
    from sklearn.model_selection import train_test_split

    try:
        X, X_val, y, y_val = train_test_split(
            X, y, test_size=fraction, stratify=y, random_state=random_state
        )
    except ValueError as error:
        raise ValueError(
            f"Could not hold rows out for validation: {error} Pass validation_fraction=None, or "
            "X_val and y_val."
        ) from error
    return X, y, X_val, y_val


def measure(
    estimator: Any, X: Any, y: Any, X_val: Any, y_val: Any, max_points: int, random_state: int
) -> Curves:
    """Fit for so many epochs and measure; ends when the estimator has converged."""
    from novikoff.estimators.linear import LinearClassifier

    last = int(estimator.get_params(deep=False)["max_iter"])
    wanted = np.unique(np.rint(np.geomspace(1, last, 4 * max_points)).astype(np.int64))
    if last <= max_points:
        wanted = np.arange(1, last + 1)
    elif len(wanted) > max_points:
        wanted = np.unique(wanted[np.rint(np.linspace(0, len(wanted) - 1, max_points)).astype(int)])
    first_pass, ahead = np.nan, wanted.tolist()
    rows: list[tuple[int, float, float, float]] = []
    before = (0, 0.0)

    def add(ran: int, model: Any) -> None:
        nonlocal before
        total = _total_mistakes(model)
        mistakes = (total - before[1]) / max(ran - before[0], 1)
        validation = np.nan if X_val is None else 1.0 - model.score(X_val, y_val)
        rows.append((ran, mistakes, 1.0 - model.score(X, y), validation))
        before = (ran, total)

    if isinstance(estimator, LinearClassifier):  # one run shows the models of all its epochs
        first_pass = _first_pass(_fitted(_for_epochs(estimator, 1, random_state), X, y), len(y))
        run = _for_epochs(estimator, last, random_state).set_callbacks(_Watch(set(ahead), add))
        ran = int(_fitted(run, X, y).n_iter_)
        # Of a run that ended between two of them the next is the last.
        ahead = [] if ran in ahead else [epoch for epoch in ahead if epoch > ran]
    for epoch in ahead:
        model = _fitted(_for_epochs(estimator, epoch, random_state), X, y)
        if epoch == 1:
            first_pass = _first_pass(model, len(y))
        ran = int(np.max(model.n_iter_))
        add(ran, model)
        if ran < epoch or getattr(model, "status_", None) == "separated":
            break
    epochs, mistake, training, validations = (np.array(c) for c in zip(*rows, strict=True))
    return Curves(epochs.astype(np.int64), mistake, training, validations, first_pass)


class _Watch:
    """A callback of scikit-learn that shows `add` the models after the epochs `wanted`."""

    def __init__(self, wanted: set[int], add: Callable[[int, Any], None]) -> None:
        self.wanted, self.add, self.epoch = wanted, add, 0

    def setup(self, estimator: Any, context: Any) -> None: ...

    def teardown(self, estimator: Any, context: Any) -> None: ...

    def on_fit_task_begin(self, estimator: Any, context: Any) -> None: ...

    def on_fit_task_end(
        self, estimator: Any, context: Any, *, fitted_estimator: Any = None
    ) -> None:
        if context.task_name == "epoch":
            self.epoch += 1
            if self.epoch in self.wanted:
                self.add(self.epoch, fitted_estimator)


def _for_epochs(estimator: Any, epochs: int, random_state: int) -> Any:
    """A copy, not fitted, for so many epochs at most."""
    model = clone(estimator).set_params(max_iter=epochs)
    if getattr(model, "random_state", 0) is None:  # each fit would draw other orders
        model.set_params(random_state=random_state)
    return model


def _fitted(model: Any, X: Any, y: Any) -> Any:
    # Stopping before convergence is what is wanted here.
    with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
        return model.fit(X, y)


def _total_mistakes(model: Any) -> float:
    """All mistakes of the run; nan if the estimator does not count them."""
    if hasattr(model, "n_mistakes_") and model.learning_rule.noted()["rule"] != "perceptron":
        return float(model.n_mistakes_)  # an update need not be a mistake
    if hasattr(model, "mistake_counts_"):
        return float(np.sum(model.mistake_counts_))
    if hasattr(model, "n_updates_"):  # a joint mistake updates two classes
        scheme = getattr(model, "multi_class_", getattr(model, "multi_class", ""))
        joint = len(model.classes_) > 2 and scheme == "joint"
        return float(np.sum(model.n_updates_)) / (2.0 if joint else 1.0)
    return np.nan


def _first_pass(model: Any, n_rows: int) -> float:
    """The share of rows of the first epoch at which a hyperplane erred before it learned."""
    if hasattr(model, "progressive_error_") and model.learning_rule.noted()["rule"] != "perceptron":
        return float(model.progressive_error_)  # an update need not be a mistake
    counts = getattr(model, "mistake_counts_", None)
    if counts is None:
        total = _total_mistakes(model)
        return total / n_rows if len(model.classes_) == 2 else np.nan
    return float(np.mean(np.atleast_2d(counts).any(axis=0)))
