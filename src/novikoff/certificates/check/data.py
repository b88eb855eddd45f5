"""The data a certificate is checked against, as the user holds it: X and y.

X is a dense array, a data frame or a SciPy sparse matrix; its values are read as doubles, and what
no double holds is refused. A sparse matrix that stores several values for one place has their sum
there: added in the order they are stored in, in the matrix's own type; integers must not wrap. The
labels y are of two kinds; in sorted order the first is -1 and the second +1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.check.matrix import Dense, Integers, Matrix, Sparse
from novikoff.certificates.check.tables import as_doubles, read_table


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
                _refuse(block.values[row, column], start + row, column)
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
        _refuse(values[p], rows[p], columns[p])
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
