"""What each kind of column becomes, on files written for the purpose."""

import datetime as dt

import numpy as np
import polars as pl
import pytest

from novikoff.streams.bytes import StreamError
from novikoff.streams.tables.columns import numbers_of
from novikoff.streams.tables.fitting import MOST_CATEGORIES
from novikoff.streams.tables.options import TableOptions
from novikoff.streams.tables.table import open_table
from tests.streams.tables.tables import csv_of, dense, said, table_of

Y = [0, 1, 0, 1, 0, 1]
X = [3, 1, 4, 1, 5, 9]


def features(table, part="train"):
    """The matrix as a dict of columns."""
    X = dense(table.matrix(part).X)
    return {name: X[:, k].tolist() for k, name in enumerate(table.feature_names)}


def test_flags_are_not_scaled(tmp_path):
    table = table_of(tmp_path, csv_of(a=["yes", "no", "NO", "Yes", "no", "yes"], x=X, y=Y))
    assert features(table)["a"] == [1, 0, 0, 1, 0, 1]
    assert "yes/no as 1/0: a" in said(table, "column")


def test_dates(tmp_path):
    cells = ["2024-01-31", "2023-12-31", None, "1969-07-20", "2000-02-29", "2024-01-31"]
    table = table_of(tmp_path, csv_of(d=cells, x=X, y=Y), scale=False)
    found = features(table)
    known = [dt.date.fromisoformat(c) for c in cells if c]
    for name, value in {
        "d (days)": lambda d: (d - dt.date(1970, 1, 1)).days,
        "d (month)": lambda d: d.month,
        "d (weekday)": lambda d: d.isoweekday(),
    }.items():
        values = [value(d) for d in known]
        values.insert(2, sum(values) / 5)
        assert found[name] == values
    assert found["d is missing"] == [0, 0, 1, 0, 0, 0]
    assert said(table, "column").count("days since 1970-01-01, month and weekday: d") == 1


def test_numbers_are_standardised_and_their_holes_filled_with_the_mean(tmp_path):
    table = table_of(tmp_path, csv_of(x=[1, None, 2, 3, "NA", 6], y=Y))
    known = np.array([1, 2, 3, 6.0])
    found = features(table)
    expected = ((known - known.mean()) / known.std()).tolist()
    assert found["x"] == [expected[0], 0.0, expected[1], expected[2], 0.0, expected[3]]
    assert found["x is missing"] == [0, 1, 0, 0, 1, 0]
    assert "x is missing in 2 of 6 training rows; the mean 3 stands in" in said(table, "missing")
    plain = features(table_of(tmp_path, csv_of(x=[1, None, 2, 3, "NA", 6], y=Y), scale=False))
    assert plain["x"] == [1, 3, 2, 3, 3, 6]


def test_categories(tmp_path):
    table = table_of(tmp_path, csv_of(c=["b", "a", None, "b", "c,d", "a"], x=X, y=Y))
    found = features(table)
    assert found["c=a"] == [0, 1, 0, 0, 0, 1]
    assert found["c=b"] == [1, 0, 0, 1, 0, 0]
    assert found["c=c,d"] == [0, 0, 0, 0, 1, 0]
    assert found["c=(missing)"] == [0, 0, 1, 0, 0, 0]
    assert "c=(other)" not in found
    assert "categories: c (3)" in said(table)


def test_the_thousand_commonest_categories_and_the_others(tmp_path):
    # k0 to k1004, all but five of them twice.
    cells = [f"k{k}" for k in range(1005)] + [f"k{k}" for k in range(1000)]
    table = table_of(tmp_path, csv_of(c=cells, x=[0, 1, 2, 3, 4] * 401, y=[0, 1, 1, 0, 1] * 401))
    found = features(table)
    assert len([name for name in found if name.startswith("c=k")]) == MOST_CATEGORIES
    assert np.flatnonzero(found["c=(other)"]).tolist() == [1000, 1001, 1002, 1003, 1004]
    assert "the 1000 commonest are listed, the others are (other)" in said(table)
    assert table.encoder.sparse_


@pytest.mark.parametrize(
    ("column", "why"),
    [
        ([7] * 6, "constant"),
        (["a"] * 6, "constant"),
        (["true"] * 6, "constant"),
        (["2024-01-01"] * 6, "constant"),
        ([None] * 6, "no values"),
        ([0, 1, 2, 3, 4, 5], "merely counts the rows"),
        ([1, 2, 3, 4, 5, 6], "merely counts the rows"),
        (list("abcdef"), "different in every row"),
        (["a b c d", "b c d e", None, "c d e f", "d e f g", "e f g h"], "different in every row"),
    ],
)
@pytest.mark.parametrize("n_rows", [2, None])
def test_what_is_left_out_and_why(tmp_path, column, why, n_rows):
    text = csv_of(out=column, x=X, y=Y)
    table = table_of(tmp_path, text, n_rows=n_rows)
    assert table.feature_names == ["x"]
    assert f"out is left out: it{'s text is' if 'differ' in why else ''}" in said(table, "column")
    assert why in said(table, "column")
    kept = table_of(tmp_path, text, keep=("out",), n_rows=n_rows)
    assert any(name.startswith("out") for name in kept.feature_names)
    assert np.isfinite(dense(kept.matrix().X)).all()


