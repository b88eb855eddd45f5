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
    Perceptron,
    VotedPerceptron,
)
from novikoff.kernels.rows import Rows
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
    "scheme-none": give("_scheme", lambda s: None),
    "scheme-classes": give("_scheme", lambda s: replace(s, n_classes=9)),
    "scheme-huge": give("_scheme", lambda s: replace(s, n_classes=10**15, name="ovo")),
    "scheme-shown": give("_scheme", lambda s: replace(s, n_shown=7)),
    "scheme-open": give("_scheme", lambda s: replace(s, open=not s.open)),
    "scheme-name": give("_scheme", lambda s: replace(s, name="other")),
    "scheme-role": give("_scheme", lambda s: replace(s, roles=(Role(0, 99), *s.roles[1:]))),
    "scheme-below": give("_scheme", lambda s: replace(s, roles=(Role(-9, 0), *s.roles[1:]))),
    "scheme-float": give("_scheme", lambda s: replace(s, roles=(Role(0.5, 1), *s.roles[1:]))),
    "scheme-roles": give("_scheme", lambda s: replace(s, roles=s.roles * 2)),
    "state-none": give("_state", lambda s: None),
    "state-missing": remove("_state"),
    "theta-narrow": give("_state.theta", narrower),
    "theta-short": give("_state.theta", lambda a: a[:0].copy()),
    "theta-nan": fill("_state.theta", (0, 0), np.nan),
    "theta-integers": give("_state.theta", lambda a: a.astype(np.int64)),
    "offset-short": give("_state.offset", lambda a: a[:0]),
    "offset-type": give("_state.offset", lambda a: a.astype(np.float32)),
    "counts-short": give("_state.counts", lambda a: a[:0]),
    "counts-negative": fill("_state.counts", 0, -1),
    "counts-huge": fill("_state.counts", 0, 2**63 - 1),
    "counts-type": give("_state.counts", lambda a: a.astype(float)),
    "constant": give("_state.constant", lambda c: 7.0),
    "constant-other": give("_state.constant", lambda c: 1.0 - c),
    "updates": give("_n_updates", lambda a: np.append(a, 0)),
    "updates-shown": give("n_updates_", lambda a: a.astype(object)),
    "learned": give("_learned_with", lambda w: ()),
    "ties": give("ties", lambda t: "other"),
    "max_iter": give("max_iter", lambda t: 2**40),
}


@pytest.mark.parametrize("change", list(LINEAR))
@pytest.mark.parametrize("scheme", ["ovr", "joint"])
def test_hyperplanes(change, scheme, tmp_path):
    model = quietly(Perceptron(multi_class=scheme, max_iter=2).fit, IRIS, KINDS)
    refuse(model, LINEAR[change], tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        give("_state.sums", narrower),
        give("_state.sums", lambda a: a.astype(np.float32)),
        give("_state.offset_sums", lambda a: a[:0]),
        give("_state.sums", lambda a: None),
        lambda m: (put(m._state, "sums", None), put(m._state, "offset_sums", None)),
        give("last_coef_", narrower),
        remove("last_intercept_"),
    ],
)
def test_averages(change, tmp_path):
    refuse(AveragedPerceptron().partial_fit(IRIS, KINDS), change, tmp_path)


def kept(change):
    """Change the rows that a vote is taken with."""

    def apply(model):
        model._history.kept = [change(rows) for rows in model._history.kept]

    return apply


def chain(field, function):
    """Change a field of the first sequence of updates, of a primal or of a dual history."""

    def apply(model):
        history = model._history if hasattr(model, "_history") else model._model.history
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
    "step-short": chain("step", lambda a: a[:-1]),
    "step-nan": chain("step", first(np.nan)),
    "step-integers": chain("step", lambda a: a.astype(np.int64)),
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
    "count": lambda m: put(m._history, "n_kept", m._history.n_kept + 1),
    "no-rows": lambda m: put(m._history, "kept", []),
    "no-chains": lambda m: put(m._history, "chains", []),
    "chains-twice": lambda m: put(m._history, "chains", m._history.chains * 2),
    "start-narrow": give("_history.start.theta", narrower),
    "start-single": lambda m: put(
        m._history, "start", m._history.start.__class__(
            *(a.astype(np.float32) for a in (m._history.start.theta, m._history.start.offset)),
            m._history.start.counts, None, None, 1.0)),
    "scheme": give("_history.scheme", lambda s: replace(s, n_classes=2)),
    "missing": remove("_history"),
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
    "kernel": give("_model.gram.kernel", lambda k: "other"),
    "kernel-name": give("kernel", lambda k: "other"),
    "degree": give("_model.gram.degree", lambda d: 2**31 - 1),
    "gamma": give("_model.gram.gamma", lambda g: np.inf),
    "X-short": give("_model.X", lambda X: X[:-1]),
    "X-narrow": give("_model.X", narrower),
    "X-nan": fill("_model.X", (0, 0), np.nan),
    "X-text": give("_model.X", lambda X: X.astype("U5")),
    "X-none": give("_model.X", lambda X: None),
    "numbers-short": give("_model.numbers", lambda a: a[:-1]),
    "numbers-negative": fill("_model.numbers", 0, -1),
    "dual-narrow": give("dual_coef_", narrower),
    "dual-single": give("dual_coef_", lambda a: a.astype(np.float32)),
    "coef-short": give("_coef", lambda a: a[1:]),
    "count": give("_count", lambda n: 1),
    "count-none": give("_count", lambda n: None),
    "n_rows": give("_n_rows", lambda n: -5),
    "vote": give("_vote", lambda v: "other"),
    "history": give("_model.history", lambda h: None),
    "model": give("_model", lambda m: None),
    "learned": give("_learned_with", lambda w: w[:3]),
    "epoch_rows": give("_epoch_rows", lambda n: 0),
    "classes": give("classes_", lambda c: c[::-1].copy()),
    "policy": give("_policy", lambda p: "x"),
}


@pytest.mark.parametrize("change", [*UPDATES, *KERNEL])
@pytest.mark.parametrize("vote", ["last", "voted"])
def test_kernel(change, vote, tmp_path):
    model = KernelPerceptron(vote=vote, max_iter=2).fit(IRIS, KINDS)
    refuse(model, {**UPDATES, **KERNEL}[change], tmp_path)


def test_precomputed_kernel(tmp_path):
    model = KernelPerceptron(kernel="precomputed").fit(IRIS @ IRIS.T, KINDS)
    refuse(model, fill("_model.numbers", 0, 10**6), tmp_path)


@pytest.mark.parametrize(
    ("policy", "change"),
    [
        ("random", give("_policy.random", lambda r: 3)),
        ("random", give("_policy.budget", lambda b: 0)),
        ("random", give("_policy", lambda p: None)),
        ("oldest", give("_policy.n_updates", lambda n: -1)),
        ("oldest", give("_policy.damage", lambda d: "x")),
        ("project", give("_policy.factor", narrower)),
        ("project", give("_policy.factor", lambda a: a[:3, :3].copy())),
        ("project", fill("_policy.factor", (0, 0), np.nan)),
        ("project", give("_policy.threshold", lambda t: None)),
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
     "Kernel-rbf-voted-joint"],
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
