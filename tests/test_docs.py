"""What the README and the pages in docs/ show is run, and so are the examples."""

import doctest
import runpy
import warnings
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_shows_is_true(page):
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted == page.read_text().count(">>> ")
    assert result.failed == 0


def test_the_demo_runs_and_prints_a_table(capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        runpy.run_path(str(ROOT / "examples" / "demo.py"), run_name="__main__")
    printed = capsys.readouterr().out
    assert "separated" in printed
    assert "epoch_limit" in printed
    assert printed.count("novikoff PocketPerceptron") == 3
