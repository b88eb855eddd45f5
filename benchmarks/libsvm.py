"""The parser of LIBSVM text alone, on one thread, against scikit-learn's in the same run."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np
from sklearn.datasets import load_svmlight_file

from benchmarks.lines import Line
from novikoff.streams.bytes import open_bytes
from novikoff.streams.libsvm import LibsvmText

FORMATS: dict[str, Callable[[float], str]] = {"six decimals": "{:.6f}".format, "repr": repr}


def tasks(repeat: int) -> dict[str, Callable[[], Line]]:
    """What is measured, ours `repeat` times each and scikit-learn's once."""
    return {
        f"LIBSVM text, values as {name}": partial(speed, form, repeat)
        for name, form in FORMATS.items()
    }


@contextmanager
def written(
    form: Callable[[float], str], n: int = 100_000, d: int = 50_000, per_row: int = 75
) -> Iterator[Path]:
    """A file of n rows with `per_row` of d columns each, uniform in [0, 1); gone afterwards."""
    random = np.random.RandomState(0)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "generated.libsvm"
        with path.open("w") as file:
            for _ in range(n):
                columns = np.unique(random.randint(1, d + 1, 2 * per_row))
                columns = np.sort(random.permutation(columns)[:per_row])
                pairs = zip(columns.tolist(), random.random_sample(per_row).tolist(), strict=True)
                label = "+1" if random.random_sample() < 0.5 else "-1"
                file.write(f"{label} {' '.join(f'{j}:{form(x)}' for j, x in pairs)}\n")
        yield path


def speed(form: Callable[[float], str], repeat: int) -> Line:
    """MB/s of one thread; both must read the same numbers."""
    with written(form) as path:
        megabytes = path.stat().st_size / 1e6
        times = []
        for _ in range(repeat + 1):  # the first compiles
            began = time.perf_counter()
            total = sum(X.data.sum() for X, _ in LibsvmText(open_bytes(path), n_threads=1).blocks())
            times.append(time.perf_counter() - began)
        began = time.perf_counter()
        X, _ = load_svmlight_file(str(path))
        peer = time.perf_counter() - began
    if not np.isclose(total, X.data.sum(), rtol=1e-12):
        raise AssertionError("the two readers disagree")
    value = megabytes / min(times[1:])
    return {
        "against": f"scikit-learn, {megabytes / peer:.0f} MB/s", "required": 400.0, "value": value,
        "unit": "MB/s", "peer_value": megabytes / peer, "met": value >= 400.0,
    }  # fmt: skip
