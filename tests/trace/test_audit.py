"""The theorem of Block and Novikoff, checked update by update; and that the check can fail."""

import dataclasses
import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import StandardScaler

from novikoff import (
    AveragedPerceptron,
    OnlineClassifier,
    PassiveAggressiveClassifier,
    Perceptron,
    PocketPerceptron,
    Trace,
    VotedPerceptron,
)
from novikoff.certificates.results import MaxMargin
from tests.examples import examples
from tests.reference import exact_score
from tests.trace.helpers import digest_of, margin_oracle, signed_rows

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

RULES = [
    {}, {"margin": 1.0}, {"margin": 2.5, "ties": "correct"}, {"ties": "sign"}, {"eta0": 0.1},
    {"eta0": 3.0, "margin": 0.7}, {"order": "random"}, {"order": "cyclic"},
    {"fit_intercept": False}, {"fit_intercept": False, "margin": 4.0, "eta0": 0.3},
]  # fmt: skip


def separable(seed, n=40, d=3, dtype=np.float64):
    """Points of two classes with a gap between them, on both sides of the origin."""
    random = np.random.RandomState(seed)
    theta = random.standard_normal(d)
    X = random.standard_normal((4 * n, d))
    s = X @ theta / np.linalg.norm(theta)
    X, s = X[np.abs(s) > 0.1][:n], s[np.abs(s) > 0.1][:n]
    return X.astype(dtype), np.where(s > 0, 1, -1)


def traced(X, y, estimator=Perceptron, **o):
    return estimator(**{"max_iter": 2000, "record_trace": True, **o}).fit(X, y).trace_


def exact_inequalities(trace, margin):
    """The proof's two sums after every update, in fractions, for the hypotheses of the run."""
    theta, offset = trace.hypotheses()
    star = [Fraction(t) for t in margin.theta]
    norm = math.sqrt(sum(t * t for t in star))
    for t, o in zip(theta[1:], offset[1:], strict=True):
        full = [Fraction(float(v)) for v in t] + [Fraction(float(o))] * trace.fit_intercept
        dot = sum(a * b for a, b in zip(full, star, strict=True))
        yield float(dot) / norm, float(sum(v * v for v in full))


@pytest.mark.parametrize("rule", RULES, ids=str)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("sparse", [False, True])
def test_the_theorem_holds(rule, dtype, sparse):
    for seed in range(3):
        X, y = separable(seed, dtype=dtype)
        trace = traced(sp.csr_array(X) if sparse else X, y, **rule)
        assert trace.status == "separated"
        margin = margin_oracle(trace)
        audit = trace.audit(max_margin=margin)
        assert audit.covered
        assert audit.holds, audit.violation
        assert audit.violation is audit.reason is None
        assert audit.n_updates == len(trace) > 0
        assert audit.n_updates <= audit.bound
        for name in ("progress", "squared_norm", "cosine"):
            assert len(getattr(audit, name)) == len(getattr(audit, f"{name}_bound")) == len(trace)

        R2 = max(float(z @ z) for z in signed_rows(trace))
        eta, beta = float(dtype(trace.eta)), trace.margin
        assert audit.eta == eta
        assert audit.beta == beta
        assert audit.gamma == margin.margin
        assert audit.radius == pytest.approx(math.sqrt(R2), rel=1e-13)
        k = np.arange(1, len(trace) + 1)
        np.testing.assert_allclose(audit.progress_bound, k * eta * audit.gamma, rtol=1e-13)
        np.testing.assert_allclose(
            audit.squared_norm_bound, k * eta * (eta * R2 + 2 * beta), rtol=1e-13
        )
        np.testing.assert_allclose(
            audit.cosine_bound, np.sqrt(k) * audit.gamma / math.sqrt(R2 + 2 * beta / eta)
        )
        assert audit.bound == pytest.approx((R2 + 2 * beta / eta) / audit.gamma**2, rel=1e-12)
        assert audit.tightness == min(audit.cosine / audit.cosine_bound)
        assert audit.k[np.argmin(audit.cosine / audit.cosine_bound)] == audit.tightest

        exact = np.array(list(exact_inequalities(trace, margin)))
        allowed = audit.progress_allowance, audit.squared_norm_allowance
        for measured, truth, allowance in zip(
            (audit.progress, audit.squared_norm), exact.T, allowed, strict=True
        ):
            assert (np.abs(measured - truth) <= allowance + 1e-15 * np.abs(truth)).all()
        np.testing.assert_allclose(audit.cosine, exact[:, 0] / np.sqrt(exact[:, 1]), rtol=1e-9)


