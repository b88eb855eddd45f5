"""What `fit` and `partial_fit` of the kernel perceptron share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from novikoff.estimators import _input
from novikoff.estimators._kernel_model import KernelModel

if TYPE_CHECKING:
    from novikoff.training.budget import Policy
    from novikoff.training.dual import BlockLearner, DualProblem
    from novikoff.training.dual_history import DualHistory
    from novikoff.training.gram import Gram
    from novikoff.training.schemes import Scheme


class KernelRun(KernelModel):
    """From data to a learner, and from a learner to fitted attributes."""

    _n_rows: int  # rows given so far
    _n_updates: NDArray[np.int64]  # of all hyperplanes, spare ones included
    _coef: NDArray[np.float64]  # (M, K) the last hypothesis, of all hyperplanes
    _policy: Policy | None
    _learned_with: tuple[Any, ...]

    def _training_rows(self, X: Any) -> Any:
        """X as a matrix of finite numbers; square, if it holds a precomputed kernel."""
        from novikoff.training import matrix

        rows = matrix.as_rows(X)
        matrix.norms_of(rows, X.shape[0], 0.0)
        if self.kernel == "precomputed":
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
        return matrix.as_matrix(rows)

    def _check_online(self, first: bool) -> None:
        self._check_settings()
        if not first:
            self._check_same(self._learned_with)
        if isinstance(self.class_weight, str):
            raise ValueError(
                'class_weight="balanced" needs all labels at once. Compute the weights with '
                "sklearn.utils.compute_class_weight and pass them as a dict."
            )

    def _continued(self, batch: _input.Batch, classes: NDArray[Any], first: bool) -> DualProblem:
        """The batch as a problem, below the support rows of the batches before."""
        from novikoff.training import matrix
        from novikoff.training.dual import DualProblem

        X = self._training_rows(batch.X)
        codes = batch.spread(np.searchsorted(classes, batch.used_labels))
        weights = _input.class_weights(self.class_weight, classes, None)
        steps = steps_of(batch, weights[codes])
        numbers = np.arange(len(codes))
        if first:
            return DualProblem(X, numbers, codes, steps, batch.used)
        old = self._model.numbers
        if len(old):
            X = matrix.as_matrix(matrix.stack([matrix.as_rows(self._model.X), matrix.as_rows(X)]))
        return DualProblem(
            X, np.append(old, numbers + self._n_rows), np.append(np.zeros_like(old), codes),
            np.append(np.ones(len(old)), steps), batch.used + len(old),
        )  # fmt: skip

    def _new_policy(self, random: np.random.RandomState | None) -> Policy | None:
        from novikoff.training.budget import new_policy

        if self.budget is None:
            return None
        random = check_random_state(self.random_state) if random is None else random
        return new_policy(self.budget_policy, self.budget, self.projection_threshold, random)

    def _learner(
        self, problem: DualProblem, scheme: Scheme, gram: Gram, counts: NDArray[np.int64],
        coef: NDArray[np.float64], policy: Policy | None,
    ) -> BlockLearner:  # fmt: skip
        """A learner whose support rows are the first of the problem; coef : (M, K) of theirs."""
        from novikoff.training.budget import BudgetLearner
        from novikoff.training.dual import DualLearner

        shared = (problem, scheme, gram, self._rule(), self._room(gram, problem.X), counts)
        if policy is None:
            return DualLearner(*shared, start=coef)
        return BudgetLearner(*shared, policy=policy, kept=np.arange(len(coef)), coef=coef)

    def _attributes(
        self, classes: NDArray[Any], learner: Any, history: DualHistory | None
    ) -> dict[str, Any]:
        """The fitted attributes that make up the model, as the run stands."""
        from novikoff.training.dual_history import DualModel

        count, policy = int(learner.state.counts[0]), None
        if self.budget is None:
            assert history is not None
            history, kept = history.compressed()
            coef = shown = history.coefficients(len(kept), count, total=False)
            if self.vote == "averaged":
                shown = history.coefficients(len(kept), count, total=True) / (1.0 + count)
        else:
            history, kept, coef, policy = None, learner.kept, learner.coef.T, learner.policy
            shown = coef
        X, numbers = learner.problem.X[kept], learner.problem.numbers[kept]
        if learner.gram.precomputed:
            X = np.zeros((0, 0))
        return {
            "classes_": classes,
            "support_": numbers,
            "support_vectors_": X,
            "dual_coef_": shown[: learner.scheme.n_shown].copy(),
            "_model": DualModel(learner.scheme, learner.gram, X, numbers, history),
            "_coef": coef.T.copy(),
            "_policy": policy,
            "_vote": self.vote,
            "_count": count,
            "_n_rows": int(learner.problem.numbers.max()) + 1,
            "_learned_with": self._settings(),
        }

    def _set(self, attributes: dict[str, Any]) -> None:
        for name, value in attributes.items():
            setattr(self, name, value)


def steps_of(batch: _input.Batch, weights: NDArray[np.float64]) -> NDArray[np.float64]:
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
