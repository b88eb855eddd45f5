"""The playground, opened in a browser as a person would."""

import pytest

from tests.browser import Pages
from tests.web.page.helpers import Hand

PATIENCE = 90_000  # milliseconds, for a machine that is busy with something else


@pytest.fixture(scope="session")
def play_pages(browser):
    pages = Pages(browser)
    yield pages
    pages.close()


@pytest.fixture
def open_play(play_pages, playground):
    """open_play(fragment, …) -> a Hand on the page, paused unless motion is asked for."""

    def opened(fragment="", motion="reduce", **options):
        page = take(reduced_motion=motion, **options)
        page.set_default_timeout(PATIENCE)
        # A new fragment alone would not load the page anew; and a page that is left writes no more
        # into the address.
        page.goto("about:blank")
        page.goto(f"{playground}/{fragment}")
        hand = Hand(page)
        hand.settle()
        return hand

    with play_pages.turn() as take:
        yield opened


@pytest.fixture
def play(play_pages, playground):
    """A Hand on the page as it is after opening, on the twelve points and paused.

    The page is loaded once for all tests that have it, and cleared between them.
    """
    with play_pages.turn() as take:
        page = take(reduced_motion="reduce")
        page.set_default_timeout(PATIENCE)
        hand = Hand(page)
        if page.url.partition("#")[0] == f"{playground}/":
            hand.begin_anew()
        else:
            page.goto(f"{playground}/")
        hand.settle()
        yield hand