@pytest.mark.parametrize("column", [[2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 6, 5], [1, 2, 3, 4, 5, None]])
def test_integers_that_do_more_than_count(tmp_path, column):
    assert "a" in table_of(tmp_path, csv_of(a=column, x=X, y=Y)).feature_names


def test_distinct_text_stays_if_nothing_else_remains(tmp_path):
    review = ["good and short film", "bad and long film", "a good film indeed", "a bad bad film"]
    table = table_of(tmp_path, csv_of(n=[1, 2, 3, 4], id=list("abcd"), r=review, y=[1, 0, 1, 0]))
    assert all(name.startswith("r:") for name in table.feature_names)
    assert features(table)["r:bad"] == [0, 1, 0, 2]
    names = table_of(tmp_path, csv_of(n=[1, 2, 3, 4], id=list("abcd"), y=[1, 0, 1, 0]))
    assert names.feature_names == ["id=a", "id=b", "id=c", "id=d"]


def test_nothing_left_is_an_error_that_says_why(tmp_path):
    with pytest.raises(StreamError, match=r"a \(it is constant\) and b \(it merely counts"):
        table_of(tmp_path, csv_of(a=[1] * 6, b=[1, 2, 3, 4, 5, 6], y=Y))


def test_words_are_counted_in_lower_case(tmp_path):
    cells = ["The cat, the dog and", None, "THE cat sat down there", "a b c d"] * 2
    table = table_of(tmp_path, csv_of(t=cells, x=[3, 1, 4, 1, 5, 9, 2, 6], y=[0, 1] * 4))
    found = features(table)
    assert found["t:the"] == [2, 0, 1, 0] * 2
    assert found["t:cat"] == [1, 0, 1, 0] * 2
    assert found["t is missing"] == [0, 1, 0, 0] * 2
    assert "t is text: its 11 words are counted" in said(table)


def test_three_words_are_a_category(tmp_path):
    table = table_of(tmp_path, csv_of(t=["a b c", "a b d"] * 3, x=X, y=[0, 0, 1, 1, 0, 1]))
    assert table.feature_names == ["t=a b c", "t=a b d", "x"]


def test_a_constant_with_holes_keeps_only_where_they_are(tmp_path):
    table = table_of(tmp_path, csv_of(a=[7, None, 7, 7, None, 7], x=X, y=Y))
    assert table.feature_names == ["a is missing", "x"]
    assert "constant elsewhere" in said(table, "missing")


def test_forced_categories(tmp_path):
    table = table_of(tmp_path, csv_of(a=[1, 2, 1, 3, 3, 2], x=X, y=Y), categorical=("a",))
    assert table.feature_names == ["a=1", "a=2", "a=3", "x"]
    by_position = table_of(tmp_path, csv_of(a=[1, 2, 1, 3, 3, 2], x=X, y=Y), categorical=("1",))
    assert by_position.feature_names == table.feature_names


def test_missing_cells_can_be_refused(tmp_path):
    text = csv_of(a=[1, None, 1, 3, 3, None], c=["a", "b", None, "a", "b", "a"], x=X, y=Y)
    with pytest.raises(StreamError, match="3 cells are missing: a on line 3, c on line 4 and a on"):
        table_of(tmp_path, text, missing="error")
    table_of(tmp_path, text, missing="error", drop=("a", "c"))  # not in use, not missed


def test_rows_with_missing_cells_can_be_dropped(tmp_path):
    text = csv_of(a=[1, None, 1, 3, 4, None], c=["a", "b", None, "a", "b", "a"], x=X, y=Y)
    table = table_of(tmp_path, text, missing="drop", scale=False)
    assert "3 rows with missing cells are dropped" in said(table, "missing")
    assert table.matrix().rows.tolist() == [0, 3, 4]
    assert table.class_counts["all"].tolist() == [2, 1]
    assert table.n_rows == 3
    assert not any("missing" in name for name in table.feature_names)


