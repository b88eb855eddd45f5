"""Properties that hold for all data, and two regressions from the field."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn import linear_model
from sklearn.utils import compute_class_weight

from novikoff import AveragedPerceptron, Perceptron, PocketPerceptron, VotedPerceptron, _jit
from tests.examples import examples

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

ESTIMATORS = [Perceptron, AveragedPerceptron, VotedPerceptron, PocketPerceptron]


def separable(seed, n, d, margin=1):
    """Integer points, labelled by an integer hyperplane, none closer to it than `margin`."""
    random = np.random.RandomState(seed)
    theta = random.randint(-5, 6, d)
    X = random.randint(-20, 21, (4 * n, d))
    s = X @ theta + random.randint(-5, 6)
    X, s = X[np.abs(s) >= margin][:n], s[np.abs(s) >= margin][:n]
    return X.astype(float), np.where(s > 0, 1, -1)


@examples(60)
@given(st.integers(0, 10**6), st.integers(4, 40), st.integers(1, 5))
def test_updates_are_bounded_by_the_theorem_on_integer_data(seed, n, d):
    random = np.random.RandomState(seed)
    theta = random.randint(-3, 4, d)
    X = random.randint(-9, 10, (n, d))
    keep = X @ theta != 0
    X, y = X[keep].astype(float), np.sign(X @ theta)[keep]
    assume(len(np.unique(y)) == 2)
    gamma = (y * (X @ theta)).min() / np.linalg.norm(theta)
    bound = (np.linalg.norm(X, axis=1).max() / gamma) ** 2
    clf = Perceptron(fit_intercept=False, max_iter=100_000).fit(X, y)
    assert clf.status_ == "separated"
    assert clf.n_updates_[0] <= bound * (1 + 1e-12)
    assert clf.score(X, y) == 1.0


@pytest.mark.parametrize("estimator", [Perceptron, AveragedPerceptron])
@examples(40)
@given(seed=st.integers(0, 10**6))
def test_swapping_the_classes_flips_theta(estimator, seed):
    random = np.random.RandomState(seed)
    X = random.randint(-3, 4, (12, 2)).astype(float)
    y = np.append(random.randint(0, 2, 10), [0, 1])
    a = estimator(max_iter=3).fit(X, y)
    b = estimator(max_iter=3).fit(X, 1 - y)
    np.testing.assert_array_equal(a.coef_, -b.coef_)
    np.testing.assert_array_equal(a.intercept_, -b.intercept_)


def test_under_sign_the_classes_are_not_alike():
    X, y = np.array([[1.0], [-1.0]]), np.array([0, 1])
    a = Perceptron(ties="sign", order="cyclic", max_iter=5).fit(X, y)
    b = Perceptron(ties="sign", order="cyclic", max_iter=5).fit(X, 1 - y)
    assert a.coef_[0, 0] == -b.coef_[0, 0]
    assert a.intercept_[0] == b.intercept_[0] == -1.0


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("scheme", ["ovr", "ovo", "joint"])
@pytest.mark.skipif(_jit._numba() is None, reason="plain Python runs one thread at a time")
def test_the_number_of_threads_changes_nothing(estimator, scheme):
    random = np.random.RandomState(0)
    X = random.standard_normal((120, 7))
    y = random.randint(0, 5, 120)
    for form in (X, sp.csr_array(X)):
        models = [
            estimator(multi_class=scheme, max_iter=4, n_jobs=n).fit(form, y) for n in (None, 2, 3)
        ]
        for other in models[1:]:
            np.testing.assert_array_equal(other.coef_, models[0].coef_)
            np.testing.assert_array_equal(other.n_updates_, models[0].n_updates_)
            np.testing.assert_array_equal(
                other.decision_function(X), models[0].decision_function(X)
            )


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_class_weights_are_sample_weights_by_class(estimator):
    random = np.random.RandomState(1)
    X, y = random.standard_normal((60, 3)), random.randint(0, 3, 60)
    by_class = {0: 0.5, 1: 2.0, 2: 1.0}
    a = estimator(class_weight=by_class, max_iter=5).fit(X, y)
    b = estimator(max_iter=5).fit(X, y, sample_weight=np.array([0.5, 2.0, 1.0])[y])
    np.testing.assert_array_equal(a.coef_, b.coef_)
    balanced = estimator(class_weight="balanced", max_iter=5).fit(X, y)
    weights = compute_class_weight("balanced", classes=np.arange(3), y=y)
    c = estimator(max_iter=5).fit(X, y, sample_weight=weights[y])
    np.testing.assert_array_equal(balanced.coef_, c.coef_)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_a_converged_run_does_not_depend_on_the_epochs_it_skips(estimator):
    X, y = separable(3, 30, 2)
    short = Perceptron().fit(X, y)
    a = estimator(max_iter=short.n_iter_ + 5).fit(X, y)
    assert a.status_ == "separated"
    assert a.n_iter_ == short.n_iter_
    if estimator is VotedPerceptron:
        assert a.survival_times_[0].sum() == len(y) * a.max_iter
    huge = estimator(max_iter=10**9).fit(X, y)  # returns at once
    assert huge.n_iter_ == short.n_iter_
    np.testing.assert_array_equal(huge.predict(X), y)


def test_random_order_converges_only_when_every_row_was_checked():
    """One contradictory pair in 200 rows: an epoch of draws may miss it, an exact pass cannot."""
    X, y = separable(5, 200, 2, margin=30)
    X, y = np.vstack([X, X[:1]]), np.append(y, -y[0])
    clf = Perceptron(order="random", max_iter=200).fit(X, y)
    assert clf.status_ == "epoch_limit"
    clf = Perceptron(order="random", max_iter=1000).fit(X[:-1], y[:-1])
    assert clf.status_ == "separated"
    assert clf.score(X[:-1], y[:-1]) == 1.0


@pytest.mark.parametrize("scheme", ["ovr", "ovo", "joint"])
def test_separated_means_a_training_score_of_one(scheme):
    random = np.random.RandomState(2)
    centres = np.array([[0, 9], [9, -5], [-9, -5]])
    y = random.randint(0, 3, 90)
    X = centres[y] + random.standard_normal((90, 2))
    clf = Perceptron(multi_class=scheme, max_iter=1000).fit(X, y)
    assert clf.status_ == "separated"
    assert clf.score(X, y) == 1.0


def test_the_decision_function_has_the_sign_of_the_prediction_on_the_boundary():
    """0.1 + 0.2 - 0.3 is not 0 in doubles, and its rounded sum depends on the order."""
    clf = Perceptron(fit_intercept=False, order="cyclic").fit(
        [[1.0, 1.0, 1.0], [-1.0, -1.0, -1.0]], [1, 0]
    )
    clf.coef_ = np.array([[0.1, 0.2, 0.3]])
    X = np.array([[1.0, 1.0, -1.0], [-1.0, -1.0, 1.0], [3.0, 0.0, -1.0], [2.0, -1.0, 0.0]])
    from fractions import Fraction

    exact = [
        sum(Fraction(a) * Fraction(b) for a, b in zip(row, clf.coef_[0], strict=True)) for row in X
    ]
    scores = clf.decision_function(X)
    assert [np.sign(s) for s in scores] == [(e > 0) - (e < 0) for e in exact]
    assert clf.predict(X).tolist() == [int(e >= 0) for e in exact]
    np.testing.assert_array_equal(clf.decision_function(sp.csr_array(X)), scores)


def test_field_sets_on_which_scikit_learn_stops_early_are_all_separated():
    """200 random separable sets: scikit-learn's default `tol` leaves mistakes on many of them."""
    unfinished = 0
    for seed in range(200):
        X, y = separable(seed, 60, 3)
        ours = Perceptron(max_iter=100_000, random_state=seed).fit(X, y)
        assert ours.status_ == "separated"
        assert ours.score(X, y) == 1.0
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            theirs = linear_model.Perceptron(random_state=seed).fit(X, y)
        unfinished += theirs.score(X, y) < 1.0 and not caught
    assert unfinished > 0


def test_field_dense_and_sparse_agree_with_a_large_intercept():
    """scikit-learn's sparse fit lets the intercept decay, so that it differs from its dense fit."""
    random = np.random.RandomState(0)
    X = (random.random((300, 20)) < 0.6).astype(float)
    y = (X.sum(axis=1) >= 13).astype(int)
    dense = Perceptron(max_iter=20).fit(X, y)
    sparse = Perceptron(max_iter=20).fit(sp.csr_matrix(X), y)
    np.testing.assert_array_equal(dense.coef_, sparse.coef_)
    np.testing.assert_array_equal(dense.intercept_, sparse.intercept_)
    assert abs(dense.intercept_[0]) > 5
    theirs = linear_model.Perceptron(max_iter=20, tol=None, shuffle=False)
    a = theirs.fit(X, y).intercept_[0]
    assert a != theirs.fit(sp.csr_matrix(X), y).intercept_[0]
