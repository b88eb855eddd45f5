"""Tables made by hand, challenges and files."""

import json

import numpy as np
import pytest

import novikoff
from novikoff.web.answers import run_answer
from novikoff.web.homework import challenge_answer, check_answer, export_answer
from novikoff.web.presets import PRESETS, preset
from novikoff.web.questions import (
    ChallengeQuestion,
    CheckQuestion,
    ExportQuestion,
    Point,
    RunQuestion,
    Settings,
)

POINTS = preset("default").points


def check(table, **settings):
    return check_answer(CheckQuestion(points=POINTS, settings=Settings(**settings), table=table))


def export(kind, points=POINTS, **settings):
    question = ExportQuestion(points=points, settings=Settings(**settings), kind=kind)
    return export_answer(question).text


def challenge(name, points, **settings):
    return challenge_answer(
        ChallengeQuestion(name=name, points=points, settings=Settings(**settings))
    )


def signed(*triples):
    return [Point(x=x, y=y, label=label) for x, y, label in triples]


# ---------------------------------------------------------------------------- check my table


def test_our_own_table_is_right():
    assert check(export("markdown")).right


def test_the_first_wrong_row_is_marked():
    trace = novikoff.Trace.from_json(export("trace"))
    theta, offset = trace.hypotheses()
    rows = [
        f"{k},{trace.row[k - 1]},{theta[k, 0]},{theta[k, 1]},{offset[k]}"
        for k in range(1, len(trace) + 1)
    ]
    head = "k,row,theta1,theta2,theta0"
    assert check("\n".join([head, *rows])).right
    k, row, first, *rest = rows[3].split(",")
    rows[3] = ",".join([k, row, str(float(first) + 1), *rest])
    answer = check("\n".join([head, *rows]))
    assert not answer.right
    assert answer.right_rows == 3
    assert (answer.wrong.step, answer.wrong.line, answer.wrong.what) == (4, 5, "wrong")
    (cell,) = answer.wrong.cells
    assert (cell.column, float(cell.expected)) == ("theta1", float(first))
    assert "update 4 is wrong" in answer.sentence


def test_missing_and_surplus_rows():
    assert check("k,theta1\n1,1\n").wrong.what == "missing"
    trace = novikoff.Trace.from_json(export("trace"))
    rows = [f"{k},{row + 1}" for k, row in enumerate([*trace.row, 0], start=1)]
    answer = check("\n".join(["k,row,mood", *rows]))
    assert answer.wrong.what == "surplus"
    assert any("mood" in note for note in answer.notes)


def test_what_is_no_table_is_refused():
    with pytest.raises(ValueError, match="known"):
        check("<script>,mood\n1,2\n")
    with pytest.raises(ValueError, match="empty"):
        check("")
    with pytest.raises(ValueError, match="kernel"):
        check("k\n1\n", algorithm="kernel")


# -------------------------------------------------------------------------------- challenges


def test_undershooting():
    answer = challenge("undershoot", POINTS)
    assert answer.solved
    assert "update 3" in answer.sentence
    assert "example 7 from -8 to -2" in answer.sentence  # as the page counts, from 1
    assert not challenge("undershoot", signed((1, 1, 1), (-1, -1, -1))).solved
    # y s = 0 right after an update is still a mistake, unless ties are correct.
    tie = signed((2, 0, 1), (0, 0, -1))
    assert "from -1 to 0" in challenge("undershoot", tie).sentence
    easy = {"algorithm": "margin", "margin": 0.0, "start": (2.0, 0.0, 1.0)}
    assert not challenge("undershoot", tie, ties="correct", **easy).solved


def test_separable_but_not_through_the_origin():
    solved = signed((1, 1, -1), (2, 2, 1))
    assert challenge("offset", solved).solved
    assert not challenge("offset", POINTS).solved
    assert not challenge("offset", preset("xor").points).solved
    assert challenge("offset", solved, ties="correct").solved  # no run is needed for it
    assert not challenge("offset", []).solved


# ------------------------------------------------------------------------------------ files


@pytest.mark.parametrize("algorithm", ["last", "averaged", "voted", "pocket", "margin", "kernel"])
@pytest.mark.parametrize("name", [p.name for p in PRESETS])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_program_reproduces_theta_to_the_bit(name, algorithm, capsys):
    points = preset(name).points
    points = [Point(x=p.x / 3, y=p.y / 7, label=p.label) for p in points]  # no round numbers
    settings = {
        "algorithm": algorithm, "order": "shuffled", "seed": 5, "eta": 0.3, "epochs": 40,
        "start": (0.1, 0.2, 0.3), "margin": 0.7, "offset": name != "offset",
    }  # fmt: skip
    space = {}
    exec(export("python", points, **settings), space)
    answer = run_answer(RunQuestion(points=points, settings=Settings(**settings)))
    fitted = space["clf"]
    assert capsys.readouterr().out.startswith(fitted.status_)
    assert fitted.n_updates_[0] == answer.n_updates
    if algorithm == "kernel":
        rows = np.bincount(answer.dual.updates.row, minlength=len(points))
        assert fitted.support_.tolist() == np.flatnonzero(rows).tolist()
        return
    if algorithm == "voted":
        assert fitted.survival_times_[0].tolist() == answer.survival
    else:
        assert fitted.coef_[0].tolist() == list(answer.model.theta)
        assert fitted.intercept_[0] == answer.model.offset
    replayed = novikoff.Trace.from_json(json.dumps(answer.trace)).final
    assert replayed[0].tobytes() == fitted.trace_.final[0].tobytes()


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_program_of_a_run_that_was_cut_is_that_of_what_is_shown():
    random = np.random.RandomState(0)
    points = [
        Point(x=x, y=y, label=1 if k % 2 else -1)
        for k, (x, y) in enumerate(random.randn(60, 2).tolist())
    ]
    space = {}
    exec(export("python", points, epochs=10_000), space)
    answer = run_answer(RunQuestion(points=points, settings=Settings(epochs=10_000)))
    assert answer.truncated
    assert len(space["clf"].trace_) == answer.n_updates


def test_the_trace_is_in_the_one_format():
    trace = novikoff.Trace.from_json(export("trace"))
    assert len(trace) == 10
    assert trace.audit().holds


def test_the_page_is_a_replay_that_stands_alone():
    question = ExportQuestion(points=POINTS, kind="html", title="</title><script>alert(1)")
    html = export_answer(question).text
    assert html.startswith("<!DOCTYPE html>")
    assert "</title><script>alert" not in html
    assert "http://" not in html.replace("http://www.w3.org", "")


def test_nothing_can_be_saved_of_no_run():
    with pytest.raises(ValueError, match="no run to save"):
        export("python", [])
    with pytest.raises(ValueError, match="Python only"):
        export("html", algorithm="kernel")
