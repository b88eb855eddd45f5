"""JSON that comes from outside: files, and text that users paste."""

from __future__ import annotations

import json
from typing import Any

DEEPEST = 64  # levels of nesting; nothing that this library writes has more than a dozen
LONGEST = 400  # characters of an integer: no double is longer


def read_json(text: str | bytes, *, constants: bool = False) -> Any:
    """What `text` holds; a ValueError says why it cannot be read.

    constants : whether Python's NaN and Infinity, which are no JSON, are taken for numbers
    """
    try:
        value = json.loads(text, parse_int=_whole, parse_constant=None if constants else _refuse)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    except TypeError as error:
        raise ValueError(str(error)) from None
    _refuse_depth(value)
    return value


_TOO_DEEP = f"it is nested more than {DEEPEST} levels deep"


def _whole(digits: str) -> int:
    if len(digits) > LONGEST:
        raise ValueError(f"{digits[:20]}… has too many digits")
    return int(digits)


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")


def _refuse_depth(value: Any) -> None:
    """Raise if containers are nested so deeply that walking or printing them may not end well."""
    level: list[list[Any]] = [[value]]
    for _ in range(DEEPEST + 1):
        level = [
            part if isinstance(part, list) else list(part.values())
            for whole in level
            for part in whole
            if isinstance(part, list | dict)
        ]
        if not level:
            return
    raise ValueError(_TOO_DEEP)
