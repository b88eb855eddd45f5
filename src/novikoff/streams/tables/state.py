"""What a fitted encoder knows of each column, in plain containers, and the features it makes.

A column is a dict, so that a model file can hold it without code:

number, flag, date
    parts (of a date, else "value"), and for each of them fills (the mean, in place of a missing
    cell), shifts and scales: a feature is (x - shift) / scale. missing: whether there is an
    is-missing feature. spelling: the words of a flag.
category
    categories and rare (categories that share the feature "(other)") as JSON lists, for a list of
    a million strings in one string is cheap to store. missing: whether "(missing)" is a category.
text
    words as a JSON list; missing as for a number.

With hashing, the lists are empty and the features come last, common to all columns.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, TypeAlias

__all__ = ["State", "feature_names", "index", "names_of", "packed", "unpacked", "width"]

State: TypeAlias = dict[str, Any]


def packed(strings: list[str]) -> str:
    """A list of strings as one."""
    return json.dumps(strings, ensure_ascii=False)


@lru_cache(maxsize=256)
def unpacked(text: str) -> tuple[str, ...]:
    """The strings of :func:`packed`."""
    return tuple(json.loads(text))


@lru_cache(maxsize=256)
def index(text: str) -> frozenset[str]:
    """The strings of :func:`packed`, to be asked for one."""
    return frozenset(unpacked(text))


def names_of(column: State) -> list[str]:
    """The features of one column; none where it is hashed, apart from "is missing"."""
    name, kind = column["name"], column["kind"]
    if kind == "category":
        if column["hashed"]:
            return []
        categories = [*unpacked(column["categories"])]
        if column["rare"] != "[]":
            categories.append("(other)")
        if column["missing"]:
            categories.append("(missing)")
        return [f"{name}={category}" for category in categories]
    if kind == "text":
        names = [] if column["hashed"] else [f"{name}:{word}" for word in unpacked(column["words"])]
    elif kind == "date":
        names = [f"{name} ({part})" for part in column["parts"]]
    else:
        names = [name for _ in column["parts"]]
    return [*names, f"{name} is missing"] if column["missing"] else names


def width(column: State) -> int:
    """How many features a column has, those of the hash not counted."""
    return len(names_of(column))


def feature_names(columns: list[State], hash_bits: int | None) -> list[str]:
    """All features in order; one that is called as another before it gets a number."""
    names = [name for column in columns for name in names_of(column)]
    if hash_bits is not None and any(column.get("hashed") for column in columns):
        names += [f"hash {k}" for k in range(1 << hash_bits)]
    return _distinct(names)


def _distinct(names: list[str]) -> list[str]:
    """Names made different: a column "k=r" may stand beside the category r of a column k."""
    taken = set(names)
    if len(taken) == len(names):
        return names
    met: set[str] = set()
    distinct = []
    for name in names:
        free, number = name, 2
        while free in met or (free != name and free in taken):
            free, number = f"{name} ({number})", number + 1
        met.add(free)
        distinct.append(free)
    return distinct
