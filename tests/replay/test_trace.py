"""Documents as the page reads them: θ to the bit, and what is wrong is said."""

import copy

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from novikoff import Perceptron, PocketPerceptron
from tests.replay.helpers import BITS, GOLDEN, bits, document_of, golden_case, golden_trace

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

READ = f"""
async (documents) => {{
  const {{ readTrace, stepOf }} = await import("/trace.js");
  const bits = {BITS};
  return documents.map((document) => {{
    const run = readTrace(document);
    const steps = Array.from({{ length: run.n }}, (_, e) => stepOf(run, e + 1).update);
    return {{
      theta: bits(run.thetas), offset: bits(run.offsets),
      before: steps.map((u) => u.scoreBefore), after: steps.map((u) => u.scoreAfter),
      undershoots: steps.map((u) => u.undershoots), epoch: run.updates.epoch,
    }};
  }});
}}
"""
REFUSED = """
async ([document, limits]) => {
  const { readTrace, TraceError } = await import("/trace.js");
  try { readTrace(document, limits); } catch (error) {
    return error instanceof TraceError ? error.message : "not a TraceError: " + error;
  }
  return null;
}
"""


def check(page, traces, **more):
    for trace, read in zip(
        traces, page.evaluate(READ, [document_of(t, **more) for t in traces]), strict=True
    ):
        theta, offset = trace.hypotheses()
        assert read["theta"] == bits(theta)
        assert read["offset"] == bits(offset)
        np.testing.assert_array_equal(read["before"], trace.score_before)
        np.testing.assert_array_equal(read["after"], trace.score_after)


def test_golden_runs_to_the_bit(modules):
    found = modules.evaluate(READ, [document_of(golden_trace(name)) for name in GOLDEN])
    for name, read in zip(GOLDEN, found, strict=True):
        trajectory = golden_case(name)["trajectory"]
        assert (name, read["theta"]) == (name, bits(trajectory["theta"]))
        assert (name, read["offset"]) == (name, bits(trajectory["offset"]))


def test_the_twelve_points(modules):
    (read,) = modules.evaluate(READ, [document_of(golden_trace())])
    assert read["theta"][-2:] == bits([4.0, -8.0])
    assert read["offset"][-1:] == bits([-8.0])
    assert [k for k, short in enumerate(read["undershoots"], 1) if short] == [3]
    assert (read["before"][2], read["after"][2]) == (8, 2)  # y = −1: y·s from −8 to −2
    assert [k for k, score in enumerate(read["before"], 1) if score == 0] == [1, 9]


ROWS = st.lists(
    st.tuples(*[st.floats(-1e3, 1e3, allow_subnormal=False)] * 2), min_size=2, max_size=9
)  # fmt: skip


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=ROWS, seed=st.integers(0, 99), single=st.booleans(),
       eta=st.sampled_from([1.0, 0.1, 1 / 3]), offset=st.booleans(),
       margin=st.sampled_from([0.0, 0.3]), ties=st.sampled_from(["mistake", "correct"]),
       sparse=st.booleans())  # fmt: skip
def test_any_run_to_the_bit(modules, rows, seed, single, eta, offset, margin, ties, sparse):
    X = np.array(rows, np.float32 if single else np.float64)
    y = np.arange(len(X)) % 2
    margin = margin if ties == "mistake" else 0.3
    clf = Perceptron(record_trace=True, max_iter=8, eta0=eta, fit_intercept=offset, margin=margin,
                     ties=ties, random_state=seed)  # fmt: skip
    trace = clf.fit(sp.csr_array(X) if sparse else X, y).trace_
    theta, offsets = trace.hypotheses()
    check(modules, [trace], hypotheses={"theta": theta.tolist(), "offset": offsets.tolist()})


@pytest.mark.thorough
def test_starts_weights_integers_and_the_pocket(modules):
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 255, (60, 2)).astype(np.uint8), rng.integers(0, 2, 60)
    weights = rng.random(60) * (rng.random(60) < 0.8)
    started = Perceptron(record_trace=True, max_iter=5)
    started.fit(X / 7, y, coef_init=[[0.1, -0.0]], intercept_init=[-0.3], sample_weight=weights)
    traces = [
        started.trace_,
        Perceptron(record_trace=True, max_iter=5, ties="sign").fit(X, y).trace_,
        PocketPerceptron(record_trace=True, max_iter=5).fit(X, y).trace_,
        *Perceptron(record_trace=True, max_iter=5, multi_class="ovo")
        .fit(X, rng.integers(0, 3, 60))
        .trace_,
    ]
    check(modules, traces)


