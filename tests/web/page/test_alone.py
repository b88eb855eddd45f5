"""The page without a server: as one file, in a notebook's frame, in a course page, offline."""

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import pytest

import novikoff
from novikoff.web.site import folder as site_folder
from novikoff.web.site import page as one_file
from tests.web.page.helpers import PLAY, TWELVE, Hand

HOSTILE = '"><img src=x onerror=alert(1)><script>alert(1)</script>'


@pytest.fixture
def alone(play_pages, tmp_path):
    """alone(state, fragment) -> a Hand on the one-file page, opened from a disk."""

    def opened(state=None, fragment="", **options):
        file = tmp_path / "playground.html"
        file.write_text(one_file(state), encoding="utf-8")
        page = take(reduced_motion="reduce", **options)
        page.goto("about:blank")
        page.goto(f"{file.as_uri()}{fragment}")
        hand = Hand(page)
        hand.settle()
        return hand

    with play_pages.turn() as take:
        yield opened


# --------------------------------------------------------------------------------- one file


def test_it_does_everything_from_a_disk(alone, tmp_path):
    play = alone()
    assert play.points == TWELVE
    play.press("End")
    assert play.sentence == "Separated after 10 mistakes. The theorem allows 28."
    play.click(-3, 4)
    assert play.verdict.startswith("No line separates")
    play.choose("algorithm", "voted")
    play.until(lambda: play.page.locator("canvas.play-shade").is_visible())
    play.button("Share")
    texts = {}
    for name in ("Replay as HTML", "Trace (JSON)", "Table (Markdown)", "Python"):
        with play.page.expect_download() as download:
            play.button(name, exact=True)
        file = tmp_path / download.value.suggested_filename
        download.value.save_as(file)
        texts[file.suffix] = file.read_text("utf-8")
    assert list(texts) == [".html", ".json", ".md", ".py"]
    trace = novikoff.Trace.from_json(texts[".json"])
    assert len(trace) == play.ask("play.runs[0].n")
    replay = play.page.context.new_page()
    replay.goto((tmp_path / "novikoff-run.html").as_uri())
    assert replay.locator(".nr-plane").is_visible()
    replay.close()


def test_the_engine_is_off_the_pages_thread(alone):
    play = alone()
    assert len(play.page.workers) == 1
    assert play.page.workers[0].url.startswith("blob:")


def test_the_address_of_a_file_follows_too(alone):
    play = alone()
    play.click(-3, 4)
    play.until(lambda: "#v=1&p=13." in play.page.url)
    play.page.reload()
    play.settle()
    assert len(play.points) == 13


def test_it_opens_with_what_was_put_into_it(alone):
    state = novikoff.play([[1.0, 2.0], [3.0, 1.0]], ["a", "b"]).state
    play = alone({**state, "note": HOSTILE})
    assert play.points == [(1, 2, -1), (3, 1, 1)]
    assert play.page.locator(".play-remark").inner_text() == HOSTILE
    assert play.page.locator("img").count() == 0
    assert alone({"link": "#v=1&p=2.0.0.1.0.1.v&t=0"}).ask("play.document.points.length") == 2
    assert alone(state, "#v=1&p=3.0.3.2.-1.3.RFw&t=end").ask("play.document.points.length") == 3


def test_a_state_that_is_none_says_so(alone):
    play = alone({"format": "other"})
    assert play.points == TWELVE
    assert "not a state file" in play.page.locator(".play-remark").inner_text()


def test_a_saved_replay_keeps_hostile_names_as_text(alone, tmp_path):
    state = novikoff.play([[1.0, 2.0], [3.0, 1.0]], [HOSTILE, "z"]).state
    state["document"] |= {"title": HOSTILE, "axes": [HOSTILE, HOSTILE]}
    play = alone(state)
    play.button("Share")
    with play.page.expect_download() as download:
        play.button("Replay as HTML", exact=True)
    file = tmp_path / "replay.html"
    download.value.save_as(file)
    replay = play.page.context.new_page()
    replay.goto(file.as_uri())
    assert replay.locator("h1").inner_text() == HOSTILE
    assert replay.title() == HOSTILE
    assert HOSTILE in replay.locator(".nr-axis").all_text_contents()
    assert replay.locator("img").count() == 0
    replay.close()


# -------------------------------------------------------------------------------- notebook


def framed(page, shown, head=""):
    """The frame that a notebook would show."""
    page.goto("about:blank")
    page.set_content(f"<!DOCTYPE html><title>A notebook</title>{head}{shown._repr_html_()}")
    (frame,) = [frame for frame in page.frames if frame != page.main_frame]
    return frame


