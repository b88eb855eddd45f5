"""What a report says, and what it says of parts that it has no time for."""

import numpy as np
import pytest

from novikoff import separability
from novikoff.reports import report


def test_the_verdict_is_that_of_separability(made, xor):
    _, done = made("xor", str(xor))
    X, y = [[0, 0], [1, 1], [0, 1], [1, 0]], [1, 1, 0, 0]
    assert separability(np.array(X, float), y).verdict == "overlapping"
    assert done.separable == "No hyperplane separates same from other: that is proved."


def test_without_time_parts_are_left_out_and_commands_named(made):
    file, done = made("hurried", "iris", budget=0.0)
    text = file.read_text(encoding="utf-8")
    assert "whether the classes are separable" in done.left_out
    assert "the comparison" in done.left_out
    assert "novikoff separable iris" in text
    assert "novikoff compare iris" in text


def test_libsvm_text_works(made, tmp_path):
    path = tmp_path / "rows.txt"
    path.write_text("".join(f"{k % 2} 1:{k} 2:{k * k % 11}\n" for k in range(40)))
    file, done = made("text", str(path))
    assert done.held_out
    assert "LIBSVM text has no columns with names" in file.read_text(encoding="utf-8")


def test_no_numeric_pair_is_said(made, tmp_path):
    path = tmp_path / "words.csv"
    colours = ("red", "blue", "green")
    rows = [f"{colours[k % 3]},{'tall' if k % 2 else 'low'},{k % 2}" for k in range(40)]
    path.write_text("colour,height,label\n" + "\n".join(rows) + "\n")
    text = made("words", str(path))[0].read_text(encoding="utf-8")
    assert "There are not two numeric features" in text


def test_unknown_features_and_options_are_refused():
    with pytest.raises(ValueError, match="there is no feature c9"):
        report("iris", features=["c1", "c9"])
    with pytest.raises(TypeError, match="does not take colour"):
        report("iris", colour="red")


def test_the_page_is_written_and_returned(tmp_path, monkeypatch):
    path = tmp_path / "report.html"
    page = report("iris", path, budget=0.0)
    assert path.read_text(encoding="utf-8") == page
