"""Well-formed files with unsound models: what kernels index with must be checked before they do."""

from __future__ import annotations

import copy
import json
import random
import warnings
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.feature_extraction import DictVectorizer, FeatureHasher
from sklearn.feature_extraction.text import HashingVectorizer, TfidfVectorizer
from sklearn.kernel_approximation import AdditiveChi2Sampler, PolynomialCountSketch
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import Binarizer, OneHotEncoder, PolynomialFeatures

import novikoff
from novikoff import (
    AveragedPerceptron,
    KernelPerceptron,
    MaxMarginClassifier,
    ModelFileError,
    OnlineClassifier,
    Perceptron,
    VotedPerceptron,
    rules,
)
from novikoff.kernels.rows import Rows
from novikoff.kernels.rules.passive_aggressive import PassiveAggressiveRule
from novikoff.training.schemes import Role
from tests.persistence.helpers import (
    IRIS,
    KINDS,
    TWO,
    forge,
    forms,
    kernel_estimators,
    linear_estimators,
    outputs,
    quietly,
    save_unchecked,
    taken_apart,
)


def refuse(model, change, tmp_path, message="cannot be loaded"):
    """Make a change to a copy of a sound model; `load` and `save` must both refuse it."""
    changed = copy.deepcopy(model)
    change(changed)
    with pytest.raises(ModelFileError, match=message):
        novikoff.load(save_unchecked(changed, tmp_path / "hostile"))
    with pytest.raises(ModelFileError):
        novikoff.save(changed, tmp_path / "refused")


def fill(name, index, value):
    """Set an element of an array that is an attribute, or an attribute of an attribute."""

    def change(model):
        *path, last = name.split(".")
        for step in path:
            model = getattr(model, step)
        array = np.array(getattr(model, last))
        array[index] = value
        put(model, last, array)

    return change


def give(name, function):
    """Replace an attribute by a function of it."""

    def change(model):
        *path, last = name.split(".")
        for step in path:
            model = getattr(model, step)
        put(model, last, function(getattr(model, last)))

    return change


def put(thing, name, value):
    object.__setattr__(thing, name, value)  # some of them are frozen


def remove(name):
    return lambda model: vars(model).pop(name)


def rule(**changes):
    """Change the numbers of the rule; `flag` is the last of them."""

    def change(model):
        was = model.learned_.rule
        named = {was._fields[-1] if name == "flag" else name: v for name, v in changes.items()}
        put(model.learned_, "rule", was._replace(**named))

    return change


def narrower(array):
    return array[:, :-1].copy()


