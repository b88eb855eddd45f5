"""Sparse matrices in canonical form: CSR, columns in order, one value a place; and as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from novikoff.geometry.cells import CellError


def canonical(X: Any) -> Any:
    """X in canonical form; X itself if it has it.

    Values stored for one place are added up in the order they are stored in, in the matrix's own
    type, as `X.toarray()` adds them. (SciPy's `sum_duplicates` takes them in an order of its own.)
    A sum that an integer type does not hold is refused: it would wrap.
    """
    csr = X.tocsr()
    if X.format == "coo" and csr.nnz < X.nnz:  # SciPy has added duplicates, in its own order
        csr = _by_row(X)
    _refuse_malformed(csr)
    return csr if csr.has_canonical_format else _tidied(csr)


def dense(X: Any) -> NDArray[Any]:
    """An array, or a sparse matrix as one."""
    array: NDArray[Any] = X.toarray() if sp.issparse(X) else X
    return array


def with_ones(X: Any) -> Any:
    """The rows (x, 1) of an array, or of a sparse matrix as CSR."""
    ones = np.ones((X.shape[0], 1), X.dtype)
    return sp.hstack([X, ones], format="csr") if sp.issparse(X) else np.hstack([X, ones])


def place_of(X: Any, p: int) -> tuple[int, int]:
    """The row and the column of the value that a CSR matrix stores at position `p`."""
    return int(np.searchsorted(X.indptr, p, side="right")) - 1, int(X.indices[p])


def _by_row(X: Any) -> Any:
    """A COO matrix as CSR, with its duplicates."""
    order = np.argsort(X.row, kind="stable")
    indptr = np.concatenate([[0], np.cumsum(np.bincount(X.row, minlength=X.shape[0]))])
    return sp.csr_array((X.data[order], X.col[order], indptr), shape=X.shape)


def _refuse_malformed(X: Any) -> None:
    """Raise if a CSR matrix points outside of itself; neither SciPy nor scikit-learn checks."""
    lengths = np.diff(X.indptr)
    if X.indptr[0] != 0 or X.indptr[-1] > len(X.indices) or (lengths < 0).any():
        raise ValueError("The sparse matrix X is malformed: its indptr must rise from 0 to nnz.")
    columns = X.indices[: X.indptr[-1]]
    unsigned = columns.view(np.uint32 if columns.dtype == np.int32 else np.uint64)
    if len(columns) and unsigned.max() >= X.shape[1]:  # a negative index is a large unsigned one
        p = int(np.flatnonzero((columns < 0) | (columns >= X.shape[1]))[0])
        row, column = place_of(X, p)
        raise ValueError(
            f"The sparse matrix X is malformed: row {row} has a value in column {column}, but "
            f"there are {X.shape[1]} columns."
        )


def _tidied(X: Any) -> Any:
    """A copy in canonical form."""
    n, stored = X.shape[0], int(X.indptr[-1])
    rows, columns = np.repeat(np.arange(n), np.diff(X.indptr)), X.indices[:stored]
    order = np.lexsort((columns, rows))  # a stable sort: values of one place stay as they were
    rows, columns, values = rows[order], columns[order], X.data[:stored][order]
    new = np.ones(stored, bool)
    new[1:] = (np.diff(rows) > 0) | (np.diff(columns) > 0)
    rows, columns = rows[new], columns[new]
    sums = _added(values, np.cumsum(new) - 1, rows, columns)
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=n))])
    tidy = sp.csr_array((sums, columns, indptr.astype(X.indptr.dtype)), shape=X.shape)
    tidy.has_canonical_format = True
    return tidy


def _added(
    values: NDArray[Any], place: NDArray[np.int64], rows: NDArray[Any], columns: NDArray[Any]
) -> NDArray[Any]:
    """The sum of the values of each place, from left to right."""
    whole = values.dtype.kind in "iu"
    sums = np.zeros(len(rows), np.int64 if whole else values.dtype)
    with np.errstate(over="ignore", invalid="ignore"):  # infinity is refused with other values
        np.add.at(sums, place, values.astype(sums.dtype))
    if not whole:
        return sums
    # The sums are right modulo 2**64, and right where the sums as doubles are not that large.
    rough = np.bincount(place, weights=values, minlength=len(rows))
    limits = np.iinfo(values.dtype)
    bad = np.flatnonzero((sums < limits.min) | (sums > limits.max) | (np.abs(rough) > 2.0**62))
    if bad.size:
        p = bad[0]
        raise CellError(
            f"The values that the sparse matrix X stores for one place add up to {rough[p]:g}",
            int(rows[p]), int(columns[p]),
            f", which {values.dtype} does not hold. Convert first: X.astype(np.float64).",
        )  # fmt: skip
    return sums.astype(values.dtype)
