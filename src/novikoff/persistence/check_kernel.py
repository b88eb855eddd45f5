"""Checks of the kernel perceptron: its kernel, its support rows, its updates, its budget."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from novikoff.persistence.check_linear import check_classes, check_shown, is_fitted
from novikoff.persistence.check_votes import check_chains
from novikoff.persistence.checks import array_of, floats, integers, number, whole
from novikoff.persistence.errors import require

_FITTED = (
    "classes_", "n_features_in_", "dual_coef_", "support_", "support_vectors_", "n_updates_",
    "_model", "_coef", "_policy", "_vote", "_count", "_n_rows", "_epoch_rows", "_n_updates",
    "_learned_with",
)  # fmt: skip
_LARGEST_DEGREE = 2**16  # a power takes that many steps
_KERNELS = ("linear", "poly", "rbf", "sigmoid", "precomputed")


def check_gram(gram: Any) -> None:
    require(type(gram.kernel) is str and gram.kernel in _KERNELS, "a kernel is none.")
    integral = isinstance(gram.degree, (int, np.integer)) and 0 <= gram.degree <= _LARGEST_DEGREE
    require(integral, "the degree of a kernel is none.")
    number(gram.gamma, "gamma")
    number(gram.coef0, "coef0")
    require(type(gram.dense) is bool or isinstance(gram.dense, np.bool_), "a kernel is none.")


def check_dual_history(history: Any) -> None:
    from novikoff.training.schemes import Scheme

    require(type(history.scheme) is Scheme, "a history has no scheme.")
    require(type(history.chains) is tuple, "a history has no updates.")
    unknown = [2**62] * len(history.chains)
    check_chains(history.chains, history.scheme, 2**62, unknown)


def check_dual_model(model: Any) -> None:
    from novikoff.training.dual_history import DualHistory
    from novikoff.training.gram import Gram
    from novikoff.training.schemes import Scheme

    require(type(model.scheme) is Scheme and type(model.gram) is Gram, "a kernel model is none.")
    numbers = integers(model.numbers, (None,), "the numbers of the support rows")
    n_support = len(numbers)
    if not sp.issparse(model.X):
        require(type(model.X) is np.ndarray and model.X.ndim == 2, "there are no support rows.")
    require(model.X.dtype.kind in "biuf", "the support rows are no numbers.")
    values = model.X.data if sp.issparse(model.X) else model.X
    require(bool(np.isfinite(values).all()), "the support rows are not finite.")
    expected = 0 if model.gram.precomputed else n_support
    require(model.X.shape[0] == expected, f"there are not {expected} support rows.")
    if model.history is not None:
        require(type(model.history) is DualHistory, "a kernel model has no history.")
        require(model.history.scheme == model.scheme, "the history is of another scheme.")
        unknown = [2**62] * len(model.history.chains)
        check_chains(model.history.chains, model.scheme, n_support, unknown)


def check_kernel(estimator: Any) -> None:
    from novikoff.training.dual_history import DualModel

    if not is_fitted(estimator, _FITTED):
        return
    n_classes = check_classes(estimator.classes_, estimator.n_features_in_, estimator)
    model = estimator._model
    require(type(model) is DualModel, "KernelPerceptron has no model.")
    scheme = model.scheme
    require(scheme.n_classes == n_classes, "KernelPerceptron knows other classes than its model.")
    n_support, n_planes = len(model.numbers), len(scheme.roles)
    width = int(estimator.n_features_in_)
    if model.gram.precomputed:
        integers(model.numbers, (None,), "the numbers of the support rows", 0, width)
    else:
        require(model.X.shape[1] == width, f"the support rows do not have {width} features.")
    doubles = (np.float64,)
    array_of(estimator.dual_coef_, doubles, (scheme.n_shown, n_support), "dual_coef_")
    array_of(estimator._coef, doubles, (n_support, n_planes), "the coefficients")
    integers(estimator.support_, (n_support,), "support_")
    integers(estimator._n_updates, (n_planes,), "_n_updates")
    check_shown(estimator, scheme)
    count = whole(estimator._count, "_count")
    whole(estimator._n_rows, "_n_rows")
    if estimator._epoch_rows is not None:
        whole(estimator._epoch_rows, "_epoch_rows", 1)
    require(estimator._vote in ("last", "averaged", "voted"), "KernelPerceptron has no vote.")
    learned = estimator._learned_with
    require(type(learned) is tuple and len(learned) == 7, "KernelPerceptron forgot its kernel.")
    if model.history is None:
        require(estimator._vote == "last", "a vote needs a history.")
        _check_policy(estimator)
    else:
        require(estimator._policy is None, "a budget leaves no history.")
        check_chains(model.history.chains, scheme, n_support, [count] * n_planes)


def _check_policy(estimator: Any) -> None:
    from novikoff.training.budget import Forgetron, Projectron, RandomRemoval

    policy = estimator._policy
    require(type(policy) in (RandomRemoval, Forgetron, Projectron), "a budget has no policy.")
    if type(policy) is Projectron:
        size = len(estimator._model.numbers)
        require(len(policy.factor) >= size, "a projection lacks its factor.")


def check_policy(policy: Any) -> None:
    require(isinstance(policy.budget, (int, np.integer)) and policy.budget > 0, "a budget is none.")


def check_random_removal(policy: Any) -> None:
    check_policy(policy)
    require(type(policy.random) is np.random.RandomState, "a budget has no random state.")


def check_forgetron(policy: Any) -> None:
    check_policy(policy)
    whole(policy.n_updates, "the number of updates")
    for value in (policy.damage, policy.largest):
        require(isinstance(value, (float, int)) and np.isfinite(value), "a damage is none.")


def check_projectron(policy: Any) -> None:
    check_policy(policy)
    require(isinstance(policy.threshold, (float, int)), "a threshold is none.")
    factor = floats(policy.factor, (None, None), "the factor of a projection")
    require(factor.dtype == np.float64, "the factor of a projection holds no doubles.")
    require(factor.shape[0] == factor.shape[1], "the factor of a projection is not square.")


CHECKS = {
    "Gram": check_gram,
    "DualHistory": check_dual_history,
    "DualModel": check_dual_model,
    "KernelPerceptron": check_kernel,
    "RandomRemoval": check_random_removal,
    "Forgetron": check_forgetron,
    "Projectron": check_projectron,
}
