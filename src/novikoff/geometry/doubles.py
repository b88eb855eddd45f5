"""Do doubles hold what a user passed?

NumPy, data frames and scikit-learn round on the way to float64 without a word: integers that share
a table with floats, fractions, numbers of more than 64 bits. So the table is looked at as it was
passed, before anything is converted. Text is read by others, and refused by them where it must be.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from numbers import Integral
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from novikoff.geometry.cells import CellError, columns_named
from novikoff.geometry.sparse import place_of

EXACT_INTEGER = 2**53  # all integers up to here are doubles

Test = Callable[[Any], bool]


def refuse_rounding(X: Any) -> None:
    """Raise if X holds a number that no double holds, or an integer beyond 2**53.

    X : array-like, data frame, or sparse matrix in CSR format
    """
    _refuse(X, "X", _is_rounded)


def refuse_large_integers(name: str, given: Any) -> None:
    """Raise if there is an integer beyond 2**53; fractions may be rounded."""
    _refuse(given, name, _is_large_integer)


def _refuse(given: Any, name: str, test: Test) -> None:
    found = _find(given, test)
    if found is None:
        return
    value, place = found
    what, why = f"{name} holds {value}", "no double holds it"
    if isinstance(value, Integral):
        why = "an integer beyond 2**53, where doubles leave some out"
    why = f": {why}. Convert to float64 yourself if rounding it is acceptable."
    if len(place) == 2:
        with columns_named(given):
            raise CellError(what, *place, why)
    raise ValueError(what + "".join(f" at position {p}" for p in place[:1]) + why)


def _find(given: Any, test: Test) -> tuple[Any, tuple[int, ...]] | None:
    """The first number that meets the test, and its place."""
    if sp.issparse(given):
        p = _first(given.data[: given.indptr[-1]], test)
        return None if p is None else (given.data[p], place_of(given, p))
    columns = _columns(given)
    if columns is None:
        return _find_in_array(given, test)
    for j, values in columns:
        p = _first(values, test)
        if p is not None:
            return values[p], (p, j)
    return None


def _find_in_array(given: Any, test: Test) -> tuple[Any, tuple[int, ...]] | None:
    try:
        array = np.asarray(given)
    except ValueError:  # rows of different lengths: others say so
        return None
    p = _first(array, test)
    if p is None and array.dtype.kind == "f" and not hasattr(given, "dtype"):
        # Integers among floats, in a list of lists say, have become floats: look at what they were.
        large = np.flatnonzero(np.abs(array) >= EXACT_INTEGER)
        if large.size:
            array = np.asarray(given, dtype=object)
            p = next((int(p) for p in large if test(array.flat[p])), None)
    if p is None:
        return None
    return array.flat[p], tuple(int(i) for i in np.unravel_index(p, array.shape))


def _columns(X: Any) -> Iterator[tuple[int, NDArray[Any]]] | None:
    """The number and the values of each column of a data frame; None if X is none.

    Columns of pandas whose type says that doubles hold them are left out.
    """
    for columns in ("iter_columns", "itercolumns"):  # of polars and of Arrow
        if hasattr(X, columns):
            return ((j, _values(column)) for j, column in enumerate(getattr(X, columns)()))
    if hasattr(X, "iloc") and getattr(X, "ndim", 0) == 2:
        kinds = enumerate(X.dtypes)
        return ((j, np.asarray(X.iloc[:, j])) for j, kind in kinds if not _is_held(kind))
    return None


def _is_held(kind: Any) -> bool:
    """Whether doubles hold all values of a type of pandas: plain, nullable, or sparse."""
    plain = getattr(kind, "subtype", getattr(kind, "numpy_dtype", kind))
    if not isinstance(plain, np.dtype):
        return False
    return plain.kind == "b" or plain.itemsize < 8 or plain == np.float64


def _values(column: Any) -> NDArray[Any]:
    try:
        return np.asarray(column)
    except Exception:  # polars' own: NumPy has no integers of 128 bits
        return np.array(list(column), object)


def _first(values: NDArray[Any], test: Test) -> int | None:
    """The position of the first number that meets the test; None if there is none."""
    kind, size = values.dtype.kind, values.dtype.itemsize
    if kind in "iu" and size == 8:
        if values.size == 0 or max(-int(values.min()), int(values.max())) <= EXACT_INTEGER:
            return None
        rounded = (values > EXACT_INTEGER) | (values < -EXACT_INTEGER)
    elif kind == "f" and size > 8 and test is _is_rounded:
        with np.errstate(over="ignore"):
            rounded = np.isfinite(values) & (values.astype(np.float64) != values)
    elif kind == "O":
        rounded = np.fromiter(map(test, values.flat), bool, values.size)
    else:
        return None
    places = np.flatnonzero(rounded)
    return int(places[0]) if places.size else None


def _is_rounded(value: Any) -> bool:
    """Whether a cell holds a number that no double holds."""
    if isinstance(value, float | str | bytes):
        return False
    if isinstance(value, Integral):
        return _is_large_integer(value)
    try:
        double = float(value)
    except OverflowError:
        return True
    except (TypeError, ValueError):  # no number
        return False
    return math.isfinite(double) and bool(double != value)


def _is_large_integer(value: Any) -> bool:
    return isinstance(value, Integral) and abs(int(value)) > EXACT_INTEGER
