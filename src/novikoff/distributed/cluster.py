"""The cluster as the client sees it: tasks go out, results and failures come back."""

from __future__ import annotations

import os
import textwrap
import time
import warnings
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from typing import Any

from novikoff.distributed.placement import Place
from novikoff.distributed.shard import ShardError

_PATIENCE = 300.0  # seconds to wait for a worker, which an adaptive cluster may have to start
_NOTICE = 10.0  # seconds without a worker after which that is said
_CLOSED = ("closing", "closed")


class ClusterError(RuntimeError):
    """The cluster, not the data, ended a run; says how to go on."""


def find_client(client: Any) -> Any:
    """The given client, or the current one."""
    try:
        from distributed import Client, get_client
    except ImportError as error:
        raise ImportError('ParameterMixing needs Dask: pip install "novikoff[dask]"') from error
    if client is None:
        try:
            client = get_client()
        except ValueError:
            raise ValueError(
                "There is no Dask client. Make one, client = dask.distributed.Client(), which "
                "starts workers on this machine, or Client(address) for a cluster that runs "
                "already."
            ) from None
    if not isinstance(client, Client) or client.asynchronous:
        what = "an asynchronous one" if isinstance(client, Client) else type(client).__name__
        raise TypeError(f"client must be a dask.distributed.Client, not {what}.")
    if client.status in _CLOSED:
        raise ValueError("The Dask client is closed. Make a new one: dask.distributed.Client(...).")
    return client


class Cluster:
    """A client, and what to say when the cluster fails."""

    def __init__(self, client: Any, checkpoint: str | os.PathLike[str] | None) -> None:
        self.client = client
        self.checkpoint = checkpoint
        self.n_rounds = 0  # completed, for messages

    def check_installed(self) -> None:
        """Refuse a scheduler or a worker that lacks this library, or has another version of it.

        Dask drops workers that cannot read a task, and then the run would wait for others.
        """
        from novikoff import __version__

        def version() -> str:  # local, so that it travels as code: it runs where novikoff is not
            try:
                import novikoff
            except ImportError as error:
                return f"cannot import novikoff ({error})"
            return f"has novikoff {novikoff.__version__}"

        with self._watched():
            found = {
                "the scheduler": self.client.run_on_scheduler(version),
                **self.client.run(version, on_error="ignore"),  # of those that leave just now
            }
        for where, what in found.items():
            if what != f"has novikoff {__version__}":
                raise ClusterError(
                    f"Of the Dask cluster, {where} {what}; here it is {__version__}. Install the "
                    'same everywhere: pip install "novikoff[dask]".'
                )

    @contextmanager
    def submitted(self, graph: Any, keys: Sequence[Any]) -> Iterator[list[Any]]:
        """Send a graph; the futures of `keys`, of which nothing stays on the workers."""
        with self._watched(), _no_advice():
            futures: list[Any] = self.client.get(graph, list(keys), sync=False)
        try:
            yield futures
        finally:
            self.release(futures)

    def compute(self, delayed: Sequence[Any], home: str | None) -> list[Any]:
        """Send delayed values, to be computed at `home` while that is alive; their futures."""
        where = {} if home is None else {"workers": [home], "allow_other_workers": True}
        with self._watched(), _no_advice():
            futures: list[Any] = self.client.compute(list(delayed), **where)
        return futures

    def gather(self, futures: Sequence[Any]) -> list[Any]:
        """The results, when they are there; raises the first error."""
        self._wait(futures)
        for future in futures:
            self._check(future)
        with self._watched():
            results: list[Any] = self.client.gather(list(futures))
        return results

    def homes_of(self, shards: Sequence[Any]) -> list[str]:
        """The workers that hold the shards, once they are all there."""
        self._wait(shards)
        for number, future in enumerate(shards):
            try:
                self._check(future)
            except (ShardError, ClusterError):
                raise
            except Exception as error:
                error.add_note(f"Raised while shard {number} was read.")
                raise
        with self._watched():
            found = self.client.who_has(shards)
            anyone = min(self.client.nthreads(), default="")  # for what was lost since
        return [min(found.get(future.key) or (), default=anyone) for future in shards]

    def release(self, futures: Iterable[Any]) -> None:
        """Let the workers forget results, and what is not begun of them."""
        for future in futures:
            future.release()

    def workers(self) -> dict[str, Place]:
        """The workers by address, in a fixed order; waits for the first one."""
        end, told = time.monotonic() + _PATIENCE, False
        while not (found := self.present()):
            left = end - time.monotonic()
            if left <= 0.0:
                raise ClusterError(
                    f"The Dask cluster has no workers, and none came in {_PATIENCE:.0f} seconds. "
                    f"Start some.{self._resume()}"
                )
            with self._watched(), suppress(TimeoutError):
                self.client.wait_for_workers(1, timeout=min(left, _NOTICE))
                continue
            told = told or self._tell_of_waiting()
        return found

    def _wait(self, futures: Sequence[Any]) -> None:
        """Until all are there or failed, which without workers may take for ever: say so once."""
        from distributed import wait

        told = False
        while True:
            with self._watched(), suppress(TimeoutError):
                wait(futures, timeout=_NOTICE)
                return
            if not told and not self.present():
                told = self._tell_of_waiting()

    def _check(self, future: Any) -> None:
        """Raise the error of a task as it was, whatever its type."""
        from distributed import KilledWorker

        if future.status == "error":
            with self._watched():
                error, trace = future.exception(), future.traceback()
                if isinstance(error, KilledWorker):
                    raise error
            raise error.with_traceback(trace)

    def _tell_of_waiting(self) -> bool:
        warnings.warn(
            f"The Dask cluster has no workers after {self.n_rounds} rounds. Waiting for one; "
            f"interrupt to give up.{self._resume()}",
            RuntimeWarning,
            stacklevel=2,
        )
        return True

    def present(self) -> dict[str, Place]:
        """The workers there are now, maybe none."""
        with self._watched():
            found = self.client.scheduler_info(n_workers=-1)["workers"]
        return {
            address: Place(found[address]["nthreads"], found[address]["memory_limit"])
            for address in sorted(found)
        }

    @contextmanager
    def _watched(self) -> Iterator[None]:
        from distributed import KilledWorker
        from distributed.client import FutureCancelledError
        from distributed.comm import CommClosedError

        try:
            yield
        except KilledWorker as error:
            raise ClusterError(
                f"A task was given up because {error.allowed_failures + 1} workers died while they "
                f"held it ({error.task}). Often they ran out of memory: give workers more of it, "
                f"or make the shards smaller.{self._resume()}"
            ) from error
        except (CancelledError, FutureCancelledError, CommClosedError, TimeoutError) as error:
            why = f"{type(error).__name__}: {textwrap.shorten(str(error), 200)}"
            if self.client.status in _CLOSED:
                why = "its client was closed"
            raise ClusterError(
                f"The Dask cluster was lost after {self.n_rounds} rounds ({why}). Start a new one."
                f"{self._resume()}"
            ) from error

    def _resume(self) -> str:
        if self.checkpoint is None:
            return " With checkpoint=PATH the next run could be taken up where it was."
        return (
            f" The same call, with checkpoint={os.fspath(self.checkpoint)!r}, goes on after the "
            "last round that was completed."
        )


@contextmanager
def _no_advice() -> Iterator[None]:
    """theta travels inside the graph on purpose: what is lost can be sent again from there."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Sending large graph")
        yield