@pytest.mark.parametrize("estimator", [AveragedPerceptron, VotedPerceptron, PocketPerceptron])
def test_every_estimator_runs_the_same_perceptron(estimator):
    X, y = separable(0)
    trace = traced(X, y, estimator, max_iter=20)
    assert trace.audit(max_margin=margin_oracle(trace)).holds


def test_several_hyperplanes_have_margins_of_their_own():
    random = np.random.RandomState(0)
    y = np.arange(60) % 3
    X = np.array([[0, 9], [9, -5], [-9, -5]])[y] + random.uniform(-1, 1, (60, 2))
    for scheme in ("ovr", "ovo"):
        for trace in traced(X, y, multi_class=scheme):
            audit = trace.audit(max_margin=margin_oracle(trace))
            assert audit.holds, audit.violation


def test_rows_that_took_no_part_do_not_count():
    X, y = separable(0)
    far = np.vstack([X, [[1e6, 0, 0], [-1e6, 0, 0]]])
    weights = np.append(np.ones(len(X)), [0.0, 0.0])
    clf = Perceptron(max_iter=2000, record_trace=True).fit(far, [*y, 1, 1], sample_weight=weights)
    audit = clf.trace_.audit(max_margin=margin_oracle(clf.trace_))
    assert audit.holds
    assert audit.radius < 10


@pytest.mark.parametrize("n", [1, 2, 4, 9, 16])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int8])
@pytest.mark.parametrize("eta", [1.0, 0.1])
def test_orthonormal_rows_meet_the_bound_with_equality(n, dtype, eta):
    """gamma = 1 / sqrt(n), R = 1: k = n = (R / gamma)^2, and every line of the proof is sharp."""
    y = np.where(np.arange(n + 1) % 2, 1, -1)[:n]
    X = np.eye(n, dtype=dtype)
    if n == 1:  # a classifier needs two classes: the same example twice
        X, y = np.array([[1], [-1]], dtype), np.array([1, -1])
    trace = traced(X, y, fit_intercept=False, order="cyclic", eta0=eta)
    assert len(trace) == n
    audit = trace.audit(max_margin=margin_oracle(trace))
    assert audit.holds, audit.violation
    assert audit.radius == 1.0
    assert audit.bound == pytest.approx(n, rel=1e-12)
    assert audit.bound >= n
    np.testing.assert_allclose(audit.cosine, audit.cosine_bound, rtol=1e-6)
    np.testing.assert_allclose(audit.squared_norm, audit.squared_norm_bound, rtol=1e-6)
    assert audit.tightness == pytest.approx(1.0, rel=1e-6)


def test_the_longest_row_first_meets_the_norm_bound_exactly():
    X, y = separable(3)
    for dtype in (np.float64, np.float32):
        ordered = X[np.argsort(-np.linalg.norm(X, axis=1))].astype(dtype)
        y_ordered = y[np.argsort(-np.linalg.norm(X, axis=1))]
        for o in ({}, {"fit_intercept": False}, {"eta0": 0.3}):
            trace = traced(ordered, y_ordered, order="cyclic", **o)
            audit = trace.audit(max_margin=margin_oracle(trace))
            assert audit.holds, audit.violation
            assert audit.squared_norm[0] == pytest.approx(audit.squared_norm_bound[0], rel=1e-6)


@examples(30)
@given(
    st.integers(0, 10**6), st.integers(2, 12), st.integers(1, 4), st.sampled_from(RULES),
    st.sampled_from([np.float32, np.float64]), st.sampled_from([1.0, 0.1, 1e-30, 1e12]),
)  # fmt: skip
def test_honest_runs_raise_no_alarm(seed, n, d, rule, dtype, scale):
    X, y = separable(seed, n, d)
    X = (X * scale).astype(dtype)
    assume(len(set(y)) == 2)
    trace = traced(X, y, **{**rule, "max_iter": 200})
    margin = margin_oracle(trace)
    assume(margin.margin > 0)
    audit = trace.audit(max_margin=margin)
    assert audit.covered
    assert audit.holds, audit.violation


