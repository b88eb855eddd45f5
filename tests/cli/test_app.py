"""The command as a whole: help, version, exit codes, streams, terminals."""

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time

import pytest

from tests.cli.helpers import COMMAND, document, novikoff

COMMANDS = ("fit", "predict", "evaluate", "separable", "verify", "trace", "compare", "datasets")


def test_help_lists_every_command_and_loads_nothing_heavy():
    listed = novikoff("--help").stdout
    assert all(f"{name} " in listed for name in COMMANDS)
    heavy = {"numpy", "sklearn", "scipy", "numba", "polars", "pandas"}
    code = "import sys, novikoff.cli.app; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not heavy & set(done.stdout.split())


@pytest.mark.parametrize("command", ["fit", "predict", "evaluate", "separable", "verify", "trace",
                                     "compare"])  # fmt: skip
def test_every_command_that_reads_a_table_takes_its_options(command):
    described = novikoff(command, "--help").stdout
    for option in (
        "--target",
        "--drop",
        "--keep",
        "--categorical",
        "--no-header",
        "--na",
        "--json",
    ):
        assert option in described


def test_version():
    assert novikoff("--version").stdout.startswith("novikoff 0.")


def test_data_sets_that_ship():
    listed = document("datasets")
    assert listed["format"] == "novikoff.datasets"
    for entry in listed["datasets"]:
        with open(entry["path"]) as file:
            rows = file.read().split()
        assert len(rows) == entry["rows"]
        assert {row.count(",") for row in rows} == {entry["features"]}
        assert {row.rpartition(",")[2] for row in rows} == set(entry["classes"])
        assert entry["licence"]
    assert "iris" in novikoff("datasets").stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["fit", "nowhere.csv"], "no such file"),
        (["fit", "irsi"], "Did you mean iris?"),
        (["frobnicate"], "No such command"),
        (["fit", "--epochs", "0"], "--epochs"),
        (["fit", "iris", "--model", "margin", "--ties", "sign"], "--ties means nothing"),
        (["predict", "nowhere.model", "iris"], "nowhere.model"),
        (["verify", "nowhere.json", "iris"], "nowhere.json: No such file"),
    ],
)
def test_wrong_usage_is_told_in_a_line_with_exit_code_2(arguments, said, tmp_path):
    done = novikoff(*arguments, code=2)
    assert said in done.stderr
    assert done.stdout == ""


def test_a_traceback_is_there_for_who_asks():
    done = subprocess.run(
        [*COMMAND, "fit", "nowhere"], capture_output=True, text=True, check=False,
        env={**os.environ, "NOVIKOFF_DEBUG": "1"},
    )  # fmt: skip
    assert done.returncode == 2
    assert "Traceback" in done.stderr


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


def test_an_interrupt_ends_it_without_a_traceback():
    process = subprocess.Popen(
        [*COMMAND, "fit", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    time.sleep(3)  # it waits for standard input
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in said


# ------------------------------------------------------------------------- terminals


def on_a_terminal(*arguments, **environment):
    """What a command prints on a terminal, escape codes and all."""
    ours, its = pty.openpty()
    decided = ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "CI")
    inherited = {name: value for name, value in os.environ.items() if name not in decided}
    process = subprocess.Popen(
        [*COMMAND, *map(str, arguments)], stdin=its, stdout=its, stderr=its,
        env={**inherited, "TERM": "xterm-256color", "COLUMNS": "120", **environment},
    )  # fmt: skip
    os.close(its)
    printed = b""
    while select.select([ours], [], [], 120)[0]:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # how Linux says that the other end is closed
            break
        if not piece:
            break
        printed += piece
    os.close(ours)
    assert process.wait() == 0, printed.decode()
    return printed.decode()


def test_colours_on_a_terminal_and_none_with_no_color():
    assert "\x1b[" in on_a_terminal("datasets")
    plain = on_a_terminal("datasets", NO_COLOR="1")
    assert "\x1b[" not in plain
    assert "sonar" in plain
    assert "─" in plain  # a table all the same


def test_no_escape_codes_and_no_bars_where_there_is_no_terminal(model, flowers):
    done = novikoff("evaluate", model, flowers)
    assert "\x1b" not in done.stdout + done.stderr


def test_a_terminal_that_cannot_print_theta_gets_theta(four):
    in_words = novikoff("trace", four, PYTHONIOENCODING="ascii", PYTHONUTF8="0").stdout
    assert "theta = (0, 0)" in in_words
    assert in_words.isascii()
    assert "θ = (0, 0)" in novikoff("trace", four, PYTHONIOENCODING="utf-8").stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
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
