"""Links, files, pictures: what one sees, others see."""

import json
import re

from tests.web.page.helpers import TWELVE

PNG = b"\x89PNG\r\n\x1a\n"

MANY = """
() => {
  const grid = (x) => Math.round(x * 5000) / 100;
  window.sent = Array.from({ length: 300 }, (_, i) => (
    { x: grid(Math.sin(i)), y: grid(Math.cos(3 * i)), label: i % 2 ? 1 : -1 }
  ));
  const play = document.getElementById("play").playground;
  play.change({ points: window.sent });
  return play.link;
}
"""


def saved(play, name):
    with play.page.expect_download() as download:
        play.button(name, exact=True)
    return download.value


def test_a_link_reproduces_what_is_seen(open_play, playground):
    play = open_play()
    play.click(-3.5, 4)
    play.choose("algorithm", "pocket")
    play.choose("order", "shuffled")
    play.unfold()
    play.choose("notation", "w")
    play.page.locator("h1").click()
    play.press("Home", "ArrowRight", "ArrowRight")
    play.button("Share")
    link = play.page.get_by_label("A link to exactly this").input_value()
    assert len(link) - len(playground) <= 2000
    other = open_play(link.removeprefix(f"{playground}/"), motion="no-preference")
    assert not other.ask("play.playing")  # with a state in the URL it starts paused
    assert other.points == play.points
    assert other.settings == play.settings
    assert (other.position, other.sentence) == (play.position, play.sentence)


def test_the_address_follows_and_a_reload_keeps_everything(play):
    play.drag((1, 2), (1, 5))
    play.press("ArrowRight", "ArrowRight")
    play.until(lambda: play.page.url.endswith(f"t={play.ask('play.moment.t')}"))
    before = play.points, play.position
    play.page.reload()
    play.settle()
    assert (play.points, play.position) == before


def test_a_link_that_is_refused_shows_its_points_to_be_mended(play):
    link = play.ask("play.link").replace("&t=0", "&a=margin&ties=sign&t=end")
    play.page.goto("about:blank")
    play.page.goto(link)
    play.page.get_by_role("alert").wait_for()
    assert "knows no margin" in play.page.get_by_role("alert").inner_text()
    assert play.page.locator(".nr-points > *").count() == 12
    play.page.get_by_label("Step by").select_option("epoch")  # there are no steps yet
    play.page.mouse.click(*play.pixel(-3.5, 4))
    play.until(lambda: play.page.locator(".nr-points > *").count() == 13)
    play.choose("ties", "mistake")
    assert play.position.startswith("end: ")
    assert play.page.locator(".play-alert").is_hidden()


ROUND_TRIPS = """
async ([x, y]) => {
  const { fromFragment, toFragment } = await import("/link.js");
  const { checkedDocument, makeDocument } = await import("/document.js");
  const points = [{ x, y, label: 1 }, { x: -x, y: 0, label: -1 }];
  const view = { t: 0, end: false, unit: "update", notation: "theta", other: null };
  const link = toFragment(makeDocument({ points }), view);
  const choices = { units: ["update"], notations: ["theta"], algorithms: [] };
  const read = link && fromFragment(link, choices)?.document.points.map((p) => [p.x, p.y]);
  return [checkedDocument({ points }) !== null, read];
}
"""


def test_every_point_a_table_may_hold_is_one_a_link_or_a_file_may_hold(play):
    for x, y in [(1e9, -1e9), (5e7, 0.25), (1e6, 1e-9), (0.1, 1e9)]:
        again = play.page.evaluate(ROUND_TRIPS, [x, y])
        assert again == [True, [[x, y], [-x, 0]]]
    # No link that nobody could read: these are for a state file.
    assert play.page.evaluate(ROUND_TRIPS, [1e9, 1e-9]) == [True, None]


def test_three_hundred_points_on_a_grid_of_a_hundredth_fit(play):
    link = play.page.evaluate(MANY)
    assert len(link[link.index("#") :]) <= 2000
    back = play.page.evaluate("""async (fragment) => {
      const { fromFragment } = await import("/link.js");
      const view = { units: ["update"], notations: ["theta"], algorithms: ["last"] };
      return fromFragment(fragment, view).document.points;
    }""", link[link.index("#") :])  # fmt: skip
    assert back == play.page.evaluate("window.sent")


