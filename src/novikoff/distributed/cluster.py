"""The cluster as the client sees it: tasks go out, results and failures come back."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from novikoff.distributed.placement import Worker

_PATIENCE = 300.0  # seconds to wait for a worker, which an adaptive cluster may have to start


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
    return client


class Cluster:
    """A client, and what to say when the cluster fails."""

    def __init__(self, client: Any, checkpoint: str | os.PathLike[str] | None) -> None:
        self.client = client
        self.checkpoint = checkpoint
        self.n_rounds = 0  # completed, for messages

    def submit(self, graph: Any, keys: Sequence[Any]) -> list[Any]:
        """Send a graph; the futures of `keys`."""
        with self._watched(), _no_advice():
            futures: list[Any] = self.client.get(graph, list(keys), sync=False)
        return futures

    def compute(self, delayed: Sequence[Any], home: str | None) -> list[Any]:
        """Send delayed values, to be computed at `home` while that is alive; their futures."""
        where = {} if home is None else {"workers": [home], "allow_other_workers": True}
        with self._watched(), _no_advice():
            futures: list[Any] = self.client.compute(list(delayed), **where)
        return futures

    def gather(self, futures: Any) -> Any:
        """The results, when they are there; raises the first error."""
        with self._watched():
            return self.client.gather(futures)

    def homes_of(self, futures: Sequence[Any]) -> list[str]:
        """The workers that hold the results, once they are all there."""
        from distributed import wait

        with self._watched():
            wait(futures)
            for number, future in enumerate(futures):
                if future.status == "error":
                    try:
                        future.result()
                    except Exception as error:
                        error.add_note(f"Raised while shard {number} was read.")
                        raise
            found = self.client.who_has(futures)
            anyone = min(self.client.nthreads(), default="")  # for what was lost since
        return [min(found.get(future.key) or (), default=anyone) for future in futures]

    def release(self, futures: Sequence[Any]) -> None:
        """Let the workers forget results."""
        for future in futures:
            future.release()

    def workers(self) -> dict[str, Worker]:
        """The workers by address, in a fixed order; waits for the first one."""
        end = time.monotonic() + _PATIENCE
        while not (found := self.present()):
            left = end - time.monotonic()
            if left <= 0.0:
                raise ClusterError(
                    f"The Dask cluster has no workers, and none came in {_PATIENCE:.0f} seconds. "
                    f"Start some.{self._resume()}"
                )
            with self._watched(), suppress(TimeoutError):
                self.client.wait_for_workers(1, timeout=left)
        return found

    def present(self) -> dict[str, Worker]:
        """The workers there are now, maybe none."""
        with self._watched():
            found = self.client.scheduler_info(n_workers=-1)["workers"]
        return {
            address: Worker(found[address]["nthreads"], found[address]["memory_limit"])
            for address in sorted(found)
        }

    @contextmanager
    def _watched(self) -> Iterator[None]:
        from concurrent.futures import CancelledError

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
            raise ClusterError(
                f"The Dask cluster was lost after {self.n_rounds} rounds "
                f"({type(error).__name__}: {error}). Start a new one.{self._resume()}"
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
