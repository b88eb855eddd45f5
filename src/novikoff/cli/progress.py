"""Progress on standard error: rate and time left, once something takes over a second."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from novikoff.cli.console import printable, rich_console

PATIENCE = 1.0  # seconds before a bar appears


class Bar:
    """Shows how far some work has come; calling it with (done, total) moves it on."""

    def __init__(self, label: str, unit: str, expected: int | None) -> None:
        self.label, self.unit, self.expected = printable(label, sys.stderr), unit, expected
        self.begin = time.monotonic()
        self._progress: Any = None
        self._task: Any = None

    def __call__(self, done: int, total: int | None = None) -> None:
        if total is None and self.expected is not None:
            total = max(self.expected, done + 1)  # an estimate must not look like the end
        if self._progress is None:
            if time.monotonic() - self.begin < PATIENCE:
                return
            self._start(total)
        self._progress.update(self._task, completed=done, total=total, rate=self._rate(done))

    def tell(self, label: str, done: int, total: int) -> None:
        """Say what is being done now, and how far it has come."""
        self.label = printable(label, sys.stderr)
        if self._progress is not None:
            self._progress.update(self._task, description=self.label)
        self(done, total)

    def close(self) -> None:
        if self._progress is not None:
            self._progress.stop()

    def _rate(self, done: int) -> str:
        seconds = max(time.monotonic() - self.begin, 1e-9)
        return f"{done / seconds:,.0f} {self.unit}/s".replace(",", " ")

    def _start(self, total: int | None) -> None:
        from rich import progress as bars

        self._progress = bars.Progress(
            bars.SpinnerColumn("line"),
            bars.TextColumn("{task.description}"),
            bars.BarColumn(),
            bars.TextColumn("{task.fields[rate]}"),
            bars.TimeRemainingColumn(),
            bars.TextColumn("left"),
            console=rich_console(sys.stderr),
            transient=True,
        )
        self._progress.start()
        self._task = self._progress.add_task(self.label, total=total, rate="")


class Silent(Bar):
    """No bar: standard error is not a terminal."""

    def __call__(self, done: int, total: int | None = None) -> None:
        pass


@contextmanager
def progress(
    label: str, unit: str = "rows", expected: int | None = None, *, wanted: bool = True
) -> Iterator[Bar]:
    """A bar that appears after a second, if standard error is a terminal, and leaves no trace.

    `expected` is about how much there is to do, for work that does not know it. Not `wanted` is a
    bar among results on the same terminal.
    """
    kind = Bar if wanted and sys.stderr.isatty() else Silent
    bar = kind(label, unit, expected)
    try:
        yield bar
    finally:
        bar.close()


@contextmanager
def waiting(label: str) -> Iterator[None]:
    """A spinner for work that cannot say how far it has come."""
    if not sys.stderr.isatty():
        yield
        return
    import threading

    done = threading.Event()

    def spin() -> None:
        if not done.wait(PATIENCE):
            with rich_console(sys.stderr).status(printable(label, sys.stderr), spinner="line"):
                done.wait()

    thread = threading.Thread(target=spin, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
