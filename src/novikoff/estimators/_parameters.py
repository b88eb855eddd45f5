"""The parameters of the linear classifiers: their descriptions, and what values they take."""

from __future__ import annotations

import functools
import re
import types
from collections.abc import Callable
from numbers import Integral, Real
from typing import Any, ClassVar, TypeVar

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

    @classmethod
    def _get_param_names(cls) -> list[str]:
        return list(cls._names())

    @classmethod
    @functools.cache
    def _names(cls) -> tuple[str, ...]:
        # scikit-learn reads the signature whenever it is asked, which a small fit would notice.
        return tuple(super()._get_param_names())

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


Class = TypeVar("Class", bound=type)

PARAMETERS = """\
fit_intercept : bool, default=True
        Learn an offset theta_0. Without it the hyperplane passes through the origin.
    margin : float, default=0.0
        The threshold beta of the margin rule: an example must score y * s above it.
    ties : {"mistake", "sign", "correct"}, default="mistake"
        What an example exactly on the threshold is. "mistake": y * s <= margin triggers an update.
        "sign": h(x) != y does, where h = +1 at s = 0; only without a margin. "correct":
        y * s < margin does; refused where nothing could ever be a mistake.
    order : {"shuffled", "cyclic", "random"}, default="shuffled"
        A new permutation each epoch; rows 1 ... n each epoch; or n draws with replacement.
    max_iter : int, default=<max_iter>
        The most epochs that run. A run ends earlier when it has converged.
    eta0 : float, default=1.0
        The step of an update. From a zero start, without a margin and but for rounding, it scales
        theta and changes no prediction.
    multi_class : {"auto", "ovr", "ovo", "joint"}, default="auto"
        More than two classes: one hyperplane per class, one per pair, or one weight vector per
        class that are updated together. All hyperplanes learn in the same pass over the rows.
        "auto" is "ovo" for up to 30 classes whose pairs have at most 2**22 weights together, else
        "joint", and "ovr" where "joint" is not possible; `multi_class_` says which. scikit-learn's
        linear classifiers are "ovr".
    class_weight : dict, "balanced" or None, default=None
        Multiplies the step of an example, or the C of a rule that has one, by the weight of its
        class.
    early_stopping : bool, default=False
        Set validation rows aside and stop when the accuracy on them no longer improves.
    validation_fraction : float, default=0.1
        The share of rows set aside, stratified by class.
    n_iter_no_change : int, default=5
        How many epochs without a strict improvement end the run.
    warm_start : bool, default=False
        Let `fit` start from the last hypothesis of the fit before; counters start anew.
    record_trace : bool, default=False
        Keep every update of `fit`, and a copy of X, in `trace_`.
    random_state : int, RandomState instance or None, default=0
        Draws the validation split and the visiting orders. By default the same data gives the
        same model.
    n_jobs : int or None, default=None
        Threads that share the hyperplanes of a multiclass model ("ovr", "ovo"). The result does
        not depend on it; it pays for dense rows.
    verbose : int, default=0
        1 prints a line per epoch: its number, the updates of all hyperplanes, the share of rows
        that asked for one, and seconds; after the first epoch also the progressive error. Before, a
        line if something is compiled."""

ATTRIBUTES = """\
classes_ : ndarray of shape (n_classes,)
        The labels, sorted; of two, the first is -1 and the second +1.
    multi_class_ : {"binary", "ovr", "ovo", "joint"}
        What was done about more than two classes.
    coef_ : ndarray of shape (n_hyperplanes, n_features)
        theta. Two classes have one hyperplane.
    intercept_ : ndarray of shape (n_hyperplanes,)
        theta_0.
    status_ : {"separated", "epoch_limit", "early_stopped"}
        How `fit` ended. "separated": every hyperplane went over all rows without an update.
    n_iter_ : int
        Epochs that ran, the largest over all hyperplanes.
    n_updates_ : ndarray of shape (n_hyperplanes,)
        Updates made.
    n_mistakes_ : int
        Wrong predictions over the run, each example predicted by the current hypothesis before it
        was learned from. For two classes and for joint ones, where it costs nothing to count.
    progressive_error_ : float
        Their share in the first epoch: an honest estimate of the error while learning. After
        `partial_fit`, their share of all rows so far.
    mistake_counts_ : ndarray of shape (n_samples,) or (n_hyperplanes, n_samples)
        How often each row triggered an update of `fit`: alpha, with theta = sum alpha_n y_n x_n
        for unit steps from a zero start.
    trace_ : Trace, or a list with one per hyperplane
        With ``record_trace=True``: every update of `fit`, and a copy of X to replay them on. An
        update of joint classes is in the traces of both that it moved. The hypotheses it goes
        through are those of training; of the averaged perceptron the last one is `last_coef_`, of
        the pocket perceptron `coef_` is the last of its `replacements`.
    n_features_in_ : int
        How many columns X had.
    feature_names_in_ : ndarray of shape (n_features,)
        If X had column names."""


def documented(estimator: Class) -> Class:
    """Fill in the shared descriptions where the class's docstring has their placeholders.

    ``<parameters>`` and ``<attributes>`` stand for all of them, ``<shared>`` for the parameters
    that belong to no rule, ``<ties>`` for that of `ties`.
    """
    max_iter = estimator.__init__.__kwdefaults__["max_iter"]  # type: ignore[misc]  # not a subclass's
    parameters = PARAMETERS.replace("<max_iter>", str(max_iter))
    entries = re.split(r"\n    (?=\w)", parameters)
    shared = "\n    ".join(e for e in entries if e.split(" :")[0] not in ("margin", "ties", "eta0"))
    text = (estimator.__doc__ or "").replace("<parameters>", parameters)
    text = text.replace("<shared>", shared).replace("<attributes>", ATTRIBUTES)
    for entry in [*entries, *re.split(r"\n    (?=\w)", ATTRIBUTES)]:
        text = text.replace(f"<{entry.split(' :')[0]}>", entry)
    estimator.__doc__ = text
    return estimator


def with_defaults(**changed: Any) -> Callable[[Class], Class]:
    """Give a class an `__init__` of its own: the inherited one, with some other defaults.

    scikit-learn reads an estimator's parameters from the signature of ``__init__``, so a subclass
    that only changes a default would otherwise have to repeat all of it. And errors name the class
    that a function was made for.
    """

    def given(estimator: Class) -> Class:
        function: Any = vars(estimator.__base__)["__init__"]
        copy = types.FunctionType(function.__code__, function.__globals__, function.__name__)
        functools.update_wrapper(copy, function)
        del copy.__dict__["__wrapped__"]  # or inspect.signature would show the original's defaults
        copy.__kwdefaults__ = {**function.__kwdefaults__, **changed}
        copy.__qualname__ = f"{estimator.__name__}.__init__"
        setattr(estimator, "__init__", copy)  # noqa: B010  (types are those of the base)
        return estimator

    return given
