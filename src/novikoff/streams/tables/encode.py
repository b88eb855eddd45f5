"""From a DataFrame to columns, matched by name and stored by kind, and from these to a matrix."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from novikoff._arrays import Floats
from novikoff.streams.tables import columns as kinds
from novikoff.streams.tables.columns import without_missing
from novikoff.streams.tables.counts import tokens
from novikoff.streams.tables.lazy import pl
from novikoff.streams.tables.options import listed
from novikoff.streams.tables.reader import as_frame
from novikoff.streams.tables.state import ColumnState, index, unpacked, width

_LARGE = 2.0**970  # half a unit of the largest double: less than this, no difference overflows

Entries = tuple[NDArray[np.int32], NDArray[np.int32], Floats]  # rows, features, values


def encode(
    columns: list[ColumnState], frame: pl.DataFrame, hash_bits: int | None, sparse: bool
) -> Any:
    """The matrix of `frame`, whose columns "0", "1", … belong to `columns` in turn."""
    widths = [width(column) for column in columns]
    starts = np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)
    hashed = any(column.get("hashed") for column in columns)
    d = int(starts[-1]) + (1 << hash_bits if hashed and hash_bits is not None else 0)
    if all(_plain(column) for column in columns) and not sparse:
        return _numbers(columns, frame)
    shape = (frame.height, d)
    pieces = (
        _entries(column, frame[str(k)], int(starts[k]), int(starts[-1]), d)
        for k, column in enumerate(columns)
    )
    if sparse:
        return _csr([piece for some in pieces for piece in some], shape)
    dense = np.zeros(shape)
    for some in pieces:
        for rows, features, values in some:
            # Added, not assigned: categories of two columns may share a feature of the hash. One
            # piece has every pair of row and feature once.
            dense[rows, features] += values
    return dense


def _plain(column: ColumnState) -> bool:
    return column["kind"] in ("number", "flag") and not column["missing"] and column["parts"]


def _numbers(columns: list[ColumnState], frame: pl.DataFrame) -> Floats:
    """Columns of numbers side by side, all at once: one value each."""
    matrix: Floats = np.asarray(
        frame.select(str(k) for k in range(len(columns))).to_numpy(order="c", writable=True)
    )
    with np.errstate(over="ignore", invalid="ignore"):
        total = matrix.sum()
    if not np.isfinite(total):  # NaN, or numbers so large that their sum is no number
        rows, places = np.nonzero(np.isnan(matrix))
        matrix[rows, places] = np.array([c["fills"][0] for c in columns])[places]
    shifts, scales = (np.array([c[key][0] for c in columns]) for key in ("shifts", "scales"))
    _standardise(matrix, shifts, scales)
    return matrix


def _standardise(matrix: Floats, shifts: Floats, scales: Floats) -> None:
    """Subtract from each column its shift and divide by its scale, in place."""
    if shifts.any():
        # A difference of large doubles may be none: there halves are subtracted, and scaled.
        halves = np.where(np.abs(shifts) < _LARGE, 1.0, 0.5)
        if (halves < 1.0).any():
            matrix *= halves
            shifts, scales = shifts * halves, scales * halves
        matrix -= shifts
    if (scales != 1.0).any():
        with np.errstate(over="ignore"):  # the estimator refuses infinity, and says where it is
            matrix /= scales


def _entries(
    column: ColumnState, cells: pl.Series, start: int, start_hash: int, d: int
) -> list[Entries]:
    """The entries of one column that are not zero; in each list rows ascend, then features."""
    if column["kind"] == "category":
        if column["hashed"]:
            filled = cells.fill_null("(missing)")
            features = _hashes(filled, column["name"] + "=", start_hash, d).to_numpy()
            return [(np.arange(len(cells), dtype=np.int32), features, np.ones(len(cells)))]
        codes = category_codes(column, cells)
        rows = np.flatnonzero(codes >= 0).astype(np.int32)
        return [(rows, start + codes[rows], np.ones(len(rows)))]
    if column["kind"] == "text":
        entries = [_words(column, cells, start, start_hash, d)]
        missing = cells.is_null().to_numpy()
    else:
        values = cells.to_numpy()
        missing = np.isnan(values)
        entries = [
            _column(_scaled(column, k, kinds.part(part, values) if part != "value" else values), at)
            for k, (part, at) in enumerate(zip(column["parts"], range(start, d), strict=False))
        ]
    if column["missing"]:
        entries.append(_column(missing.astype(np.float64), start + width(column) - 1))
    return entries


def _scaled(column: ColumnState, k: int, values: Floats) -> Floats:
    filled = np.where(np.isnan(values), column["fills"][k], values)
    shift, scale = (np.array([column[key][k]]) for key in ("shifts", "scales"))
    _standardise(filled[:, np.newaxis], shift, scale)
    return filled


def _column(values: Floats, feature: int) -> Entries:
    rows = np.flatnonzero(values).astype(np.int32)
    return rows, np.full(len(rows), feature, np.int32), values[rows]


def category_codes(column: ColumnState, cells: pl.Series) -> NDArray[np.int32]:
    """Each cell's place among a column's features; -1 for a category that was never seen."""
    categories = unpacked(column["categories"])
    n = len(categories)
    codes: NDArray[np.int32] = kinds.places_among(cells, categories).to_numpy(writable=True)
    missing = cells.is_null().to_numpy()
    other = column["rare"] != "[]"
    if other:
        places = np.flatnonzero((codes < 0) & ~missing)
        rare = index(column["rare"])
        seen = [value in rare for value in cells.gather(places).to_list()]
        codes[places[np.array(seen, np.bool_)]] = n
    codes[missing] = n + other if column["missing"] else -1
    return codes


def _words(column: ColumnState, cells: pl.Series, start: int, start_hash: int, d: int) -> Entries:
    found = tokens(cells)
    if column["hashed"]:
        features = _hashes(found["word"], column["name"] + ":", start_hash, d)
    else:
        features = kinds.places_among(found["word"], unpacked(column["words"]), start)
    counted = (
        pl.DataFrame({"row": found["row"], "feature": features})
        .filter(pl.col("feature") >= 0)
        .group_by("row", "feature")
        .len()
        .sort("row", "feature")
    )
    return (
        counted["row"].to_numpy(),
        counted["feature"].to_numpy(),
        counted["len"].cast(pl.Float64).to_numpy(),
    )


def _hashes(strings: pl.Series, prefix: str, start: int, d: int) -> pl.Series:
    """The features start..d-1 that prefix + string hashes to; MurmurHash3 is the same anywhere."""
    from sklearn.utils import murmurhash3_32

    different = strings.unique()
    features = [
        start + murmurhash3_32((prefix + text).encode(), seed=0, positive=True) % (d - start)
        for text in different.to_list()
    ]
    new = pl.Series(np.array(features, np.int32))
    return strings.replace_strict(different, new, return_dtype=pl.Int32)


def _csr(entries: list[Entries], shape: tuple[int, int]) -> Any:
    """Canonical CSR; features that met in the hash are added up."""
    if not entries:
        return sp.csr_array(shape)
    rows, features, values = (np.concatenate(part) for part in zip(*entries, strict=True))
    matrix = sp.coo_array((values, (rows, features.astype(np.int32))), shape=shape).tocsr()
    matrix.sum_duplicates()
    return matrix


_WANTED = {
    "number": "numbers",
    "flag": "true/false, yes/no or 1/0",
    "date": "ISO dates",
}


def stored_columns(
    columns: list[ColumnState],
    source: Any,
    decimal: str = ".",
    refuse_missing: bool = False,
    where: Callable[[int], str] | None = None,
    na: Sequence[str] = (),
) -> pl.DataFrame:
    """The columns named in `columns` as "0", "1", …; a ValueError names what does not fit."""
    names = [column["name"] for column in columns]
    frame = as_frame(source, names)
    present = set(frame.columns)
    absent = [name for name in names if name not in present]
    if absent:
        raise ValueError(
            f"the table lacks {listed(absent)}, which the model was trained with. It has "
            f"{listed([str(name) for name in source.columns])}."
        )
    frame = without_missing(frame.select(names), na)
    for name, dtype in frame.schema.items():
        if kinds.unstorable(dtype):
            raise ValueError(f"the column {name} holds {dtype}.")
    stored = frame.select(
        kinds.stored(cells.name, column["kind"], cells.dtype, decimal, kinds.ANY).alias(str(k))
        for k, (column, cells) in enumerate(zip(columns, frame, strict=True))
    )
    where = where or (lambda row: f"row {row}")
    for k, column in enumerate(columns):
        cells, values = frame[column["name"]], stored[str(k)]
        rows = kinds.refused_cells(cells, values)
        if rows:
            raise ValueError(
                f"the column {column['name']} held {_WANTED[column['kind']]} in training, but "
                f"{str(cells[rows[0]])!r} stands in {where(rows[0])}."
            )
        if refuse_missing and values.null_count():
            row = values.is_null().arg_true()[0]
            raise ValueError(
                f"the cell of {column['name']} in {where(row)} is missing, and missing cells are "
                "refused."
            )
    return kinds.missing_to_nan(stored)
