"""What a fitted kernel perceptron says, at the end of its run and on the way there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from novikoff.estimators import _input
from novikoff.estimators._kernel_parameters import KernelParameters
from novikoff.geometry._cells import columns_named

if TYPE_CHECKING:
    from novikoff.training.dual_history import DualModel


class KernelModel(KernelParameters):
    """The predicting half of the kernel perceptron."""

    classes_: NDArray[Any]
    dual_coef_: NDArray[np.float64]
    status_: str
    n_iter_: int
    n_updates_: NDArray[np.int64]
    _model: DualModel
    _vote: str
    _count: int  # examples seen
    _epoch_rows: int | None  # examples per epoch; None after partial_fit

    def _queries(self, X: Any) -> Any:
        from novikoff.training import matrix

        check_is_fitted(self)
        with columns_named(X):
            checked = _input.check_matrix(self, X, reset=False)
            rows = matrix.as_rows(checked)
            matrix.norms_of(rows, checked.shape[0], 0.0)
        return matrix.as_matrix(rows)

    def _scores(self, X: Any) -> NDArray[np.float64]:
        """(n, K): the score or the votes of every hyperplane."""
        queries = self._queries(X)
        result = np.zeros((queries.shape[0], self._model.scheme.n_shown))
        if self._vote == "last":
            for block, sums in self._model.scores(queries, self.dual_coef_, self.cache_mb):
                result[block] = sums
        else:
            for block, stages in self._staged(queries, [self._count], None):
                result[block] = stages[0]
        return result

    def decision_function(self, X: Any) -> NDArray[Any]:
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
        from novikoff.training.prediction import decision

        scores = self._scores(X)
        return decision(self._model.scheme, scores)

    def predict(self, X: Any) -> NDArray[Any]:
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
        from novikoff.training.prediction import classes_of_scores

        scores = self._scores(X)
        labels: NDArray[Any] = self.classes_[classes_of_scores(self._model.scheme, scores)]
        return labels

    def staged_predict(
        self, X: Any, epochs: Any = None, vote: str | None = None
    ) -> Iterator[NDArray[Any]]:
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
        times = self._times(epochs, vote)
        queries = self._queries(X)
        codes = np.empty((len(times), queries.shape[0]), np.int64)
        for block, stage_codes in self._staged_codes(queries, times, vote):
            codes[:, block] = stage_codes
        return (self.classes_[stage] for stage in codes)

    def staged_decision_function(
        self, X: Any, epochs: Any = None, vote: str | None = None
    ) -> Iterator[NDArray[Any]]:
        """What `decision_function` would return had training ended earlier.

        Parameters
        ----------
        X, epochs, vote
            See :meth:`staged_predict`.

        Yields
        ------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes), for each of the `epochs`
        """
        from novikoff.training.prediction import decision

        times = self._times(epochs, vote)
        queries = self._queries(X)
        scores = np.empty((len(times), queries.shape[0], self._model.scheme.n_shown))
        for block, stages in self._staged(queries, times, vote):
            scores[:, block] = stages
        return (decision(self._model.scheme, stage) for stage in scores)

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
        from novikoff.training.input import check_labels

        times = self._times(epochs, vote)
        queries = self._queries(X)
        truth = check_labels(y, queries.shape[0])
        right = np.zeros(len(times))
        for block, stage_codes in self._staged_codes(queries, times, vote):
            right += (self.classes_[stage_codes] == truth[block]).sum(axis=1)
        return (float(accuracy) for accuracy in right / len(truth))

    def _staged_codes(
        self, queries: Any, times: list[int], vote: str | None
    ) -> Iterator[tuple[slice, NDArray[np.int64]]]:
        """Block by block of `queries`: (block, (S, q) class numbers)."""
        from novikoff.training.prediction import classes_of_scores

        for block, stages in self._staged(queries, times, vote):
            yield block, np.stack([classes_of_scores(self._model.scheme, s) for s in stages])

    def _staged(
        self, queries: Any, times: list[int], vote: str | None
    ) -> Iterator[tuple[slice, NDArray[np.float64]]]:
        """Block by block of `queries`: (block, (S, q, K) scores or votes)."""
        rising = sorted(set(times))
        place = [rising.index(time) for time in times]
        model, vote = self._model, vote or self._vote
        for block, stages in model.staged(queries, rising, vote, self.cache_mb):
            yield block, stages[place]

    def _times(self, epochs: Any, vote: str | None) -> list[int]:
        """How many examples had been seen at the end of each of the `epochs`."""
        check_is_fitted(self)
        if vote not in (None, "last", "averaged", "voted"):
            raise ValueError(f'vote must be "last", "averaged" or "voted"; it is {vote!r}.')
        if self._epoch_rows is None or self._model.history is None:
            reason = "partial_fit, which knows no epochs" if self.budget is None else "a budget"
            raise ValueError(
                f"Earlier stages are known after fit without a budget; this model comes from "
                f"{reason}."
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
        return [round(e * self._epoch_rows) for e in given.tolist()]
