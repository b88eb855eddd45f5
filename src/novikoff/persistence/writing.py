"""From a model to its structure as JSON and a list of arrays.

The structure is a flat list of *nodes*, each made of values and of nodes before it, so that it has
no depth and no cycles; the last node is the model. A value is null, true, false, a number, a string
or one of

    {"node": i}             a node before this one
    {"float": "nan"}        also "inf", "-inf"
    {"int64": 3}            a NumPy scalar, by the name of its type

and a node is a list that begins with its kind:

    ["list", values], ["tuple", values], ["set", values], ["frozenset", values]
    ["dict", keys, values]
    ["slice", start, stop, step]
    ["array", dtype, shape, order, writeable]     contents among the arrays, in order of nodes
    ["corner", array, shape]                      the first rows and columns of an array
    ["objects", shape, values]                    an array of Python objects
    ["sparse", kind, shape, data, indices, indptr]
    ["random", key, position, has_gauss, gauss]   a numpy.random.RandomState
    ["fraction", numerator, denominator]          in hexadecimal
    ["dtype", name], ["type", name], ["function", name]
    ["record", name, fields, values]              a dataclass or named tuple of this library
    ["object", name, attributes, values]          an estimator

Objects, arrays and random states that occur twice are one node, so they are still the same thing
after reading; of containers every occurrence is written.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import MISSING, fields
from fractions import Fraction
from typing import Any, NoReturn

import numpy as np
import scipy.sparse as sp

from novikoff._arrays import Array
from novikoff.persistence.checks import check, check_dtype
from novikoff.persistence.errors import ModelFileError
from novikoff.persistence.names import lookup, name_of

SPARSE = {"csr_array", "csr_matrix", "csc_array", "csc_matrix"}
SCALARS = {
    f"{kind}{bits}" for kind in ("int", "uint", "float") for bits in (8, 16, 32, 64)
} - {"float8"} | {"bool", "str_"}  # fmt: skip

# Of a run and its data, not of the model; see docs/model-files.md.
_NOT_KEPT = {"mistake_counts_", "trace_", "_skl_callbacks", "_parent_callback_ctx"}


def fields_of(cls: Any) -> list[str]:
    """The fields of a dataclass or named tuple, in order; what belongs to the class is none."""
    return list(getattr(cls, "_fields", None) or (field.name for field in fields(cls)))


def defaults_of(cls: Any) -> dict[str, Any]:
    """What the fields of a dataclass or named tuple are if nobody says, where that is known."""
    if hasattr(cls, "_field_defaults"):
        return dict(cls._field_defaults)
    result = {}
    for field in fields(cls):
        if field.default_factory is not MISSING:
            result[field.name] = field.default_factory()
        elif field.default is not MISSING:
            result[field.name] = field.default
    return result


class Writer:
    """Collects the nodes and arrays of one model."""

    def __init__(self) -> None:
        self.arrays: list[Array] = []
        self._nodes: list[list[Any]] = []
        self._known: dict[int, dict[str, int]] = {}
        self._alive: list[Any] = []  # what was numbered by its id must not be freed meanwhile
        self._open: set[int] = set()
        self._path: list[str] = []

    def tree(self, model: Any) -> bytes:
        """The structure of `model`."""
        try:
            self._value(model)
        except RecursionError:
            raise ModelFileError("The model is nested too deeply for a model file.") from None
        return json.dumps(self._nodes, allow_nan=False, separators=(",", ":")).encode()

    def _value(self, value: Any) -> Any:
        kind = type(value)
        if value is None or kind in (bool, int, str):
            return value
        if kind is float:
            return value if math.isfinite(value) else {"float": repr(value)}
        if isinstance(value, np.generic):
            return self._scalar(value)
        if id(value) in self._known:
            return self._known[id(value)]
        if id(value) in self._open:
            self._refuse("it contains itself")
        self._open.add(id(value))
        node, shared = self._node(value)
        self._open.discard(id(value))
        self._nodes.append(node)
        reference = {"node": len(self._nodes) - 1}
        if shared:
            self._known[id(value)] = reference
            self._alive.append(value)
        return reference

    def _values(self, values: Any, names: Any = None) -> list[Any]:
        result = []
        for i, value in enumerate(values):
            self._path.append(f"[{i}]" if names is None else f".{names[i]}")
            result.append(self._value(value))
            self._path.pop()
        return result

    def _scalar(self, value: np.generic) -> Any:
        name = type(value).__name__
        if name not in SCALARS:
            self._refuse(f"a NumPy {name} cannot be stored")
        return {name: self._value(value.item())}

    def _node(self, value: Any) -> tuple[list[Any], bool]:
        """The node of a value, and whether other places may refer to it."""
        kind = type(value)
        if kind in (list, tuple):
            return [kind.__name__, self._values(value)], False
        if kind in (set, frozenset):
            return [kind.__name__, self._values(_in_order(value))], False
        if kind is dict:
            return ["dict", self._keys(value), self._values(value.values(), list(value))], False
        if kind is slice:
            return ["slice", *self._values((value.start, value.stop, value.step))], False
        if kind in (np.ndarray, np.memmap):
            return self._array(np.asarray(value)), True
        if sp.issparse(value) and kind.__name__ in SPARSE:
            parts = self._values((value.data, value.indices, value.indptr))
            return ["sparse", kind.__name__, list(map(int, value.shape)), *parts], True
        if kind is np.random.RandomState:
            return self._random(value), True
        if kind is Fraction:
            return ["fraction", f"{value.numerator:x}", f"{value.denominator:x}"], False
        if isinstance(value, np.dtype):
            return ["dtype", "object" if value.kind == "O" else self._dtype_name(value)], False
        if isinstance(value, type):
            return ["type", self._named("type", value)], False
        if record := lookup("record", kind):
            names = fields_of(kind)
            values = self._values([getattr(value, name) for name in names], names)
            self._check(value)
            return ["record", record, names, values], True
        if callable(value) and not hasattr(value, "get_params") and lookup("object", kind) is None:
            return ["function", self._named("function", value)], False
        return self._object(value), True

    def _keys(self, value: dict[Any, Any]) -> list[Any]:
        for key in value:
            if not isinstance(key, (str, int, float, tuple, np.generic, type(None))):
                self._refuse(f"a dict with a key of type {type(key).__name__} cannot be stored")
        return self._values(value)

    def _array(self, array: Array) -> list[Any]:
        shape = list(array.shape)
        if array.dtype == object:
            return ["objects", shape, self._values(array.reshape(-1))]
        dtype = self._dtype_name(array.dtype)
        writeable = bool(array.flags.writeable)
        if not array.flags.forc:
            if (whole := _embedded(array)) is not None:
                return ["corner", self._value(whole), shape]
            array = array.copy(order="K")
        order: Any = "F" if array.flags.f_contiguous and not array.flags.c_contiguous else "C"
        self.arrays.append(np.asarray(array, order=order))
        return ["array", dtype, shape, order, writeable]

    def _dtype_name(self, dtype: Any) -> str:
        with self._placed():
            return check_dtype(dtype).str

    def _random(self, value: np.random.RandomState) -> list[Any]:
        state: Any = value.get_state(legacy=False)
        if state["bit_generator"] != "MT19937":
            self._refuse("of random states only numpy.random.RandomState(seed) can be stored")
        inner = state["state"]
        return [
            "random", self._value(inner["key"]), int(inner["pos"]), int(state["has_gauss"]),
            self._value(float(state["gauss"])),
        ]  # fmt: skip

    def _named(self, table: str, value: Any) -> str:
        name = lookup(table, value)
        if name is None:
            shown = getattr(value, "__qualname__", None) or repr(value)[:60]
            instead = "Apply it to the data before the model, or leave that step out"
            if self._path[-1:] == [".kernel"]:
                instead = (
                    "Compute the kernel yourself and use kernel='precomputed', or use a named "
                    "kernel"
                )
            self._refuse(
                f"{shown} is code, and a model file holds none (of functions, only those that "
                f"docs/model-files.md lists). {instead}"
            )
        return name

    def _object(self, value: Any) -> list[Any]:
        with self._placed():
            name = name_of(type(value))
        state = {k: v for k, v in vars(value).items() if k not in _NOT_KEPT}
        if name == "sklearn.pipeline.Pipeline":
            state["memory"] = None  # a place on this machine
        node = ["object", name, list(state), self._values(state.values(), list(state))]
        self._check(value)
        return node

    def _check(self, value: Any) -> None:
        """A file that `load` would refuse is not written."""
        with self._placed():
            check(value)

    @contextmanager
    def _placed(self) -> Iterator[None]:
        """What is refused inside is told with its place in the model."""
        try:
            yield
        except ModelFileError as error:
            self._refuse(str(error).removesuffix("."))

    def _refuse(self, why: str) -> NoReturn:
        where = "".join(self._path).removeprefix(".")
        raise ModelFileError(f"The model cannot be stored{' at ' * bool(where)}{where}: {why}.")


def _embedded(array: Array) -> Array | None:
    """A contiguous array of which `array`, cut out of a larger one, is the first corner.

    Matrix products are rounded differently for another distance between rows. None if `array` is
    no such cut, or the larger one is much larger.
    """
    size = array.itemsize
    if array.ndim != 2 or min(array.strides) != size or max(array.strides) % size:
        return None
    by_rows = array.strides[1] == size
    lead = max(array.strides) // size
    shape = (len(array), lead) if by_rows else (lead, array.shape[1])
    if not max(array.shape) <= max(shape) <= 16 * max(array.shape):
        return None
    whole = np.zeros(shape, array.dtype, order="C" if by_rows else "F")
    whole[: array.shape[0], : array.shape[1]] = array
    return whole


def _in_order(values: Any) -> list[Any]:
    """A set in an order that does not change from run to run, where it can be sorted."""
    try:
        return sorted(values)
    except TypeError:
        return list(values)