def test_what_does_not_fit_gets_a_state_file(open_play, tmp_path):
    play = open_play()
    play.ask("play.change({points: Array.from({length: 600}, (_, i) => "
             "({x: Math.sin(i), y: Math.cos(i * i), label: i % 2 ? 1 : -1}))})")  # fmt: skip
    play.settle()
    points = play.points
    play.button("Share")
    assert "save a state file instead" in play.page.locator(".play-share-status").first.inner_text()
    assert not play.page.get_by_label("A link to exactly this").is_visible()
    file = tmp_path / "state.json"
    saved(play, "Save a state file").save_as(file)
    other = open_play()
    other.button("Share")
    other.page.locator("dialog[open] input[type=file]").set_input_files(file)
    other.until(lambda: len(other.points) == 600)
    assert other.points == points


def test_files(play, tmp_path):
    play.button("Share")
    texts = {}
    for name in ("Replay as HTML", "Trace (JSON)", "Table (Markdown)", "Python"):
        download = saved(play, name)
        file = tmp_path / download.suggested_filename
        download.save_as(file)
        texts[file.suffix] = file.read_text("utf-8")
    assert list(texts) == [".html", ".json", ".md", ".py"]
    assert len(json.loads(texts[".json"])["updates"]["row"]) == 10
    assert texts[".md"].count("|") > 50
    assert "Perceptron(" in texts[".py"]
    opened = play.page.context.new_page()  # the replay opens without novikoff
    opened.goto(next(tmp_path.glob("*.html")).as_uri())
    assert opened.locator(".nr-plane").is_visible()
    opened.close()


def test_a_picture(play, tmp_path):
    play.choose("algorithm", "averaged")
    play.page.locator("h1").click()
    play.press("End")
    play.button("Share")
    download = saved(play, "Picture (PNG)")
    file = tmp_path / "picture.png"
    download.save_as(file)
    data = file.read_bytes()
    assert data.startswith(PNG)
    size = play.ask("play.page.stages[0].board.size")
    assert int.from_bytes(data[16:20], "big") == 2 * (size + 24)
    assert len(data) > 10_000  # something is on it


def test_copying(play):
    play.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    play.button("Share")
    play.button("Copy")
    play.until(lambda: play.page.locator(".play-share-status").first.inner_text() == "Copied.")
    link = play.page.evaluate("navigator.clipboard.readText()")
    assert re.search(r"#v=1&p=12\.", link)


DAMAGED = [
    "#v=1&p=<img src=x onerror=alert(1)>", "#v=2&p=1.0.0.1.0.1.A", "#nonsense", "#v=1",
    "#v=1&p=3.0.0.99.0.99.AAAA", "#v=1&p=1.0.1.1.1.1.AA&a=constructor", "#v=1&p=9999.0.0.1.0.1.A",
    "#v=1&p=0.0.0.0.0.0.&eta=NaN", f"#v=1&p={'A' * 3000}",
]  # fmt: skip


def test_a_damaged_link_says_so_and_shows_the_default(open_play):
    play = open_play(DAMAGED[0])
    remark = play.page.locator(".play-remark")
    for following in [*DAMAGED[1:], None]:
        assert remark.inner_text().startswith("This link cannot be read")
        assert play.points == TWELVE
        assert play.page.locator("img").count() == 0
        if following is None:
            break
        play.ask("play.page.note('')")
        play.page.evaluate("to => { location.hash = to; }", following)
        play.until(remark.is_visible)
        play.settle()


def test_names_in_a_link_stay_text(open_play):
    hostile = "%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E"
    fragment = f"#v=1&p=2.0.0.1.0.1.v&x1={hostile}&x2={hostile}&neg={hostile}&pos={hostile}&t=0"
    play = open_play(fragment)
    text = "<img src=x onerror=alert(1)>"
    assert play.page.locator(".play-axis-name").all_text_contents() == [text, text]
    assert play.page.locator(".play-legend bdi").all_text_contents() == [text, text]
    assert play.page.locator("img").count() == 0


def test_a_link_in_the_same_tab_is_followed(play):
    play.page.evaluate("location.hash = '#v=1&p=2.0.0.1.0.1.v&t=0'")
    play.until(lambda: len(play.points) == 2)
    play.settle()
