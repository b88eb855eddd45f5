"""From the structure and the arrays of a file back to a model. `writing.py` has the format.

Nothing here trusts the file. Names are looked up in the tables of `names.py`, objects are made
without calling their class, and every object is checked (`checks.py`) before anything else sees it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import scipy.sparse as sp

from novikoff._arrays import Array
from novikoff._json import read_json
from novikoff.persistence.checks import (
    check,
    check_compressed,
    check_contents,
    read_dtype,
    read_shape,
)
from novikoff.persistence.container import ModelFile
from novikoff.persistence.errors import require
from novikoff.persistence.names import find
from novikoff.persistence.writing import SCALARS, SPARSE, defaults_of, fields_of

_CONTAINERS = (list, tuple, set, frozenset, dict)
_LONGEST_FRACTION = 2**20  # digits; a longer one would take forever
MOST_MEMORY = 2**31
# What a comma, a bracket and so on of the structure may bring about, in bytes, as measured: an
# entry and its value, a list or set, a dict with one key, a random state.
_BYTES = {b",": 80, b"[": 160, b"{": 256, b'"random"': 2**13}


class Reader:
    """Builds the model of one file."""

    def __init__(self, file: ModelFile, max_memory: int = MOST_MEMORY) -> None:
        self._file = file
        self._most = self._room = max_memory  # for everything but the contents of arrays
        self._indices: set[int] = set()  # the arrays that say where values of a matrix are
        self._built: list[Any] = []
        self._used: set[int] = set()  # the containers that have a place already
        self.from_sklearn: list[str] = []
        self._makers: dict[str, Callable[..., Any]] = {
            "list": lambda values: self._values(values),
            "tuple": lambda values: tuple(self._values(values)),
            "set": lambda values: set(self._keys(values)),
            "frozenset": lambda values: frozenset(self._keys(values)),
            "dict": self._dict,
            "slice": lambda *parts: slice(*(self._integer(part) for part in parts)),
            "array": self._array,
            "corner": self._corner,
            "objects": self._objects,
            "sparse": self._sparse,
            "random": self._random,
            "fraction": _fraction,
            "dtype": lambda name: np.dtype(object) if name == "object" else read_dtype(name),
            "type": lambda name: find("type", name),
            "function": lambda name: find("function", name),
            "record": self._record,
            "object": self._object,
        }

    def model(self) -> Any:
        """The model that the file holds."""
        model = self.content()
        require(hasattr(model, "get_params"), "it is about no model.")
        return model

    def content(self) -> Any:
        """What the file holds: its last node."""
        self._take(_memory_of(self._file.tree))
        nodes = read_json(self._file.tree.decode("ascii"))
        require(isinstance(nodes, list) and len(nodes) > 0, "its structure is no list of nodes.")
        for number, node in enumerate(nodes):
            require(isinstance(node, list) and len(node) > 0, f"node {number} is none.")
            kind, *rest = node
            require(
                isinstance(kind, str) and kind in self._makers,
                f"node {number} is of the kind {str(kind)[:60]!r}, which no model file has.",
            )
            self._built.append(self._makers[kind](*rest))
        require(self._file.left == 0, "it holds arrays that belong to nothing.")
        return self._built[-1]

    def _take(self, size: int) -> None:
        """Refuse what would take too much memory, before it does."""
        self._room -= size
        require(
            self._room >= 0,
            f"it may take {(self._most - self._room) / 1e9:.1f} GB of memory besides its arrays, "
            f"and {self._most / 1e9:.1f} GB are allowed. If you trust it and have the memory, give "
            "novikoff.load a larger max_memory.",
        )

    def _value(self, value: Any) -> Any:
        if value is None or isinstance(value, (bool, int, float, str)):
            return value
        require(isinstance(value, dict) and len(value) == 1, "a value is of no known kind.")
        [(kind, content)] = value.items()
        if kind == "node":
            require(
                type(content) is int and 0 <= content < len(self._built),
                "a value refers to a node that does not come before it.",
            )
            result = self._built[content]
            if type(result) in _CONTAINERS:
                # Used over and over, a few containers could stand for very many.
                require(content not in self._used, "a container is used twice.")
                self._used.add(content)
            return result
        if kind == "float":
            require(content in ("nan", "inf", "-inf"), "a number is none.")
            return float(content)
        require(kind in SCALARS, f"a value is of the kind {kind[:60]!r}, which no model file has.")
        item = self._value(content)
        expected = {"b": bool, "s": str, "f": float}.get(kind[0], int)
        require(type(item) is expected, f"a value of type {kind} is none.")
        return np.dtype("U" if kind == "str_" else kind).type(item)

    def _values(self, values: Any) -> list[Any]:
        require(isinstance(values, list), "values are no list.")
        return [self._value(value) for value in values]

    def _keys(self, values: Any) -> list[Any]:
        keys = self._values(values)
        require(all(map(_is_key, keys)), "a key is of no kind that a model file has.")
        return keys

    def _integer(self, value: Any) -> Any:
        value = self._value(value)
        require(value is None or isinstance(value, (int, str, np.integer)), "a slice is none.")
        return value

    def _dict(self, keys: Any, values: Any) -> dict[Any, Any]:
        return dict(zip(self._keys(keys), self._values(values), strict=True))

    def _array(self, dtype: Any, shape: Any, order: Any, writeable: Any) -> Array:
        kind, shape = read_dtype(dtype), read_shape(shape)
        require(order in ("C", "F") and type(writeable) is bool, "an array is described badly.")
        size = math.prod(shape) * kind.itemsize
        require(size <= self._file.left, "an array is larger than all that the file holds.")
        array = np.empty(shape, kind, order=order)
        self._file.read(array.reshape(-1, order="A").view(np.uint8))
        check_contents(array)
        array.flags.writeable = writeable
        return array

    def _corner(self, whole: Any, shape: Any) -> Array:
        whole, (rows, columns) = self._value(whole), read_shape(shape)
        require(
            type(whole) is np.ndarray and whole.ndim == 2
            and rows <= whole.shape[0] and columns <= whole.shape[1],
            "an array is cut out of a smaller one.",
        )  # fmt: skip
        corner: Array = whole[:rows, :columns]
        return corner

    def _objects(self, shape: Any, values: Any) -> Array:
        items = self._values(values)
        array = np.empty(len(items), object)
        for i, item in enumerate(items):
            array[i] = item
        return array.reshape(read_shape(shape, len(items)))

    def _sparse(self, kind: Any, shape: Any, data: Any, indices: Any, indptr: Any) -> Any:
        require(kind in SPARSE, "a sparse matrix is of no known kind.")
        rows, columns = read_shape(shape)
        parts = (self._value(data), self._value(indices), self._value(indptr))
        major, minor = (rows, columns) if kind.startswith("csr") else (columns, rows)
        check_compressed(*parts, major, minor, "a sparse matrix")
        for part in parts[1:]:  # SciPy may copy them; of one array that could be very often
            if id(part) in self._indices:
                self._take(part.nbytes)
            self._indices.add(id(part))
        return getattr(sp, kind)(parts, shape=(rows, columns))

    def _random(self, key: Any, pos: Any, has_gauss: Any, gauss: Any) -> np.random.RandomState:
        key, gauss = self._value(key), self._value(gauss)
        require(
            isinstance(key, np.ndarray) and key.shape == (624,) and key.dtype == np.uint32,
            "a random state has no key.",
        )
        # NumPy would follow any position, out of its memory.
        require(type(pos) is int and 0 <= pos <= 624, "a random state has no position.")
        require(type(has_gauss) is int and has_gauss in (0, 1), "a random state is none.")
        require(type(gauss) is float, "a random state is none.")
        result = np.random.RandomState(0)
        result.set_state(("MT19937", key, pos, has_gauss, gauss))
        return result

    def _record(self, name: Any, fields: Any, values: Any) -> Any:
        cls = find("record", name)
        require(
            isinstance(fields, list) and all(isinstance(field, str) for field in fields),
            f"the fields of {cls.__name__} have no names.",
        )
        given = dict(zip(fields, self._values(values), strict=True))
        require(len(given) == len(fields), f"a field of {cls.__name__} occurs twice.")
        # A file may lack a field that came later and says itself what it is if nobody does.
        known, all_given = fields_of(cls), defaults_of(cls) | given
        strange = [n for n in fields if n not in known] + [n for n in known if n not in all_given]
        require(
            not strange,
            f"{cls.__name__} has other fields in this version of novikoff: the file lacks, or has "
            f"beyond them, {', '.join(strange)[:100]}.",
        )
        items = [all_given[n] for n in known]
        if issubclass(cls, tuple):
            result: Any = tuple.__new__(cls, items)
        else:
            result = object.__new__(cls)
            vars(result).update(zip(known, items, strict=True))
        check(result)
        return result

    def _object(self, name: Any, attributes: Any, values: Any) -> Any:
        cls = find("object", name)
        require(isinstance(attributes, list), "attributes are no list.")
        for attribute in attributes:
            require(
                isinstance(attribute, str) and attribute.isidentifier(), "an attribute has no name."
            )
            # An attribute must not stand in for a method or a constant of its class.
            require(
                not hasattr(cls, attribute) and not attribute.startswith("__"),
                f"it would replace {attribute} of {cls.__name__}.",
            )
        require(len(set(attributes)) == len(attributes), "an attribute occurs twice.")
        result = object.__new__(cls)
        vars(result).update(zip(attributes, self._values(values), strict=True))
        # What lies at the place of a cache would be unpickled.
        require(vars(result).get("memory") is None, f"{cls.__name__} brings along a cache.")
        if name.startswith("sklearn."):
            self.from_sklearn.append(cls.__name__)
        check(result)
        return result


def _memory_of(tree: bytes) -> int:
    """What the objects of a structure take at most, from what can be counted without making them.

    The text itself is there three times: read, decoded, and in its strings; there with four bytes
    for a character if some are outside of ASCII, which only escapes can say.
    """
    copies = 6 if b"\\u" in tree else 3
    return copies * len(tree) + sum(size * tree.count(mark) for mark, size in _BYTES.items())


def _is_key(key: Any) -> bool:
    if type(key) is tuple:
        return all(map(_is_key, key))
    return key is None or isinstance(key, (bool, int, float, str, np.generic))


def _fraction(numerator: Any, denominator: Any) -> Fraction:
    for part in (numerator, denominator):
        require(isinstance(part, str) and len(part) <= _LONGEST_FRACTION, "a fraction is none.")
    return Fraction(int(numerator, 16), int(denominator, 16))
