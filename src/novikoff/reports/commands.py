"""The command that makes a part again, for a reader to copy."""

from __future__ import annotations

import shlex

from novikoff.streams.tables.names import in_one_line
from novikoff.streams.tables.options import TableOptions, said


def options_given(options: TableOptions) -> list[str]:
    """The options that are not as they would be anyway."""
    return [_option(name) for name in said(options)]


def spelled(options: TableOptions) -> list[str]:
    """The options of a table that are not as they would be anyway, as the command line has them."""
    words: list[str] = []
    for name in said(options):
        option, value = _option(name), getattr(options, name)
        if name == "header":
            words.append("--header" if value else "--no-header")
        elif name == "scale":
            words.append("--no-scale")
        elif name == "na":
            words += [word for item in value for word in (option, item)]
        elif isinstance(value, tuple):
            words += [word for item in value for word in (option, in_one_line([item]))]
        else:
            words += [option, str(value)]
    return words


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def command(verb: str, data: str, options: TableOptions, *more: str) -> str:
    """`novikoff VERB DATA OPTIONS`, quoted for a shell."""
    words = spelled(options)
    if verb == "separable":  # it never scales
        words = [word for word in words if word != "--no-scale"]
    return shlex.join(["novikoff", verb, data, *words, *more])
