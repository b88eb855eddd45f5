"""Another process that computes for this one, and is killed when the time is up.

Some answers may take hours in compiled code that cannot be interrupted. So another process looks
for them: `python -m novikoff.analysis.worker` reads one JSON object per line, each naming a module.
The module's `get_ready(sparse)` loads (or, after an installation, compiles) what it needs, while
the data is still being read; its `answer(X, codes, question)` yields what it finds, a JSON object
each, as soon as it knows.
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
import warnings
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any

from novikoff.persistence.leftovers import Temporary

GETTING_READY = 30.0  # seconds at most: compiling for the first time takes long
MOST_NUMBERS = 20_000_000  # stored numbers; more could not even be handed over in time


class Worker:
    """The other process. Use it as a context: at the end it is gone, whatever it was doing."""

    def __init__(self) -> None:
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._folder = Temporary(folder=True)
        self._n_asked = 0
        self.finished = False
        self.error: str | None = None  # of the last answer, if it failed
        self._process = subprocess.Popen(
            [sys.executable, "-m", "novikoff.analysis.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            # It may draw, but never on a screen.
            env={**os.environ, "MPLBACKEND": "Agg"},
        )
        threading.Thread(target=self._listen, daemon=True).start()

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.communicate()
        self._folder.remove()

    def prepare(self, module: str, *, sparse: bool) -> None:
        """Tell it to get ready for such rows; its readiness is the first answer."""
        self._tell({"module": module, "sparse": sparse})

    def ask(self, module: str, X: Any, y: Any, *, seconds: float, **question: Any) -> None:
        """Hand rows and a question over; `answers` has what it says.

        `y` arrives as codes, the labels as text in ``question["classes"]``. `seconds` is how long
        the answer will be waited for.
        """
        self._n_asked += 1
        folder = self._folder.path / str(self._n_asked)
        folder.mkdir()
        _hand_over(folder, X, y, question)
        self._tell({"module": module, "folder": str(folder), "seconds": seconds})

    def answers(self, seconds: float) -> Iterator[dict[str, Any]]:
        """What it says to what it was told first and has not answered yet, while there is time.

        Afterwards `finished` says whether that was all.
        """
        self.finished, self.error = False, None
        deadline = time.monotonic() + seconds
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                return
            if line is None:  # it has died
                return
            answer: dict[str, Any] = json.loads(line)
            if "end" in answer:
                self.error = answer["end"]
                self.finished = self.error is None
                return
            yield answer

    def ready(self) -> bool:
        """Wait until it is ready."""
        for _ in self.answers(GETTING_READY):
            pass
        return self.finished

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def _tell(self, command: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(command) + "\n")
            self._process.stdin.flush()
        except OSError:  # it has died: there will be no answers
            pass


def n_numbers(X: Any) -> int:
    """How many numbers are stored."""
    return int(X.nnz if hasattr(X, "nnz") else X.size)


def _hand_over(folder: Path, X: Any, y: Any, question: dict[str, Any]) -> None:
    import numpy as np
    import scipy.sparse as sp

    from novikoff.analysis.wording import label

    if sp.issparse(X):
        sp.save_npz(folder / "X.npz", X, compressed=False)
    else:
        np.save(folder / "X.npy", X)
    classes, codes = np.unique(y, return_inverse=True)
    np.save(folder / "y.npy", codes)
    question = {"classes": [label(name) for name in classes.tolist()], **question}
    (folder / "question.json").write_text(json.dumps(question), encoding="utf-8")


# ------------------------------------------------------------------- the other process


def _take_over(folder: Path) -> tuple[Any, Any, dict[str, Any]]:
    import numpy as np
    import scipy.sparse as sp

    question = json.loads((folder / "question.json").read_text(encoding="utf-8"))
    dense = folder / "X.npy"
    X = np.load(dense) if dense.exists() else sp.csr_array(sp.load_npz(folder / "X.npz"))
    return X, np.load(folder / "y.npy"), question


def _end_by_itself(seconds: float) -> None:
    """Do not compute on for hours if whoever asked was killed and cannot kill this process."""
    if hasattr(signal, "alarm"):  # not on Windows
        signal.alarm(int(10 * seconds + GETTING_READY))


def _main() -> None:
    # What a library prints must not be taken for an answer.
    out, sys.stdout = sys.stdout, sys.stderr
    warnings.simplefilter("ignore")

    def say(found: dict[str, Any]) -> None:
        print(json.dumps(found), file=out, flush=True)

    for line in sys.stdin:
        command = json.loads(line)
        error = None
        try:
            module = import_module(command["module"])
            if "folder" in command:
                _end_by_itself(command["seconds"])
                for found in module.answer(*_take_over(Path(command["folder"]))):
                    say(found)
            else:
                module.get_ready(command["sparse"])
        except Exception as failure:
            error = f"{type(failure).__name__}: {failure}"
        say({"end": error})


if __name__ == "__main__":
    _main()
