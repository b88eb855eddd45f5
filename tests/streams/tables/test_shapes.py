"""CSV files of the shapes that people have open, soon, with the numbers that Python reads."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np
import pytest

from novikoff.streams import StreamError
from novikoff.streams.tables.options import TableOptions
from novikoff.streams.tables.rows import open_rows
from novikoff.streams.tables.table import open_table
from tests.within import within

SECONDS = 60.0


def _table(cells: Any, *, names: bool = True, delimiter: str = ",", quoting: int = 0) -> str:
    """The cells and a last column of labels, as the csv module writes them."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, quoting=quoting, lineterminator="\n")
    if names:
        writer.writerow([*(f"f{k}" for k in range(len(cells[0]))), "y"])
    writer.writerows([*row, "no" if k % 2 else "yes"] for k, row in enumerate(cells))
    return text.getvalue()


def _whole(n: int, d: int, digits: int = 3, seed: int = 0) -> list[list[str]]:
    drawn = np.random.default_rng(seed).integers(10 ** (digits - 1), 10**digits, (n, d))
    return drawn.astype(str).tolist()


def _fractions(n: int, d: int, decimal: str = ".") -> list[list[str]]:
    drawn = np.random.default_rng(1).normal(size=(n, d))
    return [[f"{value:.3f}".replace(".", decimal) for value in row] for row in drawn]


TABLES = {
    **{f"{d} columns of {k} digits": _table(_whole(30, d, k))
       for d in (1, 2, 16, 55, 300) for k in (1, 3, 9)},
    "no names": _table(_whole(100, 64), names=False),
    "negative": _table([[f"-{cell}" for cell in row] for row in _whole(30, 20)]),
    "zeros and ones": _table(np.random.default_rng(2).integers(0, 2, (200, 40)).tolist()),
    "15 digits": _table(_whole(40, 30, 15)),
    "fractions": _table(_fractions(50, 30)),
    "exponents": _table([[f"{cell}e-3" for cell in row] for row in _fractions(50, 30)]),
    "semicolons": _table(_whole(50, 30), delimiter=";"),
    "decimal commas": _table(_fractions(50, 30, ","), delimiter=";"),
    "tabs": _table(_whole(50, 30), delimiter="\t"),
    "pipes": _table(_fractions(50, 30), delimiter="|"),
    "quoted": _table(_whole(50, 30), quoting=csv.QUOTE_ALL),
    "CR LF": _table(_whole(50, 30)).replace("\n", "\r\n"),
    "CR": _table(_whole(50, 30)).replace("\n", "\r"),
    "blanks": _table(_whole(50, 30)).replace(",", ", "),
    "no last newline": _table(_whole(50, 30)).removesuffix("\n"),
    "2000 columns": _table(_whole(3, 2000)),
    "long": _table(_whole(20_000, 4)),
}  # fmt: skip


@pytest.mark.parametrize("text", TABLES.values(), ids=TABLES)
def test_numbers(text):
    with within(SECONDS):
        table = _opened(text)
        block = table.matrix()
    lines = text.splitlines()
    delimiter = next((sign for sign in ";\t|" if sign in lines[0]), ",")
    rows = list(csv.reader(lines, delimiter=delimiter, skipinitialspace=True))
    cells = rows if rows[0][0] != "f0" else rows[1:]
    oracle = [[float(cell.replace(",", ".")) for cell in row[:-1]] for row in cells]
    np.testing.assert_array_equal(_dense(block.X), oracle)
    assert block.y.tolist() == [row[-1] for row in cells]


def _opened(text: str) -> Any:
    return open_table(io.BytesIO(text.encode()), TableOptions(scale=False))


def _dense(X: Any) -> Any:
    return X if isinstance(X, np.ndarray) else X.toarray()


LONG = {
    "digits": "1" * 200_000,
    "digits, then a letter": "1" * 200_000 + "x",
    "points": "." * 200_000,
    "words": "some words " * 20_000,
    "blanks": "a" + " " * 200_000 + "b",
    "quotes": '""' * 100_000,
    "colons": "1:" * 100_000,
    "hashes": "1 1:2 " + "#" * 100_000,
    "signs": "+-" * 100_000,
}


@pytest.mark.parametrize("cell", LONG.values(), ids=LONG)
@pytest.mark.parametrize("place", ["alone", "quoted", "beside numbers"])
def test_long_cells(cell, place):
    if place == "beside numbers":
        text = "a,b,y\n" + "".join(f"{k},{cell},{'no' if k % 2 else 'yes'}\n" for k in (3, 5, 4, 9))
    else:
        given = cell if place == "alone" else f'"{cell}\n2"'
        text = f"{given}\n" * 3
    with within(SECONDS):
        try:
            told = str(_opened(text).decisions)
        except StreamError as error:  # many are no tables; that is said
            told = str(error)
    assert len(told) < 10_000


@pytest.mark.thorough
def test_very_wide():
    """The time grows with the columns, not with their square, to read and to predict."""
    text = _table(_whole(4, 30_000))
    with within(300.0):
        table = _opened(text)
        rows = open_rows(io.BytesIO(text.encode()), table.encoder, target="y").matrix()
    np.testing.assert_array_equal(rows.X, table.matrix().X)
