"""The command that makes a part again, for a reader to copy."""

from __future__ import annotations

import shlex
from dataclasses import fields

from novikoff.streams.tables.names import in_one_line
from novikoff.streams.tables.options import TableOptions


def options_given(options: TableOptions) -> list[str]:
    """The options that are not as they would be anyway."""
    given = [f.name for f in fields(options) if getattr(options, f.name) != f.default]
    return [f"--{name.replace('_', '-')}" for name in given]


def spelled(options: TableOptions) -> list[str]:
    """The options of a table that are not as they would be anyway, as the command line has them."""
    words: list[str] = []
    for field in fields(TableOptions):
        value = getattr(options, field.name)
        if value == field.default:
            continue
        name = f"--{field.name.replace('_', '-')}"
        if field.name == "header":
            words.append("--header" if value else "--no-header")
        elif field.name == "scale":
            words.append("--no-scale")
        elif field.name == "na":
            words += [word for item in value for word in (name, item)]
        elif isinstance(value, tuple):
            words += [word for item in value for word in (name, in_one_line([item]))]
        else:
            words += [name, str(value)]
    return words


def command(verb: str, data: str, options: TableOptions, *more: str) -> str:
    """`novikoff VERB DATA OPTIONS`, quoted for a shell."""
    words = spelled(options)
    if verb == "separable":  # it never scales
        words = [word for word in words if word != "--no-scale"]
    return shlex.join(["novikoff", verb, data, *words, *more])
