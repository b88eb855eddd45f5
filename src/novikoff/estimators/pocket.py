"""The pocket perceptron: the best hypothesis met."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from novikoff.estimators._base import LinearPerceptron
from novikoff.estimators._docs import documented

if TYPE_CHECKING:
    from novikoff.training.keepers import LastKeeper
    from novikoff.training.learners import Learner


@documented
class PocketPerceptron(LinearPerceptron):
    """The pocket algorithm with ratchet (Gallant 1990): predicts with the best hypothesis met.

    Runs the perceptron and keeps, "in the pocket", the hypothesis with the smallest training
    error. A hypothesis is measured on all rows when it has been right on more examples in a row
    than the one in the pocket was, and replaces it if its error, weighted by sample and class
    weights, is strictly smaller. More than two classes: one pocket per hyperplane, or one for a
    joint set.

    Parameters
    ----------
    <parameters>

    Attributes
    ----------
    <attributes>
    last_coef_, last_intercept_ : ndarray
        The last hypothesis. `coef_` and `intercept_` are the one in the pocket.

    Examples
    --------
    >>> from novikoff import PocketPerceptron
    >>> X, y = [[-3.0], [-1.0], [1.0], [2.0]], [0, 1, 0, 1]  # no threshold is right on all four
    >>> PocketPerceptron().fit(X, y).score(X, y)
    0.75
    """

    _shows_last: ClassVar[bool] = True

    def _keeper(self, learner: Learner) -> LastKeeper:
        from novikoff.training.keepers import PocketKeeper

        return PocketKeeper(learner)
