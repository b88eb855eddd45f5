"""What is said about a step."""

import numpy as np
import pytest

from novikoff import Perceptron, PocketPerceptron
from tests.replay.helpers import document_of, golden_trace

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

SAY = """
async ([document, counting]) => {
  const { readTrace, stepOf } = await import("/trace.js");
  const { sentenceOf } = await import("/sentence.js");
  const run = readTrace(document);
  return Array.from({ length: run.n + 1 }, (_, k) => sentenceOf(run, stepOf(run, k), counting));
}
"""


def said(page, trace, counting="rows"):
    return page.evaluate(SAY, [document_of(trace), counting])


def test_the_twelve_points(modules):
    start, *updates = said(modules, golden_trace())
    assert start == "Start: θ = (0, 0) and θ₀ = 0. No boundary yet: every point is predicted +."
    assert updates[2] == (
        "Update 3: row 6 (−) had score 8, so y·s = −8 ≤ 0: a mistake. "
        "θ becomes (5, −1), θ₀ becomes −1; y·s is now −2: it undershoots."
    )
    assert updates[8] == (
        "Update 9: row 10 (−) had score 0, so y·s = 0 ≤ 0: on the boundary, which counts as "
        "a mistake. θ becomes (8, −4), θ₀ becomes −7; y·s is now 35: right."
    )
    assert updates[9].endswith("right. Separated after 10 updates: epoch 6 made no mistake.")
    assert sum("undershoots" in text for text in updates) == 1


def test_examples_may_be_counted_from_one(modules):
    assert "Update 3: example 7 (−) had" in said(modules, golden_trace(), "examples")[3]


def test_a_margin(modules):
    X, y = [[1.0, 1.0], [-1.0, 0.0]], [1, 0]
    trace = Perceptron(record_trace=True, order="cyclic", margin=2.0).fit(X, y).trace_
    texts = said(modules, trace)
    assert "so y·s = 0 ≤ 2 = β: a mistake." in texts[1]
    assert "y·s is now 3: beyond the margin." in texts[1]
    assert any("= β: on the right side, but not beyond the margin." in text for text in texts)


def test_the_rule_of_the_sign(modules):
    X, y = [[1.0, 0.0], [2.0, 1.0]], [0, 1]
    trace = Perceptron(record_trace=True, order="cyclic", ties="sign").fit(X, y).trace_
    assert "had score 0, so h = +1 ≠ y = −1: a mistake." in said(modules, trace)[1]


def test_without_an_offset_none_is_mentioned(modules):
    texts = said(modules, golden_trace("random_draws_through_the_origin"))
    assert not any("θ₀" in text for text in texts)
    assert "< 1 = β" in texts[1]


def test_numbers_with_many_digits_are_rounded_and_say_so(modules):
    X, y = [[1 / 3, 0.1], [0.2, 2 / 3]], [1, 0]
    for dtype in (np.float64, np.float32):
        trace = Perceptron(record_trace=True, order="cyclic").fit(np.array(X, dtype), y).trace_
        assert "θ becomes ≈ (0.333333, 0.1), θ₀ becomes 1;" in said(modules, trace)[1]


def test_endings(modules):
    X, y = [[0.0, 0.0], [0.0, 0.0]], [0, 1]
    limited = Perceptron(record_trace=True, max_iter=2).fit(X, y).trace_
    assert said(modules, limited)[-1].endswith("ended at its limit of 2 epochs, not separated.")
    pocket = PocketPerceptron(record_trace=True, random_state=3, max_iter=5)
    trace = pocket.fit([[2.0, 0.0], [0.5, 1.0], [-1.0, 0.25], [0.0, -1.0]], [1, 0, 0, 1]).trace_
    k = int(trace.replacements.k[-1])
    assert "It enters the pocket: error 0." in said(modules, trace)[k]


def test_a_run_without_updates(modules):
    clf = Perceptron(record_trace=True).fit(
        [[1.0, 0.0], [-1.0, 0.0]], [1, 0], coef_init=[[1.0, 0.0]]
    )
    (only,) = said(modules, clf.trace_)
    assert (
        only == "Start: θ = (1, 0) and θ₀ = 0. Separated after 0 updates: epoch 1 made no mistake."
    )


def test_why_a_student_updated_is_not_said(modules):
    document = document_of(golden_trace())
    n = len(document["updates"]["row"])
    told = {"theta": [[1.0, 2.0]] * (n + 1), "offset": [3.0] * (n + 1), "told": True}
    document["hypotheses"] = told
    document["updates"] |= {"score_before": None, "score_after": None}
    texts = modules.evaluate(SAY, [document, "examples"])
    assert texts[3].endswith("θ becomes (1, 2), θ₀ becomes 3.")
    assert not any("mistake" in text or "eparated" in text for text in texts[1:])
