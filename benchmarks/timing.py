"""Taking times on a machine whose speed wavers."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Any

ENOUGH = 5.0  # seconds; what takes less is measured more often
MOST = 5  # times as often, at most


def best(*runs: Callable[[], Any], repeat: int) -> list[float]:
    """Seconds of each run, the best of `repeat` turns or more.

    They take turns: a machine that is slow for a minute is then slow for all of them.
    """
    times: list[list[float]] = [[] for _ in runs]
    begin, turns = time.perf_counter(), 0
    while turns < repeat or (turns < MOST * repeat and time.perf_counter() - begin < ENOUGH):
        for run, taken in zip(runs, times, strict=True):
            gc.collect()
            began = time.perf_counter()
            run()
            taken.append(time.perf_counter() - began)
        turns += 1
    return [min(taken) for taken in times]
