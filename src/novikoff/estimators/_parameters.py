"""The parameters of the linear perceptrons and what values they take.

`_docs.py` describes them.
"""

from __future__ import annotations

from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar

from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import Interval, StrOptions

from novikoff._messages import Message, Setting

if TYPE_CHECKING:
    from novikoff.kernels.walk import Rule


class TieRule:
    """What the parameters `ties` and `margin` say."""

    ties: str
    margin: float

    def check_rule(self) -> None:
        """Refuse a tie rule and a margin that contradict each other."""
        if self.ties == "sign" and self.margin > 0:
            mistake, correct = (Setting("ties", rule) for rule in ("mistake", "correct"))
            raise ValueError(
                Message(
                    Setting("ties", "sign"), " asks whether the sign is right and knows no margin; "
                    "use ", Setting("margin", 0.0), ", or ", mistake, " or ", correct, " with a "
                    "margin.",
                )
            )  # fmt: skip

    def _rule(self) -> Rule:
        """The tie rule as the kernels take it."""
        from novikoff.kernels.walk import Rule

        return Rule(float(self.margin), self.ties == "mistake", self.ties in ("mistake", "sign"))


class Parameters(TieRule, BaseEstimator):
    """An estimator with the parameters of a linear perceptron."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "fit_intercept": ["boolean"],
        "margin": [Interval(Real, 0, None, closed="left")],
        "ties": [StrOptions({"mistake", "sign", "correct"})],
        "order": [StrOptions({"cyclic", "shuffled", "random"})],
        # With fewer than 2**31 rows no count of examples leaves int64.
        "max_iter": [Interval(Integral, 1, 2**31, closed="both")],
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
