"""How the command line spells what the library calls by the name of a parameter."""

from __future__ import annotations

import csv
import io
import shlex
from collections.abc import Iterable

from novikoff._messages import Message, Setting, said

OTHER_NAMES = {
    "coef_init": "--start",
    "max_iter": "--epochs",
    "random_state": "--seed",
    "shuffle_buffer": "--shuffle",
}
KEPT = {"last": "last", "mean": "averaged", "vote": "voted", "pocket": "pocket"}  # by --model
FLAGS = {  # what says True, what says False; "" where nothing need be said
    "fit_intercept": ("", "--through-origin"),
    "header": ("--header", "--no-header"),
    "scale": ("", "--no-scale"),
    "zero_based": ("--zero-based", ""),
}


def option(name: str) -> str:
    """The option that stands for a parameter."""
    if name in FLAGS:
        return next(filter(None, FLAGS[name]))
    return OTHER_NAMES.get(name, f"--{name.replace('_', '-')}")


def words(setting: Setting) -> list[str]:
    """A setting as words of a command; the command line splits names at commas.

    >>> words(Setting("drop", ("a,b", "c d")))
    ['--drop', '"a,b",c d']
    """
    name, value = setting.name, setting.value
    if name in FLAGS:
        flag = option(name) if value is ... else FLAGS[name][not value]
        return [flag] if flag else []
    if value is ...:
        return [option(name)]
    if name == "keep" and value in KEPT:  # a hypothesis; the columns to keep are a tuple
        return [option("model"), KEPT[value]]
    if name == "na":  # no list of names: a spelling may hold a comma
        return [word for item in value for word in (option(name), item)]
    return [option(name), in_one_line(value) if isinstance(value, tuple) else str(value)]


def as_option(setting: Setting) -> str:
    """A setting, for a shell."""
    return shlex.join(words(setting))


def for_shell(told: BaseException | Message | str) -> str:
    """A message as the command line says it."""
    return said(told).spelled(as_option)


def in_one_line(names: Iterable[str]) -> str:
    """Names with commas between them, as in a line of CSV."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(names)
    return line.getvalue()
