"""Taking times on a machine whose speed wavers."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Any

import numpy as np

ENOUGH = 2.0  # seconds; what takes less is measured more often
MOST = 5  # times as often, at most
LONG = 0.5  # seconds, after which a virtual machine may have handed on the memory given back to it
Clock = Callable[[], float]


def in_turns(*runs: Callable[[], Any], repeat: int, clock: Clock = time.process_time) -> np.ndarray:
    """(turns, runs): seconds of each run, in `repeat` turns or more.

    They take turns: a machine that is slow for a minute is then slow for all of them. The default
    clock counts what this process computes, on all its threads, and no neighbour's work; what uses
    several threads or another process is timed with `time.perf_counter`. After a long run the next
    one finds memory at hand: fetching it anew, from whoever lent the machine, takes longer than
    many a fit, and is nobody's work.
    """
    times: list[list[float]] = []
    begin = before = time.perf_counter()
    while len(times) < repeat or (
        len(times) < MOST * repeat and time.perf_counter() - begin < ENOUGH
    ):
        turn = []
        for run in runs:
            gc.collect()
            if time.perf_counter() - before > LONG:
                np.ones(2**24)  # 128 MiB, given back at once
            before, began = time.perf_counter(), clock()
            run()
            turn.append(clock() - began)
        times.append(turn)
    return np.array(times)
