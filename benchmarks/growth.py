"""``python -m benchmarks.growth``: time and memory against rows, features, classes and epochs.

Ours and scikit-learn's on generated rows whose classes overlap, one of the four numbers growing
while the others stay. Writes ``docs/pictures/growth.json``, from which the documentation draws its
picture, and prints what doubling each number costs.
"""

from __future__ import annotations

import argparse
import json
import tracemalloc
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.machine import machine, versions
from benchmarks.sets import Rows
from benchmarks.timing import in_turns
from benchmarks.work import last, their_last

TARGET = Path(__file__).resolve().parents[1] / "docs" / "pictures" / "growth.json"
USUAL = {"rows": 4_000, "features": 50, "classes": 2, "epochs": 10}
GROWING = {
    "rows": [1_000, 4_000, 16_000, 64_000, 256_000, 1_024_000],
    "features": [16, 64, 256, 1_024, 4_096, 16_384],
    "classes": [2, 4, 8, 16, 32, 64, 128],
    "epochs": [1, 4, 16, 64, 256, 1_024],
}
KINDS: dict[str, Callable[[], Any]] = {"novikoff": last, "scikit-learn": their_last}
TURNS = 3


def generated(rows: int, features: int, classes: int) -> Rows:
    """The class is that of the largest of some noisy linear scores."""
    random = np.random.RandomState(0)
    X = random.standard_normal((rows, features))
    scores = X @ random.standard_normal((features, classes)) / np.sqrt(features)
    return X, np.argmax(scores + 0.3 * random.standard_normal(scores.shape), axis=1)


def measured(rows: int, features: int, classes: int, epochs: int) -> dict[str, dict[str, float]]:
    """Per kind, the CPU seconds of a fit, and the MB it allocates at its peak beside the rows."""
    X, y = generated(rows, features, classes)
    fits = [partial(kind().set_params(max_iter=epochs).fit, X, y) for kind in KINDS.values()]
    fits[0]()  # compiles
    seconds = np.median(in_turns(*fits, repeat=TURNS), axis=0)
    return {
        kind: {"seconds": float(taken), "megabytes": peak(fit)}
        for kind, fit, taken in zip(KINDS, fits, seconds, strict=True)
    }


def peak(run: Callable[[], Any]) -> float:
    """MB allocated at most while it runs."""
    tracemalloc.start()
    run()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most / 1e6


def doubling(sizes: list[int], amounts: list[float]) -> float:
    """Times as much for twice the size, by the last three: there the fixed costs matter least."""
    slope = np.polyfit(np.log(sizes[-3:]), np.log(amounts[-3:]), 1)[0]
    return float(2**slope)


def main(arguments: list[str] | None = None) -> None:
    """Measure, and write `docs/pictures/growth.json`."""
    argparse.ArgumentParser(
        prog="python -m benchmarks.growth", description=main.__doc__
    ).parse_args(arguments)
    warnings.simplefilter("ignore")
    threadpool_limits(1)
    curves: dict[str, Any] = {}
    for what, sizes in GROWING.items():
        found = [measured(**{**USUAL, what: size}) for size in sizes]
        curves[what] = {"sizes": sizes}
        for kind in KINDS:
            for amount in ("seconds", "megabytes"):
                values = [point[kind][amount] for point in found]
                cost = doubling(sizes, values)
                curve = {"values": values, "doubling": cost}
                curves[what].setdefault(kind, {})[amount] = curve
                print(f"{what:<9} {kind:<13} {amount:<10} {cost:5.2f} times for twice", flush=True)
    result = {"machine": machine(), "versions": versions(), "usual": USUAL, "curves": curves}
    TARGET.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
