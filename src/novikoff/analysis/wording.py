"""Numbers, labels and counts as a person reads them; a decimal point in every locale."""

from __future__ import annotations

import math
from typing import Any


def plain(text: str) -> str:
    """Text of a file on one line and without control characters, which a terminal would obey."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def count(n: int, noun: str, plural: str | None = None) -> str:
    """`3 rows`, `1 row`, `10 000 rows`: a thin space would not survive a copy, so a plain one."""
    return f"{grouped(n)} {noun if n == 1 else plural or noun + 's'}"


def grouped(n: int) -> str:
    """An integer with its digits in threes from 10 000 on."""
    return f"{n:,}".replace(",", " ") if abs(n) >= 10_000 else str(n)


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


def spoken(name: str) -> str:
    """A label in a sentence: `class 1` for 1, which would be taken for a number."""
    return f"class {plain(name)}" if name[-1:].isdigit() else plain(name)


def label(value: Any) -> str:
    """A label as text; labels of LIBSVM text are floats, and 1.0 is 1."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
