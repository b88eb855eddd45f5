"""What is loaded is what was saved: it predicts the same and goes on learning the same."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone

import novikoff
from novikoff import AveragedPerceptron, KernelPerceptron, MaxMarginClassifier, Perceptron
from tests.persistence.helpers import (
    IRIS,
    KINDS,
    NAMES,
    TWO,
    forge,
    forms,
    kernel_estimators,
    linear_estimators,
    outputs,
    quietly,
    taken_apart,
)

EVERY = {**linear_estimators(), **kernel_estimators()}
OTHERS = ("float32", "sparse", "sparse32")
FORMS = ["dense", *(pytest.param(form, marks=pytest.mark.thorough) for form in OTHERS)]


def reloaded(model, tmp_path):
    novikoff.save(model, tmp_path / "model")
    return novikoff.load(tmp_path / "model")


def assert_same(one, other, X):
    assert type(one) is type(other)
    assert outputs(one, X) == outputs(other, X)
    assert one.classes_.dtype == other.classes_.dtype
    assert np.array_equal(one.classes_, other.classes_)
    for name in ("status_", "n_iter_", "n_features_in_", "n_mistakes_", "progressive_error_"):
        assert getattr(one, name, None) == getattr(other, name, None)
    for name in ("coef_", "intercept_", "last_coef_", "dual_coef_", "n_updates_", "support_"):
        mine, its = getattr(one, name, None), getattr(other, name, None)
        assert (mine is None) == (its is None)
        assert mine is None or (mine.dtype == its.dtype and mine.tobytes() == its.tobytes())
    for mine, its in zip(
        getattr(one, "survival_times_", []), getattr(other, "survival_times_", []), strict=True
    ):
        assert np.array_equal(mine, its)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", list(EVERY))
def test_fit(name, form, tmp_path):
    X = forms(IRIS)[form]
    model = quietly(clone(EVERY[name]).fit, X, NAMES)
    again = reloaded(model, tmp_path)
    assert_same(model, again, X)
    if hasattr(model, "partial_fit"):
        one, other = (quietly(each.partial_fit, X, NAMES) for each in (model, again))
        assert_same(one, other, X)
    one, other = (quietly(each.fit, X, NAMES) for each in (model, again))
    assert_same(one, other, X)


@pytest.mark.parametrize("name", list(EVERY))
def test_two_classes(name, tmp_path):
    model = quietly(clone(EVERY[name]).fit, IRIS[TWO], KINDS[TWO])
    assert_same(model, reloaded(model, tmp_path), IRIS)


ONLINE = [name for name, model in EVERY.items() if hasattr(model, "partial_fit")]


@pytest.mark.parametrize("form", ["dense", "sparse"])
@pytest.mark.parametrize("name", ONLINE)
def test_partial_fit_goes_on(name, form, tmp_path):
    """Saved after every batch, while new classes come in, or not saved at all: the same model."""
    X, classes = forms(IRIS)[form], None
    model = clone(EVERY[name])
    if model.multi_class == "joint":
        classes = np.unique(NAMES)
    order = np.concatenate([np.arange(10), np.arange(17, 30), np.arange(34, 50), np.arange(10)])
    again = clone(model)
    for rows in np.array_split(order, 6):
        model.partial_fit(X[rows], NAMES[rows], classes=classes)
        again.partial_fit(X[rows], NAMES[rows], classes=classes)
        again = reloaded(again, tmp_path)
        assert_same(model, again, X)


@pytest.mark.parametrize("name", list(linear_estimators()))
def test_warm_start_goes_on(name, tmp_path):
    model = quietly(clone(EVERY[name]).set_params(warm_start=True).fit, IRIS, KINDS)
    again = reloaded(model, tmp_path)
    one, other = (quietly(each.fit, IRIS[::-1], KINDS[::-1]) for each in (model, again))
    assert_same(one, other, IRIS)


def test_a_random_state_goes_on(tmp_path):
    """The estimator's own RandomState, and that of a budget, are where they were; and shared."""
    model = KernelPerceptron(budget=5, random_state=np.random.RandomState(7))
    model.partial_fit(IRIS, KINDS)
    again = reloaded(model, tmp_path)
    assert again.learned_.policy.random is again.random_state
    for _ in range(2):
        one, other = (each.partial_fit(IRIS, KINDS) for each in (model, again))
        assert_same(one, other, IRIS)
    assert model.random_state.randint(10**6) == again.random_state.randint(10**6)
    model.random_state.standard_normal()  # half of a pair: the other half is remembered
    again = reloaded(model, tmp_path)
    assert model.random_state.standard_normal() == again.random_state.standard_normal()


