"""The command as a whole: help, version, exit codes, streams, completion."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.helpers import COMMAND, document, inside, novikoff
from tests.systems import linux, posix

COMMANDS = ("fit", "predict", "evaluate", "separable", "verify", "trace", "compare", "datasets")
READING = ("--target", "--drop", "--keep", "--categorical", "--no-header", "--na", "--zero-based")


def test_help_lists_every_command_and_loads_nothing_heavy():
    listed = novikoff("--help").stdout
    assert all(f"{name} " in listed for name in COMMANDS)
    heavy = {"numpy", "sklearn", "scipy", "numba", "polars", "pandas"}
    code = "import sys, novikoff.cli.app; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not heavy & set(done.stdout.split())


def test_every_command_that_reads_a_table_takes_its_options():
    for command in COMMANDS[:-1]:
        described = inside(command, "--help").stdout
        for option in (*READING, "--json"):
            assert option in described, command


def test_version():
    assert novikoff("--version").stdout.startswith("novikoff 0.")


def test_data_sets_that_ship():
    listed = document("datasets", run=novikoff)
    assert listed["format"] == "novikoff.datasets"
    for entry in listed["datasets"]:
        with open(entry["path"]) as file:
            rows = file.read().split()
        assert len(rows) == entry["rows"]
        assert {row.count(",") for row in rows} == {entry["features"]}
        assert {row.rpartition(",")[2] for row in rows} == set(entry["classes"])
        assert entry["licence"]
    assert "iris" in inside("datasets").stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["fit", "nowhere.csv"], "no such file"),
        (["fit", "irsi"], "Did you mean iris?"),
        (["frobnicate"], "No such command"),
        (["fit", "--epochs", "0"], "--epochs"),
        (["fit", "iris", "--model", "max-margin", "--ties", "sign"], "--ties means nothing"),
        (["fit", "iris", "--model", "max-margin", "--ties", "correct"], "--ties means nothing"),
        (["fit", "iris", "--model", "kernel", "--multi-class", "ovo"], "use ovr or joint"),
        (["fit", "iris", "--model", "margin", "--margin", "0"], "use --model last"),
        (["fit", "iris", "--ties", "correct"], "Use --margin with a number above 0"),
        (["trace", "iris", "--eta0", "0"], "--eta0"),
        (["trace", "iris", "--margin", "nan"], "--margin"),
        (["fit", "iris", "--drop", '"c1,c2'], "stands in double quotes"),
        (["fit", "iris", "--epochs", "3000000000"], "--epochs"),
        (["fit", "iris", "--seed", "4294967296"], "--seed"),
        (["trace", "iris", "--positive", "setosa"], "--positive setosa: there is no such class"),
        (["trace", "iris", "--target", "9"], "--target 9: there is no such position"),
        (["trace", "iris", "--drop", "c5"], "--target names another"),
        (["trace", "iris", "--drop", "c1,c2,c3,c4"], "no column is left"),
        (["fit", "iris", "--zero-based"], "--zero-based can only be said of LIBSVM text"),
        (["predict", "nowhere.model", "iris"], "nowhere.model"),
        (["verify", "nowhere.json", "iris"], "nowhere.json: No such file"),
    ],
)
def test_wrong_usage_is_told_in_a_line_with_exit_code_2(arguments, said):
    done = inside(*arguments, code=2)
    assert said in " ".join(done.stderr.replace("│", " ").split())
    assert done.stdout == ""


def test_errors_speak_of_options_not_of_parameters(four):
    start = ("trace", four, "--ties", "correct", "--start", "0,0")
    said = inside(*start, code=2).stderr
    assert "--ties correct with --margin 0.0" in said
    assert "a nonzero --start" in said
    said = inside("trace", four, "--ties", "sign", "--margin", "1", code=2).stderr
    assert "use --margin 0.0, or --ties mistake or --ties correct with a margin." in said


def test_a_traceback_is_there_for_who_asks():
    done = subprocess.run(
        [*COMMAND, "fit", "nowhere"], capture_output=True, text=True, check=False,
        env={**os.environ, "NOVIKOFF_DEBUG": "1"},
    )  # fmt: skip
    assert done.returncode == 2
    assert "Traceback" in done.stderr


# ------------------------------------------------------------------------- streams


@posix
def test_a_closed_pipe_is_no_error(model, flowers):
    with subprocess.Popen(
        [*COMMAND, "predict", str(model), "-"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        process.stdout.close()
        head, *rows = flowers.read_text().splitlines(keepends=True)
        process.stdin.write((head + "".join(rows) * 200).encode())
        process.stdin.close()
        said = process.stderr.read().decode()
        code = process.wait()
    assert "Traceback" not in said
    assert "Exception ignored" not in said
    assert code == 141


@linux
@pytest.mark.parametrize(
    ("redirected", "code", "said"),
    [
        ("--help | true", 141, ""),
        ("datasets | true", 141, ""),
        ("fit nowhere 2> >(true)", 141, ""),
        ("datasets >&-", 0, ""),
        ("fit nowhere 2>&-", 2, ""),
        ("datasets <&- >/dev/null", 0, ""),
        ("datasets >/dev/full", 2, "error: No space left on device.\n"),
        (
            "separable iris --certificate /dev/full 2>&1 >/dev/null | tail -n 1 >&2",
            2,
            "error: /dev/full: No space left on device.\n",
        ),
        ("fit nowhere 2>/dev/full", 2, ""),
        ("--help 2>/dev/full", 0, ""),
        ("--help >/dev/full", 2, "error: the output cannot be written: No space left on device.\n"),
    ],
)
def test_streams_that_are_closed_or_full(redirected, code, said):
    """As other programs do: quietly, and with the shell's own code for a broken pipe."""
    command = f"{' '.join(COMMAND)} {redirected}; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (code, said)


