"""Submissions that are hostile or broken end as a sentence, and the rest of the class is graded."""

import json
import os
import subprocess
import sys
import time

import numpy as np
import pytest

from novikoff.teaching.comparing import question_of
from novikoff.teaching.grading import Submission, checked, grade, submissions
from novikoff.teaching.points import Points
from novikoff.teaching.task import task_of
from tests.teaching.submissions import COMMON, right, wrong

RIGHT = "import numpy as np\n" + right("perceptron")
TASK = task_of()
HEAD = "import os, sys, numpy as np\ndef learn(X, y, T):\n    "


def verdict(folder, source, **limits):
    path = folder / "anna.py"
    path.write_text(source, encoding="utf-8")
    (found,) = grade(path, "learn", TASK, **limits)
    return found


def said(folder, body, **limits):
    """What is said of a function with this body; it must not be right."""
    found = verdict(folder, HEAD + body.replace("\n", "\n    ") + "\n", **limits)
    assert not found.right
    return found.text()


def test_a_right_one_passes_and_a_wrong_one_is_named(tmp_path):
    assert verdict(tmp_path, RIGHT).right
    source = wrong(RIGHT, COMMON["offset-without-y"])
    found = verdict(tmp_path, source)
    assert found.mistakes == ("offset-without-y",)
    assert "the offset were updated without y" in found.text()


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("while True: pass", "this submission ran longer than 2 seconds"),
        ("sys.exit(0)", "this submission called sys.exit"),
        ("os._exit(0)", "this submission ended its process"),
        ("1 / 0", "this submission raised ZeroDivisionError in line 3"),
        ("return learn(X, y, T)", "this submission calls itself without end"),
        ("return [0] * 10**10", "this submission ran out of memory"),
        ("return np.zeros(10**9), 0", "this submission"),
        ("return 'x' * 10**8, 0", "this submission returned str"),
        ("return np.zeros(10**6), 0", "this submission returned 1000000 numbers"),
        ("return np.full(2, np.nan), 0", "this submission returned nan"),
        ("return open('/etc/passwd').read()", "not allowed here: open '/etc/passwd'"),
        ("open('results.json', 'w')", "not allowed here: open"),
        ("os.listdir('/')", "not allowed here: os.listdir"),
        ("os.remove(__file__)", "not allowed here: os.remove"),
        ("os.kill(os.getppid(), 9)", "not allowed here: os.kill"),
        ("os.fork()", "not allowed here: os.fork"),
        ("import subprocess; subprocess.run(['true'])", "not allowed here: subprocess.Popen"),
        ("os.system('true')", "not allowed here: os.system"),
        ("import socket; socket.socket()", "not allowed here: socket"),
        ("import novikoff", "not allowed here: import 'novikoff'"),
        ("import gc; gc.get_objects()", "not allowed here: gc.get_objects"),
    ],
)  # fmt: skip
def test_what_a_submission_does_is_said_of_it(tmp_path, body, words):
    seconds = 2.0 if "longer" in words else 20.0
    assert words in said(tmp_path, body, seconds=seconds, memory=2**29)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def learn(X, y, T)\n    pass", "This submission raised SyntaxError"),
        ("x = 1 / 0", "This submission raised ZeroDivisionError in line 1"),
        ("def f(X): pass", "This submission has no function or class learn (it has f)"),
        ("import sys; sys.exit()", "This submission called sys.exit"),
        ("while True: pass", "This submission ran longer than 2 seconds"),
        ("", "This submission has no function or class learn"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_loaded_is_said_so(tmp_path, source, words):
    seconds = 2.0 if "longer" in words else 20.0
    assert words in verdict(tmp_path, source, seconds=seconds).text()


def test_prints_lead_nowhere(tmp_path, capfd):
    source = RIGHT.replace(
        "    for t", "    print('hello' * 1000); os.write(1, b'x' * 99)\n    for t"
    )
    assert verdict(tmp_path, "import os\n" + source).right
    assert capfd.readouterr().out == ""


def test_numpy_may_be_broken_without_harm_to_the_grader(tmp_path):
    breaking = "np.array = np.zeros = np.allclose = lambda *a, **k: 1 / 0\n"
    found = verdict(tmp_path, RIGHT.replace("def learn", breaking + "def learn"))
    assert not found.right
    np.testing.assert_array_equal(np.zeros(2), np.array([0, 0]))


def test_what_is_written_into_the_pipe_is_no_verdict(tmp_path):
    """A submission may find the pipe; what it writes there is checked like any answer."""
    for text in (
        b'{"right": true}',
        b"[1]",
        b"nonsense",
        b'{"theta": ["a"], "offset": 0}',
        b"x" * 2**21,
    ):
        body = f"""for fd in range(3, 12):
    try: os.write(fd, {text[:20]!r} * {max(1, len(text) // 20)} + b'\\n')
    except OSError: pass
return np.zeros(2), 0"""
        assert "this submission sent back" in said(tmp_path, body)


def test_a_flood_of_answers_is_no_burden(tmp_path):
    """Valid lines without end: nobody reads more than was asked for."""
    body = """while True:
    for fd in range(3, 12):
        try: os.write(fd, b'{"theta": [0, 0], "offset": 0}\\n' * 1000)
        except OSError: pass"""
    assert not verdict(tmp_path, HEAD + body.replace("\n", "\n    "), seconds=5.0).right


@pytest.mark.thorough
def test_memory_that_is_taken_in_small_pieces_is_limited(tmp_path):
    text = said(tmp_path, "kept = []\nwhile True: kept.append(bytearray(2**20))", memory=2**28)
    assert "ran out of memory" in text


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_processes_that_get_around_the_hook_are_killed(tmp_path):
    """Bounded: two children that would sleep, started without an audit event."""
    body = """import _posixsubprocess
for _ in range(2):
    read, write = os.pipe()
    _posixsubprocess.fork_exec([b'/bin/sleep', b'77'], (b'/bin/sleep',), True, (write,), None, None,
        -1, -1, -1, -1, -1, -1, read, write, True, False, 0, None, None, None, -1, None)
while True: pass"""
    text = said(tmp_path, body, seconds=2.0)
    assert "this submission" in text
    time.sleep(0.1)
    processes = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    assert "sleep 77" not in processes.stdout


def test_the_process_knows_nothing_of_the_library(tmp_path):
    """Neither the right answers nor the code that finds them is in the submission's process."""
    path = tmp_path / "anna.py"
    path.write_text(HEAD + "return sorted(m for m in sys.modules if 'novikoff' in m)", "utf-8")
    with Submission(path, "learn", TASK) as subject:
        answer = subject.ask(question_of(TASK, Points("A", ((1, 2),), (1,), 1)))
    assert answer["error"] == "returned list [], not the two values theta, theta_0"


def test_the_rest_of_a_class_is_graded(tmp_path):
    sources = {
        "a.py": RIGHT, "b.py": HEAD + "os._exit(3)", "c.py": HEAD + "while True: pass",
        "d.py": wrong(RIGHT, COMMON["strict"]), "e.py": RIGHT,
    }  # fmt: skip
    for name, source in sources.items():
        (tmp_path / name).write_text(source, encoding="utf-8")
    found = list(grade(tmp_path, "learn", TASK, seconds=3.0))
    assert [v.name for v in found] == list(sources)
    assert [v.right for v in found] == [True, False, False, False, True]
    assert found[3].mistakes == ("strict",)


def test_which_files_are_submissions(tmp_path):
    for name in (
        "anna.py",
        "notes.txt",
        "bert/solution.py",
        "bert/helper.py",
        "carl/hw.py",
        ".git/x.py",
    ):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    assert [name for name, _ in submissions(tmp_path)] == ["anna.py", "bert", "carl"]
    (tmp_path / "nothing").mkdir()
    with pytest.raises(ValueError, match="no submissions"):
        submissions(tmp_path / "nothing")


def test_files_of_a_folder_may_import_each_other(tmp_path):
    (tmp_path / "anna").mkdir()
    (tmp_path / "anna" / "solution.py").write_text("from helper import learn\n", encoding="utf-8")
    (tmp_path / "anna" / "helper.py").write_text(RIGHT, encoding="utf-8")
    assert [v.right for v in grade(tmp_path, "learn", TASK)] == [True]


def test_a_notebook_is_a_submission(tmp_path):
    cells = [
        {"cell_type": "code", "source": ["%matplotlib inline\n", RIGHT]},
        {"cell_type": "markdown"},
    ]
    assert notebook(tmp_path, cells).right


def notebook(folder, cells):
    path = folder / "anna.ipynb"
    path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    (found,) = grade(path, "learn", TASK)
    return found


@pytest.mark.parametrize(
    "cell",
    [
        "display(learn)", "learn?", "?learn", "%%bash\nls", "%%latex\nx^2", "names = !ls",
        "if True:\n    %matplotlib inline", "get_ipython().ast", "1 / 0", "assert False",
        "# is it\nif learn:\n    x = 1\n# really?\nelse:\n    x = 2", "x = (7\n     % 4)",
    ],
)  # fmt: skip
def test_other_cells_of_a_notebook_do_no_harm(tmp_path, cell):
    sources = [RIGHT, cell, "%%time\nrate = 1"]
    assert notebook(tmp_path, [{"cell_type": "code", "source": s} for s in sources]).right


def test_a_notebook_without_the_function_says_what_failed(tmp_path):
    cells = [{"cell_type": "code", "source": s} for s in ("x = 1", "1 / 0\n" + RIGHT, "y = 1")]
    assert (
        "raised ZeroDivisionError in line 2: division by zero." in notebook(tmp_path, cells).text()
    )


@pytest.mark.parametrize(
    "first",
    [
        "from sklearn.metrics import accuracy_score\n", "import os\nos.environ['A'] = '1'\n",
        "from dataclasses import dataclass\n@dataclass\nclass Setting:\n    rate: float = 1.0\n",
    ],
)  # fmt: skip
def test_what_students_have_above_their_function_is_allowed(tmp_path, first):
    assert verdict(tmp_path, first + RIGHT).right


def test_a_submission_may_draw(tmp_path):
    pytest.importorskip("matplotlib")
    first = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\n"
    assert verdict(tmp_path, first + RIGHT).right


@pytest.mark.parametrize("encoding", ["utf-8-sig", "latin-1"])
def test_a_file_is_read_in_the_encoding_it_names(tmp_path, encoding):
    source = f"# coding: {encoding.removesuffix('-sig')}\n# größer\n" + RIGHT
    (tmp_path / "anna.py").write_bytes(source.encode(encoding))
    assert [v.right for v in grade(tmp_path, "learn", TASK)] == [True]


def test_the_line_is_the_submission_s(tmp_path):
    text = verdict(tmp_path, "import numpy as np\nnp.loadtxt('points.csv')\n").text()
    assert "raised FileNotFoundError in line 2: points.csv not found.\n" in text


def test_a_start_that_fits_no_points_is_refused(tmp_path):
    """Or every submission would be right on 0 of 0 sets."""
    (tmp_path / "anna.py").write_text(RIGHT)
    with pytest.raises(ValueError, match="theta of length 4"):
        list(grade(tmp_path / "anna.py", "learn", task_of(start=[[1, 0, 0, 0], 0])))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="namespaces are Linux's")
def test_there_is_no_network_where_namespaces_are_allowed(tmp_path):
    allowed = (
        subprocess.run(["unshare", "-rn", "true"], capture_output=True, check=False).returncode == 0
    )
    path = tmp_path / "anna.py"
    path.write_text(RIGHT, encoding="utf-8")
    with Submission(path, "learn", TASK) as subject:
        assert subject.has_network is not allowed


@pytest.mark.parametrize(
    "answer",
    [
        {}, {"theta": 1}, {"theta": [1], "offset": "0"}, {"theta": [float("inf")], "offset": 0},
        {"votes": [[[1], 2, None]]}, {"theta": [10**400], "offset": 0},
        {"updates": [1]}, {"alpha": [True]}, {"predictions": [[1]]},
    ],
)  # fmt: skip
def test_nonsense_is_no_answer(answer):
    assert checked(answer) == {"error": "sent back what is no answer"}
