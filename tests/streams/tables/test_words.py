"""Text as words."""

import re
import statistics
from collections import Counter

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from novikoff.streams.tables.counts import median_at_least, n_words, tokens
from tests.examples import examples


@examples(100)
@given(st.lists(st.one_of(st.none(), st.text("aB1 _-.,é\n", max_size=20)), max_size=6))
def test_words_are_those_of_pythons_regular_expression(cells):
    found = tokens(pl.Series(cells, dtype=pl.String))
    expected = [
        (row, word)
        for row, cell in enumerate(cells)
        for word in re.findall(r"\w+", (cell or "").lower())
    ]
    assert found.rows() == expected


@examples(100)
@given(st.lists(st.integers(0, 9), max_size=9), st.integers(0, 9))
def test_the_median_of_a_histogram(lengths, least):
    expected = bool(lengths) and statistics.median(lengths) >= least
    assert median_at_least(Counter(lengths), least) == expected


@pytest.mark.parametrize(("cell", "n"), [("192.168.0.1", 1), ("a  b\tc", 3), ("", 0)])
def test_words_are_counted_between_blanks(cell, n):
    assert n_words(pl.DataFrame({"value": [cell, None], "n": [5, 2]})) == {n: 5}
