"""The hyperplane with the largest margin."""

from __future__ import annotations

import warnings
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval

from novikoff._arrays import Ints
from novikoff.certificates import max_margin
from novikoff.estimators import _input
from novikoff.estimators._prediction import LinearPrediction
from novikoff.geometry.cells import columns_named
from novikoff.training import matrix
from novikoff.training.prediction import LinearModel, Model
from novikoff.training.schemes import closed_scheme


class MaxMarginClassifier(LinearPrediction, BaseEstimator):
    """The hyperplane with the largest margin between two classes that can be separated.

    What a hard-margin support vector machine looks for, with a proof of how near it came:
    `margin_` and `upper_bound_` enclose the largest margin there is. Classes that are not linearly
    separable are refused with :class:`NotSeparableError`, which carries the rows that stop it.

    Parameters
    ----------
    fit_intercept : bool, default=True
        Whether the hyperplane may have an offset; without it, it goes through the origin.
    tol : float, default=1e-6
        The relative width of the interval, at least 1e-15.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The labels, sorted; the first is -1 and the second +1.
    coef_, intercept_ : ndarray of shape (1, n_features), ndarray of shape (1,)
        The hyperplane of the certificate; rounded to doubles where that needs fractions.
    margin_, upper_bound_ : float
        The largest margin lies between them; that of the hyperplane is at least `margin_`.
    support_ : ndarray of shape (n_support,)
        The rows that hold the hyperplane in place.
    weights_ : ndarray of shape (n_support,)
        Their weights, which sum to 1 within each class (through the origin: in all); `coef_` points
        along the sum of `weights_` y x.
    certificate_ : MaxMargin
        All of this in exact numbers, with `verify(X, y)` and `to_json()`.
    n_features_in_ : int
        How many columns X had.
    feature_names_in_ : ndarray of shape (n_features,)
        If X had column names.

    See Also
    --------
    max_margin : The same as a function.
    separability : Whether there is a margin at all.

    Notes
    -----
    For more than two classes use ``sklearn.multiclass.OneVsRestClassifier``, if every class can be
    separated from the rest, or ``OneVsOneClassifier``.

    Examples
    --------
    >>> from novikoff import MaxMarginClassifier
    >>> clf = MaxMarginClassifier().fit([[0, 0], [3, 4], [9, 9]], ["no", "yes", "yes"])
    >>> clf.margin_, clf.upper_bound_, clf.support_
    (2.5, 2.5, array([0, 1]))
    >>> clf.predict([[1, 1], [2, 2]])
    array(['no', 'yes'], dtype='<U3')
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "fit_intercept": ["boolean"],
        "tol": [Interval(Real, 1e-15, 1.0, closed="left")],
    }

    def __init__(self, *, fit_intercept: bool = True, tol: float = 1e-6) -> None:
        self.fit_intercept = fit_intercept
        self.tol = tol

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any) -> MaxMarginClassifier:
        """Find the hyperplane with the largest margin.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Two classes.

        Returns
        -------
        self

        Raises
        ------
        NotSeparableError
            If no hyperplane separates the classes.
        """
        with _input.names_restored(self), columns_named(X):
            batch = _input.read_batch(self, X, y, None, reset=True)
            classes, codes = batch.number_classes()
            if len(classes) > 2:
                raise ValueError(
                    f"Only binary classification is supported; y holds {len(classes)} classes. "
                    "Wrap the classifier in sklearn.multiclass.OneVsRestClassifier or "
                    "OneVsOneClassifier."
                )
            found = max_margin(batch.X, codes, fit_intercept=self.fit_intercept, tol=self.tol)
        self.classes_ = classes
        self.certificate_ = found
        self.coef_ = found.theta.astype(np.float64)[None, :]
        self.intercept_ = np.array([float(found.offset)])
        self.margin_, self.upper_bound_ = found.margin, found.upper_bound
        self.support_ = found.support
        self.weights_ = found.weights.astype(np.float64)
        self._warn_if_rounded_away(batch.X, codes)
        return self

    def _model(self) -> Model:

        return LinearModel(closed_scheme("ovr", 2), self.coef_, self.intercept_)

    def _warn_if_rounded_away(self, X: Any, codes: Ints) -> None:
        """Say so if the hyperplane separates in fractions but not in doubles."""
        found = self.certificate_
        if found.theta.dtype != object and isinstance(found.offset, float):
            return
        rows = matrix.as_rows(X)
        predicted = self._model().classes(rows, len(codes))
        wrong = int((predicted != codes).sum())
        if wrong:
            warnings.warn(
                f"The margin, {found.margin:.2g}, is so small that coef_ and intercept_, rounded "
                f"to doubles, have {wrong} of the rows on the wrong side. certificate_ has the "
                "hyperplane in fractions.",
                ConvergenceWarning,
                stacklevel=4,  # past fit and scikit-learn's wrapper of it: the caller's line
            )
