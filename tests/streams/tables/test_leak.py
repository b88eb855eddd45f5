"""Columns that determine the target alone."""

import pytest

from novikoff.streams.tables.options import TableOptions
from novikoff.streams.tables.table import open_table
from tests.real_data import shared
from tests.streams.tables.tables import csv_of, said, table_of

Y = [0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize(
    "column",
    [
        [1, 2, 1, 7, 8, 7],  # a threshold
        [9, 8, 9, 2, 3, 2],  # the other way round
        ["no", "no", "no", "yes", "yes", "yes"],
        ["a", "b", "a", "c", "c", "c"],
        ["a", None, "a", "c", "c", "c"],
        [1, None, 1, 7, 7, 7],
        ["2024-01-01"] * 3 + ["2024-01-02"] * 3,
        ["this one was not found"] * 3 + ["this one was found again"] * 3,
    ],
)
def test_a_leak_is_reported_and_not_removed(tmp_path, column):
    table = table_of(tmp_path, csv_of(copy=column, x=[1, 0, 1, 0, 1, 1], y=Y))
    assert table.leaks == ["copy"]
    assert said(table, "leak") == 'copy determines y: a copy? drop=["copy"]'
    assert any(name.startswith("copy") for name in table.feature_names)


@pytest.mark.parametrize(
    "column",
    [
        [1, 2, 3.5, 3.5, 8, 9],  # the intervals touch
        [1, 9, 1, 5, 5, 5],  # one within the other
        ["a", "b", "a", "a", "c", "c"],
        [1, 2, None, None, 8, 9],  # missing in both classes
        ["a", "b", "c", "d", "d", "e"],  # most rows are alone in their category
        ["yes", "no", "no", "yes", "yes", "yes"],
    ],
)
def test_what_is_no_leak(tmp_path, column):
    table = table_of(tmp_path, csv_of(x=column, z=[1, 0, 1, 0, 1, 1], y=Y))
    assert table.leaks == []


def test_every_class_must_be_apart_from_every_other(tmp_path):
    y = list("aabbcc")
    assert table_of(tmp_path, csv_of(x=[1, 2, 4, 3, 9, 8], y=y)).leaks == ["x"]
    assert table_of(tmp_path, csv_of(x=[1, 2, 8, 3, 9, 8], y=y)).leaks == []


@pytest.mark.parametrize("n_rows", [1, 2, 5])
def test_leaks_do_not_depend_on_chunks(tmp_path, n_rows):
    text = csv_of(a=[1, 2, 1, 7, 8, 7], b=["a", "b", "a", "c", "c", "c"], c=[1, 5, 1, 7, 4, 7], y=Y)
    assert table_of(tmp_path, text, n_rows=n_rows).leaks == ["a", "b"]


def test_titanic(tmp_path):
    text = shared("small/titanic.csv").read_text()
    table = table_of(tmp_path, text, target="survived", holdout=0.2)
    assert table.leaks == ["alive"]
    assert 'alive determines survived: a copy? drop=["alive"]' in said(table, "leak")
    # pclass says in numbers what class says in words.
    assert table_of(tmp_path, text, target="class").leaks == ["pclass"]


def test_that_a_number_is_missing_may_tell_the_classes_apart(tmp_path):
    path = tmp_path / "t.csv"
    rows = [(i % 2, "" if i % 2 else i % 9, i % 5 if i % 3 else "") for i in range(60)]
    path.write_text("y,boat,other\n" + "".join(f"{y},{b},{o}\n" for y, b, o in rows))
    assert open_table(path, TableOptions(target="y")).leaks == ["boat"]
