"""Training on a Dask cluster, for `novikoff fit --dask`."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from novikoff._messages import said
from novikoff.analysis.parts import Parts, TableParts
from novikoff.analysis.wording import count, for_shell
from novikoff.cli.console import note
from novikoff.cli.errors import UsageError
from novikoff.cli.options import TableArguments
from novikoff.cli.progress import waiting
from novikoff.cli.training import ModelKind, impossible

if TYPE_CHECKING:
    from novikoff.streams.bytes import Bytes

SHARDS = 16  # of a file that workers do not read themselves; not theirs to change, see `_dealt`
FEWEST_ROWS = 1000  # that are worth a shard
PATIENCE = 15  # seconds to wait for the scheduler's answer


def train_on_dask(
    model: Any,
    kind: ModelKind,
    parts: Parts,
    source: Bytes,
    table: TableArguments,
    *,
    address: str,
    rounds: int,
    holdout: tuple[float, int],
    checkpoint: Path | None,
) -> None:
    """Fit the model by parameter mixing; `address` is that of a scheduler, or "local".

    holdout : the share of rows that is not learned from, and the seed
    """
    from sklearn.exceptions import ConvergenceWarning

    why = impossible(model, kind, "cluster")
    if why is not None:
        raise UsageError(f"--dask mixes weights. {for_shell(why)}")
    from novikoff.distributed import ClusterError, ParameterMixing

    # How a run ended is among the results.
    quiet = warnings.catch_warnings(action="ignore", category=ConvergenceWarning)
    with _client(address) as client, quiet:
        files = source.files() if isinstance(parts, TableParts) else []
        # What only the whole table tells, a worker that reads one file cannot: the columns that
        # folders name, and which rows are complete.
        named = any("=" in part for file in files for part in file.parts)
        by_file = len(files) > 1 and not named and table.options().missing != "drop"
        shards = _by_file(files, parts, table, holdout) if by_file else _dealt(parts)
        what = (
            f"{len(files)} files, read by the workers" if by_file else count(len(shards), "shard")
        )
        note(f"dask: {what}; {count(len(client.nthreads()), 'worker')}")
        mixing = ParameterMixing(model, rounds=rounds, client=client, checkpoint=checkpoint)
        with waiting("training on Dask"):
            try:
                mixing.fit(shards)
            except ClusterError as error:
                raise UsageError(said(error)) from error
    model.__dict__.update(mixing.estimator_.__dict__)


@contextmanager
def _client(address: str) -> Iterator[Any]:
    """A client of the cluster there, or of one on this machine that ends with the run."""
    try:
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise UsageError('--dask needs Dask: pip install "novikoff[dask]"') from error

    if address == "local":
        import dask

        # A killed worker is started again; were that slow, it would be given up for good.
        patient = {"distributed.deploy.lost-worker-timeout": "10 minutes"}
        with (
            dask.config.set(patient),
            LocalCluster(
                threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=logging.ERROR
            ) as cluster,
            Client(cluster) as client,
        ):
            yield client
        return
    try:
        client = Client(address, timeout=PATIENCE)
    except (OSError, TimeoutError, ValueError) as error:
        raise UsageError(
            f"--dask {address}: there is no Dask scheduler ({error}). Give its address, such as "
            "tcp://host:8786, or local for workers on this machine."
        ) from error
    with client:
        yield client


def _by_file(
    files: list[Path], parts: Any, table: TableArguments, holdout: tuple[float, int]
) -> list[Any]:
    """One shard per file, read and encoded by its worker."""
    import polars as pl
    from dask import delayed

    from novikoff.distributed.reading import encoded_rows
    from novikoff.streams.bytes import scannable

    surveyed, kind = parts.table, parts.table.kind
    scan = pl.scan_parquet if kind == "parquet" else pl.scan_ipc
    share = holdout[0] if parts.counts["test"].sum() else 0.0
    shards, first = [], 0
    for file in files:
        arguments = (surveyed.encoder, table.options(), surveyed.target, surveyed.classes)
        path = str(file.resolve())
        shards.append(delayed(encoded_rows)(path, *arguments, first, (share, holdout[1])))
        first += int(scan(scannable(file)).select(pl.len()).collect().item())  # from its footer
    return shards


def _dealt(parts: Parts) -> list[Any]:
    """The rows dealt out to shards in turn, for a file may be sorted.

    Their number depends on the rows alone: so does the model, then, and not on the cluster.
    """
    X, y = parts.matrix()
    weights = parts.weights()
    columns = (X, y) if weights is None else (X, y, weights)
    n_shards = max(1, min(SHARDS, len(y) // FEWEST_ROWS))
    return [tuple(column[i::n_shards] for column in columns) for i in range(n_shards)]
