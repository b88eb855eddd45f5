"""A table as batches of rows, whatever its format; DataFrames in place of a file, too."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from importlib import import_module
from typing import Any, Protocol

import numpy as np

from novikoff._memory import refusal
from novikoff.streams.bytes import Bytes, open_bytes, recognise
from novikoff.streams.formats import TEXTS
from novikoff.streams.tables.columns import without_missing
from novikoff.streams.tables.lazy import pl, require_polars
from novikoff.streams.tables.options import Decision, TableOptions

_READERS = {  # of `bytes.recognise`'s tables: the module, and the class in it
    "arff": "arff.ArffReader",
    "arrow": "columnar.ColumnarReader",
    "csv": "csv.CsvReader",
    "jsonl": "columnar.ColumnarReader",
    "parquet": "columnar.ColumnarReader",
}
_BYTES_PER_COLUMN = 20_000  # that surveying one takes, however few rows there are; measured


class NotNumbersError(Exception):
    """A column that was taken for numbers holds something else: read it as text."""


class ReadAgainError(Exception):
    """The file is not as plain as its first rows: call `frames` again, it knows better now."""


class Reader(Protocol):
    """A table that can be read from its first row as often as needed, in bounded memory.

    Attributes
    ----------
    name : str
        The file, for messages.
    kind : {"csv", "parquet", "arrow", "jsonl", "arff", "frame"}
    names : list of str
        The columns; all different.
    named : bool
        Whether the table says these names; otherwise they are positions: c1, c2, …
    decimal : {".", ","}
        How numbers are written, where they come as text.
    decisions : list of Decision
        How the file was read.
    """

    name: str
    kind: str
    names: list[str]
    named: bool = True
    decimal: str = "."
    decisions: list[Decision]

    def head(self) -> pl.DataFrame:
        """The first rows, some hundred or more, typed as `frames` without numbers gives them."""

    def frames(self, numbers: Collection[str] = ()) -> Iterator[pl.DataFrame]:
        """The rows, in the order of the file, in batches of a size bounded whatever the file.

        CSV: every column is a String, stripped of surrounding blanks, null where missing.
        Others: columns typed as they are stored.

        numbers : columns of text that are believed to hold numbers. They may come as Float64, which
            is faster; if one of them does not hold numbers only, NotNumbersError is raised.
            ReadAgainError may be raised too.
        """

    def lines_of(self, rows: Iterable[int]) -> dict[int, int]:
        """The lines (from 1) on which data rows (from 0) start; of rows that are not there, none.

        Found in one pass. Where there are no lines, rows are counted.
        """
        return {row: row + 1 for row in rows}

    def fingerprint(self) -> str:
        """A digest that tells this content from another."""


def open_reader(source: Any, options: TableOptions) -> Reader:
    """Find out how a table is stored and make it ready to be read.

    Parameters
    ----------
    source : Bytes, path, binary stream, or what `is_frame`
        "-" is standard input.
    options : TableOptions
        Only `header`, `na`, `encoding`, `delimiter` and `drop` matter here.
    """
    require_polars()
    if is_frame(source):
        kind_of_frame = LazyReader if isinstance(source, pl.LazyFrame) else FrameReader
        return kind_of_frame(source, options.na)
    data = source if isinstance(source, Bytes) else open_bytes(source)
    kind = recognise(data, encoding=options.encoding)
    if kind in TEXTS:
        raise data.error(f"this is {TEXTS[kind]}, not a table")
    module, _, name = _READERS[kind].partition(".")
    room = import_module(f"novikoff.streams.tables.{module}")
    opened: Reader = getattr(room, name)(data, options)
    n = len(opened.names)  # one endless line of cells must not fill the memory with columns
    reason = refusal(n * _BYTES_PER_COLUMN, f"a table of {n} columns", given=data.max_memory)
    if reason is not None:
        raise data.error(reason, ". Rows with so many numbers, most of them 0, suit LIBSVM text")
    return opened


def is_frame(source: Any) -> bool:
    """Whether this is a DataFrame, polars' LazyFrame, or what Arrow's PyCapsule interface hands."""
    return any(hasattr(source, name) for name in ("iloc", "lazy", "__arrow_c_stream__"))


def as_frame(source: Any, names: Sequence[str] | None = None) -> pl.DataFrame:
    """A DataFrame as polars', its columns named by strings; only the columns `names`, if given."""
    if not is_frame(source):
        raise TypeError(
            "a table's columns are matched by name: pass a polars or pandas DataFrame or an Arrow "
            f"table, not {type(source).__name__}."
        )
    if isinstance(source, pl.LazyFrame):
        source = source.collect()
    elif not (hasattr(source, "iloc") or hasattr(source, "lazy")):
        source = pl.DataFrame(source)
    given = [str(name) for name in source.columns]
    if len(set(given)) < len(given):
        twice = Counter(given).most_common(1)[0][0]
        raise ValueError(f"two columns are named {twice}; columns are matched by name.")
    wanted = set(given if names is None else names)
    chosen = [k for k, name in enumerate(given) if name in wanted]
    if hasattr(source, "lazy"):
        frame: pl.DataFrame = source.select(given[k] for k in chosen)
        return frame
    return pl.DataFrame([_series(given[k], source.iloc[:, k]) for k in chosen])


