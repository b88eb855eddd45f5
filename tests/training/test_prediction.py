"""Predicted classes against fractions: on the boundary, next to it, in blocks, in every storage."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from novikoff import Perceptron, VotedPerceptron
from novikoff.geometry.cells import CellError
from novikoff.training.prediction import LinearModel, classes_of, decision_of
from novikoff.training.schemes import closed_scheme
from tests.examples import examples
from tests.reference import JointRun, Run, exact_score

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

CELLS = [0.0, 0.1, 0.2, 0.3, -0.1, -0.3, 1.0, -1.0, 1e8, 1e-8, 1e25, -1e-30, 1 / 3]


def exact_classes(theta, offset, X):
    found = [[exact_score(t, o, x) for t, o in zip(theta, offset, strict=True)] for x in X]
    if len(theta) == 1:
        return [int(s >= 0) for (s,) in found]
    return [scores.index(max(scores)) for scores in found]


def predicted(theta, offset, X):
    model = LinearModel(closed_scheme("ovr", max(len(theta), 2)), theta, offset)
    decision = decision_of(model, X).reshape(X.shape[0], -1)
    return classes_of(model, X).tolist(), np.sign(decision)


def storages(X):
    """X by rows, by columns, and sparse."""
    return X, np.asfortranarray(X), sp.csr_array(X)


@examples(80)
@given(
    st.integers(0, 10**6), st.sampled_from([1, 3, 6]), st.integers(1, 9),
    st.sampled_from([1, 3, 4, 5, 70]), st.sampled_from([np.float32, np.float64, np.int16]),
    st.sampled_from([np.float32, np.float64]),
)  # fmt: skip
def test_classes_are_those_of_exact_scores(seed, n_planes, d, n, dtype, theta_dtype):
    """Ties abound: few values, weights that cancel, classes with the same weights or twice them."""
    random = np.random.default_rng(seed)
    theta = random.choice(CELLS, (n_planes, d)).astype(theta_dtype)
    theta[-1] = theta[0] * random.choice([1, -1, 2])
    theta[:, d // 2 :] = -theta[:, : d - d // 2][:, ::-1]
    offset = random.choice([0.0, 0.0, 1.0, -1e-30], n_planes).astype(theta_dtype)
    X = random.choice([-2, -1, 0, 1, 3] if dtype == np.int16 else CELLS, (n, d)).astype(dtype)
    X[::2] = X[::2, ::-1] + X[::2]  # symmetric: such a row is on the boundary, but for rounding
    expected = exact_classes(theta, offset, X)
    signs = [[np.sign(exact_score(t, o, x)) for t, o in zip(theta, offset, strict=True)] for x in X]
    for stored in storages(X):
        classes, found = predicted(theta, offset, stored)
        assert classes == expected
        np.testing.assert_array_equal(found, np.array(signs, float))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rows_an_ulp_apart_are_told_apart(dtype):
    """x = (a, a) is on the boundary of theta = (1, -1); one step of either value leaves it."""
    a = np.random.default_rng(0).standard_normal(40).astype(dtype)
    above = np.nextafter(a, dtype(np.inf))
    for X, expected in (
        (np.column_stack([a, a]), [1, 0]),
        (np.column_stack([above, a]), [1, 0]),
        (np.column_stack([a, above]), [0, 1]),
    ):
        for padding in (0, 5, 31):  # so that sums are taken in lanes, and the rest one by one
            wide = np.pad(X, ((0, 0), (padding, padding)))
            theta = np.pad(np.array([[1.0, -1.0]], dtype), ((0, 0), (padding, padding)))
            for stored in storages(wide):
                assert predicted(theta, np.zeros(1, dtype), stored)[0] == [expected[0]] * 40
                both = np.concatenate([theta, -theta, theta])
                # Of three classes the first and the last are equal, and so are all on the boundary.
                classes = predicted(both, np.zeros(3, dtype), stored)[0]
                assert classes == [expected[1]] * 40


@pytest.mark.parametrize(("n_planes", "d"), [(1, 37), (3, 37), (6, 70), (10, 5)])
@pytest.mark.parametrize("dtype", [np.uint8, np.float32, np.float64])
def test_a_row_has_its_class_in_any_company(n_planes, d, dtype):
    random = np.random.default_rng(n_planes)
    X = (random.random((131, d)) * 200).astype(dtype)
    theta = random.standard_normal((n_planes, d))
    offset = random.standard_normal(n_planes)
    together = predicted(theta, offset, X)[0]
    assert together == exact_classes(theta, offset, X)
    for size in (1, 2, 63, 64, 65):
        parts = [predicted(theta, offset, X[i : i + size])[0] for i in range(0, 131, size)]
        assert np.concatenate(parts).tolist() == together
        assert predicted(theta, offset, np.asfortranarray(X[:size]))[0] == together[:size]
        sparse = [predicted(theta, offset, sp.csr_array(X[i : i + size]))[0] for i in (0, 60)]
        assert sparse == [together[:size], together[60 : 60 + size]]


@pytest.mark.parametrize(("n_planes", "d"), [(1, 37), (5, 6), (9, 70), (6, 130)])
@pytest.mark.parametrize("dtype", [np.uint8, np.float32, np.float64])
def test_scores_are_those_of_a_plain_loop(n_planes, d, dtype):
    """Product and sum are rounded for one feature after the other, however rows are stored."""
    random = np.random.default_rng(d)
    X = (random.random((70, d)) * 200).astype(dtype)
    kind = np.float32 if dtype == np.float32 else np.float64
    theta = random.standard_normal((n_planes, d)).astype(kind)
    offset = random.standard_normal(n_planes).astype(kind)
    expected = np.zeros((70, n_planes), kind)
    for j in range(d):
        expected += X[:, [j]].astype(kind) * theta[:, j]
    expected = expected.astype(float) + offset  # none is so small that its sign is in doubt
    model = LinearModel(closed_scheme("ovr", max(n_planes, 2)), theta, offset)
    for stored in storages(X):
        np.testing.assert_array_equal(decision_of(model, stored).reshape(70, -1), expected)


def test_what_is_too_close_to_zero_does_not_depend_on_how_zeros_are_stored():
    """Scores of two terms among 200 zeros, that are some units in the last place of either."""
    random = np.random.default_rng(0)
    for n_planes in (1, 3):
        theta = random.standard_normal((n_planes, 200))
        X = np.zeros((60, 200))
        X[:, 0] = random.standard_normal(60)
        X[:, 1] = -theta[0, 0] * X[:, 0] / theta[0, 1] * (1 + random.uniform(2, 150, 60) * 2**-53)
        model = LinearModel(closed_scheme("ovr", max(n_planes, 2)), theta, np.zeros(n_planes))
        dense, columns, sparse = (decision_of(model, stored) for stored in storages(X))
        np.testing.assert_array_equal(columns, dense)
        np.testing.assert_array_equal(sparse, dense)


def test_scores_beyond_what_a_sum_counts_still_break_ties():
    """One vote for each class; sums -1e304, 1e304 and 8e299, of which the second is the largest."""
    theta, x = np.array([[1e153], [-1e148], [9e148]]), np.full((3, 1), 1e151)
    model = LinearModel(closed_scheme("ovo", 3), theta, np.zeros(3))
    for stored in storages(x):
        assert classes_of(model, stored).tolist() == [1] * 3


def test_weights_that_are_whole_only_when_rounded_are_not_taken_for_whole():
    theta = np.array([[2.0**22], [2.0**22 + 0.25], [0.0]])
    assert (theta.astype(np.float32) % 1 == 0).all()
    for X in (np.ones((70, 1)), np.ones((70, 1), np.float32), np.pad(np.ones((70, 1)), (0, 80))):
        wide = np.pad(theta, ((0, 0), (0, X.shape[1] - 1)))
        expected = exact_classes(wide, np.zeros(3), X)
        assert expected[0] == 1
        for stored in storages(X):
            assert predicted(wide, np.zeros(3), stored)[0] == expected


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("scheme", ["ovr", "ovo"])
@pytest.mark.parametrize(("bad", "name"), [(np.nan, "NaN"), (np.inf, "infinity")])
def test_values_that_are_not_finite_are_refused_where_they_are(classes, scheme, bad, name):
    random = np.random.default_rng(0)
    X, y = random.standard_normal((200, 6)), random.integers(0, classes, 200)
    X[:, 3] = 0.0  # so that the weight of this feature is zero
    model = Perceptron(multi_class=scheme, max_iter=3).fit(X, y)
    assert not model.coef_[:, 3].any()
    X[170, 3], X[171, 0] = bad, np.nan
    for stored in (*storages(X), X.astype(np.float32)):
        for say in (model.predict, model.decision_function):
            with pytest.raises(ValueError, match=f"contains {name} at row 170, column 3"):
                say(stored)
    X[170, 3], X[171, 0] = 1e200, 1e-200  # finite, though their squares are not
    assert len({tuple(model.predict(stored)) for stored in storages(X)}) == 1


def test_values_beyond_single_precision_are_decided_exactly():
    theta = np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
    X = np.array([[1e300, -1e300], [1e-300, 0.0], [1e-300, 2e-300], [1e39, 1.0], [-1.0, -1e-50]])
    expected = exact_classes(theta, np.zeros(3), X)
    assert expected == [1, 0, 0, 0, 2]
    assert predicted(theta, np.zeros(3), X)[0] == expected


def test_more_rows_than_columns_take_at_a_time():
    """The last rows of blocks of columns; rows on the boundary in each of them."""
    random = np.random.default_rng(0)
    X = random.integers(-3, 4, (2600, 7)).astype(float)
    theta, offset = np.array([[1.0, -2, 0, 3, 1, -1, 2]]), np.array([1.0])
    scores = X @ theta[0] + offset[0]  # small integers: exact
    assert all((scores[first : first + 1024] == 0).any() for first in (0, 1024, 2048))
    columns = np.asfortranarray(X)
    classes, signs = predicted(theta, offset, columns)
    np.testing.assert_array_equal(classes, scores >= 0)
    np.testing.assert_array_equal(signs[:, 0], np.sign(scores))
    columns[2590, 6] = np.nan
    with pytest.raises(ValueError, match="NaN at row 2590, column 6"):
        predicted(theta, offset, columns)


@pytest.mark.parametrize("scheme", ["ovr", "joint"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.thorough
def test_votes_are_counted_right_across_blocks_of_hypotheses(scheme, dtype):
    """More hypotheses than are multiplied at once, some of which put rows on the boundary."""
    random = np.random.default_rng(3)
    X = np.concatenate([random.integers(-1, 2, (20, 3)), random.standard_normal((20, 3))])
    X, y = X.astype(dtype), random.integers(0, 3, 40)  # contradictory: it goes on for ever
    model = VotedPerceptron(multi_class=scheme, order="cyclic", max_iter=25).fit(X, y)
    queries = np.concatenate([X[::3], -X[:2], np.zeros((1, 3), dtype)])
    if scheme == "joint":
        oracle = JointRun(X, y, 3, epochs=25)
        assert len(oracle.rows) > 600
        expected = [oracle.votes(x) for x in queries]
    else:
        oracles = [Run(X, np.where(y == c, 1, -1), epochs=25) for c in range(3)]
        assert max(len(oracle.rows) for oracle in oracles) > 300
        expected = [[oracle.vote(x) for oracle in oracles] for x in queries]
    for stored in (queries, sp.csr_array(queries), queries[:1]):
        votes = model.decision_function(stored)
        np.testing.assert_array_equal(votes, np.array(expected, float)[: len(votes)])


@examples(60)
@given(st.integers(0, 10**6), st.integers(2, 5), st.sampled_from(["ovr", "ovo"]), st.booleans())
def test_votes_that_are_left_out_change_no_class(seed, n_classes, scheme, batches):
    """`decision_function` counts all of them: the first largest entry is the class."""
    random = np.random.default_rng(seed)
    n = random.integers(n_classes, 9)
    X, y = random.integers(-1, 2, (n, 3)), random.permutation(np.arange(n) % n_classes)
    model = VotedPerceptron(multi_class=scheme, order="cyclic", max_iter=random.integers(1, 9))
    if batches:  # classes that come later
        model.partial_fit(X[: n // 2], y[: n // 2]).partial_fit(X[n // 2 :], y[n // 2 :])
    else:
        model.fit(X, y)
    queries = np.concatenate([X, random.integers(-3, 4, (40, 3))]).astype(float)
    scores = model.decision_function(queries)
    best = scores >= 0 if scores.ndim == 1 else scores.argmax(axis=1)
    for stored in (queries, sp.csr_array(queries)):
        np.testing.assert_array_equal(model.predict(stored), model.classes_[best.astype(int)])


def exact_pair_winner(theta, offset, scheme, x):
    """The class with most votes; of several the one with the largest sum of its scores."""
    votes, sums = [0] * scheme.n_classes, [0] * scheme.n_classes
    for t, o, role in zip(theta, offset, scheme.roles, strict=True):
        score = exact_score(t, o, x)
        votes[role.positive if score >= 0 else role.negative] += 1
        sums[role.positive] += score
        sums[role.negative] -= score
    ranks = list(zip(votes, sums, strict=True))
    return ranks.index(max(ranks))


@examples(60)
@given(st.integers(0, 10**6), st.integers(1, 6), st.sampled_from([1, 3, 70]))
def test_pairs_are_won_by_exact_scores(seed, d, n):
    """Rows far from every boundary, on some, and with a vote for each class."""
    random = np.random.default_rng(seed)
    theta = random.choice(CELLS, (3, d))
    theta[2] = random.choice([-1, 1, 2]) * theta[0]  # 0 beats 1, 2 beats 0, and 1 beats 2 or not
    offset = random.choice([0.0, 0.0, 1.0, -1e-30], 3)
    X = random.choice(CELLS, (n, d))
    X[::2] = 0.0
    scheme = closed_scheme("ovo", 3)
    expected = [exact_pair_winner(theta, offset, scheme, x) for x in X]
    for stored in storages(X):
        assert classes_of(LinearModel(scheme, theta, offset), stored).tolist() == expected


@pytest.mark.parametrize(("name", "n_classes"), [("ovo", 3), ("ovr", 3), ("ovr", 2)])
def test_of_rows_that_are_not_finite_the_first_is_named(name, n_classes):
    scheme = closed_scheme(name, n_classes)
    model = LinearModel(scheme, np.ones((len(scheme.roles), 2)), np.zeros(len(scheme.roles)))
    X = np.ones((100, 2))
    X[20] = 0.0  # on every boundary
    X[70, 1], X[80, 0] = np.inf, np.nan
    for stored in storages(X):
        for asked in (classes_of, decision_of):
            with pytest.raises(CellError) as caught:
                asked(model, stored)
            assert caught.value.args[1] == 70
