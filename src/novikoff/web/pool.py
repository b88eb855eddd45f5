"""A few workers: every question gets one for itself, and a worker that is too slow is abandoned.

Certificates are exact, so some question may take for ever. A thread cannot be stopped from outside,
a process can: it is killed, and a new one gets ready in the background.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from novikoff.analysis.worker import Worker
from novikoff.web.questions import MOST_SECONDS

JOBS = "novikoff.web.jobs"
MOST_WAITING = 20.0  # seconds for a free worker, once the first is ready
GETTING_READY = 600.0  # the first run of all compiles the kernels
ENDING = 5.0


class TooSlowError(Exception):
    """The answer did not come in time."""


class BusyError(Exception):
    """There is no worker free."""


class RefusedError(ValueError):
    """The library cannot do what was asked; the message says why."""


class BrokenError(RuntimeError):
    """The worker failed."""


_TROUBLE = {"refused": RefusedError, "late": TooSlowError, "failed": BrokenError}


class Pool:
    """The workers of a server."""

    def __init__(self, n_workers: int = 2, seconds: float = MOST_SECONDS) -> None:
        self.seconds = seconds
        self.ready = threading.Event()  # whether the first worker has been ready
        self._n_workers = n_workers
        self._idle: queue.Queue[Worker] = queue.LifoQueue()  # the last one remembers the points
        self._all: set[Worker] = set()
        self._threads: list[threading.Thread] = []  # that get workers ready
        self._lock = threading.Lock()
        self._closed = False

    def start(self) -> None:
        """Start the workers in the background, one after the other: the first compiles for all."""
        self._in_background(self._start_all)

    def ask(self, job: str, question: str) -> bytes:
        """The answer to a question, both as JSON.

        Raises
        ------
        RefusedError, TooSlowError, BusyError, BrokenError
        """
        worker = self._take()
        worker.ask(JOBS, job=job, text=question, seconds=self.seconds)
        found = b"".join(worker.lines(self.seconds))
        status, error = worker.status, worker.error
        if status in ("done", "refused"):
            self._idle.put(worker)
        else:
            self._replace(worker)
        if status != "done":
            raise _TROUBLE[status](error)
        return found

    def close(self) -> None:
        """End all workers, and whatever was getting them ready."""
        with self._lock:
            self._closed = True
            workers, self._all = list(self._all), set()
            threads, self._threads = self._threads, []
        self.ready.set()  # nobody is to wait any longer
        for worker in workers:
            worker.kill()
        for thread in threads:  # their workers are gone, so they end at once
            thread.join(ENDING)

    def _take(self) -> Worker:
        """A worker that is free; until the first has been ready, waiting is for it."""
        if not self.ready.wait(GETTING_READY):
            raise BusyError
        deadline = time.monotonic() + MOST_WAITING
        while not self._closed and time.monotonic() < deadline:
            with suppress(queue.Empty):
                return self._idle.get(timeout=0.2)
        raise BusyError

    def _start_all(self) -> None:
        """The first is there for the first question as soon as possible, the others warm."""
        first = self._add()
        for _ in range(1, self._n_workers):
            self._add(everything=True)
        idle = []
        with suppress(queue.Empty):
            while first not in idle:
                idle.append(self._idle.get_nowait())
        for worker in idle:
            if worker is not first:
                self._idle.put(worker)
        if first is not None and first in idle:
            self._prepare(first, everything=True)

    def _add(self, *, everything: bool = False) -> Worker | None:
        with self._lock:
            if self._closed:
                return None
            worker = Worker()
            self._all.add(worker)
        self._prepare(worker, everything=everything)
        return worker

    def _prepare(self, worker: Worker, *, everything: bool) -> None:
        worker.prepare(JOBS, everything=everything)
        worker.ready(GETTING_READY)  # if not, it will say what is wrong in answer to a question
        self._idle.put(worker)
        self.ready.set()

    def _replace(self, worker: Worker) -> None:
        with self._lock:
            self._all.discard(worker)
        worker.kill()
        self._in_background(self._add)

    def _in_background(self, work: Callable[[], object]) -> None:
        thread = threading.Thread(target=work, daemon=True)
        with self._lock:
            if self._closed:
                return
            self._threads = [known for known in self._threads if known.is_alive()] + [thread]
            thread.start()
