"""The passive-aggressive rules against the oracle in `reference`, and against their paper."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV

from novikoff import (
    OnlineClassifier,
    PassiveAggressiveClassifier,
    Trace,
    max_margin,
    rules,
    save,
)
from novikoff.streams import fit_stream
from tests.examples import examples
from tests.reference import JointRun, Run, exact_score, passive_aggressive_step
from tests.test_reference import data_sets, same

LOSSES = ("hinge", "squared_hinge")

options = st.fixed_dictionaries(
    {
        "C": st.sampled_from([0.01, 0.3, 1.0, 7.0, math.inf]),
        "loss": st.sampled_from(LOSSES),
        "fit_intercept": st.booleans(),
        "order": st.sampled_from(["cyclic", "shuffled", "random"]),
        "max_iter": st.integers(1, 4),
        "random_state": st.integers(0, 3),
    }
)


def split(o):
    """(the rule, what is not the rule's)."""
    rest = dict(o)
    rule = rules.PassiveAggressive(rest.pop("C"), rest.pop("loss"))
    return rule, rest


def run(X, sides, o, **more):
    return Run(
        X, sides, kind=o["order"], epochs=o["max_iter"], seed=o["random_state"],
        fit_intercept=o["fit_intercept"], rule=passive_aggressive_step(o["C"], o["loss"]), **more,
    )  # fmt: skip


@examples(60)
@given(data_sets(), options, st.lists(st.sampled_from([1.0, 0.5, 3.0]), min_size=12, max_size=12))
def test_two_classes_equal_the_oracle(data, o, weights):
    X, y = data
    weights = np.array(weights[: len(y)])
    oracle = run(X, 2 * y - 1, o, weights=weights)
    rule, rest = split(o)
    last = OnlineClassifier(rule, record_trace=True, **rest).fit(X, y, sample_weight=weights)
    same(last.coef_[0], oracle.last[0])
    same(last.intercept_[0], oracle.last[1])
    same(last.mistake_counts_, np.bincount(oracle.rows, minlength=len(y)))
    assert (last.status_ == "separated") == oracle.converged
    assert last.n_mistakes_ == oracle.n_wrong
    assert last.progressive_error_ == oracle.wrong_at_first
    same(last.trace_.step, np.array(oracle.steps, last.coef_.dtype))
    same(last.trace_.hypotheses()[0], np.array([h[0] for h in oracle.hypotheses]))

    mean = OnlineClassifier(rule, keep="mean", **rest).fit(X, y, sample_weight=weights)
    same(mean.coef_[0], oracle.mean[0])
    vote = OnlineClassifier(rule, keep="vote", **rest).fit(X, y, sample_weight=weights)
    same(vote.survival_times_[0], oracle.survival())
    same(vote.decision_function(X), np.array([oracle.vote(x) for x in X], float))
    pocket = OnlineClassifier(rule, keep="pocket", **rest).fit(X, y, sample_weight=weights)
    same(pocket.coef_[0], oracle.pocket(weights)[0])


@examples(30)
@given(data_sets(n_classes=3), options)
def test_joint_classes_equal_the_oracle(data, o):
    X, y = data
    rule, rest = split(o)
    if o["order"] == "random":  # the oracle does not confirm a clean epoch
        return
    oracle = JointRun(
        X, y, 3, kind=o["order"], epochs=o["max_iter"], seed=o["random_state"],
        fit_intercept=o["fit_intercept"],
        rule=passive_aggressive_step(o["C"], o["loss"], copies=2),
    )  # fmt: skip
    clf = OnlineClassifier(rule, keep="mean", multi_class="joint", **rest).fit(X, y)
    same(clf.last_coef_, oracle.hypotheses[-1][0])
    same(clf.coef_, oracle.mean[0])
    assert clf.n_mistakes_ == oracle.n_wrong
    vote = OnlineClassifier(rule, keep="vote", multi_class="joint", **rest).fit(X, y)
    same(vote.decision_function(X), np.array([oracle.votes(x) for x in X], float))


@examples(25)
@given(data_sets(n_classes=3), options, st.sampled_from(["ovr", "ovo"]), st.integers(1, 5))
def test_storage_batches_threads_and_streams_give_the_same_bits(data, o, scheme, size):
    X, y = data
    rule, rest = split({**o, "order": "cyclic"})
    clf = OnlineClassifier(rule, multi_class=scheme, **rest)
    dense = clone(clf).fit(X, y)
    for other in (clone(clf).fit(sp.csr_array(X), y), clone(clf).set_params(n_jobs=2).fit(X, y)):
        same(other.coef_, dense.coef_)
        same(other.intercept_, dense.intercept_)
    batches = [(X[i : i + size], y[i : i + size]) for i in range(0, len(y), size)]
    same(fit_stream(clone(clf), batches).coef_, dense.coef_)
    once = clone(clf).set_params(max_iter=1).fit(X, y)
    pieces = clone(clf)
    for X_part, y_part in batches:
        pieces.partial_fit(X_part, y_part)
    same(pieces.coef_, once.coef_)


dyadic = st.sampled_from([k / 4 for k in range(-8, 9)])


@given(
    # (1, 1, 1, 1) and (2, 2, 2, 2), each coordinate with a sign: squared lengths 4 and 16.
    x=st.tuples(st.sampled_from([1.0, 2.0]), st.tuples(*[st.sampled_from([1, -1])] * 4)),
    start=st.lists(dyadic, min_size=4, max_size=4),
)
def test_an_unclipped_update_ends_at_a_margin_of_exactly_1(x, start):
    row = x[0] * np.array(x[1], float)
    X, y = np.array([row, row, -row]), [1, 1, 0]
    clf = PassiveAggressiveClassifier(
        C=math.inf, fit_intercept=False, order="cyclic", max_iter=1, record_trace=True
    ).fit(X, y, coef_init=[start])
    before = exact_score(np.array(start), 0.0, row)
    assert clf.n_updates_[0] == (before < 1)  # the two repetitions of the example ask for nothing
    assert clf.mistake_counts_.tolist() == [int(before < 1), 0, 0]
    if before < 1:
        assert exact_score(clf.coef_[0], 0.0, row) == 1


@examples(100)
@given(
    st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=5).filter(
        lambda x: sum(v * v for v in x) > 1e-6
    ),
    st.data(),
)
def test_elsewhere_it_ends_within_a_rounding_bound(x, data):
    start = data.draw(st.lists(st.floats(-10, 10), min_size=len(x), max_size=len(x)))
    step = passive_aggressive_step(math.inf, "hinge")(
        1, 1, exact_score(np.array(start), 0.0, x), x, 1.0, False
    )
    if step is None:
        return
    clf = PassiveAggressiveClassifier(
        C=math.inf, fit_intercept=False, order="cyclic", max_iter=1, record_trace=True
    ).fit(np.array([x, np.zeros(len(x))]), [1, 0], coef_init=[start])
    after = exact_score(clf.coef_[0], 0.0, x)
    # tau is off by three roundings, every product and every sum by one: at most 5 u of each term.
    terms = sum(
        abs(Fraction(v)) * (abs(Fraction(t)) + 2 * abs(Fraction(step) * Fraction(v)))
        for v, t in zip(x, start, strict=True)
    )
    assert abs(after - 1) <= 5 * Fraction(2) ** -53 * terms + Fraction(2) ** -53


