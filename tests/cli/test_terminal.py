"""On a terminal: colours, tables, and neither where `NO_COLOR` forbids them."""

import os
import select
import subprocess

import pytest

from tests.cli.helpers import COMMAND, inside

pty = pytest.importorskip("pty", reason="Windows has other terminals", exc_type=ImportError)


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


EVIL = "\x1b[31m\x07\x9b2J\u202e"  # a colour, the bell, an erased screen, a change of direction


@pytest.fixture(scope="module")
def evil(tmp_path_factory):
    """A table whose names and classes are commands to a terminal, and a model of it."""
    folder = tmp_path_factory.mktemp("evil")
    rows = "".join(f"{k % 5},{k % 7},{'b' if k % 5 > 1 else 'a'}{EVIL}\n" for k in range(30))
    table = folder / f"table{EVIL}.csv"
    table.write_text(f"u{EVIL},v,y{EVIL}\n{rows}", encoding="utf-8")
    model = folder / "model"
    said = inside("fit", table, "--encoding", "utf-8", "--target", "-1", "--out", model)
    return table, model, said


def test_no_text_of_a_file_commands_a_terminal(evil, tmp_path):
    table, model, fitted = evil
    read = ("--encoding", "utf-8", "--target", "-1")
    steps = tmp_path / "steps.csv"
    steps.write_text(f"theta_1,{EVIL},theta_2\n{EVIL},1,2\n", encoding="utf-8")
    done = [
        fitted,
        inside("evaluate", model, table, *read[:2]),
        inside("separable", table, *read, "--core"),
        inside("trace", table, *read),
        inside("trace", table, *read, "--format", "markdown"),
        inside("trace", table, *read, "--check", steps, code=1),
        inside("trace", table, *read, "--positive", "c", code=2),
        inside("trace", table, *read, "--drop", "w", code=2),
        inside("fit", table, code=2),
    ]
    for one in done:
        assert all(line.isprintable() for line in (one.stdout + one.stderr).split("\n"))
        assert "\\x1b[31m\\x07\\x9b2J\\u202e" in one.stdout + one.stderr


def test_predictions_are_data_in_a_file_and_harmless_on_a_terminal(evil):
    table, model, _ = evil
    arguments = ("predict", model, table, "--encoding", "utf-8")
    assert f"b{EVIL}" in inside(*arguments).stdout
    shown = on_a_terminal(*arguments, NO_COLOR="1")
    assert "b\\x1b[31m" in shown
    assert all(line.isprintable() for line in shown.replace("\r", "").split("\n"))
