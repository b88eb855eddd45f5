"""What `ParameterMixing.fit` is given, cut into shards; nothing of it is read yet."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from novikoff.distributed.prediction import whole_rows
from novikoff.distributed.reading import read_columns, read_encoded, read_libsvm, read_values
from novikoff.streams.bytes import open_bytes, recognise


class Part(NamedTuple):
    """A shard to be: the function that a worker reads it with, and what that is given."""

    read: Callable[..., Any]
    arguments: tuple[Any, ...]
    source: str | None = None
    anywhere: bool = False  # whether any worker is as good as another to read it


def as_parts(X: Any, y: Any, sample_weight: Any, reading: dict[str, Any]) -> list[Part]:
    """One part per chunk of rows, partition, pair or file.

    reading : how files are read: target, encoder, options, classes; None where not given
    """
    parts = _parts(X, y, sample_weight, reading)
    if not parts:
        raise ValueError("There are no shards: the list, the folder or the collection is empty.")
    return parts


def _parts(X: Any, y: Any, sample_weight: Any, reading: dict[str, Any]) -> list[Part]:
    if is_paths(X):
        _refuse(y=y, sample_weight=sample_weight)
        return _files(X, **reading)
    _refuse(**reading)
    if isinstance(X, list | tuple):
        _refuse(y=y, sample_weight=sample_weight)
        return [Part(read_values, (values,), anywhere=not _placed(values)) for values in X]
    if not _is_rows(X):
        raise TypeError(
            "ParameterMixing learns from Dask arrays and dataframes, from lists of (X, y) pairs, "
            f"delayed or not, and from files; X is {type(X).__name__}. Rows in memory make shards "
            "with dask.array.from_array(X, chunks=(rows, -1)); or fit the estimator itself."
        )
    return [Part(read_values, (values,)) for values in chunks_of(X, y, sample_weight)]


def _is_rows(X: Any) -> bool:
    """Whether X is a Dask array or dataframe; single delayed values and bags are not."""
    from dask.base import is_dask_collection
    from dask.delayed import Delayed

    return is_dask_collection(X) and not isinstance(X, Delayed) and hasattr(X, "ndim")


def chunks_of(X: Any, y: Any, sample_weight: Any) -> list[list[Any]]:
    """Of each chunk of rows of Dask collections the delayed X, y and, if given, weights."""
    if y is None:
        raise ValueError("y is missing: pass the labels, cut like X.")
    columns = [_delayed(whole_rows(X) if hasattr(X, "chunks") else X)]
    for name, other in (("y", y), ("sample_weight", sample_weight)):
        if other is not None:
            columns.append(_aligned(name, other, X, len(columns[0])))
    return [list(values) for values in zip(*columns, strict=True)]


def _placed(values: Any) -> bool:
    """Whether some of it has been computed, and so lies on some worker."""
    from dask.base import unpack_collections
    from distributed import Future

    collections, _ = unpack_collections(values)
    graphs = [dict(collection.__dask_graph__()) for collection in collections]
    return any(isinstance(value, Future) for graph in graphs for value in graph.values())


def is_paths(X: Any) -> bool:
    """Whether X is a path or a list of paths."""
    if isinstance(X, list | tuple) and len(X):
        return all(isinstance(path, str | os.PathLike) for path in X)
    return isinstance(X, str | os.PathLike)


def _refuse(**given: Any) -> None:
    for name, value in given.items():
        if value is not None:
            where = {"y": "among the columns", "sample_weight": "as third of each triple"}
            raise ValueError(
                f"{name} was given beside shards that hold it already "
                f"({where[name]} or lines); leave it out."
                if name in where
                else f"{name} says how files are read, but X is no path. Leave it out."
            )


def _delayed(collection: Any) -> list[Any]:
    """Its chunks or partitions, as many as it says it has."""
    import dask

    # Tuned, a dataframe joins partitions of which it needs few columns: X others than y.
    with dask.config.set({"optimization.tune.active": False}):
        return list(np.ravel(collection.to_delayed()))


def _aligned(name: str, other: Any, X: Any, n_shards: int) -> list[Any]:
    """The delayed chunks of y or of sample_weight, cut like X."""
    import dask.array as da

    if isinstance(other, np.ndarray | list):
        other = da.from_array(np.asarray(other), chunks=-1)
    if not hasattr(other, "to_delayed"):
        raise TypeError(f"{name} must be a Dask collection like X, not {type(other).__name__}.")
    if hasattr(other, "chunks") and other.ndim == 2 and other.shape[1] == 1:
        other = other[:, 0]
    if hasattr(other, "chunks") and hasattr(X, "chunks") and other.chunks[0] != X.chunks[0]:
        lengths = (*other.chunks[0], *X.chunks[0])
        if not any(np.isnan(n) for n in lengths):
            if other.shape[0] != X.shape[0]:
                raise ValueError(
                    f"X and {name} must have as many rows: {X.shape[0]} and {other.shape[0]}."
                )
            other = other.rechunk((X.chunks[0],))
    chunks = _delayed(other)
    if len(chunks) != n_shards:
        raise ValueError(
            f"X has {n_shards} chunks of rows, {name} has {len(chunks)}, and their lengths are not "
            "known: repartition one like the other, or call compute_chunk_sizes() on both."
        )
    return chunks


def _files(X: Any, target: Any, encoder: Any, options: Any, classes: Any) -> list[Part]:
    for given, value in (("options", options), ("classes", classes)):
        if encoder is None and value is not None:
            raise ValueError(f"{given} goes with an encoder: pass that too, or leave it out.")
    kinds: dict[str, str] = {}
    parts: list[Part] = []
    for name in _listed(X):
        # An empty file is a shard without rows, which LIBSVM text has a way to say.
        empty = not os.path.getsize(name)
        kind = "libsvm" if empty else recognise(open_bytes(name))
        what = "empty" if empty else "LIBSVM text" if kind == "libsvm" else "a table"
        if kind == "vw":
            raise ValueError(
                f"{name} is Vowpal Wabbit's text: every file would number its features' names for "
                "itself. Convert the files to LIBSVM text or to Parquet."
            )
        kinds.setdefault(what, name)
        path = os.path.abspath(name)
        if kind == "libsvm":
            parts.append(Part(read_libsvm, (path,), name, True))
        elif encoder is not None:
            target = getattr(encoder, "target_", None) if target is None else target
            arguments = (encoder, options, _needed(target), classes)
            parts.append(Part(read_encoded, (path, *arguments), name, True))
        elif kind == "csv":
            raise ValueError(
                f"{name} is a CSV file: what its cells mean must be settled once for all files. "
                "Pass encoder=novikoff.streams.open_table(...).encoder, or store it as Parquet."
            )
        else:
            parts.append(Part(read_columns, (path, _needed(target)), name, True))
    if "a table" in kinds and len(kinds) > 1:
        raise ValueError(
            "The files must be of one kind: "
            + ", ".join(f"{name} is {kind}" for kind, name in kinds.items())
            + "."
        )
    told = [name for name, value in (("target", target), ("encoder", encoder)) if value is not None]
    if told and "a table" not in kinds:
        raise ValueError(
            f"{told[0]} can only be said of a table; these files are LIBSVM text. Leave it out."
        )
    return parts


def _needed(target: Any) -> Any:
    if target is None:
        raise ValueError("Which column holds the labels? Pass target=name (or its position).")
    return target


def _listed(X: Any) -> list[str]:
    """The files that are meant, folders opened."""
    names: list[str] = []
    for given in [X] if isinstance(X, str | os.PathLike) else X:
        data = open_bytes(given)
        if data.folder is None:
            names.append(os.fspath(given))
            continue
        for file in data.files():
            keys = [part for part in file.relative_to(data.folder).parts[:-1] if "=" in part]
            if keys:
                raise ValueError(
                    f"{file}: the folder {keys[0]} names a column, which a worker that reads one "
                    "file does not see. Read it with dask.dataframe.read_parquet and pass that."
                )
            names.append(str(file))
    return names
