"""The parts certificates are made of, and how they are written as JSON without loss.

A double is written as `float.hex` does, an integer as `hex` does, a fraction as two such integers
with a slash: nothing is rounded, and no limit on decimal digits applies.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING, dataclass, fields
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np

from novikoff._arrays import Array, Ints
from novikoff._json import read_json

Exact = float | int | Fraction
Codec = Callable[[Any], Any]


@dataclass(frozen=True, eq=False)
class Separator:
    """A hyperplane in exact numbers.

    Attributes
    ----------
    theta : (d,), float64, or objects where a Fraction is needed
    offset : float or Fraction; 0.0 through the origin
    """

    theta: Array
    offset: Exact


@dataclass(frozen=True, eq=False)
class Combination:
    """A combination of rows: sum_i weights_i y_i (x_i, 1).

    Attributes
    ----------
    rows : (k,) int64
        Row numbers of the user's data.
    weights : tuple of int or Fraction
        Positive, except in the evidence of a coefficient that is "finite".
    """

    rows: Ints
    weights: tuple[int | Fraction, ...]

    def __len__(self) -> int:
        return len(self.rows)


def as_array(numbers: Sequence[Exact]) -> Array:
    """float64 if every number is a float, objects otherwise."""
    if all(isinstance(x, float) for x in numbers):
        return np.array(numbers, np.float64)
    result = np.empty(len(numbers), object)
    result[:] = numbers
    return result


def write_number(x: Exact) -> str:
    """An exact number as text."""
    if isinstance(x, float):
        return float(x).hex()
    if isinstance(x, Fraction):
        return f"{x.numerator:#x}/{x.denominator:#x}"
    return hex(x)


def read_number(text: str) -> Exact:
    """What `write_number` wrote."""
    if "/" in text:
        numerator, denominator = text.split("/")
        return Fraction(int(numerator, 16), int(denominator, 16))
    return float.fromhex(text) if "p" in text else int(text, 16)


def read_array(texts: Iterable[str]) -> Array:
    """Numbers that `write_number` wrote."""
    return as_array([read_number(text) for text in texts])


def read_rows(rows: Any) -> Ints:
    """Row numbers; nothing else is taken for one."""
    if not isinstance(rows, list) or any(type(row) is not int for row in rows):
        raise ValueError(f"row numbers must be a list of integers, not {rows!r:.60}")
    return np.array(rows, np.int64)


def read_shape(shape: Any) -> tuple[int, int]:
    """How many rows and features the data has; nothing else is taken for that."""
    if not isinstance(shape, list) or [type(length) for length in shape] != [int, int]:
        raise ValueError(f"shape must be a list of two integers, not {shape!r:.60}")
    return shape[0], shape[1]


def read_flag(flag: Any) -> bool:
    """True or False; nothing else is taken for one."""
    if not isinstance(flag, bool):
        raise ValueError(f"fit_intercept must be true or false, not {flag!r:.60}")
    return flag


def write_part(part: Separator | Combination | None) -> dict[str, Any] | None:
    """A part as something `json` can write."""
    if part is None:
        return None
    if isinstance(part, Separator):
        return {"theta": [*map(write_number, part.theta)], "offset": write_number(part.offset)}
    return {"rows": part.rows.tolist(), "weights": [*map(write_number, part.weights)]}


def read_part(written: dict[str, Any] | None) -> Any:
    """What `write_part` wrote."""
    if written is None:
        return None
    if "theta" in written:
        return Separator(read_array(written["theta"]), read_number(written["offset"]))
    weights = map(read_number, written["weights"])
    exact = tuple(w if isinstance(w, int) else Fraction(w) for w in weights)
    return Combination(read_rows(written["rows"]), exact)


def write_evidence(parts: Sequence[Separator | Combination | None]) -> list[Any]:
    """Parts as `json` can write them; one that occurs before is written as its first place."""
    first: dict[int, int] = {}
    written: list[Any] = []
    for k, part in enumerate(parts):
        place = k if part is None else first.setdefault(id(part), k)
        written.append(write_part(part) if place == k else place)
    return written


def read_evidence(written: Any) -> tuple[Any, ...]:
    """What `write_evidence` wrote."""
    parts: list[Any] = []
    for part in written:
        place = type(part) is int and 0 <= part < len(parts)
        parts.append(parts[part] if place else read_part(part))
    return tuple(parts)


def _as_it_is(value: Any) -> Any:
    return value


def stored(read: Codec, write: Codec = _as_it_is) -> dict[str, Codec]:
    """How a field of a certificate is read from JSON and written: the metadata of the field."""
    return {"read": read, "write": write}


def or_none(how: dict[str, Codec]) -> dict[str, Codec]:
    """The same for a field that may be None."""
    return stored(
        lambda written: None if written is None else how["read"](written),
        lambda value: None if value is None else how["write"](value),
    )


FLAG, SHAPE = stored(read_flag), stored(read_shape)
ROWS = stored(read_rows, np.ndarray.tolist)
NUMBER = stored(read_number, write_number)
DOUBLE = stored(lambda text: float(read_number(text)), write_number)
NUMBERS = stored(read_array, lambda numbers: [*map(write_number, numbers)])
PART = stored(read_part, write_part)
EVIDENCE = or_none(stored(read_evidence, write_evidence))


@dataclass(frozen=True, eq=False)
class Document:
    """A certificate that is written as JSON text.

    A field is written as its metadata say, or as it is; one that has a default may be missing.

    Attributes
    ----------
    kind, version : of the format
    """

    kind: ClassVar[str]
    version: ClassVar[int]

    def to_json(self) -> str:
        """The certificate as JSON text; numbers are written in hexadecimal and lose nothing."""
        document: dict[str, Any] = {"format": self.kind, "version": self.version}
        for each in fields(self):
            write = each.metadata.get("write", _as_it_is)
            document[each.name] = write(getattr(self, each.name))
        return json.dumps(document)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what `to_json` wrote."""
        document = cls._read(text)
        given: dict[str, Any] = {}
        try:
            for each in fields(cls):
                if each.name in document or each.default is MISSING:
                    read = each.metadata.get("read", _as_it_is)
                    given[each.name] = read(document[each.name])
            return cls(**given)
        except KeyError as error:
            raise ValueError(f"The {cls.kind} document has no field {error}.") from error
        except (ArithmeticError, AttributeError, IndexError, TypeError, ValueError) as error:
            raise ValueError(f"The {cls.kind} document is malformed: {error}.") from error

    @classmethod
    def _read(cls, text: str) -> Any:
        """The fields of a document of this kind."""
        try:
            document = read_json(text)
        except ValueError as error:
            raise ValueError(f"This is not JSON: {error}.") from error
        found = document.get("format") if isinstance(document, dict) else None
        if found != cls.kind:
            raise ValueError(f'Expected a document with "format": "{cls.kind}"; found {found!r}.')
        version = document.get("version")
        if type(version) is not int or version != cls.version:
            raise ValueError(
                f"This library reads version {cls.version} of {cls.kind}; the document has "
                f"{version!r:.20}. Check it with the release that wrote it, or ask the "
                "question again."
            )
        return document
