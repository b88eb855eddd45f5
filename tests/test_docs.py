"""What the README and the pages in docs/ show is run."""

import doctest
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_shows_is_true(page):
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted == page.read_text().count(">>> ")
    assert result.failed == 0
