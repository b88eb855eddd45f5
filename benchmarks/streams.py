"""From a file to a model: against Vowpal Wabbit, pandas and scikit-learn; memory; start-up.

Files are generated once into a temporary folder. Vowpal Wabbit reads the same numbers in its own
format; it parses on one thread and learns on another, and so many may we use.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import data
from benchmarks.lines import Line, at_most, versus
from benchmarks.timing import in_turns
from novikoff import AveragedPerceptron, Perceptron
from novikoff.streams import TableOptions, fit_stream, open_source

_FOLDER = tempfile.TemporaryDirectory(prefix="novikoff-bench-")


def tasks(repeat: int) -> dict[str, Callable[[], Line]]:
    """What is measured, `repeat` times each."""
    return {
        "LIBSVM text, one pass": partial(against_vw, 1, 2.0, repeat),
        "LIBSVM text, five passes": partial(against_vw, 5, 3.0, repeat),
        "CSV, 1 000 000 x 30, to averaged model": partial(csv_to_model, repeat),
        "LIBSVM text of 2 GB, peak memory": peak_memory,
        "novikoff --help": partial(help_time, repeat),
    }


@cache
def sparse_text() -> tuple[Path, Path]:
    """100 000 x 50 000 with 75 non-zeros a row, as LIBSVM text and as Vowpal Wabbit's."""
    X, y = data.sparse_classes(100_000, 50_000, 75, 2)
    values = np.random.RandomState(1).random(X.nnz)
    ours, theirs = Path(_FOLDER.name) / "data.libsvm", Path(_FOLDER.name) / "data.vw"
    with ours.open("w") as libsvm, theirs.open("w") as vw:
        for i, label in enumerate(np.where(y == 1, "1", "-1")):
            span = slice(X.indptr[i], X.indptr[i + 1])
            pairs = zip(X.indices[span].tolist(), values[span].tolist(), strict=True)
            row = " ".join(f"{j + 1}:{v:.6f}" for j, v in pairs)
            libsvm.write(f"{label} {row}\n")
            vw.write(f"{label} | {row}\n")
    return ours, theirs


def against_vw(passes: int, required: float, repeat: int) -> Line:
    from vowpalwabbit import Workspace

    ours, theirs = sparse_text()
    arguments = ["-d", str(theirs), "--loss_function", "hinge", "--quiet"]
    if passes > 1:
        arguments += ["--passes", str(passes), "-c", "-k", "--holdout_off"]
    fit_stream(Perceptron(), ours, epochs=2)  # compiles
    times = in_turns(
        lambda: fit_stream(Perceptron(), ours, epochs=passes),
        lambda: Workspace(arg_list=arguments).finish(),
        repeat=repeat,
        clock=time.perf_counter,
    )
    line = versus("vw", required, times)
    return {**line, "bytes_per_second": passes * ours.stat().st_size / line["seconds"]}


@cache
def dense_csv() -> Path:
    import polars

    random = np.random.default_rng(0)
    X = random.normal(size=(1_000_000, 30))
    y = (X @ random.normal(size=30) + random.normal(size=1_000_000) > 0).astype(int)
    path = Path(_FOLDER.name) / "data.csv"
    columns = {f"x{j}": X[:, j] for j in range(30)}
    polars.DataFrame({**columns, "y": y}).write_csv(path)
    return path


def csv_to_model(repeat: int) -> Line:
    """Ten epochs, standardised, against a table in memory and scikit-learn's defaults."""
    import pandas
    from sklearn.linear_model import SGDClassifier

    path = dense_csv()

    def theirs() -> None:
        table = pandas.read_csv(path)
        SGDClassifier().fit(table.drop(columns="y"), table["y"])

    def mine(**more: Any) -> None:
        table = open_source(path, options=TableOptions(target="y"))
        table.pipeline(fit_stream(AveragedPerceptron(), table, **more))

    mine(epochs=1)  # compiles
    times = in_turns(mine, theirs, repeat=repeat, clock=time.perf_counter)
    return versus("pandas, SGDClassifier", 1.0, times)


_STREAM = """
import sys
from novikoff import AveragedPerceptron
from novikoff.streams import fit_stream
fit_stream(AveragedPerceptron(), sys.argv[1], epochs=2)
# Not ru_maxrss, which begins with the size of the process that this one was forked from.
print(next(int(line.split()[1]) / 1024 for line in open("/proc/self/status") if "VmHWM" in line))
"""


def peak_memory() -> Line:
    """MB in use at most, the interpreter and all libraries included; two epochs.

    What the compiler takes in the first run after an installation is not counted.
    """
    fit_stream(AveragedPerceptron(), sparse_text()[0], epochs=2)  # compiles
    once = sparse_text()[0].read_bytes()
    path = Path(_FOLDER.name) / "large.libsvm"
    with path.open("wb") as file:
        for _ in range(-(-2_000_000_000 // len(once))):
            file.write(once)
    done = subprocess.run(
        [sys.executable, "-c", _STREAM, str(path)], capture_output=True, text=True, check=True
    )
    path.unlink()
    return at_most("-", 400.0, float(done.stdout), "MB")


def help_time(repeat: int) -> Line:
    command = [sys.executable, "-m", "novikoff", "--help"]
    run = partial(subprocess.run, command, capture_output=True, check=True)
    seconds = float(in_turns(run, repeat=2 * repeat + 1, clock=time.perf_counter).min())
    return at_most("-", 0.5, seconds, "s")