LINEAR = {
    "coef-narrow": give("coef_", narrower),
    "coef-flat": give("coef_", lambda a: a.ravel()),
    "coef-nan": fill("coef_", (0, 0), np.nan),
    "coef-inf": fill("coef_", (0, 0), np.inf),
    "coef-integers": give("coef_", lambda a: a.astype(np.int64)),
    "coef-objects": give("coef_", lambda a: a.astype(object)),
    "coef-half": give("coef_", lambda a: a.astype(np.float16)),
    "coef-swapped": give("coef_", lambda a: a.astype(">f8")),
    "coef-list": give("coef_", lambda a: a.tolist()),
    "coef-missing": remove("coef_"),
    "intercept-long": give("intercept_", lambda a: np.append(a, 0.0)),
    "intercept-type": give("intercept_", lambda a: a.astype(np.float32)),
    "no-features": remove("n_features_in_"),
    "features-many": give("n_features_in_", lambda n: n + 1),
    "features-none": give("n_features_in_", lambda n: 0),
    "features-float": give("n_features_in_", float),
    "features-true": give("n_features_in_", lambda n: True),
    "feature-names": lambda m: put(m, "feature_names_in_", np.array(["a"], object)),
    "classes-unsorted": give("classes_", lambda c: c[::-1].copy()),
    "classes-twice": give("classes_", lambda c: np.zeros_like(c)),
    "classes-nan": give("classes_", lambda c: np.append(c[:-1].astype(float), np.nan)),
    "classes-more": give("classes_", lambda c: np.append(c, 99)),
    "classes-fewer": give("classes_", lambda c: c[:1]),
    "classes-none": give("classes_", lambda c: c[:0]),
    "classes-2d": give("classes_", lambda c: c[:, None]),
    "classes-mixed": give("classes_", lambda c: np.array([0, "a", None], object)),
    "scheme-none": give("learned_.scheme", lambda s: None),
    "scheme-classes": give("learned_.scheme", lambda s: replace(s, n_classes=9)),
    "scheme-huge": give("learned_.scheme", lambda s: replace(s, n_classes=10**15, name="ovo")),
    "scheme-shown": give("learned_.scheme", lambda s: replace(s, n_shown=7)),
    "scheme-open": give("learned_.scheme", lambda s: replace(s, open=not s.open)),
    "scheme-name": give("learned_.scheme", lambda s: replace(s, name="other")),
    "scheme-role": give("learned_.scheme", lambda s: replace(s, roles=(Role(0, 99), *s.roles[1:]))),
    "scheme-below": give(
        "learned_.scheme", lambda s: replace(s, roles=(Role(-9, 0), *s.roles[1:]))
    ),
    "scheme-float": give(
        "learned_.scheme", lambda s: replace(s, roles=(Role(0.5, 1), *s.roles[1:]))
    ),
    "scheme-roles": give("learned_.scheme", lambda s: replace(s, roles=s.roles * 2)),
    "state-none": give("learned_.state", lambda s: None),
    "state-missing": remove("learned_"),
    "theta-narrow": give("learned_.state.theta", narrower),
    "theta-short": give("learned_.state.theta", lambda a: a[:0].copy()),
    "theta-nan": fill("learned_.state.theta", (0, 0), np.nan),
    "theta-integers": give("learned_.state.theta", lambda a: a.astype(np.int64)),
    "offset-short": give("learned_.state.offset", lambda a: a[:0]),
    "offset-type": give("learned_.state.offset", lambda a: a.astype(np.float32)),
    "counts-short": give("learned_.state.counts", lambda a: a[:0]),
    "counts-negative": fill("learned_.state.counts", 0, -1),
    "counts-huge": fill("learned_.state.counts", 0, 2**63 - 1),
    "counts-type": give("learned_.state.counts", lambda a: a.astype(float)),
    "constant": give("learned_.state.constant", lambda c: 7.0),
    "constant-other": give("learned_.state.constant", lambda c: 1.0 - c),
    "updates": give("learned_.n_updates", lambda a: np.append(a, 0)),
    "updates-shown": give("n_updates_", lambda a: a.astype(object)),
    "learned-none": give("learned_", lambda w: None),
    "learned-tuple": give("learned_", lambda w: ()),
    "ties": give("ties", lambda t: "other"),
    "max_iter": give("max_iter", lambda t: 2**40),
}


@pytest.mark.parametrize("change", list(LINEAR))
@pytest.mark.parametrize("scheme", ["ovr", "joint"])
def test_hyperplanes(change, scheme, tmp_path):
    model = quietly(Perceptron(multi_class=scheme, max_iter=2).fit, IRIS, KINDS)
    refuse(model, LINEAR[change], tmp_path)


def beside(name, function):
    """Replace an array that is kept beside theta by a function of it."""
    return give("learned_.state.beside", lambda kept: {**kept, name: function(kept[name])})


@pytest.mark.parametrize(
    "change",
    [
        beside("sums", narrower),
        beside("sums", lambda a: a.astype(np.float32)),
        beside("sums", lambda a: a * np.nan),
        beside("sums", lambda a: None),
        beside("sums_offset", lambda a: a[:0]),
        beside("sums_offset", lambda a: np.zeros((len(a), 4))),
        give("learned_.state.beside", lambda b: {}),
        give("learned_.state.beside", lambda b: None),
        give("learned_.state.beside", lambda b: list(b.values())),
        give("learned_.state.beside", lambda b: {"sums": b["sums"]}),
        give("learned_.state.beside", lambda b: {"sums_offset": b["sums_offset"]}),
        give("learned_.state.beside", lambda b: dict(reversed(b.items()))),
        give("learned_.state.beside", lambda b: b | {"more": b["sums"]}),
        give(
            "learned_.state.beside",
            lambda b: b | {"more": b["sums"], "more_offset": b["sums_offset"]},
        ),
        give("learned_.keep", lambda k: "last"),
        give("last_coef_", narrower),
        remove("last_intercept_"),
    ],
)
def test_averages(change, tmp_path):
    refuse(AveragedPerceptron().partial_fit(IRIS, KINDS), change, tmp_path)


