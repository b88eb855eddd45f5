"""What the linear perceptrons share: parameters and `fit`.

This is the bridge between two vocabularies: `theta`, `offset`, classes numbered 0 ... C - 1 on the
inside; `coef_`, `intercept_`, `classes_` on the outside. numba is imported by what first
computes, not before, so that importing the library stays cheap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import _fit_context
from sklearn.utils import check_random_state

from novikoff._messages import Message, Setting
from novikoff.estimators import _input
from novikoff.estimators._parameters import Parameters
from novikoff.estimators._prediction import LinearPrediction
from novikoff.estimators._recorder import Recorder
from novikoff.estimators._watch import CallbackSupportMixin, Watch
from novikoff.geometry._cells import columns_named

if TYPE_CHECKING:
    from novikoff.training.keepers import LastKeeper
    from novikoff.training.learners import Learner, Updates
    from novikoff.training.loop import Ending, Epoch
    from novikoff.training.problem import Problem
    from novikoff.training.schemes import Scheme
    from novikoff.training.state import State


class LinearPerceptron(CallbackSupportMixin, LinearPrediction, Parameters):
    """The common part of the linear perceptrons. Use one of its subclasses."""

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(
        self,
        X: Any,
        y: Any,
        coef_init: Any = None,
        intercept_init: Any = None,
        sample_weight: Any = None,
    ) -> LinearPerceptron:
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
            Multiplies the step of an example. A row of weight zero is dropped.

        Returns
        -------
        self
        """
        from novikoff.training.learners import Learner
        from novikoff.training.loop import train
        from novikoff.training.matrix import theta_dtype
        from novikoff.training.problem import build_problem
        from novikoff.training.schemes import closed_scheme

        with _input.names_restored(self), columns_named(X):
            batch = _input.read_batch(self, X, y, sample_weight, reset=True)
            classes, codes = batch.number_classes()
            scheme = closed_scheme(self.multi_class, len(classes))
            if self.record_trace and scheme.joint:
                raise ValueError(
                    'record_trace=True is not available with multi_class="joint": a joint run has '
                    'no single theta to follow. Use "ovr" or "ovo".'
                )
            problem = build_problem(
                batch.X, codes, _input.class_weights(self.class_weight, classes, batch.used_labels),
                batch.weights, batch.used, theta_dtype(batch.X.dtype), eta=self.eta0,
                constant=float(self.fit_intercept), n_planes=len(scheme.roles),
                max_iter=self.max_iter,
            )  # fmt: skip
            state = self._start(problem, scheme, classes, coef_init, intercept_init)
            self._check_can_learn(scheme, state)
            random = check_random_state(self.random_state)
            problem, held_out = self._hold_out(problem, random)
        learner = Learner(problem, scheme, state, self._rule(), self._n_threads())
        keeper = self._keeper(learner)
        recorder = Recorder(learner, keeper, self.record_trace, self.order == "cyclic")

        def attributes() -> dict[str, Any]:
            return self._attributes(classes, learner, keeper)

        def validate() -> float:
            rows, norms, truth = held_out
            return float(np.mean(keeper.model().classes(rows, norms) == truth))

        watch = Watch(self, batch.X, batch.y, attributes)

        def observe(epoch: Epoch[Updates]) -> bool:
            recorder.observe(epoch)
            return watch.end(epoch)

        ending = train(
            learner,
            order=self.order,
            max_iter=self.max_iter,
            random=random,
            begin=watch.begin,
            observe=observe,
            validate=validate if held_out is not None else None,
            n_iter_no_change=self.n_iter_no_change,
            counts_matter=keeper.counts_matter,
        )
        self._conclude(attributes(), ending, recorder.per_plane)
        self.mistake_counts_ = recorder.mistake_counts()
        if self.record_trace:
            self.trace_ = recorder.traces(
                batch.X, classes, ending.status, ties=self.ties, eta=self.eta0, order=self.order
            )
        watch.finish()
        self._after_fit()
        return self

    def _conclude(
        self, attributes: dict[str, Any], ending: Ending, n_updates: NDArray[np.int64]
    ) -> None:
        """Become the model that a run has learned."""
        self._forget()
        self._set(attributes)
        self.status_ = ending.status
        self.n_iter_ = ending.n_iter
        self._n_updates = self.n_updates_ = n_updates

    def _after_fit(self) -> None:
        """What a subclass has to say when a fit is done."""

    def _forget(self) -> None:
        """Drop what an earlier run left behind and this one may not set."""
        for name in ("trace_", "status_", "n_iter_", "mistake_counts_"):
            self.__dict__.pop(name, None)

    def _set(self, attributes: dict[str, Any]) -> None:
        for name, value in attributes.items():
            setattr(self, name, value)

    def _keeper(self, learner: Learner) -> LastKeeper:
        """What to keep of a run; the subclasses differ in this."""
        from novikoff.training.keepers import LastKeeper

        return LastKeeper(learner)

    def _attributes(
        self, classes: NDArray[Any], learner: Learner, keeper: LastKeeper
    ) -> dict[str, Any]:
        """The fitted attributes that make up the model, as the run stands."""
        coef, intercept = keeper.weights()
        attributes = {
            "classes_": classes,
            "coef_": coef,
            "intercept_": intercept,
            "_scheme": learner.scheme,
            "_state": learner.state.snapshot(),
            "_learned_with": (self.fit_intercept, self.multi_class),
        }
        if self._shows_last:
            last = keeper.shown(learner.state.theta, learner.state.offset)
            attributes["last_coef_"], attributes["last_intercept_"] = last
        return attributes

    def _hold_out(self, problem: Problem, random: np.random.RandomState) -> tuple[Problem, Any]:
        """Split off validation rows: (problem without them, (rows, norms, classes) or None)."""
        if not self.early_stopping:
            return problem, None
        from sklearn.model_selection import StratifiedShuffleSplit  # slow to import

        labels = problem.examples.labels[problem.visited]
        splitter = StratifiedShuffleSplit(
            n_splits=1, test_size=self.validation_fraction, random_state=random
        )
        try:
            learn, check = next(splitter.split(np.zeros((len(labels), 1)), labels))
        except ValueError as error:
            raise ValueError(
                f"early_stopping=True could not set rows aside for validation: {error} Use more "
                "rows, another validation_fraction, or early_stopping=False."
            ) from error
        return problem.without(problem.visited[np.sort(learn)], problem.visited[np.sort(check)])

    def _start(
        self,
        problem: Problem,
        scheme: Scheme,
        classes: NDArray[Any],
        coef_init: Any = None,
        intercept_init: Any = None,
    ) -> State:
        """The first hypothesis: given, the last one of an earlier fit, or zero."""
        from novikoff.training.state import State

        dtype = problem.examples.steps.dtype
        shape = (len(scheme.roles), problem.rows.width)
        state = State.zeros(
            *shape, dtype, sparse=problem.rows.indices is not None, averaged=self._averaged,
            constant=float(self.fit_intercept),
        )  # fmt: skip
        if self.warm_start and coef_init is None and hasattr(self, "_state"):
            self._check_warm_start(scheme, classes, shape[1])
            coef_init = self._state.theta[: shape[0]]
            if intercept_init is None and self.fit_intercept:
                intercept_init = self._state.offset[: shape[0]]
        if coef_init is not None:
            state.theta[...] = _input.check_start("coef_init", coef_init, shape, shape[1:], dtype)
        if intercept_init is not None:
            if not self.fit_intercept:
                raise ValueError("intercept_init was given, but fit_intercept=False.")
            state.offset[...] = _input.check_start(
                "intercept_init", intercept_init, shape[:1], (), dtype
            )
        return state

    def _check_warm_start(self, scheme: Scheme, classes: NDArray[Any], width: int) -> None:
        known = self._state.theta.shape[1]
        if not np.array_equal(self.classes_, classes) or known != width:
            raise ValueError(
                f"warm_start=True continues with the classes {self.classes_.tolist()} and {known} "
                f"features of the earlier fit; this one has {classes.tolist()} and {width}. Set "
                "warm_start=False to start afresh."
            )
        if not scheme.binary and self._learned_with[1] != self.multi_class:
            raise ValueError(
                f"warm_start=True continues with multi_class={self._learned_with[1]!r} of the "
                f"earlier fit; it is {self.multi_class!r} now. Set warm_start=False to start "
                "afresh."
            )

    _averaged: ClassVar[bool] = False  # whether the lazy average is kept
    _shows_last: ClassVar[bool] = False  # whether the last hypothesis is shown beside `coef_`

    def _check_can_learn(self, scheme: Scheme, state: State) -> None:
        """Refuse a tie rule under which the first hypothesis would never change."""
        self.check_rule()
        if self.ties != "correct" or self.margin > 0:
            return
        vectors = np.column_stack([state.theta, state.offset])
        # While all classes of a joint model have the same weights, all their scores are the same.
        still = (vectors == vectors[0]).all(axis=1) if scheme.joint else ~vectors.any(axis=1)
        if still.all() if scheme.joint else still.any():
            raise ValueError(
                Message(
                    Setting("ties", "correct"), " with ", Setting("margin", 0.0), " never learns "
                    "from theta = 0: every score is 0 and y * 0 < 0 is never a mistake. Use a "
                    "margin above 0, a nonzero ", Setting("coef_init"), " for every hyperplane, "
                    "or ", Setting("ties", "mistake"), ".",
                )
            )  # fmt: skip

    def _n_threads(self) -> int:
        from joblib import effective_n_jobs

        return int(effective_n_jobs(self.n_jobs))
