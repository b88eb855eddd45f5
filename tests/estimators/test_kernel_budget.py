"""Budgets: what they promise, and each policy against its paper.

See `test_kernel_budget_loops` for the decisions, bit for bit.
"""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics.pairwise import rbf_kernel

from novikoff import KernelPerceptron

POLICIES = ["random", "oldest", "project"]
RANDOM = np.random.RandomState(7)
X = RANDOM.standard_normal((150, 3))
BINARY = (np.linalg.norm(X, axis=1) > 1.5).astype(int)
THREE = BINARY + (X[:, 0] > 0.8)


def model(block=512, **parameters):
    clf = KernelPerceptron(**parameters)
    clf._most_rows = block
    return clf


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("scheme", ["ovr", "joint"])
@pytest.mark.parametrize(
    "order", ["cyclic", pytest.param("shuffled", marks=pytest.mark.thorough), "random"]
)
@pytest.mark.parametrize("budget", [1, 2, 17])
def test_a_budget_counts_distinct_rows_and_is_never_exceeded(policy, scheme, order, budget):
    options = {"budget": budget, "budget_policy": policy, "multi_class": scheme, "order": order}
    clf = model(20, max_iter=3, **options).fit(X[:70], THREE[:70])
    assert len(clf.support_) == len(set(clf.support_.tolist())) == budget
    assert clf.dual_coef_.shape == (3, budget)
    np.testing.assert_array_equal(clf.support_vectors_, X[clf.support_])
    online = model(20, **options)
    for i in range(0, 70, 7):
        online.partial_fit(X[i : i + 7], THREE[i : i + 7], classes=[0, 1, 2])
        assert len(online.support_) <= budget
        np.testing.assert_array_equal(online.support_vectors_, X[online.support_])


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("scheme", ["ovr", "joint"])
def test_a_budget_that_is_never_spent_changes_nothing(policy, scheme):
    """For the Projectron because no kernel function of these rows lies in the others' span."""
    options = {"gamma": 2.0, "multi_class": scheme, "max_iter": 4}
    free = model(**options).fit(X, THREE)
    bound = model(budget=1000, budget_policy=policy, **options).fit(X, THREE)
    assert set(bound.support_) == set(free.support_)
    np.testing.assert_array_equal(bound.n_updates_, free.n_updates_)
    sorted_coef = bound.dual_coef_[:, np.argsort(bound.support_)]
    np.testing.assert_allclose(sorted_coef, free.dual_coef_, rtol=1e-9)
    np.testing.assert_array_equal(bound.predict(X), free.predict(X))


def test_the_projectron_stores_nothing_that_lies_in_the_span():
    """A quadratic kernel on two features has six dimensions: six rows are enough for ever."""
    rows = RANDOM.standard_normal((80, 2))
    y = RANDOM.randint(0, 2, 80)
    options = {"kernel": "poly", "degree": 2, "gamma": 1.0, "coef0": 1.0, "max_iter": 3}
    free = model(**options).fit(rows, y)
    bound = model(budget=50, budget_policy="project", **options).fit(rows, y)
    assert len(bound.support_) == 6 < len(free.support_)
    np.testing.assert_array_equal(bound.n_updates_, free.n_updates_)
    np.testing.assert_allclose(
        bound.decision_function(rows), free.decision_function(rows), rtol=1e-6, atol=1e-6
    )


def test_a_threshold_makes_the_projectron_sparser():
    sizes = [
        len(
            model(budget=100, budget_policy="project", projection_threshold=threshold)
            .fit(X, BINARY)
            .support_
        )
        for threshold in (0.0, 0.1, 0.3, 0.9)
    ]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] < sizes[0]


@pytest.mark.parametrize("block", [1, 8, 512])
@pytest.mark.parametrize("budget", [5, 30])
def test_the_forgetron_follows_the_paper(block, budget):
    y = np.where(BINARY == 1, 1, -1)
    G = np.exp(-0.5 * ((X[:, None] - X[None]) ** 2).sum(axis=2))
    support, sigma, damage, mistakes = [], np.zeros(0), 0.0, 0
    for i in [*range(150)] * 2:
        if y[i] * (G[i, support] @ (sigma * y[support])) > 0:
            continue
        mistakes += 1
        if i in support:
            sigma[support.index(i)] += 1
            continue
        support, sigma = [*support, i], np.append(sigma, 1.0)
        if len(support) > budget:
            r = support[0]
            mu = y[r] * (G[r, support] @ (sigma * y[support]))

            def psi(phi, weight=sigma[0], mu=mu):
                return (phi * weight) ** 2 + 2 * phi * weight - 2 * phi * weight * phi * mu

            grid = np.linspace(0, 1, 20001)[1:]
            fine = grid[damage + psi(grid) <= 15 / 32 * mistakes]
            damage, sigma = damage + psi(fine[-1]), sigma * fine[-1]
            support, sigma = support[1:], sigma[1:]
    clf = model(
        block, gamma=0.5, budget=budget, budget_policy="oldest", order="cyclic", max_iter=2
    ).fit(X, BINARY)
    np.testing.assert_array_equal(clf.support_, support)
    np.testing.assert_allclose(clf.dual_coef_[0], sigma * y[support], rtol=0.02)
    assert clf.n_updates_ == [mistakes]
    assert clf.learned_.policy.damage <= 15 / 32 * mistakes + 1e-9


