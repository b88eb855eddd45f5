"""Arrays in a model file: which types there are, and which bytes may be their contents."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.persistence.errors import ModelFileError, require

_NAMES = re.compile(
    r"[<>|=](b1|[iu][1248]|f[248]|[US][1-9]\d{0,8}|[mM]8(\[\d{0,9}[a-zA-Zμ]{1,2}\])?)"
)
_MOST_DIMENSIONS, _LONGEST = 8, 2**53
_LAST_CODE_POINT = 0x10FFFF


def check_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The type itself, if arrays of it can be stored."""
    if not isinstance(dtype, np.dtype) or not _NAMES.fullmatch(dtype.str):
        raise ModelFileError(f"an array of type {dtype} cannot be stored")
    return dtype


def dtype_name(dtype: np.dtype[Any]) -> str:
    return dtype.str


def read_dtype(name: Any) -> np.dtype[Any]:
    """The type that a file names."""
    require(
        isinstance(name, str) and _NAMES.fullmatch(name) is not None,
        f"it names the array type {str(name)[:60]!r}, which no model file may.",
    )
    dtype: np.dtype[Any] = np.dtype(name)
    return dtype


def read_shape(shape: Any, size: int | None = None) -> tuple[int, ...]:
    """The shape that a file states, of `size` elements if that is known."""
    sound = (
        isinstance(shape, list)
        and len(shape) <= _MOST_DIMENSIONS
        and all(type(length) is int and 0 <= length <= _LONGEST for length in shape)
    )
    require(sound, f"an array has the shape {str(shape)[:60]}.")
    if size is not None:
        require(math.prod(shape) == size, f"an array of {size} objects has the shape {shape}.")
    return tuple(shape)


def check_contents(array: NDArray[Any]) -> None:
    """Refuse bytes that are no value of the array's type, which NumPy takes on trust."""
    flat = array.reshape(-1, order="A")
    if array.dtype.kind == "b":
        require(int(flat.view(np.uint8).max(initial=0)) <= 1, "a truth value is neither.")
    elif array.dtype.kind == "U" and flat.size:
        points = flat.view(np.dtype("u4").newbyteorder(array.dtype.byteorder))
        require(int(points.max()) <= _LAST_CODE_POINT, "a string holds what is no character.")