@pytest.mark.parametrize(
    "dtype", [pytest.param(np.float32, marks=pytest.mark.thorough), np.float64]
)
@pytest.mark.thorough
def test_a_long_run_on_data_with_a_narrow_gap(dtype):
    """Standardised wdbc: R / gamma is about 15 000. The theorem holds at the epoch limit, too."""
    X, y = load_breast_cancer(return_X_y=True)
    X = StandardScaler().fit_transform(X).astype(dtype)
    trace = traced(X, y, max_iter=1000)
    assert trace.status == "epoch_limit"
    assert len(trace) > 5_000
    audit = trace.audit(max_margin=margin_oracle(trace))
    assert audit.holds, audit.violation
    assert 1e8 < audit.bound < 3e8
    # The allowances stay small beside what they are allowances for.
    assert (audit.squared_norm_allowance < 0.05 * audit.squared_norm_bound).all()


# ------------------------------------------------------------- passive-aggressive

AGGRESSIVE = [
    {"C": math.inf}, {"C": 1.0}, {"C": 0.02}, {"C": 0.5, "loss": "squared_hinge"},
    {"C": math.inf, "fit_intercept": False}, {"C": 0.1, "fit_intercept": False},
]  # fmt: skip


def aggressive(X, y, **o):
    return traced(X, y, PassiveAggressiveClassifier, **{"max_iter": 20, **o})


@pytest.mark.parametrize("rule", AGGRESSIVE, ids=str)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_the_loss_bounds_of_crammer_and_others_hold(rule, dtype):
    """Theorems 2, 4 and 5 of Crammer et al. (2006), with losses from exact scores."""
    for seed in range(3):
        X, y = separable(seed, dtype=dtype)
        trace = aggressive(X, y, **rule)
        margin = margin_oracle(trace)
        audit = trace.audit(max_margin=margin)
        assert audit.covered, audit.reason
        assert audit.holds, audit.violation
        theta, offset = trace.hypotheses()
        losses = [
            1 - int(side) * exact_score(theta[e], offset[e], X[row])
            for e, (row, side) in enumerate(zip(trace.row, trace.y, strict=True))
        ]
        R2, C = max(float(z @ z) for z in signed_rows(trace)), rule["C"]
        most = {"PA": R2, "PA-I": max(R2, 1 / C), "PA-II": R2 + 1 / (2 * C)}[trace.rule]
        assert audit.bound == pytest.approx(most / margin.margin**2, rel=1e-12)
        if trace.rule == "PA-I":
            assert (audit.counted, audit.total) == ("mistakes", sum(loss >= 1 for loss in losses))
        else:
            assert audit.counted == "squared losses"
            assert audit.total == pytest.approx(float(sum(loss**2 for loss in losses)), rel=1e-12)
        assert audit.total <= audit.bound
        assert audit.counted.capitalize() in str(audit)
        exact = np.array(list(exact_inequalities(trace, margin)))
        tau = np.abs(trace.step).astype(float)
        least, most = margin.margin * np.cumsum(tau), np.cumsum([
            float(Fraction(t) * (2 - loss)) for t, loss in zip(tau, losses, strict=True)
        ])  # fmt: skip
        np.testing.assert_allclose(audit.progress_bound, least, rtol=1e-12)
        off = 1e-6 if dtype == np.float32 else 1e-12
        np.testing.assert_allclose(audit.squared_norm_bound, most, rtol=off, atol=off * tau.sum())
        assert (exact[:, 0] >= least - audit.progress_allowance).all()
        assert (exact[:, 1] <= audit.squared_norm_bound + audit.squared_norm_allowance).all()


