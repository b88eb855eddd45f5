"""The definition, from an oracle that has no cluster."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

import novikoff
from novikoff import (
    AveragedPerceptron,
    OnlineClassifier,
    PassiveAggressiveClassifier,
    Perceptron,
    rules,
)
from novikoff.distributed import ParameterMixing
from tests.distributed.data import integer_shards, stacked
from tests.distributed.oracle import Mixing
from tests.reference import SecondOrderRun, arow, nherd, passive_aggressive_step

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def sided(shards):
    return [(X, 2 * y - 1) for X, y in shards]


def assert_same(one, other):
    for name in ("coef_", "intercept_", "n_updates_", "mistakes_", "shard_rows_", "classes_"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    for name in ("status_", "n_rounds_", "n_mistakes_", "progressive_error_"):
        assert getattr(one, name, None) == getattr(other, name, None)


@pytest.mark.parametrize("kind", ["cyclic", "shuffled"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_uniform_mixing_is_the_papers(client, kind, dtype):
    """Four shards: all quotients are exact, so that the mean has one rounding, its own."""
    shards = [(X.astype(dtype), y) for X, y in integer_shards([9, 12, 7, 10], 3, seed=1)]
    settings = {"order": kind, "random_state": 5}
    last = ParameterMixing(Perceptron(**settings), rounds=4, client=client).fit(shards)
    mean = ParameterMixing(AveragedPerceptron(**settings), rounds=4, client=client).fit(shards)
    expected = Mixing(sided(shards), rounds=4, kind=kind, seed=5)
    np.testing.assert_array_equal(last.coef_[0], expected.theta)
    np.testing.assert_array_equal(last.intercept_[0], expected.offset)
    assert last.coef_.dtype == dtype
    np.testing.assert_array_equal(mean.estimator_.last_coef_, last.coef_)
    np.testing.assert_array_equal([*mean.coef_[0], mean.intercept_[0]], expected.mean)
    assert last.mistakes_.tolist() == mean.mistakes_.tolist() == expected.mistakes
    assert last.n_updates_.tolist() == [np.sum(expected.mistakes)]
    for found in (last, mean, last.estimator_):
        assert found.n_mistakes_ == expected.n_wrong
        assert found.progressive_error_ == expected.wrong_at_first


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("mixing", ["uniform", "mistakes"])
def test_passive_aggressive_rules_are_mixed_alike(client, mixing, loss):
    """One of the shards has one class, and one has no rows."""
    shards = integer_shards([9, 12, 0, 7, 10], 3, seed=1)
    shards[3] = shards[3][0], np.ones(7, int)
    pa = PassiveAggressiveClassifier(C=0.3, loss=loss, random_state=5)
    expected = Mixing(
        sided(shards), rounds=4, mixing=mixing, kind="shuffled", seed=5,
        rule=passive_aggressive_step(0.3, loss),
    )  # fmt: skip
    made = {}
    for inner in (pa, clone(pa).set_params(average=True)):
        made[inner.average] = ParameterMixing(inner, mixing=mixing, rounds=4, client=client).fit(
            shards
        )
    last, mean = made[False], made[True]
    np.testing.assert_array_equal(last.coef_[0], expected.theta)
    np.testing.assert_array_equal(last.intercept_[0], expected.offset)
    np.testing.assert_array_equal(mean.estimator_.last_coef_, last.coef_)
    np.testing.assert_allclose(
        [*mean.coef_[0], mean.intercept_[0]], expected.mean, rtol=1e-12, atol=1e-15
    )
    assert last.mistakes_.tolist() == mean.mistakes_.tolist() == expected.mistakes
    for found in (last, mean):
        assert found.n_mistakes_ == expected.n_wrong < np.sum(expected.mistakes)
        assert found.progressive_error_ == expected.wrong_at_first
    assert "learned by PA-I" in str(last.audit(*stacked(shards)))


@pytest.mark.parametrize("covariance", ["diagonal", "full"])
@pytest.mark.parametrize("mixing", ["uniform", "mistakes"])
def test_a_covariance_is_mixed_by_smallest_variances_or_as_the_mean_of_matrices(
    client, mixing, covariance
):
    """Four rounds: a Sigma mixed otherwise would move theta otherwise in the second."""
    shards = integer_shards([9, 12, 0, 7, 10], 3, seed=1)
    for rule, formula in ((rules.AROW(0.5), arow(0.5)), (rules.NHERD(2.0), nherd(2.0))):
        second = SecondOrderRun(formula, covariance == "full")
        expected = Mixing(sided(shards), rounds=4, mixing=mixing, second=second)
        inner = OnlineClassifier(rule.set_params(covariance=covariance), order="cyclic")
        found = ParameterMixing(inner, mixing=mixing, rounds=4, client=client).fit(shards)
        np.testing.assert_array_equal(found.coef_[0], expected.theta)
        np.testing.assert_array_equal(found.intercept_[0], expected.offset)
        assert found.mistakes_.tolist() == expected.mistakes
        sigma = np.array(second.sigma[0])
        if covariance == "full":  # still a covariance, between 0 and the unit matrix
            np.testing.assert_allclose(sigma, sigma.T, atol=1e-15)
            sigma = np.linalg.eigvalsh(sigma)
        assert (sigma > 0).all()
        assert (sigma <= 1 + 1e-15).all()
        assert (sigma < 1).any()


@pytest.mark.parametrize("multi_class", ["ovr", "joint"])
@pytest.mark.parametrize("keep", ["last", "mean"])
def test_of_one_shard_mistakes_are_those_of_fit(client, keep, multi_class):
    n_classes = 2 if multi_class == "ovr" else 3
    shards = integer_shards([40], 3, seed=4, n_classes=n_classes)
    inner = OnlineClassifier(
        rules.PassiveAggressive(), keep=keep, order="cyclic", multi_class=multi_class, max_iter=3
    )
    alone = clone(inner).fit(*shards[0])
    found = ParameterMixing(inner, rounds=3, client=client).fit(shards)
    for name in ("n_mistakes_", "progressive_error_"):
        assert getattr(found, name) == getattr(alone, name) > 0
    np.testing.assert_array_equal(found.n_updates_, alone.n_updates_)


@pytest.mark.parametrize("average", [False, True])
def test_a_run_that_was_cut_ends_as_it_would_have(client, tmp_path, average):
    shards = integer_shards([20, 15, 18], 3, seed=13)
    inner = PassiveAggressiveClassifier(average=average)
    whole = ParameterMixing(inner, rounds=5, client=client).fit(shards)
    for rounds in (2, 3, 5):
        cut = ParameterMixing(inner, rounds=rounds, client=client, checkpoint=tmp_path / "run")
        cut.fit(shards)
    assert_same(cut, whole)
    assert 0 < cut.progressive_error_ < 1


def test_a_mixed_model_goes_on_with_honest_counts(client):
    """The counters of a mean count a row for all shards at once; here every row is predicted."""
    shards = integer_shards([20] * 4, 3, seed=12)
    model = ParameterMixing(PassiveAggressiveClassifier(), rounds=2, client=client).fit(shards)
    X, y = stacked(shards)
    inner = model.estimator_
    first = inner.predict(X[:1]) != y[:1]
    inner.partial_fit(X, y)
    assert int(first[0]) <= inner.n_mistakes_ <= 80
    assert inner.progressive_error_ == inner.n_mistakes_ / 80


def test_mixing_by_mistakes_is_the_papers(client):
    """Seven shards, one of them empty; the margin rule and another step."""
    shards = integer_shards([9, 5, 0, 8, 11, 3, 6], 3, seed=2)
    settings = {"order": "shuffled", "margin": 2.0, "eta0": 0.5, "fit_intercept": False}
    expected = Mixing(
        sided(shards), rounds=5, mixing="mistakes", kind="shuffled", beta=2.0, eta=0.5,
        fit_intercept=False,
    )  # fmt: skip
    found = ParameterMixing(
        AveragedPerceptron(**settings), mixing="mistakes", rounds=5, client=client
    ).fit(shards)
    np.testing.assert_array_equal(found.estimator_.last_coef_[0], expected.theta)
    np.testing.assert_allclose(found.coef_[0], expected.mean[:-1], rtol=1e-13, atol=0)
    assert found.mistakes_.tolist() == expected.mistakes
    assert found.shard_rows_.tolist() == [9, 5, 0, 8, 11, 3, 6]


@pytest.mark.parametrize("mixing", ["uniform", "mistakes"])
def test_separable_data_is_separated_within_the_bound(client, mixing):
    shards = integer_shards([30, 20, 25], 4, seed=3, separable=True)
    X, y = stacked(shards)
    bound = novikoff.mistake_bound(X, y)
    last = ParameterMixing(Perceptron(), mixing=mixing, rounds=50, client=client).fit(shards)
    assert last.status_ == "separated"
    assert last.score(X, y) == 1.0
    assert last.mistakes_[-1].tolist() == [0, 0, 0]
    assert last.mistakes_[:-1].any(axis=1).all()
    audit = last.audit(bound=bound)
    assert audit.covered
    assert audit.holds
    with pytest.raises(TypeError, match=r"what novikoff\.mistake_bound returns, not float"):
        last.audit(bound=bound.value)
    k = last.mistakes_.astype(float)
    mu = np.full_like(k, 1 / 3) if mixing == "uniform" else k / np.maximum(k.sum(1), 1)[:, None]
    np.testing.assert_allclose(audit.mistakes[:, 0], np.cumsum((mu * k).sum(axis=1)))
    assert 0 < audit.mistakes[-1, 0] <= audit.bound[0]
    np.testing.assert_allclose(audit.bound, bound.value)
    np.testing.assert_array_equal(last.audit(X, y).bound, audit.bound)
    assert "The theorem holds." in str(audit)
    # Rounds that need not run count for the mean all the same.
    mean = ParameterMixing(AveragedPerceptron(), mixing=mixing, rounds=50, client=client)
    mean.fit(shards)
    assert mean.n_rounds_ == last.n_rounds_
    expected = Mixing(sided(shards), rounds=50, mixing=mixing, kind="shuffled")
    np.testing.assert_allclose(
        [*mean.coef_[0], mean.intercept_[0]], expected.mean, rtol=1e-13, atol=0
    )


@pytest.mark.parametrize("multi_class", ["ovr", "ovo", "joint"])
def test_one_shard_is_a_perceptron(client, multi_class):
    ((X, y),) = integer_shards([40], 3, seed=4, n_classes=4)
    inner = Perceptron(order="cyclic", multi_class=multi_class, max_iter=6)
    found = ParameterMixing(inner, rounds=6, client=client).fit([(X, y)])
    alone = clone(inner).fit(X, y)
    for name in ("coef_", "intercept_", "n_updates_", "classes_"):
        np.testing.assert_array_equal(getattr(found, name), getattr(alone, name))
    assert (found.status_, found.n_rounds_) == (alone.status_, alone.n_iter_)
    # The mean of equals is the same again, however many there are.
    twice = ParameterMixing(inner, rounds=6, client=client).fit([(X, y), (X, y)])
    np.testing.assert_array_equal(twice.coef_, alone.coef_)


def test_each_pair_of_classes_is_mixed_by_the_shards_that_have_it(client):
    shards = integer_shards([14, 12, 15], 3, seed=5, n_classes=3)
    shards[1] = (shards[1][0], np.where(shards[1][1] == 2, 0, shards[1][1]))  # lacks class 2
    shards.append((shards[0][0][:4], np.zeros(4, int)))  # only class 0
    settings = {"order": "cyclic", "multi_class": "ovo"}
    found = ParameterMixing(
        AveragedPerceptron(**settings), mixing="uniform", rounds=4, client=client
    ).fit(shards)
    assert found.classes_.tolist() == [0, 1, 2]
    assert found.mistakes_.shape == (4, 4, 3)
    for k, (a, b) in enumerate([(0, 1), (0, 2), (1, 2)]):
        two = []
        for X, y in shards:
            here = (y == a) | (y == b)
            two.append((X[here], 2 * (y[here] == b) - 1))
        expected = Mixing(two, rounds=4)
        np.testing.assert_array_equal(found.estimator_.last_coef_[k], expected.theta)
        np.testing.assert_allclose(found.coef_[k], expected.mean[:-1], rtol=1e-13, atol=0)


def test_random_order_rests_only_when_all_rows_are_right(client):
    """One contradictory pair in sixty rows: most epochs of random draws make no mistake on it."""
    shards = integer_shards([30, 30], 3, seed=6, separable=True)
    X, y = shards[1]
    shards[1] = np.vstack([X, X[:1]]), np.append(y, 1 - y[0])
    found = ParameterMixing(Perceptron(order="random", ties="sign"), rounds=25, client=client).fit(
        shards
    )
    assert (found.status_, found.n_rounds_) == ("epoch_limit", 25)
    assert (found.mistakes_.sum(axis=1) == 0).any()


def test_dense_sparse_and_mixed_shards_give_the_same_bits(client):
    shards = integer_shards([20, 15, 18], 6, seed=7, n_classes=3)
    as_sparse = [(sp.csr_array(X), y) for X, y in shards]
    model = ParameterMixing(AveragedPerceptron(), rounds=4, client=client)
    dense = clone(model).fit(shards)
    assert_same(dense, clone(model).fit(as_sparse))
    assert_same(dense, clone(model).fit([shards[0], as_sparse[1], shards[2]]))


def test_weights_and_balanced_classes(client):
    shards = integer_shards([20, 16], 3, seed=8)
    X, y = stacked(shards)
    weights = np.random.RandomState(0).randint(0, 3, len(y)).astype(float)
    split = [(X[:20], y[:20], weights[:20]), (X[20:], y[20:], weights[20:])]
    balanced = AveragedPerceptron(class_weight="balanced")
    found = ParameterMixing(balanced, rounds=3, client=client).fit(split)
    used = weights > 0
    n = used.sum()
    explicit = {c: n / (2 * (y[used] == c).sum()) for c in (0, 1)}
    other = ParameterMixing(
        AveragedPerceptron(class_weight=explicit), rounds=3, client=client
    ).fit([(X[:20][used[:20]], y[:20][used[:20]], weights[:20][used[:20]]),
           (X[20:][used[20:]], y[20:][used[20:]], weights[20:][used[20:]])])  # fmt: skip
    np.testing.assert_array_equal(found.coef_, other.coef_)
    assert "different steps" in str(found.audit(X, y))


def test_the_number_of_workers_does_not_matter(client):
    """Shards that lie on one, two and four workers make the same model."""
    shards = integer_shards([40] * 6, 5, seed=9, n_classes=3)
    models = []
    addresses = sorted(client.nthreads())
    for n_workers in (1, 2, 4):
        lying = [
            client.submit(tuple, pair, workers=[addresses[i % n_workers]], pure=False)
            for i, pair in enumerate(shards)
        ]
        models.append(ParameterMixing(AveragedPerceptron(), rounds=4, client=client).fit(lying))
    assert_same(models[0], models[1])
    assert_same(models[0], models[2])
    threads = AveragedPerceptron(n_jobs=2)
    assert_same(models[0], ParameterMixing(threads, rounds=4, client=client).fit(shards))


def test_it_is_an_estimator_of_scikit_learn(client, tmp_path):
    shards = integer_shards([20, 20], 3, seed=10)
    X, y = stacked(shards)
    model = ParameterMixing(AveragedPerceptron(eta0=2.0), mixing="mistakes", client=client)
    copy = clone(model)
    assert copy.client is client
    assert copy.get_params()["estimator__eta0"] == 2.0
    model.set_params(estimator__eta0=1.0, rounds=3).fit(shards)
    assert not hasattr(model.estimator, "coef_")
    novikoff.save(model.estimator_, tmp_path / "model")
    stored = novikoff.load(tmp_path / "model")
    np.testing.assert_array_equal(stored.coef_, model.coef_)
    np.testing.assert_array_equal(stored.predict(X), model.predict(X))
    stored.partial_fit(X, y)  # goes on from the mixed model
    assert stored.learned_.state.counts[0] == model.estimator_.learned_.state.counts[0] + 40


def test_what_is_said_when_it_does_not_end(client, capsys):
    shards = integer_shards([20, 20], 3, seed=11)
    with pytest.warns(ConvergenceWarning, match="Still making mistakes after rounds=2"):
        ParameterMixing(Perceptron(), rounds=2, client=client, verbose=1).fit(shards)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("round   1  mistakes ")
    assert "rows/s" in lines[0]
