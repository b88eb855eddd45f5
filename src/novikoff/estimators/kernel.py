"""The kernel perceptron: dual form, votes, budgets."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import ClassifierMixin, _fit_context
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if

from novikoff.estimators import _input
from novikoff.estimators._docs import documented
from novikoff.estimators._kernel_run import KernelRun, steps_of
from novikoff.estimators._watch import CallbackSupportMixin, Watch
from novikoff.geometry._cells import columns_named

if TYPE_CHECKING:
    from novikoff.training.dual_history import DualHistory
    from novikoff.training.learners import Updates
    from novikoff.training.loop import Epoch


def _knows_later_rows(estimator: KernelPerceptron) -> bool:
    """Whether `partial_fit` is there; if not, scikit-learn wants an AttributeError."""
    if estimator.kernel == "precomputed":
        raise AttributeError(
            "partial_fit needs kernel values of new rows with earlier ones, which "
            'kernel="precomputed" does not have: use fit, or another kernel.'
        )
    return True


@documented
class KernelPerceptron(CallbackSupportMixin, ClassifierMixin, KernelRun):
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

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        tags.input_tags.sparse = self.kernel != "precomputed"
        return tags

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
        from novikoff.training.dual import DualProblem
        from novikoff.training.dual_history import DualHistory
        from novikoff.training.learners import Updates
        from novikoff.training.loop import train
        from novikoff.training.schemes import closed_scheme

        with _input.names_restored(self), columns_named(X):
            self._check_settings()
            batch = _input.read_batch(self, X, y, sample_weight, reset=True)
            classes, codes = batch.number_classes()
            weights = _input.class_weights(self.class_weight, classes, batch.used_labels)
            rows = self._training_rows(batch.X)
            problem = DualProblem(
                rows, np.arange(len(codes)), codes, steps_of(batch, weights[codes]), batch.used
            )
            scheme, gram = closed_scheme(self.multi_class, len(classes)), self._gram(rows)
            random = check_random_state(self.random_state)
            n_planes = len(scheme.roles)
            learner = self._learner(
                problem, scheme, gram, np.zeros(n_planes, np.int64), np.zeros((0, n_planes)),
                self._new_policy(random),
            )  # fmt: skip
            log: list[Updates] = []

            def attributes() -> dict[str, Any]:
                updates = Updates(*(np.concatenate(parts) for parts in zip(*log, strict=True)))
                history = DualHistory.begin(scheme).extended(problem, updates)
                return {
                    **self._attributes(classes, learner, history),
                    "survival_times_": history.survival_times(int(learner.state.counts[0])),
                    "n_updates_": learner.updates_per_plane(updates),
                    "_epoch_rows": len(problem.visited),
                }

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
        self._set(attributes())
        self.status_, self.n_iter_ = ending.status, ending.n_iter
        self._n_updates = self.n_updates_
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
        from novikoff.training.dual_history import DualHistory
        from novikoff.training.schemes import ancestors
        from novikoff.training.state import inherit

        first = not hasattr(self, "_model")
        self._check_online(first)
        with _input.names_restored(self), columns_named(X):
            batch = _input.read_batch(self, X, y, sample_weight, reset=first)
            if len(batch.used) == 0 and not first:
                self._n_rows += len(batch.y)
                return self
            batch.check_not_empty()
            known = None if first else (self.classes_, self._model.scheme)
            all_classes, scheme = _input.classes_so_far(classes, batch, self.multi_class, known)
            problem = self._continued(batch, all_classes, first)
        n_planes = len(scheme.roles)
        if first:
            gram, policy = self._gram(problem.X), self._new_policy(None)
            history: DualHistory | None = DualHistory.begin(scheme)
            counts = n_updates = np.zeros(n_planes, np.int64)
            coef = np.zeros((0, n_planes))
        else:
            gram, policy = self._model.gram, deepcopy(self._policy)
            history, n_updates, coef = self._model.history, self._n_updates, self._coef
            counts = np.full(n_planes, self._count)
            if scheme != self._model.scheme:
                renumbered = np.searchsorted(all_classes, self.classes_)
                lineage = ancestors(self._model.scheme, scheme, renumbered)
                history = history and history.descended(scheme, lineage)
                n_updates, coef = inherit(n_updates, lineage), inherit(coef.T, lineage).T
        learner = self._learner(problem, scheme, gram, counts.copy(), coef, policy)
        updates = learner.epoch(problem.visited)
        history = history and history.extended(problem, updates)
        self._n_updates = n_updates + learner.updates_per_plane(updates)
        self._set(self._attributes(all_classes, learner, history))
        self.n_updates_ = self._n_updates[: scheme.n_shown]
        self._epoch_rows = None
        for name in ("status_", "n_iter_", "survival_times_"):
            self.__dict__.pop(name, None)
        if self.budget is None:
            assert history is not None
            self.survival_times_ = history.survival_times(self._count)[: scheme.n_shown]
        return self