def test_scores_that_are_not_stored_are_computed(modules):
    trace = golden_trace("thirds_in_single_precision")
    document = document_of(trace)
    document["updates"]["score_before"] = document["updates"]["score_after"] = None
    (read,) = modules.evaluate(READ, [document])
    np.testing.assert_array_equal(read["before"], trace.score_before)
    np.testing.assert_array_equal(read["after"], trace.score_after)


def changed(path, value):
    document = document_of(golden_trace())
    *names, last = path.split(".")
    part = document
    for name in names:
        part = part[int(name) if name.isdigit() else name]
    part[int(last) if last.isdigit() else last] = value
    return document


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("format", "other", 'expected a document with "format": "novikoff.trace"'),
        ("version", 2, "reads version 1 of the trace format; the document has version 2"),
        ("classes", ["a", "b", "c"], "not the run of a single hyperplane"),
        ("start.theta", [0.0] * 5, "has 5 features; the replay shows runs on two"),
        ("start.theta", [0.0], "has 1 feature; "),
        ("start.theta", "0", "“start.theta” is missing"),
        ("start", None, "“start” is missing"),
        ("examples", None, "stored without its examples"),
        ("examples.side", [1] * 11, "“examples.side” is missing or not what"),
        ("examples.rows.3", [1.0], "“examples.rows[3]” is missing or not what"),
        ("updates.step", [1.0], "“updates.step” is missing"),
        ("updates.row.4", 99, "update 5 is of a row on another side, or of none"),
        ("updates.row.4", 0, "update 5 is of a row on another side, or of none"),
        ("updates.step.0", 2.0, "the score at update 1 is 6, but its updates give 12"),
        ("updates.step.0", 1e308, "θ leaves the range of floating-point numbers at update 1"),
        ("updates.score_after.2", 3.0, "the score at update 3 is 3, but its updates give 2"),
        ("hypotheses", {"theta": [[0.0, 0.0]] * 11, "offset": [0.0] * 11}, "hypothesis 1 is not"),
        ("ties", "other", "“ties” is missing"),
        ("dtype", "float16", "“dtype” is missing"),
    ],
)
def test_a_document_that_cannot_be_shown(modules, path, value, message):
    if value == 1e308:
        document = changed("examples.rows.0", [-2.0, 3.0])
        document["updates"]["step"][0] = value
    else:
        document = changed(path, value)
    assert message in modules.evaluate(REFUSED, [document, {}])


def test_other_things_than_a_document(modules):
    document = document_of(golden_trace())
    assert "a list of traces" in modules.evaluate(REFUSED, [[document, document], {}])
    for other in (None, 3, "text", {}):
        assert "This is not a trace" in modules.evaluate(REFUSED, [other, {}])


def test_a_trace_that_is_too_long(modules):
    document = copy.deepcopy(document_of(golden_trace()))
    for column in document["updates"]:
        document["updates"][column] *= 501
    assert "has 5010 updates; the replay shows at most 5000" in modules.evaluate(
        REFUSED, [document, {}]
    )
    document = document_of(golden_trace())
    assert "12 rows; the replay shows at most 5" in modules.evaluate(
        REFUSED, [document, {"rows": 5}]
    )


def test_hypotheses_that_are_told_are_shown_as_they_are(modules):
    """Of a run that does not follow the rule, such as a student's: nothing is replayed."""
    document = document_of(golden_trace())
    n = len(document["updates"]["row"])
    theta, offset = [[float(k), -1.0] for k in range(n + 1)], [0.5] * (n + 1)
    document["hypotheses"] = {"theta": theta, "offset": offset, "told": True}
    document["updates"] |= {"score_before": None, "score_after": None}
    (read,) = modules.evaluate(READ, [document])
    assert read["theta"] == bits(theta)
    assert read["offset"] == bits(offset)