def test_a_notebook_shows_it_in_a_frame(play_pages):
    X, y = [[1.0, -2.0], [3.0, 0.0], [-4.0, 0.0]], ["ja", "ja", "nein"]
    with play_pages.turn() as take:
        frame = framed(take(reduced_motion="reduce"), novikoff.play(X, y))
        frame.locator(".nr-points > *").first.wait_for()
        assert frame.evaluate(f"{PLAY}.document.points.map((p) => p.label)") == [-1, -1, 1]
        frame.get_by_label("Last: the end").click()
        assert frame.locator(".play-sentence").inner_text().startswith("Separated after")
        frame.locator(".nr-plane").click()
        assert frame.evaluate(f"{PLAY}.document.points.length") == 4
        assert frame.evaluate(f"{PLAY}.link").startswith("#v=1&p=4.")


def test_a_frame_in_which_no_worker_may_be(browser):
    """As where a notebook has a policy of its own, which its frames inherit."""
    policy = """<meta http-equiv="Content-Security-Policy" content="worker-src 'none'">"""
    with browser.new_context(reduced_motion="reduce") as context:
        shown = novikoff.play([[1.0, 0.0], [0.0, 1.0]], [0, 1])
        frame = framed(context.new_page(), shown, policy)
        frame.get_by_label("Last: the end").click()
        frame.get_by_text("Separated after").first.wait_for()
        assert frame.page.workers == []


# ------------------------------------------------------------------------- course page, phone


@pytest.mark.parametrize(("width", "height"), [(640, 420), (1100, 500), (400, 460)])
def test_embedded_it_is_the_plane_and_the_controls(open_play, width, height):
    play = open_play("?embed=1", width=width, height=height)
    for gone in (".play-head nav", ".play-left", ".play-panel", ".play-tabs"):
        assert not play.page.locator(gone).first.is_visible()
    for shown in (".nr-plane", ".nr-transport", ".play-brushes"):
        assert play.page.locator(shown).is_visible()
    size = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    assert play.page.evaluate(size) == [width, height]
    play.click(-3, 4)
    assert len(play.points) == 13
    play.until(lambda: "?embed=1#v=1" in play.page.url)


@pytest.mark.parametrize(("width", "height"), [(480, 360), (400, 300), (320, 240)])
def test_in_a_small_frame_nothing_covers_the_plane(open_play, width, height):
    play = open_play("?embed=1", width=width, height=height)
    plane, *others = (
        play.page.locator(part).first.bounding_box()
        for part in (".nr-frame", ".play-quick", ".nr-transport")
    )
    assert plane["height"] > height / 4
    for box in filter(None, others):  # what is hidden has none
        assert plane["y"] + plane["height"] <= box["y"] <= height - box["height"]


@pytest.mark.parametrize(("width", "height"), [(360, 640), (640, 360), (768, 1024), (1024, 768)])
def test_touch_on_telephones_and_tablets(open_play, width, height):
    play = open_play(width=width, height=height, has_touch=True, is_mobile=True)
    assert play.page.evaluate("document.documentElement.scrollWidth") == width
    plane, bar = (
        play.page.locator(part).first.bounding_box() for part in (".nr-frame", ".nr-transport")
    )
    assert min(plane["width"], plane["height"]) > 140
    assert plane["y"] + plane["height"] <= bar["y"]  # both are seen at once
    assert bar["y"] + bar["height"] <= height
    brush = play.page.get_by_role("radio", name="−1").bounding_box()
    assert brush["y"] + brush["height"] <= bar["y"]
    assert min(brush["width"], brush["height"]) >= 44
    play.page.touchscreen.tap(*play.pixel(-3, 4))
    play.settle()
    play.page.get_by_role("radio", name="−1").tap()
    play.page.touchscreen.tap(*play.pixel(3, -4))
    play.settle()
    assert [p[2] for p in play.points[12:]] == [1, -1]
    play.page.get_by_role("button", name="Undo").tap()
    play.settle()
    assert len(play.points) == 13


# ----------------------------------------------------------------------------------- offline


@pytest.fixture
def hosted(tmp_path):
    """The address of a plain web host with the page's folder."""
    for name, content in site_folder().items():
        (tmp_path / name).write_bytes(content)

    class Handler(SimpleHTTPRequestHandler):
        extensions_map: ClassVar = {
            **SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript"
        }  # fmt: skip

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=tmp_path)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_once_opened_it_opens_without_a_network(browser, hosted):
    """By the service worker, which the page itself asks for over https only."""
    with browser.new_context(reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(hosted)
        Hand(page).settle()
        page.evaluate(
            """async () => {
              await navigator.serviceWorker.register("service.js");
              await navigator.serviceWorker.ready;
            }"""
        )
        page.reload()  # from now on by the service worker
        context.set_offline(True)
        page.goto("about:blank")
        page.goto(f"{hosted}?embed=1#v=1&p=3.0.3.2.-1.3.RFw&t=end")
        play = Hand(page)
        play.settle()
        assert play.ask("play.runs[0].n") == 55
