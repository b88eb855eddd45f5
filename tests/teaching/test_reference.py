"""The reference run is the library's, decision by decision, in every kind and convention."""

import itertools
import random
import warnings

import numpy as np
import pytest

from novikoff import (
    AveragedPerceptron,
    KernelPerceptron,
    PassiveAggressiveClassifier,
    Perceptron,
    PocketPerceptron,
    VotedPerceptron,
)
from novikoff.teaching.reference import outcomes
from novikoff.teaching.task import task_of

TESTS = tuple(itertools.product((-2, -1, 0, 1, 2), repeat=2))
ESTIMATORS = {
    "perceptron": Perceptron, "margin": Perceptron, "averaged": AveragedPerceptron,
    "voted": VotedPerceptron, "pocket": PocketPerceptron,
}  # fmt: skip


def random_points(generator):
    n = generator.randint(2, 7)
    X = tuple((generator.randint(-3, 3), generator.randint(-3, 3)) for _ in range(n))
    y = [generator.choice((-1, 1)) for _ in range(n)]
    y[:2] = (1, -1)
    return X, tuple(y), generator.randint(1, 5)


def fitted(model, X, y, start):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that the epochs ran out
        if start is None:
            return model.fit(np.array(X, float), np.array(y))
        theta, offset = start
        intercept = [offset] if model.fit_intercept else None
        return model.fit(np.array(X, float), np.array(y), [theta], intercept)


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("ties", ["mistake", "sign", "correct"])
@pytest.mark.parametrize("kind", ESTIMATORS)
@pytest.mark.parametrize("start", [None, ((1, -2), 1)])
def test_the_run_is_the_librarys(kind, ties, fit_intercept, start):
    if kind == "margin" and ties == "sign":
        pytest.skip("a sign has no margin")
    if ties == "correct" and start is None and kind != "margin":
        pytest.skip("never learns")
    if start is not None and not fit_intercept:
        start = (start[0], 0)
    task = task_of(kind=kind, ties=ties, fit_intercept=fit_intercept, start=start)
    generator = random.Random(0)
    for _ in range(20):
        X, y, T = random_points(generator)
        (run,) = outcomes(task, X, y, T, test=TESTS)
        model = ESTIMATORS[kind](
            max_iter=T, order="cyclic", ties=ties, fit_intercept=fit_intercept,
            margin=float(task.margin),
        )  # fmt: skip
        fitted(model, X, y, start)
        if kind != "averaged":  # a mean is rounded, and its boundary with it
            np.testing.assert_array_equal(model.predict(np.array(TESTS, float)), run.predictions)
        assert model.n_updates_[0] == len(run.updates)
        if kind == "voted":
            survived = [c for _, _, c in run.votes]
            np.testing.assert_array_equal(model.survival_times_[0], survived)
        else:
            np.testing.assert_allclose(
                model.coef_[0], [float(a) for a in run.theta], rtol=1e-14, atol=1e-14
            )
            np.testing.assert_allclose(
                model.intercept_[0], float(run.offset), rtol=1e-14, atol=1e-14
            )


@pytest.mark.parametrize("ties", ["mistake", "sign"])
def test_the_kernel_run_is_the_librarys(ties):
    task, generator = task_of(kind="kernel", ties=ties), random.Random(1)
    for _ in range(20):
        X, y, T = random_points(generator)
        (run,) = outcomes(task, X, y, T, test=TESTS)
        model = KernelPerceptron(
            kernel="poly", degree=2, gamma=1.0, coef0=1.0, max_iter=T, order="cyclic", ties=ties
        )
        fitted(model, X, y, None)
        np.testing.assert_array_equal(model.predict(np.array(TESTS, float)), run.predictions)
        alpha = np.zeros(len(X))
        alpha[model.support_] = np.abs(model.dual_coef_[0])
        np.testing.assert_array_equal(alpha, run.alpha)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_the_passive_aggressive_run_is_the_librarys(fit_intercept):
    task, generator = task_of(kind="pa", C=0.5, fit_intercept=fit_intercept), random.Random(2)
    for _ in range(20):
        X, y, T = random_points(generator)
        (run,) = outcomes(task, X, y, T)
        model = PassiveAggressiveClassifier(
            C=0.5, loss="hinge", max_iter=T, order="cyclic", fit_intercept=fit_intercept
        )
        fitted(model, X, y, None)
        np.testing.assert_allclose(
            model.coef_[0], [float(a) for a in run.theta], rtol=1e-9, atol=1e-9
        )
