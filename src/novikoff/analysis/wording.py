"""What people read: numbers, labels and counts, and parameters as the command line spells them.

There is a decimal point in every locale.
"""

from __future__ import annotations

import csv
import io
import math
import shlex
from collections.abc import Iterable, Sequence
from typing import Any

from novikoff._messages import Message, Setting, said


def plain(text: str) -> str:
    """Text of a file on one line and without control characters, which a terminal would obey."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def count(n: int, noun: str, plural: str | None = None) -> str:
    """`3 rows`, `1 row`, `10 000 rows`: a thin space would not survive a copy, so a plain one."""
    return f"{grouped(n)} {noun if n == 1 else plural or noun + 's'}"


def grouped(n: int) -> str:
    """An integer with its digits in threes from 10 000 on."""
    return f"{n:,}".replace(",", " ") if abs(n) >= 10_000 else str(n)


def first_of(texts: Sequence[str], most: int, more: str = "") -> str:
    """The first of some texts in a line; `more` is said of those that are left out."""
    return ", ".join(texts[:most]) + f", …{more}" * (len(texts) > most)


def percent(share: float) -> str:
    """A share as a percentage, with digits that mean something."""
    if not math.isfinite(share):
        return "-"
    if 0 < share < 0.0001:
        return f"{100 * share:.1g} %"
    fine = f"{100 * share:.2f}"
    return f"{fine} %" if float(fine) < 10 else f"{100 * share:.1f} %"


def number(x: float) -> str:
    """A measurement with six digits."""
    return f"{x:.6g}" if abs(x) < 1e16 else f"{x:.3e}"


def between(low: float, high: float) -> str:
    """A measurement of which two bounds are known, which may look the same."""
    first, last = number(low), number(high)
    return first if first == last else f"between {first} and {last}"


def spoken(name: str) -> str:
    """A label in a sentence: `class 1` for 1, which would be taken for a number."""
    return f"class {plain(name)}" if name[-1:].isdigit() else plain(name)


def label(value: Any) -> str:
    """A label as text; labels of LIBSVM text are floats, and 1.0 is 1."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


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
