"""What the cells of a column are stored as: numbers, flags, dates or strings; what is missing.

The first rows suggest it, every later row may refute it (:mod:`novikoff.streams.tables.survey`).
Numbers, flags (0 and 1) and dates (days since 1970-01-01) are stored as float64 with NaN where a
cell is missing.
"""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from novikoff._arrays import Floats
from novikoff.streams.tables.lazy import pl

_SAMPLE = 1000  # cells that a guess looks at
ANY = "any"  # once a column is known to hold flags, all spellings of them will do
# Beside decimal commas 1.500 may be 1500 or 1.5, and is no number. 0.500 and 1.5 can only be one.
GROUPED = r"^[-+]?[1-9]\d{0,2}\.\d{3}$"
# What a person reads as a number, 12,345 or $12.50 or 7.1 %, and most programs do not.
_DIGITS = r"(?:\d{1,3}(?:[,.'’ \u00a0\u202f]\d{3})+|\d+)(?:[.,]\d+)?"
DRESSED = re.compile(rf"^[-+]?[$€£¥]? ?[-+]?{_DIGITS} ?[$€£¥%]?$")
FLAGS = {"true/false": ("true", "false"), "yes/no": ("yes", "no")}


def unstorable(dtype: pl.DataType) -> bool:
    """Whether a column of this type holds neither numbers nor text nor dates."""
    return dtype.is_nested() or dtype in (pl.Binary, pl.Object)


def guess(cells: pl.Series, decimal: str) -> tuple[str, str]:
    """What to store `cells` as, and for flags which words they are.

    Returns ("number" | "flag" | "date" | "string" | "category", words); "category" is a column
    whose type says that its values are categories. "" if all cells are missing: then any row may
    say what the column holds.
    """
    dtype = cells.dtype
    if dtype.is_numeric() or dtype in (pl.Duration, pl.Time, pl.Null):
        return "number", ""
    if dtype == pl.Boolean:
        return "flag", "true/false"
    if dtype in (pl.Date, pl.Datetime):
        return "date", ""
    if dtype in (pl.Categorical, pl.Enum):
        return "category", ""
    present = cells.drop_nulls().head(_SAMPLE)
    if present.is_empty():
        return "", ""
    text = present.str.replace(",", ".", literal=True) if decimal == "," else present
    n_numbers = len(text) - text.cast(pl.Float64, strict=False).null_count()
    # Nine in ten: whether it is all of them, or so many that the others are errors, every row says.
    if n_numbers >= 0.9 * len(present):
        return "number", ""
    lowered = set(present.str.to_lowercase().unique().to_list())
    for words, pair in FLAGS.items():
        if lowered <= set(pair):
            return "flag", words
    if present[0][:4].isdigit() and present[0][4:5] == "-":
        parsed = present.to_frame("c").select(days(pl.col("c")).is_not_null().all())
        if parsed.item():
            return "date", ""
    return "string", ""


_WHOLE = re.compile(r"[-+]?\d{16,308}")


def rounded(cells: pl.DataFrame) -> dict[str, int]:
    """The columns with a whole number that is no double, such as 2^53 + 1, and the first of each.

    Only as many digits as identifiers have are looked at: a measurement loses nothing it had, and
    what may be beyond the doubles is refused as such.
    """
    suspect = cells.select(
        pl.selectors.string().str.contains(f"^{_WHOLE.pattern}$").any(),
        pl.selectors.integer().cast(pl.Float64).abs().max() >= 2.0**53,
    )
    found = {}
    for name in suspect.columns:
        for cell in cells[name].drop_nulls() if suspect[name][0] else ():
            if _WHOLE.fullmatch(str(cell)) and int(cell) != float(cell):
                found[name] = int(cell)
                break
    return found


