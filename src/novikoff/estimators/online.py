"""Any rule with any keeper."""

from __future__ import annotations

from typing import Any, ClassVar

from sklearn.utils._param_validation import StrOptions

from novikoff import rules
from novikoff.estimators._parameters import SHARED, documented, store
from novikoff.estimators.linear import LinearClassifier


@documented
class OnlineClassifier(LinearClassifier):
    """A linear classifier that learns by any rule and keeps any hypothesis.

    `Perceptron`, `AveragedPerceptron`, `VotedPerceptron` and `PocketPerceptron` are this class with
    the perceptron's rule, and one keeper each.

    Parameters
    ----------
    rule : a rule of :mod:`novikoff.rules`, default=None
        When an example asks for an update, and what the update is. None is the perceptron's rule,
        ``rules.Perceptron()``; setting a parameter of it, as ``set_params(rule__eta=0.5)`` does,
        makes it one.
    keep : {"last", "mean", "vote", "pocket"}, default="last"
        Which hypothesis is the model: the last one; the mean of all; the vote of all; or the one
        with the smallest training error, of those that went longest without an update.
    <shared>

    Attributes
    ----------
    <attributes>
    last_coef_, last_intercept_ : ndarray
        With ``keep="mean"`` or ``"pocket"``: the last hypothesis.
    survival_times_ : list of ndarray
        With ``keep="vote"``, see :class:`VotedPerceptron`.

    Examples
    --------
    >>> from sklearn.model_selection import GridSearchCV
    >>> from novikoff import OnlineClassifier, rules
    >>> clf = OnlineClassifier(rules.PassiveAggressive(C=0.1), keep="mean")
    >>> clf
    OnlineClassifier(keep='mean', rule=PassiveAggressive(C=0.1))
    >>> X, y = [[2, 1], [1, 3], [-1, -1], [-2, 1]] * 5, ["yes", "yes", "no", "no"] * 5
    >>> GridSearchCV(clf, {"rule__C": [0.1, 1.0]}).fit(X, y).predict([[3, 0], [-3, 0]])
    array(['yes', 'no'], dtype='<U3')
    """

    rule: rules.Rule | None
    keep: str

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **SHARED,
        "rule": [rules.Rule, None],
        "keep": [StrOptions({"last", "mean", "vote", "pocket"})],
    }

    def __init__(
        self,
        rule: rules.Rule | None = None,
        *,
        keep: str = "last",
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

    def set_params(self, **params: Any) -> OnlineClassifier:
        """Set parameters; ``rule__eta`` is one of the rule, be it the default one.

        Returns
        -------
        self
        """
        nested = any(name.startswith("rule__") for name in params)
        if nested and params.get("rule", self.rule) is None:
            params["rule"] = rules.Perceptron()  # scikit-learn sets it before its own parameters
        super().set_params(**params)
        return self

    @property
    def learning_rule(self) -> rules.Rule:
        return rules.Perceptron() if self.rule is None else self.rule

    @property
    def kept(self) -> str:
        return self.keep
