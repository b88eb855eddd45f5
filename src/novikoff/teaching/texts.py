"""The texts that people read, from one file in `texts/` for each language."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any


@cache
def texts(language: str = "en") -> dict[str, Any]:
    """All texts; `language` is the name of a file that ships, or the path of one that does not."""
    shipped = files("novikoff.teaching") / "texts" / f"{language}.toml"
    own = Path(language)
    if not shipped.is_file() and not own.is_file():
        raise ValueError(f"There are no texts in {language!r}: name a language or a .toml file.")
    return tomllib.loads((shipped if shipped.is_file() else own).read_text(encoding="utf-8"))


def number(x: Any) -> str:
    """As on paper: 2, −1/3, 0.25 as 1/4; a decimal where a fraction would be long."""
    value = Fraction(x).limit_denominator(10**6) if isinstance(x, float) else Fraction(x)
    if abs(value.numerator) < 10**6 and value.denominator < 1000:
        return str(value).replace("-", "−")
    return f"{float(x):.6g}".replace("-", "−")


def vector(values: Any) -> str:
    return f"({', '.join(map(number, values))})"


def bracketed(x: Any) -> str:
    """A number as a factor: (−1)."""
    return f"({number(x)})" if x < 0 else number(x)
