"""Reading a JSON document that may be anything: what is wrong is said in the document's terms."""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff._arrays import Array
from novikoff._json import read_json


def parse(text: str) -> Part:
    """The object that `text` holds."""
    try:
        document = read_json(text)
    except ValueError as error:
        raise ValueError(f"This is not a trace in JSON: {error}.") from error
    return Part("", document)


class Part:
    """An object inside the document, at `path`."""

    def __init__(self, path: str, fields: Any) -> None:
        if not isinstance(fields, dict):
            raise ValueError(f"{named(path)} must be an object.")
        self.path = path
        self.fields = fields

    def at(self, name: str) -> str:
        return f"{self.path}.{name}" if self.path else name

    def value(self, name: str) -> Any:
        if name not in self.fields:
            raise ValueError(f"{named(self.path)} has no field {name!r}.")
        return self.fields[name]

    def get(self, name: str, kind: type) -> Any:
        value = self.value(name)
        if type(value) is not kind:
            raise ValueError(f"{named(self.at(name))} must be of type {kind.__name__}.")
        return value

    def number(self, name: str) -> float:
        value = self.value(name)
        if type(value) not in (int, float):
            raise ValueError(f"{named(self.at(name))} must be a number.")
        return float(value)

    def choice(self, name: str, choices: tuple[str, ...]) -> str:
        value: str = self.get(name, str)
        if value not in choices:
            raise ValueError(
                f"{named(self.at(name))} must be one of {', '.join(choices)}; it is {value!r}."
            )
        return value

    def part(self, name: str) -> Part:
        return Part(self.at(name), self.value(name))

    def array(self, name: str, dtype: Any, size: int | None = None) -> Array:
        shape = None if size is None else (size,)
        return read_array(self.at(name), self.value(name), dtype, shape)


def named(path: str) -> str:
    return f"The trace document's {path!r}" if path else "The trace document"


def read_array(path: str, value: Any, dtype: Any, shape: tuple[int, ...] | None = None) -> Array:
    """A list of numbers, each of which `dtype` must be able to hold."""
    dtype = np.dtype(dtype)
    wrong = f"{named(path)} must be a list of {dtype.name}"
    if not isinstance(value, list):
        raise ValueError(f"{wrong}.")
    try:
        given = np.array(value)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{wrong}: {error}.") from error
    if given.size == 0:
        given = given.astype(dtype)
    if given.dtype.kind not in ("iuf" if dtype.kind == "f" else "iu"):
        raise ValueError(f"{wrong}; some entry is not.")
    if given.ndim != (1 if shape is None else len(shape)):
        raise ValueError(f"{wrong}; it is nested to depth {given.ndim}.")
    if shape is not None and given.shape != shape:
        raise ValueError(f"{wrong} of shape {shape}; its shape is {given.shape}.")
    with np.errstate(over="ignore"):
        result = given.astype(dtype)
    if not (np.array_equal(result, given) and np.isfinite(result).all()):
        raise ValueError(f"{wrong}; some number is not one exactly.")
    return result
