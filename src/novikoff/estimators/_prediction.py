"""From hyperplanes to classes: what all linear estimators predict with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from novikoff._arrays import Array
from novikoff.estimators import _input
from novikoff.geometry.cells import columns_named
from novikoff.training.prediction import Model, classes_of, decision_of
from novikoff.training.spec import Learned


class LinearPrediction(ClassifierMixin):
    """`predict` and `decision_function` of an estimator with `coef_` and `intercept_`."""

    classes_: Array
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
