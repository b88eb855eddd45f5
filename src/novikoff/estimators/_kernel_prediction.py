"""What a fitted kernel perceptron says, at the end of its run and on the way there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from novikoff._arrays import Array, Floats, Ints
from novikoff.estimators import _input
from novikoff.estimators._prediction import Scored
from novikoff.geometry.cells import columns_named
from novikoff.training import matrix
from novikoff.training.dual_learned import DualLearned
from novikoff.training.gram import Points
from novikoff.training.input import check_labels
from novikoff.training.prediction import classes_of_scores, decision_of_scores

KEPT = {"last": "last", "averaged": "mean", "voted": "vote"}  # `vote`, as a run is told


def finite_matrix(X: Any) -> Any:
    """X as a matrix that a kernel is computed from; what is not finite is refused."""
    rows = matrix.as_rows(X)
    matrix.norms_of(rows, X.shape[0], 0.0)
    return matrix.as_matrix(rows)


class KernelPrediction(Scored):
    """What an estimator that has `learned_` in dual form says."""

    cache_mb: float
    dual_coef_: Floats
    learned_: DualLearned
    status_: str
    n_iter_: int

    def _queries(self, X: Any) -> Any:
        check_is_fitted(self)
        with columns_named(X):
            return finite_matrix(_input.check_matrix(self, X, reset=False))

    def _scores(self, X: Any) -> Floats:
        """(n, K): the score or the votes of every hyperplane."""
        queries, learned = self._queries(X), self.learned_
        if learned.keep == "last":
            return np.concatenate([*learned.scores(queries, self.dual_coef_, self.cache_mb)])
        stages = learned.staged(queries, [learned.count], learned.keep, self.cache_mb)
        return np.concatenate([last for (last,) in stages])

    def decision_function(self, X: Any) -> Array:
        """Scores: sums of dual coefficients times kernel values; of a vote, the votes.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            For a precomputed kernel: the values of K with all rows of the training set, shape
            (n_samples, n_samples_fit).

        Returns
        -------
        scores : ndarray of shape (n_samples,) for two classes, else (n_samples, n_classes)
            Two classes: positive for ``classes_[1]``.
        """
        scores = self._scores(X)
        return decision_of_scores(self.learned_.scheme, scores)

    def predict(self, X: Any) -> Array:
        """The class of every row.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            For a precomputed kernel: see :meth:`decision_function`.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            Two classes: ``classes_[1]`` where the score is >= 0. More: the class with the largest
            score, the first of them in a tie.
        """
        scores = self._scores(X)
        return self.classes_[classes_of_scores(self.learned_.scheme, scores)]

    def staged_predict(
        self, X: Any, epochs: Any = None, vote: str | None = None
    ) -> Iterator[Array]:
        """What `predict` would return had training ended earlier, without training again.

        Kernel values are computed once for all stages.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
        epochs : array-like of numbers, optional
            When: 1 is after the first epoch, 0.1 after a tenth of its rows. All epochs of the run
            if not given.
        vote : {"last", "averaged", "voted"}, optional
            A fit remembers enough for all three. The one it was fitted with if not given.

        Yields
        ------
        labels : ndarray of shape (n_samples,), for each of the `epochs`
        """
        codes = self._staged_codes(X, epochs, vote)
        return (self.classes_[stage] for stage in codes)

    def staged_decision_function(
        self, X: Any, epochs: Any = None, vote: str | None = None
    ) -> Iterator[Array]:
        """What `decision_function` would return had training ended earlier.

        Parameters
        ----------
        X, epochs, vote
            See :meth:`staged_predict`.

        Yields
        ------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes), for each of the `epochs`
        """
        scores = np.concatenate([*self._staged(X, epochs, vote)], axis=1)
        return (decision_of_scores(self.learned_.scheme, stage) for stage in scores)

    def staged_score(
        self, X: Any, y: Any, epochs: Any = None, vote: str | None = None
    ) -> Iterator[float]:
        """The accuracy on X and y had training ended earlier.

        Parameters
        ----------
        X, epochs, vote
            See :meth:`staged_predict`.
        y : array-like of shape (n_samples,)

        Yields
        ------
        accuracy : float, for each of the `epochs`
        """
        codes = self._staged_codes(X, epochs, vote)
        truth = check_labels(y, codes.shape[1])
        return (float(np.mean(self.classes_[stage] == truth)) for stage in codes)

    def _staged_codes(self, X: Any, epochs: Any, vote: str | None) -> Ints:
        """(S, n): the predicted class numbers after each of the `epochs`."""
        scheme, blocks = self.learned_.scheme, self._staged(X, epochs, vote)
        codes = [np.stack([classes_of_scores(scheme, stage) for stage in b]) for b in blocks]
        return np.concatenate(codes, axis=1)

    def _staged(self, X: Any, epochs: Any, vote: str | None) -> Iterator[Floats]:
        """Block by block of X: (S, q, K) scores or votes after each of the `epochs`."""
        check_is_fitted(self)
        if vote is not None and vote not in KEPT:
            raise ValueError(f'vote must be "last", "averaged" or "voted"; it is {vote!r}.')
        keep = self.learned_.keep if vote is None else KEPT[vote]
        rising, place = np.unique(self._times(epochs), return_inverse=True)
        for stages in self.learned_.staged(self._queries(X), rising.tolist(), keep, self.cache_mb):
            yield stages[place]

    def _times(self, epochs: Any) -> list[int]:
        """How many examples had been seen at the end of each of the `epochs`."""
        learned = self.learned_
        if learned.epoch_rows is None or learned.history is None:
            batches = "partial_fit, which knows no epochs"
            raise ValueError(
                "Earlier stages are known after fit without a budget; this model comes from "
                f"{'a budget' if learned.history is None else batches}."
            )
        given = np.arange(1, self.n_iter_ + 1) if epochs is None else np.asarray(epochs, float)
        given = np.atleast_1d(given)
        most = np.inf if self.status_ == "separated" else self.n_iter_
        bad = given[~((given > 0) & (given <= most) & np.isfinite(given))]
        if len(bad):
            raise ValueError(
                f"epochs holds {bad[0]}, but the run made {self.n_iter_} epochs: ask for numbers "
                f"above 0 and up to {self.n_iter_} (0.1 is after a tenth of the first epoch)."
            )
        return [round(e * learned.epoch_rows) for e in given.tolist()]

    def updates(self, hyperplane: int = 0) -> tuple[Ints, Floats, Ints]:
        """Every update of a hyperplane, in order; not known after a run on a budget.

        Parameters
        ----------
        hyperplane : int, default=0
            Its row in `dual_coef_`.

        Returns
        -------
        row : ndarray of shape (n_updates,)
            The row that caused the update, numbered as in `support_`.
        step : ndarray of shape (n_updates,)
            What it added to the coefficient of that row, with its sign.
        time : ndarray of shape (n_updates,)
            Examples seen by then, the row itself included: with n rows of weight above 0 in `fit`,
            1 ... n are the first epoch.

        Examples
        --------
        >>> from novikoff import KernelPerceptron
        >>> clf = KernelPerceptron(kernel="linear", order="cyclic").fit([[1], [2], [-1]], [1, 1, 0])
        >>> clf.updates()
        (array([0]), array([1.]), array([1]))
        """
        check_is_fitted(self)
        history, n_shown = self.learned_.history, self.learned_.scheme.n_shown
        if history is None:
            raise ValueError("Updates are known without a budget; this model comes from a budget.")
        if not 0 <= hyperplane < n_shown:
            raise ValueError(
                f"There is no hyperplane {hyperplane!r}: ask for one of 0 ... {n_shown - 1}."
            )
        row, step, time = history.updates(hyperplane)
        return self.learned_.numbers[row], step.copy(), time.copy()

    def kernel_values(self, A: Any, B: Any = None) -> Floats:
        """The kernel between rows, as the model computes it: with gamma settled by the first rows.

        Parameters
        ----------
        A : {array-like, sparse matrix} of shape (n_A, n_features)
        B : {array-like, sparse matrix} of shape (n_B, n_features), optional
            A if not given.

        Returns
        -------
        values : ndarray of shape (n_A, n_B)

        Examples
        --------
        >>> from novikoff import KernelPerceptron
        >>> clf = KernelPerceptron(kernel="poly", degree=2, gamma=1, coef0=1)
        >>> clf.fit([[1], [2], [-1]], [1, 1, 0]).kernel_values([[1], [2]], [[3]])
        array([[16.],
               [49.]])
        """
        check_is_fitted(self)
        gram = self.learned_.gram
        if gram.precomputed:
            raise ValueError(
                'kernel="precomputed" knows the values it was given and no others: compute them as '
                "those were."
            )
        rows = columns = self._points(A)
        if B is not None:
            columns = self._points(B)
        return gram.values(rows, columns)

    def _points(self, X: Any) -> Points:
        queries = self._queries(X)
        return self.learned_.gram.take(queries, slice(None), np.arange(queries.shape[0]))
