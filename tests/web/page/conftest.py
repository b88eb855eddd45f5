"""The playground, opened in a browser as a person would."""

import pytest

from tests.browser import pages
from tests.web.page.helpers import Hand


@pytest.fixture
def new_page(browser):
    """new_page(width=…, height=…, other options of a context) -> an empty page."""
    # A refusal of the library's is said on the page; chromium notes it on the console, too.
    with pages(browser, allowed=["status of 422"]) as make:
        yield make


@pytest.fixture
def open_play(new_page, playground):
    """open_play(fragment, …) -> a Hand on the page, paused unless motion is asked for."""

    def opened(fragment="", motion="reduce", **options):
        page = new_page(reduced_motion=motion, **options)
        page.goto(f"{playground}/{fragment}")
        hand = Hand(page)
        hand.settle()
        return hand

    return opened
