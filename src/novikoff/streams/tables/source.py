"""DataFrames in place of a file: what the rest of the room reads is a reader all the same."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff.streams.tables.missing import without_missing
from novikoff.streams.tables.options import Decision

if TYPE_CHECKING:
    import polars as pl

__all__ = ["FrameReader", "LazyReader", "as_frame", "is_frame", "open_frame"]


def is_frame(source: Any) -> bool:
    """Whether this is a DataFrame, polars' LazyFrame, or what Arrow's PyCapsule interface hands."""
    return any(hasattr(source, name) for name in ("iloc", "lazy", "__arrow_c_stream__"))


def as_frame(source: Any, names: Sequence[str] | None = None) -> pl.DataFrame:
    """A DataFrame as polars', its columns named by strings; only the columns `names`, if given."""
    import polars as pl

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
    import polars as pl

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


class FrameReader:
    """A DataFrame as a :class:`Reader`; `na` adds to what stands for a missing cell."""

    name = "the DataFrame"
    kind = "frame"
    decimal = "."
    named = True

    def __init__(self, frame: Any, na: Sequence[str] = (), n_rows: int = 65536) -> None:
        self._frame = without_missing(as_frame(frame), na)
        self._n_rows = n_rows
        self.names = self._frame.columns
        self.decisions: list[Decision] = []

    def head(self) -> pl.DataFrame:
        return self._frame.head(self._n_rows)

    def frames(self, numbers: Collection[str] = ()) -> Iterator[pl.DataFrame]:
        yield from self._frame.iter_slices(self._n_rows)

    def line_of(self, row: int) -> int | None:
        return row + 1

    def lines_of(self, rows: Iterable[int]) -> dict[int, int]:
        return {row: row + 1 for row in rows}

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
        self.decisions: list[Decision] = []

    def head(self) -> pl.DataFrame:
        return without_missing(self._lazy.head(self._n_rows).collect(), self._na)

    def frames(self, numbers: Collection[str] = ()) -> Iterator[pl.DataFrame]:
        found = self._lazy.collect_batches(chunk_size=self._n_rows, maintain_order=True, lazy=True)
        for frame in found:
            yield without_missing(frame, self._na)


def open_frame(frame: Any, na: Sequence[str] = ()) -> FrameReader:
    """A reader of anything that `is_frame`."""
    import polars as pl

    return LazyReader(frame, na) if isinstance(frame, pl.LazyFrame) else FrameReader(frame, na)
