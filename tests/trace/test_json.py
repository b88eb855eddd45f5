"""The trace format: nothing is lost, and what is malformed is refused in so many words."""

import json
import re
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from novikoff import AveragedPerceptron, Perceptron, PocketPerceptron, Trace
from tests.examples import examples
from tests.test_reference import data_sets, options
from tests.trace.helpers import assert_same

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

PAGE = Path(__file__).parents[2] / "docs" / "trace-format.md"


@examples(30)
@given(
    data_sets(n_classes=3), options, st.sampled_from([Perceptron, PocketPerceptron]),
    st.booleans(), st.sampled_from(["ovr", "ovo", "joint"]),
)  # fmt: skip
def test_round_trip(data, o, estimator, sparse, scheme):
    X, y = data
    clf = estimator(multi_class=scheme, **o, record_trace=True)
    for trace in clf.fit(sp.csr_array(X) if sparse else X, y).trace_:
        text = trace.to_json()
        again = Trace.from_json(text)
        assert_same(again, trace)
        assert again.to_json() == text
        np.testing.assert_array_equal(again.final[0], trace.final[0], strict=True)

        bare = Trace.from_json(trace.to_json(examples=False))
        assert bare.examples is None
        assert bare.to_json() == trace.to_json(examples=False)
        np.testing.assert_array_equal(bare.score_before, trace.score_before)
        np.testing.assert_array_equal(bare.score_after, trace.score_after)
        np.testing.assert_array_equal(bare.hypotheses(X)[0], trace.hypotheses()[0])
        full = bare.with_examples(trace.examples.X, trace.examples.side)
        assert_same(full, trace)
        if X.dtype == np.float32:
            full = bare.with_examples(trace.examples.X.astype(float), trace.examples.side)
            assert_same(full, trace)


def test_the_other_classes_of_a_joint_run_must_be_labels_one_per_update():
    X, y = np.random.RandomState(0).standard_normal((20, 2)), np.arange(20) % 3
    clf = Perceptron(multi_class="joint", max_iter=2, record_trace=True).fit(X, y)
    document = clf.trace_[0].document()
    for wrong in (None, [], [1] * len(clf.trace_[0])):
        document["updates"]["other"] = wrong
        with pytest.raises(ValueError, match=r"updates\.other"):
            Trace.from_json(json.dumps(document))


def test_negative_zeros_large_and_small_numbers_survive():
    X = np.array([[-0.0, 5e-324, 1e300], [0.1, 1 / 3, -1e-17], [2.0**53, 1.0, -0.0]])
    for form in (X, sp.csr_array(X), X[:, :2].astype(np.float32)):
        trace = Perceptron(max_iter=3, record_trace=True).fit(form, [0, 1, 0]).trace_
        assert_same(Trace.from_json(trace.to_json()), trace)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "int64", "uint64", "float32"])
def test_types_survive(dtype):
    X = np.array([[1, 0], [0, 3], [2, 2]], dtype)
    for form in (X, sp.csr_array(X)):
        trace = Perceptron(max_iter=3, record_trace=True).fit(form, [0, 1, 0]).trace_
        assert_same(Trace.from_json(trace.to_json()), trace)


def test_labels_are_text():
    y = np.array(['a "b"|', "ä\n"])[[0, 1, 0]]
    trace = Perceptron(record_trace=True).fit([[1.0], [-1.0], [2.0]], y).trace_
    assert Trace.from_json(trace.to_json()).classes == ('a "b"|', "ä\n")


def test_every_number_is_plain_json():
    random = np.random.RandomState(0)
    X, y = random.standard_normal((20, 3)), random.randint(0, 2, 20)
    text = PocketPerceptron(max_iter=3, record_trace=True).fit(X, y).trace_.to_json()

    def refuse(name):
        raise AssertionError(name)

    document = json.loads(text, parse_constant=refuse)
    assert document["format"] == "novikoff.trace"
    assert document["version"] == 1


# ------------------------------------------------------------------- malformed


def valid(**fit):
    X, y = np.array([[2.0, 0.0], [0.0, 3.0], [-1.0, 0.0]]), [1, 0, 0]
    clf = PocketPerceptron(order="shuffled", random_state=1, record_trace=True)
    return clf.fit(fit.get("X", X), y).trace_