def _series(name: str, column: Any) -> pl.Series:
    """A column of pandas, without the help of pyarrow."""
    missing = column.isna().to_numpy()
    kind = getattr(column.dtype, "kind", "O")
    if kind in "iuf":
        values = column.to_numpy(dtype=np.float64, na_value=np.nan) if missing.any() else None
        series = pl.Series(name, column.to_numpy() if values is None else values)
        return series.fill_nan(None) if series.dtype.is_float() else series
    if kind == "M":
        if getattr(column.dtype, "tz", None) is not None:
            column = column.dt.tz_convert("UTC").dt.tz_localize(None)
        return pl.Series(name, column.to_numpy().astype("datetime64[us]"))
    if kind == "m":
        return pl.Series(name, column.to_numpy().astype("timedelta64[us]"))
    cells = [None if gone else cell for gone, cell in zip(missing, column.tolist(), strict=True)]
    if kind == "b":
        return pl.Series(name, cells, pl.Boolean)
    if hasattr(column, "cat"):
        return pl.Series(name, [c if c is None else str(c) for c in cells], pl.Categorical)
    present = [c for c in cells if c is not None]
    if present and all(isinstance(c, int | float) and not isinstance(c, bool) for c in present):
        return pl.Series(name, cells, pl.Float64, strict=False)
    return pl.Series(name, [c if c is None else str(c) for c in cells], pl.String)


class FrameReader(Reader):
    """A DataFrame as a :class:`Reader`; `na` adds to what stands for a missing cell."""

    name = "the DataFrame"
    kind = "frame"

    def __init__(self, frame: Any, na: Sequence[str] = (), n_rows: int = 65536) -> None:
        self._frame = without_missing(as_frame(frame), na)
        self._n_rows = n_rows
        self.names = self._frame.columns
        self.decisions = []

    def head(self) -> pl.DataFrame:
        return self._frame.head(self._n_rows)

    def frames(self, numbers: Collection[str] = ()) -> Iterator[pl.DataFrame]:
        yield from self._frame.iter_slices(self._n_rows)

    def fingerprint(self) -> str:
        digest = hashlib.sha256(repr(self.head().schema).encode())
        for frame in self.frames():
            digest.update(frame.write_csv(include_header=False).encode())
        return digest.hexdigest()


class LazyReader(FrameReader):
    """polars' LazyFrame, computed in batches as often as it is read."""

    name = "the LazyFrame"

    def __init__(self, frame: pl.LazyFrame, na: Sequence[str] = (), n_rows: int = 65536) -> None:
        self._lazy, self._na, self._n_rows = frame, na, n_rows
        self.names = frame.collect_schema().names()
        self.decisions = []

    def head(self) -> pl.DataFrame:
        return without_missing(self._lazy.head(self._n_rows).collect(), self._na)

    def frames(self, numbers: Collection[str] = ()) -> Iterator[pl.DataFrame]:
        found = self._lazy.collect_batches(chunk_size=self._n_rows, maintain_order=True, lazy=True)
        for frame in found:
            yield without_missing(frame, self._na)
