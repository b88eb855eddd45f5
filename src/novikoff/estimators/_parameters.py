"""The parameters of the linear classifiers and what values they take.

`_docs.py` describes them.
"""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import Interval, StrOptions

from novikoff import rules

SHARED: dict[str, list[Any]] = {
    "fit_intercept": ["boolean"],
    "order": [StrOptions({"cyclic", "shuffled", "random"})],
    # With fewer than 2**31 rows no count of examples leaves int64.
    "max_iter": [Interval(Integral, 1, 2**31, closed="both")],
    "multi_class": [StrOptions({"auto", "ovr", "ovo", "joint"})],
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
TIES = {name: rules.Perceptron._parameter_constraints[name] for name in ("margin", "ties")}


class Parameters(BaseEstimator):
    """An estimator that learns by a rule and keeps one hypothesis or another."""

    fit_intercept: bool
    order: str
    max_iter: int
    multi_class: str
    class_weight: Any
    early_stopping: bool
    validation_fraction: float
    n_iter_no_change: int
    warm_start: bool
    record_trace: bool
    random_state: Any
    n_jobs: int | None
    verbose: int

    @property
    def learning_rule(self) -> rules.Rule:
        """The rule that the parameters describe."""
        raise NotImplementedError("every estimator says so itself")

    @property
    def kept(self) -> str:
        """Which hypothesis is the model: "last", "mean", "vote" or "pocket"."""
        raise NotImplementedError("every estimator says so itself")


class PerceptronParameters(Parameters):
    """The parameters of the perceptrons, whatever they keep."""

    margin: float
    ties: str
    eta0: float

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **SHARED, **TIES, "eta0": rules.Perceptron._parameter_constraints["eta"],
    }  # fmt: skip

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        margin: float = 0.0,
        ties: str = "mistake",
        order: str = "shuffled",
        max_iter: int = 100,
        eta0: float = 1.0,
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
        return rules.Perceptron(self.eta0, self.margin, self.ties)


def store(estimator: Any, given: dict[str, Any]) -> None:
    """Keep every argument of ``__init__`` under its name, as scikit-learn wants it."""
    for name, value in given.items():
        if name not in ("self", "__class__"):
            setattr(estimator, name, value)
