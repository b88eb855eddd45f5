"""Parameter mixing on Dask: what a round costs beyond computing, and what mixing costs in accuracy.

``python -m benchmarks.mixing`` prints the table of docs/distributed.md: the time per round on one
and two worker processes beside a serial epoch, and the cost model fitted to them.
"""

from __future__ import annotations

import logging
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import scipy.sparse as sp

from benchmarks import data, sets
from benchmarks.lines import Line, at_most
from novikoff import AveragedPerceptron
from novikoff.distributed import ParameterMixing

ROUNDS, SHARDS = 10, 8
MOST_MS, MOST_POINTS = 50.0, 0.5


def tasks(repeat: int) -> dict[str, Callable[[], Line]]:
    """What is measured, `repeat` times each."""
    lines: dict[str, Callable[[], Line]] = {
        f"Dask round beyond computing, {p} worker{'s' * (p > 1)}": partial(overhead, p, repeat)
        for p in (1, 2)
    }
    for name in ("a9a", "covtype", "IMDB", "IMDB, log counts"):
        lines[f"Dask, accuracy lost on {SHARDS} shards, {name}"] = partial(accuracy, name)
    return lines


@contextmanager
def workers(n: int) -> Iterator[Any]:
    """A cluster of `n` single-threaded worker processes on this machine."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=n, threads_per_worker=1, memory_limit=0, dashboard_address="127.0.0.1:0",
            silence_logs=logging.ERROR,
        ) as cluster,
        Client(cluster) as client,
    ):  # fmt: skip
        yield client


def rounds(client: Any, shards: list[Any], n: int) -> Any:
    """(n - 2, 2): milliseconds of each round, and those that its busiest worker computed.

    The first two compile, and make what later ones use; they are left out.
    """
    model = ParameterMixing(AveragedPerceptron(), rounds=n, client=client).fit(shards)
    return 1e3 * model.round_seconds_[2:]


def sparse_shards(n_shards: int, width: int, rows: int = 20_000) -> list[Any]:
    """75 non-zeros a row; labels drawn, so that no round is soon the last."""
    X = data.sparse_classes(rows, width, 75, 2)[0].astype(np.float64)
    y = np.random.RandomState(0).randint(0, 2, rows)
    return [(X[i::n_shards], y[i::n_shards]) for i in range(n_shards)]


def overhead(n_workers: int, repeat: int) -> Line:
    """Milliseconds of a round less those that its busiest worker computed; d = 50 000, the best."""
    with workers(n_workers) as client, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        shards = sparse_shards(SHARDS, 50_000)
        times = rounds(client, shards, 2 + 10 * repeat)
    return at_most("-", MOST_MS, float((times[:, 0] - times[:, 1]).min()), "ms")


def accuracy(name: str) -> Line:
    """Points of test accuracy that ten rounds lose against ten serial epochs, both averaged."""
    X, y, X_test, y_test = sets.split(name)
    serial = AveragedPerceptron(max_iter=ROUNDS).fit(X, y).score(X_test, y_test)
    cuts = [len(y) * i // SHARDS for i in range(SHARDS + 1)]
    shards = [(X[a:b], y[a:b]) for a, b in pairwise(cuts)]
    with workers(2) as client:
        mixed = ParameterMixing(AveragedPerceptron(), rounds=ROUNDS, client=client).fit(shards)
    found = mixed.score(X_test, y_test)
    line = at_most("serial averaged", MOST_POINTS, 100 * (serial - found), "pt")
    return {**line, "serial": serial, "mixed": found}


def table() -> None:
    """Seconds per round for several widths and numbers of shards, and a model of them."""
    lines, targets = [], []
    print(" p shards        d    epoch    round  busiest   beyond  (ms)")
    for p in (1, 2):
        with workers(p) as client, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for n_shards in (p, 8):
                for width in (1_000, 50_000, 1_000_000):
                    shards = sparse_shards(n_shards, width)
                    X, y = sp.vstack([X for X, _ in shards]), np.concatenate([y for _, y in shards])
                    epoch = _serial_epoch(X.tocsr(), y)
                    times = rounds(client, shards, 22)
                    whole, busy = times.min(axis=0)
                    beyond = (times[:, 0] - times[:, 1]).min()
                    print(f"{p:>2} {n_shards:>6} {width:>8} {1e3 * epoch:>8.1f} {whole:>8.1f} "
                          f"{busy:>8.1f} {beyond:>8.1f}", flush=True)  # fmt: skip
                    megabytes = 16e-6 * width  # theta and its sum, in doubles
                    lines.append([1.0, p - 1.0, megabytes, megabytes * n_shards / p])
                    targets.append(beyond)
    # Least squares of relative errors. Up to FAN_IN workers there is one level of sums, or none.
    weighed = np.array(lines) / np.array(targets)[:, None]
    (fixed, level, moved, added), *_ = np.linalg.lstsq(weighed, np.ones(len(lines)), rcond=None)
    print(
        f"beyond = {fixed:.1f} ms + {level:.1f} per level of sums + {moved:.1f} per MB moved + "
        f"{added:.1f} per MB and shard of a worker"
    )


def _serial_epoch(X: Any, y: Any) -> float:
    """Seconds of an epoch of `fit`, from the difference of two fits."""
    times = []
    for n in (2, 12, 2, 12):
        began = time.perf_counter()
        AveragedPerceptron(max_iter=n).fit(X, y)
        times.append(time.perf_counter() - began)
    return (min(times[1], times[3]) - min(times[0], times[2])) / 10


if __name__ == "__main__":
    table()
