"""Tables as users hold them, read as doubles; what no double holds is refused, with its place."""

from __future__ import annotations

import math
from collections.abc import Callable
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

EXACT_INTEGER = 2**53  # integers beyond are refused, though doubles hold some of them

Place = Callable[[int], tuple[int, ...]]  # from the position of a value to its row and column


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
                _refuse(cells[p], _index(p, array.shape))
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
        _refuse(values.flat[p], place(int(p)))


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


def _refuse(value: Any, place: tuple[int, ...]) -> None:
    where = ", ".join(f"{name} {i}" for name, i in zip(("row", "column"), place, strict=False))
    why = "no double holds it"
    if isinstance(value, Integral):
        why = "an integer beyond 2**53 has no exact double"
    raise ValueError(f"X holds {value} at {where}: {why}.")
