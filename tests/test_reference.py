"""Every estimator against the oracle in `reference`: the same theta, bit for bit."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import example, given
from hypothesis import strategies as st

from novikoff import (
    AveragedPerceptron,
    Perceptron,
    PocketPerceptron,
    VotedPerceptron,
    _jit,
)
from tests.examples import ALL, examples
from tests.reference import JointRun, Run, exact_score, perceptron_step

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


TYPES = [np.float32, np.float64, np.int8]


def affordable():
    """Every type is a compilation of every kernel. As ordinary Python all of them are cheap."""
    return TYPES if ALL or _jit.patience != 0.0 else [np.float64]


@st.composite
def data_sets(draw, n_classes=2, types=affordable):
    """Small data on which ties, near ties and rounding are common."""
    n = draw(st.integers(n_classes, 12))
    d = draw(st.integers(1, 4))
    dtype = draw(st.sampled_from(types()))
    if dtype == np.int8:
        cell = st.integers(-3, 3)
    else:
        cell = st.sampled_from([0.0, 0.1, 0.2, 0.3, -0.1, -0.3, 1.0, -1.0, 1e8, 1e-8, 1 / 3])
    X = np.array(
        draw(st.lists(st.lists(cell, min_size=d, max_size=d), min_size=n, max_size=n)), dtype
    )
    y = np.array(draw(st.lists(st.integers(0, n_classes - 1), min_size=n, max_size=n)))
    y[:n_classes] = np.arange(n_classes)
    return X, y


options = st.fixed_dictionaries(
    {
        "fit_intercept": st.booleans(),
        "margin": st.sampled_from([0.0, 0.3, 1.0]),
        "ties": st.sampled_from(["mistake", "correct", "sign"]),
        "order": st.sampled_from(["cyclic", "shuffled", "random"]),
        "eta0": st.sampled_from([1.0, 0.1, 0.3]),
        "max_iter": st.integers(1, 6),
        "random_state": st.integers(0, 3),
    }
).filter(
    lambda o: (
        not (o["ties"] == "sign" and o["margin"] > 0)
        and not (o["ties"] == "correct" and o["margin"] == 0)
    )
)


def run(X, sides, o, **more):
    return Run(
        X, sides, kind=o["order"], epochs=o["max_iter"], seed=o["random_state"], beta=o["margin"],
        ties=o["ties"], eta=o["eta0"], fit_intercept=o["fit_intercept"], **more,
    )  # fmt: skip


def same(actual, expected):
    np.testing.assert_array_equal(np.asarray(actual), np.asarray(expected), strict=True)


@examples(60)
@given(data_sets(types=lambda: TYPES), options)
def test_binary_estimators_equal_the_oracle(data, o):
    X, y = data
    oracle = run(X, np.where(y == 1, 1, -1), o)
    last = Perceptron(**o, record_trace=True).fit(X, y)
    same(last.coef_[0], oracle.last[0])
    same(last.intercept_[0], oracle.last[1])
    assert last.n_updates_[0] == len(oracle.rows)
    assert last.n_iter_ == oracle.epochs_run
    assert (last.status_ == "separated") == oracle.converged
    same(last.mistake_counts_, np.bincount(oracle.rows, minlength=len(y)))
    assert last.n_mistakes_ == oracle.n_wrong
    assert last.progressive_error_ == oracle.wrong_at_first
    same(last.trace_.row, np.array(oracle.rows, int))
    theta, offset = last.trace_.hypotheses(X)
    same(theta, np.array([h[0] for h in oracle.hypotheses]))
    same(offset, np.array([h[1] for h in oracle.hypotheses]))

    mean = AveragedPerceptron(**o).fit(X, y)
    same(mean.coef_[0], oracle.mean[0])
    assert mean.intercept_[0] == oracle.mean[1]
    same(mean.last_coef_[0], oracle.last[0])
    truth = [float(v) for v in oracle.true_mean()]
    largest = max(np.abs(h[0]).max() for h in oracle.hypotheses)
    np.testing.assert_allclose(mean.coef_[0], truth[:-1], rtol=1e-12, atol=1e-12 * largest)

    voted = VotedPerceptron(**o).fit(X, y)
    same(voted.survival_times_[0], oracle.survival())
    same(voted.decision_function(X), np.array([oracle.vote(x) for x in X], float))
    same(voted.coef_[0], oracle.last[0])

    pocket = PocketPerceptron(**o).fit(X, y)
    best = oracle.pocket()
    same(pocket.coef_[0], best[0])
    same(pocket.intercept_[0], best[1])


_NEAR = [v * (1 + e * 2.0**-52) for v in (0.0, 1.0, 3.0, 7.0, -3.0, -7.0) for e in (0, 1, -2)]


@examples(60)
@given(
    X=st.integers(1, 3).flatmap(
        lambda d: st.lists(
            st.lists(st.sampled_from(_NEAR), min_size=d, max_size=d), min_size=3, max_size=6
        )
    ),
    scales=st.sampled_from([(500, -548), (-500, 400), (900, -1000), (0, -1070), (-1000, 900)]),
    o=options.filter(lambda o: o["margin"] == 0.0),
)
@example(  # the bound on ||theta|| underflowed, and rounding was taken for a decision
    X=[
        [-7.000000000000002, 7.0000000000000036, -1.1102230246251573e-16],
        [7.0000000000000036, 7.000000000000002, 3.0000000000000013],
        [3.000000000000001, 3.0, -3.0],
    ],
    scales=(500, -548),
    o={
        "fit_intercept": False, "margin": 0.0, "ties": "mistake", "order": "cyclic", "eta0": 1.0,
        "max_iter": 1, "random_state": 0,
    },
)  # fmt: skip
def test_decisions_are_exact_at_the_ends_of_the_range(X, scales, o):
    X = np.ldexp(np.array(X), scales[0])
    o = {**o, "eta0": float(np.ldexp(o["eta0"], scales[1]))}
    y = np.arange(1, len(X) + 1) % 2
    oracle = run(X, 2 * y - 1, o)
    for form in (X, sp.csr_array(X)):
        last = Perceptron(**o).fit(form, y)
        same(last.coef_[0], oracle.last[0])
        assert last.n_updates_[0] == len(oracle.rows)
        same(last.predict(form), np.array([int(exact_score(*oracle.last, x) >= 0) for x in X]))


@examples(30)
@given(data_sets(), options)
def test_dense_sparse_and_memory_order_do_not_matter(data, o):
    X, y = data
    dense = AveragedPerceptron(**o).fit(X, y)
    forms = [np.asfortranarray(X), sp.csr_matrix(X), sp.csc_array(X), sp.coo_array(X)]
    wide = sp.csr_array(X)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    for form in [*forms, wide]:
        other = AveragedPerceptron(**o).fit(form, y)
        same(other.coef_, dense.coef_)
        same(other.intercept_, dense.intercept_)
        same(other.last_coef_, dense.last_coef_)
        same(other.predict(form), dense.predict(X))


@examples(30)
@given(data_sets(n_classes=3), options)
def test_one_vs_rest_and_one_vs_one_are_independent_oracles(data, o):
    X, y = data
    ovr = [run(X, np.where(y == c, 1, -1), o) for c in range(3)]
    ovo = [
        run(X, np.where(y == j, 1, np.where(y == i, -1, 0)), o)
        for i, j in combinations(range(3), 2)
    ]
    for scheme, oracles in (("ovr", ovr), ("ovo", ovo)):
        for form in (X, sp.csr_array(X)):
            last = Perceptron(multi_class=scheme, **o).fit(form, y)
            same(last.coef_, np.array([r.last[0] for r in oracles]))
            same(last.intercept_, np.array([r.last[1] for r in oracles]))
            assert last.n_iter_ == max(r.epochs_run for r in oracles)
            assert (last.status_ == "separated") == all(r.converged for r in oracles)
        mean = AveragedPerceptron(multi_class=scheme, **o, n_jobs=2).fit(X, y)
        same(mean.coef_, np.array([r.mean[0] for r in oracles]))
        same(mean.intercept_, np.array([r.mean[1] for r in oracles]))
        voted = VotedPerceptron(multi_class=scheme, **o).fit(X, y)
        for mine, oracle in zip(voted.survival_times_, oracles, strict=True):
            same(mine, oracle.survival())
        pocket = PocketPerceptron(multi_class=scheme, **o).fit(X, y)
        same(pocket.coef_, np.array([r.pocket()[0] for r in oracles]))
    last = Perceptron(multi_class="ovr", **o).fit(X, y)
    for x, label in zip(X, last.predict(X), strict=True):
        scores = [exact_score(*r.last, x) for r in ovr]
        assert label == scores.index(max(scores))
    voted = VotedPerceptron(multi_class="ovr", **o).fit(X, y)
    same(voted.decision_function(X), np.array([[r.vote(x) for r in ovr] for x in X], float))


def winner(theta, offset, x, n_classes):
    """One-vs-one in fractions: most votes, then the largest sum of scores, then the first."""
    votes, sums = [0] * n_classes, [Fraction(0)] * n_classes
    pairs = combinations(range(n_classes), 2)
    for (i, j), t, o in zip(pairs, theta, offset, strict=True):
        s = exact_score(t, o, x)
        votes[j if s >= 0 else i] += 1
        sums[i] -= s
        sums[j] += s
    return max(range(n_classes), key=lambda c: (votes[c], sums[c], -c))


@examples(60)
@given(
    st.integers(0, 10**6), st.sampled_from([3, 4]), st.sampled_from([0, 60, -1060, 1010]),
    st.sampled_from([np.float32, np.float64]),
)  # fmt: skip
def test_one_vs_one_decides_its_ties_exactly(seed, n_classes, exponent, dtype):
    """Classes with as many votes, and sums that differ by less than their rounding or not at all.

    Large scores too: sums beyond 1e8 are squeezed into the same decision_function.
    """
    random = np.random.default_rng(seed)
    n_planes = n_classes * (n_classes - 1) // 2
    near = np.array([v * (1 + e * 2.0**-52) for v in (1.0, -1.0, 3.0, 0.1) for e in (0, 1)] + [0.0])
    clf = Perceptron(multi_class="ovo").fit(np.eye(n_classes, dtype=dtype), range(n_classes))
    width = n_classes
    clf.coef_ = random.choice(near, (n_planes, width)).astype(dtype)
    clf.intercept_ = random.choice(near, n_planes).astype(dtype)
    X = np.ldexp(random.choice(near, (40, width)), exponent)
    truth = [winner(clf.coef_, clf.intercept_, x, n_classes) for x in X]
    same(clf.predict(X), np.array(truth))
    same(clf.predict(sp.csr_array(X)), np.array(truth))


def test_votes_too_large_to_be_squeezed_still_break_ties():
    from novikoff.training.prediction import classes_of_scores
    from novikoff.training.schemes import closed_scheme

    # Planes (0, 1), (0, 2), (1, 2): one vote for each class; the sums of 0 and 1 are 1e9, 1e9 + 1.
    scores = np.array([[2e9 + 1.0, -3e9 - 1.0, 1e9]])
    assert classes_of_scores(closed_scheme("ovo", 3), scores).tolist() == [1]


@pytest.mark.parametrize("n_classes", [3, 9, 33])
@pytest.mark.parametrize(("dtype", "exponent"), [(np.float32, 60), (np.float64, 508)])
def test_joint_classes_whose_sums_overflow_equal_the_oracle(n_classes, dtype, exponent):
    """A score is infinity minus infinity where it is summed in theta's type."""
    random = np.random.default_rng(n_classes)
    X = random.integers(0, 2, (2 * n_classes, 6)) * (1 + random.integers(-2, 3, (1, 6)) / 2**22)
    X, y = np.ldexp(X, exponent).astype(dtype), np.arange(2 * n_classes) % n_classes
    oracle = JointRun(X, y, n_classes, epochs=2, rule=perceptron_step(0.0, "mistake", 1000.0))
    for form in (X, sp.csr_array(X)):
        clf = Perceptron(multi_class="joint", order="cyclic", max_iter=2, eta0=1000.0).fit(form, y)
        same(clf.coef_, oracle.hypotheses[-1][0])
        same(clf.mistake_counts_, np.bincount(oracle.rows, minlength=len(y)))