@pytest.mark.parametrize("n", [2, 4, 9, 16])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_orthonormal_rows_meet_the_loss_bound_with_equality(n, dtype):
    """Every row loses 1 once: sum l^2 = n = (R / gamma)^2."""
    y = np.where(np.arange(n) % 2, 1, -1)
    trace = aggressive(np.eye(n, dtype=dtype), y, C=math.inf, fit_intercept=False)
    audit = trace.audit(max_margin=margin_oracle(trace))
    assert audit.holds, audit.violation
    assert audit.total == n
    assert audit.bound == pytest.approx(n, rel=1e-6)
    np.testing.assert_allclose(audit.cosine, audit.cosine_bound, rtol=1e-6)


def test_a_step_too_long_or_not_asked_for_is_noticed():
    X, y = separable(1)
    trace = aggressive(X, y, C=math.inf)
    margin = margin_oracle(trace)
    assert trace.audit(max_margin=margin).holds
    for e in (0, 3, len(trace) - 1):
        longer = dataclasses.replace(
            trace, step=trace.step * np.where(np.arange(len(trace)) == e, 1.01, 1.0)
        )
        audit = longer.audit(max_margin=margin)
        assert audit.violation is not None
        assert f"update {e + 1} " in audit.violation
        assert "grow by more than τ(1 + y·s)" in audit.violation
    theta, offset = trace.final
    beyond = int(np.argmax(y * (X @ theta + offset)))
    more = {"row": beyond, "y": y[beyond], "step": 0.1 * y[beyond], "t": trace.t[-1] + 1}
    longer = {name: np.append(getattr(trace, name), value) for name, value in more.items()}
    audit = dataclasses.replace(trace, **longer).audit(max_margin=margin)
    assert audit.violation == (
        f"update {len(trace) + 1} (row {beyond}) was not asked for: y·s < β fails"
    )


def test_weights_that_shorten_a_step_below_its_bound_are_not_covered():
    X, y = separable(0)
    clf = PassiveAggressiveClassifier(C=0.01, record_trace=True)
    light, heavy = (clf.fit(X, y, sample_weight=np.full(len(y), w)).trace_ for w in (0.5, 2.0))
    assert "smaller than C asks for" in light.audit().reason
    assert heavy.audit().holds


def test_a_class_of_a_joint_run_and_a_rule_without_a_theorem_are_not_covered():
    from tests.test_toy_rule import Gentle

    X, y = separable(0)
    clf = OnlineClassifier(Gentle(), record_trace=True, max_iter=5)
    assert "learned by another" in clf.fit(X, y).trace_.audit().reason
    clf = Perceptron(multi_class="joint", record_trace=True).fit(X, np.arange(len(y)) % 3)
    assert "all joint classes together" in clf.trace_[0].audit().reason


# -------------------------------------------------------------------- tampering


@pytest.fixture(scope="module")
def honest():
    X, y = separable(1)
    trace = traced(X, y, order="cyclic")
    margin = margin_oracle(trace)
    assert trace.audit(max_margin=margin).holds
    assert len(trace) > 10
    return trace, margin


def with_updates(trace, rows):
    y = trace.examples.side[rows].astype(np.int64)
    n = np.arange(1, len(rows) + 1)
    return dataclasses.replace(
        trace, row=rows, y=y, step=y.astype(trace.step.dtype) * trace.eta, t=n,
        epoch=np.ones(len(rows), np.int64), _read_scores=None,
    )  # fmt: skip


def test_an_update_that_was_no_mistake_is_noticed(honest):
    trace, margin = honest
    theta, offset = trace.final
    scores = trace.examples.X @ theta + offset
    right = int(np.argmax(trace.examples.side * scores))
    audit = with_updates(trace, np.append(trace.row, right)).audit(max_margin=margin)
    assert not audit.holds
    assert audit.violation == (
        f"update {len(trace) + 1} (row {right}) was no mistake: y·s ≤ β fails"
    )


def test_every_left_out_or_exchanged_update_is_noticed_or_harmless(honest):
    """What is left must still be a run in which every update answers a mistake."""
    trace, margin = honest
    noticed = 0
    for e in range(len(trace)):
        tampered = with_updates(trace, np.delete(trace.row, e))
        audit = tampered.audit(max_margin=margin)
        mistakes = tampered.y * tampered.score_before <= 0
        assert audit.holds == mistakes.all()
        noticed += not audit.holds
    assert noticed > len(trace) // 2


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_margin_one_percent_too_large_is_noticed(dtype):
    """Some update is of a row that holds the hyperplane in place."""
    X, y = separable(1, dtype=dtype)
    trace = traced(X, y)
    margin = margin_oracle(trace)
    assert np.isin(trace.row, margin.support).any()
    larger = dataclasses.replace(margin, margin=1.01 * margin.margin)
    audit = trace.audit(max_margin=larger)
    assert audit.covered
    assert not audit.holds
    assert "gained less than ηγ" in audit.violation


