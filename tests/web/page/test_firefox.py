"""The page in a second browser: served, and as one file from a disk."""

import shutil
import time

import pytest

from novikoff.web.site import page as one_file
from tests.web.firefox import Firefox
from tests.web.page.helpers import IDLE, PLAY

pytestmark = pytest.mark.thorough
END = "\ue010"  # as WebDriver writes the key
SENTENCE = "document.querySelector('.play-sentence').textContent"


@pytest.fixture(scope="module")
def firefox(tmp_path_factory):
    path = shutil.which("firefox-esr") or shutil.which("firefox")
    if path is None:
        pytest.skip("needs firefox-esr on PATH; none was found")
    browser = Firefox(path, tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


def until(holds):
    end = time.monotonic() + 90
    while not holds():
        assert time.monotonic() < end, "it never came to be so"
        time.sleep(0.05)


@pytest.fixture(params=["modules", "one file"])
def opened(request, firefox, playground, tmp_path):
    """The page, settled, on three points at the end of their run."""
    address = f"{playground}/"
    if request.param == "one file":
        file = tmp_path / "playground.html"
        file.write_text(one_file(), encoding="utf-8")
        address = file.as_uri()
    firefox.open("about:blank")
    firefox.open(f"{address}#v=1&p=3.0.3.2.-1.3.RFw&t=0")
    until(lambda: firefox.evaluate(f"Boolean({PLAY} && {IDLE})"))
    return firefox


def test_it_learns_and_steps(opened):
    opened.press(END)
    until(lambda: "55 mistakes" in opened.evaluate(SENTENCE))
    assert opened.evaluate(SENTENCE) == "Separated after 55 mistakes. The theorem allows 109."
    assert not opened.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_points_are_added_and_shaded(opened):
    opened.evaluate(f"{PLAY}.addPoint({{ x: 0, y: 5 }})")
    until(lambda: opened.evaluate(f"{PLAY}.document.points.length === 4 && {IDLE}"))
    opened.evaluate(f"{PLAY}.changeSettings({{ algorithm: 'voted' }})")
    until(lambda: opened.evaluate(f"{PLAY}.page.stages[0].board.field !== null"))
    until(lambda: "#v=1&p=4." in opened.evaluate("location.href"))
