"""A trace goes through the hypotheses of training again, to the bit."""

import pickle
import sys
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from novikoff import AveragedPerceptron, Perceptron, PocketPerceptron, VotedPerceptron
from tests.examples import examples
from tests.reference import Run, exact_score, is_mistake
from tests.test_reference import data_sets, options
from tests.trace.helpers import dense

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

ESTIMATORS = [Perceptron, AveragedPerceptron, VotedPerceptron, PocketPerceptron]


def traces_of(clf):
    return clf.trace_ if isinstance(clf.trace_, list) else [clf.trace_]


def assert_replays(clf):
    """Every trace ends at the last hypothesis and goes through the model."""
    last = getattr(clf, "last_coef_", clf.coef_), getattr(clf, "last_intercept_", clf.intercept_)
    for k, trace in enumerate(traces_of(clf)):
        theta, offset = trace.hypotheses()
        np.testing.assert_array_equal(theta[-1], last[0][k], strict=True)
        assert offset[-1] == last[1][k]
        np.testing.assert_array_equal(trace.final[0], theta[-1], strict=True)
        assert trace.final[1] == offset[-1]
        assert len(trace) == clf.n_updates_[k]
        if isinstance(clf, PocketPerceptron):
            best, best_offset = trace.hypothesis(trace.replacements.k[-1])
            np.testing.assert_array_equal(best, clf.coef_[k], strict=True)
            assert best_offset == clf.intercept_[k]
        else:
            assert trace.replacements is None


@examples(30)
@given(data_sets(), options, st.sampled_from(ESTIMATORS), st.booleans())
def test_two_classes(data, o, estimator, sparse):
    X, y = data
    clf = estimator(**o, record_trace=True).fit(sp.csr_array(X) if sparse else X, y)
    assert_replays(clf)
    trace = clf.trace_
    oracle = Run(
        X, np.where(y == 1, 1, -1), kind=o["order"], epochs=o["max_iter"], seed=o["random_state"],
        beta=o["margin"], ties=o["ties"], eta=o["eta0"], fit_intercept=o["fit_intercept"],
    )  # fmt: skip
    theta, offset = trace.hypotheses()
    np.testing.assert_array_equal(theta, [h[0] for h in oracle.hypotheses])
    np.testing.assert_array_equal(offset, [h[1] for h in oracle.hypotheses])
    assert trace.t.tolist() == oracle.times
    assert trace.n_epochs == oracle.epochs_run == clf.n_iter_
    assert trace.status == clf.status_
    assert (trace.margin, trace.ties, trace.eta, trace.order) == (
        o["margin"], o["ties"], o["eta0"], o["order"],
    )  # fmt: skip


@examples(30)
@given(data_sets(), options, st.booleans())
def test_scores_are_exact_sums_rounded_once(data, o, sparse):
    X, y = data
    trace = Perceptron(**o, record_trace=True).fit(sp.csr_array(X) if sparse else X, y).trace_
    theta, offset = trace.hypotheses()
    for e, row in enumerate(trace.row):
        before = exact_score(theta[e], offset[e], X[row])
        after = exact_score(theta[e + 1], offset[e + 1], X[row])
        assert trace.score_before[e] == float(before)
        assert trace.score_after[e] == float(after)
        assert is_mistake(int(trace.y[e]), before, trace.margin, trace.ties)
        assert np.sign(trace.score_after[e]) == np.sign(after)


@examples(30)
@given(
    data_sets(n_classes=3), options, st.sampled_from(ESTIMATORS), st.sampled_from(["ovr", "ovo"])
)
def test_several_hyperplanes(data, o, estimator, scheme):
    X, y = data
    clf = estimator(multi_class=scheme, **o, record_trace=True).fit(X, y)
    assert len(clf.trace_) == 3
    assert_replays(clf)
    for trace in clf.trace_:
        assert trace.examples.X is clf.trace_[0].examples.X
        used = trace.examples.side != 0
        assert (trace.classes[0] == "rest") == (scheme == "ovr")
        assert used.all() == (scheme == "ovr" or set(y) == {0, 1})
        np.testing.assert_array_equal(y[trace.examples.side == 1], int(trace.classes[1]))
        assert trace.n_epochs <= clf.n_iter_
        if trace.orders is not None:
            assert len(trace.orders) == trace.n_epochs
        if trace.status == "separated":
            theta, offset = trace.final
            assert not any(
                is_mistake(int(side), exact_score(theta, offset, x), trace.margin, trace.ties)
                for side, x in zip(trace.examples.side, X, strict=True)
                if side
            )


