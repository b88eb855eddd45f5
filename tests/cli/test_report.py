"""`novikoff report` through its entry point."""

import pytest

from tests.cli.helpers import document, inside, novikoff


def test_it_writes_a_page_and_says_what_is_on_it(folder, flowers):
    out = folder / "flowers.html"
    found = document("report", flowers, "-o", out, "--drop", "colour", run=novikoff)
    text = out.read_text(encoding="utf-8")
    assert found["format"] == "novikoff.report"
    assert found["verdict"] in text.replace("&#39;", "'")
    assert found["separable"] == "A hyperplane separates tulip from rose without a single mistake."
    assert "width determines kind" in "".join(found["warnings"])
    assert f"novikoff report {flowers} --drop colour" in text


def test_a_data_set_that_ships_to_standard_output_in_no_time():
    done = inside("report", "iris", "-o", "-", "--budget", 0)
    assert done.stdout.startswith("<!DOCTYPE html>")
    assert "left out for want of time" in done.stderr


def test_what_cannot_be_done_is_said(folder, flowers):
    done = inside("report", flowers, "--features", "width", code=2)
    assert "--features takes two different features" in done.stderr
    done = inside("report", flowers, "-o", folder, code=2)
    assert "this is a folder" in done.stderr
    rows = "1 1:2\n0 1:3\n" * 20
    done = inside("report", "-", "--drop", "a", stdin=rows, code=2)
    assert "LIBSVM text" in done.stderr


def test_a_regression(tmp_path):
    pytest.importorskip("formulaic")
    data, out = tmp_path / "counts.csv", tmp_path / "report.html"
    data.write_text("y,dose,firm\n0,1,a\n3,2,a\n0,1,b\n1,3,b\n0,2,c\n0,2,c\n")
    asked = ("--family", "poisson", "--absorb", "firm")
    found = document("report", data, "-o", out, *asked)
    assert found["estimates"] in out.read_text(encoding="utf-8")
    told = inside("separable", data, *asked).stdout.replace("\n", " ")
    assert told.startswith(found["estimates"])
    asked = "--formula", "y ~ dose", "--target", "y"
    assert "--formula" in inside("report", data, *asked, code=2).stderr
