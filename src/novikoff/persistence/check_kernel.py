"""Checks of the kernel perceptron: its kernel, its support rows, its updates, its budget."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from novikoff.persistence.check_linear import check_classes, check_shown, is_fitted
from novikoff.persistence.check_votes import check_chains
from novikoff.persistence.checks import array_of, floats, integers, number, whole
from novikoff.persistence.errors import require
from novikoff.training.budget import Forgetron, Projectron, RandomRemoval
from novikoff.training.dual_learned import DualHistory, DualLearned, DualSpec
from novikoff.training.gram import Gram
from novikoff.training.schemes import Scheme

_FITTED = (
    "classes_", "n_features_in_", "dual_coef_", "support_", "support_vectors_", "n_updates_",
    "learned_",
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
    require(type(history.scheme) is Scheme, "a history has no scheme.")
    require(type(history.chains) is tuple, "a history has no updates.")
    check_chains(history.chains, history.scheme)
    steps = all(chain.numbers.shape[1] == 1 for chain in history.chains)
    require(steps, "the updates of a kernel perceptron have one number each.")


def check_dual_learned(learned: Any) -> None:
    """Refuse what a run has learned if its parts do not go together."""
    scheme, X, history, policy = learned.scheme, learned.X, learned.history, learned.policy
    require(type(scheme) is Scheme and type(learned.gram) is Gram, "a kernel model is none.")
    keeps = type(learned.keep) is str and learned.keep in ("last", "mean", "vote")
    require(keeps and type(learned.spec) is DualSpec, "what was learned does not say how.")
    n_support = len(integers(learned.numbers, (None,), "the numbers of the support rows"))
    if not sp.issparse(X):
        require(type(X) is np.ndarray and X.ndim == 2, "there are no support rows.")
    require(X.dtype.kind in "biuf", "the support rows are no numbers.")
    values = X.data if sp.issparse(X) else X
    require(bool(np.isfinite(values).all()), "the support rows are not finite.")
    expected = 0 if learned.gram.precomputed else n_support
    require(X.shape[0] == expected, f"there are not {expected} support rows.")
    n_planes = len(scheme.roles)
    array_of(learned.coef, (np.float64,), (n_support, n_planes), "the coefficients")
    integers(learned.n_updates, (n_planes,), "a number of updates")
    count = whole(learned.count, "the number of examples")
    whole(learned.n_rows, "the number of rows")
    if learned.epoch_rows is not None:
        whole(learned.epoch_rows, "the rows of an epoch", 1)
    if history is None:
        require(learned.keep == "last", "a vote needs a history.")
        require(type(policy) in (RandomRemoval, Forgetron, Projectron), "a budget has no policy.")
        if type(policy) is Projectron:
            require(len(policy.factor) >= n_support, "a projection lacks its factor.")
    else:
        require(policy is None, "a budget leaves no history.")
        require(type(history) is DualHistory, "a kernel model has no history.")
        require(history.scheme == scheme, "the history is of another scheme.")
        check_chains(history.chains, scheme, n_support, [count] * n_planes)


def check_kernel(estimator: Any) -> None:
    if not is_fitted(estimator, _FITTED):
        return
    n_classes = check_classes(estimator.classes_, estimator.n_features_in_, estimator)
    learned = estimator.learned_
    require(type(learned) is DualLearned, "KernelPerceptron has learned nothing.")
    scheme, n_support = learned.scheme, len(learned.numbers)
    require(scheme.n_classes == n_classes, "KernelPerceptron knows other classes than its model.")
    width = int(estimator.n_features_in_)
    if learned.gram.precomputed:
        integers(learned.numbers, (None,), "the numbers of the support rows", 0, width)
    else:
        require(learned.X.shape[1] == width, f"the support rows do not have {width} features.")
    array_of(estimator.dual_coef_, (np.float64,), (scheme.n_shown, n_support), "dual_coef_")
    integers(estimator.support_, (n_support,), "support_")
    check_shown(estimator, scheme)


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
    "DualLearned": check_dual_learned,
    "KernelPerceptron": check_kernel,
    "RandomRemoval": check_random_removal,
    "Forgetron": check_forgetron,
    "Projectron": check_projectron,
}
