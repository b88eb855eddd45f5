"""ISO dates as numbers: days since 1970-01-01, and from these month and weekday."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import polars as pl

__all__ = ["PARTS", "days", "days_of_typed", "part"]

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
    import polars as pl

    def group(k: int) -> pl.Expr:
        return cell.str.extract(_ISO, k).cast(pl.Int64).fill_null(0)

    date = cell.str.extract(_ISO, 1).str.to_date("%Y-%m-%d", strict=False).cast(pl.Int64)
    fraction = cell.str.extract(_ISO, 5).fill_null("").str.pad_end(6, "0").cast(pl.Int64)
    sign = pl.when(cell.str.extract(_ISO, 6) == "-").then(-1).otherwise(1)
    minutes = 60 * group(2) + group(3) - sign * (60 * group(7) + group(8))
    return _in_days(date * _MICROSECONDS + 1_000_000 * (60 * minutes + group(4)) + fraction)


def days_of_typed(cell: pl.Expr) -> pl.Expr:
    """The same of polars dates and datetimes; those with a time zone count in UTC."""
    import polars as pl

    return _in_days(cell.cast(pl.Datetime("us")).to_physical())


def _in_days(moment: pl.Expr) -> pl.Expr:
    """Microseconds since 1970 in days; whole days come out whole."""
    import polars as pl

    whole = moment.floordiv(_MICROSECONDS)
    rest = moment - whole * _MICROSECONDS
    return whole.cast(pl.Float64) + rest.cast(pl.Float64) / _MICROSECONDS


def part(name: str, days: NDArray[np.float64]) -> NDArray[np.float64]:
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