def test_sums_that_nothing_asked_for(tmp_path):
    model = Perceptron().fit(IRIS[TWO], KINDS[TWO])
    sums = {"sums": np.zeros((1, 4)), "sums_offset": np.zeros(1)}
    refuse(model, give("learned_.state.beside", lambda b: sums), tmp_path, "beside theta")
    refuse(model, give("learned_.keep", lambda k: "mean"), tmp_path, "beside theta")


LEARNED = {
    "keep-other": give("learned_.keep", lambda k: "best"),
    "keep-none": give("learned_.keep", lambda k: None),
    "keep-list": give("learned_.keep", lambda k: ["last"]),
    "keep-vote": give("learned_.keep", lambda k: "vote"),
    "multi_class-other": give("learned_.multi_class", lambda m: "auto"),
    "multi_class-array": give("learned_.multi_class", lambda m: np.array(["ovr", "joint"])),
    "multi_class-another": give("learned_.multi_class", lambda m: "ovo"),
    "intercept-int": give("learned_.fit_intercept", int),
    "intercept-not": give("learned_.fit_intercept", lambda b: not b),
    "history": give("learned_.history", lambda h: ()),
    "updates-negative": fill("learned_.n_updates", 0, -1),
    "updates-float": give("learned_.n_updates", lambda a: a.astype(float)),
    "wrong-none": give("learned_.n_wrong", lambda n: None),
    "wrong-number": give("learned_.n_wrong", lambda n: 3),
    "wrong-long": give("learned_.n_wrong", lambda n: np.append(n, 0)),
    "wrong-float": give("learned_.n_wrong", lambda n: n.astype(float)),
    "seen-none": give("learned_.n_seen", lambda n: None),
    "seen-nothing": give("learned_.n_seen", lambda n: 0),
    "seen-float": give("learned_.n_seen", float),
    "rule-none": give("learned_.rule", lambda r: None),
    "rule-text": give("learned_.rule", lambda r: "perceptron"),
    "rule-tuple": give("learned_.rule", tuple),
    "rule-public": give("learned_.rule", lambda r: rules.PassiveAggressive()),
    "size-nan": rule(size=np.nan),
    "size-negative": rule(size=-1.0),
    "size-zero": rule(size=0.0),
    "size-int": rule(size=1),
    "size-double": rule(size=np.float64(1.0)),
    "size-none": rule(size=None),
    "threshold-nan": rule(threshold=np.nan),
    "threshold-negative": rule(threshold=-1.0),
    "threshold-int": rule(threshold=1),
    "flag-int": rule(flag=1),
    "flag-none": rule(flag=None),
    "flag-double": rule(flag=1.0),
}


@pytest.mark.parametrize("change", list(LEARNED))
@pytest.mark.parametrize("scheme", ["ovr", "joint"])
@pytest.mark.parametrize("learned_by", [None, rules.PassiveAggressive()])
def test_what_was_learned(learned_by, scheme, change, tmp_path):
    model = OnlineClassifier(learned_by, multi_class=scheme, max_iter=2)
    quietly(model.fit, IRIS, KINDS)
    refuse(model, LEARNED[change], tmp_path)


def test_mistakes_that_are_counted(tmp_path):
    model = OnlineClassifier(max_iter=2).fit(IRIS[TWO], KINDS[TWO])
    refuse(model, fill("learned_.n_wrong", 0, -1), tmp_path, "mistakes")
    refuse(model, fill("learned_.n_wrong", 0, 201), tmp_path, "mistakes")
    refuse(model, give("learned_.n_wrong", lambda n: n[:0]), tmp_path, "mistakes")


