"""How long an answer may take, and what it says meanwhile.

A search asks its clock between steps. A step in native code (a linear program, an exact solve)
hears neither the clock nor Ctrl-C; one that may take long is taken in a copy of the process, which
can be ended at any time.
"""

from __future__ import annotations

import signal
import sys
import time
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from functools import cache
from numbers import Real
from typing import TYPE_CHECKING, Any, TypeVar

from novikoff._messages import Message, Setting

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

T = TypeVar("T")

TICK = 0.05  # seconds between looks at the clock while a copy works
LONG = 1e9  # operations; what takes less is not worth a copy


def one_thread() -> AbstractContextManager[Any]:
    """Linear algebra on one thread meanwhile: more cost more than they save here."""
    return _libraries().limit(limits=1, user_api="blas")  # type: ignore[no-any-return]  # untyped


@cache
def _libraries() -> Any:
    import scipy.linalg  # noqa: F401 - it brings one of them
    from threadpoolctl import ThreadpoolController  # comes with scikit-learn

    return ThreadpoolController()


class OutOfTime(Exception):
    """The time limit is reached; what is known so far is with whoever asked."""


class Clock:
    """A limit on the time from now on, and a voice.

    time_limit : float or None
        Seconds; None for no limit.
    verbose : int
        If not 0, every step is announced.
    """

    def __init__(self, time_limit: float | None = None, verbose: int = 0) -> None:
        limited = isinstance(time_limit, Real) and not isinstance(time_limit, bool)
        if time_limit is not None and not (limited and time_limit > 0.0):
            what = ": the limit is a positive number of seconds, or None."
            raise ValueError(Message(Setting("time_limit", time_limit), what))
        self.time_limit, self.verbose = time_limit, verbose
        self._began = time.monotonic()

    @property
    def seconds(self) -> float:
        """How long it has run."""
        return time.monotonic() - self._began

    @property
    def over(self) -> bool:
        """Whether the time is up."""
        return self.time_limit is not None and self.seconds >= self.time_limit

    def check(self) -> None:
        """Raise OutOfTime if the time is up."""
        if self.over:
            raise OutOfTime

    def say(self, what: str) -> None:
        """Announce the next step, if the time is not up."""
        self.check()
        if self.verbose:
            print(f"{self.seconds:7.1f} s  {what}", flush=True)

    def apart(self, operations: float, function: Callable[..., T], *args: Any) -> T:
        """function(*args), where Ctrl-C and the time limit can end it.

        operations : about how many it takes; a few are taken here and now
        """
        self.check()
        if operations < LONG or not _can_copy():
            return function(*args)
        import multiprocessing

        context = multiprocessing.get_context("fork")
        receiver, sender = context.Pipe(duplex=False)
        copy = context.Process(target=_work, args=(sender, function, args))
        # Of threads: it starts none.
        with warnings.catch_warnings(action="ignore", category=DeprecationWarning):
            copy.start()
        sender.close()
        try:
            while not receiver.poll(TICK):
                self.check()
            with suppress(EOFError):
                succeeded, outcome = receiver.recv()
                if succeeded:
                    return outcome  # type: ignore[no-any-return]  # what `work` returns
                raise outcome
            raise MemoryError("A step of exact arithmetic was ended by the system.")
        finally:
            copy.kill()
            copy.join()


def _can_copy() -> bool:
    """Whether a process can be copied here: not on Windows, in a browser, or by a pool's worker.

    Nor on macOS, whose linear algebra may hang in a copy.
    """
    if sys.platform in ("win32", "darwin", "emscripten", "wasi"):
        return False
    import multiprocessing

    return not multiprocessing.current_process().daemon


def _work(sender: Connection, function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started it decides
    try:
        sender.send((True, function(*args)))
    except Exception as error:
        sender.send((False, error))
