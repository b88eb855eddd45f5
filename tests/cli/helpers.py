"""Running `novikoff` as a user does: in a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SHARED = Path(__file__).parents[3] / "shared" / "data"
SCRIPT = Path(sys.executable).with_name("novikoff")
COMMAND = [str(SCRIPT)] if SCRIPT.exists() else [sys.executable, "-m", "novikoff"]


def novikoff(*arguments, code=0, stdin=None, text=True, **environment):
    """Run a command, expect an exit code, and give back what it printed."""
    done = subprocess.run(
        [*COMMAND, *map(str, arguments)],
        input=stdin,
        stdin=subprocess.DEVNULL if stdin is None else None,
        capture_output=True,
        text=text,
        encoding="utf-8" if text else None,
        env={**os.environ, "COLUMNS": "100", **environment},
        timeout=300,
        check=False,
    )
    assert done.returncode == code, done.stderr
    if text:
        assert "Traceback" not in done.stderr, done.stderr
    return done


def document(*arguments, code=0, **environment):
    """The JSON document of a command, which must be all of its standard output."""
    text = novikoff(*arguments, "--json", code=code, **environment).stdout
    found = json.loads(text, parse_constant=_refuse)
    assert found["version"] == 1
    return found


def _refuse(name):
    raise AssertionError(f"{name} is not JSON")


def shared(name):
    """A file among the data for tests, or a skip."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"{name} is not in the data folder")
    return path


def pairs(text):
    """What `name  value` lines say."""
    split = (line.split("  ", 1) for line in text.splitlines() if "  " in line)
    return {name: value.strip() for name, value in split}