@pytest.mark.parametrize(
    "change",
    [
        lambda r: None,
        lambda r: PassiveAggressiveRule(1.0, 1.0, False),
        lambda r: r._replace(size=np.inf, threshold=np.inf),
        lambda r: r._replace(size=-1.0),
    ],
)
def test_the_rule_of_a_vote(change, tmp_path):
    model = OnlineClassifier(keep="vote", max_iter=2).fit(IRIS, KINDS)
    refuse(model, give("learned_.history.rule", change), tmp_path)


def kept(change):
    """Change the rows that a vote is taken with."""

    def apply(model):
        model.learned_.history.kept = [change(rows) for rows in model.learned_.history.kept]

    return apply


def chain(field, function):
    """Change a field of the first sequence of updates, of a primal or of a dual history."""

    def apply(model):
        history = model.learned_.history
        first = history.chains[0]
        first = first._replace(**{field: function(getattr(first, field))})
        put(history, "chains", type(history.chains)([first, *history.chains[1:]]))

    return apply


def first(value):
    def change(array):
        array = array.copy()
        array[0] = value
        return array

    return change


UPDATES = {
    "row-beyond": chain("row", first(10**6)),
    "row-negative": chain("row", first(-1)),
    "row-type": chain("row", lambda a: a.astype(np.int32)),
    "row-short": chain("row", lambda a: a[:-1]),
    "numbers-short": chain("numbers", lambda a: a[:-1]),
    "numbers-nan": chain("numbers", first(np.nan)),
    "numbers-integers": chain("numbers", lambda a: a.astype(np.int64)),
    "numbers-flat": chain("numbers", lambda a: a.ravel()),
    "numbers-wide": chain("numbers", lambda a: np.repeat(a, 2, axis=1)),
    "numbers-narrow": chain("numbers", lambda a: a[:, :0]),
    "time-order": chain("time", lambda a: a[::-1].copy()),
    "time-late": chain("time", lambda a: a + 10**6),
    "time-zero": chain("time", first(0)),
    "rival-negative": chain("rival", first(-1)),
    "own-short": chain("own", lambda a: a[1:]),
    "own-negative": chain("own", first(-5)),
    "none": chain("row", lambda a: None),
}
JOINT_UPDATES = {
    "rival-beyond": chain("rival", first(3)),
    "own-beyond": chain("own", first(10**6)),
}
SPARSE_ROWS = {
    "column-beyond": kept(lambda r: r._replace(indices=first(4)(r.indices))),
    "column-negative": kept(lambda r: r._replace(indices=first(2**32 - 1)(r.indices))),
    "column-signed": kept(lambda r: r._replace(indices=r.indices.astype(np.int32))),
    "bounds-beyond": kept(lambda r: r._replace(indptr=r.indptr * 2)),
    "bounds-falling": kept(lambda r: r._replace(indptr=r.indptr[::-1].copy())),
    "bounds-short": kept(lambda r: r._replace(indptr=r.indptr[:-1])),
    "bounds-none": kept(lambda r: r._replace(indptr=None)),
    "bounds-empty": kept(lambda r: r._replace(indptr=r.indptr[:0])),
    "values-short": kept(lambda r: r._replace(values=r.values[:-1])),
    "values-nan": kept(lambda r: r._replace(values=first(np.nan)(r.values))),
    "values-objects": kept(lambda r: r._replace(values=r.values.astype(object))),
    "wide": kept(lambda r: r._replace(width=10**9)),
    "narrow": kept(lambda r: r._replace(width=1)),
    "width-none": kept(lambda r: r._replace(width=0)),
    "as-if-dense": kept(lambda r: Rows(r.values[:-1], None, None, r.width)),
}
DENSE_ROWS = {
    "values-short": kept(lambda r: r._replace(values=r.values[:-1])),
    "rows-missing": kept(lambda r: r._replace(values=r.values[:-4])),
    "wide": kept(lambda r: r._replace(width=8)),
    "half-sparse": kept(lambda r: r._replace(indptr=np.arange(3))),
    "width-float": kept(lambda r: r._replace(width=4.0)),
}
HISTORY = {
    "count": lambda m: put(m.learned_.history, "n_kept", m.learned_.history.n_kept + 1),
    "no-rows": lambda m: put(m.learned_.history, "kept", []),
    "no-chains": lambda m: put(m.learned_.history, "chains", []),
    "chains-twice": lambda m: put(m.learned_.history, "chains", m.learned_.history.chains * 2),
    "start-narrow": give("learned_.history.start.theta", narrower),
    "start-single": give("learned_.history.start", lambda s: replace(
        s, theta=s.theta.astype(np.float32), offset=s.offset.astype(np.float32))),
    "start-beside": lambda m: m.learned_.history.start.beside.update(
        sums=np.zeros((3, 4)), sums_offset=np.zeros(3)),
    "scheme": give("learned_.history.scheme", lambda s: replace(s, n_classes=2)),
    "missing": give("learned_.history", lambda h: None),
}  # fmt: skip


