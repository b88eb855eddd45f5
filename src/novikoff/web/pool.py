"""A few workers: every question gets one for itself, and a worker that is too slow is abandoned.

Certificates are exact, so some question may take for ever. A thread cannot be stopped from outside,
a process can: it is killed, and a new one gets ready in the background.
"""

from __future__ import annotations

import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from novikoff.web.questions import MOST_SECONDS
from novikoff.web.worker import FAILED, HEAD, READY, REFUSED, WARM, read_exactly, write_message

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


class Worker:
    """One process."""

    def __init__(self) -> None:
        self._answers: queue.Queue[tuple[int, bytes] | None] = queue.Queue()
        with _no_interrupts():
            self._process = subprocess.Popen(
                [sys.executable, "-m", "novikoff.web.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
        threading.Thread(target=self._listen, daemon=True).start()

    def ask(self, job: str, question: bytes, seconds: float) -> bytes:
        """The answer as JSON. After anything but an answer or RefusedError it must be killed."""
        assert self._process.stdin is not None
        name = job.encode("ascii")
        try:
            write_message(self._process.stdin, len(name), name, question)
        except (OSError, ValueError):  # ValueError: the pipe is closed, because the pool is
            raise BrokenError("the worker has died") from None
        try:
            found = self._answers.get(timeout=seconds)
        except queue.Empty:
            raise TooSlowError from None
        if found is None:
            self._answers.put(None)  # for whoever asks next: it stays dead
            raise BrokenError("the worker has died")
        how, body = found
        if how == REFUSED:
            raise RefusedError(body.decode("utf-8"))
        if how == FAILED:
            raise BrokenError(body.decode("utf-8"))
        return body

    def kill(self) -> None:
        """End it, whatever it is doing."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                # What was left to be written has no reader, or somebody is just writing it.
                with suppress(OSError, ValueError):
                    pipe.close()

    def _listen(self) -> None:
        out = self._process.stdout
        assert out is not None
        try:
            while True:
                how, length = HEAD.unpack(read_exactly(out, HEAD.size))
                self._answers.put((how, read_exactly(out, length)))
        except (EOFError, OSError, ValueError):
            self._answers.put(None)


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """A process started meanwhile never hears Ctrl-C, not even before it can say so itself."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


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

    def ask(self, job: str, question: bytes) -> bytes:
        """The answer to a question, both as JSON.

        Raises
        ------
        RefusedError, TooSlowError, BusyError, BrokenError
        """
        worker = self._take()
        try:
            found = worker.ask(job, question, self.seconds)
        except RefusedError:
            self._idle.put(worker)
            raise
        except (TooSlowError, BrokenError):
            self._replace(worker)
            raise
        self._idle.put(worker)
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
        first = self._add(READY)
        for _ in range(1, self._n_workers):
            self._add(READY, WARM)
        idle = []
        with suppress(queue.Empty):
            while first not in idle:
                idle.append(self._idle.get_nowait())
        for worker in idle:
            if worker is not first:
                self._idle.put(worker)
        if first is not None and first in idle:
            self._prepare(first, WARM)

    def _add(self, *jobs: str) -> Worker | None:
        with self._lock:
            if self._closed:
                return None
            worker = Worker()
            self._all.add(worker)
        self._prepare(worker, *jobs)
        return worker

    def _prepare(self, worker: Worker, *jobs: str) -> None:
        # If something is wrong, it will be said in answer to a question.
        with suppress(TooSlowError, BrokenError):
            for job in jobs:
                worker.ask(job, b"", GETTING_READY)
        self._idle.put(worker)
        self.ready.set()

    def _replace(self, worker: Worker) -> None:
        with self._lock:
            self._all.discard(worker)
        worker.kill()
        self._in_background(self._add, READY)

    def _in_background(self, work: Callable[..., object], *arguments: str) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        with self._lock:
            if self._closed:
                return
            self._threads = [known for known in self._threads if known.is_alive()] + [thread]
            thread.start()
