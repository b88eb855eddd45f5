"""The data a certificate is checked against, as the user holds it: X and y.

X is a dense array, a data frame or a SciPy sparse matrix; its values are read as doubles, and what
no double holds is refused. A sparse matrix that stores several values for one place has their sum
there: added in the order they are stored in, in the matrix's own type; integers must not wrap. The
labels y are of two kinds; in sorted order the first is -1 and the second +1.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.check.matrix import Dense, Integers, Matrix, Sparse

EXACT_INTEGER = 2**53  # integers beyond are refused, though doubles hold some of them

Place = Callable[[int], tuple[int, ...]]  # from the position of a value to its row and column


@dataclass(frozen=True)
class Data:
    """Rows x_i and their sides y_i, -1 or +1."""

    X: Matrix
    y: NDArray[np.int8]

    @property
    def shape(self) -> tuple[int, int]:
        return self.X.shape


def read(X: Any, y: Any) -> Data:
    """X and y as the checker reads them; ValueError if they cannot be read."""
    matrix = read_matrix(X)
    return Data(matrix, _read_labels(y, matrix.shape[0]))


def read_matrix(X: Any) -> Matrix:
    """X as the checker reads it; ValueError if it cannot be read."""
    return _read_sparse(X) if hasattr(X, "tocsr") else _read_dense(read_table(X))


def _read_dense(X: NDArray[Any]) -> Dense:
    if X.ndim != 2:
        raise ValueError(f"X must have two dimensions, rows and columns; it has {X.ndim}.")
    matrix = Dense(X)
    if X.dtype.kind == "f":
        for start, block in matrix.blocks():
            finite = np.isfinite(block.values)
            if not finite.all():
                row, column = np.argwhere(~finite)[0]
                _refuse_not_finite(block.values[row, column], start + row, column)
    return matrix


def _read_sparse(X: Any) -> Sparse:
    """A sparse matrix as CSR in canonical form: no zeros, columns sorted, each once."""
    n, d = X.shape
    rows, columns, stored = _entries(X)
    if len(columns) and not (0 <= rows.min() <= rows.max() < n):
        raise ValueError("The sparse matrix X is malformed: a row number is out of range.")
    if len(columns) and not 0 <= columns.min() <= columns.max() < d:
        raise ValueError("The sparse matrix X is malformed: a column number is out of range.")
    if not _strictly_rising(rows, columns):
        rows, columns, stored = _add_duplicates(rows, columns, stored)
    values = as_doubles(stored, lambda p: (int(rows[p]), int(columns[p])))
    for p in np.flatnonzero(~np.isfinite(values)):
        _refuse_not_finite(values[p], rows[p], columns[p])
    kept = values != 0.0
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows[kept], minlength=n))])
    return Sparse(values[kept], columns[kept], starts.astype(np.int64), d)


def _entries(X: Any) -> tuple[Integers, Integers, NDArray[Any]]:
    """Row, column and value of everything a sparse matrix stores, in its order."""
    if getattr(X, "format", None) == "coo":  # SciPy adds duplicates up on the way to CSR
        return X.row.astype(np.int64), X.col.astype(np.int64), np.asarray(X.data)
    X = X.tocsr()
    n = X.shape[0]
    starts = np.asarray(X.indptr).astype(np.int64)
    if len(starts) != n + 1 or starts[0] != 0 or (np.diff(starts) < 0).any():
        raise ValueError("The sparse matrix X is malformed: its indptr must rise from 0 to nnz.")
    columns = np.asarray(X.indices)[: starts[-1]].astype(np.int64)
    values = np.asarray(X.data)[: starts[-1]]
    if not len(columns) == len(values) == starts[-1]:
        raise ValueError("The sparse matrix X is malformed: indices and data differ in length.")
    return np.repeat(np.arange(n), np.diff(starts)), columns, values


def _strictly_rising(rows: Integers, columns: Integers) -> bool:
    """Whether entries are in order of rows and, in a row, of columns; each place once."""
    step = np.diff(rows)
    return bool(((step > 0) | ((step == 0) & (np.diff(columns) > 0))).all())


def _add_duplicates(
    rows: Integers, columns: Integers, values: NDArray[Any]
) -> tuple[Integers, Integers, NDArray[Any]]:
    """Entries sorted by row and column; those of one place added up from left to right."""
    order = np.lexsort((columns, rows))
    rows, columns, values = rows[order], columns[order], values[order]
    first = np.concatenate([[True], (np.diff(rows) > 0) | (np.diff(columns) > 0)])
    place = np.cumsum(first) - 1
    rows, columns = rows[first], columns[first]
    exact = values.dtype.kind in "iu"
    sums = np.zeros(len(rows), object if exact else values.dtype)
    with np.errstate(over="ignore", invalid="ignore"):
        np.add.at(sums, place, values.astype(sums.dtype))
    if exact:
        limits = np.iinfo(values.dtype)
        for p in np.flatnonzero((sums < limits.min) | (sums > limits.max)):
            raise ValueError(
                f"The values stored for row {rows[p]}, column {columns[p]} of the sparse matrix X "
                f"add up to {sums[p]}, which {values.dtype} does not hold."
            )
    return rows, columns, sums.astype(values.dtype)


def _refuse_not_finite(value: float, row: int, column: int) -> None:
    raise ValueError(f"X holds {value} at row {row}, column {column}; it must be a finite number.")


def _read_labels(y: Any, n_rows: int) -> NDArray[np.int8]:
    """y as -1 and +1: of its two labels the smaller is -1."""
    labels = np.asarray(y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.ndim != 1 or len(labels) != n_rows:
        raise ValueError(
            f"y must hold one label per row: X has {n_rows}; y has shape {labels.shape}."
        )
    try:
        missing = bool((labels != labels).any())
        classes, numbers = np.unique(labels, return_inverse=True)
    except TypeError as error:
        raise ValueError(f"The labels in y cannot be put in order: {error}.") from error
    if missing:
        raise ValueError("y holds NaN, which is no label.")
    if len(classes) != 2:
        raise ValueError(f"y holds {len(classes)} classes; a certificate speaks of two.")
    return (2 * numbers - 1).astype(np.int8)


# ------------------------------------------------------------------------------- tables


def read_table(X: Any) -> NDArray[Any]:
    """An array-like or a data frame as an array in a real type, every value a double."""
    columns = _columns(X)
    if columns is not None:  # each in its own type: a common one would round
        read = [_column(values, j) for j, values in enumerate(columns)]
        return np.stack(read, axis=1) if read else np.zeros(X.shape)
    array = np.asarray(X)
    if array.dtype.kind == "f" and not hasattr(X, "dtype"):
        # Of a list that mixes integers with floats NumPy makes floats.
        large = np.flatnonzero(np.abs(array) >= EXACT_INTEGER)
        cells = (np.asarray(X, dtype=object) if large.size else array).flat
        for p in large:
            if _is_rounded(cells[p]):
                _refuse_rounded(cells[p], _index(p, array.shape))
    return as_doubles(array, lambda p: _index(p, array.shape))


def as_doubles(values: NDArray[Any], place: Place) -> NDArray[Any]:
    """Values in a real type of at most 64 bits, every one of them a double."""
    _refuse_rounding(values, place)
    if values.dtype == object or (values.dtype.kind == "f" and values.dtype.itemsize > 8):
        try:
            values = values.astype(np.float64)
        except (TypeError, ValueError, OverflowError) as error:
            raise ValueError(f"X must hold numbers: {error}.") from error
    if values.dtype.kind not in "biuf":
        raise ValueError(f"X must hold numbers; its type is {values.dtype}.")
    return values


def _column(values: NDArray[Any], j: int) -> NDArray[Any]:
    return as_doubles(values, lambda p: (p, j))


def _columns(X: Any) -> list[NDArray[Any]] | None:
    """The columns of a data frame (polars, Arrow, pandas) in their own types; None if X is none."""
    for columns in ("iter_columns", "itercolumns"):
        if hasattr(X, columns):
            return [_values(column) for column in getattr(X, columns)()]
    if hasattr(X, "iloc") and getattr(X, "ndim", 0) == 2:
        return [np.asarray(X.iloc[:, j]) for j in range(X.shape[1])]
    return None


def _values(column: Any) -> NDArray[Any]:
    try:
        return np.asarray(column)
    except Exception:  # polars' own: NumPy has no integers of 128 bits
        return np.array(list(column), object)


def _refuse_rounding(values: NDArray[Any], place: Place) -> None:
    kind, size = values.dtype.kind, values.dtype.itemsize
    if kind in "iu" and size == 8:
        if values.size == 0 or max(-int(values.min()), int(values.max())) <= EXACT_INTEGER:
            return
        rounded = (values > EXACT_INTEGER) | (values < -EXACT_INTEGER)
    elif kind == "f" and size > 8:
        with np.errstate(over="ignore"):
            rounded = np.isfinite(values) & (values.astype(np.float64) != values)
    elif kind == "O":
        rounded = np.array([_is_rounded(cell) for cell in values.flat], bool)
    else:
        return
    for p in np.flatnonzero(rounded)[:1]:
        _refuse_rounded(values.flat[p], place(int(p)))


def _is_rounded(cell: Any) -> bool:
    """Whether a cell holds a number that no double holds, or an integer beyond 2**53."""
    if isinstance(cell, float | str | bytes):
        return False
    if isinstance(cell, Integral):
        return abs(int(cell)) > EXACT_INTEGER
    try:
        double = float(cell)
    except OverflowError:
        return True
    except (TypeError, ValueError):  # no number, which is refused later
        return False
    return math.isfinite(double) and bool(double != cell)


def _index(p: Any, shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(int(i) for i in np.unravel_index(p, shape))


def _refuse_rounded(value: Any, place: tuple[int, ...]) -> None:
    where = ", ".join(f"{name} {i}" for name, i in zip(("row", "column"), place, strict=False))
    why = "no double holds it"
    if isinstance(value, Integral):
        why = "an integer beyond 2**53, where doubles leave some out"
    raise ValueError(f"X holds {value} at {where}: {why}.")
