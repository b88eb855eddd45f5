"""Two threads against one, by the clock on the wall."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial

from benchmarks import sets
from benchmarks.lines import Line, versus
from benchmarks.streams import sparse_text
from benchmarks.timing import in_turns
from benchmarks.work import EPOCHS, Work, averaged, last
from novikoff.streams import fit_stream

BOTH = last(n_jobs=2), last(n_jobs=1)
WORKS = [
    Work(f"two threads, {name}", rows, *BOTH, required, clock=time.perf_counter)
    for name, rows, required in [
        ("MNIST, ten classes", sets.digits_of_mnist, 1.6),
        ("MNIST, 8 against the rest", sets.eight, 0.95),
        ("covtype, standardised", sets.scaled_covtype, 0.95),
        ("a9a, CSR", sets.a9a, 0.95),
        ("digits, ten classes", sets.digits, 0.95),
    ]
]


def tasks(repeat: int) -> dict[str, Callable[[], Line]]:
    """What is measured, in `repeat` turns each."""
    return {
        **{work.name: partial(work.measured, repeat) for work in WORKS},
        "two threads, IMDB counts, averaged, epochs 3 to 12": partial(later_epochs, repeat),
        "two threads, LIBSVM text, five passes": partial(text, repeat),
    }


def later_epochs(repeat: int) -> Line:
    """From the third epoch on: twelve epochs less the first two."""
    X, y = sets.imdb()
    runs = [
        partial(averaged(n_jobs=n_jobs).set_params(max_iter=epochs).fit, X, y)
        for epochs in (EPOCHS + 2, 2)
        for n_jobs in (2, 1)
    ]
    runs[0]()  # compiles
    times = in_turns(*runs, repeat=repeat, clock=time.perf_counter)
    return versus("our own, one thread", 1.6, times[:, :2] - times[:, 2:])


def text(repeat: int) -> Line:
    """Text is always parsed on threads of its own: both processors against one."""
    if not hasattr(os, "sched_setaffinity"):
        raise ImportError("this system does not let a process choose its processors")
    path, both = sparse_text()[0], os.sched_getaffinity(0)

    def run(processors: set[int]) -> None:
        os.sched_setaffinity(0, processors)
        try:
            fit_stream(last(), path, epochs=5)
        finally:
            os.sched_setaffinity(0, both)

    run(both)  # compiles
    runs = [partial(run, both), partial(run, {min(both)})]
    times = in_turns(*runs, repeat=repeat, clock=time.perf_counter)
    return versus("our own, one processor", 1.6, times)
