"""Update rules: when an example asks for an update, and what the update is.

A rule is a parameter of :class:`novikoff.OnlineClassifier`. With m = y s, s the score of an example
before it is learned from, and ||x||^2 taken with the constant 1 of the offset, where there is one:

| rule | update when | update |
|---|---|---|
| `Perceptron` | m <= margin (see `ties`) | theta <- theta + eta y x |
| `PassiveAggressive` | m < 1 | theta <- theta + tau y x, tau = min(C, (1 - m) / ||x||^2) |
| with ``loss="squared_hinge"`` | m < 1 | tau = (1 - m) / (||x||^2 + 1 / (2 C)) |
| `ALMA` | m <= ||x|| (1 - alpha) B / sqrt(k) | C / sqrt(k) along y x, then ||theta|| <= 1 |
| `ROMMA` | m <= 0, or, aggressive, m < 1 | theta <- a theta + b y x: the shortest with y s = 1 |

Second-order rules also keep a covariance Sigma: a direction in which theta was moved often is moved
less. With u = Sigma x and v = x . u, theta <- theta + alpha y u and Sigma <- Sigma - beta u u^T:

| rule | update when | alpha, beta |
|---|---|---|
| `SecondOrder` | m <= 0 | as `AROW`, with r = a |
| `AROW` | m < 1 | alpha = (1 - m) beta, beta = 1 / (v + r) |
| `NHERD` | m < 1 | alpha = (1 - m) / (v + 1/C), beta = C (C v + 2) / (1 + C v)^2 |
| `ConfidenceWeighted` | m < phi sqrt(v) | so that m = phi sqrt(v) |
| `SoftConfidenceWeighted` | m < phi sqrt(v) | the same, with a cap or a price C |

The offset moves as the weight of a feature that is always 1.
"""

from __future__ import annotations

import functools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from numbers import Real
from typing import Any, ClassVar, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import Interval, StrOptions

from novikoff._arrays import Array
from novikoff._messages import Message, Setting

__all__ = [
    "ALMA", "AROW", "NHERD", "ROMMA", "ConfidenceWeighted", "PassiveAggressive", "Perceptron",
    "Rule", "SecondOrder", "SoftConfidenceWeighted",
]  # fmt: skip


class Rule(BaseEstimator, ABC):
    """What all rules have: parameters, as scikit-learn's objects have them."""

    stops: ClassVar[bool] = False  # whether a run on separable data ends by itself

    @classmethod
    def _get_param_names(cls) -> list[str]:
        return list(cls._names())

    @classmethod
    @functools.cache
    def _names(cls) -> tuple[str, ...]:
        # scikit-learn reads the signature whenever it is asked, which a small fit would notice.
        return tuple(super()._get_param_names())

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

    def refuse_start(self, theta: Array, offset: Array, *, joint: bool) -> None:
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

    def refuse_start(self, theta: Array, offset: Array, *, joint: bool) -> None:
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


def _noted(name: str, margin: float, ties: str, **parameters: float | None) -> dict[str, Any]:
    """What is noted of a rule that no trace replays."""
    finite = {key: float(v) for key, v in parameters.items() if v is not None and math.isfinite(v)}
    return {"rule": name, "margin": margin, "ties": ties, "eta": 1.0, "parameters": finite}


