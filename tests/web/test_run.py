"""The numbers of a run, against the library and against what is known by hand."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest

import novikoff
from novikoff.web.answers import known_answer, run_answer
from novikoff.web.presets import PRESETS, preset
from novikoff.web.questions import KnownQuestion, Point, RunQuestion, Settings
from novikoff.web.runs import learn
from tests.web.asking import ALGORITHMS, arrays_of, ask, overlapping

# --------------------------------------------------------------------- the first ten seconds


def test_the_twelve_points_are_as_the_page_promises():
    answer = ask(preset("default").points)
    assert (answer.status, answer.n_updates, answer.n_epochs) == ("separated", 10, 6)
    assert answer.model.theta == (4.0, -8.0)
    assert answer.model.offset == -8.0
    assert answer.sentence == "Separated after 10 mistakes. The theorem allows 28."
    assert round(answer.bound.value, 2) == 28.67
    assert answer.bound.most == 28
    updates = answer.trace["updates"]
    assert max(updates["epoch"]) == 5  # the sixth is clean
    product = np.array(updates["y"]) * np.array([updates["score_before"], updates["score_after"]])
    assert product[:, 2].tolist() == [-8.0, -2.0]  # update 3 undershoots
    assert product[0, 8] == 0.0  # update 9 is an exact tie
    assert answer.trace["bound"] == answer.bound.value


def test_near_the_bound():
    answer = ask(preset("bound").points)
    assert (answer.n_updates, answer.bound.most) == (55, 109)


def test_every_preset_is_what_it_is_called():
    kinds = {p.name: ask(p.points, **p.settings.model_dump()).verdict.kind for p in PRESETS}
    assert kinds == {
        "default": "separable", "separable": "separable", "barely": "separable",
        "offset": "overlapping", "xor": "overlapping", "touching": "quasi-separable",
        "outlier": "overlapping", "bound": "separable",
    }  # fmt: skip
    assert ask(preset("offset").points, offset=True).verdict.kind == "separable"
    margins = [ask(preset(name).points).verdict.margin for name in ("barely", "separable")]
    assert margins[0] < 0.3 < 1.0 < margins[1]


# ------------------------------------------------------------------------------ algorithms


@pytest.mark.parametrize("order", ["cyclic", "shuffled", "random"])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("name", [p.name for p in PRESETS])
def test_an_answer_says_what_the_library_says(name, algorithm, order):
    points = preset(name).points
    answer = ask(points, algorithm=algorithm, order=order, epochs=30, seed=3)
    X, y = arrays_of(points)
    n = len(points)
    assert len(answer.errors) == answer.n_updates + 1
    assert answer.errors[0] == n  # theta = 0: everything is on the boundary
    assert sum(answer.alpha) == answer.n_updates
    if algorithm == "kernel":
        assert answer.trace is None
        dual = answer.dual
        assert (np.array(dual.updates.y) * dual.updates.score_before <= 0).all()
        orders = dual.orders or [list(range(n))] * dual.n_epochs
        seen = np.concatenate(orders)
        assert [int(seen[t - 1]) for t in dual.updates.t] == dual.updates.row
        return
    trace = novikoff.Trace.from_json(json.dumps(answer.trace))
    theta, offset = trace.hypotheses()
    planes = [novikoff.Hyperplane(*hypothesis) for hypothesis in zip(theta, offset, strict=True)]
    assert answer.errors == [round(n * plane.training_error(X, y)) for plane in planes]
    if answer.model is not None:
        plane = novikoff.Hyperplane(answer.model.theta, answer.model.offset)
        assert answer.model.errors == round(n * plane.training_error(X, y))
        if answer.model.k is not None:
            assert plane == planes[answer.model.k]
    if answer.bound.covered:
        proof = answer.proof
        chain = np.array([proof.least, proof.progress, proof.norm, proof.most])
        assert (np.diff(chain, axis=0) >= -1e-9 * chain[1:]).all()
        assert answer.n_updates <= answer.bound.value


def test_the_mean_is_that_of_all_hypotheses():
    points = overlapping(40)
    answer = ask(points, algorithm="averaged", epochs=7, order="shuffled")
    trace = novikoff.Trace.from_json(json.dumps(answer.trace))
    theta, offset = trace.hypotheses()
    lived = np.array(answer.survival)
    assert lived.sum() == 7 * 40
    mean = (theta[0] + lived @ theta) / (1 + lived.sum())  # the start, and after each example
    np.testing.assert_allclose(answer.model.theta, mean)
    # and at any time in between: theta_k - sums_k / (1 + t)
    k, t = 5, int(trace.t[5]) - 1
    current = np.searchsorted(trace.t, np.arange(1, t + 1), side="right")
    np.testing.assert_allclose(
        theta[k] - np.array(answer.averaged.sums[k]) / (1 + t),
        (theta[0] + theta[current].sum(axis=0)) / (1 + t),
    )
    np.testing.assert_allclose(
        offset[k] - answer.averaged.offset_sums[k] / (1 + t),
        (offset[0] + offset[current].sum()) / (1 + t),
    )
    cut = novikoff.AveragedPerceptron(max_iter=7, order="shuffled").fit(*arrays_of(points))
    np.testing.assert_array_equal(cut.coef_[0], answer.model.theta)


def test_votes_right_after_each_update():
    points = overlapping(30)
    answer = ask(points, algorithm="voted", epochs=3)
    X, y = arrays_of(points)
    voted = novikoff.VotedPerceptron(max_iter=3, order="cyclic").fit(X, y)
    assert answer.survival == voted.survival_times_[0].tolist()
    trace = novikoff.Trace.from_json(json.dumps(answer.trace))
    for k in (1, 2, 7, len(trace)):
        early = novikoff.VotedPerceptron()
        seen = np.tile(np.arange(30), 3)[: trace.t[k - 1]]
        early.partial_fit(X[seen], y[seen], classes=[-1, 1])
        wrong = int((y * early.decision_function(X) <= 0).sum())
        assert answer.model_errors[k] == wrong


def test_the_pocket_never_gets_worse():
    answer = ask(overlapping(50), algorithm="pocket", epochs=5)
    assert (np.diff(answer.model_errors) <= 0).all()
    assert answer.model_errors[-1] == answer.model.errors


def test_a_bound_beyond_all_numbers_is_said():
    tiny = 2.0**-970
    points = [Point(x=tiny, y=0.0, label=-1), Point(x=0.0, y=tiny, label=1)]
    answer = ask(points)
    assert answer.verdict.kind == "separable"
    assert answer.bound.value is None
    assert "too large" in answer.bound.reason


def test_the_margin_rule_has_its_own_bound():
    answer = ask(preset("default").points, algorithm="margin", margin=2.0)
    plain = ask(preset("default").points)
    assert answer.bound.value > plain.bound.value
    assert answer.n_updates <= answer.bound.most
    assert answer.trace["margin"] == 2.0


def test_a_start_of_ones_own_is_not_covered_by_the_theorem():
    answer = ask(preset("default").points, start=(1.0, 1.0, 1.0))
    assert answer.trace["start"] == {"theta": [1.0, 1.0], "offset": 1.0}
    assert not answer.bound.covered
    assert "zero" in answer.bound.reason
    assert answer.status == "separated"


def test_the_kernel_solves_exclusive_or():
    answer = ask(
        preset("xor").points,
        algorithm="kernel",
        kernel={"name": "poly", "degree": 2, "gamma": 1.0, "coef0": 1.0},
        start=(1.0, 0.0, 0.0),
    )
    assert answer.status == "separated"
    assert answer.errors[-1] == 0
    assert answer.verdict.kind == "overlapping"
    assert len(answer.notes) == 2


# ------------------------------------------------------------------------------ certificates


def test_the_street_touches_its_support_and_nothing_is_nearer():
    points = preset("default").points
    X, y = arrays_of(points)
    street = ask(points).verdict.street
    margins = novikoff.Hyperplane(street.theta, street.offset).margins(X, y)
    np.testing.assert_allclose(margins.min(), street.margin)
    np.testing.assert_allclose(margins[street.support], street.margin, rtol=1e-6)


def test_the_obstruction_point_is_in_both_hulls():
    points = overlapping(25, seed=2)
    X, y = arrays_of(points)
    found = ask(points).verdict.obstruction
    weights = {row: Fraction(w) for row, w in zip(found.rows, found.weights, strict=True)}
    for side, rows in ((1, found.positive), (-1, found.negative)):
        assert (y[rows] == side).all()
        total = sum(weights[row] for row in rows)
        point = [float(sum(weights[row] * Fraction(X[row, j]) for row in rows) / total)
                 for j in (0, 1)]  # fmt: skip
        np.testing.assert_allclose(point, found.point, atol=1e-5)  # weights: six digits


def test_a_weak_separator_has_nothing_on_its_wrong_side():
    points = preset("touching").points
    X, y = arrays_of(points)
    weak = ask(points).verdict.weak
    scores = y * novikoff.Hyperplane(weak.theta, weak.offset).scores(X)
    assert (scores >= 0).all()
    assert (scores > 0).any()


# ------------------------------------------------------------------------------- limits, nothing


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("labels", [[], [1], [-1, -1]])
def test_too_few_classes_are_no_error(labels, algorithm):
    points = [Point(x=1.0, y=2.0, label=label) for label in labels]
    answer = ask(points, algorithm=algorithm, order="shuffled")
    assert answer.status == "idle"
    assert answer.verdict.kind == ("one class" if points else "empty")
    assert (answer.n_updates, answer.n_epochs) == (0, 0)
    assert answer.errors == [len(points)]
    if algorithm == "kernel":
        assert answer.dual.updates.row == []
    else:
        assert answer.trace["updates"]["row"] == []
        assert answer.trace["examples"]["side"] == labels
        assert len(novikoff.Trace.from_json(json.dumps(answer.trace))) == 0


def test_contradictory_settings_are_refused_in_words():
    points = preset("default").points
    with pytest.raises(ValueError, match="never learns"):
        ask(points, ties="correct")
    with pytest.raises(ValueError, match="sign"):
        ask(points, algorithm="margin", ties="sign")


def test_points_are_learned_from_in_their_order():
    points = preset("default").points
    run = learn(list(reversed(points)), Settings())
    model = novikoff.Perceptron(order="cyclic").fit(*arrays_of(list(reversed(points))))
    assert run.estimator.coef_.tobytes() == model.coef_.tobytes()


# ----------------------------------------------------------------------------- in two answers


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_what_is_known_can_be_asked_for_afterwards(algorithm):
    """The page draws a run before its verdict is there; together they are the whole answer."""
    question = {"points": preset("outlier").points, "settings": Settings(algorithm=algorithm)}
    whole = run_answer(RunQuestion(**question)).model_dump()
    run = run_answer(RunQuestion(**question, known=False)).model_dump()
    known = known_answer(KnownQuestion(**question)).model_dump()
    assert run["verdict"] is run["bound"] is run["sentence"] is None
    assert run | known == whole
