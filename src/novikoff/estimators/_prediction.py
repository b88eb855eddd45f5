"""From hyperplanes to classes: what all linear estimators predict with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.metrics import accuracy_score
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted

from novikoff._arrays import Array
from novikoff.estimators import _input
from novikoff.geometry.cells import columns_named
from novikoff.training.prediction import Model, classes_of, decision_of
from novikoff.training.spec import Learned


class Scored(ClassifierMixin):
    """`score`, for all labels that `fit` takes."""

    classes_: Array

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The accuracy on the given rows.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        score : float
        """
        labels = np.asarray(y)
        kind = labels.dtype.kind
        if kind == "S" or (kind == "O" and type_of_target(labels) == "unknown"):
            # scikit-learn's metrics know text, numbers and booleans; of others compare the numbers.
            number = {label: k for k, label in enumerate(self.classes_.tolist())}
            found = [number[label] for label in self.predict(X).tolist()]
            asked = [number.get(label, -1) for label in labels.tolist()]
            return float(accuracy_score(asked, found, sample_weight=sample_weight))
        return float(super().score(X, y, sample_weight))


class LinearPrediction(Scored):
    """`predict` and `decision_function` of an estimator with `coef_` and `intercept_`."""

    coef_: Array
    intercept_: Array
    learned_: Learned

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _model(self) -> Model:
        """The fitted model as the training package knows it."""
        return self.learned_.model(np.asarray(self.coef_), np.asarray(self.intercept_))

    @contextmanager
    def _checked(self, X: Any) -> Iterator[Any]:
        """X validated, for what finds values in it that are not finite."""
        check_is_fitted(self)
        with columns_named(X):
            yield _input.check_matrix(self, X, reset=False)

    def decision_function(self, X: Any) -> Array:
        """Scores; the sign of every one is exact.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)

        Returns
        -------
        scores : ndarray of shape (n_samples,) for two classes, else (n_samples, n_classes)
            Two classes: positive for ``classes_[1]``, 0.0 only for a point on the boundary.
            One-vs-one: the pairs that a class wins, plus the sum of its scores squeezed into
            (-1/3, 1/3); `predict` compares the sums themselves, exactly.
        """

        with self._checked(X) as checked:
            return decision_of(self._model(), checked)

    def predict(self, X: Any) -> Array:
        """The class of every row.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            Two classes: ``classes_[1]`` where the score is >= 0, so a point on the boundary is
            positive. More: the class with the largest score, the first of them in a tie.
        """

        with self._checked(X) as checked:
            labels: Array = self.classes_.take(classes_of(self._model(), checked))
        return labels
