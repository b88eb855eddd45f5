"""Learning from a stream is learning from all rows at once, bit for bit."""

from __future__ import annotations

import io
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import SGDClassifier
from sklearn.preprocessing import StandardScaler

from novikoff import (
    AveragedPerceptron,
    KernelPerceptron,
    MaxMarginClassifier,
    OnlineClassifier,
    PassiveAggressiveClassifier,
    Perceptron,
    PocketPerceptron,
    VotedPerceptron,
    rules,
)
from novikoff.streams import StreamError, fit_stream
from tests.examples import examples

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
ONLINE = [Perceptron, AveragedPerceptron, VotedPerceptron]


def make(n_classes: int, n: int = 120, d: int = 7, seed: int = 0):
    random = np.random.RandomState(seed)
    X = random.randint(-4, 5, size=(n, d)) * (random.rand(n, d) < 0.5) * 0.1
    y = np.array(["ant", "bee", "cat", "dog"])[np.argmax(X @ random.randn(d, n_classes), axis=1)]
    noisy = random.rand(n) < 0.1
    y[noisy] = np.array(["ant", "bee", "cat", "dog"])[random.randint(n_classes, size=noisy.sum())]
    return X, y


def cut(X, y, sizes, *more):
    ends = np.cumsum(sizes)
    return [
        (X[a:b], y[a:b], *(m[a:b] for m in more))
        for a, b in zip([0, *ends], [*ends, X.shape[0]], strict=True)
        if b > a
    ]


def assert_same_model(streamed, whole, X):
    assert streamed.classes_.tolist() == whole.classes_.tolist()
    np.testing.assert_array_equal(streamed.coef_, whole.coef_)
    np.testing.assert_array_equal(streamed.intercept_, whole.intercept_)
    np.testing.assert_array_equal(streamed.n_updates_, whole.n_updates_)
    assert streamed.coef_.dtype == whole.coef_.dtype
    assert (streamed.status_, streamed.n_iter_) == (whole.status_, whole.n_iter_)
    assert streamed.n_features_in_ == whole.n_features_in_
    for name in ("n_mistakes_", "progressive_error_"):
        assert getattr(streamed, name, None) == getattr(whole, name, None)
    np.testing.assert_array_equal(streamed.decision_function(X), whole.decision_function(X))
    if isinstance(whole, VotedPerceptron):
        for mine, theirs in zip(streamed.survival_times_, whole.survival_times_, strict=True):
            np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("multi_class", ["ovr", "ovo", "joint"])
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("estimator", ONLINE)
def test_file_order_is_cyclic_order(estimator, n_classes, multi_class, sparse):
    X, y = make(n_classes, n=60)
    X = sp.csr_array(X) if sparse else X
    parameters = {"multi_class": multi_class, "max_iter": 6, "eta0": 0.3, "margin": 0.2}
    whole = estimator(order="cyclic", **parameters).fit(X, y)
    streamed = fit_stream(estimator(**parameters), cut(X, y, [1, 2, 20, 15]))
    assert_same_model(streamed, whole, X)


ANY_RULE = [
    OnlineClassifier(rule, keep=keep)
    for rule in (rules.PassiveAggressive(C=0.3), rules.PassiveAggressive(loss="squared_hinge"))
    for keep in ("last", "mean", "vote")
]


@pytest.mark.parametrize("multi_class", ["ovr", "ovo", "joint"])
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("estimator", ANY_RULE, ids=str)
def test_any_rule_with_any_keeper(estimator, n_classes, multi_class):
    X, y = make(n_classes, n=60)
    weights = np.random.RandomState(1).choice([0.5, 1.0, 3.0], size=len(y))
    estimator = clone(estimator).set_params(multi_class=multi_class, max_iter=3, order="cyclic")
    whole = clone(estimator).fit(X, y, sample_weight=weights)
    streamed = fit_stream(clone(estimator), cut(X, y, [1, 2, 20, 15], weights))
    assert_same_model(streamed, whole, X)
    assert_same_model(fit_stream(clone(estimator), cut(sp.csr_array(X), y, [9], weights)), whole, X)


