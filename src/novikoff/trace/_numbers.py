"""Numbers as a trace prints them."""

from __future__ import annotations

from typing import Any

import numpy as np


def number(x: Any) -> str:
    """The shortest text that reads back as the same number in its own type."""
    whole = float(x)
    if whole.is_integer() and abs(whole) < 1e16:
        return str(int(whole))
    return str(x) if isinstance(x, np.floating) else repr(whole)


def bracketed(text: str) -> str:
    return f"({text})" if text.startswith("-") else text
