"""Whether JSON that says it is an encoder is one: nothing is trusted that comes from a file."""

from __future__ import annotations

import json
import math
from typing import Any

from novikoff._json import read_json
from novikoff.streams.tables.columns import FLAGS
from novikoff.streams.tables.dates import PARTS
from novikoff.streams.tables.state import State

__all__ = ["check_columns", "check_document"]

_LISTS = ("drop", "keep", "categorical", "na")


def check_document(text: str) -> State:
    """The content of `TableEncoder.to_json`; a ValueError says what is wrong with it."""
    try:
        document: State = read_json(text)
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


def _check_numbers(column: State) -> None:
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