@pytest.mark.parametrize("multi_class", ["ovr", "ovo"])
@pytest.mark.parametrize("first", ["ant", "bee"])
@pytest.mark.parametrize(
    "estimator", [Perceptron(), PassiveAggressiveClassifier(average=True)], ids=str
)
def test_mistakes_before_the_second_class_came_are_counted(estimator, first, multi_class):
    """Whichever of the two comes first, and however few rows a batch has."""
    X, y = make(2)
    order = np.concatenate([np.flatnonzero(y == first)[:20], np.arange(len(y))])
    X, y = X[order], y[order]
    estimator = clone(estimator).set_params(multi_class=multi_class, order="cyclic", n_jobs=2)
    whole = clone(estimator).set_params(max_iter=2).fit(X, y)
    streamed = fit_stream(clone(estimator), cut(X, y, [1, 9, 3, 30]), epochs=2)
    assert_same_model(streamed, whole, X)
    once, batches = clone(estimator).set_params(max_iter=1).fit(X, y), clone(estimator)
    for X_part, y_part in cut(X, y, [1, 9, 3, 30]):
        batches.partial_fit(X_part, y_part)
    assert batches.n_mistakes_ == once.n_mistakes_ > 0
    assert batches.progressive_error_ == once.progressive_error_


@pytest.mark.parametrize("multi_class", ["ovr", "ovo"])
@pytest.mark.parametrize("estimator", ONLINE)
def test_classes_may_turn_up_in_any_order(estimator, multi_class):
    X, y = make(4)
    late_first = np.argsort(y == "ant", kind="stable")  # "ant" sorts first and comes last
    X, y = X[late_first], y[late_first]
    whole = estimator(order="cyclic", multi_class=multi_class, max_iter=3).fit(X, y)
    batches = cut(X, y, [5] * 23)
    streamed = fit_stream(estimator(multi_class=multi_class, max_iter=3), batches)
    assert_same_model(streamed, whole, X)


@pytest.mark.parametrize("estimator", ONLINE)
def test_a_run_that_converges_stops_and_counts_all_epochs(estimator):
    X = np.array([[2.0, 1.0], [1.0, 3.0], [-1.0, -1.0], [-2.0, 1.0], [0.5, -2.0]])
    y = np.array([1, 1, 0, 0, 1])
    whole = estimator(order="cyclic", max_iter=50).fit(X, y)
    streamed = fit_stream(estimator(), cut(X, y, [2, 1]), epochs=50)
    assert whole.status_ == "separated"
    assert_same_model(streamed, whole, X)


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("estimator", ONLINE)
def test_a_buffer_for_all_rows_is_shuffled_order(estimator, sparse):
    X, y = make(3)
    X = sp.csr_array(X) if sparse else X
    whole = estimator(order="shuffled", max_iter=4, random_state=7).fit(X, y)
    streamed = fit_stream(
        estimator(max_iter=4, random_state=7), cut(X, y, [50, 3]), shuffle_buffer=1000
    )
    assert_same_model(streamed, whole, X)


def test_batches_may_be_made_in_the_same_arrays():
    """The next one is asked for while this one is learned from, and kept for later epochs."""
    random = np.random.RandomState(0)
    X = random.standard_normal((600, 5))
    y = (X[:, 0] + 0.3 * random.standard_normal(600) > 0).astype(int)

    class Batches:
        def __iter__(self):
            rows, labels = np.empty((100, 5)), np.empty(100, int)
            for start in range(0, 600, 100):
                rows[:], labels[:] = X[start : start + 100], y[start : start + 100]
                yield rows, labels

    expected = Perceptron(order="cyclic", max_iter=3).fit(X, y)
    found = fit_stream(Perceptron(), Batches(), epochs=3)
    np.testing.assert_array_equal(found.coef_, expected.coef_)
    np.testing.assert_array_equal(found.n_updates_, expected.n_updates_)


def test_a_smaller_buffer_does_not_depend_on_the_batches():
    X, y = make(3)
    one = fit_stream(AveragedPerceptron(), [(X, y)], shuffle_buffer=17)
    many = fit_stream(AveragedPerceptron(), cut(X, y, [1] * 60), shuffle_buffer=17)
    assert_same_model(many, one, X)
    unshuffled = fit_stream(AveragedPerceptron(), [(X, y)])
    assert not np.array_equal(one.coef_, unshuffled.coef_)


