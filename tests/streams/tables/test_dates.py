"""Dates as numbers, against the standard library's calendar."""

import datetime as dt

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from novikoff.streams.tables import columns
from tests.examples import examples

EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
moments = st.datetimes(dt.datetime(1, 1, 2), dt.datetime(9999, 12, 30))
zones = st.integers(-720, 720).map(lambda m: dt.timezone(dt.timedelta(minutes=m)))


def days(*cells):
    return pl.DataFrame({"c": pl.Series(cells, dtype=pl.String)}).select(columns.days(pl.col("c")))[
        "c"
    ]


def truth(moment):
    gone = moment - EPOCH
    return gone.days + (gone.seconds * 10**6 + gone.microseconds) / 86_400_000_000


@examples(100)
@given(moments, zones, st.sampled_from(["T", " "]))
def test_datetimes_count_in_utc(moment, zone, separator):
    aware = moment.replace(tzinfo=zone)
    assert days(aware.isoformat(separator)).to_list() == [truth(aware)]
    plain = moment.replace(tzinfo=dt.UTC)
    assert days(moment.isoformat(separator)).to_list() == [truth(plain)]
    typed = pl.DataFrame({"c": [moment]}).select(columns.days_of_typed(pl.col("c")))["c"]
    assert typed.to_list() == [truth(plain)]


@examples(100)
@given(st.dates())
def test_dates_and_their_parts(date):
    number = days(date.isoformat()).to_numpy()
    assert number.tolist() == [(date - EPOCH.date()).days]
    assert columns.part("days", number).tolist() == number.tolist()
    assert columns.part("month", number).tolist() == [date.month]
    assert columns.part("weekday", number).tolist() == [date.isoweekday()]


@pytest.mark.parametrize(
    "cell",
    [
        "2024-02-30",
        "2024-1-1",
        "20240101",
        "2024-01-01T25:00",
        "2024-01-01x",
        "1.5",
        "2024",
        "24-01-01",
    ],
)
def test_what_is_no_iso_date(cell):
    assert days(cell).to_list() == [None]


def test_a_missing_date_has_no_parts():
    assert days(None).to_list() == [None]
    for name in columns.PARTS:
        assert np.isnan(columns.part(name, np.array([np.nan]))).all()