@pytest.mark.parametrize("change", [*UPDATES, *HISTORY, *DENSE_ROWS])
@pytest.mark.parametrize("scheme", ["ovr", "joint"])
def test_votes(change, scheme, tmp_path):
    model = VotedPerceptron(multi_class=scheme, max_iter=2).fit(IRIS, KINDS)
    refuse(model, {**UPDATES, **HISTORY, **DENSE_ROWS}[change], tmp_path)


@pytest.mark.parametrize("change", list(SPARSE_ROWS))
def test_votes_of_sparse_rows(change, tmp_path):
    model = VotedPerceptron(max_iter=2).fit(sp.csr_array(IRIS), KINDS)
    refuse(model, SPARSE_ROWS[change], tmp_path)


@pytest.mark.parametrize("change", list(JOINT_UPDATES))
@pytest.mark.parametrize("cls", [VotedPerceptron, KernelPerceptron])
def test_joint_votes(cls, change, tmp_path):
    model = cls(multi_class="joint", max_iter=2).fit(IRIS, KINDS)
    refuse(model, JOINT_UPDATES[change], tmp_path)


KERNEL = {
    "kernel": give("learned_.gram.kernel", lambda k: "other"),
    "kernel-name": give("kernel", lambda k: "other"),
    "degree": give("learned_.gram.degree", lambda d: 2**31 - 1),
    "gamma": give("learned_.gram.gamma", lambda g: np.inf),
    "X-short": give("learned_.X", lambda X: X[:-1]),
    "X-narrow": give("learned_.X", narrower),
    "X-nan": fill("learned_.X", (0, 0), np.nan),
    "X-text": give("learned_.X", lambda X: X.astype("U5")),
    "X-none": give("learned_.X", lambda X: None),
    "numbers-short": give("learned_.numbers", lambda a: a[:-1]),
    "numbers-negative": fill("learned_.numbers", 0, -1),
    "dual-narrow": give("dual_coef_", narrower),
    "dual-single": give("dual_coef_", lambda a: a.astype(np.float32)),
    "coef-short": give("learned_.coef", lambda a: a[1:]),
    "count": give("learned_.count", lambda n: 1),
    "count-none": give("learned_.count", lambda n: None),
    "n_rows": give("learned_.n_rows", lambda n: -5),
    "keep": give("learned_.keep", lambda v: "other"),
    "history": give("learned_.history", lambda h: None),
    "learned": give("learned_", lambda m: None),
    "spec": give("learned_.spec", lambda s: None),
    "updates": give("learned_.n_updates", lambda a: a[:-1]),
    "epoch_rows": give("learned_.epoch_rows", lambda n: 0),
    "classes": give("classes_", lambda c: c[::-1].copy()),
    "policy": give("learned_.policy", lambda p: "x"),
}


@pytest.mark.parametrize("change", [*UPDATES, *KERNEL])
@pytest.mark.parametrize("vote", ["last", "voted"])
def test_kernel(change, vote, tmp_path):
    model = KernelPerceptron(vote=vote, max_iter=2).fit(IRIS, KINDS)
    refuse(model, {**UPDATES, **KERNEL}[change], tmp_path)


def test_precomputed_kernel(tmp_path):
    model = KernelPerceptron(kernel="precomputed").fit(IRIS @ IRIS.T, KINDS)
    refuse(model, fill("learned_.numbers", 0, 10**6), tmp_path)