@pytest.mark.parametrize("class_weight", ["balanced", {"ant": 0.3, "cat": 2.5}])
def test_class_weights(class_weight):
    X, y = make(3)
    parameters = {"class_weight": class_weight, "max_iter": 5}
    whole = AveragedPerceptron(order="cyclic", **parameters).fit(X, y)
    streamed = fit_stream(AveragedPerceptron(**parameters), cut(X, y, [33, 33]))
    assert_same_model(streamed, whole, X)


def test_sample_weights_and_rows_of_weight_zero():
    X, y = make(3)
    weights = np.random.RandomState(5).randint(0, 3, size=len(y)) * 0.7
    y = np.where((weights == 0) & (np.arange(len(y)) > 100), "zebra", y)  # a class without weight
    whole = AveragedPerceptron(order="cyclic").fit(X, y, sample_weight=weights)
    streamed = fit_stream(AveragedPerceptron(), cut(X, y, [33, 33], weights))
    assert_same_model(streamed, whole, X)


def test_single_precision_stays_single():
    X, y = make(2)
    X = X.astype(np.float32)
    whole = Perceptron(order="cyclic", max_iter=9).fit(X, y)
    streamed = fit_stream(Perceptron(max_iter=9), cut(X, y, [7]))
    assert streamed.coef_.dtype == np.float32
    assert_same_model(streamed, whole, X)


def test_an_iterator_is_enough():
    """What can be gone over only once is cached as it is learned from."""
    X, y = make(3)
    whole = Perceptron(order="cyclic", max_iter=5).fit(X, y)
    streamed = fit_stream(Perceptron(), iter(cut(X, y, [20, 20])), epochs=5)
    assert_same_model(streamed, whole, X)


def test_learning_goes_on_with_partial_fit():
    X, y = make(3)
    whole = AveragedPerceptron(order="cyclic", max_iter=2).fit(X, y).partial_fit(X, y)
    streamed = fit_stream(AveragedPerceptron(), cut(X, y, [20]), epochs=2).partial_fit(X, y)
    np.testing.assert_array_equal(streamed.coef_, whole.coef_)


@examples(60)
@given(
    rows=st.lists(
        st.tuples(st.lists(st.integers(-3, 3), min_size=3, max_size=3), st.integers(0, 2)),
        min_size=3,
        max_size=25,
    ).filter(lambda rows: len({label for _, label in rows}) > 1),
    sizes=st.lists(st.integers(1, 5), max_size=5),
    estimator=st.sampled_from(ONLINE),
    sparse=st.booleans(),
)
def test_any_cut_gives_the_same(rows, sizes, estimator, sparse):
    X, y = np.array([x for x, _ in rows], float), np.array([label for _, label in rows])
    X = sp.csr_array(X) if sparse else X
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        whole = estimator(order="cyclic", max_iter=4).fit(X, y)
        kept = [s for s, end in zip(sizes, np.cumsum(sizes), strict=True) if end < len(y)]
        streamed = fit_stream(estimator(), cut(X, y, kept), epochs=4)
    assert_same_model(streamed, whole, X)


@pytest.mark.parametrize(
    ("estimator", "reason"),
    [
        (PocketPerceptron(), 'keep="pocket" is not possible on a stream: .* all rows'),
        (OnlineClassifier(rules.PassiveAggressive(), keep="pocket"), "on a stream: .* all rows"),
        (Perceptron(order="random"), "only the next one"),
        (Perceptron(early_stopping=True), "validation rows"),
        (Perceptron(record_trace=True), "trace"),
        (Perceptron(warm_start=True), "partial_fit"),
    ],
)
def test_what_a_stream_cannot_do_is_refused(estimator, reason):
    with pytest.raises(ValueError, match=reason):
        fit_stream(estimator, [(np.eye(2), [0, 1])])


@pytest.mark.parametrize("estimator", [KernelPerceptron(), MaxMarginClassifier()])
def test_other_estimators_are_refused(estimator):
    with pytest.raises(TypeError, match="in memory"):
        fit_stream(estimator, [(np.eye(2), [0, 1])])