@examples(40)
@given(data_sets(), st.sampled_from([0.05, 0.3, 1 / 3]))
def test_a_step_never_exceeds_the_cap(data, C):
    X, y = data
    clf = PassiveAggressiveClassifier(C=C, record_trace=True, max_iter=3).fit(X, y)
    assert (np.abs(clf.trace_.step) <= clf.trace_.step.dtype.type(C)).all()


@examples(30)
@given(data_sets(), st.lists(st.sampled_from([1e-3, 0.5, 4.0]), min_size=12, max_size=12))
@pytest.mark.parametrize("loss", LOSSES)
def test_without_a_cap_positive_weights_change_nothing(loss, data, weights):
    X, y = data
    clf = PassiveAggressiveClassifier(C=math.inf, loss=loss, max_iter=3)
    plain = clone(clf).fit(X, y)
    same(clone(clf).fit(X, y, sample_weight=weights[: len(y)]).coef_, plain.coef_)


def test_a_row_of_zeros_asks_for_nothing():
    X, y = np.array([[0.0, 0.0], [1.0, 2.0], [0.0, 0.0], [-1.0, 0.0]]), [1, 1, 0, 0]
    clf = PassiveAggressiveClassifier(fit_intercept=False, order="cyclic").fit(X, y)
    assert clf.mistake_counts_[[0, 2]].tolist() == [0, 0]
    assert clf.mistake_counts_[1] > 0


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("C", [math.inf, 1.0, 0.1])
def test_the_mistake_bounds_of_crammer_et_al(seed, C):
    """Theorems 2 and 4 of the paper, on data that a unit vector u' = u / gamma separates.

    PA, with ||x|| <= R: the sum of squared losses is at most R^2 ||u'||^2 where u' has no loss.
    PA-I: mistakes <= max(R^2, 1 / C) * (||u'||^2 + 2 C * 0).
    """
    random = np.random.RandomState(seed)
    X = random.randint(-8, 9, size=(60, 3)).astype(float)
    scores = X @ [2.0, -1.0, 1.0]
    X, y = X[scores != 0], (scores[scores != 0] > 0).astype(int)
    clf = PassiveAggressiveClassifier(
        C=C, fit_intercept=False, max_iter=20, random_state=seed, record_trace=True
    ).fit(X, y)
    best = max_margin(X, y, fit_intercept=False)
    squared_u = Fraction(1) / Fraction(best.margin) ** 2
    squared_radius = max(sum(Fraction(v) ** 2 for v in x) for x in X)
    bound = max(squared_radius, Fraction(1) / Fraction(C) if math.inf > C else 0) * squared_u
    assert clf.n_mistakes_ <= bound
    if math.isinf(C):
        losses = [max(0.0, 1.0 - s) for s in clf.trace_.y * clf.trace_.score_before]
        assert math.fsum(loss**2 for loss in losses) <= squared_radius * squared_u