def as_number(cell: pl.Expr, decimal: str) -> pl.Expr:
    """Text as the nearest double; null where it is no number."""
    if decimal == ",":
        grouped = cell.str.contains(GROUPED)
        cell = pl.when(~grouped).then(cell.str.replace(",", ".", literal=True))
    return cell.cast(pl.Float64, strict=False)


def numbers_of(column: pl.Series, decimal: str) -> pl.Series:
    """A column's numbers, null where a cell is none: those of its text, if it is of text."""
    if column.dtype == pl.String:
        cells = column.to_frame("")
        return cells.select(as_number(pl.col(""), decimal)).to_series().alias(column.name)
    if column.dtype.is_numeric():
        return column.cast(pl.Float64)
    return pl.Series(column.name, [None] * len(column), pl.Float64)  # flags, dates, lists, bytes


def stored(name: str, kind: str, dtype: pl.DataType, decimal: str, words: str = "") -> pl.Expr:
    """The expression that stores column `name`, of type `dtype`, as `kind`; null where it fails.

    Missing cells stay null; see `missing_to_nan`.
    """
    cell = pl.col(name)
    text = dtype in (pl.String, pl.Categorical, pl.Enum)
    if text and dtype != pl.String:
        cell = cell.cast(pl.String)
    if kind in ("string", "category", "text"):
        return cell if text else _as_text(cell, dtype)
    if kind in ("number", ""):
        return as_number(cell, decimal) if text else _typed_number(cell, dtype)
    if kind == "flag":
        return _as_flag(cell, dtype, words)
    if text:
        return days(cell)
    if dtype in (pl.Date, pl.Datetime):
        return days_of_typed(cell)
    return pl.lit(None, pl.Float64) if dtype == pl.Null else cell.cast(pl.Float64)


def as_text(frame: pl.DataFrame, name: str, decimal: str) -> pl.Series:
    """A column as text, whatever it holds."""
    return frame.select(stored(name, "string", frame[name].dtype, decimal)).to_series()


