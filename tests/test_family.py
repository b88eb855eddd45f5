"""The rules of the family against the oracles in `reference`, and against what their papers prove.

Most of it is thorough, since every rule is compiled anew for every form of its rows; the Makefile
runs all of this file as plain Python.
"""

import math
import pickle
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from novikoff import OnlineClassifier, load, max_margin, rules, save
from novikoff.kernels.filter import precision_of
from novikoff.kernels.rows import Rows, row_norms
from novikoff.kernels.rules import asks, norm_after, update
from novikoff.streams import fit_stream
from novikoff.training.capabilities import limit
from novikoff.training.state import State, kept_beside
from tests.examples import examples
from tests.reference import (
    Alma,
    JointRun,
    Romma,
    Run,
    SecondOrderRun,
    arow,
    confidence_weighted,
    nherd,
    second_order,
)
from tests.test_reference import data_sets, same
from tests.test_toy_rule import rows

compiling = pytest.mark.thorough


def of(formula, full=False):
    return lambda: SecondOrderRun(formula, full)


def both(rule, formula):
    """As a diagonal and in full."""
    name, told = type(rule).__name__, {**rule.get_params(), "covariance": "full"}
    return {name: (rule, of(formula)), f"{name}-full": (type(rule)(**told), of(formula, full=True))}


SCALED = {
    "ALMA": (rules.ALMA(), Alma),
    "ALMA-B": (rules.ALMA(0.4, 2.0, 0.3), lambda: Alma(0.4, 2.0, 0.3)),
    "ROMMA": (rules.ROMMA(), Romma),
    "ROMMA-sign": (rules.ROMMA(ties="sign"), lambda: Romma(ties="sign")),
    "aggressive ROMMA": (rules.ROMMA(aggressive=True), lambda: Romma(aggressive=True)),
}
SECOND = {
    **both(rules.SecondOrder(a=0.3, ties="sign"), second_order(0.3, "sign")),
    **both(rules.AROW(r=0.7), arow(0.7)),
    **both(rules.NHERD(C=0.6), nherd(0.6)),
    **both(rules.ConfidenceWeighted(eta=0.8), confidence_weighted(0.8)),
    **both(rules.SoftConfidenceWeighted(C=0.4), confidence_weighted(C=0.4)),
    "SCW-II": (
        rules.SoftConfidenceWeighted(0.9, 0.4, "II"),
        of(confidence_weighted(0.9, 0.4, squared=True)),
    ),
}
FAMILY = {**SCALED, **SECOND}
some = [name if name == "AROW" else pytest.param(name, marks=compiling) for name in FAMILY]


def run_of(name, X, sides, **told):
    oracle = FAMILY[name][1]()
    return Run(X, sides, rule=oracle.step, move=oracle.move, **told)


@pytest.mark.parametrize("dtype", [np.float64, pytest.param(np.float32, marks=compiling)])
@pytest.mark.parametrize("name", some)
def test_every_keeper_equals_the_oracle(name, dtype):
    X, y = rows(dtype)
    weights = np.resize([1.0, 0.5, 2.0], len(y))
    oracle = run_of(name, X, 2 * y - 1, kind="shuffled", epochs=3, weights=weights)

    def fitted(keep, data=X):
        clf = OnlineClassifier(FAMILY[name][0], keep=keep, max_iter=3)
        return clf.fit(data, y, sample_weight=weights)

    for data in (X, sp.csr_array(X)):
        mean = fitted("mean", data)
        same(mean.last_coef_[0], oracle.last[0])
        same(mean.last_intercept_[0], oracle.last[1])
        same(mean.coef_[0], oracle.mean[0])
        same(mean.mistake_counts_, np.bincount(oracle.rows, minlength=len(y)))
        assert (mean.status_ == "separated") == oracle.converged
        assert mean.n_mistakes_ == oracle.n_wrong
        assert mean.progressive_error_ == oracle.wrong_at_first
    vote = fitted("vote")
    same(vote.survival_times_[0], oracle.survival())
    same(vote.decision_function(X), np.array([oracle.vote(x) for x in X], float))
    same(fitted("pocket").coef_[0], oracle.pocket(weights)[0])


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", FAMILY)
def test_the_norm_of_theta_is_followed_upwards(name, dtype):
    """The bounds on rounded scores are made of it."""
    random, told = np.random.default_rng(0), FAMILY[name][0].told()
    X = (random.standard_normal((60, 12)) * 2.0 ** random.integers(-9, 9, (60, 12))).astype(dtype)
    values, row_norm, precision = X.reshape(-1), np.empty(60), precision_of(dtype)
    row_norms(Rows(values, None, None, 12), 1.0, row_norm)
    state = State.begin(1, 12, dtype, sparse=False, constant=1.0, beside=kept_beside(told))
    theta, offset, extra, *more = state.hypothesis
    numbers, bound, moved = np.empty((1, told.NUMBERS), dtype), 0.0, 0
    for i, x in enumerate(X):
        y, at = (-1.0) ** i, (values, None, 12 * i, 12 * i + 12)
        s = float(x.astype(float) @ theta[0].astype(float)) + float(offset[0])
        error = 1e-9 * (1.0 + bound * row_norm[i])
        if not asks(told, y, y, told.size, s, error, bound, row_norm[i], theta, offset, extra, 0,
                    -1, *at, *more, numbers, 0):  # fmt: skip
            continue
        grown = update(told, theta, offset, extra, None, None, 0, 1.0, *at, *more, numbers, 0, 0.0)
        step = float(numbers[0, 0])
        inner = step * s + abs(step) * error
        bound = norm_after(told, grown, inner, step, bound, row_norm[i], 12, precision)
        exact = sum(Fraction(float(w)) ** 2 for w in (*theta[0], *offset))
        assert exact <= Fraction(bound) ** 2 <= exact * (1 + Fraction(1, 10**5))
        moved += 1
    assert moved > 10