def test_another_theta_star_is_noticed(honest):
    trace, margin = honest
    other = margin.theta.copy()
    other[0] += 0.5 * np.abs(other).max()
    assert not trace.audit(max_margin=dataclasses.replace(margin, theta=other)).holds


def test_a_flipped_side_is_noticed(honest):
    trace, margin = honest
    flipped = dataclasses.replace(
        trace, step=trace.step * np.where(trace.row == trace.row[3], -1, 1)
    )
    assert not trace.audit(max_margin=margin).violation
    assert not flipped.audit(max_margin=margin).holds


@pytest.mark.parametrize("names", [["y"], ["step"], ["y", "step"]])
def test_y_the_step_and_the_side_of_the_row_must_agree(honest, names):
    trace, margin = honest
    for e in (0, 3, len(trace) - 1):
        sign = np.where(np.arange(len(trace)) == e, -1, 1)
        tampered = {name: getattr(trace, name) * sign for name in names}
        audit = dataclasses.replace(trace, **tampered).audit(max_margin=margin)
        assert not audit.holds
        assert audit.violation == (
            f"update {e + 1} (row {trace.row[e]}) has a y or a step that is not of the side of its "
            "row"
        )


@pytest.mark.parametrize(
    ("line", "said"), [("progress", "below kηγ"), ("squared_norm", "above kη")]
)
def test_the_sums_are_checked_and_not_only_the_single_updates(monkeypatch, honest, line, said):
    """Spoil one line's measurements by a millionth. (The cosine and the bound follow from both.)"""
    from novikoff.kernels import audit as kernels

    trace, margin = honest
    follow = kernels.audit_updates

    def spoiled(*arguments):
        follow(*arguments)
        theorem, findings = arguments[-3], arguments[-1]
        if line == "progress":
            findings.progress[:] = np.cumsum(theorem.least_gain) * (1 - 1e-6)
        else:
            findings.squared_norm[:] = np.cumsum(theorem.most_growth) * (1 + 1e-6)

    monkeypatch.setattr(kernels, "audit_updates", spoiled)
    audit = trace.audit(max_margin=margin)
    assert not audit.holds
    assert said in audit.violation


# ------------------------------------------------------------------ not covered


def test_what_the_theorem_does_not_cover():
    X, y = separable(0)
    fits = {
        "did not start at zero": Perceptron(record_trace=True).fit(X, y, coef_init=[[1.0, 0, 0]]),
        "start at zero (coef_init, intercept_init": Perceptron(record_trace=True).fit(
            X, y, intercept_init=[1.0]
        ),
        "different steps": Perceptron(record_trace=True, class_weight={-1: 1, 1: 2}).fit(X, y),
        "(sample_weight or class_weight)": Perceptron(record_trace=True).fit(
            X, y, sample_weight=1 + np.arange(len(y))
        ),
        "range of doubles": Perceptron(record_trace=True).fit(X * 1e150, y),
    }
    warm = Perceptron(record_trace=True, warm_start=True).fit(X, y).fit(-X, y)
    for reason, clf in {**fits, "warm_start": warm}.items():
        audit = clf.trace_.audit()
        assert not audit.covered
        assert audit.holds is None
        assert reason in audit.reason
        assert reason in str(audit)
        assert len(audit.progress) == len(audit.cosine_bound) == 0
        assert audit.n_updates == len(clf.trace_)


def test_equal_weights_are_a_step_of_another_size():
    X, y = separable(0)
    clf = Perceptron(max_iter=2000, record_trace=True, eta0=0.5)
    trace = clf.fit(X, y, sample_weight=np.full(len(y), 3.0)).trace_
    audit = trace.audit(max_margin=margin_oracle(trace))
    assert audit.holds
    assert audit.eta == 1.5


