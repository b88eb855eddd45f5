"""What a report says, and what it says of parts that it has no time for."""

import csv
import io
import re
from html import unescape

import numpy as np
import polars as pl
import pytest

from novikoff import AveragedPerceptron, separability, separation
from novikoff.analysis import compare
from novikoff.reports import report
from novikoff.reports.subject import by_class
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


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_weight_that_cannot_be_compared_spoils_no_bar(tmp_path):
    path = tmp_path / "rows.txt"  # the third feature has no standard deviation in doubles
    last = ["", " 3:1e200"]
    rows = [f"{k % 2} 1:{k % 2 + k % 7 / 9} 2:{k % 5}{last[k == 3]}\n" for k in range(60)]
    path.write_text("".join(rows))
    text = report(path, budget=0.0)
    assert 'class="fill" x="50.00" width="50.00"' in text
    assert 'width="nan"' not in text


def kinds_and_features(n_classes):
    """Rows of classes each of which has a feature of its own."""
    kinds = np.tile(np.arange(n_classes), 20)
    noise = np.random.RandomState(0).normal(0, 0.3, (len(kinds), n_classes))
    return noise + 3 * np.eye(n_classes)[kinds], kinds


@pytest.mark.parametrize("scheme", ["ovr", "ovo", "joint"])
def test_the_feature_of_a_class_speaks_for_it(scheme):
    X, kinds = kinds_and_features(4)
    model = AveragedPerceptron(multi_class=scheme).fit(X, kinds)
    weights = by_class(model.coef_, model, np.arange(5))  # one class is held out whole
    assert weights[:4].argmax(axis=1).tolist() == [0, 1, 2, 3]
    assert not weights[4].any()


def test_of_many_classes_the_features_are_listed(tmp_path):
    X, kinds = kinds_and_features(9)
    path = tmp_path / "kinds.csv"
    rows = np.column_stack([kinds, X.round(3)])
    names = ",".join(["kind", *(f"of{c}" for c in range(9))])
    np.savetxt(path, rows, "%g", ",", header=names, comments="")
    text = report(path, target="kind", budget=0.0)
    found = re.search(r'id="weights".*?</section>', text, re.DOTALL)[0]
    assert [f"of{c}" in found for c in range(9)] == [True] * 9


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


class TestRegressions:
    """The section says what `separation` says; where there are no classes, it is the page."""

    counts = "y,dose,firm\n0,1,a\n3,2,a\n0,1,b\n1.5,3,b\n0,2,c\n0,2,c\n,2,a\n"

    @pytest.fixture(autouse=True)
    def needs_formulas(self):
        pytest.importorskip("formulaic")

    def test_of_counts_there_is_nothing_else(self, tmp_path):
        path = tmp_path / "counts.csv"
        path.write_text(self.counts)
        text = unescape(report(path, family="poisson", absorb="firm"))
        dose, y = [[1.0], [2.0], [1.0], [3.0], [2.0], [2.0]], [0.0, 3.0, 0.0, 1.5, 0.0, 0.0]
        truth = separation(dose, y, family="poisson", absorb=[list("aabbcc")], names=["dose"])
        assert truth.sentence in text
        places = ", ".join(str(row + 2) for row in truth.separated_rows)
        assert f"They stand in lines {places}." in text
        assert truth.coefficients == ("+inf",)
        assert re.search(r"dose</bdi></th><td>\+∞</td>", text)
        assert "1 row of 7 with missing values left out (y: 1)." in text
        assert f"novikoff separable {path} --family poisson --absorb firm --certificate" in text
        assert "Learning curves" not in text

    def test_of_classes_it_is_a_section(self, tmp_path):
        frame = pl.read_csv(
            io.StringIO("x,z,y\n" + "".join(f"{k},{k % 3},{k > 9}\n" for k in range(20)))
        )
        text = unescape(report(frame, family="binomial", budget=0.0))
        truth = separation(frame.select("x", "z"), frame["y"].to_numpy())
        assert truth.sentence in text
        assert "Learning curves" in text
        assert "novikoff report DATA --family binomial" in text

    def test_what_is_wrong_is_said_as_python_spells_it(self, tmp_path):
        path = tmp_path / "counts.csv"
        path.write_text(self.counts)
        with pytest.raises(ValueError, match='family="cox" needs event='):
            report(path, family="cox")


def test_a_class_of_two_rows_gets_two_folds():
    assert [compare.n_folds(rows) for rows in (1, 2, 4, 5, 100)] == [0, 2, 4, 5, 5]


def test_unknown_features_and_options_are_refused():
    with pytest.raises(ValueError, match="there is no feature c9"):
        report("iris", features=["c1", "c9"])
    with pytest.raises(TypeError, match="does not take colour"):
        report("iris", colour="red")
