"""The kernel perceptron: dual form, votes, budgets."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import fields, replace
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, _fit_context
from sklearn.callback import CallbackSupportMixin
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.metaestimators import available_if

from novikoff import rules
from novikoff._arrays import Array, Floats
from novikoff._jit import compiling_told
from novikoff._messages import Message, Setting
from novikoff.estimators import _input
from novikoff.estimators._kernel_prediction import KEPT, KernelPrediction, finite_matrix
from novikoff.estimators._parameters import SHARED, TIES, documented, store
from novikoff.estimators._starting import refuse_change
from novikoff.estimators._watch import Watch
from novikoff.geometry.cells import columns_named
from novikoff.training.capabilities import refuse_impossible
from novikoff.training.dual_learned import DualHistory, DualLearned, DualSpec
from novikoff.training.input import class_weights
from novikoff.training.learners import Updates
from novikoff.training.loop import Epoch, train
from novikoff.training.schemes import closed_scheme
from novikoff.training.spec import RunSpec


def _knows_later_rows(estimator: KernelPerceptron) -> bool:
    """Whether `partial_fit` is there; if not, scikit-learn wants an AttributeError."""
    if estimator.kernel == "precomputed":
        raise AttributeError(
            "partial_fit needs kernel values of new rows with earlier ones, which "
            'kernel="precomputed" does not have: use fit, or another kernel.'
        )
    return True


@documented
class KernelPerceptron(CallbackSupportMixin, KernelPrediction, BaseEstimator):
    """The kernel perceptron: a hyperplane in the feature space of a kernel, in dual form.

    A hypothesis is a sum over the rows that caused updates, s(x) = sum_m a_m K(x_m, x); an update
    with row n adds y_n to a_n (Aizerman, Braverman and Rozonoer 1964). With ``vote="voted"`` it is
    the classifier of Freund and Schapire (1999). There is no offset: add a constant to the kernel
    (`coef0`).

    Rows are visited in blocks, with kernel values by matrix multiplication, shared by all classes
    and all epochs. Where all sums are exact (integers, the linear or polynomial kernel, sums below
    2**53) the mistakes are those of the textbook's loop over single rows, whatever the block.

    On a budget every score is summed anew over the rows that are kept at that time, the oldest
    first: a forgotten row leaves nothing behind, and a hyperplane that lost all its rows says 0.
    So the mistakes are those of a plain loop in doubles over the same kernel values, whatever the
    block. The coefficients of "oldest" and "project" are rounded roots and quotients: with them, a
    tie is one of doubles, on integers too.

    Parameters
    ----------
    kernel : {"rbf", "poly", "linear", "sigmoid", "precomputed"} or callable, default="rbf"
        As in ``sklearn.svm.SVC``. A callable takes two matrices and returns the values of all
        pairs of their rows, shape (n_A, n_B); its arguments are both dense or both CSR, like X.
    degree : int, default=3
        Of "poly": (gamma x . y + coef0) ** degree.
    gamma : {"scale", "auto"} or float, default="scale"
        Of "rbf", exp(-gamma ||x - y||^2), "poly" and "sigmoid". "scale" is 1 / (n_features *
        X.var()), "auto" 1 / n_features. `partial_fit` settles it with its first batch.
    coef0 : float, default=0.0
        Of "poly" and of "sigmoid", tanh(gamma x . y + coef0).
    vote : {"last", "averaged", "voted"}, default="last"
        Predict with the last hypothesis, with the mean of all, or by their vote, each counted as
        long as it survived. All cost one kernel value per support row.
    <max_iter>
    <order>
    <ties>
    <margin>
    multi_class : {"ovr", "joint"}, default="ovr"
        More than two classes: one hypothesis per class, learning independently, or all updated
        together. Either way a row is stored once.
    <class_weight>
    budget : int or None, default=None
        The most rows that are stored, over all classes. Needs ``vote="last"``.
    budget_policy : {"random", "oldest", "project"}, default="random"
        What to do when the budget is spent. "random": forget a row at random (Cavallanti,
        Cesa-Bianchi and Gentile 2007). "oldest": shrink all coefficients and forget the oldest row
        (the self-tuned Forgetron; Dekel, Shalev-Shwartz and Singer 2008). "project": replace the
        new row by its projection on the span of the stored ones (the Projectron; Orabona, Keshet
        and Caputo 2008), with a matrix of budget * budget numbers.
    projection_threshold : float, default=0.0
        Of "project": also project while the budget is not spent, if the new row's kernel function
        is no further from the span than this share of its norm.
    cache_mb : float, default=200.0
        Bounds the memory for kernel values and the rows they are computed from, in training and
        predicting. Besides, training holds one score per row and class; never n * n values.
    random_state : int, RandomState instance or None, default=0
        Draws the visiting orders, and the rows that are forgotten at random.
    <verbose>

    Attributes
    ----------
    <classes_>
    support_ : ndarray of shape (n_support,)
        The numbers of the rows that caused updates and are kept; after `partial_fit`, counted over
        all batches. Ascending, or with a budget the oldest first.
    support_vectors_ : {array, CSR array} of shape (n_support, n_features)
        Those rows. Empty if the kernel is precomputed.
    dual_coef_ : ndarray of shape (n_hyperplanes, n_support)
        The coefficients a, with their signs. Two classes have one hyperplane. The mean for
        ``vote="averaged"``, otherwise the last hypothesis.
    survival_times_ : list of ndarray
        Per hyperplane (one entry if joint), how many examples each hypothesis was the current one
        for, counting the example that created it. Not set by `partial_fit` with a budget.
    <n_updates_>
    <status_>
    <n_iter_>
    <n_features_in_>
    <feature_names_in_>

    Examples
    --------
    Exclusive or is no linear concept; the product of the two features is all it takes.

    >>> from novikoff import KernelPerceptron
    >>> X, y = [[1, 1], [-1, -1], [1, -1], [-1, 1]], [0, 0, 1, 1]
    >>> clf = KernelPerceptron(kernel="poly", degree=2, gamma=1, coef0=1, order="cyclic").fit(X, y)
    >>> clf.status_, clf.support_, clf.dual_coef_
    ('separated', array([0, 1, 2, 3]), array([[-1., -1.,  1.,  1.]]))
    >>> clf.predict([[2, 3], [2, -3]])
    array([0, 1])
    >>> list(clf.staged_score(X, y))
    [0.75, 1.0, 1.0]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "kernel": [StrOptions({"linear", "poly", "rbf", "sigmoid", "precomputed"}), callable],
        "degree": [Interval(Integral, 0, None, closed="left")],
        "gamma": [StrOptions({"scale", "auto"}), Interval(Real, 0.0, None, closed="left")],
        "coef0": [Interval(Real, None, None, closed="neither")],
        "vote": [StrOptions(set(KEPT))],
        "multi_class": [StrOptions({"ovr", "joint"})],
        "budget": [Interval(Integral, 1, None, closed="left"), None],
        "budget_policy": [StrOptions({"random", "oldest", "project"})],
        "projection_threshold": [Interval(Real, 0.0, 1.0, closed="left")],
        "cache_mb": [Interval(Real, 0, None, closed="neither")],
        **TIES,
        **{
            name: SHARED[name]
            for name in ("max_iter", "order", "class_weight", "random_state", "verbose")
        },
    }

    # Rows visited at a time, if the cache has room for them. Tests vary it: where sums are exact,
    # nothing depends on it.
    _most_rows: ClassVar[int] = 512

    def __init__(
        self,
        *,
        kernel: Any = "rbf",
        degree: int = 3,
        gamma: Any = "scale",
        coef0: float = 0.0,
        vote: str = "last",
        max_iter: int = 10,
        order: str = "shuffled",
        ties: str = "mistake",
        margin: float = 0.0,
        multi_class: str = "ovr",
        class_weight: Any = None,
        budget: int | None = None,
        budget_policy: str = "random",
        projection_threshold: float = 0.0,
        cache_mb: float = 200.0,
        random_state: Any = 0,
        verbose: int = 0,
    ) -> None:
        store(self, locals())

    @property
    def learning_rule(self) -> rules.Perceptron:
        """The rule that the parameters describe; the step is the weight of the row."""
        return rules.Perceptron(1.0, self.margin, self.ties)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        tags.input_tags.sparse = self.kernel != "precomputed"
        return tags

    def describe(self) -> DualSpec:
        """What later batches must not change; parameters that contradict each other are refused."""
        self.learning_rule.check()
        if self.ties == "correct" and self.margin == 0:
            raise ValueError(
                Message(
                    Setting("ties", "correct"), " with ", Setting("margin", 0.0), " never learns: "
                    "the kernel perceptron starts at zero, and y * 0 < 0 is never a mistake. Use a "
                    "margin above 0, or ", Setting("ties", "mistake"), ".",
                )
            )  # fmt: skip
        if self.budget is not None and self.vote != "last":
            raise ValueError(
                f"vote={self.vote!r} needs every hypothesis of the run, and with a budget their "
                'support rows are forgotten. Use vote="last", or budget=None.'
            )
        return DualSpec(**{field.name: getattr(self, field.name) for field in fields(DualSpec)})

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> KernelPerceptron:
        """Train on X and y.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Any real type. For a precomputed kernel: K between all rows, (n_samples, n_samples).
        y : array-like of shape (n_samples,)
            Labels of any one type that can be put in order.
        sample_weight : array-like of shape (n_samples,), optional
            Multiplies the step of an example. A row of weight zero is dropped.

        Returns
        -------
        self
        """
        told = compiling_told(print if self.verbose else None)
        with _input.names_restored(self), columns_named(X), told:
            spec = self.describe()
            batch = _input.read_batch(self, X, y, sample_weight, reset=True)
            classes, codes = batch.number_classes()
            weights = class_weights(self.class_weight, classes, batch.used_labels)
            rows, steps = _training_rows(spec, batch.X), _steps(batch, weights[codes])
            scheme = closed_scheme(spec.multi_class, len(classes))
            random = check_random_state(self.random_state)
            start = spec.start(rows, scheme, random)
            problem = start.problem(rows, codes, steps, batch.used)
            rule = self.learning_rule.told()
            learner = start.learner(problem, rule, self.cache_mb, self._most_rows)
            log: list[Updates] = []

            def attributes() -> dict[str, Any]:
                updates = Updates.joined(log)
                learned = start.extended(learner, updates, KEPT[self.vote], len(problem.visited))
                history = learned.history or DualHistory.begin(scheme).extended(problem, updates)
                return _attributes(classes, learned, history)

            watch = Watch(self, batch.X, batch.y, attributes)

            def observe(epoch: Epoch[Updates]) -> bool:
                log.append(epoch.updates)
                return watch.end(epoch)

            ending = train(
                learner,
                order=self.order,
                max_iter=self.max_iter,
                random=random,
                begin=watch.begin,
                observe=observe,
                counts_matter=self.vote != "last",
            )
        self.__dict__.update(attributes())
        self.status_, self.n_iter_ = ending.status, ending.n_iter
        watch.finish()
        return self

    @available_if(_knows_later_rows)
    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> KernelPerceptron:
        """Learn from a batch of rows, in the order given.

        Where sums are exact, batches of any size give what one epoch of ``fit(order="cyclic")`` on
        all rows would give. The support rows are copied. `status_` and `n_iter_` belong to `fit`
        and are not set. Not available for a precomputed kernel.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        classes : array-like, optional
            All classes that will ever occur. Without it a class may first appear in any call.
            ``multi_class="joint"`` needs it.
        sample_weight : array-like of shape (n_samples,), optional
            Multiplies the step of an example. A row of weight zero is dropped.

        Returns
        -------
        self
        """
        spec, keep = self.describe(), KEPT[self.vote]
        rule = self.learning_rule.told()
        refuse_impossible(RunSpec(rule, keep, class_weight=self.class_weight), "batches")
        before: DualLearned | None = getattr(self, "learned_", None)
        if before is not None:
            refuse_change(before.spec, spec, [field.name for field in fields(spec)])
        with _input.names_restored(self), columns_named(X):
            batch = _input.read_batch(self, X, y, sample_weight, reset=before is None)
            if len(batch.used) == 0 and before is not None:
                self.learned_ = replace(before, n_rows=before.n_rows + len(batch.y))
                return self
            batch.check_not_empty()
            known = None if before is None else (self.classes_, before.scheme)
            listed = _input.listed_classes(classes)
            all_classes, scheme = _input.classes_so_far(listed, batch, self.multi_class, known)
            codes = batch.spread(np.searchsorted(all_classes, batch.used_labels))
            weights = class_weights(self.class_weight, all_classes, None)
            rows, steps = _training_rows(spec, batch.X), _steps(batch, weights[codes])
            if before is None:
                start = spec.start(rows, scheme, check_random_state(self.random_state))
            else:
                start = before.descended(scheme, np.searchsorted(all_classes, self.classes_))
                # What a budget remembers changes as it learns; a batch may fail.
                start = replace(start, policy=deepcopy(before.policy))
            problem = start.problem(rows, codes, steps, batch.used)
        learner = start.learner(problem, rule, self.cache_mb, self._most_rows)
        updates = learner.epoch(problem.visited)
        learned = start.extended(learner, updates, keep)
        attributes = _attributes(all_classes, learned, learned.history)
        for name in ("status_", "n_iter_", "survival_times_"):
            self.__dict__.pop(name, None)
        self.__dict__.update(attributes)
        return self