class ALMA(Rule):
    """The approximately largest margin (Gentile 2001), with p = 2.

    Every x is brought to length 1, and theta, kept no longer than 1, moves by C / sqrt(k) at update
    number k, if y theta . x <= (1 - alpha) B / sqrt(k). On separable data, with the defaults for B
    and C, it comes to rest at a margin of at least (1 - alpha) times the largest. An update touches
    every weight.

    Parameters
    ----------
    alpha : float, default=0.9
        How far from the largest margin, above 0 and at most 1; 1 learns from mistakes only.
    B : float or None, default=None
        Scales the margin that is asked for; None is sqrt(8) / alpha.
    C : float, default=sqrt(2)
        Scales the step. Sample and class weights multiply it.

    Examples
    --------
    >>> from novikoff import OnlineClassifier, rules
    >>> clf = OnlineClassifier(rules.ALMA(), fit_intercept=False, order="cyclic", max_iter=1)
    >>> clf.fit([[3.0, 4.0], [-4.0, 3.0]], [1, 0]).coef_.round(2)
    array([[0.99, 0.14]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "alpha": [Interval(Real, 0, 1, closed="right")],
        "B": [Interval(Real, 0, None, closed="neither"), None],
        "C": [Interval(Real, 0, None, closed="neither")],
    }

    def __init__(self, alpha: float = 0.9, B: float | None = None, C: float = math.sqrt(2)) -> None:
        self.alpha = alpha
        self.B = B
        self.C = C

    @property
    def _margin(self) -> float:
        B = math.sqrt(8) / self.alpha if self.B is None else self.B
        return (1.0 - float(self.alpha)) * float(B)

    def told(self) -> Any:
        from novikoff.kernels.rules.alma import ALMARule

        return ALMARule(float(self.C), math.inf, self._margin)

    def noted(self) -> dict[str, Any]:
        return _noted("ALMA", self._margin, "mistake", alpha=self.alpha, B=self.B, C=self.C)


class ROMMA(Rule):
    """The relaxed online maximum margin algorithm (Li and Long 2002).

    On a mistake theta becomes the shortest vector that gives the example y s = 1 and keeps what all
    examples before it asked for, as far as the old theta tells. There is no step: sample and class
    weights change nothing. An update touches every weight.

    Parameters
    ----------
    aggressive : bool, default=False
        Learn from every example with y s < 1, not from mistakes only.
    ties : {"mistake", "sign"}, default="mistake"
        What y s = 0 is, unless aggressive: always a mistake, or one if h(x) = +1 is wrong.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "aggressive": ["boolean"],
        "ties": [StrOptions({"mistake", "sign"})],
    }

    def __init__(self, aggressive: bool = False, ties: str = "mistake") -> None:
        self.aggressive = aggressive
        self.ties = ties

    def told(self) -> Any:
        from novikoff.kernels.rules.romma import ROMMARule

        mistakes = not self.aggressive
        return ROMMARule(
            math.inf, float(self.aggressive), mistakes and self.ties == "mistake", mistakes
        )

    def noted(self) -> dict[str, Any]:
        if self.aggressive:
            return _noted("aggressive ROMMA", 1.0, "correct")
        return _noted("ROMMA", 0.0, self.ties)


class _Covariance(Rule):
    """What second-order rules have in common."""

    covariance: str
    _covariance: ClassVar[dict[str, list[Any]]] = {
        "covariance": [StrOptions({"diagonal", "full"})],
    }

    @property
    def _full(self) -> bool:
        return self.covariance == "full"