def put(document, path, value):
    *parents, last = path.split(".")
    for name in parents:
        document = document[name]
    if value is KeyError:
        del document[last]
    else:
        document[last] = value


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("format", "something else", "Expected a document"),
        ("format", KeyError, "has no field 'format'"),
        ("version", 2, "version 1 of novikoff.trace, not 2"),
        ("version", "1", "'version' must be of type int"),
        ("dtype", "float16", "'dtype' must be one of float32, float64"),
        ("ties", "maybe", "'ties' must be one of mistake, sign, correct"),
        ("margin", "0", "'margin' must be a number"),
        ("margin", True, "'margin' must be a number"),
        ("fit_intercept", 1, "'fit_intercept' must be of type bool"),
        ("classes", ["0", "1"], "'classes' must be an object"),
        ("start.theta", [0.0], "have 2 features; theta has 1"),
        ("start.theta", 0.0, "'start.theta' must be a list of float64"),
        ("start.offset", None, "'start.offset' must be a number"),
        ("updates", KeyError, "has no field 'updates'"),
        ("updates.row", KeyError, "'updates' has no field 'row'"),
        ("updates.row", [0.5, 1, 2], "'updates.row' must be a list of int64; some entry is not"),
        ("updates.row", [[0]], "nested to depth 2"),
        ("updates.t", [1], r"of shape \(\d,\); its shape is \(1,\)"),
        ("updates.score_before", ["a"], "'updates.score_before' must be a list of float64"),
        ("updates.score_after", KeyError, "has no field 'score_after'"),
        ("n_epochs", 0, "epochs must not fall"),
        ("orders", None, "only a cyclic run has no orders"),
        ("orders", [[0, 1, 2]], "one visiting order per epoch"),
        ("orders", 3, "'orders' must be of type list"),
        ("replacements.k", [], r"'replacements.error' must be .* its shape"),
        ("replacements", {"k": [1], "error": [0.0]}, "replacements must rise from 0"),
        ("replacements", {"k": [0, 99], "error": [2.0, 0.0]}, "at most the number of updates"),
        ("examples.dtype", "complex64", "'examples.dtype' must be one of"),
        ("examples.shape", [3], "'examples.shape' must be"),
        ("examples.shape", [3, 5], "have 5 features; theta has 2"),
        ("examples.rows", [[1.0, 2.0]], "'examples.rows' must be"),
        ("examples.rows", [[1.0, 2.0], [1.0], [3.0, 2.0]], "'examples.rows' must be"),
        ("examples.side", [1, -1], "'examples.side' must be"),
        ("examples.side", [2, -1, -1], "the side -1, 0 or"),
        ("examples.side", [-1, 1, 1], "contradicts itself: update 1 has y"),
    ],
)  # fmt: skip
def test_a_malformed_document_is_refused(path, value, message):
    document = json.loads(valid().to_json())
    put(document, path, value)
    with pytest.raises(ValueError, match=message):
        Trace.from_json(json.dumps(document))


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("y", lambda v: [0] * len(v), "every y must be"),
        ("step", lambda v: [-s for s in v], "the sign of its y"),
        ("t", lambda v: v[::-1], "t must rise from 1"),
        ("row", lambda v: [99] * len(v), "not among the examples"),
        ("row", lambda v: [-1] * len(v), "rows are numbered from 0"),
        ("step", lambda v: [s * 1e400 for s in v], "is not a JSON number"),
    ],
)
def test_updates_that_contradict_themselves_are_refused(name, change, message):
    document = json.loads(valid().to_json())
    document["updates"][name] = change(document["updates"][name])
    with pytest.raises(ValueError, match=message):
        Trace.from_json(json.dumps(document))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("indptr", [0, 2, 1, 3]), ("indptr", [1, 1, 2, 3]), ("indptr", [0, 1, 2, 4]),
        ("indices", [0, 1, 2]), ("indices", [-1, 1, 0]),
    ],
)  # fmt: skip
def test_a_malformed_sparse_matrix_is_refused(name, value):
    X = sp.csr_array(np.array([[2.0, 0.0], [0.0, 3.0], [-1.0, 0.0]]))
    document = json.loads(valid(X=X).to_json())
    document["examples"][name] = value
    with pytest.raises(ValueError, match="no sparse matrix"):
        Trace.from_json(json.dumps(document))
    document["examples"].update(indptr=[0, 2, 2, 3], indices=[1, 0, 0])
    with pytest.raises(ValueError, match="no sparse matrix"):
        Trace.from_json(json.dumps(document))


@pytest.mark.parametrize("text", ["", "[]", "{", "3", None, "[" * 100_000, "9" * 5000])
def test_what_is_no_document_is_refused(text):
    with pytest.raises(ValueError, match=r"not a trace in JSON|must be an object") as refused:
        Trace.from_json(text)
    assert "set_int_max_str_digits" not in str(refused.value)


