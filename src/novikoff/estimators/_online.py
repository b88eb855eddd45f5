"""`partial_fit`: learning from rows as they come, with classes that may arrive late."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import _fit_context

from novikoff.estimators import _input
from novikoff.estimators._base import LinearPerceptron
from novikoff.geometry._cells import columns_named

if TYPE_CHECKING:
    from novikoff.training.keepers import LastKeeper
    from novikoff.training.learners import Learner


class OnlinePerceptron(LinearPerceptron):
    """A linear perceptron that can also learn from one batch after the other."""

    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> OnlinePerceptron:
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
            costs spare hyperplanes, so give it where you can. ``multi_class="joint"`` needs it.
        sample_weight : array-like of shape (n_samples,), optional
            Multiplies the step of an example. A row of weight zero is dropped.

        Returns
        -------
        self
        """
        from novikoff.training.learners import Learner
        from novikoff.training.matrix import theta_dtype
        from novikoff.training.problem import build_problem
        from novikoff.training.schemes import ancestors
        from novikoff.training.state import inherit

        first = not hasattr(self, "_state")
        self._check_online(first)
        with _input.names_restored(self), columns_named(X):
            batch = _input.read_batch(self, X, y, sample_weight, reset=first)
            if len(batch.used) == 0 and not first:
                return self
            batch.check_not_empty()
            known = None if first else (self.classes_, self._scheme)
            all_classes, scheme = _input.classes_so_far(classes, batch, self.multi_class, known)
            dtype = theta_dtype(batch.X.dtype)
            problem = build_problem(
                batch.X, batch.spread(np.searchsorted(all_classes, batch.used_labels)),
                _input.class_weights(self.class_weight, all_classes, None), batch.weights,
                batch.used, dtype if first else self._widened(dtype), eta=self.eta0,
                constant=float(self.fit_intercept), n_planes=len(scheme.roles), max_iter=1,
            )  # fmt: skip
        lineage: list[int | None] | None = None
        if first:
            state = self._start(problem, scheme, all_classes)
            self._check_can_learn(scheme, state)
        else:
            state = self._state
            if scheme != self._scheme:
                renumbered = np.searchsorted(all_classes, np.asarray(self.classes_))
                lineage = ancestors(self._scheme, scheme, renumbered)
                state = state.descend(lineage)
            state = state.prepared(
                problem.examples.steps.dtype, sparse=problem.rows.indices is not None
            )
        learner = Learner(problem, scheme, state, self._rule(), self._n_threads())
        keeper = self._keeper(learner) if first else self._continuing_keeper(learner, lineage)
        updates = learner.epoch(problem.visited)
        keeper.observe(updates)

        n_updates = learner.updates_per_plane(updates)
        if not first:
            n_updates += self._n_updates if lineage is None else inherit(self._n_updates, lineage)
        attributes = self._attributes(all_classes, learner, keeper)
        self._forget()
        self._set(attributes)
        self._n_updates = n_updates
        self.n_updates_ = n_updates[: scheme.n_shown]
        return self

    def _check_online(self, first: bool) -> None:
        self.check_rule()
        if not first and self._learned_with != (self.fit_intercept, self.multi_class):
            raise ValueError(
                "fit_intercept and multi_class cannot change between calls to partial_fit: they "
                f"were {self._learned_with[0]} and {self._learned_with[1]!r}. Start with a new "
                "estimator."
            )
        if self.early_stopping:
            raise ValueError(
                "early_stopping=True needs all rows at once: use fit, or early_stopping=False."
            )
        if isinstance(self.class_weight, str):
            raise ValueError(
                'class_weight="balanced" needs all labels at once. Compute the weights with '
                "sklearn.utils.compute_class_weight and pass them as a dict."
            )

    def _widened(self, dtype: np.dtype[Any]) -> np.dtype[Any]:
        """theta's type once a batch of `dtype` has been learned from."""
        return np.result_type(self._state.theta.dtype, dtype)

    def _continuing_keeper(self, learner: Learner, lineage: list[int | None] | None) -> LastKeeper:
        """What to keep, given what earlier batches kept.

        lineage : see `schemes.ancestors`; None if no class is new
        """
        return self._keeper(learner)
