"""Iterative parameter mixing: perceptrons on the workers of a Dask cluster."""

from __future__ import annotations

import os
from numbers import Integral
from typing import Any, ClassVar

from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, _fit_context, clone
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from novikoff._arrays import Bools
from novikoff.certificates.results import MistakeBound
from novikoff.distributed.audit import MixingAudit, as_bounds, audit, bounds_of, mixed_mistakes
from novikoff.distributed.prediction import accuracy, mapped
from novikoff.training.input import check_labels, check_numbers

_SHARED = (
    "classes_", "coef_", "intercept_", "last_coef_", "last_intercept_", "n_features_in_",
    "feature_names_in_", "multi_class_", "n_updates_", "n_iter_", "status_", "n_mistakes_",
    "progressive_error_",
)  # fmt: skip


class ParameterMixing(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """Train a perceptron on shards that lie on many workers (McDonald, Hall and Mann 2010).

    In every round each shard runs one epoch of the estimator from the same hyperplanes, where its
    rows are, and the results are mixed: theta is their mean. On separable data that ends, after
    mistakes bounded as Novikoff's theorem bounds those of one perceptron (see `audit`); averaging
    once, at the end of separate runs, does not.

    The model depends on the shards and their order alone: not on the number of workers, their
    speed, or which of them died on the way. It is the same to the bit.

    Parameters
    ----------
    estimator : a linear classifier that keeps the last hypothesis or the mean
        What is learned on each shard; it is cloned. Its `max_iter` has no meaning here; with
        `n_jobs`, every shard's epoch takes so many threads of its worker's machine.
    mixing : {"uniform", "mistakes"}, default="uniform"
        How much a shard counts: all the same, or in proportion to the mistakes it made in the
        round, separately for each hyperplane. Shards without examples do not count.
    rounds : int, default=10
        The most rounds that run; a run ends earlier when a round made no mistake on any shard. The
        averaged perceptron counts the rounds that were not needed as if they had run.
    client : dask.distributed.Client, optional
        The cluster. By default the current client; none is ever started behind your back.
    checkpoint : path, optional
        A file in which the standing is noted after every round. If it exists, the run goes on from
        there and ends with the model it would have ended with; one of other shards or parameters
        is refused (more `rounds` are fine). It is not removed.
    verbose : int, default=0
        1 prints a line per round: mistakes of all hyperplanes, rows per second, seconds.

    Attributes
    ----------
    estimator_ : estimator
        The fitted estimator; :func:`novikoff.save` stores it.
    n_rounds_ : int
        Rounds that ran.
    status_ : {"separated", "epoch_limit"}
        "separated": a whole round made no mistake on any shard, for every hyperplane.
    mistakes_ : ndarray of shape (n_rounds, n_shards) or (n_rounds, n_shards, n_hyperplanes)
        Updates of each shard in each round, which are the perceptron's mistakes; binary and joint
        models have the first shape.
    round_seconds_ : ndarray of shape (n, 2)
        Of each round of this call: how long it took, and how long its busiest worker computed.
    shard_rows_ : ndarray of shape (n_shards,)
        Rows learned from.
    n_mistakes_, progressive_error_ : see `estimator_`
        Of all shards together; the share is that in the first round.
    classes_, multi_class_, coef_, intercept_, n_updates_, n_features_in_, feature_names_in_ :
        see `estimator_`

    Notes
    -----
    The averaged perceptron is the mean of the start and, over all rounds and shards, of the
    hypotheses after each example, those of a shard weighed by its mu in that round.

    References
    ----------
    R. McDonald, K. Hall, G. Mann: Distributed training strategies for the structured perceptron.
    NAACL 2010.

    Examples
    --------
    >>> from dask.distributed import Client
    >>> from novikoff import Perceptron
    >>> from novikoff.distributed import ParameterMixing
    >>> client = Client(processes=False, dashboard_address="127.0.0.1:0")
    >>> shards = [([[2.0, 1.0], [-1.0, -1.0]], [1, 0]), ([[1.0, 3.0], [-2.0, 1.0]], [1, 0])]
    >>> model = ParameterMixing(Perceptron(order="cyclic"), client=client).fit(shards)
    >>> model.status_, model.coef_, model.mistakes_.tolist()
    ('separated', array([[2.5, 1.5]]), [[1, 2], [0, 0]])
    >>> model.predict([[3, 0], [-3, 0]])
    array([1, 0])
    >>> client.close()
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "estimator": [HasMethods(["fit", "predict", "get_params"])],
        "mixing": [StrOptions({"uniform", "mistakes"})],
        "rounds": [Interval(Integral, 1, 2**31, closed="both")],
        "client": "no_validation",  # type: ignore[dict-item]  # scikit-learn's way to say it
        "checkpoint": [str, os.PathLike, None],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        estimator: Any,
        *,
        mixing: str = "uniform",
        rounds: int = 10,
        client: Any = None,
        checkpoint: Any = None,
        verbose: int = 0,
    ) -> None:
        self.estimator = estimator
        self.mixing = mixing
        self.rounds = rounds
        self.client = client
        self.checkpoint = checkpoint
        self.verbose = verbose

    @_fit_context(prefer_skip_nested_validation=False)
    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        sample_weight: Any = None,
        target: Any = None,
        encoder: Any = None,
        options: Any = None,
        classes: Any = None,
    ) -> ParameterMixing:
        """Train on shards.

        Parameters
        ----------
        X : Dask array or dataframe, list of shards, path, or list of paths
            A chunk of rows or a partition is a shard. A shard of a list is a pair (X, y) or a
            triple (X, y, sample_weight), delayed or not; what is in memory is sent to a worker. A
            folder, or a list of files, gives one shard per file, Parquet, Arrow or LIBSVM text,
            which its worker reads; so workers must see it under the same path.
        y, sample_weight : Dask array or series
            For Dask collections: cut like X.
        target : str or int, optional
            For Parquet and Arrow files: the column of labels. All others must be numbers, but for
            the index of a dataframe, which is left out.
        encoder : TableEncoder, optional
            For tables with other columns, and for CSV: fitted on one table like them, see
            :func:`novikoff.streams.open_table`; the workers apply it.
        options, classes : TableOptions and ndarray, optional
            With an encoder: how the files are read, and the labels of the table it was fitted on.

        Returns
        -------
        self
        """
        from novikoff.distributed.run import MixingRun

        reading = {"target": target, "encoder": encoder, "options": options, "classes": classes}
        MixingRun(self).fit(X, y, sample_weight, reading)
        return self

    def _set(self, fitted: Any) -> None:
        """Become the fitted estimator's face."""
        for name in _SHARED:
            self.__dict__.pop(name, None)
            if hasattr(fitted, name):
                setattr(self, name, getattr(fitted, name))
        self.estimator_ = fitted

    def predict(self, X: Any) -> Any:
        """The class of every row; of a Dask collection lazily, as another one cut like it."""
        check_is_fitted(self)
        return mapped(self.estimator_, "predict", X)

    def decision_function(self, X: Any) -> Any:
        """Scores, see `estimator_`; of a Dask collection lazily, as another one cut like it."""
        check_is_fitted(self)
        return mapped(self.estimator_, "decision_function", X)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The accuracy on rows in memory or in Dask collections."""
        check_is_fitted(self)
        return accuracy(self.estimator_, X, y, sample_weight)

    def audit(
        self,
        X: Any = None,
        y: Any = None,
        *,
        bound: MistakeBound | list[MistakeBound] | None = None,
    ) -> MixingAudit:
        """Hold the run against the theorem of McDonald, Hall and Mann.

        Parameters
        ----------
        X, y : array-like or sparse matrix, array-like
            All rows of all shards, in memory, from which the bounds are computed; or
        bound : MistakeBound, or a list with one per hyperplane
            as :func:`novikoff.mistake_bound` gives it, with the estimator's `fit_intercept`.

        Returns
        -------
        MixingAudit

        Examples
        --------
        ``print(model.audit(bound=novikoff.mistake_bound(X, y)))``
        """
        check_is_fitted(self)
        inner = self.estimator_
        reason = self._not_covered()
        bounds = as_bounds(bound)
        if reason is None and not bounds:
            if X is None or y is None:
                raise ValueError(
                    "Pass all rows, audit(X, y), or bound=novikoff.mistake_bound(...)."
                )
            X = check_numbers(X)
            bounds = bounds_of(
                X, check_labels(y, X.shape[0]), self.classes_,
                inner.learned_.scheme, fit_intercept=inner.fit_intercept,
            )  # fmt: skip
        n_planes = len(self.n_updates_)
        if reason is None and len(bounds) != n_planes:
            raise ValueError(f"There are {n_planes} hyperplanes, but {len(bounds)} bounds.")
        mistakes = self.mistakes_.reshape(*self.mistakes_.shape[:2], -1)
        rule = inner.learning_rule.noted()
        eta = float(inner.learned_.state.theta.dtype.type(rule["eta"]))
        mixed = mixed_mistakes(mistakes, self._present, by_mistakes=self._mixed == "mistakes")
        return audit(mixed, bounds, reason, beta=rule["margin"], eta=eta)

    def _not_covered(self) -> str | None:
        rule = self.estimator_.learning_rule.noted()["rule"]
        if rule != "perceptron":
            return f"it is about the perceptron's rule, and the run learned by {rule}."
        if self.estimator_.learned_.scheme.joint:
            return "it is about one hyperplane, and joint classes learn together."
        if self._weighted:
            return "the updates have different steps (sample_weight or class_weight)."
        return None

    _present: Bools  # (S, K) whether a shard has examples of a hyperplane
    _mixed: str  # the value of `mixing` that the run had
    _weighted: bool  # whether steps differed

    def __sklearn_clone__(self) -> ParameterMixing:
        # scikit-learn copies parameters, and a client is a connection.
        parameters = self.get_params(deep=False)
        return type(self)(**{**parameters, "estimator": clone(self.estimator)})

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        return {**state, "client": None}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