@pytest.mark.parametrize(
    ("estimator", "ending"),
    [
        (StandardScaler(), "not StandardScaler."),
        (SGDClassifier(), "not SGDClassifier."),  # which learns from batches: no word of memory
        (Perceptron, "not a class. Give it an estimator, such as Perceptron()."),
    ],
)
def test_of_what_is_not_ours_nothing_untrue_is_said(estimator, ending):
    with pytest.raises(TypeError) as caught:
        fit_stream(estimator, [(np.eye(2), [0, 1])])
    assert str(caught.value).endswith(ending)


@pytest.mark.parametrize(
    ("batches", "message"),
    [
        ([], "no rows"),
        ([(np.eye(2), [0, 0])], "two classes"),
        ([(np.eye(2), [1.0, 1.0])], r"there is only 1\.$"),  # as LIBSVM text has it
        ([(np.eye(2), [0, 1]), (np.eye(3), [0, 1, 0])], "Batch 1.*3 features"),
        ([(np.eye(2), [0, 1]), (sp.eye_array(2, format="csr"), [0, 1])], "Batch 1.*sparse"),
        ([(np.eye(2), [0, 1]), (np.eye(2, dtype=np.float32), [0, 1])], "Batch 1.*float32"),
        ([(np.eye(2), [0, 1]), (np.eye(2), ["a", "b"])], "one type"),
        ([(np.eye(2), [0, 1]), (np.full((2, 2), np.nan), [0, 1])], "from row 2.*NaN"),
        ([(np.eye(2), [0, 1, 1])], "Batch 0.*as many rows"),
        ([np.eye(2)], r"Batch 0.*\(X, y\)"),
    ],
)
def test_bad_batches_are_named(batches, message):
    clf = Perceptron()
    with pytest.raises(ValueError, match=message):
        fit_stream(clf, batches, epochs=2)
    assert not hasattr(clf, "coef_")


def test_batches_without_rows_change_nothing():
    X, y = make(2)
    nothing = X[:0], y[:0]
    sifted = fit_stream(Perceptron(), [nothing, (X, y), nothing], epochs=2)
    np.testing.assert_array_equal(sifted.coef_, fit_stream(Perceptron(), [(X, y)], epochs=2).coef_)
    with pytest.raises(ValueError, match="There are no rows to learn from in the batches"):
        fit_stream(Perceptron(), [nothing])


def test_a_file_that_is_open_as_text_is_refused():
    with pytest.raises(StreamError, match='open it with "rb"'):
        fit_stream(Perceptron(), io.StringIO("1 1:2\n"))


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_columns_of_frames_keep_their_names(library):
    frames = pytest.importorskip(library)
    X, y = make(2)
    frame = frames.DataFrame({name: X[:, j] for j, name in enumerate("abcdefg")})
    clf = fit_stream(AveragedPerceptron(), [(frame[:20], y[:20]), (frame[20:], y[20:])])
    assert clf.feature_names_in_.tolist() == list(frame.columns)
    assert np.array_equal(clf.predict(frame), fit_stream(clone(clf), [(X, y)]).predict(X))
    other = frame[list(frame.columns)[::-1]]
    with pytest.raises(ValueError, match=r"Batch 1: column 0 is .*that of the first batch is 'a'"):
        fit_stream(clone(clf), [(frame[:20], y[:20]), (other[20:], y[20:])])
    mixed = fit_stream(clone(clf), [(X[:20], y[:20]), (frame[20:], y[20:])])  # as partial_fit
    assert not hasattr(mixed, "feature_names_in_")


def test_a_mean_whose_sums_overflow_is_refused():
    batches = [(np.array([[0.0], [1e308], [-1e308]]), [0, 1, 0])]
    estimator = AveragedPerceptron(order="cyclic", fit_intercept=False)
    with pytest.raises(ValueError, match=r"mean, overflowed float64"):
        fit_stream(estimator, batches, epochs=3)


def test_progress_counts_rows():
    X, y = make(2)
    seen = []
    batches = cut(X, y, [50])
    fit_stream(
        Perceptron(), batches, epochs=3, progress=lambda done, total: seen.append((done, total))
    )
    assert seen[0] == (50, None)
    assert seen[-1] == (360, 360)
