"""The first answer: in a new process, with compiled code on disk and after an installation."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks import sets
from benchmarks.lines import Line, at_most

IMPORTS = "import sklearn.linear_model, polars"
COMMAND = "import sys; from novikoff.cli import main; main(sys.argv[1:])"
# Prints the CPU seconds of a fit; what is imported before counts for nothing.
FIT = """
import sys, time, warnings
import numpy as np, sklearn.linear_model
import novikoff
warnings.simplefilter("ignore")
X, y = {data}
began = time.process_time()
novikoff.Perceptron().fit(X, y)
print(time.process_time() - began)
"""
FOUR = "np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), [0, 0, 0, 1]"
MNIST = "(np.load(sys.argv[1] + name) for name in ('/X.npy', '/y.npy'))"
CHILDREN = ("children_user", "children_system")  # of `os.times`
SEPARABLE = ("separable", "iris", "--positive", "Iris-virginica")


def tasks(repeat: int) -> dict[str, Callable[[], Line]]:
    """What is measured, in `repeat` processes each; after an installation in one."""
    return {
        "first fit of 4 x 2": partial(first_fit, repeat, 0.03),
        "first fit of 4 x 2, after an installation": partial(first_fit, 1, 0.05, fresh=True),
        "first fit of MNIST float32, after an installation": first_fit_of_mnist,
        "novikoff fit sonar": partial(command, repeat, "fit", "sonar"),
        "novikoff fit sonar, after an installation": after_installation,
        "novikoff separable iris": partial(command, repeat, *SEPARABLE),
        "novikoff report iris": report,
    }


def _run(code: str, *arguments: str, fresh: bool = False) -> str:
    """What a program prints; with `fresh`, as if nothing had been compiled yet."""
    environment = dict(os.environ)
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # or all modules are compiled in every process
    with tempfile.TemporaryDirectory() as empty:
        if fresh:
            environment["NUMBA_CACHE_DIR"] = empty
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", code, *arguments], capture_output=True,
            text=True, check=True, env=environment,
        )  # fmt: skip
    return done.stdout


def _seconds(code: str, *arguments: str, fresh: bool = False) -> float:
    """CPU seconds of a program and of those it starts."""
    before = os.times()
    _run(code, *arguments, fresh=fresh)
    after = os.times()
    return sum(getattr(after, kind) - getattr(before, kind) for kind in CHILDREN)


def first_fit(repeat: int, limit: float, *, fresh: bool = False) -> Line:
    """The best of several processes; the first warms the page cache."""
    turns = [float(_run(FIT.format(data=FOUR), fresh=fresh)) for _ in range(repeat + 1)]
    return at_most("-", limit, min(turns), "s")


def first_fit_of_mnist() -> Line:
    with tempfile.TemporaryDirectory() as folder:
        for name, array in zip(("X", "y"), sets.eight(), strict=True):
            np.save(Path(folder) / name, array)
        return at_most("-", 5.0, float(_run(FIT.format(data=MNIST), folder, fresh=True)), "s")


def command(repeat: int, *arguments: str) -> Line:
    turns = [(_seconds(COMMAND, *arguments), _seconds(IMPORTS)) for _ in range(repeat + 1)]
    mine, theirs = np.min(turns, axis=0)
    return at_most(IMPORTS, 1.5, float(mine / theirs))


def after_installation() -> Line:
    return at_most("-", 4.0, _seconds(COMMAND, "fit", "sonar", fresh=True), "s")


def report() -> Line:
    """Seconds until the page is there."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        _run(COMMAND, "report", "iris", "--out", str(Path(folder) / "iris.html"))
        return at_most("-", 6.0, time.perf_counter() - began, "s")
