"""Another process that computes for this one, and is killed when the time is up.

Some answers may take hours in compiled code that cannot be interrupted. So another process looks
for them: `python -m novikoff.analysis.worker` reads one JSON object per line, each naming a module.
The module's `get_ready` loads (or, after an installation, compiles) what it needs, while the data
is still being read; its `answer` yields what it finds, a JSON object each, as soon as it knows. It
goes back as a line; after the last comes a list, how it ended and what was wrong.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
import traceback
import warnings
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from novikoff.persistence.disk import Temporary

GETTING_READY = 30.0  # seconds at most: compiling for the first time takes long
MOST_NUMBERS = 20_000_000  # stored numbers; more could not even be handed over in time
FEW_NUMBERS = 50_000  # stored numbers; what is asked of so few takes less than another process does
DEBUG = "NOVIKOFF_DEBUG"  # set, it shows what the process prints, and tracebacks


class Worker:
    """The other process. Use it as a context: at the end it is gone, whatever it was doing.

    status : how the last answer ended. "late": it has not; "failed": something went wrong, or the
        process has died
    error : what was wrong
    """

    status: Literal["done", "failed", "late"] = "late"
    error = ""

    def __init__(self) -> None:
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self._folder = Temporary(folder=True)
        self._n_asked = 0
        with _no_interrupts():
            self._process = subprocess.Popen(
                [sys.executable, "-m", "novikoff.analysis.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=2**16,  # as much as a pipe holds
                stderr=None if os.environ.get(DEBUG) else subprocess.DEVNULL,
                # It may draw, but never on a screen.
                env={**os.environ, "MPLBACKEND": "Agg"},
            )
        threading.Thread(target=self._listen, daemon=True).start()

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def kill(self) -> None:
        """End it, whatever it is doing."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            # What was left to be written has no reader, or somebody is just writing it.
            with suppress(OSError, ValueError):
                pipe.close()
        self._folder.remove()

    def prepare(self, module: str, **how: bool) -> None:
        """Tell it to call ``get_ready(**how)``; its readiness is the first answer."""
        self._tell({"module": module, "how": how})

    def ask(self, module: str, X: Any, y: Any, *, seconds: float, **question: Any) -> None:
        """Have it call ``answer(X, y, question)``; `answers` has what it says.

        They go through files: a pipe would fill while an earlier one is being answered. `y` arrives
        as codes, the labels as text in ``question["classes"]``. `seconds` is how long the answer
        will be waited for.
        """
        self._n_asked += 1
        folder = self._folder.path / str(self._n_asked)
        folder.mkdir()
        _hand_over(folder, question, X, y)
        self._tell({"module": module, "seconds": seconds, "folder": str(folder)})

    def answers(self, seconds: float) -> Iterator[dict[str, Any]]:
        """What it says to what it was told first and has not answered yet, while there is time.

        Afterwards `status` says whether that was all.
        """
        self.status, self.error = "late", ""
        deadline = time.monotonic() + seconds
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                return
            if line is None:
                self._lines.put(None)  # for whoever asks next: it stays dead
                self.status, self.error = "failed", "the worker has died"
                return
            said = json.loads(line)
            if isinstance(said, list):
                self.status, self.error = said
                return
            yield said

    def ready(self, seconds: float = GETTING_READY) -> bool:
        """Wait until it is ready."""
        for _ in self.answers(seconds):
            pass
        return self.status == "done"

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with suppress(OSError, ValueError):  # it was closed: nobody wants to know any more
            for line in self._process.stdout:
                if line.endswith(b"\n"):  # else it died in the middle of a word
                    self._lines.put(line)
        self._lines.put(None)

    def _tell(self, command: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):  # it has died, or was killed: there will be no answers
            self._process.stdin.write(json.dumps(command).encode() + b"\n")
            self._process.stdin.flush()


