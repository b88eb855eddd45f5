"""The process in which one submission runs: it gives up what it does not need, then answers.

Started by :mod:`novikoff.teaching.grading` as a program, not as a module: nothing of the library
is imported here but `calling`, which knows no answers. It reads a JSON object per line: first what
to load and within which limits, then questions.

What is given up, as far as the system allows: memory and processor time beyond a limit, new
processes, the network (a namespace of its own), writing, and reading other files than Python's own
and the submission's. The last ones are refused by an audit hook, which no Python code can take
back; code that brings its own machine code could get around it.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

MOST_BYTES = 2**20  # of one answer
_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000  # of Linux's unshare
_DIE_WITH_PARENT, _SIGKILL = 1, 9  # of Linux's prctl

REFUSED = (
    "socket.", "subprocess.", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn",
    "os.startfile", "os.system", "os.kill", "os.killpg", "os.remove", "os.rename", "os.rmdir",
    "os.mkdir", "os.link", "os.symlink", "os.truncate", "os.chmod", "os.chown", "os.chdir",
    "os.utime", "shutil.", "pty.spawn", "signal.pthread_kill", "gc.", "ctypes.dlsym",
    "ctypes.call_function", "ctypes.cdata", "mmap.__new__", "winreg.", "_winapi.", "webbrowser.",
    "sys._current_frames", "sys.settrace", "sys.setprofile", "cpython.",
)  # fmt: skip
_LIBRARIES = re.compile(
    rb"\b(?:from|import)\s+((?:matplotlib|pandas|polars|scipy|seaborn|sklearn)[\w.]*)"
)
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def give_up(seconds: int, memory: int) -> None:
    """Limits that the system keeps; what a system does not know is left out."""
    with suppress(ImportError):  # Windows has no such limits
        import resource as r

        for what, most in (
            ("CPU", seconds), ("AS", memory), ("FSIZE", 0), ("CORE", 0), ("NPROC", 0),
        ):  # fmt: skip
            with suppress(OSError, ValueError, AttributeError):
                r.setrlimit(getattr(r, f"RLIMIT_{what}"), (most, most))


def leave_network() -> bool:
    """A network namespace with nothing in it; whether the system allowed it."""
    if not sys.platform.startswith("linux"):
        return False
    import ctypes

    libc = ctypes.CDLL(None)
    libc.prctl(_DIE_WITH_PARENT, _SIGKILL, 0, 0, 0)
    flags = _NEW_USER | _NEW_NETWORK, _NEW_NETWORK
    return any(libc.unshare(flag) == 0 for flag in flags)


def prepare(path: str) -> None:
    """Import what is installed and a submission names, before threads, files and more are refused.

    Its own code is not run for that.
    """
    with open(path, "rb") as file:
        text = file.read(MOST_BYTES)
    named = _LIBRARIES.findall(text)
    for module in ["numpy.random", *(name.decode() for name in dict.fromkeys(named))]:
        with suppress(Exception):  # what is not there is said where it is missed
            importlib.import_module(module)


def guard(readable: tuple[str, ...]) -> Callable[[str, tuple[Any, ...]], None]:
    """An audit hook that refuses what a perceptron has no need of."""

    def inside(path: Any) -> bool:
        if isinstance(path, int) or path is None:
            return True
        full = os.path.abspath(os.fsdecode(path))
        return any(full == place or full.startswith(place + os.sep) for place in readable)

    def hook(event: str, details: tuple[Any, ...]) -> None:
        allowed = not event.startswith(REFUSED)
        if event == "open":
            path, mode, flags = details
            writes = any(c in (mode or "") for c in "wax+") or bool((flags or 0) & _WRITING)
            allowed = inside(path) and not writes
        elif event in ("os.listdir", "os.scandir"):
            allowed = inside(details[0])
        elif event == "import":
            allowed = details[0].partition(".")[0] != "novikoff"
        if not allowed:
            what = f"{event} {details[0]!r}" if details else event
            raise PermissionError(f"not allowed here: {what[:200]}")

    return hook


def main() -> None:
    """Answer questions until there are no more."""
    # The pipes are the grader's: what the submission reads and prints leads nowhere.
    questions = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    setting = json.loads(questions.readline())
    folder = os.path.dirname(os.path.abspath(__file__))
    sys.path.insert(0, folder)
    import calling  # type: ignore[import-not-found]  # the file beside this one

    sys.path.remove(folder)
    prepare(setting["path"])
    network = not leave_network()
    give_up(setting["seconds"], setting["memory"])
    sys.dont_write_bytecode = True
    places = {*sys.path, sys.prefix, sys.base_prefix, os.path.dirname(os.__file__)} - {""}
    places |= set(setting["readable"])
    sys.addaudithook(guard(tuple(os.path.abspath(place) for place in places)))
    sys.path[:0] = setting["importable"]

    def say(answer: dict[str, Any]) -> None:
        line = json.dumps(answer).encode()
        if len(line) > MOST_BYTES:
            line = json.dumps({"error": "returned too much"}).encode()
        answers.write(line + b"\n")
        answers.flush()

    manner = setting["manner"]
    found: list[Any] = []

    def look() -> dict[str, Any]:
        found.append(calling.load(setting["path"], setting["function"]))
        about: dict[str, Any] = calling.described(found[0], manner)
        return about

    say({**calling.caught(look), "network": network})
    for line in questions:
        say(calling.ask(found[0], json.loads(line), manner))


if __name__ == "__main__":
    main()