@pytest.mark.parametrize("vote", ["last", "averaged", "voted"])
@pytest.mark.parametrize("budget", [None, 8])
def test_precomputed(vote, budget, tmp_path):
    if budget and vote != "last":
        pytest.skip("a budget has no votes")
    K = IRIS @ IRIS.T
    model = KernelPerceptron(kernel="precomputed", vote=vote, budget=budget).fit(K, KINDS)
    assert_same(model, reloaded(model, tmp_path), K)


def test_stages(tmp_path):
    model = KernelPerceptron(max_iter=3).fit(IRIS, NAMES)
    again = reloaded(model, tmp_path)
    for vote in ("last", "averaged", "voted"):
        for one, other in zip(
            model.staged_decision_function(IRIS, [0.3, 2], vote),
            again.staged_decision_function(IRIS, [0.3, 2], vote),
            strict=True,
        ):
            assert one.tobytes() == other.tobytes()


def test_max_margin_with_its_certificate(tmp_path):
    model = MaxMarginClassifier().fit(IRIS[TWO], NAMES[TWO])
    again = reloaded(model, tmp_path)
    assert_same(model, again, IRIS)
    assert (again.margin_, again.upper_bound_) == (model.margin_, model.upper_bound_)
    assert again.certificate_.verify(IRIS[TWO], NAMES[TWO])
    assert again.certificate_.to_json() == model.certificate_.to_json()


def test_a_certificate_is_stored_as_its_fields_alone(tmp_path):
    """One more or less, and files that were written before cannot be loaded."""
    novikoff.save(MaxMarginClassifier().fit(IRIS[TWO], NAMES[TWO]), tmp_path / "model")
    nodes, _ = taken_apart(tmp_path / "model")
    (names,) = (node[2] for node in nodes if node[:2] == ["record", "novikoff.MaxMargin"])
    assert names == [
        "theta", "offset", "margin", "upper_bound", "support", "weights", "fit_intercept", "shape",
        "digest",
    ]  # fmt: skip


def test_max_margin_in_fractions(tmp_path):
    X = np.array([[0.0, 1.0], [2.0**-60, 1.0], [1.0, 0.0], [1.0 + 2.0**-52, 0.0]])
    y = [0, 1, 0, 1]
    model = quietly(MaxMarginClassifier(tol=1e-9).fit, X, y)
    again = reloaded(model, tmp_path)
    exact = [*model.certificate_.theta, model.certificate_.offset, *model.certificate_.weights]
    assert any(isinstance(number, Fraction) for number in exact)
    assert again.certificate_.to_json() == model.certificate_.to_json()
    assert again.certificate_.verify(X, y)


@pytest.mark.parametrize(
    "labels",
    [
        np.array([False, True]),
        np.array([-3, 7], np.int16),
        np.array([1.0, 2.0]),
        np.array(["λ", "μ"]),
        np.array(["no", "yes"], object),
        np.array([b"n", b"y"]),
        np.array([0, 1], object),
        np.array(["2020-01-01", "2021-01-01"], "datetime64[D]"),
    ],
    ids=lambda labels: str(labels.dtype),
)
def test_labels(labels, tmp_path):
    model = Perceptron().fit(IRIS[TWO], labels[KINDS[TWO]])
    again = reloaded(model, tmp_path)
    assert_same(model, again, IRIS[TWO])
    assert again.predict(IRIS[:1]).dtype == labels.dtype