@pytest.mark.parametrize("block", [1, 8, 512])
@pytest.mark.parametrize("labels", [BINARY, THREE])
def test_the_projectron_follows_the_paper(block, labels):
    G = np.exp(-0.5 * ((X[:, None] - X[None]) ** 2).sum(axis=2))
    classes = [1] if labels.max() == 1 else [0, 1, 2]
    y = np.array([np.where(labels == k, 1, -1) for k in classes])
    support, a = [], np.zeros((len(classes), 0))
    for i in range(150):
        steps = np.where(y[:, i] * (a @ G[support, i]) <= 0, y[:, i], 0)
        if not steps.any():
            continue
        weights = np.linalg.solve(G[np.ix_(support, support)], G[support, i])
        distance = np.sqrt(max(0.0, G[i, i] - weights @ G[support, i]))
        if len(support) == 25 or distance <= 0.4:
            a = a + np.outer(steps, weights)
        else:
            support, a = [*support, i], np.column_stack([a, steps])
    clf = model(
        block, gamma=0.5, budget=25, budget_policy="project", projection_threshold=0.4,
        order="cyclic", max_iter=1,
    ).fit(X, labels)  # fmt: skip
    np.testing.assert_array_equal(clf.support_, support)
    np.testing.assert_allclose(clf.dual_coef_, a, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("known", [True, False])
def test_batches_of_any_size_are_one_cyclic_epoch(policy, known):
    """Late classes included; they inherit what the classes before them kept."""
    order = np.argsort(THREE, kind="stable")
    rows, y = X[order], THREE[order]
    rows, y = np.vstack([rows[:70], rows[-70:]]), np.append(y[:70], y[-70:])
    options = {"gamma": 0.5, "budget": 12, "budget_policy": policy}
    whole = model(order="cyclic", max_iter=1, **options).fit(rows, y)
    online = model(**options)
    for part in np.split(np.arange(140), [1, 2, 10, 75, 139]):
        online.partial_fit(rows[part], y[part], classes=[0, 1, 2] if known else None)
        online = pickle.loads(pickle.dumps(online))
    np.testing.assert_array_equal(online.classes_, whole.classes_)
    np.testing.assert_array_equal(online.support_, whole.support_)
    np.testing.assert_allclose(online.dual_coef_, whole.dual_coef_, rtol=1e-6)
    np.testing.assert_array_equal(online.n_updates_, whole.n_updates_)
    assert not hasattr(online, "survival_times_")
    assert sum(whole.survival_times_[0]) == 140


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("order", ["shuffled", "random"])
def test_sparse_rows_and_precomputed_values_are_the_same(policy, order):
    options = {"budget": 15, "budget_policy": policy, "order": order, "max_iter": 3}
    want = model(32, gamma=0.5, **options).fit(X, THREE)
    sparse = model(32, gamma=0.5, **options).fit(sp.csr_array(X), THREE)
    values = rbf_kernel(X, gamma=0.5)
    table = model(32, kernel="precomputed", **options).fit(values, THREE)
    for got, rows in ((sparse, sp.csr_array(X)), (table, values)):
        np.testing.assert_array_equal(got.support_, want.support_)
        np.testing.assert_allclose(got.dual_coef_, want.dual_coef_, rtol=1e-6)
        np.testing.assert_array_equal(got.predict(rows), want.predict(X))


@pytest.mark.parametrize("policy", POLICIES)
def test_what_a_stream_leaves_behind_does_not_grow(policy):
    clf = model(gamma=0.5, budget=10, budget_policy=policy)
    sizes = []
    for _ in range(6):
        rows = RANDOM.standard_normal((200, 3))
        clf.partial_fit(rows, (rows[:, 0] * rows[:, 1] > 0).astype(int))
        sizes.append(len(pickle.dumps(clf)))
    assert clf.n_updates_[0] > 200
    assert max(sizes[1:]) - min(sizes[1:]) < 50


def test_a_budget_needs_a_few_rows_to_be_useful():
    """Rings: hard for a line, easy for an rbf kernel with a fifth of the rows."""
    full = model(gamma=0.5, max_iter=10).fit(X, BINARY).score(X, BINARY)
    assert full > 0.95
    for policy in POLICIES:
        clf = model(gamma=0.5, budget=30, budget_policy=policy, max_iter=10).fit(X, BINARY)
        assert clf.score(X, BINARY) > 0.75
