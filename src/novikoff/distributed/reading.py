"""How a worker gets a shard: from values that Dask brings, or from a file that it reads itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.utils.validation import _get_feature_names

from novikoff._arrays import Array
from novikoff._json import read_json
from novikoff.distributed.shard import Label, Shard
from novikoff.geometry.cells import columns_named
from novikoff.streams.blocks import stacked
from novikoff.streams.bytes import open_bytes
from novikoff.streams.libsvm import LibsvmText
from novikoff.streams.tables.encoder import TableEncoder
from novikoff.streams.tables.frames import held_out
from novikoff.streams.tables.lazy import pl
from novikoff.streams.tables.options import TableOptions, resolve
from novikoff.streams.tables.reader import open_reader
from novikoff.streams.tables.rows import open_rows
from novikoff.training.input import check_labels, check_numbers, check_weights
from novikoff.training.matrix import as_rows, norms_of


class Found(NamedTuple):
    """What a source holds, as it is there."""

    X: Any
    y: Any
    sample_weight: Any = None
    names: Array | None = None  # of the columns, where X does not have them
    grows: bool = False  # whether further features are merely absent here


def read_shard(label: Label, constant: float, read: Callable[..., Found], *arguments: Any) -> Shard:
    """What ``read(*arguments)`` finds, validated; errors name the shard."""
    with label.blamed():
        X, y, sample_weight, names, grows = read(*arguments)
        if np.shape(X) == (0,) or np.shape(X) == (0, 0):  # no rows, hence no features to be seen
            X = np.zeros((0, 0))
        names = _get_feature_names(X) if names is None else names
        X = check_numbers(X, ensure_min_samples=0, ensure_min_features=0)
        y = check_labels(y, X.shape[0]) if X.shape[0] else np.asarray(y)
        with columns_named(X, names):
            norms_of(as_rows(X), X.shape[0], constant)  # refuses what is not finite, says where
        weights = check_weights(sample_weight, X.shape[0])
        return Shard(label, X, y, weights, names=names, grows=grows)


def read_values(values: Any) -> Found:
    """From a pair (X, y) or a triple (X, y, sample_weight)."""
    if not isinstance(values, tuple | list) or len(values) not in (2, 3):
        raise ValueError("expected a pair (X, y) or a triple (X, y, sample_weight).")
    return Found(*values)


def read_libsvm(path: str) -> Found:
    """From a file of LIBSVM text."""
    blocks = list(LibsvmText(open_bytes(path)).blocks())
    X = stacked([X for X, _ in blocks]) if blocks else sp.csr_array((0, 0))
    y = np.concatenate([y for _, y in blocks]) if blocks else np.zeros(0)
    return Found(X, y, grows=True)


def read_columns(path: str, target: str | int) -> Found:
    """From a Parquet or Arrow file whose columns are numbers, but for the target."""
    data = open_bytes(path)
    reader = open_reader(data, TableOptions())
    index = _index_columns(data.path) if reader.kind == "parquet" else set()
    columns = [column for column in reader.names if column == target or column not in index]
    name = resolve(columns, target, "target")
    features = [column for column in columns if column != name]
    X, y = [], []
    for frame in reader.frames():
        for column in features:
            dtype = frame.schema[column]
            if not (dtype.is_numeric() or dtype == pl.Boolean):
                raise ValueError(
                    f"column {column!r} is {dtype}, not numbers. Leave it out of the files, "
                    "or pass encoder=open_table(...).encoder, which turns it into numbers."
                )
        X.append(frame.select(features).to_numpy(order="c"))
        y.append(frame[name].to_numpy())
    if not X:
        X, y = [np.zeros((0, len(features)))], [np.zeros(0)]
    return Found(np.concatenate(X), np.concatenate(y), names=np.array(features, object))


def _index_columns(path: Path | None) -> set[str]:
    """The columns of a Parquet file that are the index of a frame of pandas or Dask, no features.

    path : None if the file is compressed as a whole, which pandas and Dask do not do
    """
    stored = {} if path is None else pl.read_parquet_metadata(path)
    about = read_json(stored.get("pandas", "{}"), constants=True)
    index = about.get("index_columns", [])
    return {column for column in index if isinstance(column, str)}  # a range is no column


def read_encoded(
    path: str,
    encoder: TableEncoder,
    options: TableOptions | None,
    target: str | int,
    classes: Array | None,
) -> Found:
    """From a table of any kind, encoded by a fitted encoder."""
    rows = open_rows(path, encoder, options, target=target, classes=classes).matrix()
    return Found(rows.X, rows.y)


def encoded_rows(
    path: str,
    encoder: TableEncoder,
    options: TableOptions | None,
    target: str,
    classes: Array,
    first_row: int,
    holdout: tuple[float, int],
) -> tuple[Any, Array]:
    """The rows (X, y) of one file of a table that are learned from.

    first_row : how many rows of the table are in files before this one
    holdout : the share of rows that is held out, and the seed that says which
    """
    rows = open_rows(path, encoder, options, target=target, classes=classes).matrix()
    learned = ~held_out(first_row + rows.rows, *holdout)
    return rows.X[learned], rows.y[learned]
