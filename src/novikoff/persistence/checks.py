"""What the parts of a model must be like before anything computes with them.

Kernels index with numbers from a model and check none of them: an index, a length or a type that
is wrong would read or write foreign memory. So everything that a kernel relies on is checked, once
per object, when it is read and also when it is written (a file that cannot be read again is not
worth writing). What NumPy checks anyway, and what merely gives a wrong prediction, is not.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from novikoff._arrays import Array, Ints
from novikoff.kernels.rules import Extra
from novikoff.persistence.errors import ModelFileError, require

_MOST_JOBS = 2**10


def check(thing: Any) -> None:
    """Raise a `ModelFileError` if a record or an object is not what its class takes it for."""
    cls: Any = type(thing)
    for each in _checks_of(cls):
        each(thing)
    jobs = getattr(thing, "n_jobs", None)  # so many processes would be started
    require(
        jobs is None or (isinstance(jobs, (int, np.integer)) and jobs <= _MOST_JOBS),
        f"{cls.__name__}.n_jobs is {str(jobs)[:40]}; {_MOST_JOBS} is most.",
    )
    if cls.__module__.startswith("novikoff.") and hasattr(cls, "check_loaded"):
        thing.check_loaded()
    if hasattr(cls, "_parameter_constraints"):
        try:
            thing._validate_params()
        except (ValueError, TypeError, AttributeError) as error:
            raise ModelFileError(f"{cls.__name__} has unsound parameters: {error}") from error


@cache
def _checks_of(cls: Any) -> list[Callable[[Any], None]]:
    """The checks of a class and of its bases, which a subclass must pass as well."""
    from novikoff.persistence import check_kernel, check_linear, check_sklearn, check_votes

    known: dict[str, Callable[[Any], None]]
    known = check_linear.CHECKS | check_votes.CHECKS | check_kernel.CHECKS | check_sklearn.CHECKS
    found = [known[base.__name__] for base in cls.__mro__ if base.__name__ in known]
    return [*found, known["a rule"]] if hasattr(cls, "NUMBERS") else found


def array_of(
    value: Any, dtypes: tuple[Any, ...], shape: tuple[int | None, ...], what: str
) -> Array:
    """`value`, if it is an array of one of the types and of the shape; None is any length."""
    require(type(value) is np.ndarray, f"{what} is no array.")
    require(
        any(value.dtype == dtype and value.dtype.isnative for dtype in dtypes),
        f"{what} is of type {value.dtype}.",
    )
    fits = value.ndim == len(shape) and all(
        wanted is None or length == wanted
        for length, wanted in zip(value.shape, shape, strict=True)
    )
    require(fits, f"{what} has the shape {value.shape}, where {shape} is right.")
    result: Array = value
    return result


def floats(value: Any, shape: tuple[int | None, ...], what: str) -> Array:
    """`value`, if it is a float32 or float64 array of the shape, with finite numbers only."""
    array = array_of(value, (np.float32, np.float64), shape, what)
    require(bool(np.isfinite(array).all()), f"{what} holds numbers that are not finite.")
    return array


def integers(
    value: Any, shape: tuple[int | None, ...], what: str, low: int = 0, high: int | None = None
) -> Ints:
    """`value`, if it is an int64 array of the shape, with numbers from low up to below high."""
    array = array_of(value, (np.int64,), shape, what)
    if array.size:
        require(int(array.min()) >= low, f"{what} holds {array.min()}, which is below {low}.")
        if high is not None:
            require(int(array.max()) < high, f"{what} holds {array.max()}, out of {high}.")
    return array


def whole(value: Any, what: str, low: int = 0, high: int = 2**62) -> int:
    """`value`, if it is an int from low up to below high."""
    require(type(value) is int and low <= value < high, f"{what} is {str(value)[:40]}.")
    result: int = value
    return result


def number(value: Any, what: str) -> float:
    """`value`, if it is a finite float."""
    require(type(value) is float and bool(np.isfinite(value)), f"{what} is {str(value)[:40]}.")
    result: float = value
    return result


def check_share(value: Any, *, known: bool) -> None:
    """Refuse what is no share of wrong predictions; it is None where it is not `known`."""
    if known:
        sound = 0.0 <= number(value, "the share of wrong predictions") <= 1.0
        require(sound, f"the share of wrong predictions is {value}.")
    else:
        require(value is None, "it has a share of wrong predictions that nobody counted.")


def check_beside(found: Any, beside: tuple[Extra, ...], n_planes: int, width: int) -> None:
    """Refuse what was `found` beside theta if it is not what a run keeps that keeps `beside`.

    Kernels take the arrays without their names, so they must be in order.
    """
    shapes = {name: shape for extra in beside for name, shape in extra.shapes(width).items()}
    require(
        type(found) is dict and list(found) == list(shapes),
        "what is kept beside theta is another run's.",
    )
    for name, shape in shapes.items():
        kept = floats(found[name], (n_planes, *shape), name)
        require(kept.dtype == np.float64, f"{name} holds no doubles.")
        require(kept.flags.c_contiguous or kept.flags.f_contiguous, f"{name} is scattered.")


def check_compressed(
    values: Any, indices: Any, indptr: Any, n_major: int, n_minor: int, what: str
) -> None:
    """Refuse CSR or CSC arrays that point outside of themselves."""
    for part in (values, indices, indptr):
        require(type(part) is np.ndarray and part.ndim == 1, f"{what} is made of no arrays.")
    for part in (indices, indptr):
        require(part.dtype.kind in "iu" and part.dtype.isnative, f"{what} has no indices.")
    require(values.dtype.kind in "biuf" and values.dtype.isnative, f"{what} holds no numbers.")
    require(len(indptr) == n_major + 1, f"{what} has {len(indptr) - 1} rows, not {n_major}.")
    require(len(values) == len(indices), f"{what} has values without indices.")
    rising = int(indptr[0]) == 0 and bool((indptr[1:] >= indptr[:-1]).all())
    require(rising and int(indptr[-1]) == len(indices), f"{what} has rows outside of itself.")
    if len(indices):
        inside = int(indices.min()) >= 0 and int(indices.max()) < n_minor
        require(inside, f"{what} has a value outside of its {n_minor} columns.")


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


def check_contents(array: Array) -> None:
    """Refuse bytes that are no value of the array's type, which NumPy takes on trust."""
    flat = array.reshape(-1, order="A")
    if array.dtype.kind == "b":
        require(int(flat.view(np.uint8).max(initial=0)) <= 1, "a truth value is neither.")
    elif array.dtype.kind == "U" and flat.size:
        points = flat.view(np.dtype("u4").newbyteorder(array.dtype.byteorder))
        require(int(points.max()) <= _LAST_CODE_POINT, "a string holds what is no character.")