def _training_rows(spec: DualSpec, X: Any) -> Any:
    """X as a matrix of finite numbers; square, if it holds a precomputed kernel."""
    rows = finite_matrix(X)
    if spec.kernel == "precomputed":
        if sp.issparse(X):
            raise ValueError(
                'kernel="precomputed" takes a dense matrix of kernel values; X is sparse: pass '
                "X.toarray()."
            )
        if X.shape[0] != X.shape[1]:
            raise ValueError(
                'kernel="precomputed" takes the square matrix of kernel values between all '
                f"training rows; X has shape {X.shape}."
            )
    return rows


def _steps(batch: _input.Batch, weights: Floats) -> Floats:
    """(n,): the step of every row, its class's weight times its own."""
    with np.errstate(over="ignore", under="ignore"):
        steps = weights if batch.weights is None else weights * batch.weights
    bad = batch.used[~((steps[batch.used] > 0) & np.isfinite(steps[batch.used]))]
    if len(bad):
        raise ValueError(
            f"The step of row {bad[0]}, its class weight times its sample weight, is "
            f"{steps[bad[0]]}: use more moderate weights."
        )
    return steps


def _attributes(
    classes: Array, learned: DualLearned, history: DualHistory | None
) -> dict[str, Any]:
    """The fitted attributes; `history` tells how long each hypothesis survived."""
    n_shown = learned.scheme.n_shown
    attributes = {
        "classes_": classes,
        "support_": learned.numbers,
        "support_vectors_": learned.X,
        "dual_coef_": learned.shown(),
        "n_updates_": learned.n_updates[:n_shown].copy(),
        "learned_": learned,
    }
    if history is not None:
        attributes["survival_times_"] = history.survival_times(learned.count)[:n_shown]
    return attributes
