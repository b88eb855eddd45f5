"""The command that makes a part again, for a reader to copy."""

from __future__ import annotations

import shlex
from dataclasses import replace

from novikoff._messages import Setting
from novikoff.analysis.spelling import words
from novikoff.streams.tables.options import TableOptions, said


def spelled(options: TableOptions) -> list[str]:
    """The options of a table that are not as they would be anyway, as the command line has them."""
    found: list[str] = []
    for name in said(options):
        value = getattr(options, name)
        for item in ((one,) for one in value) if isinstance(value, tuple) else (value,):
            found += words(Setting(name, item))
    return found


def command(verb: str, data: str, options: TableOptions, *more: str) -> str:
    """`novikoff VERB DATA OPTIONS`, quoted for a shell."""
    if verb == "separable":  # it never scales
        options = replace(options, scale=True)
    return shlex.join(["novikoff", verb, data, *spelled(options), *more])
