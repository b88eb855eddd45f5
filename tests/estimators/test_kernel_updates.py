"""Every update of a run, and the kernel's values, as the kernel perceptron tells them."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics.pairwise import pairwise_kernels

from novikoff import KernelPerceptron

RANDOM = np.random.RandomState(5)
X = RANDOM.randint(-3, 4, (40, 2))
Y = RANDOM.randint(0, 3, 40)
WEIGHTS = RANDOM.randint(0, 3, 40)


def quadratic(**parameters):
    return KernelPerceptron(kernel="poly", degree=2, gamma=1.0, coef0=1.0, **parameters)


def textbook(rows, sides, weights, n_epochs):
    """(row, step, time) of every update of one hyperplane, in Python's integers."""
    steps, made = [0] * len(rows), []
    visits = [n for n in range(len(rows)) if weights[n]] * n_epochs
    for time, n in enumerate(visits, start=1):
        score = sum(
            a * (1 + sum(int(u) * int(v) for u, v in zip(rows[n], z, strict=True))) ** 2
            for a, z in zip(steps, rows, strict=True)
        )
        if sides[n] * score <= 0:
            steps[n] += int(sides[n] * weights[n])
            made.append((n, sides[n] * weights[n], time))
    return made


@pytest.mark.parametrize("vote", ["last", "averaged"])
def test_updates_are_those_of_the_textbook(vote):
    clf = quadratic(order="cyclic", max_iter=2, vote=vote).fit(X, Y, sample_weight=WEIGHTS)
    for k in range(3):
        made = textbook(X, np.where(k == Y, 1, -1), WEIGHTS, 2)
        assert list(zip(*clf.updates(k), strict=True)) == made
        assert clf.n_updates_[k] == len(made)


@pytest.mark.parametrize("multi_class", ["ovr", "joint"])
@pytest.mark.parametrize("batches", [0, 3])
def test_the_steps_of_all_updates_are_the_coefficients(multi_class, batches):
    clf = quadratic(multi_class=multi_class, max_iter=3)
    if batches:
        for part in np.array_split(np.arange(40), batches):
            clf.partial_fit(X[part], Y[part], classes=[0, 1, 2])
    else:
        clf.fit(X, Y)
    for k in range(3):
        row, step, time = clf.updates(k)
        total = np.zeros(40)
        np.add.at(total, row, step)
        np.testing.assert_array_equal(total[clf.support_], clf.dual_coef_[k])
        assert np.count_nonzero(total) == np.count_nonzero(clf.dual_coef_[k])
        assert len(row) == clf.n_updates_[k]
        assert (np.diff(time) > 0).all()
        if multi_class == "ovr":
            np.testing.assert_array_equal(time, 1 + np.cumsum(clf.survival_times_[k])[:-1])
    row[:], step[:], time[:] = 0, 0, 0  # copies, of which the model knows nothing
    assert clf.updates(2)[2].any()


def test_updates_that_are_not_there():
    with pytest.raises(ValueError, match="comes from a budget"):
        KernelPerceptron(budget=5).fit(X, Y).updates()
    clf = KernelPerceptron().fit(X, Y)
    for hyperplane in (3, -1):
        with pytest.raises(ValueError, match=rf"no hyperplane {hyperplane}.*0 \.\.\. 2"):
            clf.updates(hyperplane)


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf", "sigmoid"])
def test_kernel_values_are_scikit_learns(kernel):
    rows, queries = RANDOM.standard_normal((2, 40, 3))
    clf = KernelPerceptron(kernel=kernel, coef0=0.5).fit(rows, Y)
    given = {} if kernel == "linear" else {"gamma": 1.0 / (3 * rows.var())}
    given |= {"coef0": 0.5} if kernel in ("poly", "sigmoid") else {}
    given |= {"degree": 3} if kernel == "poly" else {}
    for A, B in ((queries, None), (queries, rows[:7]), (sp.csr_array(queries), rows)):
        want = pairwise_kernels(A, A if B is None else B, metric=kernel, **given)
        np.testing.assert_allclose(clf.kernel_values(A, B), want, rtol=1e-10, atol=1e-12)
    scores = clf.kernel_values(queries, clf.support_vectors_) @ clf.dual_coef_.T
    np.testing.assert_allclose(clf.decision_function(queries), scores, rtol=1e-10, atol=1e-12)


def test_kernel_values_that_are_not_there():
    clf = KernelPerceptron(kernel="precomputed").fit(X @ X.T, Y)
    with pytest.raises(ValueError, match="knows the values it was given"):
        clf.kernel_values(X @ X.T)
    clf = KernelPerceptron().fit(X, Y)
    with pytest.raises(ValueError, match=r"1 features.*expecting 2"):
        clf.kernel_values(X, X[:, :1])
