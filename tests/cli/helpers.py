"""Running `novikoff` as a user does: in a process of its own, or, much faster, in this one.

Every command is tested in a process of its own somewhere; what differs from that run only in its
arguments is tested with `inside`.
"""

import io
import json
import os
import subprocess
import sys
import warnings
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from novikoff.cli import main

SCRIPT = Path(sys.executable).with_name("novikoff")
COMMAND = [str(SCRIPT)] if SCRIPT.exists() else [sys.executable, "-m", "novikoff"]


def novikoff(*arguments, code=0, stdin=None, **environment):
    """Run a command in a process of its own, expect an exit code, give back what it printed."""
    done = subprocess.run(
        [*COMMAND, *map(str, arguments)],
        input=stdin,
        stdin=subprocess.DEVNULL if stdin is None else None,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "COLUMNS": "100", **environment},
        timeout=300,
        check=False,
    )
    return _expected(done, code)


def inside(*arguments, code=0, stdin="", **environment):
    """The same in this process: the entry point, with other arguments and other streams."""
    with _streams(stdin) as (out, err), _environment(COLUMNS="100", **environment):
        with warnings.catch_warnings():
            warnings.simplefilter("default")  # as in a process of its own
            with pytest.raises(SystemExit) as end:
                main([str(argument) for argument in arguments])
        out.flush()
        err.flush()
        done = SimpleNamespace(
            returncode=end.value.code or 0,
            stdout=out.buffer.getvalue().decode("utf-8"),
            stderr=err.buffer.getvalue().decode("utf-8"),
        )
    return _expected(done, code)


def _expected(done, code):
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    return done


@contextmanager
def _streams(text):
    kept = sys.stdin, sys.stdout, sys.stderr
    data = text if isinstance(text, bytes) else text.encode("utf-8")
    streams = [io.TextIOWrapper(io.BytesIO(b), encoding="utf-8") for b in (data, b"", b"")]
    sys.stdin, sys.stdout, sys.stderr = streams
    try:
        yield streams[1:]
    finally:
        sys.stdin, sys.stdout, sys.stderr = kept


@contextmanager
def _environment(**variables):
    with pytest.MonkeyPatch.context() as patch:
        for name, value in variables.items():
            patch.setenv(name, value)
        yield


def document(*arguments, run=inside, **settings):
    """The JSON document of a command, which must be all of its standard output."""
    found = json.loads(run(*arguments, "--json", **settings).stdout, parse_constant=_refuse)
    assert found["version"] == 1
    return found


def _refuse(name):
    raise AssertionError(f"{name} is not JSON")


def pairs(text):
    """What `name  value` lines say."""
    split = (line.split("  ", 1) for line in text.splitlines() if "  " in line)
    return {name: value.strip() for name, value in split}
