"""The starter kit: what it says is what is checked, and each platform's part runs."""

import doctest
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from novikoff.teaching import check
from novikoff.teaching.kit import solution, write_kit
from novikoff.teaching.task import KINDS, task_of
from novikoff.teaching.texts import texts
from tests.cli.helpers import inside
from tests.teaching.submissions import function

pytest_plugins = ["pytester"]
PAGE = (Path(__file__).parents[2] / "docs" / "homework.md").read_text(encoding="utf-8")
TASKS = [
    {"kind": kind, "ties": ties, "order": order, "fit_intercept": offset}
    for kind in KINDS
    for ties in ("mistake", "sign")
    for order in ("cyclic", "shuffled")
    for offset in (True, False)
    if not (kind == "margin" and ties == "sign") and not (kind == "kernel" and not offset)
    and not (kind == "pa" and ties == "sign")
]  # fmt: skip


@pytest.mark.parametrize("asked", TASKS, ids=lambda asked: "-".join(map(str, asked.values())))
def test_the_solution_is_right(asked):
    learn = function(solution(task_of(**asked), "learn"))
    verdict = check(learn, **asked)
    assert verdict.right, verdict.text()


# Where a mistake of the catalogue needs another task than the plain perceptron.
ASKED = {
    "not-strict": {"ties": "correct", "start": ((1, -2), 1)},
    "sign-zero": {"ties": "sign"}, "sign-minus": {"ties": "sign"},
    "margin-ignored": {"kind": "margin", "margin": 2},
    "without-y": {"fit_intercept": False}, "subtracts": {"fit_intercept": False},
    "not-shuffled": {"order": "shuffled"},
    "start-ignored": {"start": ((1, -2), 1)},
    "stops-counting": {"kind": "averaged"}, "mean-of-updates": {"kind": "averaged"},
    "missing-factor": {"kind": "averaged"}, "mean-without-start": {"kind": "averaged"},
    "mean-wrong-count": {"kind": "averaged"}, "alias": {"kind": "pocket"},
    "survival-from-one": {"kind": "voted"}, "survival-from-zero": {"kind": "voted"},
    "scores-voted": {"kind": "voted"}, "last-not-best": {"kind": "pocket"},
    "pocket-impatient": {"kind": "pocket"}, "integer-division": {"kind": "pa"},
    "norm-without-offset": {"kind": "pa"}, "uncapped": {"kind": "pa"},
    "linear-kernel": {"kind": "kernel"},
}  # fmt: skip


@pytest.mark.parametrize("name", texts()["mistakes"])
def test_the_example_of_a_mistake_is_that_mistake(name):
    """What the catalogue shows is a line of the solution, and is named."""
    entry, asked = texts()["mistakes"][name], ASKED.get(name, {})
    source = solution(task_of(**asked), "learn")
    assert entry["right"] in source, source
    verdict = check(function(source.replace(entry["right"], entry["wrong"])), **asked)
    assert verdict.mistakes == (name,), verdict.text()
    (row,) = [line for line in PAGE.splitlines() if line.startswith(f"| `{name}` |")]
    assert entry["what"] in row
    shown = [
        line.strip() for part in ("right", "wrong") for line in entry[part].strip().split("\n")
    ]
    assert all(f"`{line}`" in row for line in shown)
    assert verdict.explanation[0].partition(": ")[2].removeprefix("first seen ").rstrip(".") in row


