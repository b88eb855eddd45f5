"""Counting values, exactly up to a limit."""

from collections import Counter

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from novikoff.streams.tables.counts import Counts
from tests.examples import examples

cells = st.lists(st.tuples(st.sampled_from(["a", "b", "c", None]), st.integers(0, 2)), max_size=30)


def counted(*pieces, most=100):
    counts = Counts(most)
    for piece in pieces:
        values, classes = [v for v, _ in piece], [k for _, k in piece]
        counts.add(pl.Series(values, dtype=pl.String), pl.Series(classes, dtype=pl.Int64))
    counts.merge()
    return counts


@examples(100)
@given(cells, st.integers(0, 30))
def test_rows_and_classes_of_each_value(rows, cut):
    counts = counted(rows[:cut], rows[cut:])
    expected = {
        value: (n, min(k for v, k in rows if v == value), max(k for v, k in rows if v == value))
        for value, n in Counter(v for v, _ in rows).items()
    }
    assert {row[0]: row[1:] for row in counts.table.rows()} == expected
    assert counts.n_missing == sum(v is None for v, _ in rows)
    assert counts.repeated == any(n > 1 for v, (n, _, _) in expected.items() if v is not None)
    assert not counts.forgotten


def test_beyond_the_limit_the_rarest_are_forgotten():
    rows = [(v, 0) for v in "abcde" for _ in range(ord(v) - ord("a") + 1)] + [("f", 0)]
    counts = counted(rows, most=3)
    assert counts.forgotten
    assert counts.commonest()["value"].to_list() == ["e", "d", "c"]


def test_equally_common_values_come_in_alphabetical_order():
    assert counted([(v, 0) for v in "cabbd"]).commonest()["value"].to_list() == ["b", "a", "c", "d"]