def test_it_ends_at_the_epoch_limit_without_a_warning(recwarn):
    X, y = np.array([[1.0], [2.0], [1.5]]), [0, 1, 0]
    clf = PassiveAggressiveClassifier().fit(X, y)
    assert (clf.status_, clf.n_iter_) == ("epoch_limit", 10)
    assert not [w for w in recwarn if issubclass(w.category, ConvergenceWarning)]


@pytest.mark.parametrize("size", [1e200, 1e-170, 1.2e-154])  # the last squared is subnormal
@pytest.mark.parametrize("scheme", ["ovr", "joint"])
def test_lengths_out_of_range_are_an_error(size, scheme):
    X, y = np.array([[1.0, 1.0], [0.0, size], [size, 0.0]]), [1, 0, 2 * (scheme == "joint")]
    clf = PassiveAggressiveClassifier(order="cyclic", fit_intercept=False, multi_class=scheme)
    with pytest.raises(ValueError, match=r"step at row 1.*out of the range of float64"):
        clf.fit(X, y)


def test_a_step_that_single_precision_does_not_hold_is_an_error():
    """It is never rounded to no step at all, which would pass for convergence."""
    large, small = (
        np.array([[1e23], [-1e23]], np.float32),
        np.array([[1e-25], [-1e-25]], np.float32),
    )
    for X, C in ((large, 1.0), (small, math.inf)):
        clf = PassiveAggressiveClassifier(C=C, order="cyclic", fit_intercept=False)
        with pytest.raises(ValueError, match=r"range of float32.*pass X as float64"):
            clf.fit(X, [1, 0])
        assert clf.fit(X.astype(np.float64), [1, 0]).score(X, [1, 0]) == 1.0


def test_a_cap_need_not_fit_the_type_of_theta():
    X, y = np.array([[1.0, 2.0], [-1.0, 1.0], [2.0, -1.0]], np.float32), [1, 0, 1]
    capped, free = (PassiveAggressiveClassifier(C=C).fit(X, y) for C in (1e40, math.inf))
    same(capped.coef_, free.coef_)


def test_what_an_earlier_fit_kept_is_not_left_behind(tmp_path):
    X, y = np.array([[1.0, 2.0, 0.5], [-1.0, 1.0, 0.0], [2.0, -1.0, 1.0]]), [1, 0, 1]
    clf = OnlineClassifier(keep="mean").fit(X, y).set_params(keep="vote").fit(X[:, :2], y)
    assert not hasattr(clf, "last_coef_")
    clf.set_params(keep="last").fit(X[:, :1], y)
    assert not hasattr(clf, "survival_times_")
    save(clf, tmp_path / "model")


