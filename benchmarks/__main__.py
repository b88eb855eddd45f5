"""``make bench``: speed and memory against scikit-learn and others, as a table and as JSON.

The first lines compare two fits in this process: the same data, the same order of rows, the same
number of epochs, one thread, in turns, the best of three or more after a warm-up. The others time
what has a limit. Ratios are what counts; times depend on the machine and its neighbours.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tracemalloc
import warnings
from collections.abc import Callable
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit
from sklearn.linear_model import Perceptron as TheirPerceptron
from sklearn.linear_model import SGDClassifier
from threadpoolctl import threadpool_limits

import novikoff
from benchmarks import data, libsvm, mixing, playground, separation, streams
from benchmarks.lines import Line, at_most
from benchmarks.timing import best

EPOCHS = 10
PACKAGES = (
    "novikoff", "scikit-learn", "numpy", "numba", "pandas", "polars", "vowpalwabbit", "distributed",
)  # fmt: skip


def machine() -> str:
    """The processor and how many of its cores there are."""
    described = Path("/proc/cpuinfo")
    lines = described.read_text().splitlines() if described.exists() else []
    models = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    return f"{[*models, platform.machine()][0]}, {os.cpu_count()} cores"


def versions() -> dict[str, str]:
    """The packages that are measured here, where they are installed."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


@njit(fastmath={"reassoc"})
def _sum(values: np.ndarray) -> float:
    total = np.float32(0)
    for i in range(values.shape[0]):
        total += values[i]
    return total


def read_bandwidth(repeat: int) -> float:
    """Bytes per second that one thread can read from memory."""
    values = np.ones(50_000_000, np.float32)
    _sum(values[:10])
    return values.nbytes / best(lambda: _sum(values), repeat=repeat)[0]


def ours(kind: str, **more: Any) -> Any:
    return getattr(novikoff, kind)(order="cyclic", max_iter=EPOCHS, **more)


def their_perceptron() -> Any:
    return TheirPerceptron(shuffle=False, tol=None, max_iter=EPOCHS)


def their_average() -> Any:
    return SGDClassifier(
        loss="perceptron", penalty=None, learning_rate="constant", eta0=1.0, average=True,
        shuffle=False, tol=None, max_iter=EPOCHS,
    )  # fmt: skip


def compare(kind: str, X: Any, y: Any, theirs: Any, at_least: float, repeat: int) -> Line:
    model = ours(kind)
    ours(kind).set_params(max_iter=1).fit(X, y)  # compiles
    mine, peer = best(lambda: model.fit(X, y), lambda: theirs.fit(X, y), repeat=repeat)
    size = X.data.nbytes + X.indices.nbytes if hasattr(X, "indices") else X.nbytes
    return {
        "against": type(theirs).__name__, "required": at_least, "value": peer / mine, "unit": "x",
        "seconds": mine, "peer_seconds": peer, "bytes_per_second": size * model.n_iter_ / mine,
        "met": peer / mine >= at_least,
    }  # fmt: skip


def eight(dtype: Any, required: float, repeat: int) -> Line:
    X, y, _ = data.mnist()
    y = (y == 8).astype(int)
    return compare("Perceptron", X.astype(dtype), y, their_perceptron(), required, repeat)


def ten_classes(kind: str, theirs: Any, required: float, repeat: int) -> Line:
    X, y, _ = data.mnist()
    return compare(kind, X.astype(np.float32), y, theirs, required, repeat)


def voted(repeat: int) -> Line:
    X, y, _ = data.mnist()
    X, y = X.astype(np.float32), (y == 8).astype(int)
    kinds = ("Perceptron", "VotedPerceptron")
    for kind in kinds:
        ours(kind).fit(X, y)  # compiles
    last, all_of_them = best(*(partial(ours(kind).fit, X, y) for kind in kinds), repeat=repeat)
    return at_most("our own last", 1.3, all_of_them / last)


def covtype(repeat: int) -> Line:
    X, y, _ = data.covtype()
    return compare("Perceptron", X, y, their_perceptron(), 2.0, repeat)


def imdb(kind: str, theirs: Any, required: float, repeat: int) -> Line:
    X, y, _ = data.imdb()
    return compare(kind, X, y, theirs, required, repeat)


