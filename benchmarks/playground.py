"""The playground's answers, asked for over HTTP as the page does.

``python -m benchmarks.playground`` prints the milliseconds of every algorithm.
"""

from __future__ import annotations

import json
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any
from urllib.request import Request, urlopen

import numpy as np

from benchmarks.lines import Line, at_most

ALGORITHMS = ("last", "averaged", "voted", "pocket", "margin", "kernel")
MOST_MS = 50.0
Ask = Callable[[str, Any], Any]


def tasks(repeat: int) -> dict[str, Callable[[], Line]]:
    """What is measured, `3 * repeat` times each."""
    return {
        f"playground, 200 {kind} points, slowest": partial(slowest, kind, 3 * repeat)
        for kind in ("separable", "overlapping")
    }


@contextmanager
def playground() -> Iterator[Ask]:
    """ask(path, question) -> its answer, of a playground that is warm."""
    command = [sys.executable, "-m", "novikoff", "play", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        lines = iter(process.stdout.readline, "")
        found = (re.search(r"http://[\d.]+:\d+", line) for line in lines)
        address = next(match.group() for match in found if match)

        def ask(path: str, question: Any) -> Any:
            headers = {"Content-Type": "application/json"}
            request = Request(address + path, json.dumps(question).encode(), headers)
            with urlopen(request) as answer:
                return answer.read()

        try:
            for algorithm in 2 * ALGORITHMS:  # whatever is still being loaded or compiled
                ask("/api/run", asked("overlapping", 0, algorithm))
            yield ask
        finally:
            process.terminate()


def points(kind: str, seed: int, n: int = 200) -> list[dict[str, float]]:
    """Points on a grid of 0.01; separable ones keep a distance from the line."""
    random = np.random.RandomState(seed)
    X = random.uniform(-5, 5, (2 * n, 2)).round(2)
    side = X @ [1.0, 2.0] - 0.5
    if kind == "separable":
        X, side = X[abs(side) > 0.5], side[abs(side) > 0.5]
    else:
        side += random.normal(0, 2.5, len(side))
    y = np.where(side > 0, 1, -1)
    rows = zip(X[:n].tolist(), y[:n].tolist(), strict=True)
    return [{"x": x[0], "y": x[1], "label": label} for x, label in rows]


def asked(kind: str, seed: int, algorithm: str) -> dict[str, Any]:
    settings = {"algorithm": algorithm, "epochs": 1000}
    return {"points": points(kind, seed), "settings": settings}


def milliseconds(ask: Ask, kind: str, algorithm: str, repeat: int) -> tuple[float, float]:
    """Of a run, and of what is known about it afterwards: the medians over as many point sets."""
    times = []
    for seed in range(1, repeat + 1):
        question = asked(kind, seed, algorithm)
        began = time.perf_counter()
        ask("/api/run", {**question, "known": False})
        drawn = time.perf_counter()
        ask("/api/known", question)
        times.append((drawn - began, time.perf_counter() - drawn))
    run, known = (1e3 * statistics.median(column) for column in zip(*times, strict=True))
    return run, known


def slowest(kind: str, repeat: int) -> Line:
    """The algorithm that takes longest; overlapping points make 5 000 updates, all it may."""
    with playground() as ask:
        times = [milliseconds(ask, kind, algorithm, repeat)[0] for algorithm in ALGORITHMS]
    return at_most("-", MOST_MS, max(times), "ms")


def main() -> None:
    with playground() as ask:
        for kind in ("separable", "overlapping"):
            for algorithm in ALGORITHMS:
                run, known = milliseconds(ask, kind, algorithm, 15)
                print(f"{kind:<12} {algorithm:<9} run {run:5.1f} ms, what is known {known:5.1f} ms")


if __name__ == "__main__":
    main()
