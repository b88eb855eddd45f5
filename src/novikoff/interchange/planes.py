"""What a linear model predicts with, for whoever does not know our classes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from novikoff._arrays import Array, Floats
from novikoff.estimators.kernel import KernelPerceptron
from novikoff.estimators.linear import LinearClassifier
from novikoff.estimators.max_margin import MaxMarginClassifier


class Planes(NamedTuple):
    """Hyperplanes, (K, d) and (K,), and the classes they tell apart; K is 1 for two classes."""

    coef: Floats
    intercept: Floats
    classes: Array
    scheme: str  # "ovr", "ovo" (pairs i < j, i negative, in order) or "joint"


def refuse_ours(steps: Iterable[Any], whither: str) -> None:
    """Raise ValueError if a step of a pipeline before the last is of this library, too."""
    for step in steps:
        if type(step).__module__.startswith("novikoff."):
            raise ValueError(
                f"{type(step).__name__} is a step of this library, which {whither} cannot hold. "
                "Encode the rows here, and hand over what is behind it: model[:-1].transform(rows) "
                "are the rows that model[-1] predicts."
            )


def planes_of(model: Any, whither: str) -> Planes:
    """Those of a fitted model; a ValueError says why `whither` cannot take it."""
    check_is_fitted(model)
    name = type(model).__name__
    if isinstance(model, KernelPerceptron):
        raise ValueError(
            f"{name} has no hyperplane that {whither} could hold: it predicts with the rows that "
            "it keeps. sklearn.svm.SVC's kernels in a pipeline with a linear model are an "
            "approximation: sklearn.kernel_approximation.Nystroem."
        )
    if not isinstance(model, (LinearClassifier, MaxMarginClassifier)):
        raise ValueError(f"{name} is no linear classifier of this library.")
    if getattr(model, "kept", None) == "vote":
        raise ValueError(
            f"{name} votes with every hypothesis of its run, which {whither} cannot hold; "
            'AveragedPerceptron, or keep="mean", predicts nearly the same with one.'
        )
    if len(model.classes_) < 2:
        raise ValueError(f"{name} has seen one class only; there is nothing to tell apart yet.")
    scheme = model.learned_.scheme.name if isinstance(model, LinearClassifier) else "ovr"
    coef, intercept = np.atleast_2d(model.coef_), np.atleast_1d(model.intercept_)
    return Planes(coef.astype(np.float64), intercept.astype(np.float64), model.classes_, scheme)
