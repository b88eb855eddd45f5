"""From an estimator to the run it describes, and from a run to the model it has learned.

This is the bridge between two vocabularies: `theta`, `offset`, classes numbered 0 ... C - 1 on the
inside; `coef_`, `intercept_`, `classes_` on the outside. `fit` and `partial_fit` cross it, and so
does whoever else runs an estimator: on a stream, on a cluster.
"""

from __future__ import annotations

import warnings
from typing import Any

from sklearn.exceptions import ConvergenceWarning

from novikoff._arrays import Array, Ints
from novikoff.estimators._parameters import Parameters
from novikoff.training.keepers import LastKeeper
from novikoff.training.loop import Ending
from novikoff.training.spec import Learned, RunSpec


def spec_of(estimator: Any) -> RunSpec:
    """The run an estimator describes; a TypeError for what is no linear classifier of ours."""
    if not isinstance(estimator, Parameters):
        ours = hasattr(estimator, "predict") and type(estimator).__module__.startswith("novikoff.")
        name, why = type(estimator).__name__, " It needs all rows in memory." if ours else ""
        if isinstance(estimator, type):
            name, why = "a class", f" Give it an estimator, such as {estimator.__name__}()."
        raise TypeError(
            f"Only the linear classifiers of this library are trained in pieces, not {name}.{why}"
        )
    spec: RunSpec = estimator.describe()
    return spec


def settings_of(estimator: Any) -> dict[str, str]:
    """What makes two runs the same run, but for the data; parameters of a rule included."""
    found = {"estimator": type(estimator).__name__}
    parameters = estimator.get_params(deep=True).items()
    for name, value in sorted(parameters, key=lambda item: "__" in item[0]):  # a rule, then its own
        if name not in ("n_jobs", "verbose", "max_iter"):
            found[name] = type(value).__name__ if hasattr(value, "get_params") else repr(value)
    return found


def adopt(
    estimator: Any,
    spec: RunSpec,
    classes: Array,
    learner: Any,
    keeper: LastKeeper,
    ending: Ending,
    n_updates: Ints,
    *,
    first_wrong: float | None = None,
    feature_names: Array | None = None,
) -> None:
    """Let an estimator become the model that a run made elsewhere has learned.

    n_updates : (K,) of all hyperplanes
    first_wrong : the share of wrong predictions in the first epoch, where it was counted
    """
    estimator.__dict__.pop("feature_names_in_", None)
    if feature_names is not None:
        estimator.feature_names_in_ = feature_names
    estimator.n_features_in_ = learner.state.theta.shape[1]
    attributes = attributes_of(spec, classes, learner, keeper, n_updates)
    conclude(estimator, attributes, ending, first_wrong)


def conclude(
    estimator: Any, attributes: dict[str, Any], ending: Ending, first_wrong: float | None
) -> None:
    """Let an estimator become the model that `attributes` describe, at the end of a run."""
    forget(estimator)
    estimator.__dict__.update(attributes)
    estimator.status_ = ending.status
    estimator.n_iter_ = ending.n_iter
    if first_wrong is not None:
        estimator.progressive_error_ = first_wrong


def forget(estimator: Any) -> None:
    """Drop what an earlier run left behind and this one may not set."""
    for name in (
        "trace_", "status_", "n_iter_", "mistake_counts_", "n_mistakes_", "progressive_error_",
        "last_coef_", "last_intercept_",
    ):  # fmt: skip
        estimator.__dict__.pop(name, None)


def attributes_of(
    spec: RunSpec,
    classes: Array,
    learner: Any,
    keeper: LastKeeper,
    n_updates: Ints,
    *,
    over: bool = False,
) -> dict[str, Any]:
    """The fitted attributes that make up the model, as the run stands.

    over : whether the run is, so that its state need not be copied
    """
    scheme = learner.scheme
    state = learner.state if over else learner.state.snapshot()
    coef, intercept = keeper.weights()
    attributes = {
        "classes_": classes,
        "coef_": coef,
        "intercept_": intercept,
        "multi_class_": "binary" if scheme.binary else scheme.name,
        "n_updates_": n_updates[: scheme.n_shown].copy(),
        "learned_": Learned(
            spec.rule, spec.keep, spec.multi_class, spec.fit_intercept, scheme, state,
            n_updates.copy(), learner.n_wrong.copy(), learner.n_seen, keeper.history(),
        ),
    }  # fmt: skip
    if scheme.predicts_while_learning:
        attributes["n_mistakes_"] = int(learner.n_wrong[0])
    if spec.keep in ("mean", "pocket"):
        attributes["last_coef_"], attributes["last_intercept_"] = keeper.last()
    return attributes


def warn_of_limit(estimator: Any, spec: RunSpec, limit: str, *, stacklevel: int) -> None:
    """Warn if a run for the last hypothesis of a rule that stops by itself has met `limit`."""
    stops = estimator.learning_rule.stops and spec.keep == "last"
    if stops and estimator.status_ == "epoch_limit":
        warnings.warn(
            f"Still making mistakes after {limit}={estimator.n_iter_}. "
            "novikoff.separability(X, y) tells whether the classes are linearly separable: if "
            f"so, raise {limit}; if not, no perceptron ever stops, and AveragedPerceptron is "
            "the better classifier.",
            ConvergenceWarning,
            stacklevel=stacklevel,  # past fit and scikit-learn's wrapper of it: the caller's line
        )
