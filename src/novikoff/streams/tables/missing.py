"""What stands for "no value" in text."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

__all__ = ["MISSING", "numbers_among", "spellings", "without_missing"]

MISSING = ("", "NA", "na", "N/A", "n/a", "NaN", "nan", "NAN", "null", "Null", "NULL", "?")


def spellings(more: Sequence[str] = ()) -> list[str]:
    """The usual ones, and those that the user adds."""
    return list(dict.fromkeys((*MISSING, *map(str.strip, more))))


def without_missing(frame: pl.DataFrame, more: Sequence[str] = ()) -> pl.DataFrame:
    """Null wherever a cell stands for no value: text, and the numbers in `more`."""
    import polars as pl
    import polars.selectors as cs

    text, number = pl.col(pl.String), cs.numeric()
    absent = [pl.when(~text.str.strip_chars().is_in(spellings(more))).then(text)]
    if values := numbers_among(more):
        absent.append(pl.when(~number.cast(pl.Float64).is_in(values)).then(number))
    return frame.with_columns(absent)


def numbers_among(cells: Sequence[str]) -> list[float]:
    """The cells that are numbers, as a code such as -999 may be."""
    found = []
    for cell in cells:
        with contextlib.suppress(ValueError):
            found.append(float(cell))
    return [number for number in found if math.isfinite(number)]