def twenty_sparse_classes(repeat: int) -> Line:
    X, y = data.sparse_classes(100_000, 50_000, 75, 20)
    return compare("Perceptron", X, y, their_perceptron(), 5.0, min(repeat, 2))


def tasks(n: int) -> dict[str, Callable[[], Line]]:
    """What is measured, `n` times each."""
    single, double, byte = np.float32, np.float64, np.uint8
    return {
        "MNIST, 8 against the rest, float32": lambda: eight(single, 5.0, n),
        "MNIST, 8 against the rest, float64": lambda: eight(double, 2.5, n),
        "MNIST, 8 against the rest, uint8": lambda: eight(byte, 5.0, n),
        "MNIST, 10 classes one-vs-rest, float32": lambda: ten_classes(
            "Perceptron", their_perceptron(), 10.0, n
        ),
        "MNIST, 10 classes one-vs-rest, averaged": lambda: ten_classes(
            "AveragedPerceptron", their_average(), 15.0, min(n, 2)
        ),
        "covtype, class 2 against the rest, int16": lambda: covtype(n),
        "IMDB counts, CSR float32": lambda: imdb("Perceptron", their_perceptron(), 1.4, n),
        "IMDB counts, CSR float32, averaged": lambda: imdb(
            "AveragedPerceptron", their_average(), 3.0, n
        ),
        "20 classes, 100 000 x 50 000 CSR": lambda: twenty_sparse_classes(n),
        "voted training, MNIST float32": lambda: voted(n),
        "extra memory, fitting MNIST float32": lambda: at_most("-", 64.0, extra_memory(), "MB"),
        "import novikoff": lambda: at_most(
            "import sklearn.linear_model",
            1.3,
            import_time("novikoff.estimators.perceptron", n)
            / import_time("sklearn.linear_model", n),
        ),
        **separation.tasks(),
        **libsvm.tasks(n),
        **streams.tasks(n),
        **mixing.tasks(n),
        **playground.tasks(n),
    }


def fresh_python(code: str) -> str:
    """What `code` prints in a new process."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True
    )
    return done.stdout


def extra_memory() -> float:
    """MB allocated at the peak of a fit of MNIST in float32."""
    X, y, _ = data.mnist()
    X, y = X.astype(np.float32), (y == 8).astype(int)
    ours("Perceptron").fit(X, y)  # compiles
    tracemalloc.start()
    ours("Perceptron").fit(X, y)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / 2**20


def import_time(module: str, repeat: int) -> float:
    """Seconds, the best of several processes after one that warms the page cache."""
    code = f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
    return min(float(fresh_python(code)) for _ in range(2 * repeat + 1))


def shown(work: str, line: Line, bandwidth: float) -> str:
    required = "" if line["required"] is None else f">= {line['required']}"
    if line.get("at_most"):
        required = f"<= {line['required']}"
    share = ""
    if "bytes_per_second" in line:
        share = f"{100 * line['bytes_per_second'] / bandwidth:.0f} %"
    mark = "" if line["met"] else "  short"
    return (
        f"{work:<46} {line['against']:<28} {line['value']:7.2f} {line['unit']:<3} "
        f"{required:<9} {share:>7}{mark}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--repeat", type=int, default=3, help="fits per line, the best counts")
    parser.add_argument("--only", default="", help="only lines whose text contains this")
    default = Path(__file__).parent / "results" / "latest.json"
    parser.add_argument("--json", type=Path, default=default, help="where the numbers go")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    threadpool_limits(1)

    bandwidth = read_bandwidth(options.repeat)
    print(
        f"One thread reads {bandwidth / 1e9:.1f} GB/s. {EPOCHS} epochs, best of {options.repeat}."
    )
    print(f"{'work':<46} {'against':<28} {'value':>7}     {'required':<9} bandwidth")
    lines = []
    for work, run in tasks(options.repeat).items():
        if options.only in work:
            line = run()
            lines.append({"work": work, **line})
            print(shown(work, line, bandwidth), flush=True)
    options.json.parent.mkdir(parents=True, exist_ok=True)
    result = {
        "machine": machine(),
        "versions": versions(),
        "data": [data.mnist()[2], data.covtype()[2], data.imdb()[2]],
        "read_bandwidth": bandwidth, "epochs": EPOCHS, "lines": lines,
    }  # fmt: skip
    options.json.write_text(json.dumps(result, indent=1, default=float) + "\n")


if __name__ == "__main__":
    main()