class SecondOrder(_Covariance):
    """The second-order perceptron (Cesa-Bianchi, Conconi and Gentile 2005).

    The perceptron in coordinates in which the mistakes so far look alike in all directions: theta
    is S times the sum of y x over the mistakes, S the inverse of a I + the sum of x x^T.

    Parameters
    ----------
    a : float, default=1.0
        What is added to the correlations of the mistakes; infinity would be the perceptron. Sample
        and class weights divide it.
    ties : {"mistake", "sign"}, default="mistake"
        What y s = 0 is: always a mistake, or one if h(x) = +1 is wrong.
    covariance : {"diagonal", "full"}, default="diagonal"
        Keep a number per feature, or a matrix: d^2 numbers, and d^2 time per update.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "a": [Interval(Real, 0, None, closed="neither")],
        "ties": [StrOptions({"mistake", "sign"})],
        **_Covariance._covariance,
    }

    def __init__(self, a: float = 1.0, ties: str = "mistake", covariance: str = "diagonal") -> None:
        self.a = a
        self.ties = ties
        self.covariance = covariance

    def told(self) -> Any:
        from novikoff.kernels.rules.arow import AROWRule

        return AROWRule(1.0, 0.0, float(self.a), self.ties == "mistake", True, self._full)

    def noted(self) -> dict[str, Any]:
        return _noted("second-order perceptron", 0.0, self.ties, a=self.a)


class AROW(_Covariance):
    """Adaptive regularisation of weights (Crammer, Kulesza and Dredze 2009).

    Parameters
    ----------
    r : float, default=1.0
        How little a single example counts: the larger, the smaller the steps. Sample and class
        weights divide it.
    covariance : {"diagonal", "full"}, default="diagonal"
        Keep a number per feature, or a matrix: d^2 numbers, and d^2 time per update.

    Examples
    --------
    >>> from novikoff import OnlineClassifier, rules
    >>> clf = OnlineClassifier(rules.AROW(r=1.0), fit_intercept=False, order="cyclic", max_iter=1)
    >>> clf.fit([[1.0, 0.0], [0.0, -1.0]], [1, 0]).coef_  # v = r = 1: half of what is missing
    array([[0.5, 0.5]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "r": [Interval(Real, 0, None, closed="neither")], **_Covariance._covariance,
    }  # fmt: skip

    def __init__(self, r: float = 1.0, covariance: str = "diagonal") -> None:
        self.r = r
        self.covariance = covariance

    def told(self) -> Any:
        from novikoff.kernels.rules.arow import AROWRule

        return AROWRule(1.0, 1.0, float(self.r), False, False, self._full)

    def noted(self) -> dict[str, Any]:
        return _noted("AROW", 1.0, "correct", r=self.r)


class NHERD(_Covariance):
    """Learning by Gaussian herding (Crammer and Lee 2010).

    Parameters
    ----------
    C : float, default=1.0
        The price of what is missing to a margin of 1; the step is AROW's with r = 1/C. Sample and
        class weights multiply it.
    covariance : {"diagonal", "full"}, default="diagonal"
        Keep a number per feature, or a matrix: d^2 numbers, and d^2 time per update.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "C": [Interval(Real, 0, None, closed="neither")], **_Covariance._covariance,
    }  # fmt: skip

    def __init__(self, C: float = 1.0, covariance: str = "diagonal") -> None:
        self.C = C
        self.covariance = covariance

    def told(self) -> Any:
        from novikoff.kernels.rules.herding import HerdingRule

        return HerdingRule(float(self.C), 1.0, self._full)

    def noted(self) -> dict[str, Any]:
        return _noted("NHERD", 1.0, "correct", C=self.C)


class ConfidenceWeighted(_Covariance):
    """Confidence-weighted learning (Crammer, Dredze and Pereira 2008).

    If theta were drawn from a normal distribution with covariance Sigma, every example should be
    right with probability eta. A wrong label moves theta as far as it takes to satisfy it, whatever
    its weight: sample and class weights change nothing. `SoftConfidenceWeighted` limits that.

    Parameters
    ----------
    eta : float, default=0.7
        The probability, above 0.5 and below 1.
    covariance : {"diagonal", "full"}, default="diagonal"
        Keep a number per feature, or a matrix: d^2 numbers, and d^2 time per update.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "eta": [Interval(Real, 0.5, 1, closed="neither")], **_Covariance._covariance,
    }  # fmt: skip

    def __init__(self, eta: float = 0.7, covariance: str = "diagonal") -> None:
        self.eta = eta
        self.covariance = covariance

    def told(self) -> Any:
        from novikoff.kernels.rules.confidence import ConfidenceRule

        return ConfidenceRule(math.inf, math.inf, _quantile(self.eta), False, self._full)

    def noted(self) -> dict[str, Any]:
        return _noted("CW", 0.0, "correct", eta=self.eta)


class SoftConfidenceWeighted(_Covariance):
    """Soft confidence-weighted learning (Wang, Zhao and Hoi 2012): SCW-I and SCW-II.

    Parameters
    ----------
    eta : float, default=0.7
        The probability with which an example should be right, see `ConfidenceWeighted`.
    C : float, default=1.0
        The largest step (SCW-I), or the price of what is missing (SCW-II). Sample and class weights
        multiply it.
    variant : {"I", "II"}, default="I"
        SCW-I or SCW-II.
    covariance : {"diagonal", "full"}, default="diagonal"
        Keep a number per feature, or a matrix: d^2 numbers, and d^2 time per update.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "eta": [Interval(Real, 0.5, 1, closed="neither")],
        "C": [Interval(Real, 0, None, closed="neither")],
        "variant": [StrOptions({"I", "II"})],
        **_Covariance._covariance,
    }

    def __init__(
        self, eta: float = 0.7, C: float = 1.0, variant: str = "I", covariance: str = "diagonal"
    ) -> None:
        self.eta = eta
        self.C = C
        self.variant = variant
        self.covariance = covariance

    def told(self) -> Any:
        from novikoff.kernels.rules.confidence import ConfidenceRule

        phi, squared = _quantile(self.eta), self.variant == "II"
        return ConfidenceRule(float(self.C), math.inf, phi, squared, self._full)

    def noted(self) -> dict[str, Any]:
        return _noted(f"SCW-{self.variant}", 0.0, "correct", eta=self.eta, C=self.C)


def _quantile(eta: float) -> float:
    """Of the normal distribution."""
    from statistics import NormalDist  # half as long to import as all that a small fit takes

    return NormalDist().inv_cdf(float(eta))


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
