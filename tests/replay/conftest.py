"""A real browser for the replay: Debian's chromium, driven by Playwright.

Whatever a page writes to the console as an error, or throws, fails the test that opened it.
"""

import shutil
from contextlib import contextmanager

import pytest

from tests.replay.helpers import ORIGIN, serve

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip(f"browser tests need one of {', '.join(BROWSERS)} on PATH; none was found")
    with playwright.sync_playwright() as running:
        chromium = running.chromium.launch(executable_path=path)
        yield chromium
        chromium.close()


@contextmanager
def pages(browser):
    """A function that makes empty pages; at the end none of them may have had an error."""
    contexts, errors = [], []

    def make(width=1280, height=720, **options):
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        context.route("**/*", serve)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("dialog", lambda dialog: (errors.append("a dialog opened"), dialog.dismiss()))
        return page

    yield make
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture
def new_page(browser):
    """new_page(width=…, height=…, other options of a context) -> an empty page."""
    with pages(browser) as make:
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
    with pages(browser) as make:
        yield make(reduced_motion="reduce")


@pytest.fixture
def modules(modules_page):
    """A page on which the view's modules can be imported: `await import("/trace.js")`."""
    modules_page.goto(ORIGIN)
    return modules_page
