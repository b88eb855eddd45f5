"""What a report says, and what it says of parts that it has no time for."""

import csv
from html import unescape

import numpy as np
import pytest

from novikoff import separability
from novikoff.analysis import compare
from novikoff.reports import report
from tests.reports.conftest import LABEL


def test_the_verdict_is_that_of_separability(made, hostile_csv):
    _, done = made("hostile", str(hostile_csv))
    rows = list(csv.reader(hostile_csv.read_text().splitlines()[1:]))
    X, y = np.array([row[:2] for row in rows], float), [row[2] for row in rows]
    assert separability(X, y).verdict == "overlapping"
    assert done.separable == f"No hyperplane separates ok from {LABEL}: that is proved."


def test_without_time_parts_are_left_out_and_commands_named(tmp_path):
    path = tmp_path / "report.html"
    text = report("iris", path, budget=0.0)
    assert path.read_text(encoding="utf-8") == text
    assert "Left out for want of time: whether the classes are separable" in text
    assert "novikoff separable iris" in text
    assert "novikoff compare iris" in text


@pytest.mark.thorough
def test_libsvm_text_works(made, tmp_path):
    path = tmp_path / "rows.txt"
    path.write_text("".join(f"{k % 2} 0:{k} 1:{k * k % 11}\n" for k in range(40)))
    file, done = made("text", str(path), zero_based=True)
    assert done.held_out
    assert done.left_out == []
    text = file.read_text(encoding="utf-8")
    assert "LIBSVM text has no columns with names" in text
    assert "--zero-based" in text


def test_what_a_table_lacks_is_said(tmp_path):
    """No two numeric features; columns that are left out; names that a shell would take apart."""
    path = tmp_path / "words.csv"
    colours = ("red", "blue", "green")
    rows = [f"{k},1,{colours[k % 3]},{'tall' if k % 2 else 'low'},{k % 2}" for k in range(40)]
    path.write_text('"id, no",one,colour,height,label\n' + "\n".join(rows) + "\n")
    text = unescape(report(path, budget=0.0, drop="height"))
    assert "There are not two numeric features" in text
    assert "id, no, one are not learned from" in text
    assert """--keep '"id, no",one' overrules that""" in text
    again = unescape(report(path, budget=0.0, drop=("height", "id, no")))
    assert """--drop height --drop '"id, no"'""" in again


def test_a_class_of_two_rows_gets_two_folds():
    assert [compare.n_folds(rows) for rows in (1, 2, 4, 5, 100)] == [0, 2, 4, 5, 5]


def test_unknown_features_and_options_are_refused():
    with pytest.raises(ValueError, match="there is no feature c9"):
        report("iris", features=["c1", "c9"])
    with pytest.raises(TypeError, match="does not take colour"):
        report("iris", colour="red")
