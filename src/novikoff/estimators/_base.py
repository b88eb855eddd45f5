"""What the linear estimators share: parameters, `fit`, `predict`.

This is the bridge between two vocabularies: `theta`, `offset`, classes numbered 0 ... C - 1 on the
inside; `coef_`, `intercept_`, `classes_` on the outside. numba is imported when something is
fitted, not before, so that importing the library stays cheap.
"""

from __future__ import annotations

from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.utils import check_random_state, compute_class_weight
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from novikoff.estimators import _input
from novikoff.estimators._watch import CallbackSupportMixin, Watch

if TYPE_CHECKING:
    from novikoff.kernels.rows import Rows
    from novikoff.kernels.walk import Rule
    from novikoff.training.keepers import LastKeeper, Model
    from novikoff.training.learners import Learner, Problem
    from novikoff.training.loop import Epoch
    from novikoff.training.schemes import Scheme
    from novikoff.training.state import State


class LinearPerceptron(CallbackSupportMixin, ClassifierMixin, BaseEstimator):
    """The common part of the linear perceptrons. Use one of its subclasses."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "fit_intercept": ["boolean"],
        "margin": [Interval(Real, 0, None, closed="left")],
        "ties": [StrOptions({"mistake", "sign", "correct"})],
        "order": [StrOptions({"cyclic", "shuffled", "random"})],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "eta0": [Interval(Real, 0, None, closed="neither")],
        "multi_class": [StrOptions({"ovr", "ovo", "joint"})],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "early_stopping": ["boolean"],
        "validation_fraction": [Interval(Real, 0, 1, closed="neither")],
        "n_iter_no_change": [Interval(Integral, 1, None, closed="left")],
        "warm_start": ["boolean"],
        "record_trace": ["boolean"],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        margin: float = 0.0,
        ties: str = "mistake",
        order: str = "shuffled",
        max_iter: int = 100,
        eta0: float = 1.0,
        multi_class: str = "ovr",
        class_weight: Any = None,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        warm_start: bool = False,
        record_trace: bool = False,
        random_state: Any = 0,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.fit_intercept = fit_intercept
        self.margin = margin
        self.ties = ties
        self.order = order
        self.max_iter = max_iter
        self.eta0 = eta0
        self.multi_class = multi_class
        self.class_weight = class_weight
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.warm_start = warm_start
        self.record_trace = record_trace
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    # ---------------------------------------------------------------- fitting

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
            Any real type; it is read as it is (Fortran-ordered and non-CSR input is copied once).
        y : array-like of shape (n_samples,)
            Labels of any type.
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
        from novikoff.training.schemes import closed_scheme

        X = _input.check_matrix(self, X, reset=True)
        y = _input.check_labels(y, X.shape[0])
        weights = _input.check_weights(sample_weight, X.shape[0])
        used = np.arange(len(y)) if weights is None else np.flatnonzero(weights)
        classes, used_codes = _input.number_classes(y[used])
        _input.check_two_classes(classes)
        scheme = closed_scheme(self.multi_class, len(classes))
        if self.record_trace and scheme.joint:
            raise ValueError(
                'record_trace=True is not available with multi_class="joint": a joint run has no '
                'single theta to follow. Use "ovr" or "ovo".'
            )

        codes = np.zeros(len(y), np.int64)
        codes[used] = used_codes
        per_class = np.ones(len(classes))
        if self.class_weight is not None:
            per_class = compute_class_weight(self.class_weight, classes=classes, y=y[used])
        problem = self._problem(
            X, codes, per_class, weights, used, theta_dtype(X.dtype),
            n_planes=len(scheme.roles), max_iter=self.max_iter,
        )  # fmt: skip
        state = self._start(X, problem, scheme, classes, coef_init, intercept_init)
        random = check_random_state(self.random_state)
        problem, held_out = self._hold_out(problem, random)

        self._check_can_learn(state)
        learner = Learner(problem, scheme, state, self._rule(), self._n_threads())
        keeper = self._keeper(learner)
        recorder = _Recorder(learner, keeper, self.record_trace, self.order == "cyclic")

        def attributes() -> dict[str, Any]:
            return self._attributes(classes, learner, keeper)

        def validate() -> float:
            rows, norms, truth = held_out
            return float(np.mean(keeper.model().classes(rows, norms) == truth))

        watch = Watch(self, X, y, attributes)

        def observe(epoch: Epoch) -> bool:
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
        )
        self._forget()
        self._set(attributes())
        self.status_ = ending.status
        self.n_iter_ = ending.n_iter
        self._n_updates = self.n_updates_ = recorder.per_plane
        self.mistake_counts_ = recorder.mistake_counts()
        if self.record_trace:
            self.trace_ = recorder.traces()
        watch.finish()
        return self

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
        return {
            "classes_": classes,
            "coef_": coef,
            "intercept_": intercept,
            "_scheme": learner.scheme,
            "_state": learner.state,
        }

    def _problem(
        self,
        X: Any,
        codes: NDArray[np.int64],
        per_class: NDArray[np.float64],
        weights: NDArray[np.float64] | None,
        used: NDArray[np.int64],
        dtype: np.dtype[Any],
        *,
        n_planes: int,
        max_iter: int,
    ) -> Problem:
        """Rows and examples as the kernels take them; the step is rounded to theta's type here."""
        from novikoff.kernels.walk import Examples
        from novikoff.training import matrix
        from novikoff.training.learners import Problem
        from novikoff.training.sketches import prepare

        rows = matrix.as_rows(X)
        rows, norms, drawing = prepare(
            rows, len(codes), float(self.fit_intercept), max_iter=max_iter, n_planes=n_planes
        )
        each = np.ones(len(codes)) if weights is None else weights
        with np.errstate(over="ignore"):  # an infinite step is met as an overflow of theta
            steps = ((self.eta0 * per_class)[codes] * each).astype(dtype)
        examples = Examples(codes, steps, norms)
        return Problem(rows, examples, per_class[codes] * each, used, drawing)

    def _hold_out(self, problem: Problem, random: np.random.RandomState) -> tuple[Problem, Any]:
        """Split off validation rows: (problem without them, (rows, norms, classes) or None)."""
        from dataclasses import replace

        from novikoff.training import matrix

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
        check = problem.visited[np.sort(check)]
        held_out = (
            matrix.take(problem.rows, check),
            problem.examples.norms[check],
            problem.examples.labels[check],
        )
        return replace(problem, visited=problem.visited[np.sort(learn)]), held_out

    def _start(
        self,
        X: Any,
        problem: Problem,
        scheme: Scheme,
        classes: NDArray[Any],
        coef_init: Any,
        intercept_init: Any,
    ) -> State:
        """The first hypothesis: given, the last one of an earlier fit, or zero."""
        from novikoff.training.state import State

        dtype = problem.examples.steps.dtype
        n_planes, width = len(scheme.roles), X.shape[1]
        state = State.zeros(
            n_planes, width, dtype,
            sparse=problem.rows.indices is not None,
            averaged=self._averaged,
            constant=float(self.fit_intercept),
        )  # fmt: skip
        if self.warm_start and coef_init is None and hasattr(self, "_state"):
            if not np.array_equal(self.classes_, classes) or self._state.theta.shape != (
                n_planes,
                width,
            ):
                raise ValueError(
                    f"warm_start=True continues with the classes {self.classes_.tolist()} and "
                    f"{self._state.theta.shape[1]} features of the earlier fit; this one has "
                    f"{classes.tolist()} and {width}. Set warm_start=False to start afresh."
                )
            state.theta[...] = self._state.theta
            state.offset[...] = self._state.offset
        if coef_init is not None:
            shape = (n_planes, width)
            state.theta[...] = _input.check_start("coef_init", coef_init, shape, (width,), dtype)
        if intercept_init is not None:
            if not self.fit_intercept:
                raise ValueError("intercept_init was given, but fit_intercept=False.")
            state.offset[...] = _input.check_start(
                "intercept_init", intercept_init, (n_planes,), (), dtype
            )
        return state

    _averaged: ClassVar[bool] = False

    def _check_can_learn(self, state: State) -> None:
        """Refuse a tie rule under which the first hypothesis would never change."""
        if self.ties == "sign" and self.margin > 0:
            raise ValueError(
                'ties="sign" asks whether the sign is right and knows no margin; use margin=0.0, '
                'or ties="mistake" or "correct" with a margin.'
            )
        if self.ties == "correct" and self.margin == 0:
            asleep = ~(state.theta.any(axis=1) | (state.offset != 0))
            if asleep.any():
                raise ValueError(
                    'ties="correct" with margin=0.0 never learns from theta = 0: every score is 0 '
                    "and y * 0 < 0 is never a mistake. Use a margin above 0, a nonzero coef_init "
                    'for every hyperplane, or ties="mistake".'
                )

    def _rule(self) -> Rule:
        """The tie rule as the kernels take it."""
        from novikoff.kernels.walk import Rule

        return Rule(float(self.margin), self.ties == "mistake", self.ties in ("mistake", "sign"))

    def _n_threads(self) -> int:
        from joblib import effective_n_jobs

        return int(effective_n_jobs(self.n_jobs))

    # ------------------------------------------------------------- predicting

    def _model(self) -> Model:
        """The fitted model as the training package knows it."""
        from novikoff.training.prediction import LinearModel

        return LinearModel(self._scheme, np.asarray(self.coef_), np.asarray(self.intercept_))

    def _rows(self, X: Any) -> tuple[Rows, NDArray[np.float64]]:
        from novikoff.training import matrix

        check_is_fitted(self)
        X = _input.check_matrix(self, X, reset=False)
        rows = matrix.as_rows(X)
        return rows, matrix.norms_of(rows, X.shape[0], 1.0)

    def decision_function(self, X: Any) -> NDArray[Any]:
        """Scores; the sign of every one is exact.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)

        Returns
        -------
        scores : ndarray of shape (n_samples,) for two classes, else (n_samples, n_classes)
            Two classes: positive for ``classes_[1]``, 0.0 only for a point on the boundary.
        """
        from novikoff.training.prediction import decision

        rows, norms = self._rows(X)
        return decision(self._scheme, self._model().scores(rows, norms))

    def predict(self, X: Any) -> NDArray[Any]:
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
        rows, norms = self._rows(X)
        labels: NDArray[Any] = self.classes_[self._model().classes(rows, norms)]
        return labels