def _typed_number(cell: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    if dtype in (pl.Duration, pl.Time):  # in seconds
        return cell.cast(pl.Duration("us")).dt.total_microseconds().cast(pl.Float64) / 1e6
    if dtype in (pl.Date, pl.Datetime):
        return days_of_typed(cell)
    # NaN is what a missing number is stored as, so one that is there already may stay.
    return cell if dtype == pl.Float64 else cell.cast(pl.Float64, strict=False)


def _as_flag(cell: pl.Expr, dtype: pl.DataType, words: str) -> pl.Expr:
    if dtype != pl.String:
        return _typed_number(cell, dtype)  # a Boolean, or 0 and 1 already
    lowered = cell.str.to_lowercase()
    yes, no = zip(*(FLAGS.values() if words == ANY else [FLAGS[words]]), strict=True)
    yes, no = ((*yes, "1"), (*no, "0")) if words == ANY else (yes, no)
    return pl.when(lowered.is_in(yes)).then(1.0).when(lowered.is_in(no)).then(0.0).otherwise(None)


def _as_text(cell: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    """Categories that come as numbers: 3.0 is spelled as 3, as it is where nothing is missing."""
    if not dtype.is_float():
        return cell.cast(pl.String)
    number = cell.fill_nan(None)
    whole = (number == number.floor()) & (number.abs() < 2.0**53)
    return (
        pl.when(whole)
        .then(number.cast(pl.Int64, strict=False).cast(pl.String))
        .otherwise(number.cast(pl.String))
    )


def refused_cells(cells: pl.Series, values: pl.Series) -> list[int]:
    """Positions where `cells` holds something that `values`, the same as stored, does not."""
    fewer = values.null_count() > cells.null_count()
    if not fewer and not (values.dtype.is_float() and values.is_infinite().any()):
        return []
    refused = cells.is_not_null() & values.is_null()
    if cells.dtype.is_float():
        refused &= ~cells.is_nan()
    if values.dtype.is_float():
        refused |= values.is_infinite().fill_null(value=False)
    return refused.arg_true().to_list()


def missing_to_nan(frame: pl.DataFrame) -> pl.DataFrame:
    """Null as NaN in the columns of numbers, which numpy then reads in place."""
    holes: list[Any] = [s.name for s in frame if s.dtype == pl.Float64 and s.null_count() > 0]
    return frame.with_columns(pl.col(holes).fill_null(float("nan"))) if holes else frame


def places_among(cells: pl.Series, values: Iterable[str], first: int = 0) -> pl.Series:
    """Each cell's place among `values`, counted from `first`; -1 for one that is none of them."""
    known = pl.Series(list(values), dtype=pl.String)
    places = pl.Series(np.arange(first, first + len(known), dtype=np.int32))
    return cells.replace_strict(known, places, default=-1, return_dtype=pl.Int32)


MISSING = ("", "NA", "na", "N/A", "n/a", "NaN", "nan", "NAN", "null", "Null", "NULL", "?")


def spellings(more: Sequence[str] = ()) -> list[str]:
    """The usual ones, and those that the user adds."""
    return list(dict.fromkeys((*MISSING, *map(str.strip, more))))


def without_missing(frame: pl.DataFrame, more: Sequence[str] = ()) -> pl.DataFrame:
    """Null wherever a cell stands for no value: text, and the numbers in `more`."""
    text, number = pl.col(pl.String), pl.selectors.numeric()
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


PARTS = ("days", "month", "weekday")

_MICROSECONDS = 86_400_000_000
_ISO = (
    r"^(\d{4}-\d{2}-\d{2})"  # 1: the date
    r"(?:[T ]([01]\d|2[0-3]):([0-5]\d)"  # 2, 3: hour and minute
    r"(?::([0-5]\d)(?:\.(\d{1,6})\d*)?)?"  # 4, 5: second and its fraction
    r"(?:Z|([+-])([01]\d|2[0-3]):?([0-5]\d))?)?$"  # 6, 7, 8: how far the clock is ahead of UTC
)


def days(cell: pl.Expr) -> pl.Expr:
    """Days since 1970-01-01 00:00 UTC of ISO dates and datetimes; null for any other text."""

    def group(k: int) -> pl.Expr:
        return cell.str.extract(_ISO, k).cast(pl.Int64).fill_null(0)

    date = cell.str.extract(_ISO, 1).str.to_date("%Y-%m-%d", strict=False).cast(pl.Int64)
    fraction = cell.str.extract(_ISO, 5).fill_null("").str.pad_end(6, "0").cast(pl.Int64)
    sign = pl.when(cell.str.extract(_ISO, 6) == "-").then(-1).otherwise(1)
    minutes = 60 * group(2) + group(3) - sign * (60 * group(7) + group(8))
    return _in_days(date * _MICROSECONDS + 1_000_000 * (60 * minutes + group(4)) + fraction)


def days_of_typed(cell: pl.Expr) -> pl.Expr:
    """The same of polars dates and datetimes; those with a time zone count in UTC."""
    return _in_days(cell.cast(pl.Datetime("us")).to_physical())


def _in_days(moment: pl.Expr) -> pl.Expr:
    """Microseconds since 1970 in days; whole days come out whole."""
    whole = moment.floordiv(_MICROSECONDS)
    rest = moment - whole * _MICROSECONDS
    return whole.cast(pl.Float64) + rest.cast(pl.Float64) / _MICROSECONDS


def part(name: str, days: Floats) -> Floats:
    """A part of dates given as days: "days" themselves, "month" (1 to 12), "weekday" (Monday 1)."""
    if name == "days":
        return days
    missing = np.isnan(days)
    date = np.floor(np.where(missing, 0.0, days)).astype(np.int64)
    if name == "weekday":
        number = (date + 3) % 7 + 1  # 1970-01-01 was a Thursday
    else:
        number = date.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64) % 12 + 1
    return np.where(missing, np.nan, number.astype(np.float64))