@examples(30)
@given(data_sets(n_classes=3), options, st.sampled_from(ESTIMATORS))
def test_the_traces_of_joint_classes_tell_one_run(data, o, estimator):
    """Every update is in two of them, and answers the exact comparison of all three scores."""
    X, y = data
    clf = estimator(multi_class="joint", **o, record_trace=True).fit(X, y)
    assert_replays(clf)
    updates = {}
    for c, trace in enumerate(clf.trace_):
        assert trace.classes == ("rest", str(c))
        for t, row, step, other in zip(trace.t, trace.row, trace.step, trace.other, strict=True):
            updates.setdefault(int(t), {})[c] = (int(row), float(step), int(other))
    planes, moved, beta = [trace.hypotheses() for trace in clf.trace_], [0, 0, 0], o["margin"]
    for _, pair in sorted(updates.items()):
        (one, (row, step, other)), (_, (row_too, opposite, one_too)) = pair.items()
        assert (row_too, one_too, opposite) == (row, one, -step)
        own, rival = (one, other) if step > 0 else (other, one)
        assert y[row] == own
        s = [exact_score(t[k], b[k], X[row]) for (t, b), k in zip(planes, moved, strict=True)]
        assert rival == max((c for c in range(3) if c != own), key=lambda c: (s[c], -c))
        gap = s[own] - s[rival]
        assert gap < beta or (gap == beta and (o["ties"] == "mistake" or rival < own))
        for c in (own, rival):
            moved[c] += 1
    assert moved == [len(trace) for trace in clf.trace_]


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("order", ["cyclic", "shuffled", "random"])
def test_held_out_and_weightless_rows_take_no_part(estimator, order):
    random = np.random.RandomState(0)
    X = random.standard_normal((80, 4)).astype(np.float32)
    y = (X[:, 0] + 0.5 * random.standard_normal(80) > 0).astype(int)
    w = random.choice([0.0, 0.5, 1.0, 2.0], 80)
    clf = estimator(order=order, early_stopping=True, n_iter_no_change=2, record_trace=True)
    clf.fit(X, y, sample_weight=w)
    assert_replays(clf)
    trace = clf.trace_
    side = trace.examples.side
    assert (side[w == 0] == 0).all()
    held_out = np.flatnonzero((side == 0) & (w > 0))
    assert len(held_out) == np.ceil(0.1 * (w > 0).sum())
    assert not np.isin(trace.row, held_out).any()
    assert trace.examples.X.dtype == trace.start_theta.dtype == np.float32
    np.testing.assert_array_equal(trace.step, (w[trace.row] * trace.y).astype(np.float32))


@pytest.mark.parametrize("order", ["cyclic", "shuffled", "random"])
def test_the_orders_lead_to_every_update(order):
    """Row t of the epochs' orders, without rows of side 0, is the row of the update at t."""
    random = np.random.RandomState(1)
    X, y = random.standard_normal((50, 3)), random.randint(0, 3, 50)
    clf = Perceptron(multi_class="ovo", order=order, max_iter=5, record_trace=True).fit(X, y)
    for trace in clf.trace_:
        orders = trace.orders if order != "cyclic" else [np.arange(50)] * trace.n_epochs
        assert (trace.orders is None) == (order == "cyclic")
        visits = [(row, e + 1) for e, visit in enumerate(orders) for row in visit]
        seen = [(row, e) for row, e in visits if trace.examples.side[row] != 0]
        assert [seen[t - 1] for t in trace.t] == list(zip(trace.row, trace.epoch, strict=True))


def test_blocks_are_the_hypotheses_in_pieces():
    random = np.random.RandomState(0)
    X, y = random.standard_normal((40, 3)), random.randint(0, 2, 40)
    trace = Perceptron(max_iter=6, record_trace=True).fit(X, y).trace_
    theta, offset = trace.hypotheses()
    for size in (1, 7, len(trace), len(trace) + 1, 10_000):
        blocks = list(trace.blocks(size))
        assert [first for first, _, _ in blocks] == list(range(0, len(trace) + 1, size))
        np.testing.assert_array_equal(np.concatenate([b[1] for b in blocks]), theta)
        np.testing.assert_array_equal(np.concatenate([b[2] for b in blocks]), offset)
    for k in (0, 3, len(trace)):
        np.testing.assert_array_equal(trace.hypothesis(k)[0], theta[k])
    with pytest.raises(ValueError, match="is not one of them"):
        trace.hypothesis(len(trace) + 1)