@compiling
@examples(40)
@given(
    data_sets(),
    st.booleans(),
    st.sampled_from(["cyclic", "random"]),
    st.lists(st.sampled_from([1.0, 0.5, 3.0]), min_size=12, max_size=12),
)
@pytest.mark.parametrize("name", FAMILY)
def test_rows_of_all_magnitudes(name, data, fit_intercept, order, weights):
    """Numbers of 1e8 beside those of 1e-8: roundings everywhere, and steps out of range."""
    X, y = data
    weights = np.array(weights[: len(y)])
    clf = OnlineClassifier(
        FAMILY[name][0], keep="mean", order=order, max_iter=3, fit_intercept=fit_intercept
    )
    try:
        clf.fit(X, y, sample_weight=weights)
    except ValueError as error:
        assert "out of the range of float32" in str(error)  # noqa: PT017
        return
    oracle = run_of(
        name, X, 2 * y - 1, kind=order, epochs=3, weights=weights, fit_intercept=fit_intercept
    )
    same(clf.last_coef_[0], oracle.last[0])
    same(clf.last_intercept_[0], oracle.last[1])
    same(clf.coef_[0], oracle.mean[0])
    assert clf.n_mistakes_ == oracle.n_wrong


@compiling
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", SECOND)
def test_joint_classes_equal_the_oracle(name, dtype):
    X, y = rows(dtype, n_classes=3)
    rule = SECOND[name][1]()
    oracle = JointRun(X, y, 3, epochs=2, rule=rule.step, move=rule.move)
    for data in (X, sp.csr_array(X)):
        clf = OnlineClassifier(
            SECOND[name][0], keep="mean", multi_class="joint", order="cyclic", max_iter=2
        ).fit(data, y)
        same(clf.last_coef_, oracle.hypotheses[-1][0])
        same(clf.coef_, oracle.mean[0])
        assert clf.n_mistakes_ == oracle.n_wrong


@pytest.mark.parametrize("name", some)
@pytest.mark.parametrize("scheme", ["ovr", pytest.param("ovo", marks=compiling)])
def test_batches_late_classes_threads_and_streams_give_the_same_bits(name, scheme, tmp_path):
    X, y = rows(np.float64, n_classes=3)
    y = np.sort(y)  # a class shows up when the ones before it are done with
    clf = OnlineClassifier(
        FAMILY[name][0], keep="mean", multi_class=scheme, order="cyclic", max_iter=1
    )
    whole = clone(clf).fit(X, y)
    batches = [(X[i:j], y[i:j]) for i, j in pairwise([0, 3, 17, 18, 40])]
    pieces = clone(clf)
    for number, (X_part, y_part) in enumerate(batches):
        pieces.partial_fit(sp.csr_array(X_part) if number % 2 else X_part, y_part)
        if number == 1:  # a file holds what the rule keeps
            save(pieces, tmp_path / "model")
            pieces = load(tmp_path / "model")
    threads = clone(clf).set_params(n_jobs=2).fit(X, y)
    stream = fit_stream(clone(clf), batches)
    for other in (pieces, threads, stream, pickle.loads(pickle.dumps(whole))):
        same(other.coef_, whole.coef_)
        same(other.intercept_, whole.intercept_)
        same(other.n_updates_, whole.n_updates_)


