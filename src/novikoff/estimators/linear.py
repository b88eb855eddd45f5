"""What the linear classifiers share: `fit` and `partial_fit`.

An estimator describes a run, runs it and takes in what it has learned; the way there and back is in
`runs.py`, for others run it, too. numba is imported by what first computes, not before, so that
importing the library stays cheap.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn import get_config
from sklearn.base import _fit_context
from sklearn.callback import CallbackSupportMixin
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if

from novikoff._arrays import Ints
from novikoff._jit import compiling_told
from novikoff.estimators import _input
from novikoff.estimators._parameters import Parameters
from novikoff.estimators._prediction import LinearPrediction
from novikoff.estimators._starting import check_same, hold_out, start
from novikoff.estimators._watch import Recorder, Watch
from novikoff.estimators.runs import attributes_of, conclude, forget, warn_of_limit
from novikoff.geometry.cells import columns_named
from novikoff.training.capabilities import limit, refuse_impossible, settled
from novikoff.training.input import class_weights
from novikoff.training.learners import Updates
from novikoff.training.loop import Epoch, train
from novikoff.training.matrix import as_rows, theta_dtype
from novikoff.training.schemes import ancestors, closed_scheme
from novikoff.training.spec import Learned, RunSpec
from novikoff.training.state import inherit


def _learns_in_batches(estimator: LinearClassifier) -> bool:
    """Whether `partial_fit` is there; if not, scikit-learn wants an AttributeError."""
    if estimator.kept == "pocket":
        found = limit(estimator.describe(), "batches")
        assert found is not None
        raise AttributeError(f"partial_fit is not possible: {found.why}.")
    return True


class LinearClassifier(CallbackSupportMixin, LinearPrediction, Parameters):
    """The common part of the linear classifiers. Use one of its subclasses."""

    learned_: Learned

    def describe(self) -> RunSpec:
        """The run that `fit` makes, described for whoever runs it."""
        if not get_config()["skip_parameter_validation"]:  # as inside `fit`, which has done so
            self._validate_params()
        rule = self.learning_rule
        rule.check()
        names = (
            "multi_class", "order", "max_iter", "fit_intercept", "class_weight", "early_stopping",
            "record_trace", "warm_start", "n_jobs",
        )  # fmt: skip
        return RunSpec(rule.told(), self.kept, **{name: getattr(self, name) for name in names})

    @property
    def survival_times_(self) -> list[Ints]:
        """Of a vote; counted when one asks, for there may be millions, and few ask."""
        learned: Learned | None = getattr(self, "learned_", None)
        if learned is None or learned.history is None:
            raise AttributeError("survival_times_ is there once a vote has been fitted.")
        return learned.history.survival_times(learned.state.counts)[: learned.scheme.n_shown]

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(
        self,
        X: Any,
        y: Any,
        coef_init: Any = None,
        intercept_init: Any = None,
        sample_weight: Any = None,
    ) -> LinearClassifier:
        """Train on X and y.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Any real type. float32 and float64, and in an array uint8 and int16, are read as they
            are; other types, Fortran order and sparse formats other than CSR are copied once.
        y : array-like of shape (n_samples,)
            Labels of any one type that can be put in order: numbers (floats must be whole),
            strings, booleans, dates.
        coef_init, intercept_init : array-like, optional
            Where to start instead of at zero; shaped like `coef_` and `intercept_`.
        sample_weight : array-like of shape (n_samples,), optional
            Multiplies the step of an example, or the C of a rule that has one. A row of weight zero
            is dropped.

        Returns
        -------
        self
        """
        spec = self.describe()
        told = compiling_told(print if self.verbose else None)
        with _input.names_restored(self), columns_named(X), told:
            batch = _input.read_batch(self, X, y, sample_weight, reset=True)
            classes, codes = batch.number_classes()
            if self.warm_start:
                spec = _with_scheme_of(getattr(self, "learned_", None), spec)
            spec = settled(spec, len(classes), batch.X.shape[1], "memory")
            scheme = closed_scheme(spec.multi_class, len(classes))
            # Two classes have one hyperplane, whatever the scheme is called.
            refuse_impossible(replace(spec, multi_class=scheme.name), "memory")
            problem = spec.problem(
                as_rows(batch.X, checked=True), codes,
                class_weights(self.class_weight, classes, batch.used_labels), batch.weights,
                batch.used, theta_dtype(batch.X.dtype), n_planes=len(scheme.roles),
                max_iter=spec.max_iter,
            )  # fmt: skip
            state = start(self, spec, problem, scheme, classes, coef_init, intercept_init)
            self.learning_rule.refuse_start(state.theta, state.offset, joint=scheme.joint)
            # To seed a generator takes as long as some epochs of a few rows; in file order nobody
            # asks it, and one that is there already will do.
            draws = spec.order != "cyclic" or self.early_stopping
            random = check_random_state(self.random_state if draws else None)
            problem, held_out = hold_out(self, problem, random)
            learner = spec.learner(problem, scheme, state)
            keeper = spec.keeper(learner)
            recorder = Recorder(learner, keeper, spec)

            def attributes(over: bool = False) -> dict[str, Any]:
                return attributes_of(spec, classes, learner, keeper, recorder.per_plane, over=over)

            validate = None
            if held_out is not None:
                rows, norms, truth = held_out
                predicted = keeper.predictor(rows, norms)

                def validate() -> float:
                    return float(np.mean(predicted() == truth))

            watch = Watch(self, batch.X, batch.y, attributes)

            def observe(epoch: Epoch[Updates]) -> bool:
                recorder.observe(epoch)
                return watch.end(epoch, recorder.first_wrong)

            ending = train(
                learner,
                order=spec.order,
                max_iter=spec.max_iter,
                random=random,
                begin=watch.begin,
                observe=observe,
                validate=validate,
                n_iter_no_change=self.n_iter_no_change,
                counts_matter=keeper.counts_matter,
            )
        conclude(self, attributes(over=True), ending, recorder.first_wrong)
        self.mistake_counts_ = recorder.mistake_counts()
        if self.record_trace:
            self.trace_ = recorder.traces(batch.X, classes, ending.status, self.learning_rule)
        watch.finish()
        warn_of_limit(self, spec, "max_iter", stacklevel=4)
        return self

    @available_if(_learns_in_batches)
    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> LinearClassifier:
        """Learn from a batch of rows, in the order given.

        Batches of any size give what one epoch of ``fit(order="cyclic")`` on all rows would give,
        bit for bit. `status_`, `n_iter_`, `mistake_counts_` and `trace_` belong to `fit` and are
        not set. theta is float32 until a batch comes that is not, then float64 (a vote refuses the
        change). A batch whose weights are all zero changes nothing.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        classes : array-like, optional
            All classes that will ever occur. Without it a class may first appear in any call; that
            costs spare hyperplanes, so give it where you can. ``multi_class="joint"`` needs it;
            ``"auto"`` is ``"ovo"`` without it.
        sample_weight : array-like of shape (n_samples,), optional
            Multiplies the step of an example, or the C of a rule that has one. A row of weight zero
            is dropped.

        Returns
        -------
        self
        """
        spec = self.describe()
        refuse_impossible(spec, "batches")
        before: Learned | None = getattr(self, "learned_", None)
        if before is not None:
            spec = _with_scheme_of(before, spec)
            check_same(before, spec)
        with _input.names_restored(self), columns_named(X):
            batch = _input.read_batch(self, X, y, sample_weight, reset=before is None)
            if len(batch.used) == 0 and before is not None:
                return self
            batch.check_not_empty()
            listed = _input.listed_classes(classes)
            if before is None:
                n_classes = None if listed is None else len(listed)
                spec = settled(spec, n_classes, batch.X.shape[1], "batches")
            known = None if before is None else (self.classes_, before.scheme)
            all_classes, scheme = _input.classes_so_far(listed, batch, spec.multi_class, known)
            dtype = theta_dtype(batch.X.dtype)
            problem = spec.problem(
                as_rows(batch.X, checked=True),
                batch.spread(np.searchsorted(all_classes, batch.used_labels)),
                class_weights(self.class_weight, all_classes, None), batch.weights, batch.used,
                dtype if before is None else before.widened(dtype), n_planes=len(scheme.roles),
            )  # fmt: skip
        history, lineage = None, None
        if before is None:
            state = start(self, spec, problem, scheme, all_classes)
            self.learning_rule.refuse_start(state.theta, state.offset, joint=scheme.joint)
        else:
            state = before.state
            history = None if before.history is None else before.history.copy()
            if scheme != before.scheme:
                renumbered = np.searchsorted(all_classes, np.asarray(self.classes_))
                lineage = ancestors(before.scheme, scheme, renumbered)
                state = state.descend(lineage, spec.beside)
                if history is not None:
                    history.descend(scheme, lineage)
            state = state.prepared(before.widened(dtype), sparse=problem.sparse)
        learner = spec.learner(problem, scheme, state)
        keeper = spec.keeper(learner, history)
        updates = learner.epoch(problem.visited)
        keeper.observe(updates)

        n_updates = learner.updates_per_plane(updates)
        if before is not None:
            lineage = lineage or list(range(len(scheme.roles)))
            n_updates += inherit(before.n_updates, lineage)
            if not hasattr(self, "status_"):  # the epochs of a fit are no first sight of a row
                learner.n_wrong += inherit(before.n_wrong, lineage[: scheme.n_counted])
                learner.n_seen += before.n_seen
        attributes = attributes_of(spec, all_classes, learner, keeper, n_updates, over=True)
        forget(self)
        self.__dict__.update(attributes)
        if scheme.predicts_while_learning:
            self.progressive_error_ = self.n_mistakes_ / learner.n_seen
        return self


def _with_scheme_of(before: Learned | None, spec: RunSpec) -> RunSpec:
    """A model goes on as it began: "auto" is the scheme that was taken then."""
    if before is None or spec.multi_class != "auto":
        return spec
    return replace(spec, multi_class=before.multi_class)