def test_a_fit_that_fails_while_it_learns_leaves_the_model_as_it_was():
    X, y = np.array([[1.0, 2.0, 0.5], [-1.0, 1.0, 0.0]]), [1, 0]
    clf = PassiveAggressiveClassifier(fit_intercept=False).fit(X, y)
    before = clf.predict(X)
    with pytest.raises(ValueError, match="out of the range"):
        clf.fit(np.full((2, 2), 1e200), y)
    same(clf.predict(X), before)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_progressive_error_knows_only_first_sights():
    """A fit has seen its rows again and again: what comes after it is counted by itself."""
    random = np.random.RandomState(0)
    X = random.standard_normal((40, 2))
    y = (X[:, 0] > 0).astype(int)
    clf = OnlineClassifier(max_iter=5).fit(X[:20], y[:20])
    expected = float(np.mean(clf.predict(X[20:21]) != y[20:21]))
    assert clf.partial_fit(X[20:21], y[20:21]).progressive_error_ == expected
    one, many = OnlineClassifier(), OnlineClassifier(order="cyclic", max_iter=1).fit(X, y)
    for i in range(40):
        one.partial_fit(X[i : i + 1], y[i : i + 1], classes=[0, 1] if i == 0 else None)
    assert one.progressive_error_ == many.progressive_error_


def test_a_checkpoint_knows_its_run_however_estimators_are_printed(tmp_path):
    X, y = np.array([[1.0, 2.0], [-1.0, 1.0], [2.0, -1.0]]), [1, 0, 1]
    np.savetxt(tmp_path / "rows.csv", np.column_stack([X, y]), delimiter=",")
    run = {"source": tmp_path / "rows.csv", "checkpoint": tmp_path / "run", "target": -1}
    run["scale"] = False  # the rows are what the classifier knows
    clf = OnlineClassifier(rules.PassiveAggressive())
    first = fit_stream(clf, **run).coef_.copy()
    with sklearn.config_context(print_changed_only=False):
        same(fit_stream(clone(clf), **run).coef_, first)
    with pytest.raises(ValueError, match="rule__C"):
        fit_stream(OnlineClassifier(rules.PassiveAggressive(C=0.5)), **run)


@pytest.mark.parametrize("parameters", [{}, {"C": 0.0}])
def test_a_stored_trace_has_what_its_rule_was_told(parameters):
    X, y = np.array([[1.0, 2.0], [-1.0, 1.0]]), [1, 0]
    trace = PassiveAggressiveClassifier(record_trace=True).fit(X, y).trace_
    document = trace.document() | {"parameters": parameters}
    with pytest.raises(ValueError, match="C above 0"):
        Trace.from_json(json.dumps(document))


def test_rules_are_scikit_learns_objects():
    rule = rules.PassiveAggressive(C=0.5, loss="squared_hinge")
    assert repr(rule) == "PassiveAggressive(C=0.5, loss='squared_hinge')"
    clf = clone(OnlineClassifier(rule).set_params(rule__C=2.0))
    assert clf.get_params()["rule__C"] == 2.0
    assert clf.rule is not rule
    with pytest.raises(ValueError, match="'C' parameter"):
        OnlineClassifier(rules.PassiveAggressive(C=-1.0)).fit([[1.0], [2.0]], [0, 1])
    with pytest.raises(ValueError, match="'rule' parameter"):
        OnlineClassifier("pa").fit([[1.0], [2.0]], [0, 1])


def test_parameters_of_the_rule_reach_the_default_one():
    """As if it had been said; without them None stays None, in clones, too."""
    X, y = [[2, 1], [1, 3], [-1, -1], [-2, 1]] * 5, [1, 1, 0, 0] * 5
    assert clone(OnlineClassifier()).set_params(keep="mean").rule is None
    search = GridSearchCV(OnlineClassifier(), {"rule__margin": [0.5, 2.0]}).fit(X, y)
    assert search.estimator.rule is None
    assert search.best_estimator_.rule.margin == search.best_params_["rule__margin"]
    said = OnlineClassifier(rules.Perceptron(eta=0.5)).fit(X, y)
    same(OnlineClassifier().set_params(rule__eta=0.5).fit(X, y).coef_, said.coef_)
    reset = OnlineClassifier(rules.AROW()).set_params(rule=None, rule__eta=0.5)
    assert reset.get_params()["rule__eta"] == 0.5
    with pytest.raises(ValueError, match=r"Invalid parameter 'C' for estimator Perceptron\(\)"):
        OnlineClassifier().set_params(rule__C=1)


@pytest.mark.parametrize("covariance", ["diagonal", "full"])
@pytest.mark.parametrize(("C", "scale"), [(1e155, 1.0), (1e100, 1e100), (1e308, 1e-5)])
def test_a_herding_step_beyond_the_doubles_is_refused(covariance, C, scale):
    X = np.random.RandomState(0).randn(40, 3) * scale
    rule = rules.NHERD(C=C, covariance=covariance)
    with pytest.raises(ValueError, match="out of the range of float64"):
        OnlineClassifier(rule).fit(X, X[:, 0] > 0)
