"""Batches of any size equal one cyclic epoch, bit for bit, also when classes arrive late."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from novikoff import AveragedPerceptron, Perceptron, PocketPerceptron, VotedPerceptron
from tests.examples import examples

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

ESTIMATORS = [Perceptron, AveragedPerceptron, VotedPerceptron]


def assert_same_model(a, b, X):
    np.testing.assert_array_equal(a.classes_, b.classes_)
    np.testing.assert_array_equal(a.coef_, b.coef_, strict=True)
    np.testing.assert_array_equal(a.intercept_, b.intercept_, strict=True)
    np.testing.assert_array_equal(a.n_updates_, b.n_updates_)
    np.testing.assert_array_equal(a.predict(X), b.predict(X))
    np.testing.assert_array_equal(a.decision_function(X), b.decision_function(X))
    if isinstance(a, VotedPerceptron):
        for mine, other in zip(a.survival_times_, b.survival_times_, strict=True):
            np.testing.assert_array_equal(mine, other)


@st.composite
def streams(draw):
    n_classes = draw(st.integers(2, 4))
    n = draw(st.integers(n_classes, 14))
    X = np.array(
        draw(
            st.lists(st.lists(st.integers(-2, 2), min_size=3, max_size=3), min_size=n, max_size=n)
        ),
        float,
    )
    y = np.array(draw(st.lists(st.integers(0, n_classes - 1), min_size=n, max_size=n)))
    y[:n_classes] = draw(st.permutations(range(n_classes)))
    order = draw(st.permutations(range(n)))
    cuts = sorted(draw(st.sets(st.integers(1, n - 1), max_size=4)))
    return X[order], y[order], np.split(np.arange(n), cuts)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@examples(60)
@given(
    data=streams(),
    scheme=st.sampled_from(["ovr", "ovo"]),
    ties=st.sampled_from(["mistake", "sign"]),
    sparse=st.booleans(),
)
def test_late_classes_change_nothing(estimator, data, scheme, ties, sparse):
    X, y, batches = data
    whole = estimator(multi_class=scheme, ties=ties, order="cyclic", max_iter=1).fit(X, y)
    online = estimator(multi_class=scheme, ties=ties)
    for batch in batches:
        rows = sp.csr_array(X[batch]) if sparse else X[batch]
        online.partial_fit(rows, y[batch])
    assert_same_model(online, whole, X)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@examples(40)
@given(data=streams(), scheme=st.sampled_from(["ovr", "ovo", "joint"]), weighted=st.booleans())
def test_batches_with_known_classes_equal_an_epoch(estimator, data, scheme, weighted):
    X, y, batches = data
    weights = np.linspace(0.5, 2.0, len(y)) if weighted else None
    class_weight = {0: 2.0, 1: 0.5}
    whole = estimator(
        multi_class=scheme, order="cyclic", max_iter=1,
        class_weight=class_weight,
    ).fit(X, y, sample_weight=weights)  # fmt: skip
    online = estimator(multi_class=scheme, class_weight=class_weight)
    for batch in batches:
        part = None if weights is None else weights[batch]
        online.partial_fit(X[batch], y[batch], classes=np.unique(y), sample_weight=part)
        online = pickle.loads(pickle.dumps(online))
    assert_same_model(online, whole, X)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_one_class_so_far_predicts_that_class(estimator):
    online = estimator().partial_fit([[1.0], [2.0]], ["b", "b"])
    assert online.predict([[5.0], [-5.0]]).tolist() == ["b", "b"]
    assert not hasattr(online, "status_")
    online.partial_fit([[-1.0]], ["a"])
    assert online.classes_.tolist() == ["a", "b"]
    whole = estimator(order="cyclic", max_iter=1).fit([[1.0], [2.0], [-1.0]], ["b", "b", "a"])
    assert_same_model(online, whole, [[1.0], [-1.0]])


def test_partial_fit_goes_on_after_fit_and_forgets_what_belonged_to_it():
    X, y = np.array([[1.0, 2.0], [2.0, -1.0], [-1.0, 0.5]]), np.array([0, 1, 0])
    clf = Perceptron(order="cyclic", max_iter=1)
    twice = Perceptron(order="cyclic", max_iter=2).fit(X, y)
    clf.fit(X, y).partial_fit(X, y)
    np.testing.assert_array_equal(clf.coef_, twice.coef_)
    for name in ("status_", "n_iter_", "mistake_counts_"):
        assert not hasattr(clf, name)


def test_a_failed_batch_leaves_the_model_as_it_was():
    clf = Perceptron(multi_class="ovr").partial_fit([[1.0, 0.0], [0.0, 1.0]], [0, 1])
    before = pickle.dumps((clf.coef_, clf.intercept_, clf.n_updates_))
    with pytest.raises(ValueError, match="NaN at row 1, column 0"):
        clf.partial_fit([[1.0, 0.0], [np.nan, 1.0]], [0, 1])
    with pytest.raises(ValueError, match="theta overflowed float64"):
        clf.partial_fit([[-1.7e308, 0.0], [1.7e308, 0.0]], [0, 1], sample_weight=[1.0, 10.0])
    assert pickle.dumps((clf.coef_, clf.intercept_, clf.n_updates_)) == before


def test_types_widen_once_but_a_vote_refuses():
    X32 = np.array([[0.1, 1.0], [1.0, 0.3]], np.float32)
    clf = Perceptron().partial_fit(X32, [0, 1])
    assert clf.coef_.dtype == np.float32
    clf.partial_fit(X32.astype(float), [0, 1])
    assert clf.coef_.dtype == np.float64
    voted = VotedPerceptron().partial_fit(X32, [0, 1])
    with pytest.raises(ValueError, match="convert all batches"):
        voted.partial_fit(X32.astype(float), [0, 1])


def test_errors_say_what_to_do():
    X, y = [[1.0], [2.0]], [0, 1]
    with pytest.raises(ValueError, match='"joint" needs all classes'):
        Perceptron(multi_class="joint").partial_fit(X, y)
    with pytest.raises(ValueError, match=r"2 at row 1.*not among the classes"):
        Perceptron().partial_fit(X, y, classes=[0, 1]).partial_fit(X, [0, 2])
    with pytest.raises(ValueError, match="give it in the first call only"):
        Perceptron().partial_fit(X, y, classes=[0, 1]).partial_fit(X, y, classes=[0, 1, 2])
    for bad in ([0, 1, np.nan], [[0, 1], [2, 3]], ["a", "b", None], [0, 0.5]):
        with pytest.raises(ValueError, match="classes are no labels"):
            Perceptron().partial_fit(X, y, classes=bad)
    with pytest.raises(ValueError, match="balanced"):
        Perceptron(class_weight="balanced").partial_fit(X, y)
    with pytest.raises(ValueError, match="early_stopping"):
        Perceptron(early_stopping=True).partial_fit(X, y)
    with pytest.raises(ValueError, match="never learns from theta = 0"):
        Perceptron(ties="correct").partial_fit(X, y)
    with pytest.raises(ValueError, match="of one type"):
        Perceptron().partial_fit(X, y).partial_fit(X, ["a", "b"])
    assert not hasattr(PocketPerceptron(), "partial_fit")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (np.array([2**63 + 1, 2**63 + 2], np.uint64), [-1]),
        ([float(2**53), 1.0], [2**53 + 1]),
        (["a", "b"], [b"a"]),
        (np.array(["2020-01-01", "2020-01-02"], "M8[D]"), ["a"]),
        (np.array([1, 2], "m8[D]"), np.array(["2020-01-01"], "M8[D]")),
    ],
)
def test_labels_that_have_no_type_in_common_are_refused(first, second):
    """They would be rounded into each other, or into others."""
    model = Perceptron().partial_fit([[1.0], [2.0]], first)
    before = model.classes_.tolist()
    with pytest.raises(ValueError, match="Labels must be of one type"):
        model.partial_fit([[1.0]], second)
    assert model.classes_.tolist() == before


def test_what_the_model_is_cannot_change_between_batches():
    X, y = [[1.0], [2.0]], [0, 1]
    clf = Perceptron().partial_fit(X, y)
    for change in ({"fit_intercept": False}, {"multi_class": "ovr"}):
        with pytest.raises(ValueError, match="cannot change between calls"):
            pickle.loads(pickle.dumps(clf)).set_params(**change).partial_fit(X, y)


def test_a_warm_fit_goes_on_from_batches():
    X, y = np.array([[1.0, 2.0], [2.0, -1.0], [-1.0, 0.5]]), np.array([0, 1, 0])
    clf = Perceptron(order="cyclic", max_iter=1, warm_start=True).partial_fit(X, y)
    clf.fit(X, y)
    twice = Perceptron(order="cyclic", max_iter=2).fit(X, y)
    np.testing.assert_array_equal(clf.coef_, twice.coef_)


def test_a_batch_of_zero_weights_changes_nothing():
    clf = Perceptron().partial_fit([[1.0], [2.0]], [0, 1])
    before = clf.coef_.copy()
    clf.partial_fit([[3.0], [4.0]], [1, 0], sample_weight=[0.0, 0.0])
    np.testing.assert_array_equal(clf.coef_, before)
    with pytest.raises(ValueError, match="zero"):
        Perceptron().partial_fit([[3.0], [4.0]], [1, 0], sample_weight=[0.0, 0.0])