@pytest.mark.parametrize(
    ("policy", "change"),
    [
        ("random", give("learned_.policy.random", lambda r: 3)),
        ("random", give("learned_.policy.budget", lambda b: 0)),
        ("random", give("learned_.policy", lambda p: None)),
        ("oldest", give("learned_.policy.n_updates", lambda n: -1)),
        ("oldest", give("learned_.policy.damage", lambda d: "x")),
        ("project", give("learned_.policy.factor", narrower)),
        ("project", give("learned_.policy.factor", lambda a: a[:3, :3].copy())),
        ("project", fill("learned_.policy.factor", (0, 0), np.nan)),
        ("project", give("learned_.policy.threshold", lambda t: None)),
    ],
)
def test_budgets(policy, change, tmp_path):
    model = KernelPerceptron(budget=9, budget_policy=policy).fit(IRIS, KINDS)
    refuse(model, change, tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        give("certificate_", lambda c: None),
        give("certificate_.theta", lambda a: a[:1]),
        give("certificate_.theta", lambda a: a.astype("U9")),
        fill("certificate_.support", 0, -1),
        give("certificate_.margin", lambda m: "1"),
        give("coef_", narrower),
    ],
)
def test_margins(change, tmp_path):
    refuse(MaxMarginClassifier().fit(IRIS[TWO], KINDS[TWO]), change, tmp_path)


WORDS = [["a", "x"], ["b", "y"], ["c", "x"], ["c", "z"]]


@pytest.mark.parametrize(
    "change",
    [
        give("_n_features_outs", lambda n: [1, 1]),
        give("_n_features_outs", lambda n: [10**9, 1]),
        give("n_features_in_", lambda n: 1),
        give("categories_", lambda c: c[:1]),
        give("categories_", lambda c: [np.array([3.0, 1.0, 2.0]), c[1]]),
        give("categories_", lambda c: [c[0][:0], c[1]]),
        lambda m: put(m, "_drop_idx_after_grouping", np.array([-1, 0], object)),
        lambda m: put(m, "_drop_idx_after_grouping", np.array([9, None], object)),
    ],
)
def test_one_hot(change, tmp_path):
    """SciPy would write wherever these numbers lead."""
    refuse(OneHotEncoder(sparse_output=False).fit(WORDS), change, tmp_path)


@pytest.mark.parametrize("value", [-1, 99])
def test_one_hot_with_rare_categories(value, tmp_path):
    model = OneHotEncoder(max_categories=2, sparse_output=False).fit(WORDS)

    def change(encoder):
        encoder._default_to_infrequent_mappings[0][0] = value

    refuse(model, change, tmp_path, "groups categories")


@pytest.mark.parametrize("number", [-1, 10**6, True, 1.0, "1"])
def test_vocabularies(number, tmp_path):
    for model in (TfidfVectorizer().fit(["one two", "two six"]), DictVectorizer().fit([{"a": 1}])):

        def change(vectorizer):
            vectorizer.vocabulary_[next(iter(vectorizer.vocabulary_))] = number

        refuse(model, change, tmp_path, "does not number its words")


def test_parameters_of_compiled_code(tmp_path):
    """Hashing divides by the number of features, in C."""
    refuse(FeatureHasher(), lambda m: put(m, "n_features", 0), tmp_path, "unsound parameters")
    refuse(HashingVectorizer(), lambda m: put(m, "n_features", 0), tmp_path, "unsound parameters")
    model = make_pipeline(HashingVectorizer(), Perceptron())
    refuse(model, lambda m: put(m[0], "n_features", -3), tmp_path, "unsound parameters")


@pytest.mark.parametrize("bounds", [(-(2**63), 1), (-1, 1), (2, 1), (1,), ("a", "b"), (1.0, 2.0)])
def test_ngrams_are_counted_from_where_they_begin(bounds, tmp_path):
    """scikit-learn counts up from the first number, however far below zero that is."""
    for model in (TfidfVectorizer().fit(["one two", "two six"]), HashingVectorizer()):
        refuse(model, lambda m: put(m, "ngram_range", bounds), tmp_path, "ngram_range is")
        for sound in ((0, 1), (1, 10**9), (2, np.int64(3))):
            model.ngram_range = sound
            save_unchecked(model, tmp_path / "sound")
            assert novikoff.load(tmp_path / "sound").ngram_range == sound