@linux
def test_messages_that_cannot_be_written_cost_no_result(four):
    command = f"{' '.join(COMMAND)} trace {four} 2>/dev/full"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == inside("trace", four).stdout


@linux
def test_an_interrupt_ends_it_without_a_traceback():
    process = subprocess.Popen(
        [*COMMAND, "fit", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    times, before = Path(f"/proc/{process.pid}/schedstat"), ""
    begin = time.monotonic()
    while time.monotonic() < begin + 60:  # until it does nothing: then it reads standard input
        time.sleep(0.5 if times.exists() else 5)
        now = times.read_text() if times.exists() else before
        if now == before:
            break
        before = now
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in said


EARLY = """
import os, signal, sys
class Impatient:
    def find_spec(self, name, path=None, target=None):
        if name == "typer":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Impatient())
from novikoff.cli import main
main(["datasets"])
"""


@posix
def test_an_interrupt_before_the_command_has_begun_is_as_quiet(monkeypatch):
    done = subprocess.run(
        [sys.executable, "-c", EARLY], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("typer.core.TyperGroup.make_context", interrupted)
    assert inside("datasets", code=130).stderr == "interrupted\n"


def test_a_terminal_that_cannot_print_theta_gets_theta(four):
    in_words = novikoff("trace", four, PYTHONIOENCODING="ascii", PYTHONUTF8="0").stdout
    assert "theta = (0, 0)" in in_words
    assert "theta1 = x1" in in_words
    assert in_words.isascii()
    assert "θ = (0, 0)" in inside("trace", four).stdout


@pytest.mark.parametrize(
    "shell", ["bash", *(pytest.param(s, marks=pytest.mark.thorough) for s in ("zsh", "fish"))]
)
def test_completion(shell):
    shown = novikoff("--show-completion", shell, _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")
    assert "_NOVIKOFF_COMPLETE" in shown.stdout
    completed = novikoff(
        _NOVIKOFF_COMPLETE=f"complete_{shell}", COMP_WORDS="novikoff sep", COMP_CWORD="1",
        _TYPER_COMPLETE_ARGS="novikoff sep", _TYPER_COMPLETE_FISH_ACTION="get-args",
    )  # fmt: skip
    assert "separable" in completed.stdout


def test_json_has_no_numbers_that_json_does_not_know():
    from novikoff.cli.console import finite

    values = {"a": [float("nan"), 1.5, float("-inf")], "b": (1, None, "x"), 3: True}
    assert json.loads(json.dumps(finite(values), allow_nan=False)) == {
        "a": [None, 1.5, None], "b": [1, None, "x"], "3": True,
    }  # fmt: skip


def test_text_of_a_file_cannot_command_a_terminal():
    from novikoff.analysis.wording import plain

    assert plain("a\x1b[31m\nb") == "a\\x1b[31m\\nb"
    assert plain("Größe θ") == "Größe θ"
