"""The voted perceptron: all hypotheses vote."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from novikoff.estimators._base import LinearPerceptron
from novikoff.estimators._docs import documented, with_defaults
from novikoff.estimators._online import OnlinePerceptron

if TYPE_CHECKING:
    from novikoff.training.keepers import LastKeeper, Model, VoteKeeper
    from novikoff.training.learners import Learner


@documented
class VotedPerceptron(OnlinePerceptron):
    """The voted perceptron (Freund and Schapire 1999): all hypotheses vote.

    Each hypothesis votes with the number of examples it survived: the prediction is the sign of
    sum c_k h_k(x), and `decision_function` returns that sum. The hypotheses are kept as the rows
    that caused the updates, so a model is about as large as those rows, and a prediction costs one
    score per hypothesis.

    Parameters
    ----------
    <parameters>

    Attributes
    ----------
    <attributes>
    survival_times_ : list of ndarray
        Per hyperplane (one entry if joint), how many examples each hypothesis was the current one
        for, counting the example that created it. `coef_` is the last hypothesis.

    Examples
    --------
    >>> from novikoff import VotedPerceptron
    >>> clf = VotedPerceptron(order="cyclic", max_iter=2, fit_intercept=False)
    >>> clf = clf.fit([[1.0], [-1.0]], [1, 0])
    >>> clf.survival_times_  # theta = 0 errs at once, its successor lives for all four examples
    [array([0, 4])]
    >>> clf.decision_function([[2.0], [-2.0]])
    array([ 4., -4.])
    """

    __init__ = with_defaults(LinearPerceptron.__init__, max_iter=10)

    def _keeper(self, learner: Learner) -> LastKeeper:
        from novikoff.training.keepers import VoteKeeper

        return VoteKeeper(learner)

    def _continuing_keeper(self, learner: Learner, lineage: list[int | None] | None) -> LastKeeper:
        from novikoff.training.keepers import VoteKeeper

        history = self._history.copy()
        if lineage is not None:
            history.descend(learner.scheme, lineage)
        return VoteKeeper(learner, history)

    def _widened(self, dtype: np.dtype[Any]) -> np.dtype[Any]:
        known: np.dtype[Any] = self._state.theta.dtype
        if dtype != known:
            raise ValueError(
                f"The earlier batches were learned from in {known}, this one calls for {dtype}. A "
                "vote replays every hypothesis in the type it was learned in: convert all batches "
                "to float64, or all to float32."
            )
        return known

    def _attributes(self, classes: Any, learner: Learner, keeper: LastKeeper) -> dict[str, Any]:
        history = cast("VoteKeeper", keeper).history()
        survival = history.survival_times(learner.state.counts)
        return {
            **super()._attributes(classes, learner, keeper),
            "_history": history,
            "survival_times_": survival[: learner.scheme.n_shown],
        }

    def _model(self) -> Model:
        from novikoff.training.votes import VotedModel

        return VotedModel(self._history, self._state.counts)
