"""The passive-aggressive classifier, with scikit-learn's parameters."""

from __future__ import annotations

from typing import Any, ClassVar

from novikoff import rules
from novikoff.estimators._parameters import SHARED, documented, store
from novikoff.estimators.linear import LinearClassifier


@documented
class PassiveAggressiveClassifier(LinearClassifier):
    """The passive-aggressive classifier (Crammer et al. 2006): PA-I, PA-II and PA.

    An example that scores m = y s below 1 moves the hyperplane just as far as it takes to score 1,
    but no further than C allows: theta <- theta + tau y x with tau = min(C, (1 - m) / ||x||^2), or,
    with the squared hinge loss, tau = (1 - m) / (||x||^2 + 1 / (2 C)).

    Parameters
    ----------
    C : float, default=1.0
        The largest step (PA-I), or the price of what is missing to a margin of 1 (PA-II); ``inf``
        for PA without a cap. Sample and class weights multiply it.
    loss : {"hinge", "squared_hinge"}, default="hinge"
        PA-I or PA-II.
    average : bool, default=False
        Predict with the mean of all hypotheses instead of the last.
    <shared>

    Attributes
    ----------
    <attributes>
    last_coef_, last_intercept_ : ndarray
        With ``average=True``: the last hypothesis.

    Notes
    -----
    Coming from scikit-learn's class of this name, which is deprecated there: the offset moves with
    x as the weight of a feature that is always 1, so it counts in ||x||^2 (there it moves and does
    not count, so that a step overshoots); weights multiply C (there they multiply the step, after
    the cap); sparse rows give what dense rows give. A run seldom stops by itself: `max_iter` epochs
    run, without a warning.

    Examples
    --------
    >>> from novikoff import PassiveAggressiveClassifier
    >>> X = [[2, 1], [1, 3], [-1, -1], [-2, 1]]
    >>> y = ["yes", "yes", "no", "no"]
    >>> clf = PassiveAggressiveClassifier(order="cyclic").fit(X, y)
    >>> clf.predict([[3, 0], [-3, 0]])
    array(['yes', 'no'], dtype='<U3')
    >>> clf.n_mistakes_, clf.progressive_error_
    (0, 0.0)
    """

    C: float
    loss: str
    average: bool

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **SHARED, **rules.PassiveAggressive._parameter_constraints, "average": ["boolean"],
    }  # fmt: skip

    def __init__(
        self,
        *,
        C: float = 1.0,
        loss: str = "hinge",
        average: bool = False,
        fit_intercept: bool = True,
        order: str = "shuffled",
        max_iter: int = 10,
        multi_class: str = "auto",
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
        store(self, locals())

    @property
    def learning_rule(self) -> rules.Rule:
        return rules.PassiveAggressive(self.C, self.loss)

    @property
    def kept(self) -> str:
        return "mean" if self.average else "last"