@pytest.fixture(scope="module")
def kit(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kits") / "kit"
    inside("teaching", "new", folder, "--ties", "sign")
    return folder


def test_the_kit_says_what_was_chosen(kit):
    text = (kit / "assignment.md").read_text(encoding="utf-8")
    assert "Write `perceptron(X, y, T)` in `perceptron.py`." in text
    assert "The prediction is +1 if s ≥ 0, else −1." in text
    assert "$" not in "".join(
        path.read_text(encoding="utf-8") for path in kit.rglob("*") if path.is_file()
    )


def test_visible_and_hidden_tests(kit, pytester):
    """The template fails them with a sentence, the solution passes."""
    tests = kit / "test_perceptron.py", kit / "teacher" / "test_hidden.py"
    for source, code in (
        (kit / "teacher" / "solution" / "perceptron.py", 0),
        (kit / "perceptron.py", 1),
    ):
        for path in (source, *tests):
            shutil.copy(path, pytester.path)
        done = pytester.runpytest_subprocess("-q", "-p", "no:cacheprovider")
        assert done.ret == code
    done.stdout.fnmatch_lines(["*this submission returned None*"])


@pytest.mark.skipif(os.name == "nt", reason="Gradescope's machines are Linux")
def test_the_autograder_for_gradescope(kit, tmp_path):
    """The script itself, with another root."""
    for folder in ("submission", "results"):
        (tmp_path / folder).mkdir()
    source = (kit / "teacher" / "solution" / "perceptron.py").read_text(encoding="utf-8")
    wrong = source.replace("theta_0 + y[i]", "theta_0 + 1")
    (tmp_path / "submission" / "perceptron.py").write_text(wrong, encoding="utf-8")
    path = kit / "teacher" / "gradescope" / "run_autograder"
    assert os.access(path, os.X_OK)
    script = path.read_text(encoding="utf-8").replace("/autograder", str(tmp_path))
    command = f'novikoff() {{ {sys.executable} -m novikoff "$@"; }}\n{script}'
    subprocess.run(["bash", "-c", command], check=True)
    results = json.loads((tmp_path / "results" / "results.json").read_text(encoding="utf-8"))
    assert "the offset were updated without y" in results["output"]
    assert 0 <= sum(test["score"] for test in results["tests"]) < 10
    assert sum(test["max_score"] for test in results["tests"]) == pytest.approx(10)


def test_the_test_file_for_otter(kit):
    """In otter's OK format a case is a doctest, with the student's names around it."""
    names = {}
    exec((kit / "teacher" / "otter" / "perceptron.py").read_text(encoding="utf-8"), names)
    (case,) = names["test"]["suites"][0]["cases"]
    right = function(
        (kit / "teacher" / "solution" / "perceptron.py").read_text("utf-8"), "perceptron"
    )
    for learn, failed in ((right, 0), (lambda X, y, T: None, 1)):
        test = doctest.DocTestParser().get_doctest(
            case["code"], {"perceptron": learn}, "q", None, 0
        )
        runner = doctest.DocTestRunner(verbose=False)
        runner.run(test, out=lambda text: None)
        assert runner.failures == failed


def test_the_notebook_for_nbgrader(kit):
    """Its cells, run one after the other as nbgrader does; without the solution they fail."""
    path = kit / "teacher" / "nbgrader" / "perceptron.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    marks = [cell["metadata"]["nbgrader"] for cell in notebook["cells"]]
    assert [m["solution"] for m in marks] == [False, True, False]
    assert [m["grade"] for m in marks] == [False, False, True]
    cells = ["".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == "code"]
    names = {}
    for cell in cells:
        exec(cell, names)
    begin, end = cells[0].index("    ### BEGIN SOLUTION"), cells[0].index("    ### END SOLUTION")
    exec(cells[0][:begin] + "    raise NotImplementedError\n" + cells[0][end:], names)
    with pytest.raises(AssertionError, match="NotImplementedError"):
        exec(cells[1], names)


def test_other_kits(tmp_path):
    for number, options in enumerate(
        (["--kind", "voted", "--function", "Voted"], ["--kind", "margin", "--margin", "2"],
         ["--through-origin", "--start", "1,-2", "--ties", "correct"], ["--kind", "kernel"])
    ):  # fmt: skip
        folder = tmp_path / str(number)
        inside("teaching", "new", folder, *options)
        readme = (folder / "teacher" / "README.md").read_text(encoding="utf-8")
        (command,) = [
            line.split() for line in readme.splitlines() if line.startswith("    novikoff")
        ]
        command[2] = str(folder / command[2])
        inside(*command[1:])


def test_what_is_refused(tmp_path):
    (tmp_path / "file").touch()
    assert "not an empty folder" in inside("teaching", "new", tmp_path, code=2).stderr
    assert (
        "no name" in inside("teaching", "new", tmp_path / "a", "--function", "a b", code=2).stderr
    )
    assert (
        "kind must be" in inside("teaching", "new", tmp_path / "a", "--kind", "svm", code=2).stderr
    )
    for start in ("1,0", "1,0,2,3"):
        refused = inside("teaching", "new", tmp_path / "a", "--start", start, code=2)
        assert f"--start {start}: the points of a kit have two features" in refused.stderr
    assert not (tmp_path / "a").exists()
    with pytest.raises(ValueError, match="no texts"):
        write_kit(Path(tmp_path / "a"), task_of(), "perceptron", "xx")