def test_single_precision_is_checked():
    trace = valid(X=np.array([[0.1, 0.0], [0.0, 3.0], [-1.0, 0.0]], np.float32))
    document = json.loads(trace.to_json())
    document["examples"]["rows"][0][0] = 0.1
    with pytest.raises(ValueError, match="some number is not one exactly"):
        Trace.from_json(json.dumps(document))


def test_a_trace_without_examples_says_so():
    bare = Trace.from_json(valid().to_json(examples=False))
    for use in (bare.hypotheses, bare.markdown, bare.audit, lambda: bare.final):
        with pytest.raises(ValueError, match="without its examples"):
            use()
    with pytest.raises(ValueError, match="one label per row"):
        bare.with_examples([[2.0, 0.0], [0.0, 3.0], [-1.0, 0.0]], [1, 0])
    with pytest.raises(ValueError, match="but the run had"):
        bare.with_examples([[2.0, 0.0], [0.0, 3.0], [-1.0, 0.0]], [0, 0, 0])
    assert "score_after" in bare.frame(theta=False)


@pytest.mark.parametrize("labels", [("no", "yes"), (0, 1), (-1, 1), (False, True), (2.0, 5.0)])
def test_examples_come_back_with_the_labels_that_were_fitted(labels):
    X = np.array([[2.0, 0.0], [0.0, 3.0], [-1.0, 0.0]])
    y = np.array([labels[1], labels[0], labels[0]])
    trace = Perceptron(record_trace=True).fit(X, y).trace_
    again = Trace.from_json(trace.to_json(examples=False)).with_examples(X, y)
    assert again.examples.side.tolist() == trace.examples.side.tolist()
    assert again.audit().holds


@pytest.mark.parametrize("labels", [["a", "b", "c"], [-1, 0, 1]])  # the latter look like sides
def test_examples_of_one_against_the_rest_and_of_a_pair(labels):
    X, y = np.array([[2.0, 0.0], [0.0, 3.0], [-1.0, 0.0]]), np.array(labels)
    for scheme in ("ovr", "ovo"):
        for trace in Perceptron(multi_class=scheme, record_trace=True).fit(X, y).trace_:
            again = Trace.from_json(trace.to_json(examples=False)).with_examples(X, y)
            assert again.examples.side.tolist() == trace.examples.side.tolist()


# -------------------------------------------------------------------- the page


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def test_the_example_on_the_page_is_what_the_library_writes():
    (text,) = blocks("json")
    trace = Trace.from_json(text)
    X, y = trace.examples.X, trace.examples.side
    clf = PocketPerceptron(random_state=3, margin=0.5, max_iter=2, record_trace=True).fit(X, y)
    assert json.loads(clf.trace_.to_json()) == json.loads(text)


def test_every_field_is_on_the_page():
    page = PAGE.read_text(encoding="utf-8")

    def names(part):
        for name, value in part.items():
            yield name
            if isinstance(value, dict):
                yield from names(value)

    X = sp.csr_array(np.eye(3))
    trace = PocketPerceptron(max_iter=2, record_trace=True).fit(X, [0, 1, 1]).trace_
    for name in {*names(json.loads(trace.to_json())), *names(json.loads(valid().to_json()))}:
        assert f"`{name}`" in page, name


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("order", ["cyclic", "random"])
def test_the_replay_on_the_page_needs_no_library(dtype, sparse, order):
    (code,) = blocks("python")
    random = np.random.RandomState(0)
    X = random.standard_normal((30, 3)).astype(dtype)
    clf = AveragedPerceptron(order=order, eta0=0.3, max_iter=5, record_trace=True)
    clf.fit(sp.csr_array(X) if sparse else X, random.randint(0, 2, 30))
    scope = {"document": json.loads(clf.trace_.to_json())}
    exec(code, scope)
    assert scope["theta"] == clf.last_coef_[0].tolist()
    assert scope["offset"] == clf.last_intercept_[0]
    assert Fraction(scope["offset"]) == Fraction(float(clf.trace_.final[1]))


@pytest.mark.skipif(shutil.which("node") is None, reason="no JavaScript here")
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_replay_on_the_page_in_javascript(dtype):
    (code,) = blocks("javascript")
    random = np.random.RandomState(0)
    X = random.standard_normal((30, 3)).astype(dtype)
    clf = AveragedPerceptron(eta0=0.3, max_iter=5, record_trace=True)
    clf.fit(X, random.randint(0, 2, 30))
    program = f"const document = {clf.trace_.to_json()};\n{code}\n"
    program += "console.log(JSON.stringify([theta, offset]));"
    ran = subprocess.run(["node", "-e", program], capture_output=True, text=True, check=True)
    theta, offset = json.loads(ran.stdout)
    assert theta == clf.last_coef_[0].tolist()
    assert offset == clf.last_intercept_[0]
