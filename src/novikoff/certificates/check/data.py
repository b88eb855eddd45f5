"""The data a certificate is checked against, as the user holds it: X and y.

X is a dense array, a data frame or a SciPy sparse matrix; its values are read as doubles. The
labels y are of two kinds; in sorted order the first is -1 and the second +1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.check.matrix import Dense, Floats, Integers, Matrix, Sparse


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
    matrix = _read_sparse(X.tocsr()) if hasattr(X, "tocsr") else _read_dense(np.asarray(X))
    return Data(matrix, _read_labels(y, matrix.shape[0]))


def _read_dense(X: NDArray[Any]) -> Dense:
    if X.ndim != 2:
        raise ValueError(f"X must have two dimensions, rows and columns; it has {X.ndim}.")
    X = _as_numbers(X)
    matrix = Dense(X)
    if X.dtype.kind == "f":
        for start, block in matrix.blocks():
            finite = np.isfinite(block.values)
            if not finite.all():
                row, column = np.argwhere(~finite)[0]
                _refuse(block.values[row, column], start + row, column)
    return matrix


def _read_sparse(X: Any) -> Sparse:
    """A CSR matrix in canonical form: no zeros, columns sorted, duplicates added as doubles."""
    n, d = X.shape
    starts = np.asarray(X.indptr).astype(np.int64)
    if len(starts) != n + 1 or starts[0] != 0 or (np.diff(starts) < 0).any():
        raise ValueError("The sparse matrix X is malformed: its indptr must rise from 0 to nnz.")
    columns = np.asarray(X.indices)[: starts[-1]].astype(np.int64)
    values = _as_numbers(np.asarray(X.data)[: starts[-1]]).astype(np.float64)
    if not len(columns) == len(values) == starts[-1]:
        raise ValueError("The sparse matrix X is malformed: indices and data differ in length.")
    if len(columns) and not 0 <= columns.min() <= columns.max() < d:
        raise ValueError("The sparse matrix X is malformed: a column number is out of range.")
    rows = np.repeat(np.arange(n), np.diff(starts))
    if not _strictly_rising(rows, columns):
        rows, columns, values = _add_duplicates(rows, columns, values)
    for p in np.flatnonzero(~np.isfinite(values)):
        _refuse(values[p], rows[p], columns[p])
    kept = values != 0.0
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows[kept], minlength=n))])
    return Sparse(values[kept], columns[kept], starts.astype(np.int64), d)


def _strictly_rising(rows: Integers, columns: Integers) -> bool:
    """Whether every row lists its columns in order, each once."""
    return bool(((np.diff(rows) > 0) | (np.diff(columns) > 0)).all())


def _add_duplicates(
    rows: Integers, columns: Integers, values: Floats
) -> tuple[Integers, Integers, Floats]:
    """Entries sorted by row and column; those of one place added up from left to right."""
    order = np.lexsort((columns, rows))
    rows, columns, values = rows[order], columns[order], values[order]
    first = np.concatenate([[True], (np.diff(rows) > 0) | (np.diff(columns) > 0)])
    sums: Floats = np.bincount(np.cumsum(first) - 1, weights=values).astype(np.float64)
    return rows[first], columns[first], sums


def _as_numbers(values: NDArray[Any]) -> NDArray[Any]:
    """Values in a real type, every one of them a double."""
    if values.dtype == object or (values.dtype.kind == "f" and values.dtype.itemsize > 8):
        try:
            values = values.astype(np.float64)
        except (TypeError, ValueError, OverflowError) as error:
            raise ValueError(f"X must hold numbers: {error}.") from error
    if values.dtype.kind not in "biuf":
        raise ValueError(f"X must hold numbers; its type is {values.dtype}.")
    if values.dtype.kind in "iu" and values.dtype.itemsize == 8 and values.size:
        for extreme in (int(values.min()), int(values.max())):
            if abs(extreme) > 2**53:
                raise ValueError(f"X holds {extreme}: an integer beyond 2**53 has no exact double.")
    return values


def _refuse(value: float, row: int, column: int) -> None:
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
