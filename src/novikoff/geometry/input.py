"""What users pass to geometry, checked."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from novikoff.geometry.cells import CellError, columns_named
from novikoff.geometry.doubles import refuse_large_integers, refuse_rounding
from novikoff.geometry.sparse import canonical, place_of


def real_array(name: str, given: Any) -> NDArray[Any]:
    """`given` as an array of real numbers in its own type; objects (fractions) become float64."""
    refuse_large_integers(name, given)
    return _array(name, given)


def _array(name: str, given: Any) -> NDArray[Any]:
    try:
        array = np.asarray(given)
        if array.dtype == object:
            array = array.astype(np.float64)
    except OverflowError as error:
        raise ValueError(f"{name} holds a number that is too large for a double.") from error
    except (TypeError, ValueError) as error:
        why = str(error).rstrip(".")
        raise ValueError(f"{name} must hold numbers, and rows of one length: {why}.") from error
    real: NDArray[Any] = _real(name, array)
    return real


def vector(name: str, given: Any) -> NDArray[np.float64]:
    """`given` as a 1-D float64 array of at least one number, all finite."""
    if sp.issparse(given):
        raise ValueError(f"{name} must be dense: pass {name}.toarray().ravel().")
    array = real_array(name, given)
    if array.ndim != 1 or array.size == 0:
        raise ValueError(
            f"{name} must be 1-D, one number per feature, at least one; its shape is {array.shape}."
        )
    _check_values(name, array, lambda p: f" at position {p}")
    return array.astype(np.float64)


def number(name: str, given: Any) -> float:
    """`given` as a finite double."""
    array = real_array(name, given)
    if array.ndim != 0:
        raise ValueError(f"{name} must be a single number; its shape is {array.shape}.")
    _check_values(name, array.reshape(1), lambda p: "")
    return float(array)


def matrix(X: Any, width: int) -> Any:
    """X, (n, width), as an array or a canonical CSR array in its own type; all values finite."""
    with columns_named(X):
        if not sp.issparse(X):
            refuse_rounding(X)
            X = _array("X", X)
        if X.ndim != 2:
            hint = " Write [x] for a single point x." if X.ndim == 1 else ""
            raise ValueError(f"X must be 2-D, one row per point; its shape is {X.shape}.{hint}")
        if X.shape[1] != width:
            raise ValueError(
                f"X has {X.shape[1]} columns, but theta has {width} numbers: one is needed per "
                "column."
            )
        if sp.issparse(X):
            X = canonical(X)
            refuse_rounding(X)
            X = _real("X", X)
            _check_values("X", X.data, lambda p: place_of(X, p))
        else:
            _check_values("X", X, lambda p: divmod(p, width))
        return X


def refuse_text(X: Any, cause: Exception) -> None:
    """Raise an error that says where X holds text, dates or missing values, if it does.

    Meant for X that was refused for `cause`, which does not say where; so it may take its time.
    """
    if sp.issparse(X):
        return
    try:
        array = np.asarray(X)
    except ValueError:  # rows of different lengths
        return
    if array.ndim != 2 or array.dtype.kind not in "OSUT":
        return
    # A list that holds text and numbers has become text: look at what was there before.
    cells = np.asarray(X, dtype=object)
    names = list(getattr(X, "columns", range(cells.shape[1])))
    for column, name in enumerate(names):
        for row, value in enumerate(cells[:, column]):
            if _is_no_number(value):
                place = f"column {column}" + f" ({name!r})" * isinstance(name, str)
                raise ValueError(
                    f"X must hold numbers; it holds {value!r} at row {row}, {place}. "
                    + (_IMPUTE if _is_missing(value) else _ENCODE)
                ) from cause
    if array.dtype.kind != "O":
        raise ValueError(
            "X must hold numbers; it holds text that reads as numbers. Convert it first: "
            "np.asarray(X, dtype=float)."
        ) from cause


_ENCODE = "Encode such columns first, for instance with sklearn.preprocessing.OneHotEncoder."
_IMPUTE = "Drop or impute such rows first (sklearn.impute.SimpleImputer does that)."


def _is_no_number(value: Any) -> bool:
    """Whether a cell holds text other than a number, a date, or pandas' NA or NaT."""
    if not isinstance(value, str | bytes):
        return isinstance(value, date | timedelta) or _is_missing(value)
    try:
        float(value)
    except ValueError:
        return True
    return False


def _is_missing(value: Any) -> bool:
    return type(value).__name__ in ("NAType", "NaTType")


def signs(y: Any, shape: tuple[int, ...] | None = None) -> NDArray[np.float64]:
    """y as float64, -1 and +1 only; of the given shape, if there is one."""
    try:
        array = real_array("y", y)
    except ValueError as error:
        raise ValueError(f"{error} {_LABELS}") from error
    if array.dtype == np.bool_:
        raise ValueError(f"y holds True and False. {_LABELS}")
    if shape is not None and array.shape != shape:
        raise ValueError(
            f"y must have shape {shape}, one label per row of X; its shape is {array.shape}."
        )
    wrong = np.flatnonzero((array != 1) & (array != -1))
    if wrong.size:
        raise ValueError(f"y holds {array.ravel()[wrong[0]]} at row {wrong[0]}. {_LABELS}")
    return array.astype(np.float64)


_LABELS = (
    "Geometry wants -1 and +1: convert class labels with np.where(y == classes_[1], 1, -1), "
    "where classes_ = np.unique(y)."
)


def _real(name: str, array: Any) -> Any:
    """A dense or sparse array of real numbers; unusual floating-point types become float64."""
    kind = array.dtype.kind
    if kind not in "biuf":
        raise ValueError(f"{name} must hold real numbers; its type is {array.dtype}.")
    if kind == "f" and array.dtype not in (np.float32, np.float64):
        with np.errstate(over="ignore"):  # infinity is refused with the other values
            return array.astype(np.float64)
    return array


def _check_values(name: str, values: NDArray[Any], place: Any) -> None:
    """Raise if a value is not finite.

    place : from the position of a value to its (row, column), or to words
    """
    if values.dtype.kind != "f":
        return
    bad, why = ~np.isfinite(values), "only finite numbers have a place in space"
    if bad.any():
        p = int(np.flatnonzero(bad)[0])
        what, where = f"{name} holds {values.ravel()[p]}", place(p)
        if isinstance(where, tuple):
            row, column = where
            raise CellError(what, row, column, f": {why}.")
        raise ValueError(f"{what}{where}: {why}.")