def test_a_run_without_updates():
    trace = Perceptron(record_trace=True).fit([[1.0], [-1.0]], [1, 0]).trace_
    none = with_updates(trace, np.empty(0, np.int64))
    audit = none.audit(max_margin=margin_oracle(none))
    assert audit.holds
    assert audit.n_updates == 0
    assert audit.tightest is None
    assert "holds" in str(audit)


def test_examples_can_be_given():
    X, y = separable(0)
    trace = traced(X, y)
    margin = margin_oracle(trace)
    bare = Trace.from_json(trace.to_json(examples=False))
    np.testing.assert_array_equal(
        bare.audit(X, y, max_margin=margin).cosine, trace.audit(max_margin=margin).cosine
    )
    with pytest.raises(ValueError, match="both X and y"):
        bare.audit(X)


def test_a_margin_of_another_space_is_refused():
    X, y = separable(0)
    trace = traced(X, y)
    margin = margin_oracle(trace)
    for wrong in ({"theta": margin.theta[:-1]}, {"fit_intercept": True}, {"shape": (3, 4)}):
        with pytest.raises(ValueError, match="with a column of ones appended"):
            trace.audit(max_margin=dataclasses.replace(margin, **wrong))
    with pytest.raises(ValueError, match="other examples"):
        trace.audit(max_margin=margin_oracle(traced(X + 1, y)))
    with pytest.raises(ValueError, match="must be positive"):
        trace.audit(max_margin=dataclasses.replace(margin, margin=0.0))


def test_theta_star_may_be_fractions():
    X, y = separable(0)
    trace = traced(X, y)
    margin = margin_oracle(trace)
    exact = np.array([Fraction(t) / 3 for t in margin.theta], object)
    audit = trace.audit(max_margin=dataclasses.replace(margin, theta=exact))
    assert audit.holds
    np.testing.assert_allclose(audit.progress, trace.audit(max_margin=margin).progress)


def test_a_wide_sparse_run_costs_what_its_rows_hold():
    """Sums are followed through the changes, and agree with sums taken afresh."""
    random = np.random.RandomState(0)
    X = sp.random_array((300, 5000), density=0.002, format="csr", rng=np.random.default_rng(0))
    y = random.choice([-1, 1], 300)
    trace = traced(X, y)
    assert trace.status == "separated"
    theta = random.standard_normal(5001)
    margin = MaxMargin(  # any direction will do
        theta=theta, offset=0.0, margin=1e-9, upper_bound=1.0, support=np.arange(1),
        weights=np.ones(1), fit_intercept=False, shape=(300, 5001), digest=digest_of(trace),
    )  # fmt: skip
    audit = trace.audit(max_margin=margin)
    thetas, offsets = trace.hypotheses()
    full = np.column_stack([thetas, offsets])[1:]
    np.testing.assert_allclose(
        audit.progress, full @ theta / np.linalg.norm(theta), rtol=1e-11, atol=1e-12
    )
    np.testing.assert_allclose(audit.squared_norm, (full**2).sum(1), rtol=1e-12)


# ------------------------------------------------------- with the library's margin


@pytest.mark.parametrize("rule", RULES[:9:2], ids=str)
def test_the_margin_is_computed_where_none_is_given(rule):
    X, y = separable(2)
    trace = traced(X, y, **rule)
    audit = trace.audit()
    assert audit.holds, audit.violation
    oracle = margin_oracle(trace)
    assert audit.gamma == pytest.approx(oracle.margin, rel=1e-5)
    assert audit.gamma <= audit.max_margin.upper_bound
    assert "The theorem holds" in str(audit)


def test_inseparable_data_is_not_covered():
    X, y = [[0.0], [1.0], [2.0]], [0, 1, 0]
    for form in (np.array(X), sp.csr_array(np.array(X))):
        trace = Perceptron(max_iter=5, record_trace=True).fit(form, y).trace_
        audit = trace.audit()
        assert not audit.covered
        assert "not separable" in audit.reason


def test_sparse_rows_get_their_column_of_ones():
    X, y = separable(2)
    trace, dense = traced(sp.csr_array(X), y), traced(X, y)
    np.testing.assert_allclose(trace.audit().gamma, dense.audit().gamma, rtol=1e-5)
