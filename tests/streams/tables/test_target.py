"""Which column is the target, and what its labels are."""

import numpy as np
import pytest

from novikoff.streams.bytes import StreamError
from novikoff.streams.tables.table import open_table
from novikoff.streams.tables.target import as_labels
from tests.streams.tables.helpers import written
from tests.streams.tables.tables import csv_of, said, table_of

X = [3, 1, 4, 1, 5, 9]


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        (["1", "-1"], [1, -1]),
        (["1.0", "2"], [1, 2]),
        (["1e3"], [1000]),
        (["9007199254740993"], [9007199254740993]),
        (["a", "1"], ["a", "1"]),
        (["0.5", "1"], ["0.5", "1"]),
        (["1_0", "2"], ["1_0", "2"]),
        (["1e30", "2"], ["1e30", "2"]),
        (["inf", "2"], ["inf", "2"]),
    ],
)
def test_whole_numbers_are_integers_and_all_else_is_text(values, labels):
    found = as_labels(values)
    assert found.tolist() == labels
    assert found.dtype.kind == ("i" if isinstance(labels[0], int) else "U")


@pytest.mark.parametrize("name", ["target", "label", "class", "y", "outcome", "Class", "OUTCOME"])
def test_usual_names(tmp_path, name):
    table = table_of(tmp_path, csv_of(**{name: list("abbaab")}, x=X, z=[0, 1] * 3), target=None)
    assert (table.target, table.target_guessed) == (name, False)
    assert table.classes.tolist() == ["a", "b"]
    assert f"{name} is the target, by its name" in said(table, "target")


def test_the_last_column_is_a_guess_and_said_to_be_one(tmp_path):
    table = table_of(tmp_path, csv_of(x=X, sort=list("abbaab")), target=None)
    assert (table.target, table.target_guessed) == ("sort", True)
    assert "sort is guessed to be the target" in said(table, "target")


@pytest.mark.parametrize("target", [1, "1", -2, "sort"])
def test_by_name_or_position(tmp_path, target):
    table = table_of(tmp_path, csv_of(sort=list("abbaab"), x=X), target=target)
    assert (table.target, table.target_guessed) == ("sort", False)


def test_more_values_than_a_guess_allows(tmp_path):
    text = csv_of(sort=[0, 1] * 30, n=[k % 3 for k in range(60)], x=[k % 21 for k in range(60)])
    with pytest.raises(StreamError, match=r"x, has 21 values.*Candidates: sort \(2.*n \(3"):
        table_of(tmp_path, text, target=None)
    table = table_of(tmp_path, text, target="x")  # what is asked for may have them
    assert len(table.classes) == 21


def test_no_candidate_at_all(tmp_path):
    text = csv_of(a=range(1, 60, 2), b=range(30, 60))
    with pytest.raises(StreamError, match=r"No column has between 2 and 20 values"):
        table_of(tmp_path, text, target=None)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (["a"] * 40, "has one value only, a"),
        ([k + 0.5 for k in range(40)], "is continuous"),
        ([k % 21 / 2 for k in range(40)], "is continuous"),
        ([f"name {k}" for k in range(40)], "a class of its own"),
        (range(40), "a class of its own"),
        ([None] * 40, "no row has a value of the target"),
    ],
)
def test_what_is_no_class(tmp_path, values, message):
    with pytest.raises(StreamError, match=message):
        table_of(tmp_path, csv_of(x=[0, 1] * 20, y=values))


def test_fractions_that_recur_are_classes(tmp_path):
    table = table_of(tmp_path, csv_of(x=X, y=[0.5, 1, 0.5, 1, 1, 0.5]))
    assert table.classes.tolist() == ["0.5", "1"]
    with pytest.raises(StreamError, match=r"continuous \(4 different numbers"):
        table_of(tmp_path, csv_of(x=X, y=[0.5, 1, 1.5, 2.25, 1, 0.5]))


def test_rows_without_a_target_are_dropped_and_counted(tmp_path):
    text = csv_of(x=[1, 2, 7, 4, 5, 6], y=["a", None, "b", "?", "b", "a"])
    table = table_of(tmp_path, text, scale=False)
    assert "2 of 6 rows have no y and are dropped" in said(table, "rows")
    block = table.matrix()
    assert table.n_rows == 4
    assert block.rows.tolist() == [0, 2, 4, 5]
    assert block.X.tolist() == [[1], [7], [5], [6]]
    assert block.y.tolist() == ["a", "b", "b", "a"]
    assert [table.line_of(row) for row in block.rows] == [2, 4, 6, 7]


def test_spellings_of_one_number_are_one_class(tmp_path):
    table = table_of(tmp_path, csv_of(x=X, y=["1", "1.0", "0", "-0", "+1", "0"]))
    assert table.classes.tolist() == [0, 1]
    assert table.classes.dtype == np.int64
    assert table.class_counts["all"].tolist() == [3, 3]


def test_dropping_the_target_is_an_error(tmp_path):
    with pytest.raises(StreamError, match="y is the target and cannot be dropped"):
        table_of(tmp_path, csv_of(x=X, y=[0, 1] * 3), drop=("y",))


def test_an_unknown_column_is_an_error_that_suggests(tmp_path):
    for option in ("drop", "keep", "categorical"):
        with pytest.raises(ValueError, match=rf'{option}="ages": .*did you mean age\?'):
            table_of(tmp_path, csv_of(age=X, y=[0, 1] * 3), **{option: ("ages",)})


def test_names_without_rows(tmp_path):
    path = written(tmp_path, "a,b,y\n")
    with pytest.raises(StreamError, match=r"one row only: a, b and y\. If it names the columns"):
        open_table(path)


def test_libsvm_text_whose_labels_are_words(tmp_path):
    path = written(tmp_path, "spam qid:1 1:0.5 3:2\nham 2:1 # no\n")
    with pytest.raises(StreamError, match="LIBSVM text, but its first label, 'spam', is no number"):
        open_table(path)