def test_a_trace_does_not_change_with_the_data():
    random = np.random.RandomState(0)
    X, y = random.standard_normal((40, 3)), random.randint(0, 2, 40)
    for form in (X.copy(), sp.csr_array(X)):
        clf = Perceptron(max_iter=6, record_trace=True).fit(form, y)
        (form.data if sp.issparse(form) else form)[...] = 0.0
        np.testing.assert_array_equal(clf.trace_.final[0], clf.coef_[0])
        np.testing.assert_array_equal(dense(clf.trace_.examples.X), X)
        again = pickle.loads(pickle.dumps(clf)).trace_
        np.testing.assert_array_equal(again.final[0], clf.coef_[0])
    with pytest.raises(ValueError, match="read-only"):
        clf.trace_.examples.X.data[0] = 1.0


@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int64, np.float16, np.float32, np.float64])
def test_examples_of_every_type(dtype):
    random = np.random.RandomState(0)
    X = random.randint(0, 2, (30, 4)).astype(dtype)
    clf = Perceptron(max_iter=4, record_trace=True).fit(np.asfortranarray(X), np.arange(30) % 2)
    np.testing.assert_array_equal(clf.trace_.examples.X, X)
    assert_replays(clf)


@examples(40)
@given(data_sets(), options, st.data())
def test_the_pocket_improves_with_every_replacement(data, o, draw):
    X, y = data
    weight = st.sampled_from([0.5, 1.0, 3.0])
    w = np.array(draw.draw(st.lists(weight, min_size=len(y), max_size=len(y))))
    clf = PocketPerceptron(**o, record_trace=True).fit(X, y, sample_weight=w)
    trace = clf.trace_
    assert_replays(clf)
    k, error = trace.replacements
    assert k[0] == 0
    assert (np.diff(k) > 0).all()
    assert (np.diff(error) < 0).all()
    for number, claimed in zip(k, error, strict=True):
        theta, offset = trace.hypothesis(int(number))
        wrong = [
            Fraction(weight)
            for weight, side, x in zip(w, trace.examples.side, X, strict=True)
            if side * exact_score(theta, offset, x) <= 0
        ]
        assert claimed == sum(wrong)


def test_undershooting_shows():
    X, y = [[4.0], [1.0], [-1.0]], [1, 0, 0]
    clf = Perceptron(order="cyclic", record_trace=True).fit(X, y)
    trace = clf.trace_
    short = trace.y * trace.score_after <= 0
    assert short.any()
    assert not short.all()
    np.testing.assert_array_equal(  # an update moves the score by ||(x, 1)||^2
        trace.y * (trace.score_after - trace.score_before), np.array([17, 2, 2])[trace.row]
    )


def test_frame_has_a_row_per_update():
    random = np.random.RandomState(0)
    X, y = random.standard_normal((40, 3)), random.randint(0, 2, 40)
    trace = Perceptron(max_iter=6, record_trace=True).fit(X, y).trace_
    table = trace.frame()
    names = ["k", "epoch", "t", "row", "y", "score_before", "score_after"]
    assert list(table) == [*names, "theta_1", "theta_2", "theta_3", "offset"]
    theta, offset = trace.hypotheses()
    np.testing.assert_array_equal(table[["theta_1", "theta_2", "theta_3"]], theta[1:])
    np.testing.assert_array_equal(table["offset"], offset[1:])
    np.testing.assert_array_equal(table["score_after"], trace.score_after)
    assert table["k"].tolist() == list(range(1, len(trace) + 1))
    assert list(trace.frame(theta=False)) == names


def test_frame_of_a_very_long_run_advises(monkeypatch):
    from novikoff.trace import _frame

    trace = Perceptron(record_trace=True).fit([[1.0], [-1.0]], [0, 1]).trace_
    monkeypatch.setattr(_frame, "_MOST_NUMBERS", 0)
    with pytest.raises(ValueError, match=r"frame\(theta=False\)"):
        trace.frame()
    assert len(trace.frame(theta=False)) == len(trace)


def test_frame_without_pandas_says_what_to_install(monkeypatch):
    trace = Perceptron(record_trace=True).fit([[1.0], [-1.0]], [0, 1]).trace_
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        trace.frame()


def test_a_run_without_updates():
    X, y = [[1.0], [-1.0]], [1, 0]
    clf = Perceptron(record_trace=True).fit(X, y, coef_init=[1.0])
    trace = clf.trace_
    assert len(trace) == 0
    assert trace.hypotheses()[0].tolist() == [[1.0]]
    assert len(trace.frame()) == len(trace.score_before) == 0
    assert trace.status == "separated"


def test_recording_changes_nothing():
    random = np.random.RandomState(0)
    X, y = random.standard_normal((60, 5)), random.randint(0, 3, 60)
    for estimator in ESTIMATORS:
        one = estimator(max_iter=7).fit(X, y)
        other = estimator(max_iter=7, record_trace=True).fit(X, y)
        np.testing.assert_array_equal(one.coef_, other.coef_)
        np.testing.assert_array_equal(one.mistake_counts_, other.mistake_counts_)
