"""From a validated matrix to the `Rows` that kernels read, without a copy where possible."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from novikoff._arrays import Array, Floats
from novikoff.geometry.cells import CellError
from novikoff.geometry.sparse import canonical
from novikoff.kernels.columns import stand_in_rows
from novikoff.kernels.rows import Rows, read_only, row_norms, span


def theta_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The type of theta for data of `dtype`: float32 stays, all else is learned in float64."""
    single = dtype.kind == "f" and dtype.itemsize == 4
    return np.dtype(np.float32 if single else np.float64)


# What kernels are compiled for. Other types are widened to one of these, which costs a copy; a
# kernel for each of them would cost every user seconds of compiling.
_DENSE = (np.uint8, np.int16, np.float32, np.float64)
_SPARSE = (np.float32, np.float64)
_WORTH_A_KERNEL = 2**18  # values: in fewer numpy is done before a kernel is loaded


def as_rows(X: Any, *, checked: bool = False) -> Rows:
    """View a C-ordered array or a CSR matrix as `Rows`; what cannot be viewed is copied.

    checked : a sparse X is known to be in canonical form, which takes a pass to find out
    """
    X = tidied(X, checked=checked)
    if sp.issparse(X):
        indices = X.indices
        if indices.dtype != np.int32 and X.shape[1] <= np.iinfo(np.int32).max:
            indices = indices.astype(np.int32)
        unsigned = np.uint32 if indices.dtype == np.int32 else np.uint64
        rows = Rows(
            X.data,
            read_only(indices.view(unsigned)),
            read_only(X.indptr.astype(np.int64, copy=False)),
            X.shape[1],
        )
    else:
        rows = Rows(X.reshape(-1), None, None, X.shape[1])
    return rows._replace(values=read_only(_compiled(rows)))


def tidied(X: Any, *, checked: bool = False) -> Any:
    """X in C order or as canonical CSR, in a plain type that holds its values; see `as_rows`."""
    if not sp.issparse(X):
        return _plain(_in_rows(X))
    X = X if checked else canonical(X)
    data = _plain(X.data)
    if data is X.data:
        return X
    plain = sp.csr_array((data, X.indices, X.indptr), shape=X.shape)
    plain.has_canonical_format = True
    return plain


def _in_rows(X: Array) -> Array:
    """X in C order. Frames are stored column by column, and numpy takes its time to turn them."""
    if not in_columns(X) or X.size < _WORTH_A_KERNEL:
        return np.ascontiguousarray(X)
    result = np.empty(X.shape, X.dtype)
    stand_in_rows(read_only(X.T), result)
    return result


def _plain(values: Array) -> Array:
    if values.dtype == np.bool_:
        values = values.view(np.uint8)
    elif values.dtype == np.float16:
        values = values.astype(np.float32)
    elif values.dtype.kind == "f" and values.dtype.itemsize > 8:
        values = values.astype(np.float64)
    if not values.dtype.isnative:
        values = values.astype(values.dtype.newbyteorder("="))
    return values


def _compiled(rows: Rows) -> Array:
    """The values of `rows` in a type that kernels read."""
    values: Array = rows.values
    dense = rows.indices is None
    if values.dtype in (_DENSE if dense else _SPARSE):
        return values
    wider = np.int16 if dense and values.dtype == np.int8 else np.float64
    return values.astype(wider)


def in_columns(X: Any) -> bool:
    """Whether X is an array stored column by column, in a type that kernels read."""
    if sp.issparse(X) or X.flags.c_contiguous or not X.flags.f_contiguous:
        return False
    return X.dtype.isnative and X.dtype in _DENSE


def stack(blocks: list[Rows]) -> Rows:
    """The rows of all `blocks`, one below the other; a mix of dense and sparse becomes sparse."""
    if len(blocks) == 1:
        return blocks[0]
    if all(block.indices is None for block in blocks):
        values = np.concatenate([block.values for block in blocks])
        return Rows(read_only(values), None, None, blocks[0].width)
    return as_rows(sp.vstack([as_matrix(block) for block in blocks], format="csr"))


def as_matrix(rows: Rows) -> Any:
    """`rows` as a NumPy array or, if sparse, a SciPy CSR array."""
    if rows.indices is None:
        return rows.values.reshape(-1, rows.width)
    shape = (len(rows.indptr) - 1, rows.width)
    signed = np.int32 if rows.indices.dtype == np.uint32 else np.int64
    return sp.csr_array((rows.values, rows.indices.view(signed), rows.indptr), shape=shape)


def norms_of(rows: Rows, n_rows: int, constant: float) -> Floats:
    """Upper bounds on ||(x, constant)||; refuses rows the kernels cannot compute with."""
    norms = np.empty(n_rows)
    refuse_bad_row(rows, row_norms(rows, constant, norms))
    return norms


def refuse_not_finite(rows: Rows, n_rows: int) -> None:
    """Refuse a NaN or an infinity, and say where it is."""
    if not np.isfinite(rows.values).all():
        norms_of(rows, n_rows, 0.0)


def as_columns(X: Array) -> Rows:
    """View an array that is `in_columns` as rows whose values are (d, n)."""
    return Rows(read_only(X.T), None, None, X.shape[1])


def refuse_bad_row(rows: Rows, bad: int, *, named: int | None = None) -> None:
    """Raise if a kernel has found that row `bad` is not finite (-1: none is).

    named : the number that the error gives it, if another
    """
    if bad < 0:
        return
    low, high = span(rows.indptr, rows.width, bad)
    values = rows.values[low:high]
    p = int(np.argmin(np.isfinite(values)))
    column = p if rows.indices is None else int(rows.indices[low + p])
    what, advice = "infinity", "Drop such rows or clip the values first."
    if np.isnan(values[p]):
        what = "NaN"
        advice = "Drop or impute such rows first (sklearn.impute.SimpleImputer does that)."
    number = bad if named is None else named
    raise CellError(f"Input X contains {what}", number, column, f". {advice}")
