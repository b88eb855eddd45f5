"""What can be learned from in blocks: text of rows, tables, or batches that the caller makes.

A source yields blocks of rows in file order, as often as it is asked to if it is `reopenable`.
`open_source` says by content what a file is; `as_source` accepts all that `fit_stream` accepts.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

import numpy as np
import scipy.sparse as sp

from novikoff._arrays import Array, Ints
from novikoff.streams.blocks import RowBlock
from novikoff.streams.bytes import Bytes, open_bytes, recognise
from novikoff.streams.formats import FORMATS, TEXTS
from novikoff.streams.tables.options import TableOptions, said
from novikoff.streams.tables.reader import is_frame
from novikoff.streams.texts import RowText, open_text
from novikoff.training.matrix import theta_dtype

if TYPE_CHECKING:
    from novikoff.streams.tables.table import Table

Progress: TypeAlias = Callable[[int, int | None], None]


@dataclass(eq=False)
class Source:
    """Rows in blocks, in file order."""

    name: str
    reopenable: bool  # whether blocks() can be called again
    blocks: Callable[[], Iterator[RowBlock]]
    fingerprint: Callable[[], str]  # what a checkpoint remembers the data by
    classes: Array | None = None  # sorted, where all are known before the first block
    class_counts: Ints | None = None  # how often each of them occurs
    width: int | None = None  # the number of features, where it is known
    max_memory: int | None = None  # that its width may ask for; None for the usual limit
    hides_encoding: bool = False  # whether the caller has no hold of what encodes its rows
    feature_names: Array | None = None  # of batches that are frames, from the first of them on


def _of_table(table: Table) -> Source:
    """The training rows of a surveyed table; its classes and features are known."""
    counts = table.class_counts["train"]

    def blocks() -> Iterator[RowBlock]:
        return (RowBlock(block.X, block.y) for block in table.blocks())

    def fingerprint() -> str:  # balanced weights depend on the counts
        return f"{table.fingerprint()}-train-{counts.tolist()}"

    known = counts > 0  # a class that the hold-out swallowed whole cannot be learned
    width = len(table.feature_names)  # judged when it was opened
    return Source(table.name, True, blocks, fingerprint, table.classes[known], counts[known], width)


def _of_text(text: RowText) -> Source:
    """Text of rows: classes and features turn up as it is read."""
    data = text.data
    return Source(
        data.name, data.reopenable, text.rows, text.fingerprint, max_memory=data.max_memory
    )


def _of_batches(batches: Iterable[Any]) -> Source:
    """Batches (X, y) or (X, y, sample_weight) that the caller makes.

    They must be alike: as many features, of the same names, all sparse or none, one floating-point
    type.
    """

    def blocks() -> Iterator[RowBlock]:
        first: RowBlock | None = None
        for number, batch in enumerate(batches):
            try:
                X, y, weights = _parts(batch)
                if _is_empty(X, y):  # as what is left of rows that the caller sifts
                    continue
                rows, names = _check_batch(X, y, weights)
                if first is None:
                    source.feature_names = names
                else:
                    _check_alike(first, rows)
                    _check_names(source.feature_names, names)
            except ValueError as error:
                raise ValueError(f"Batch {number}: {error}") from error
            # The next batch is made while this one is learned from, perhaps in the same arrays.
            rows = rows if isinstance(batches, list | tuple) else rows.copied()
            first = first or rows
            yield rows

    def fingerprint() -> str:
        raise ValueError(
            "A checkpoint needs data that another process can find again, such as a file; these "
            "are batches made by the caller. Leave checkpoint out."
        )

    # An iterator is its own iterator: going over it again would yield nothing.
    source = Source("the batches", iter(batches) is not batches, blocks, fingerprint)
    return source


def _parts(batch: Any) -> tuple[Any, Any, Any]:
    """X, y and the weights of a batch, or None."""
    if not isinstance(batch, tuple | list) or len(batch) not in (2, 3):
        raise ValueError("expected a pair (X, y) or a triple (X, y, sample_weight).")
    return batch[0], batch[1], batch[2] if len(batch) == 3 else None


def _is_empty(X: Any, y: Any) -> bool:
    """Whether these are columns without a row."""
    shape: tuple[int, ...] = getattr(X, "shape", ())
    return len(shape) == 2 and shape[0] == 0 == len(y)


def _check_batch(X: Any, y: Any, sample_weight: Any) -> tuple[RowBlock, Array | None]:
    """The rows of a batch, and the names of its columns, if it is a frame."""
    from novikoff.training.input import check_labels, check_numbers, check_weights

    names = list(getattr(X, "columns", ()))
    X = check_numbers(X)
    rows = RowBlock(X, check_labels(y, X.shape[0]))
    weights = check_weights(sample_weight, X.shape[0])
    if weights is not None:
        rows = replace(rows, weights=weights).part(np.flatnonzero(weights))
    named = bool(names) and all(isinstance(name, str) for name in names)
    return rows, np.array(names, object) if named else None


def _check_names(first: Array | None, names: Array | None) -> None:
    if first is not None and names is not None and not np.array_equal(first, names):
        k = int(np.argmax(first != names))
        raise ValueError(
            f"column {k} is {names[k]!r}, that of the first batch is {first[k]!r}: put the columns "
            "into the same order."
        )


def _check_alike(first: RowBlock, rows: RowBlock) -> None:
    if first.X.shape[1] != rows.X.shape[1]:
        raise ValueError(
            f"X has {rows.X.shape[1]} features, that of the first batch has {first.X.shape[1]}."
        )
    if sp.issparse(first.X) != sp.issparse(rows.X):
        raise ValueError("some batches are sparse and some are not: convert them to one kind.")
    before, now = theta_dtype(first.X.dtype), theta_dtype(rows.X.dtype)
    if before != now:
        raise ValueError(
            f"X calls for weights in {now}, the first batch for {before}: convert all batches to "
            "one type."
        )
    if (first.weights is None) != (rows.weights is None):
        raise ValueError("some batches have sample weights and some have none.")


def open_source(
    source: str | os.PathLike[str] | BinaryIO | Bytes,
    *,
    options: TableOptions | None = None,
    holdout: float = 0.0,
    seed: int = 0,
    zero_based: bool = False,
    max_memory: str | int | None = None,
    format: str | None = None,
    progress: Progress | None = None,
) -> Table | RowText:
    r"""Open a data file; what it is, its content says.

    Parameters
    ----------
    source : path, binary file, "-" for standard input, or a frame
        CSV, Parquet, Arrow, JSON lines, ARFF, LIBSVM text or Vowpal Wabbit's, plain or compressed.
        A frame is pandas' or polars' (lazy, too), or what Arrow's PyCapsule interface hands over.
    options : TableOptions, optional
        How to read a table; refused for text of rows, which leaves no choice.
    holdout, seed : float, int
        The share of a table's rows to hold out, and which.
    zero_based : bool
        Whether the first feature of LIBSVM text is 0; by default it is 1. Refused for a table.
    max_memory : str or int, optional
        The most memory that may be taken for what the file says, such as "4GB": for a large index,
        very many columns, a compressor's window. By default half of what the machine has.
    format : {"csv", "jsonl", "arff", "libsvm", "vw"}, optional
        What a text is, where its first lines do not tell.
    progress : callable, optional
        Called with (rows so far, rows in all or None) while a table is surveyed.

    Returns
    -------
    Table, LibsvmText or VowpalText

    Examples
    --------
    >>> import io
    >>> from novikoff.streams import open_source
    >>> text = b"height,colour,y\n1.5,red,no\n2.5,green,yes\n4,red,no\n3.5,green,no\n"
    >>> table = open_source(io.BytesIO(text))
    >>> table.target, table.feature_names
    ('y', ['height', 'colour=green', 'colour=red'])
    """
    from novikoff.streams.tables.table import open_table

    if is_frame(source):
        return open_table(source, options, holdout=holdout, seed=seed, progress=progress)
    data = source if isinstance(source, Bytes) else open_bytes(source, max_memory=max_memory)
    if format is not None:
        if format not in FORMATS:
            raise ValueError(f"format must be one of {', '.join(FORMATS)}; it is {format!r}.")
        data.format = format
    kind = recognise(data, encoding=None if options is None else options.encoding)
    if kind in TEXTS:
        given = [] if options is None else said(options)
        if given:
            raise data.error(
                f"this is {TEXTS[kind]}, whose rows are label and numbers already: "
                f"{', '.join(given)} can only be said of a table. Leave it out."
            )
        return open_text(data, zero_based=zero_based)
    if zero_based:
        raise data.error(
            "this is a table; only the features of LIBSVM text are numbered, from 0 with "
            "zero_based. Leave it out."
        )
    return open_table(data, options, holdout=holdout, seed=seed, progress=progress)


def batches(
    source: Any,
    *,
    zero_based: bool = False,
    max_memory: str | int | None = None,
    **table_options: Any,
) -> Iterator[tuple[Any, Array]]:
    r"""The rows of a file as pairs (X, y), some thousands at a time, in file order.

    Parameters
    ----------
    source : path, open binary file, "-", or what `open_source` gives
    zero_based : bool
        Whether the first feature of LIBSVM text is 0; by default it is 1.
    max_memory : str or int, optional
        The most memory that may be taken for what the file says, see `open_source`.
    **table_options
        How to read a table, see `TableOptions`.

    Yields
    ------
    X : ndarray or csr_array of float64
        LIBSVM text is as wide as its largest index so far, Vowpal Wabbit's as there were names.
    y : ndarray

    Examples
    --------
    >>> import io
    >>> from novikoff.streams import batches
    >>> text = b"height,colour,y\n1.5,red,no\n2.5,green,yes\n4,red,no\n3.5,green,no\n"
    >>> for X, y in batches(io.BytesIO(text), scale=False):  # height, green or not, red or not
    ...     print(X, y)
    [[1.5 0.  1. ]
     [2.5 1.  0. ]
     [4.  0.  1. ]
     [3.5 1.  0. ]] ['no' 'yes' 'no' 'no']
    """
    opened = as_source(source, table_options, zero_based=zero_based, max_memory=max_memory)
    for rows in opened.blocks():
        yield rows.X, rows.y


def as_source(
    source: Any,
    options: dict[str, Any],
    *,
    zero_based: bool = False,
    max_memory: str | int | None = None,
) -> Source:
    """Whatever `fit_stream` is given, as a source; `options` are those of a table."""
    if isinstance(source, str | os.PathLike | Bytes) or hasattr(source, "read") or is_frame(source):
        opened = open_source(
            source,
            options=TableOptions(**options) if options else None,
            zero_based=zero_based,
            max_memory=max_memory,
        )
        if isinstance(opened, RowText):
            return _of_text(opened)
        columns = opened.encoder.feature_names_in_.tolist()
        hides = opened.encoder.scale or opened.feature_names != columns
        return replace(_of_table(opened), hides_encoding=hides)
    reading = {"zero_based": zero_based, "max_memory": max_memory}
    given = [*options, *(name for name, value in reading.items() if value)]
    if given:
        raise ValueError(
            f"{', '.join(given)}: options for reading a file, but the source is opened already."
        )
    if isinstance(source, RowText):
        return _of_text(source)
    if hasattr(source, "class_counts") and hasattr(source, "encoder"):
        return _of_table(source)
    if isinstance(source, Iterable):
        return _of_batches(source)
    raise TypeError(
        "fit_stream learns from a path, an open binary file, what open_source gives, or an "
        f"iterable of (X, y) batches; it was given {type(source).__name__}."
    )
