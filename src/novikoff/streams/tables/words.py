"""Text as words: runs of letters, digits and underscores, in lower case."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

__all__ = ["FEWEST_WORDS", "MOST_WORDS", "median_at_least", "n_words", "tokens"]

MOST_WORDS = 50_000  # the commonest ones are counted
FEWEST_WORDS = 4  # a column whose cells have this many, by the median, is text


def tokens(cells: pl.Series) -> pl.DataFrame:
    """Every word of every cell: its row, numbered from 0, and the word."""
    import polars as pl

    words = cells.str.to_lowercase().str.extract_all(r"\w+")
    table = pl.DataFrame({"row": pl.arange(len(cells), eager=True, dtype=pl.Int32), "word": words})
    return table.explode("word").drop_nulls()


def n_words(table: pl.DataFrame) -> Counter[int]:
    """How many rows have cells of how many words, from a table of values and their rows `n`.

    What stands between blanks is a word here, as a reader would count: an address such as
    192.168.0.1 is one.
    """
    import polars as pl

    lengths = (
        table.lazy()
        .drop_nulls("value")
        .group_by(pl.col("value").str.count_matches(r"\S+").alias("words"))
        .agg(pl.col("n").sum())
        .collect()
    )
    return Counter(dict(lengths.iter_rows()))


def median_at_least(lengths: Counter[int], least: int) -> bool:
    """Whether the median of the lengths is `least` or more."""
    total = lengths.total()
    if not total:
        return False
    return (_at(lengths, (total - 1) // 2) + _at(lengths, total // 2)) / 2 >= least


def _at(lengths: Counter[int], position: int) -> int:
    """What stands at `position`, from 0, when all lengths are sorted."""
    passed = 0
    for length in sorted(lengths):
        passed += lengths[length]
        if passed > position:
            return length
    raise IndexError(position)
