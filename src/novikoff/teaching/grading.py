"""Grading files that nobody trusts: each runs in a process of its own, asked over a pipe.

What is promised, on every system: a submission that loops, exits, crashes, prints or returns too
much, or sends back nonsense ends as a sentence about that submission, and its process is killed
with all that it started in its group; what it says comes back over a pipe, as JSON of bounded size,
and is checked; the right answers are not in its process. On POSIX memory and processor time are
limited by the system, and (not for root) there are no new processes. On Linux it has no network
where namespaces are allowed. Opening other files, sockets and processes from Python is refused
everywhere; whoever brings machine code gets around that, so grade what you would not run at all in
a container.
"""

from __future__ import annotations

import json
import math
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from novikoff.teaching.checking import judge
from novikoff.teaching.sandbox import MOST_BYTES
from novikoff.teaching.task import Task
from novikoff.teaching.verdict import Verdict

_SUFFIXES = (".py", ".ipynb")
SECONDS, MEMORY = 10.0, 2**30
_NO_ANSWER = "sent back what is no answer"
_ENVIRONMENT = ("PATH", "SYSTEMROOT", "LANG", "LC_ALL", "TMPDIR", "TEMP")
_ONE_THREAD = dict.fromkeys(
    ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
)


def submissions(path: Path) -> list[tuple[str, Path]]:
    """(name, file) of each: a file; the files of a folder; or one file in each folder of it.

    A folder with several files is the submission `solution.py` in it, and its files may import
    each other.
    """
    if path.is_file():
        return [(path.name, path)]
    found = []
    for entry in sorted(path.iterdir()):
        if entry.name.startswith((".", "_")):
            continue
        if entry.is_file() and entry.suffix in _SUFFIXES:
            found.append((entry.name, entry))
        elif entry.is_dir():
            files = [file for file in sorted(entry.iterdir()) if file.suffix in _SUFFIXES]
            named = [file for file in files if file.stem == "solution"]
            if named or len(files) == 1:
                found.append((entry.name, (named or files)[0]))
    if not found:
        raise ValueError(f"{path} has no submissions: .py or .ipynb files, or folders of them.")
    return found


def grade(
    path: Path, function: str, task: Task, points: Any = None, *, seconds: float = SECONDS,
    memory: int = MEMORY, language: str = "en",
) -> Iterator[Verdict]:  # fmt: skip
    """The verdict on each submission in a file or folder, each in a process of its own."""
    for name, file in submissions(path):
        with Submission(file, function, task, seconds=seconds, memory=memory, name=name) as subject:
            try:
                yield judge(subject, task, points, language)
            except ValueError as error:
                if len(submissions(path)) == 1:
                    raise
                why = f"cannot be asked: {error}"
                yield Verdict(name, function, task, problem=why, language=language)


