"""Budgets against plain loops: the same decisions, rows and coefficients, bit for bit.

The kernel is a matrix of values, so nothing but the sums is rounded.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from novikoff import KernelPerceptron
from novikoff.training.budget import shrinking
from tests.estimators.budget_loops import ForgetronLoop, ProjectronLoop, RandomLoop
from tests.examples import examples

FORGETTING = [("random", RandomLoop), ("oldest", ForgetronLoop)]
BLOCKS = [1, 3, 512]


def fitted(G, labels, block=512, **parameters):
    clf = KernelPerceptron(kernel="precomputed", **parameters)
    clf._most_rows = block
    return clf.fit(G, labels)


def drawn(random, numbers, n_classes, n=24):
    """A kernel matrix and labels: half the time those of separate clusters."""
    labels = np.append(np.arange(n_classes), random.randint(0, n_classes, n - n_classes))
    centres = random.choice([0, 5]) * random.randint(-2, 3, (n_classes, 2))
    if numbers == "integers":
        X = random.randint(-3, 4, (n, 2)) + centres[labels]
        return ((1 + X @ X.T) ** 2).astype(float), labels
    X = random.standard_normal((n, 2)) + centres[labels]
    if numbers == "linear":
        return X @ X.T, labels
    return np.exp(-0.1 * ((X[:, None] - X) ** 2).sum(axis=2)), labels


@pytest.mark.parametrize(("policy", "loop"), FORGETTING)
@examples(40)
@given(
    seed=st.integers(0, 10**6),
    numbers=st.sampled_from(["integers", "linear", "rbf"]),
    scheme=st.sampled_from(["binary", "ovr", "joint"]),
    kind=st.sampled_from(["cyclic", "shuffled", "random"]),
    block=st.sampled_from(BLOCKS),
    budget=st.integers(1, 7),
)
def test_forgetting_leaves_no_trace(policy, loop, seed, numbers, scheme, kind, block, budget):
    """Every decision is that of a sum over the rows that are kept, the oldest first."""
    random = np.random.RandomState(seed)
    G, labels = drawn(random, numbers, 2 if scheme == "binary" else 3)
    want = loop(G.tolist(), labels.tolist(), budget, joint=scheme == "joint")
    n_iter, separated = want.run(kind, 6, np.random.RandomState(5))
    clf = fitted(
        G, labels, block, budget=budget, budget_policy=policy, order=kind, max_iter=6,
        random_state=5, multi_class="joint" if scheme == "joint" else "ovr",
    )  # fmt: skip
    assert (clf.n_iter_, clf.status_ == "separated") == (n_iter, separated)
    assert clf.support_.tolist() == want.support
    assert clf.dual_coef_.T.tolist() == want.coef
    assert clf.n_updates_.tolist() == want.n_updates


@pytest.mark.parametrize(("policy", "loop"), FORGETTING)
def test_no_hyperplane_rests_while_others_forget(policy, loop):
    """What one of them forgets, all forget: an epoch without a mistake settles nothing alone."""
    n_separated = 0
    for seed in range(25):
        random = np.random.RandomState(seed)
        labels = np.arange(12) % 3
        X = 0.3 * random.standard_normal((12, 2)) + np.array([[0, 4], [3, -2], [-3, -2]])[labels]
        X[:3] = random.standard_normal((3, 2))
        G = np.exp(-0.1 * ((X[:, None] - X) ** 2).sum(axis=2))
        clf = fitted(G, labels, budget=4, budget_policy=policy, order="cyclic", max_iter=15)
        want = loop(G.tolist(), labels.tolist(), 4)
        n_iter, separated = want.run("cyclic", 15, np.random.RandomState(0))
        assert (clf.n_iter_, clf.status_ == "separated") == (n_iter, separated)
        assert clf.support_.tolist() == want.support
        if clf.status_ == "separated":
            n_separated += 1
            assert want.right_on_all_rows()
            assert clf.score(G, labels) == 1.0
    assert 0 < n_separated < 25


@examples(40)
@given(
    seed=st.integers(0, 10**6),
    joint=st.booleans(),
    block=st.sampled_from(BLOCKS),
    budget=st.integers(1, 7),
    threshold=st.sampled_from([0.0, 0.25]),
)
def test_the_projectron_is_that_of_exact_fractions_where_no_score_is_tied(
    seed, joint, block, budget, threshold
):
    """Projections are quotients, which doubles round: a tie after one is for rounding to break.

    The loop follows the decisions of the fit, which `survival_times_` tells, and accepts one that
    is not its own only where its own score is on the threshold. Joint: until any two scores tie.
    """
    random = np.random.RandomState(seed)
    n, n_epochs = 16, 2
    G, labels = drawn(random, "integers", 3 if joint else random.randint(2, 4), n)
    clf = fitted(
        G, labels, block, budget=budget, budget_policy="project", projection_threshold=threshold,
        order="cyclic", max_iter=n_epochs, multi_class="joint" if joint else "ovr",
    )  # fmt: skip
    times = [set(1 + np.cumsum(survival)[:-1]) for survival in clf.survival_times_]
    exact = [[int(value) for value in row] for row in G]
    loop = ProjectronLoop(
        exact, labels.tolist(), budget, joint=joint, threshold=Fraction(threshold)
    )
    for t in range(1, n * clf.n_iter_ + 1):
        i = (t - 1) % n
        scores = loop.scores(i)
        want = loop.steps(i, scores)
        if joint:
            if any(want) != (t in times[0]):
                assert len(set(scores)) < len(scores)
            if len(set(scores)) < len(scores) and loop.support:
                return
            loop.update(i, want)
            continue
        sides = [1 if labels[i] == k else -1 for k in loop.classes]
        got = [side * (t in mine) for side, mine in zip(sides, times, strict=True)]
        for score, mine, its in zip(scores, got, want, strict=True):
            assert mine == its or score == 0
        loop.update(i, got)
    assert clf.support_.tolist() == loop.support
    np.testing.assert_allclose(clf.dual_coef_.T, np.array(loop.coef, float), rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("policy", ["random", "oldest", "project"])
@pytest.mark.parametrize("scheme", ["ovr", "joint"])
@pytest.mark.parametrize("numbers", ["integers", "linear", "rbf"])
def test_the_block_size_changes_no_bit(policy, scheme, numbers):
    for seed in range(2):
        G, labels = drawn(np.random.RandomState(seed), numbers, 3)
        fits = [
            fitted(G, labels, block, budget=4, budget_policy=policy, multi_class=scheme)
            for block in BLOCKS
        ]
        for clf in fits[1:]:
            np.testing.assert_array_equal(clf.support_, fits[0].support_)
            np.testing.assert_array_equal(clf.dual_coef_, fits[0].dual_coef_)
            np.testing.assert_array_equal(clf.n_updates_, fits[0].n_updates_)


@examples(300)
@given(a=st.floats(-50, 50), b=st.floats(0.01, 50), c=st.floats(-50, -0.01))
@example(a=-0.7727183103412532, b=1.5454366206825068, c=-0.7727183103412535)  # rounded up at 1
def test_shrinking_is_the_largest_factor_that_is_allowed(a, b, c):
    phi = shrinking(a, b, c)
    grid = np.linspace(0, 1, 1001)[1:]
    allowed = grid[a * grid**2 + b * grid + c <= 0]
    assert 0 < phi <= 1
    assert a * phi**2 + b * phi + c <= 1e-9 * (abs(a) + b - c)
    assert len(allowed) == 0 or phi >= allowed[-1] - 1e-9
