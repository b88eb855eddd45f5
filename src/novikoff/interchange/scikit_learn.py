"""A model of ours as one of scikit-learn's own, which needs no more of us."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.linear_model import SGDClassifier
from sklearn.multiclass import OneVsOneClassifier
from sklearn.pipeline import Pipeline

from novikoff._arrays import Array, Floats
from novikoff.interchange.planes import planes_of, refuse_ours

__all__ = ["to_sklearn"]


def to_sklearn(model: Any) -> Any:
    """An equivalent of a fitted model, made of scikit-learn's classes alone.

    It has the same hyperplanes and the same decision function, up to the rounding of sums. A point
    exactly on the boundary is predicted otherwise: here it is positive, there negative; and a score
    within rounding of it may be, for scikit-learn does not decide exactly.

    Parameters
    ----------
    model : fitted linear classifier of this library, or a Pipeline that ends in one

    Returns
    -------
    equivalent : SGDClassifier, OneVsOneClassifier of them for ``multi_class="ovo"``, or Pipeline
        `partial_fit` of an `SGDClassifier` goes on with scikit-learn's perceptron.

    Raises
    ------
    ValueError
        For what predicts with more than hyperplanes, a vote or a kernel; and for a pipeline that
        begins with this library's own encoder of tables.

    Examples
    --------
    >>> from novikoff import Perceptron, to_sklearn
    >>> clf = Perceptron().fit([[2.0, 0.0], [0.0, 3.0], [-1.0, 0.0]], ["yes", "no", "no"])
    >>> theirs = to_sklearn(clf)
    >>> type(theirs).__name__, theirs.predict([[2.0, 0.0]])
    ('SGDClassifier', array(['yes'], dtype='<U3'))
    """
    if isinstance(model, Pipeline):
        name, last = model.steps[-1]
        refuse_ours((step for _, step in model.steps[:-1]), "scikit-learn")
        return Pipeline([*model.steps[:-1], (name, to_sklearn(last))])
    planes = planes_of(model, "scikit-learn")
    if planes.scheme != "ovo" or len(planes.classes) == 2:
        return _alike(model, planes.coef, planes.intercept, planes.classes)
    found = OneVsOneClassifier(SGDClassifier(loss="perceptron", penalty=None))
    found.estimators_ = [
        _alike(model, theta, offset, np.array([0, 1]))
        for theta, offset in zip(planes.coef[:, None], planes.intercept[:, None], strict=True)
    ]
    found.pairwise_indices_ = None
    return _told(found, model, planes.classes)


def _alike(model: Any, coef: Floats, intercept: Floats, classes: Array) -> SGDClassifier:
    """The perceptron as scikit-learn has it, at these hyperplanes."""
    found = SGDClassifier(
        loss="perceptron", penalty=None, learning_rate="constant", eta0=1.0,
        fit_intercept=model.fit_intercept,
    )  # fmt: skip
    found.coef_, found.intercept_ = coef.copy(), intercept.copy()
    found.t_ = 1.0  # updates; a constant learning rate does not read it
    found.n_iter_ = getattr(model, "n_iter_", 1)
    return _told(found, model, classes)


def _told(found: Any, model: Any, classes: Array) -> Any:
    found.classes_ = classes
    for name in ("n_features_in_", "feature_names_in_"):
        if hasattr(model, name):
            setattr(found, name, getattr(model, name))
    return found