def test_feature_names(tmp_path):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(IRIS, columns=["a", "b", "c", "δ"])
    again = reloaded(AveragedPerceptron().fit(frame, NAMES), tmp_path)
    assert again.feature_names_in_.tolist() == ["a", "b", "c", "δ"]
    with pytest.raises(ValueError, match="feature names"):
        again.predict(frame.rename(columns={"a": "z"}))


def test_parameters(tmp_path):
    model = Perceptron(
        margin=0.25, class_weight={False: 1.5, True: np.float32(2.5)}, random_state=None, n_jobs=2
    )
    again = reloaded(model, tmp_path)
    assert again.get_params() == model.get_params()
    assert [type(key) for key in again.class_weight] == [bool, bool]
    assert type(again.class_weight[True]) is np.float32
    assert not hasattr(again, "coef_")


@pytest.mark.parametrize("scheme", ["ovr", "ovo"])
def test_traces_and_counts_are_left_out(scheme, tmp_path):
    model = quietly(Perceptron(record_trace=True, multi_class=scheme, max_iter=3).fit, IRIS, KINDS)
    before = set(vars(model))
    again = reloaded(model, tmp_path)
    assert before - set(vars(again)) == {"trace_", "mistake_counts_"}
    assert set(vars(model)) == before
    assert_same(model, again, IRIS)


def test_the_model_is_not_changed(tmp_path):
    for name, model in EVERY.items():
        quietly(model.fit, sp.csr_array(IRIS), KINDS)
        before = pickle.dumps(model)
        novikoff.save(model, tmp_path / "model")
        assert pickle.dumps(model) == before, name


def test_the_same_model_gives_the_same_file(tmp_path):
    for name, model in EVERY.items():
        quietly(model.fit, IRIS, NAMES)
        novikoff.save(model, tmp_path / "one")
        novikoff.save(novikoff.load(tmp_path / "one"), tmp_path / "two")
        assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes(), name


def test_models_can_still_be_pickled_and_copied(tmp_path):
    model = AveragedPerceptron().partial_fit(IRIS, KINDS)
    for again in (pickle.loads(pickle.dumps(reloaded(model, tmp_path))), copy.deepcopy(model)):
        assert_same(model, again, IRIS)
    assert clone(reloaded(model, tmp_path)).get_params() == model.get_params()


def test_layout_is_kept(tmp_path):
    """Fortran order and read-only rows: kernels are compiled for them."""
    model = novikoff.VotedPerceptron().fit(sp.csr_array(IRIS), KINDS)
    again = reloaded(model, tmp_path)
    assert again.learned_.state.theta.flags.f_contiguous
    assert model.learned_.state.theta.flags.f_contiguous
    kept = (each.learned_.history.kept for each in (model, again))
    for mine, its in zip(*kept, strict=True):
        assert mine.values.flags.writeable == its.values.flags.writeable
        assert mine.indices.dtype == its.indices.dtype


@pytest.mark.parametrize(("record", "field"), [("Scheme", "open"), ("State", "beside")])
def test_a_field_that_came_later_is_what_it_says_it_is(record, field, tmp_path):
    """A file that was written before the field was there lacks it."""
    model = novikoff.VotedPerceptron().fit(IRIS[TWO], KINDS[TWO])
    novikoff.save(model, tmp_path / "model")
    nodes, arrays = taken_apart(tmp_path / "model")
    for node in nodes:
        if node[:2] == ["record", f"novikoff.{record}"]:
            place = node[2].index(field)
            del node[2][place], node[3][place]
    forge(tmp_path / "model", nodes, np.frombuffer(arrays, np.uint8))
    again = novikoff.load(tmp_path / "model")
    assert_same(model, again, IRIS)
    assert again.learned_.state.beside is not again.learned_.history.start.beside