class _Recorder:
    """Counts the updates of a run and, if asked to, keeps them for a trace."""

    def __init__(self, learner: Learner, keeper: LastKeeper, trace: bool, cyclic: bool) -> None:
        self.learner = learner
        self.keeper = keeper
        self.trace = trace
        self.cyclic = cyclic
        self.epochs: list[Epoch] = []
        self.start = (learner.state.theta.copy(), learner.state.offset.copy())
        self._counts = np.zeros((learner.n_parts, len(learner.problem.weights)), np.int64)
        self.per_plane = np.zeros(len(learner.scheme.roles), np.int64)

    def observe(self, epoch: Epoch) -> None:
        updates = epoch.updates
        self.keeper.observe(updates)
        self.per_plane += self.learner.updates_per_plane(updates)
        part = updates.plane * (not self.learner.scheme.joint)
        np.add.at(self._counts, (part, updates.row), 1)
        if self.trace:
            self.epochs.append(epoch)

    def mistake_counts(self) -> NDArray[np.int64]:
        """alpha: (n,) for one hyperplane or joint ones, else (K, n)."""
        return self._counts[0] if len(self._counts) == 1 else self._counts

    def traces(self) -> Any:
        from novikoff.trace import traces_of_run

        return traces_of_run(self.learner, self.start, self.epochs, self.cyclic)
