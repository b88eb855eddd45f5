"""Checks of hyperplanes: schemes, states, and the linear estimators made of them."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, get_type_hints

import numpy as np

from novikoff._arrays import Array
from novikoff.certificates.results import MaxMargin
from novikoff.persistence.checks import check_beside, floats, integers, number, whole
from novikoff.persistence.errors import require
from novikoff.training.schemes import Role, Scheme, closed_scheme, open_scheme
from novikoff.training.state import State, kept_beside

_FITTED = ("classes_", "coef_", "intercept_", "n_features_in_")
_TRAINED = ("learned_", "n_updates_")


def is_fitted(estimator: Any, names: tuple[str, ...]) -> bool:
    """Whether an estimator has all the fitted attributes; some of them is an error."""
    missing = [name for name in names if name not in vars(estimator)]
    # The features may be known before the rest is: a fit that failed leaves them.
    found = [n for n in names if n not in missing and n != "n_features_in_"]
    kind = type(estimator).__name__
    require(not (missing and found), f"{kind} is half fitted: it lacks {', '.join(missing)}.")
    return not missing


def check_classes(classes: Any, n_features: Any, estimator: Any) -> int:
    """Refuse labels that are unsound, and names of features that are none; how many labels."""
    kind = type(estimator).__name__
    n_classes = check_labels(classes, f"{kind}.classes_")
    whole(n_features, f"{kind}.n_features_in_", 1)
    names = vars(estimator).get("feature_names_in_")
    require(
        names is None or (type(names) is np.ndarray and names.shape == (n_features,)),
        f"{kind}.feature_names_in_ does not name {n_features} features.",
    )
    return n_classes


def check_labels(classes: Any, what: str) -> int:
    """Refuse labels that are not sorted; how many they are."""
    require(type(classes) is np.ndarray and classes.ndim == 1, f"{what} is no array.")
    require(len(classes) > 0, f"{what} is empty.")
    if classes.dtype == object:
        texts = all(isinstance(label, str) for label in classes)
        numbers = all(isinstance(label, (bool, int, float, np.number)) for label in classes)
        require(texts or numbers, f"{what} holds neither texts nor numbers.")
    # A label is numbered by a search, which must not lead beyond the last class.
    rising = bool((classes[1:] > classes[:-1]).all()) and bool((classes == classes).all())
    require(rising, f"{what} is not sorted.")
    return len(classes)


def check_scheme(scheme: Any) -> None:
    """Refuse a scheme that the library would not have made."""
    n_classes = whole(scheme.n_classes, "the number of classes", 1)
    require(
        type(scheme.name) is str and type(scheme.open) is bool and type(scheme.n_shown) is int
        and type(scheme.roles) is tuple
        and all(type(role) is Role and all(type(c) is int for c in role) for role in scheme.roles),
        "a scheme is none.",
    )  # fmt: skip
    # Before it is built, for it would be large: are there as many hyperplanes as it has?
    if scheme.name == "ovo":
        expected = n_classes * (n_classes - 1) // 2 + 2 * n_classes * scheme.open
    else:
        expected = n_classes - (scheme.name == "binary") + scheme.open
    require(len(scheme.roles) == expected, f"a scheme has {len(scheme.roles)} hyperplanes.")
    made: Scheme | None = None
    if scheme.open and scheme.name in ("ovr", "ovo"):
        made = open_scheme(scheme.name, n_classes)
    elif scheme.name == "binary" and n_classes == 2:
        made = closed_scheme("ovr", 2)
    elif scheme.name in ("ovr", "ovo", "joint") and n_classes > 2:
        made = closed_scheme(scheme.name, n_classes)
    require(made == scheme, "a scheme has hyperplanes that no training makes.")


def check_state(state: Any) -> None:
    theta = floats(state.theta, (None, None), "theta")
    n_planes, width = theta.shape
    require(n_planes > 0 and width > 0, f"theta has the shape {theta.shape}.")
    require(theta.flags.c_contiguous or theta.flags.f_contiguous, "theta is scattered.")
    offset = floats(state.offset, (n_planes,), "the offset")
    require(offset.dtype == theta.dtype, "theta and the offset are of different types.")
    integers(state.counts, (n_planes,), "a counter", 0, 2**62)
    require(type(state.beside) is dict, "what is kept beside theta has no names.")
    require(number(state.constant, "the constant") in (0.0, 1.0), "the constant is not 0 or 1.")


def _check_planes(estimator: Any, scheme: Any) -> int:
    """Check what predicts; the number of features."""
    kind = type(estimator).__name__
    n_classes = check_classes(estimator.classes_, estimator.n_features_in_, estimator)
    require(scheme.n_classes == n_classes, f"{kind} has the scheme of other classes.")
    width = int(estimator.n_features_in_)
    _check_pair(estimator, "coef_", "intercept_", (scheme.n_shown, width))
    if "last_coef_" in vars(estimator) or "last_intercept_" in vars(estimator):
        _check_pair(estimator, "last_coef_", "last_intercept_", (scheme.n_shown, width))
    return width


def _check_pair(estimator: Any, coef: str, intercept: str, shape: tuple[int, int]) -> None:
    values: dict[str, Any] = vars(estimator)
    thetas = floats(values.get(coef), shape, coef)
    offsets = floats(values.get(intercept), shape[:1], intercept)
    require(thetas.dtype == offsets.dtype, f"{coef} and {intercept} are of different types.")


def check_rule(rule: Any) -> None:
    """Refuse a rule, as kernels take it, with numbers that are none."""
    sound = type(rule.size) is float and rule.size > 0.0  # inf is the largest C
    threshold = number(rule.threshold, "a threshold") if rule.BOUNDED else rule.threshold
    sound &= threshold >= 0.0 if rule.BOUNDED else threshold == math.inf
    require(sound, "a rule has no numbers.")
    for name, kind in get_type_hints(type(rule)).items():  # float or bool
        told = getattr(rule, name)
        sound = type(told) is kind and not math.isnan(told)
        require(sound, f"a rule's {name} is {str(told)[:40]}.")


def check_is_rule(rule: Any) -> None:
    """Refuse what is no rule that kernels take; its numbers are checked as it is read."""
    require(hasattr(type(rule), "NUMBERS"), "what was learned has no rule.")


def check_learned(learned: Any) -> None:
    """Refuse what a run has learned if its parts do not go together."""
    from novikoff.persistence.check_votes import check_vote
    from novikoff.training.keepers import KEEPERS
    from novikoff.training.votes import History

    scheme, state = learned.scheme, learned.state
    require(type(scheme) is Scheme and type(state) is State, "what was learned has no state.")
    check_is_rule(learned.rule)
    n_planes = len(scheme.roles)
    require(len(state.theta) == n_planes, f"there are weights of {len(state.theta)} hyperplanes.")
    require(
        type(learned.keep) is str and learned.keep in KEEPERS
        and type(learned.multi_class) is str and learned.multi_class in ("ovr", "ovo", "joint")
        and type(learned.fit_intercept) is bool,
        "what was learned does not say how.",
    )  # fmt: skip
    require(scheme.name in ("binary", learned.multi_class), "it has another run's hyperplanes.")
    require(learned.fit_intercept == (state.constant == 1.0), "it does not know its offset.")
    kept = kept_beside(learned.rule, averaged=learned.keep == "mean")
    check_beside(state.beside, kept, *state.theta.shape)
    integers(learned.n_updates, (n_planes,), "a number of updates", 0, 2**62)
    n_seen = whole(learned.n_seen, "the number of rows", 1)
    integers(learned.n_wrong, (scheme.n_counted,), "the number of mistakes", 0, n_seen + 1)
    voted = learned.history is not None
    require(voted == (learned.keep == "vote"), "a vote needs a history, and nothing else does.")
    if voted:
        require(type(learned.history) is History, "a history is none.")
        check_vote(learned.history, scheme, state)
        require(type(learned.history.rule) is type(learned.rule), "the vote has another rule.")


def check_linear(estimator: Any) -> None:
    from novikoff.training.spec import Learned

    if not is_fitted(estimator, _FITTED + _TRAINED):
        return
    learned, kind = estimator.learned_, type(estimator).__name__
    require(type(learned) is Learned, f"{kind} has learned nothing.")
    width = _check_planes(estimator, learned.scheme)
    shape = learned.state.theta.shape
    require(shape[1] == width, f"{kind} has weights of shape {shape} for {width} features.")
    check_shown(estimator, learned.scheme)


def check_shown(estimator: Any, scheme: Any) -> None:
    """What is shown to the user only; of the right shape all the same."""
    integers(estimator.n_updates_, (scheme.n_shown,), "n_updates_")
    taken = vars(estimator).get("multi_class_", "ovr")  # a kernel perceptron has none
    require(taken in ("binary", "ovr", "ovo", "joint"), "multi_class_ is no scheme.")
    times = vars(estimator).get("survival_times_", [])
    require(type(times) is list, "survival_times_ is no list.")
    for each in times:
        integers(each, (None,), "survival_times_")


def check_max_margin(estimator: Any) -> None:
    if not is_fitted(estimator, (*_FITTED, "certificate_", "support_", "weights_")):
        return
    width = _check_planes(estimator, closed_scheme("ovr", 2))
    found = estimator.certificate_
    require(type(found) is MaxMargin, "MaxMarginClassifier has no certificate.")
    require(found.theta.shape == (width,), "the certificate is about other features.")


def check_certificate(found: Any) -> None:
    _exact_numbers(found.theta, "the certificate's theta")
    _exact_numbers(found.weights, "the certificate's weights")
    integers(found.support, found.weights.shape, "the certificate's support")
    number(found.margin, "the margin")
    number(found.upper_bound, "the margin's upper bound")
    sound = type(found.shape) is tuple and len(found.shape) == 2
    require(sound and all(type(n) is int for n in found.shape), "the certificate has no shape.")
    require(type(found.digest) is str, "the certificate has no digest.")


def _exact_numbers(array: Any, what: str) -> None:
    require(type(array) is np.ndarray and array.ndim == 1, f"{what} is no array.")
    numbers: Array = array
    if numbers.dtype == object:
        sound = all(type(value) in (float, int, Fraction, np.float64) for value in numbers)
        require(sound, f"{what} holds no numbers.")
    else:
        floats(numbers, (None,), what)


CHECKS = {
    "Scheme": check_scheme,
    "State": check_state,
    "Learned": check_learned,
    "LinearClassifier": check_linear,
    "a rule": check_rule,
    "MaxMarginClassifier": check_max_margin,
    "MaxMargin": check_certificate,
}
