"""Whether training rows are separable, and how widely, asked with a deadline.

The answer may take hours in compiled code that cannot be interrupted, so another process looks for
it and is killed when the time is up. `python -m novikoff.cli.settle` gets ready (loading, or after
an installation compiling, what it needs) while the data is read and the model trained: it is told
"dense" or "sparse" and says when it is ready, then it is told a folder with the rows and says what
it finds, a line of JSON each, as soon as it knows.
"""

from __future__ import annotations

import json
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

SECONDS = 5.0  # for the answer
GETTING_READY = 30.0  # at most, beside that: compiling for the first time takes long
MOST_NUMBERS = 20_000_000  # stored numbers; more could not even be handed over in time


@dataclass
class Settled:
    """What was found out in time; None where it was not."""

    separable: bool | None = None
    obstructed: str | None = None  # the class that cannot be separated
    margin: float | None = None
    radius: float | None = None
    gamma: float | None = None  # in the space of the run, where the offset is a coordinate
    bound: float | None = None


class Settler:
    """The other process. Use it as a context: at the end it is gone, whatever it was doing."""

    def __init__(self) -> None:
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "novikoff.cli.settle"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )
        threading.Thread(target=self._listen, daemon=True).start()

    def __enter__(self) -> Settler:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def prepare(self, *, sparse: bool) -> None:
        """Say what kind of rows there will be."""
        self._tell("sparse" if sparse else "dense")

    def settle(
        self, X: Any, y: Any, *, fit_intercept: bool, separable: bool, seconds: float = SECONDS
    ) -> Settled:
        """Wait for answers for `seconds`; `separable` says that the run has found one itself."""
        found = Settled(separable=True if separable else None)
        if n_numbers(X) > MOST_NUMBERS:
            return found
        with tempfile.TemporaryDirectory(prefix="novikoff-") as folder:
            question = {"fit_intercept": fit_intercept, "separable": separable}
            _hand_over(Path(folder), X, y, question)
            if self._next(GETTING_READY) is None or not self._tell(folder):
                return found
            deadline = time.monotonic() + seconds
            while (answer := self._next(deadline - time.monotonic())) is not None:
                for name, value in answer.items():
                    setattr(found, name, value)
        return found

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def _next(self, seconds: float) -> dict[str, Any] | None:
        """What the process says next; None if it says nothing in time, or has ended."""
        try:
            line = self._lines.get(timeout=max(0.0, seconds))
        except queue.Empty:
            return None
        if line is None:
            return None
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _tell(self, text: str) -> bool:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(text + "\n")
            self._process.stdin.flush()
        except OSError:
            return False
        return True


def n_numbers(X: Any) -> int:
    """How many numbers are stored."""
    return int(X.nnz if hasattr(X, "nnz") else X.size)


def _hand_over(folder: Path, X: Any, y: Any, question: dict[str, Any]) -> None:
    import numpy as np
    import scipy.sparse as sp

    if sp.issparse(X):
        sp.save_npz(folder / "X.npz", X, compressed=False)
    else:
        np.save(folder / "X.npy", X)
    classes, codes = np.unique(y, return_inverse=True)
    np.save(folder / "y.npy", codes)
    question["classes"] = [str(name) for name in classes]
    (folder / "question.json").write_text(json.dumps(question), encoding="utf-8")


def _end_by_itself() -> None:
    """Do not compute on for hours if whoever asked was killed and cannot kill this process."""
    if hasattr(signal, "alarm"):  # not on Windows
        signal.alarm(int(10 * SECONDS + GETTING_READY))


def _get_ready() -> None:
    """Load or compile everything, on four points that can be separated and four that cannot."""
    import numpy as np
    import scipy.sparse as sp

    from novikoff import max_margin, mistake_bound, separability

    X: Any = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    if sys.stdin.readline().strip() == "sparse":
        X = sp.csr_array(X)
    separability(X, [0, 0, 1, 1])
    max_margin(X, [0, 1, 1, 1])
    mistake_bound(X, [0, 1, 1, 1])


def _answer(folder: Path) -> None:
    """The other process."""
    import numpy as np
    import scipy.sparse as sp

    from novikoff import max_margin, mistake_bound, separability

    question = json.loads((folder / "question.json").read_text(encoding="utf-8"))
    dense = folder / "X.npy"
    X = np.load(dense) if dense.exists() else sp.csr_array(sp.load_npz(folder / "X.npz"))
    codes = np.load(folder / "y.npy")
    intercept, names = question["fit_intercept"], question["classes"]
    if not question["separable"]:
        for code in range(len(names)) if len(names) > 2 else (1,):
            verdict = separability(X, codes == code, fit_intercept=intercept).verdict
            if verdict != "separable":
                _print(separable=False, obstructed=names[code])
                return
        _print(separable=True)
    if len(names) == 2:
        _print(margin=max_margin(X, codes, fit_intercept=intercept).margin)
        bound = mistake_bound(X, codes, fit_intercept=intercept)
        _print(radius=bound.radius, gamma=bound.margin, bound=bound.value)


def _print(**found: Any) -> None:
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    _get_ready()
    _print()
    _end_by_itself()
    _answer(Path(sys.stdin.readline().rstrip("\n")))