class Submission:
    """One submission, running. Use it as a context: at the end its process is gone."""

    def __init__(
        self, path: Path, function: str, task: Task, *, seconds: float = SECONDS,
        memory: int = MEMORY, name: str | None = None,
    ) -> None:  # fmt: skip
        self.name, self.function = name or path.name, function
        self._left, self._seconds = seconds, seconds
        self._gone: str | None = None
        self._lines: queue.Queue[bytes] = queue.Queue(2)  # who writes more must wait
        self._folder = tempfile.TemporaryDirectory(prefix="novikoff-grade-")
        own = path.parent.name == self.name  # a folder of its own: its files are the submission's
        setting = {
            "path": str(path.resolve()), "function": function, "manner": task.manner,
            "seconds": math.ceil(seconds) + 1, "memory": memory,
            "readable": [str(path.parent.resolve() if own else path.resolve())],
            "importable": [str(path.parent.resolve())] if own else [],
        }  # fmt: skip
        kept = {key: value for key, value in os.environ.items() if key in _ENVIRONMENT}
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-B", str(Path(__file__).with_name("sandbox.py"))],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            cwd=self._folder.name, start_new_session=True,
            env={**kept, **_ONE_THREAD, "MPLBACKEND": "agg", "MPLCONFIGDIR": self._folder.name},
        )  # fmt: skip
        threading.Thread(target=self._listen, daemon=True).start()
        self._about = self._exchange(setting)

    def __enter__(self) -> Submission:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with suppress(OSError, ValueError):
                pipe.close()
        self._folder.cleanup()

    @property
    def has_network(self) -> bool:
        """Whether the system could not take the network away."""
        return bool(self._about.get("network", True))

    def describe(self) -> dict[str, Any]:
        """How the function is called."""
        if "error" in self._about:
            return checked(self._about)
        return {"roles": _roles(self._about), "predicts": self._about.get("predicts") is True}

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """What the function gave."""
        return checked(self._exchange(question))

    def _exchange(self, message: dict[str, Any]) -> dict[str, Any]:
        if self._gone is None:
            answer = self._answer(json.dumps(message).encode() + b"\n")
            if isinstance(answer, dict):
                return answer
            self._gone = answer
            self._end()
        return {"error": self._gone, "gone": True}

    def _answer(self, message: bytes) -> dict[str, Any] | str:
        """One line for one line; in words why there is none, or none that can be read."""
        begin = time.monotonic()
        # In a thread, since a process that does not read would keep us waiting.
        threading.Thread(target=self._tell, args=(message,), daemon=True).start()
        try:
            line = self._lines.get(timeout=max(self._left, 0.0))
        except queue.Empty:
            return f"ran longer than {self._seconds:g} seconds"
        self._left -= time.monotonic() - begin
        if not line.endswith(b"\n"):
            return "sent back too much" if len(line) > MOST_BYTES else self._death()
        with suppress(ValueError, RecursionError):
            found = json.loads(line)
            if isinstance(found, dict):
                return found
        return _NO_ANSWER

    def _death(self) -> str:
        """Why there is nothing more to read."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        code = self._process.returncode
        if code == -getattr(signal, "SIGXCPU", 24):
            return f"ran longer than {self._seconds:g} seconds"
        if code is not None and code < 0:
            return f"crashed ({signal.Signals(-code).name})"
        return "ended its process"

    def _end(self) -> None:
        """Kill the process and all that it started."""
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()

    def _tell(self, message: bytes) -> None:
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):  # it has died: there will be no answer
            self._process.stdin.write(message)
            self._process.stdin.flush()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with suppress(OSError, ValueError):  # it was closed: nobody wants to know any more
            while True:
                line = self._process.stdout.readline(MOST_BYTES + 2)
                self._lines.put(line)
                if not line.endswith(b"\n"):
                    return


def checked(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer, if it is one: a submission may have written anything into the pipe."""
    if isinstance(answer.get("error"), str):
        return {"error": answer["error"][:500]} | ({"gone": True} if "gone" in answer else {})
    found = {name: answer[name] for name in _CHECKS if name in answer}
    if not found or not all(_CHECKS[name](value) for name, value in found.items()):
        return {"error": _NO_ANSWER}
    if "theta" in found:
        found["offset"] = answer.get("offset")
        if not (found["offset"] is None or _is_number(found["offset"])):
            return {"error": _NO_ANSWER}
    return {"changed": answer.get("changed") is True, "roles": _roles(answer), **found}


def _roles(answer: dict[str, Any]) -> dict[str, str]:
    roles = answer.get("roles")
    pairs = list(roles.items())[:50] if isinstance(roles, dict) else []
    return {str(name)[:40]: str(role)[:40] for name, role in pairs}


def _is_number(x: Any) -> bool:
    return type(x) in (int, float) and abs(x) < 1e300


def _is_vector(x: Any) -> bool:
    return isinstance(x, list) and all(map(_is_number, x))


def _are_hypotheses(x: Any, size: int) -> bool:
    """theta, offset and, of a vote, c; an update may come without its offset."""
    return isinstance(x, list) and all(
        isinstance(item, list) and len(item) == size and _is_vector(item[0])
        and all(_is_number(value) or (value is None and size == 2) for value in item[1:])
        for item in x
    )  # fmt: skip


_CHECKS: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("theta", "alpha", "predictions"), _is_vector),
    "updates": partial(_are_hypotheses, size=2),
    "votes": partial(_are_hypotheses, size=3),
}
