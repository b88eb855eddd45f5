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
import math
from functools import lru_cache
from typing import Any, TypeAlias

from novikoff._json import read_json
from novikoff.streams.tables.columns import FLAGS, PARTS

ColumnState: TypeAlias = dict[str, Any]


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


def names_of(column: ColumnState) -> list[str]:
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


def width(column: ColumnState) -> int:
    """How many features a column has, those of the hash not counted."""
    return len(names_of(column))


def feature_names(columns: list[ColumnState], hash_bits: int | None) -> list[str]:
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


_LISTS = ("drop", "keep", "categorical", "na")


def check_document(text: str) -> dict[str, Any]:
    """The content of `TableEncoder.to_json`; a ValueError says what is wrong with it."""
    try:
        document: dict[str, Any] = read_json(text)
    except ValueError as error:
        raise ValueError(f"this is no encoder of a table: {error}.") from error
    try:
        parameters, columns = document["parameters"], document["columns"]
        _demand(isinstance(document["sparse"], bool), "sparse")
        _demand(document["target"] is None or isinstance(document["target"], str), "target")
        expected = {*_LISTS, "missing", "scale", "hash_bits"}
        _demand(isinstance(parameters, dict) and set(parameters) == expected, "parameters")
        for name in _LISTS:
            _demand(_strings(parameters[name]), name)
            parameters[name] = tuple(parameters[name])
        _demand(parameters["missing"] in ("impute", "error", "drop"), "missing")
        _demand(isinstance(parameters["scale"], bool), "scale")
        check_columns(columns, parameters["hash_bits"])
    except (KeyError, TypeError, json.JSONDecodeError) as error:
        raise ValueError(f"this is no encoder of a table ({type(error).__name__}).") from error
    return document


def check_columns(columns: Any, hash_bits: Any) -> None:
    """Whether `columns` is what :mod:`novikoff.streams.tables.state` describes."""
    _demand(hash_bits is None or (_whole(hash_bits) and 1 <= hash_bits <= 30), "hash_bits")
    _demand(isinstance(columns, list), "columns")
    for column in columns:
        _demand(isinstance(column["name"], str), "name")
        _demand(isinstance(column["missing"], bool), "missing")
        if column["kind"] in ("number", "flag", "date"):
            _check_numbers(column)
            continue
        _demand(column["kind"] in ("category", "text"), "kind")
        hashed = column["hashed"]
        _demand(isinstance(hashed, bool) and (not hashed or hash_bits is not None), "hashed")
        for name in ("categories", "rare") if column["kind"] == "category" else ("words",):
            strings = read_json(column[name])
            _demand(_strings(strings) and len(set(strings)) == len(strings), name)
    names = [column["name"] for column in columns]
    _demand(len(set(names)) == len(names), "names")


def _check_numbers(column: ColumnState) -> None:
    known = PARTS if column["kind"] == "date" else ("value",)
    parts = column["parts"]
    _demand(isinstance(parts, list) and [p for p in known if p in parts] == parts, "parts")
    for name in ("fills", "shifts", "scales"):
        values = column[name]
        _demand(isinstance(values, list) and len(values) == len(parts), name)
        _demand(all(isinstance(v, float) and math.isfinite(v) for v in values), name)
    _demand(all(scale > 0.0 for scale in column["scales"]), "scales")
    _demand(column["kind"] != "flag" or column["spelling"] in FLAGS, "spelling")


def _strings(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(v, str) for v in value)


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _demand(fits: bool, what: str) -> None:
    if not fits:
        raise ValueError(f"this is no encoder of a table: {what} is not what it must be.")