@compiling
@pytest.mark.parametrize("name", ["AROW", "AROW-full", "ALMA"])
def test_features_that_come_late_start_as_all_do(name):
    """As in text that is read for the first time: theta grows with the columns that are met."""
    X, y = rows(np.float64)
    X[:, 2] = 0.0
    clf = OnlineClassifier(FAMILY[name][0], keep="mean", order="cyclic", max_iter=1)
    narrow, wide = (clone(clf).fit(sp.csr_array(data), y) for data in (X[:, :2], X))
    found = narrow.learned_.state.resized(3, clf.describe().beside)
    same(found.theta, wide.learned_.state.theta)
    for array, expected in zip(
        found.beside.values(), wide.learned_.state.beside.values(), strict=True
    ):
        scratch = array.shape[1] - 1 if array.ndim == 3 else None  # below a matrix
        same(
            array[:, :scratch] if scratch else array, expected[:, :scratch] if scratch else expected
        )


# --------------------------------------------------------------------------- papers


def separable(seed, d=3):
    random = np.random.RandomState(seed)
    X = random.randint(-8, 9, size=(60, d)).astype(float)
    scores = X @ np.resize([2.0, -1.0, 1.0], d)
    return X[scores != 0], (scores[scores != 0] > 0).astype(int)


@compiling
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("alpha", [0.9, 0.5])
def test_alma_reaches_its_share_of_the_largest_margin(seed, alpha):
    """Gentile (2001), Theorem 3: k <= 2/gamma^2 (2/alpha - 1)^2 + 8/alpha - 4 updates, and then
    a margin of (1 - alpha) gamma, on rows of length 1, with B and C as they are by default.
    """
    X, y = separable(seed)
    unit = X / np.linalg.norm(X, axis=1)[:, None]
    clf = OnlineClassifier(rules.ALMA(alpha), fit_intercept=False, max_iter=10_000).fit(X, y)
    gamma = max_margin(unit, y, fit_intercept=False).margin
    assert clf.status_ == "separated"
    assert clf.n_updates_[0] <= 2 / gamma**2 * (2 / alpha - 1) ** 2 + 8 / alpha - 4
    theta = clf.coef_[0] / np.linalg.norm(clf.coef_[0])
    reached = (unit @ theta * np.where(y == 1, 1, -1)).min()
    assert reached >= (1 - alpha) * gamma * (1 - 1e-12)


@compiling
@pytest.mark.parametrize("seed", range(4))
def test_romma_keeps_within_the_perceptrons_bound(seed):
    """Li and Long (2002), Theorem 1: at most (R / gamma)^2 mistakes, aggressive or not."""
    X, y = separable(seed)
    bound = (np.linalg.norm(X, axis=1).max() / max_margin(X, y, fit_intercept=False).margin) ** 2
    for aggressive in (False, True):
        clf = OnlineClassifier(rules.ROMMA(aggressive), fit_intercept=False, max_iter=30).fit(X, y)
        assert clf.n_mistakes_ <= bound


@compiling
def test_romma_ends_on_the_row_and_keeps_what_it_had():
    X, y = np.array([[3.0, 1.0], [-1.0, 2.0], [2.0, 2.0]]), [1, 0, 0]
    clf = OnlineClassifier(rules.ROMMA(), fit_intercept=False)
    before = np.zeros((1, 2))
    for x, label in zip(X, y, strict=True):
        clf.partial_fit([x], [label], classes=[0, 1])
        after = clf.coef_
        if (after != before).any():
            assert (2 * label - 1) * after[0] @ x == pytest.approx(1.0)
            assert after[0] @ before[0] == pytest.approx(before[0] @ before[0])
        before = after
    assert clf.n_updates_[0] == 2


@compiling
@pytest.mark.parametrize("seed", range(4))
def test_the_second_order_perceptron_is_that_of_its_paper(seed):
    """Figure 1 there: on row t predict by v . (a I + S S^T + x x^T)^-1 x, S the mistakes so far."""
    random = np.random.RandomState(seed)
    X = random.standard_normal((40, 2))  # no score is 0 but the first
    y = (X[:, 0] + random.standard_normal(40) > 0).astype(int)
    a, mistakes = Fraction(1, 2), []
    A, v = [[a, Fraction(0)], [Fraction(0), a]], [Fraction(0), Fraction(0)]

    def solved(M, b):
        det = M[0][0] * M[1][1] - M[0][1] * M[1][0]
        return [(M[1][1] * b[0] - M[0][1] * b[1]) / det, (M[0][0] * b[1] - M[1][0] * b[0]) / det]

    for i, (row, label) in enumerate(zip(X, y, strict=True)):
        x = [Fraction(t) for t in row]
        with_x = [[A[p][q] + x[p] * x[q] for q in range(2)] for p in range(2)]
        s = sum(p * q for p, q in zip(v, solved(with_x, x), strict=True))
        if (2 * int(label) - 1) * s <= 0:
            mistakes.append(i)
            A, v = with_x, [p + (2 * int(label) - 1) * q for p, q in zip(v, x, strict=True)]
    clf = OnlineClassifier(
        rules.SecondOrder(a=0.5, covariance="full"), fit_intercept=False, order="cyclic", max_iter=1
    ).fit(X, y)
    assert np.flatnonzero(clf.mistake_counts_).tolist() == mistakes
    np.testing.assert_allclose(clf.coef_[0], [float(t) for t in solved(A, v)], rtol=1e-9)