@pytest.mark.parametrize("sparse", [False, True])
def test_hashing(tmp_path, sparse):
    from sklearn.utils import murmurhash3_32

    cells = ["b", "a", None, "b", "c", "a"]
    text = ["a b c d"] * 3 + ["d d d e"] * 3
    bits = 8 if sparse else 2
    table = table_of(tmp_path, csv_of(c=cells, t=text, x=X, y=Y), hash_bits=bits, scale=False)
    assert table.encoder.sparse_ == sparse
    n = 2**bits
    assert table.feature_names == ["x", *[f"hash {k}" for k in range(n)]]
    expected = np.zeros((6, 1 + n))
    expected[:, 0] = X
    for row, (cell, words) in enumerate(zip(cells, text, strict=True)):
        for key in [f"c={cell or '(missing)'}", *(f"t:{word}" for word in words.split())]:
            expected[row, 1 + murmurhash3_32(key.encode(), positive=True) % n] += 1
    assert dense(table.matrix().X).tolist() == expected.tolist()
    assert f"hashed into {n} columns" in said(table)


def test_whole_numbers_that_are_no_doubles_are_said_to_be_rounded(tmp_path):
    big = 2**53
    ids = [big, big + 1, big, big + 1, big, big + 1]
    told = f'{big + 1} is read as {big}; if they are names, categorical=["a"]'
    text = csv_of(a=ids, b=[big * 4] * 5 + [2], c=[1e20, 2e20, 3e20, 4e20, 5e20, 7e20], x=X, y=Y)
    for table in (table_of(tmp_path, text), _parquet(tmp_path, a=ids, x=X, y=Y)):
        (decision,) = (d for d in table.decisions if "rounded" in d.text)
        assert decision.column == "a"
        assert told in decision.text
    assert "rounded" not in said(table_of(tmp_path, text, categorical=("a",)))


def _parquet(folder, **columns):
    pl.DataFrame(columns).write_parquet(folder / "t.parquet")
    return open_table(folder / "t.parquet", TableOptions(target="y"))


def test_a_number_that_is_none_is_named_even_if_the_column_is_left_out(tmp_path):
    table = table_of(tmp_path, csv_of(a=[1.5, 2.5, "inf", 3.5, 4.5, 5.5], x=X, y=Y))
    assert table.left_out == ["a"]
    assert "1 of its 6 cells is no number, such as 'inf';" in said(table)
    table = table_of(tmp_path, csv_of(a=["k", "k", 1, 1, 2, 3], x=X, y=Y))
    assert "2 of its 6 cells are no numbers, such as 'k';" in said(table)


@pytest.mark.parametrize(
    "spelled",
    ["{:,}", "${:,}", "{:,} €", "{}%", "{} %", "-$ {}.50", "{},5", "{0} {0:03}", "{0}'{0:03}"],
)
def test_numbers_spelled_for_people_are_categories_and_that_is_said(spelled, tmp_path):
    numbers = [12345, 23456, 34567] if "," in spelled else [12, 345, 67]
    cells = [spelled.format(number) for number in numbers]
    text = csv_of(a=[*cells, *cells], x=X, y=Y)
    table = table_of(tmp_path, text)
    (told,) = (d.text for d in table.decisions if "are no numbers" in d.text)
    assert "a is taken for categories: 6 of its 6 cells" in told
    assert cells[0] in told
    assert "decimal point" in told
    assert "no numbers" not in said(table_of(tmp_path, text, categorical=("a",)))
    few = csv_of(a=[*cells[:2], *"12", cells[0], "k"], x=X, y=Y)  # with those that are plain
    assert "4 of its 6 cells are no numbers" in said(table_of(tmp_path, few))


@pytest.mark.parametrize("cell", ["A12", "1-2", "1,2,3", "12 34", "$", "%", "555-1234", "1e400"])
def test_text_with_digits_is_no_number_spelled_for_people(cell, tmp_path):
    table = table_of(tmp_path, csv_of(a=[cell] * 5 + ["k"], x=X, y=Y))
    assert "decimal point" not in said(table)


def test_what_is_left_out_is_said_of_the_training_rows(tmp_path):
    rows = range(40)
    columns = {"x": [k % 7 for k in rows], "y": [k % 2 for k in rows]}
    held = table_of(tmp_path, csv_of(**columns), holdout=0.2).matrix("test").rows
    flag = [int(k == held[0]) for k in rows]  # no constant, but for the training rows
    name = [f"n{held[0] if k == held[1] else k}" for k in rows]
    text = csv_of(flag=flag, name=name, **columns)
    told = said(table_of(tmp_path, text, holdout=0.2))
    assert "flag is left out: it is constant in the training rows;" in told
    assert "name is left out: its text is different in every training row;" in told
    assert table_of(tmp_path, text).left_out == []


def test_what_is_no_text_and_no_number_holds_no_numbers():
    cells = {"flag": [True, None], "list": [[1], [2]], "bytes": [b"1", b"2"]}
    for name, values in cells.items():
        found = numbers_of(pl.Series(name, values), ".")
        assert (found.name, found.dtype, found.to_list()) == (name, pl.Float64, [None, None])
    assert numbers_of(pl.Series("a", ["1,5", "x", None]), ",").to_list() == [1.5, None, None]