@examples(30)
@given(data_sets(n_classes=3), options.filter(lambda o: o["order"] != "random" and o["eta0"] == 1))
@pytest.mark.thorough
def test_joint_classes_equal_the_oracle(data, o):
    X, y = data
    oracle = JointRun(
        X, y, 3, kind=o["order"], epochs=o["max_iter"], seed=o["random_state"], beta=o["margin"],
        ties=o["ties"], fit_intercept=o["fit_intercept"],
    )  # fmt: skip
    for form in (X, sp.csr_array(X)):
        last = Perceptron(multi_class="joint", **o).fit(form, y)
        same(last.coef_, oracle.hypotheses[-1][0])
        same(last.intercept_, oracle.hypotheses[-1][1])
        assert (last.status_ == "separated") == oracle.converged
        same(last.mistake_counts_, np.bincount(oracle.rows, minlength=len(y)))
        assert last.n_updates_.sum() == 2 * len(oracle.rows)
        same(last.predict(form), np.array([oracle.argmax(oracle.hypotheses[-1], x) for x in X]))
    mean = AveragedPerceptron(multi_class="joint", **o).fit(X, y)
    same(mean.coef_, oracle.mean[0])
    same(mean.intercept_, oracle.mean[1])
    pocket = PocketPerceptron(multi_class="joint", **o).fit(X, y)
    same(pocket.coef_, oracle.pocket()[0])
    voted = VotedPerceptron(multi_class="joint", **o).fit(X, y)
    same(voted.survival_times_[0], oracle.survival())
    same(voted.decision_function(X), np.array([oracle.votes(x) for x in X], float))


