"""A real browser: Debian's chromium, driven by Playwright.

Whatever a page writes to the console as an error, or throws, fails the test that opened it.
"""

import shutil
from contextlib import contextmanager

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
MEDIA = ("media", "reduced_motion", "color_scheme", "forced_colors")  # can be set on an open page


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


class Pages:
    """Pages that tests take turns with: a context of its own for each would cost a second of CPU.

    A test gets pages that are its own until it ends, and loads what it needs into them. What they
    kept of the test before is cookies and storage, which nothing here uses.

    `serve` answers their requests, where they are not to go anywhere; a message that contains one
    of `allowed` is no error.
    """

    def __init__(self, browser, serve=None, allowed=()):
        self._browser, self._serve, self._allowed = browser, serve, allowed
        self._idle = {}  # options of a context -> its pages that nobody has
        self._errors = []

    @contextmanager
    def turn(self):
        """A function that gives pages to a test; at its end none of them may have had an error."""
        taken = []

        def take(width=1280, height=720, **options):
            media = {name: options.pop(name, "null") for name in MEDIA}
            kind = tuple(sorted(options.items()))
            idle = self._idle.setdefault(kind, [])
            page = idle.pop() if idle else self._open(options)
            taken.append((idle, page))
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(**media)
            page.bring_to_front()  # one that is behind another draws a frame a second
            return page

        self._errors.clear()
        yield take
        for idle, page in taken:
            idle.append(page)
        assert self._errors == []

    def _open(self, options):
        context = self._browser.new_context(**options)
        if self._serve is not None:
            context.route("**/*", self._serve)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self._errors.append(str(error)))
        page.on("dialog", lambda dialog: (self._errors.append("a dialog"), dialog.dismiss()))
        return page

    def _heard(self, message):
        if message.type == "error" and not any(text in message.text for text in self._allowed):
            self._errors.append(message.text)

    def close(self):
        for page in (page for idle in self._idle.values() for page in idle):
            page.context.close()
