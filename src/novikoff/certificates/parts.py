"""The parts certificates are made of, and how they are written as JSON without loss.

A double is written as `float.hex` does, an integer as `hex` does, a fraction as two such integers
with a slash: nothing is rounded, and no limit on decimal digits applies.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff._arrays import Array, Ints
from novikoff._json import read_json

# Version 2 of a separability has evidence in which a number stands for an entry before it, and none
# for what is finite.
VERSIONS = {"novikoff.separability": 2, "novikoff.separation": 1, "novikoff.max_margin": 1}

Exact = float | int | Fraction


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


def write_numbers(numbers: Iterable[Exact]) -> list[str]:
    return [write_number(x) for x in numbers]


def read_numbers(texts: Iterable[str]) -> list[Exact]:
    return [read_number(text) for text in texts]


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
        return {"theta": write_numbers(part.theta), "offset": write_number(part.offset)}
    return {"rows": part.rows.tolist(), "weights": write_numbers(part.weights)}


def read_part(written: dict[str, Any] | None) -> Any:
    """What `write_part` wrote."""
    if written is None:
        return None
    if "theta" in written:
        return Separator(as_array(read_numbers(written["theta"])), read_number(written["offset"]))
    weights = tuple(
        w if isinstance(w, int) else Fraction(w) for w in read_numbers(written["weights"])
    )
    return Combination(read_rows(written["rows"]), weights)


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


def write_document(kind: str, fields: dict[str, Any]) -> str:
    """A certificate as JSON text."""
    return json.dumps({"format": kind, "version": VERSIONS[kind], **fields})


def read_document(text: str, kind: str) -> dict[str, Any]:
    """The fields of a certificate of the given kind."""
    try:
        document = read_json(text)
    except ValueError as error:
        raise ValueError(f"This is not JSON: {error}.") from error
    found = document.get("format") if isinstance(document, dict) else None
    if found != kind:
        raise ValueError(f'Expected a document with "format": "{kind}"; found {found!r}.')
    version = document.get("version")
    if type(version) is not int or version != VERSIONS[kind]:
        raise ValueError(
            f"This library reads version {VERSIONS[kind]} of {kind}; the document has "
            f"{version!r:.20}. Check it with the release that wrote it, or ask the "
            "question again."
        )
    fields: dict[str, Any] = document
    return fields


@contextmanager
def reading(kind: str) -> Iterator[None]:
    """Say what a document lacks in words of the document."""
    try:
        yield
    except KeyError as error:
        raise ValueError(f"The {kind} document has no field {error}.") from error
    except (ArithmeticError, AttributeError, IndexError, TypeError, ValueError) as error:
        raise ValueError(f"The {kind} document is malformed: {error}.") from error
