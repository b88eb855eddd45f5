"""The playground's answers: the page's engine in Node, beside the server that it replaced.

``python -m benchmarks.playground`` prints the milliseconds of every algorithm.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.lines import Line, at_most
from novikoff.web.site import modules

ALGORITHMS = ("last", "averaged", "voted", "pocket", "margin", "kernel")
MOST_MS = {"separable": 16.0, "overlapping": 100.0}  # a frame; 5 000 updates, all it may make
# What the server took, on the machine of docs/benchmarks.md, before it went:
# milliseconds of a run, over HTTP, and of what is known about it.
SERVER = {
    "separable": {
        "last": (15.5, 44.1), "averaged": (16.2, 40.9), "voted": (14.4, 40.3),
        "pocket": (14.9, 36.5), "margin": (14.4, 38.9), "kernel": (16.9, 37.0),
    },
    "overlapping": {
        "last": (65.8, 43.2), "averaged": (73.6, 42.6), "voted": (76.6, 43.8),
        "pocket": (82.0, 40.7), "margin": (54.3, 42.2), "kernel": (43.8, 45.8),
    },
}  # fmt: skip
# The median over the questions, each asked once, after two rounds in which the engine is compiled.
PROGRAM = """
import { readFileSync } from "node:fs";
import { known, run } from "./engine/index.js";
const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];
const measured = (questions, answer) => median(questions.map((question) => {
  const begun = performance.now();
  answer(question);
  return performance.now() - begun;
}));
const questions = JSON.parse(readFileSync(0, "utf8"));
const half = questions.length >> 1;
for (const question of questions.slice(0, half)) [run(question), known(question)];
const asked = questions.slice(half);
console.log(JSON.stringify([
  measured(asked, (question) => run({ ...question, known: false })),
  measured(asked, (question) => known(question)),
]));
"""


def tasks(repeat: int) -> dict[str, Callable[[], Line]]:
    """What is measured, `3 * repeat` times each."""
    if shutil.which("node") is None:
        return {}
    return {
        f"playground, 200 {kind} points, slowest": partial(slowest, kind, 3 * repeat)
        for kind in MOST_MS
    }


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


def milliseconds(kind: str, algorithm: str, repeat: int) -> tuple[float, float]:
    """Of a run, and of what is known about it afterwards: the medians over as many point sets."""
    questions = [asked(kind, seed, algorithm) for seed in range(1, 2 * repeat + 1)]
    with tempfile.TemporaryDirectory() as folder:
        for name, content in modules().items():
            path = Path(folder, name)
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
        done = subprocess.run(
            ["node", "--input-type=module", "-e", PROGRAM],
            input=json.dumps(questions), cwd=folder, capture_output=True, text=True, check=True,
        )  # fmt: skip
    run, known = json.loads(done.stdout)
    return run, known


def slowest(kind: str, repeat: int) -> Line:
    """The algorithm that takes longest."""
    times = [milliseconds(kind, algorithm, repeat)[0] for algorithm in ALGORITHMS]
    server = max(run for run, _ in SERVER[kind].values())
    return at_most(f"the old server, {server:g} ms", MOST_MS[kind], max(times), "ms")


def main() -> None:
    for kind, server in SERVER.items():
        for algorithm in ALGORITHMS:
            ours = milliseconds(kind, algorithm, 15)
            (run, known), (old, before) = ours, server[algorithm]
            print(
                f"{kind:<12} {algorithm:<9} run {run:5.1f} ms (server {old:5.1f}), "
                f"what is known {known:5.1f} ms ({before:5.1f})"
            )


if __name__ == "__main__":
    main()