def updated(rule, x):
    """(theta, Sigma) before and after one more row, with y = +1."""
    clf = OnlineClassifier(rule, fit_intercept=False)
    seen = np.random.RandomState(0).randint(-3, 4, (12, len(x))).astype(float)
    clf.partial_fit(seen, np.arange(12) % 2)
    before = clf.coef_[0].copy(), clf.learned_.state.beside["covariance"][0, 1:-1, 1:].copy()
    clf.partial_fit([x], [1])
    after = clf.coef_[0], clf.learned_.state.beside["covariance"][0, 1:-1, 1:]
    return before, after


@compiling
@pytest.mark.parametrize("x", [(1.0, -2.0, 0.5), (0.0, 3.0, 1.0), (2.0, 2.0, -1.0)])
def test_what_second_order_updates_solve(x):
    """Each paper's problem, checked where its solution must be."""
    x, phi = np.array(x), 0.5244005127080407  # the 0.7-quantile

    (theta, sigma), (new, shrunk) = updated(rules.AROW(r=0.5, covariance="full"), x)
    # AROW: no gradient of |mu - theta|^2 by 1/S, + (1 - mu.x)^2 / r; and 1/S' = 1/S + x x' / r.
    gradient = 2 * np.linalg.solve(sigma, new - theta) - 2 * (1 - new @ x) * x / 0.5
    np.testing.assert_allclose(gradient, 0, atol=1e-9)
    np.testing.assert_allclose(
        np.linalg.inv(shrunk), np.linalg.inv(sigma) + np.outer(x, x) / 0.5, rtol=1e-9, atol=1e-9
    )

    (theta, sigma), (new, shrunk) = updated(rules.ConfidenceWeighted(covariance="full"), x)
    assert new @ x == pytest.approx(phi * math.sqrt(x @ shrunk @ x))  # right with probability 0.7

    (theta, sigma), (new, shrunk) = updated(rules.NHERD(C=2.0, covariance="full"), x)
    # Every point w of the Gaussian moves by the same map, w + (1 - w.x) C S x / (1 + C v).
    u = sigma @ x
    herd = np.eye(3) - 2.0 / (1 + 2.0 * (x @ u)) * np.outer(u, x)
    np.testing.assert_allclose(shrunk, herd @ sigma @ herd.T, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(new, herd @ theta + 2.0 / (1 + 2.0 * (x @ u)) * u, rtol=1e-9)


# ---------------------------------------------------------------------------- limits


@pytest.mark.parametrize("rule", [rules.ALMA(), rules.ROMMA()])
def test_a_rule_that_scales_theta_is_not_joint(rule):
    X, y = rows(np.float64, n_classes=3)
    with pytest.raises(ValueError, match=r"multi_class=.joint. with rule=… is not possible: this"):
        OnlineClassifier(rule, multi_class="joint").fit(X, y)
    described = OnlineClassifier(rule, multi_class="joint").describe()
    assert all(limit(described, source) for source in ("memory", "batches", "stream", "cluster"))


def test_a_full_covariance_says_how_much_memory_it_would_take():
    X = sp.csr_array((np.ones(4), ([0, 1, 2, 3], [0, 1, 2, 19_999])), shape=(4, 20_000))
    clf = OnlineClassifier(rules.AROW(covariance="full"))
    with pytest.raises(ValueError, match=r"1 matrices of 20001 × 20001 numbers, 3\.2 GB; 2\.1 GB"):
        clf.fit(X, [0, 1, 0, 1])


@compiling
def test_weights_of_a_rule_without_a_price_change_nothing():
    X, y = rows(np.float64)
    for rule in (rules.ROMMA(), rules.ConfidenceWeighted()):
        clf = OnlineClassifier(rule, max_iter=2)
        plain = clone(clf).fit(X, y).coef_
        same(clone(clf).fit(X, y, sample_weight=np.resize([3.0, 0.5], len(y))).coef_, plain)


@compiling
@pytest.mark.parametrize("name", ["AROW", "AROW-full"])
def test_variances_never_fall_below_zero(name):
    X, y = np.array([[1e9, 1.0], [1e9, -1.0], [-1e9, 1e-9]] * 3), np.array([1, 0, 0] * 3)
    clf = OnlineClassifier(FAMILY[name][0], max_iter=5).fit(X, y)
    assert all((array >= 0).all() for array in clf.learned_.state.beside.values()) or "full" in name
    assert np.isfinite(clf.coef_).all()