@pytest.mark.parametrize(
    ("model", "change", "message"),
    [
        (AdditiveChi2Sampler(), give("sample_steps", lambda n: 2**40), "sample_steps"),
        (PolynomialCountSketch(), give("degree", lambda n: 2**40), "other hashes"),
        (PolynomialCountSketch(), give("n_components", lambda n: 2**40), "n_components"),
        (PolynomialFeatures(), give("_max_degree", lambda n: 2**40), "degree"),
        (PolynomialFeatures(), give("_n_out_full", lambda n: 2**40), "_n_out_full is not 15"),
        (PolynomialFeatures(), give("n_output_features_", lambda n: 2), "is not 15"),
        (FeatureUnion([("s", Binarizer())]), give("n_jobs", lambda n: 10**6), "n_jobs"),
        (Perceptron(), give("n_jobs", lambda n: 10**6), "n_jobs"),
    ],
)
def test_numbers_that_work_is_counted_by(model, change, message, tmp_path):
    """Hours or all memory for a single row."""
    quietly(model.fit, IRIS, KINDS)
    novikoff.load(save_unchecked(model, tmp_path / "sound"))
    refuse(model, change, tmp_path, message)


NUMBERS = [-1, 0, 1, 3, 100, 2**31, 2**53, 2**62, -(2**63)]
OTHERS = [None, True, 0.5, "x", "joint", {"float": "nan"}, {"node": 0}, [], "<i8", "<f4", "F"]


def places(node, prefix=()):
    """Where the numbers, strings and so on of a structure are."""
    if isinstance(node, (list, dict)):
        for key, value in enumerate(node) if isinstance(node, list) else node.items():
            yield from places(value, (*prefix, key))
    else:
        yield prefix


@pytest.mark.parametrize(
    "name",
    ["VotedPerceptron-ovr", "VotedPerceptron-joint", "AveragedPerceptron-ovo", "Kernel-project-ovr",
     "Kernel-rbf-voted-joint", "PA-vote-ovr", "PA-mean-joint"],
)  # fmt: skip
def test_random_changes(name, tmp_path):
    """Whatever `load` accepts predicts and learns without leaving its memory, or says why not.

    With NUMBA_BOUNDSCHECK=1 an index out of bounds is an IndexError here.
    """
    X, draw = forms(IRIS)["sparse"], random.Random(name)
    model = quietly({**linear_estimators(), **kernel_estimators()}[name].fit, X, KINDS)
    novikoff.save(model, tmp_path / "model")
    nodes, arrays = taken_apart(tmp_path / "model")
    n_accepted = 0
    for _ in range(60):
        changed, data = json.loads(json.dumps(nodes)), bytearray(arrays)
        if draw.random() < 0.5:
            *path, last = draw.choice(list(places(changed)))
            inner = changed
            for key in path:
                inner = inner[key]
            inner[last] = draw.choice(NUMBERS if type(inner[last]) is int else OTHERS)
        else:
            place = 8 * draw.randrange(len(data) // 8)
            data[place : place + 8] = draw.choice(NUMBERS).to_bytes(8, "little", signed=True)
        forge(tmp_path / "hostile", changed, np.frombuffer(bytes(data), np.uint8))
        try:
            again = novikoff.load(tmp_path / "hostile")
        except ModelFileError:
            continue
        n_accepted += 1
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for use in (again.decision_function, again.predict):
                with suppress(ValueError, TypeError, AttributeError, MemoryError):
                    use(X)
            with suppress(ValueError, TypeError, AttributeError, MemoryError, AssertionError):
                again.partial_fit(X, KINDS)
    assert 0 < n_accepted < 60


def test_the_unchanged_model_passes(tmp_path):
    """So that what is refused above is refused for what was changed."""
    for estimator in (*linear_estimators().values(), *kernel_estimators().values()):
        model = quietly(clone(estimator).fit, sp.csr_array(IRIS), KINDS)
        again = novikoff.load(save_unchecked(model, tmp_path / "model"))
        assert outputs(again, IRIS) == outputs(model, IRIS)