class Here:
    """What is asked of a `Worker`, answered in this process: for rows that are few."""

    status: Literal["done", "failed", "late"] = "late"
    error = ""

    def __init__(self) -> None:
        self._asked: deque[Iterator[dict[str, Any]]] = deque()

    def __enter__(self) -> Here:
        return self

    def __exit__(self, *_: object) -> None: ...

    def prepare(self, module: str, **how: bool) -> None:
        """There is nothing to be prepared."""

    def ready(self, seconds: float = 0.0) -> bool:
        return True

    def ask(self, module: str, X: Any, y: Any, *, seconds: float, **question: Any) -> None:
        """As a worker is asked."""
        codes, question = _coded(y, question)
        self._asked.append(import_module(module).answer(X, codes, question))

    def answers(self, seconds: float) -> Iterator[dict[str, Any]]:
        """As a worker's; computed now, and the time is looked at between two answers."""
        self.status, self.error = "late", ""
        asked = self._asked.popleft()
        deadline = time.monotonic() + seconds
        try:
            with warnings.catch_warnings(action="ignore"):
                while time.monotonic() < deadline:
                    if (found := next(asked, None)) is None:
                        self.status = "done"
                        return
                    yield found
        except Exception as error:
            if os.environ.get(DEBUG):
                traceback.print_exc()
            self.status, self.error = "failed", f"{type(error).__name__}: {error}"


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """A process started meanwhile never hears Ctrl-C, not even before it can say so itself."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def n_numbers(X: Any) -> int:
    """How many numbers are stored."""
    return int(X.nnz if hasattr(X, "nnz") else X.size)


def _coded(y: Any, question: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The labels as codes, and the question with what they are called."""
    import numpy as np

    from novikoff.analysis.wording import label

    classes, codes = np.unique(y, return_inverse=True)
    return codes, {"classes": [label(name) for name in classes.tolist()], **question}


def _hand_over(folder: Path, question: dict[str, Any], X: Any, y: Any) -> None:
    import numpy as np
    import scipy.sparse as sp

    if sp.issparse(X):
        sp.save_npz(folder / "X.npz", X, compressed=False)
    else:
        np.save(folder / "X.npy", X)
    codes, question = _coded(y, question)
    np.save(folder / "y.npy", codes)
    (folder / "question.json").write_text(json.dumps(question), encoding="utf-8")


# ------------------------------------------------------------------- the other process


def _take_over(folder: Path) -> tuple[Any, Any, dict[str, Any]]:
    import numpy as np
    import scipy.sparse as sp

    question = json.loads((folder / "question.json").read_text(encoding="utf-8"))
    dense = folder / "X.npy"
    X = np.load(dense) if dense.exists() else sp.csr_array(sp.load_npz(folder / "X.npz"))
    return X, np.load(folder / "y.npy"), question


def _end_by_itself(seconds: float | None) -> None:
    """Do not compute on for hours if whoever asked was killed and cannot kill this process."""
    if hasattr(signal, "alarm"):  # not on Windows
        signal.alarm(0 if seconds is None else int(10 * seconds + GETTING_READY))


def _found(command: dict[str, Any]) -> Iterator[Any]:
    module = import_module(command["module"])
    if "how" in command:
        module.get_ready(**command["how"])
        return
    _end_by_itself(command["seconds"])
    yield from module.answer(*_take_over(Path(command["folder"])))


def _main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever asks, and kills
    warnings.simplefilter("ignore")
    # What a library prints, in whatever language, must not be taken for an answer.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr

    def say(found: Any) -> None:
        out.write(json.dumps(found).encode() + b"\n")
        out.flush()

    for line in sys.stdin.buffer:
        command = json.loads(line)
        end = ["done", ""]
        try:
            for found in _found(command):
                say(found)
        except Exception as error:
            traceback.print_exc()
            end = ["failed", f"{type(error).__name__}: {error}"]
        say(end)
        _end_by_itself(None)  # it may wait for ever for the next command


if __name__ == "__main__":
    with suppress(OSError):  # nobody listens any more
        _main()
    os._exit(0)  # what is left in a buffer has no reader; Python would complain of it at exit
