"""Update rules: when an example asks for an update, and what the update is.

A rule is a parameter of :class:`novikoff.OnlineClassifier`. With m = y s, s the score of an example
before it is learned from, and ||x||^2 taken with the constant 1 of the offset, where there is one:

| rule | update when | update |
|---|---|---|
| `Perceptron` | m <= margin (see `ties`) | theta <- theta + eta y x |
| `PassiveAggressive` | m < 1 | theta <- theta + tau y x, tau = min(C, (1 - m) / ||x||^2) |
| with ``loss="squared_hinge"`` | m < 1 | tau = (1 - m) / (||x||^2 + 1 / (2 C)) |

The offset moves as the weight of a feature that is always 1.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from numbers import Real
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import Interval, StrOptions

from novikoff._messages import Message, Setting

__all__ = ["PassiveAggressive", "Perceptron", "Rule"]


class Rule(BaseEstimator, ABC):
    """What all rules have: parameters, as scikit-learn's objects have them."""

    stops: ClassVar[bool] = False  # whether a run on separable data ends by itself

    def check(self) -> None:
        """Refuse parameters out of range, or that contradict each other."""
        self._validate_params()

    @abstractmethod
    def told(self) -> Any:
        """The rule as the kernels take it, see :mod:`novikoff.kernels.rules`."""

    @abstractmethod
    def noted(self) -> dict[str, Any]:
        """What a trace says of the rule: its name; margin, ties and eta of its test; and, if it has
        others, its `parameters`, by name, as far as they are finite.
        """

    def refuse_start(self, theta: NDArray[Any], offset: NDArray[Any], *, joint: bool) -> None:
        """Raise if no example could ever ask for an update of these hyperplanes."""


class Perceptron(Rule):
    """The perceptron's rule (Rosenblatt 1958): theta moves by eta y x on a mistake.

    Parameters
    ----------
    eta : float, default=1.0
        The step.
    margin : float, default=0.0
        The threshold beta: an example must score y s above it.
    ties : {"mistake", "sign", "correct"}, default="mistake"
        What an example exactly on the threshold is; see :class:`novikoff.Perceptron`.

    Examples
    --------
    >>> from novikoff import rules
    >>> rules.Perceptron(margin=1.0)
    Perceptron(margin=1.0)
    """

    stops: ClassVar[bool] = True
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "eta": [Interval(Real, 0, None, closed="neither")],
        "margin": [Interval(Real, 0, None, closed="left")],
        "ties": [StrOptions({"mistake", "sign", "correct"})],
    }

    def __init__(self, eta: float = 1.0, margin: float = 0.0, ties: str = "mistake") -> None:
        self.eta = eta
        self.margin = margin
        self.ties = ties

    def check(self) -> None:
        super().check()
        if self.ties == "sign" and self.margin > 0:
            mistake, correct = (Setting("ties", ties) for ties in ("mistake", "correct"))
            raise ValueError(
                Message(
                    Setting("ties", "sign"), " asks whether the sign is right and knows no margin; "
                    "use ", Setting("margin", 0.0), ", or ", mistake, " or ", correct, " with a "
                    "margin.",
                )
            )  # fmt: skip

    def told(self) -> Any:
        from novikoff.kernels.rules.perceptron import PerceptronRule

        return PerceptronRule(
            float(self.eta), float(self.margin), self.ties == "mistake", self.ties != "correct"
        )

    def noted(self) -> dict[str, Any]:
        return {
            "rule": "perceptron", "margin": float(self.margin), "ties": self.ties,
            "eta": float(self.eta),
        }  # fmt: skip

    def refuse_start(self, theta: NDArray[Any], offset: NDArray[Any], *, joint: bool) -> None:
        if self.ties != "correct" or self.margin > 0:
            return
        vectors = np.column_stack([theta, offset])
        # While all classes of a joint model have the same weights, all their scores are the same.
        still = (vectors == vectors[0]).all(axis=1) if joint else ~vectors.any(axis=1)
        if still.all() if joint else still.any():
            raise ValueError(
                Message(
                    Setting("ties", "correct"), " with ", Setting("margin", 0.0), " never learns "
                    "from theta = 0: every score is 0 and y * 0 < 0 is never a mistake. Use a "
                    "margin above 0, a nonzero ", Setting("coef_init"), " for every hyperplane, "
                    "or ", Setting("ties", "mistake"), ".",
                )
            )  # fmt: skip


class PassiveAggressive(Rule):
    """The passive-aggressive rules (Crammer et al. 2006): the smallest move to a margin of 1.

    Parameters
    ----------
    C : float, default=1.0
        How aggressive: the largest step (PA-I), or the price of what is missing to a margin of 1
        (PA-II). ``inf`` is PA without a cap. Sample and class weights multiply it.
    loss : {"hinge", "squared_hinge"}, default="hinge"
        PA-I or PA-II.

    Examples
    --------
    >>> from novikoff import OnlineClassifier, rules
    >>> clf = OnlineClassifier(rules.PassiveAggressive(C=0.5), order="cyclic", max_iter=1)
    >>> clf = clf.fit([[1.0], [-1.0]], [1, 0])  # ||(x, 1)||^2 is 2, so both steps are 1/2
    >>> clf.coef_, clf.intercept_
    (array([[1.]]), array([0.]))
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "C": [Interval(Real, 0, None, closed="right")],
        "loss": [StrOptions({"hinge", "squared_hinge"})],
    }

    def __init__(self, C: float = 1.0, loss: str = "hinge") -> None:
        self.C = C
        self.loss = loss

    def told(self) -> Any:
        from novikoff.kernels.rules.passive_aggressive import PassiveAggressiveRule

        return PassiveAggressiveRule(float(self.C), 1.0, self.loss == "squared_hinge")

    def noted(self) -> dict[str, Any]:
        told = {"margin": 1.0, "ties": "correct", "eta": 1.0}
        if math.isinf(self.C):  # both are the same then
            return {"rule": "PA", **told}
        return {"rule": _NAMES[self.loss], **told, "parameters": {"C": float(self.C)}}


_NAMES = {"hinge": "PA-I", "squared_hinge": "PA-II"}


class Formula(NamedTuple):
    """How the step of a rule is written down, and what it comes to, in floats or in fractions."""

    text: Callable[[str, str, str], str]  # of 1 - y s, of ||x||^2 and of C, as they are printed
    value: Callable[[Any, Any, Any], Any]


# By the name that a trace knows the rule by.
FORMULAS = {
    "PA": Formula(lambda loss, square, C: f"({loss})/{square}", lambda loss, sq, C: loss / sq),
    "PA-I": Formula(
        lambda loss, square, C: f"min({C}, ({loss})/{square})",
        lambda loss, square, C: min(C, loss / square),
    ),
    "PA-II": Formula(
        lambda loss, square, C: f"({loss})/({square} + 1/(2·{C}))",
        lambda loss, square, C: loss / (square + 1 / (2 * C)),
    ),
}
