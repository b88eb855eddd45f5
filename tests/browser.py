"""A real browser: Debian's chromium, driven by Playwright.

Whatever a page writes to the console as an error, or throws, fails the test that opened it.
"""

import shutil
from contextlib import contextmanager

import pytest

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
def pages(browser, serve=None, allowed=()):
    """A function that makes empty pages; at the end none of them may have had an error.

    `serve` answers their requests, where they are not to go anywhere; a message that contains one
    of `allowed` is no error.
    """
    contexts, errors = [], []

    def heard(message):
        if message.type == "error" and not any(text in message.text for text in allowed):
            errors.append(message.text)

    def make(width=1280, height=720, **options):
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        if serve is not None:
            context.route("**/*", serve)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("console", heard)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("dialog", lambda dialog: (errors.append("a dialog opened"), dialog.dismiss()))
        return page

    yield make
    for context in contexts:
        context.close()
    assert errors == []
