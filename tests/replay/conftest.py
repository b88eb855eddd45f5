"""A real browser for the replay, with the view's files and no network; see tests/browser.py."""

import pytest

from tests.browser import pages
from tests.replay.helpers import ORIGIN, serve


@pytest.fixture
def new_page(browser):
    """new_page(width=…, height=…, other options of a context) -> an empty page."""
    with pages(browser, serve) as make:
        yield make


@pytest.fixture
def show(new_page, tmp_path):
    """show(html, …) -> the page, opened from a file as a person would."""

    def opened(html, **options):
        file = tmp_path / "replay.html"
        file.write_text(html, encoding="utf-8")
        page = new_page(**options)
        page.goto(file.as_uri())
        return page

    return opened


@pytest.fixture(scope="module")
def modules_page(browser):
    with pages(browser, serve) as make:
        yield make(reduced_motion="reduce")


@pytest.fixture
def modules(modules_page):
    """A page on which the view's modules can be imported: `await import("/trace.js")`."""
    modules_page.goto(ORIGIN)
    return modules_page
