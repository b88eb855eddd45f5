"""A real browser for the replay, with the view's files and no network; see tests/browser.py."""

import pytest

from tests.browser import Pages
from tests.replay.helpers import ORIGIN, serve


@pytest.fixture(scope="session")
def replay_pages(browser):
    pages = Pages(browser, serve)
    yield pages
    pages.close()


@pytest.fixture
def new_page(replay_pages):
    """new_page(width=…, height=…, other options of a context) -> a page to load something into."""
    with replay_pages.turn() as take:
        yield take


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


@pytest.fixture
def modules(new_page):
    """A page on which the view's modules can be imported: `await import("/trace.js")`."""
    page = new_page(reduced_motion="reduce")
    if page.url == ORIGIN:  # modules keep no state
        page.evaluate("document.getElementById('here').replaceWith("
                      "Object.assign(document.createElement('div'), { id: 'here' }))")  # fmt: skip
    else:
        page.goto(ORIGIN)
    return page
