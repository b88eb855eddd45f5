"""What our own things cost beside each other: votes, memory, importing."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import novikoff
from benchmarks import sets
from benchmarks.lines import Line, at_most
from benchmarks.timing import in_turns
from benchmarks.work import EPOCHS, averaged, last


def tasks(repeat: int) -> dict[str, Callable[[], Line]]:
    """What is measured, in `repeat` turns each."""
    return {
        "voted training, MNIST float32": partial(voted_training, repeat),
        "voted prediction, MNIST, ten classes": partial(voted_prediction, repeat),
        "extra memory, fitting MNIST float32": extra_memory,
        "import novikoff": partial(import_time, repeat),
    }


def voted(**more: Any) -> Any:
    return novikoff.VotedPerceptron(order="cyclic", max_iter=EPOCHS, **more)


def times_as_long(run: Callable[[], Any], other: Callable[[], Any], repeat: int) -> float:
    """The median over the turns, after one that compiles."""
    run()
    times = in_turns(run, other, repeat=repeat)
    return float(np.median(times[:, 0] / times[:, 1]))


def voted_training(repeat: int) -> Line:
    X, y = sets.eight()
    ratio = times_as_long(partial(voted().fit, X, y), partial(last().fit, X, y), repeat)
    return at_most("our own last", 1.3, ratio)


def voted_prediction(repeat: int) -> Line:
    """2 000 rows by all hypotheses of one epoch."""
    X, y = sets.digits_of_mnist()
    votes, mean = (model.set_params(max_iter=1).fit(X, y) for model in (voted(), averaged()))
    ratio = times_as_long(
        partial(votes.predict, X[:2000]), partial(mean.predict, X[:2000]), min(repeat, 2)
    )
    return at_most("our own averaged", 5.0, ratio)


def extra_memory() -> Line:
    """MB allocated at the peak of a fit of MNIST in float32."""
    X, y = sets.eight()
    last().fit(X, y)  # compiles
    tracemalloc.start()
    last().fit(X, y)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return at_most("-", 64.0, peak / 2**20, "MB")


def import_time(repeat: int) -> Line:
    """The best of several processes, in turns; the first of them warm the page cache."""
    modules = ("novikoff.estimators.perceptron", "sklearn.linear_model")
    turns = [[seconds_to_import(module) for module in modules] for _ in range(2 * repeat + 1)]
    mine, theirs = np.min(turns, axis=0)
    return at_most("import sklearn.linear_model", 1.3, float(mine / theirs))


def seconds_to_import(module: str) -> float:
    code = f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
    command = [sys.executable, "-W", "ignore", "-c", code]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
