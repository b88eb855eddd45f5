"""`novikoff grade`: one file or a class, the table at the end, and the exit code."""

import json

import pytest

from novikoff.teaching.points import own_points
from novikoff.teaching.task import task_of
from tests.cli.helpers import document, inside, novikoff
from tests.teaching.submissions import AVERAGED, COMMON, right, wrong

RIGHT = ("import numpy as np\n" + right("perceptron")).replace("learn", "perceptron")
WRONG = wrong(RIGHT, COMMON["offset-without-y"])


def submitted(folder, **sources):
    for name, source in sources.items():
        (folder / f"{name}.py").write_text(source, encoding="utf-8")
    return folder


def test_a_class_with_a_table_at_the_end(tmp_path):
    folder = submitted(tmp_path, anna=RIGHT, bert=WRONG, carl="def perceptron(X, y, T): 1 / 0")
    done = novikoff("grade", folder, "--function", "perceptron", "--ties", "mistake", code=1)
    lines = done.stdout.splitlines()
    assert [line.split() for line in lines[-4:-1]] == [
        ["submission", "result", "mistake"], ["anna.py", "right"],
        ["bert.py", "wrong", "offset-without-y"],
    ]  # fmt: skip
    assert lines[-1].startswith("carl.py     wrong   raised ZeroDivisionError in line 1")
    assert "this submission raised ZeroDivisionError" in done.stdout


def test_one_right_file_ends_with_0(tmp_path):
    done = inside("grade", submitted(tmp_path, anna=RIGHT) / "anna.py")
    assert done.stdout.startswith("anna.py: Right, on ")


def test_points_from_a_file(tmp_path):
    submitted(tmp_path, anna=WRONG)
    points = tmp_path / "points.csv"
    points.write_text("x1,x2,y\n2,1,1\n1,2,-1\n", encoding="utf-8")
    text = inside("grade", tmp_path / "anna.py", "--points", points, code=1).stdout
    assert "at update 2 of points points, at example 2, (1, 2): yours θ₀ = 2, expected 0" in text


def test_points_are_read_as_trace_reads_them(tmp_path):
    points, task = tmp_path / "points.csv", task_of()
    for text, rows in (
        ("x1;x2;y\n2,5;1;1\n1;2;-1\n", ((2.5, 1), (1, 2))),
        ("x1,x2,y\n2,1,+\n1,2,-\n", ((2, 1), (1, 2))),
    ):
        points.write_text(text, encoding="utf-8")
        (found,) = own_points([points], task, epochs=True, predicts=False)
        assert (found.X, found.y) == (rows, (1, -1))


@pytest.mark.parametrize("asked", [["--C", 2], ["--kind", "pa", "--ties", "sign"]])
def test_options_that_mean_nothing_are_refused(asked, tmp_path):
    path = submitted(tmp_path, anna=RIGHT) / "anna.py"
    assert "means nothing to --kind" in inside("grade", path, *asked, code=2).stderr


def test_formats(tmp_path):
    path = submitted(tmp_path, anna=WRONG) / "anna.py"
    found = document("grade", path, code=1)
    assert found["format"] == "novikoff.grades"
    assert found["submissions"][0]["mistakes"][0]["name"] == "offset-without-y"
    assert inside("grade", path, "--format", "markdown", code=1).stdout.startswith("## anna.py")
    results = json.loads(
        inside("grade", path, "--format", "gradescope", "--worth", 10, code=1).stdout
    )
    assert {"output", "output_format", "tests"} <= set(results)
    inside("grade", path, "--html", tmp_path / "pages", code=1)
    assert "Your run" in (tmp_path / "pages" / "anna.py.html").read_text(encoding="utf-8")


def test_other_tasks(tmp_path):
    source = ("import numpy as np\n" + AVERAGED).replace("learn", "train")
    path = submitted(tmp_path, anna=source) / "anna.py"
    inside("grade", path, "--function", "train", "--kind", "averaged")
    origin = RIGHT.replace("theta_0 = theta_0 + y[i]", "pass").replace(
        "return theta, theta_0", "return theta"
    )
    start = origin.replace("np.zeros(X.shape[1]), 0.0", "np.array([1.0, -2.0]), 0.0")
    path = submitted(tmp_path, bert=start) / "bert.py"
    inside("grade", path, "--through-origin", "--start", "1,-2")


def test_what_is_refused(tmp_path):
    path = submitted(tmp_path, anna=RIGHT) / "anna.py"
    assert "--start" in inside("grade", path, "--ties", "correct", code=2).stderr
    assert "--start one" in inside("grade", path, "--start", "one", code=2).stderr
    inside("grade", tmp_path / "none.py", code=2)
    assert "one submission" in inside("grade", tmp_path, "--format", "gradescope", code=2).stderr
    alone = "def perceptron(X, y): return [0, 0], 0"
    path = submitted(tmp_path, dora=alone) / "dora.py"
    assert "--epochs" in inside("grade", path, "--kind", "averaged", code=2).stderr
