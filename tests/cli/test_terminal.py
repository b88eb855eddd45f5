"""On a terminal: colours, tables, and neither where `NO_COLOR` forbids them."""

import os
import pty
import select
import subprocess

from tests.cli.helpers import COMMAND


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
