"""What a display is given, as plain arrays; and how an estimator is asked about points."""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff._arrays import Array, Floats, Ints
from novikoff.training.input import check_labels, check_numbers, check_two_classes

_MOST_NUMBERS = 5_000_000  # that an estimator is asked about at a time: 40 MB
_LARGEST = 1e150
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def matrix(X: Any) -> Any:
    """(n, d) float64, an array or a CSR array; all values finite."""
    checked = check_numbers(X, ensure_all_finite=True).astype(np.float64)
    largest = abs(checked).max()
    if largest > _LARGEST:
        raise ValueError(
            f"X holds numbers up to {largest:.3g}, too large for a picture: beyond {_LARGEST:g} "
            "their squares overflow. Divide the features by a power of ten first."
        )
    return checked


def two_classes(X: Any, y: Any) -> tuple[Any, Array, Ints]:
    """X as `matrix` gives it, the two classes of y in order, and y as -1 and +1."""
    X = matrix(X)
    _, classes, side = check_two_classes(X, y)
    return X, classes, side


def feature_names(X: Any, estimator: Any = None) -> list[str]:
    """The names of the columns of X, or of what the estimator was fitted on, or x₁ ... x_d."""
    names = getattr(estimator, "feature_names_in_", None)
    if names is None and hasattr(X, "columns"):
        names = list(X.columns)
    if names is not None:
        return [str(name) for name in names]
    width = X.shape[1] if hasattr(X, "shape") else len(X[0])
    return [f"x{str(j).translate(SUBSCRIPTS)}" for j in range(1, width + 1)]


def class_codes(y: Any, classes: Array, n_rows: int) -> Ints:
    """(n,): the position in `classes`, which are sorted, of every label."""
    y = check_labels(y, n_rows)
    try:
        codes = np.searchsorted(classes, y)
        known = classes[np.minimum(codes, len(classes) - 1)] == y
    except TypeError:  # text and numbers have no order between them
        known = np.zeros(n_rows, bool)
    if not np.all(known):
        row = int(np.argmin(known))
        label = y[row : row + 1].tolist()[0]
        raise ValueError(
            f"y is {label!r} at row {row}; the estimator knows {classes.tolist()} only. Pass the "
            "labels it was fitted on."
        )
    result: Ints = codes.astype(np.int64)
    return result


def check_fitted(estimator: Any) -> None:
    """Refuse what cannot predict yet."""
    if not hasattr(estimator, "classes_"):
        raise ValueError(
            f"{type(estimator).__name__} has no classes_: pass a classifier after fit."
        )


def is_line(estimator: Any) -> bool:
    """Whether what it predicts is the sign of one hyperplane's score: `coef_`, `intercept_`."""
    from novikoff.estimators.voted import VotedPerceptron

    if isinstance(estimator, VotedPerceptron):  # its coef_ is only one of the hypotheses that vote
        return False
    coef = getattr(estimator, "coef_", None)
    return coef is not None and np.atleast_2d(coef).shape[0] == 1 and len(estimator.classes_) == 2


def one_trace(trace: Any) -> Any:
    """The trace, if it is one; a run of several hyperplanes has several."""
    if isinstance(trace, list):
        raise ValueError(
            f"This run has {len(trace)} hyperplanes, each with its own trace: pass one of them, "
            f"trace_[0] to trace_[{len(trace) - 1}]."
        )
    return trace.alone()


def class_scores(estimator: Any, X: Floats) -> Floats:
    """(n, C): a score per class, the largest of which is predicted.

    From `decision_function` where there is one, so that the edges of regions are smooth; otherwise
    1 for the class that is predicted and 0 for the others.
    """
    most = max(1, _MOST_NUMBERS // X.shape[1])
    parts = [_scores_of_block(estimator, X[i : i + most]) for i in range(0, len(X), most)]
    smooth = all(part[1] is not None for part in parts)
    return np.concatenate([part[1] if smooth else part[0] for part in parts])


def _scores_of_block(estimator: Any, X: Floats) -> tuple[Floats, Floats | None]:
    """(what is predicted as 0 and 1, the scores if their largest is what is predicted)."""
    asked: Any = X
    if hasattr(estimator, "feature_names_in_"):  # it warns about rows without names
        import pandas as pd

        asked = pd.DataFrame(X, columns=estimator.feature_names_in_)
    n_classes = len(estimator.classes_)
    predicted = np.searchsorted(estimator.classes_, estimator.predict(asked))
    chosen: Floats = np.eye(n_classes)[predicted]
    if not hasattr(estimator, "decision_function"):
        return chosen, None
    scores: Floats = np.asarray(estimator.decision_function(asked), np.float64)
    if scores.ndim == 1:
        scores = np.column_stack([-scores, scores])
    agrees = scores.shape == chosen.shape and np.all(
        scores[np.arange(len(X)), predicted] == scores.max(axis=1)
    )
    return chosen, scores if agrees else None


def frame_of(columns: dict[str, Any]) -> Any:
    """A pandas DataFrame of these columns, all of one length."""
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError(
            "frame() needs pandas: pip install pandas. (The same numbers are attributes of the "
            "display.)"
        ) from error
    return pd.DataFrame(columns)