@examples(30)
@given(data_sets(), options, st.data())
def test_weights_scale_the_step_and_zero_drops_the_row(data, o, draw):
    X, y = data
    weight = st.sampled_from([0.0, 0.5, 1.0, 3.0, 0.1])
    w = np.array(draw.draw(st.lists(weight, min_size=len(y), max_size=len(y))))
    w[:2] = 1.0  # both classes stay
    kept = w > 0
    oracle = run(X[kept], np.where(y == 1, 1, -1)[kept], o, weights=w[kept])
    last = Perceptron(**o).fit(X, y, sample_weight=w)
    same(last.coef_[0], oracle.last[0])
    same(last.mistake_counts_[~kept], np.zeros((~kept).sum(), int))
    pocket = PocketPerceptron(**o).fit(X, y, sample_weight=w)
    same(pocket.coef_[0], oracle.pocket(w[kept])[0])
    voted = VotedPerceptron(**o).fit(X, y, sample_weight=w)
    same(voted.survival_times_[0], oracle.survival())


@examples(60)
@given(st.data(), st.sampled_from([0, 1023, -1000]))
def test_the_pocket_compares_totals_exactly(draw, exponent):
    """Totals differ by less than their rounding here, and at the top they overflow."""
    cell = st.integers(-2, 2)
    X = np.array(draw.draw(st.lists(st.tuples(cell, cell), min_size=6, max_size=12)), float)
    y = np.arange(len(X)) % 2
    weight = st.sampled_from([1.0, 1.0 + 2.0**-52, 1.0 - 2.0**-53, 1.0 + 2.0**-51, 0.5])
    w = np.array(draw.draw(st.lists(weight, min_size=len(X), max_size=len(X))))
    w = np.ldexp(w, exponent)
    o = {
        "order": "cyclic", "max_iter": 6, "random_state": 0, "margin": 0.0, "ties": "mistake",
        "eta0": 2.0**-exponent, "fit_intercept": draw.draw(st.booleans()),
    }  # fmt: skip
    oracle = run(X, 2 * y - 1, o, weights=w)
    best = oracle.pocket(w)
    for form in (X, sp.csr_array(X)):
        pocket = PocketPerceptron(**o, record_trace=True).fit(form, y, sample_weight=w)
        same(pocket.coef_[0], best[0])
        same(pocket.intercept_[0], best[1])
        errors = pocket.trace_.replacements.error
        assert np.isfinite(errors).all()
        wrong = [int(s) * exact_score(*best, x) <= 0 for x, s in zip(X, 2 * y - 1, strict=True)]
        total = sum((Fraction(v) for v in w[wrong]), Fraction(0))
        assert errors[-1] == float(min(total, Fraction(np.finfo(float).max)))


@examples(30)
@given(data_sets(), options, st.data())
def test_a_nonzero_start(data, o, draw):
    X, y = data
    number = st.sampled_from([0.0, 0.1, -1.0, 2.0])
    theta = draw.draw(st.lists(number, min_size=X.shape[1], max_size=X.shape[1]))
    offset = draw.draw(number) if o["fit_intercept"] else 0.0
    oracle = run(X, np.where(y == 1, 1, -1), o, theta=theta, offset=offset)
    init = {"coef_init": theta}
    if o["fit_intercept"]:
        init["intercept_init"] = offset
    same(Perceptron(**o).fit(X, y, **init).coef_[0], oracle.last[0])
    same(AveragedPerceptron(**o).fit(X, y, **init).coef_[0], oracle.mean[0])
    voted = VotedPerceptron(**o).fit(X, y, **init)
    same(voted.decision_function(X), np.array([oracle.vote(x) for x in X], float))
    same(PocketPerceptron(**o).fit(X, y, **init).coef_[0], oracle.pocket()[0])
