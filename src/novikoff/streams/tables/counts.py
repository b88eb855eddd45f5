"""How often each value of a column of text occurs, and in which classes: exactly, up to a limit.

The words of a text are runs of letters, digits and underscores, in lower case.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from itertools import accumulate

from novikoff.streams.tables.lazy import pl

MOST_VALUES = 1 << 20
MOST_BYTES = 1 << 27


class Counts:
    """Values of a column that arrives in pieces, each with its number of rows and class range.

    Beyond `most` values, or 128 MB of them, the rarest are forgotten (of equally rare ones those
    that come last in the alphabet).

    Attributes
    ----------
    table : polars.DataFrame
        value, n, low, high: a value, how many rows have it, and the lowest and highest number of
        their classes; null is a value too. Call :meth:`merge` first.
    forgotten : bool
        Whether values had to be forgotten.
    repeated : bool
        Whether any value (not null) was seen twice.
    """

    def __init__(self, most: int = MOST_VALUES) -> None:
        self._most = most
        self._pieces: list[pl.DataFrame] = []
        self._n_waiting = 0
        self.forgotten = False
        self.repeated = False
        self.table = pl.DataFrame(
            schema={"value": pl.String, "n": pl.Int64, "low": pl.Int64, "high": pl.Int64}
        )

    def add(self, values: pl.Series, classes: pl.Series) -> pl.DataFrame:
        """Count `values`, row by row of the class numbered in `classes`; return their table."""
        cells = pl.DataFrame({"value": values, "class": classes})
        piece = cells.group_by("value").agg(
            pl.len().cast(pl.Int64).alias("n"),
            pl.col("class").min().cast(pl.Int64).alias("low"),
            pl.col("class").max().cast(pl.Int64).alias("high"),
        )
        self._pieces.append(piece)
        self._n_waiting += piece.height
        # Merging costs as much as the table is long: wait until as much has come in.
        if self._n_waiting > max(self.table.height, 1 << 16):
            self.merge()
        return piece

    def merge(self) -> None:
        """Bring `table` up to date."""
        if not self._pieces:
            return
        self.table = (
            pl.concat([self.table, *self._pieces])
            .group_by("value")
            .agg(pl.col("n").sum(), pl.col("low").min(), pl.col("high").max())
        )
        self._pieces, self._n_waiting = [], 0
        if not self.repeated:
            self.repeated = bool(
                self.table.select(((pl.col("n") > 1) & pl.col("value").is_not_null()).any()).item()
            )
        room = self._most
        size = int(self.table.estimated_size())
        if size > MOST_BYTES:
            room = min(room, self.table.height * MOST_BYTES // size)
        if self.table.height > room:
            self.forgotten = True
            self.table = self.commonest().head(room)

    def commonest(self) -> pl.DataFrame:
        """The table, commonest values first; equally common ones in alphabetical order."""
        return self.table.sort(
            ["n", "value"], descending=[True, False], nulls_last=False, maintain_order=True
        )

    @property
    def n_missing(self) -> int:
        return int(self.table.filter(pl.col("value").is_null())["n"].sum())


MOST_WORDS = 50_000  # the commonest ones are counted
FEWEST_WORDS = 4  # a column whose cells have this many, by the median, is text


def tokens(cells: pl.Series) -> pl.DataFrame:
    """Every word of every cell: its row, numbered from 0, and the word."""
    words = cells.str.to_lowercase().str.extract_all(r"\w+")
    table = pl.DataFrame({"row": pl.arange(len(cells), eager=True, dtype=pl.Int32), "word": words})
    return table.explode("word").drop_nulls()


def n_words(table: pl.DataFrame) -> Counter[int]:
    """How many rows have cells of how many words, from a table of values and their rows `n`.

    What stands between blanks is a word here, as a reader would count: an address such as
    192.168.0.1 is one.
    """
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
    ordered = sorted(lengths)
    passed = list(accumulate(lengths[length] for length in ordered))
    low, high = (ordered[bisect_right(passed, at)] for at in ((total - 1) // 2, total // 2))
    return (low + high) / 2 >= least
