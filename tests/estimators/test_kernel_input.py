"""Kernels, matrices and budgets that are wrong, and errors that say so."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import NotFittedError

from novikoff import KernelPerceptron

RANDOM = np.random.RandomState(0)
X = RANDOM.standard_normal((40, 3))
Y = (X[:, 0] > 0).astype(int)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"kernel": "cosine"}, "kernel.*among"),
        ({"degree": -1}, "degree"),
        ({"degree": 2.5}, "degree"),
        ({"gamma": -1.0}, "gamma"),
        ({"gamma": "large"}, "gamma"),
        ({"vote": "all"}, "vote.*among"),
        ({"multi_class": "ovo"}, "multi_class.*among"),
        ({"budget": 0}, r"budget.*\[1, inf\).*Got 0"),
        ({"budget": -3}, "budget.*Got -3"),
        ({"budget_policy": "newest"}, "budget_policy.*among"),
        ({"cache_mb": 0}, "cache_mb"),
        ({"budget": 5, "vote": "voted"}, "needs every hypothesis.*vote=.last."),
        ({"budget": 5, "vote": "averaged"}, "needs every hypothesis"),
        ({"ties": "correct"}, "never learns.*margin above 0"),
        ({"ties": "sign", "margin": 1.0}, "knows no margin"),
        ({"class_weight": {0: -1.0}}, "class_weight of 0 is -1"),
    ],
)
def test_bad_parameters_say_what_is_wrong(parameters, message):
    with pytest.raises(ValueError, match=message):
        KernelPerceptron(**parameters).fit(X, Y)


def returning(change):
    def kernel(A, B):
        return change(A @ B.T)

    return kernel


def spoilt(values):
    values = values.copy()
    values[-1, 0] = np.nan
    return values


@pytest.mark.parametrize("budget", [None, 10])
@pytest.mark.parametrize(
    ("kernel", "message"),
    [
        (returning(lambda K: K[:-1]), r"returned an array of shape \(39, 40\) for 40 and 40 rows"),
        (returning(lambda K: K[0]), r"returned an array of shape \(40,\)"),
        (returning(lambda K: K.sum()), r"returned an array of shape \(\)"),
        (returning(spoilt), "given kernel is nan between row 39 and training row 0; .*finite"),
        (returning(lambda K: K * np.inf), "given kernel is -?inf between row"),
    ],
)
def test_a_kernel_that_returns_nonsense(kernel, message, budget):
    with pytest.raises(ValueError, match=message):
        KernelPerceptron(kernel=kernel, order="cyclic", budget=budget).fit(X, Y)


def test_kernels_that_overflow_say_where_and_what_to_do():
    with pytest.raises(ValueError, match=r"poly kernel is inf between row \d+ and.*Scale"):
        KernelPerceptron(kernel="poly", degree=40, gamma=1.0).fit(1e10 * X, Y)
    with pytest.raises(ValueError, match=r"score of row 0 overflowed.*Scale"):
        KernelPerceptron(kernel="linear", order="cyclic").fit(
            [[1e154], [-1e154], [1e154]], [1, 0, 1], sample_weight=[1.9, 1.0, 1.0]
        )


@pytest.mark.parametrize("vote", ["last", "averaged", "voted"])
def test_what_overflows_after_training_is_an_error_too(vote):
    rows, y = [[1.0], [-1.0]], [1, 0]
    options = {"kernel": "linear", "order": "cyclic", "max_iter": 10, "vote": vote}
    clf = KernelPerceptron(**options)
    if vote == "averaged":
        with pytest.raises(ValueError, match=r"dual coefficients overflowed.*smaller weights"):
            clf.fit(rows, y, sample_weight=[1e308, 1.0])
    clf.fit(rows, y, sample_weight=[1e300, 1.0])
    assert clf.score(rows, y) == 1.0
    for method in (clf.decision_function, clf.predict):
        with pytest.raises(ValueError, match=r"score of row 1 overflowed"):
            method([[1.0], [1e10]])


@pytest.mark.parametrize("rows", [[[1e160], [3e160]], [[-1e200], [1e200]]])
def test_a_variance_that_overflows_is_no_gamma(rows):
    """1 / variance would be an OverflowError, or 0: the same kernel value for all rows."""
    with pytest.raises(ValueError, match=r"variance overflows.*Scale"):
        KernelPerceptron().fit(rows, [0, 1])


def test_a_precomputed_matrix_must_be_square_dense_and_as_wide_as_the_training_set():
    K = X @ X.T
    with pytest.raises(ValueError, match=r"square matrix.*X has shape \(40, 39\)"):
        KernelPerceptron(kernel="precomputed").fit(K[:, :39], Y)
    with pytest.raises(ValueError, match="dense matrix"):
        KernelPerceptron(kernel="precomputed").fit(sp.csr_array(K), Y)
    clf = KernelPerceptron(kernel="precomputed").fit(K, Y)
    with pytest.raises(ValueError, match=r"39 features.*expecting 40"):
        clf.predict(K[:, :39])
    K[2, 5] = np.nan
    with pytest.raises(ValueError, match="NaN at row 2, column 5"):
        clf.fit(K, Y)
    assert not hasattr(clf, "partial_fit")
    with pytest.raises(AttributeError, match="partial_fit") as caught:
        KernelPerceptron(kernel="precomputed").partial_fit(X @ X.T, Y)
    assert "kernel values of new rows" in str(caught.value.__cause__)


def test_bad_data_says_where():
    rows = X.copy()
    rows[7, 2] = np.inf
    with pytest.raises(ValueError, match="infinity at row 7, column 2"):
        KernelPerceptron().fit(rows, Y)
    with pytest.raises(ValueError, match="infinity at row 7, column 2"):
        KernelPerceptron().fit(X, Y).predict(rows)
    with pytest.raises(ValueError, match="at least two classes"):
        KernelPerceptron().fit(X, np.zeros(40))
    weights = np.where(np.arange(40) == 3, 1e-200, 1.0)
    with pytest.raises(ValueError, match="The step of row 3"):
        KernelPerceptron(class_weight={0: 1e-200, 1: 1e-200}).fit(X, Y, sample_weight=weights)
    with pytest.raises(NotFittedError):
        KernelPerceptron().predict(X)


def test_stages_that_are_not_there():
    clf = KernelPerceptron(max_iter=2, margin=0.5).fit(X, Y)
    with pytest.raises(ValueError, match=r"epochs holds 3.0, but the run made 2 epochs.*0\.1"):
        clf.staged_predict(X, [1, 3])
    with pytest.raises(ValueError, match="epochs holds 0"):
        clf.staged_score(X, Y, [0.0])
    with pytest.raises(ValueError, match='vote must be "last", "averaged" or "voted"'):
        clf.staged_predict(X, vote="all")
    with pytest.raises(ValueError, match="comes from partial_fit"):
        clf.partial_fit(X, Y).staged_predict(X)
    with pytest.raises(ValueError, match="comes from a budget"):
        KernelPerceptron(budget=5).fit(X, Y).staged_decision_function(X)


def test_partial_fit_says_what_to_do():
    clf = KernelPerceptron().partial_fit(X, Y)
    for change, message in [
        ({"kernel": "linear"}, "kernel cannot change between calls.*'rbf'.*'linear'"),
        ({"degree": 2}, "degree cannot change"),
        ({"gamma": 2.0}, "gamma cannot change"),
        ({"coef0": 1.0}, "coef0 cannot change"),
        ({"budget": 3}, "budget cannot change"),
        ({"budget_policy": "project"}, "budget_policy cannot change"),
        ({"projection_threshold": 0.5}, "projection_threshold cannot change.*0.0, it is 0.5"),
        ({"multi_class": "joint"}, "multi_class cannot change"),
        ({"class_weight": "balanced"}, "needs all labels at once"),
    ]:
        with pytest.raises(ValueError, match=message):
            pickle.loads(pickle.dumps(clf)).set_params(**change).partial_fit(X, Y)
    with pytest.raises(ValueError, match='"joint" needs all classes'):
        KernelPerceptron(multi_class="joint").partial_fit(X, Y)
    with pytest.raises(ValueError, match=r"2 at row 1.*not among the classes"):
        KernelPerceptron().partial_fit(X, Y, classes=[0, 1]).partial_fit(X[:2], [0, 2])
    with pytest.raises(ValueError, match="give it in the first call only"):
        KernelPerceptron().partial_fit(X, Y, classes=[0, 1]).partial_fit(X, Y, classes=[0, 1, 2])
    with pytest.raises(ValueError, match="at least two classes"):
        KernelPerceptron().partial_fit(X, Y, classes=[0])


def frozen(clf):
    parts = {**vars(clf), **vars(clf.learned_)}
    return {name: pickle.dumps(parts[name]) for name in parts if name != "learned_"}


@pytest.mark.parametrize("budget", [None, 4])
@pytest.mark.parametrize("policy", ["random", "oldest", "project"])
def test_a_failed_batch_leaves_the_model_as_it_was(budget, policy):
    clf = KernelPerceptron(budget=budget, budget_policy=policy).partial_fit(X[:20], Y[:20])
    before = frozen(clf)
    bad = X[20:].copy()
    bad[3, 1] = np.nan
    with pytest.raises(ValueError, match="NaN at row 3"):
        clf.partial_fit(bad, Y[20:])
    assert frozen(clf) == before
    clf.partial_fit(X[20:], Y[20:], sample_weight=np.zeros(20))
    assert {name for name, value in frozen(clf).items() if value != before[name]} == {"n_rows"}


def test_a_failed_fit_leaves_the_old_model_usable():
    clf = KernelPerceptron().fit(X, Y)
    want = clf.predict(X)
    with pytest.raises(ValueError, match="at least two classes"):
        clf.fit(X[:, :2], np.zeros(40))
    np.testing.assert_array_equal(clf.predict(X), want)
