"""The parameters of the kernel perceptron and what values they take."""

from __future__ import annotations

from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import Interval, StrOptions

from novikoff._messages import Message, Setting
from novikoff.estimators._parameters import Parameters, TieRule

if TYPE_CHECKING:
    from novikoff.training.gram import Gram, Room

_shared = Parameters._parameter_constraints
_FIXED = ("kernel", "degree", "gamma", "coef0", "multi_class", "budget", "budget_policy")


class KernelParameters(TieRule, BaseEstimator):
    """An estimator with the parameters of the kernel perceptron."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "kernel": [StrOptions({"linear", "poly", "rbf", "sigmoid", "precomputed"}), callable],
        "degree": [Interval(Integral, 0, None, closed="left")],
        "gamma": [StrOptions({"scale", "auto"}), Interval(Real, 0.0, None, closed="left")],
        "coef0": [Interval(Real, None, None, closed="neither")],
        "vote": [StrOptions({"last", "averaged", "voted"})],
        "multi_class": [StrOptions({"ovr", "joint"})],
        "budget": [Interval(Integral, 1, None, closed="left"), None],
        "budget_policy": [StrOptions({"random", "oldest", "project"})],
        "projection_threshold": [Interval(Real, 0.0, 1.0, closed="left")],
        "cache_mb": [Interval(Real, 0, None, closed="neither")],
        **{
            name: _shared[name]
            for name in (
                "max_iter", "order", "ties", "margin", "class_weight", "random_state", "verbose",
            )
        },
    }  # fmt: skip

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
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.vote = vote
        self.max_iter = max_iter
        self.order = order
        self.ties = ties
        self.margin = margin
        self.multi_class = multi_class
        self.class_weight = class_weight
        self.budget = budget
        self.budget_policy = budget_policy
        self.projection_threshold = projection_threshold
        self.cache_mb = cache_mb
        self.random_state = random_state
        self.verbose = verbose

    def _check_settings(self) -> None:
        """Refuse parameters that contradict each other."""
        self.check_rule()
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

    def _check_same(self, learned_with: tuple[Any, ...]) -> None:
        """Refuse to go on with a model that is another one by now."""
        for name, before, now in zip(_FIXED, learned_with, self._settings(), strict=True):
            if before is not now and before != now:
                raise ValueError(
                    f"{name} cannot change between calls to partial_fit: it was {before!r}, it is "
                    f"{now!r}. Start with a new estimator."
                )

    def _settings(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in _FIXED)

    def _gram(self, X: Any) -> Gram:
        """The kernel; X settles what ``gamma="scale"`` is."""
        from novikoff.training.gram import Gram

        try:
            with np.errstate(over="ignore", invalid="ignore"):  # refused below
                gram = Gram.of(self.kernel, self.degree, self.gamma, float(self.coef0), X)
        except OverflowError:
            gram = None
        if gram is None or (self.gamma == "scale" and not gram.gamma > 0.0):
            raise ValueError(
                'gamma="scale" is 1 / (n_features * X.var()), and this variance overflows: the '
                "values of X are too large. Scale the features first (for instance with "
                "sklearn.preprocessing.MaxAbsScaler), or give gamma as a number."
            )
        return gram

    def _room(self, gram: Gram, X: Any) -> Room:
        from novikoff.training.gram import Room

        return Room.of(self.cache_mb, gram.row_bytes(X), self.budget or 0, self._most_rows)
