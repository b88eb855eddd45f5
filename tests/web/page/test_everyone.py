"""For everyone: keyboard, screen reader, zoom, colours, widths."""

import pytest

from tests.replay.test_looks import contrast

HEARD = """
() => {
  window.heard = [];
  const node = document.querySelector(".play-sentence");
  new MutationObserver(() => {
    if (node.getAttribute("aria-live") !== "off") window.heard.push(node.textContent);
  }).observe(node, { childList: true, characterData: true, subtree: true });
}
"""

NAMELESS = """
() => Array.from(document.querySelectorAll("button, input, select, meter"))
  .filter((node) => node.checkVisibility() && !node.textContent.trim())
  .filter((node) => !node.getAttribute("aria-label") && !node.labels?.length)
  .map((node) => node.outerHTML)
"""
SMALL = """
() => Array.from(document.querySelectorAll("button, select, input:not([type=checkbox])"))
  .filter((node) => node.checkVisibility() && !node.closest("dialog"))
  .filter((node) => {
    const box = node.getBoundingClientRect();
    return Math.min(box.width, box.height) < 43.5;
  })
  .map((node) => node.outerHTML)
"""


def test_one_sentence_a_step_by_hand_and_none_while_playing(play):
    play.page.evaluate(HEARD)
    play.press("ArrowRight", "ArrowRight")
    assert len(play.page.evaluate("window.heard")) == 2
    play.page.get_by_label("Speed").select_option("64")
    play.button("Play")
    play.until(lambda: play.position.startswith("end"))
    assert len(play.page.evaluate("window.heard")) == 2


def test_an_edit_is_spoken_with_its_verdict(play):
    spoken = play.page.get_by_role("status").and_(play.page.locator(".play-spoken"))
    row = play.page.locator(".play-points tbody tr").first
    play.click(-3, 4)
    assert spoken.inner_text().startswith("Point 13 (+) added at (−3, 4). No line separates")
    play.drag((-3, 4), (3, -4))
    assert spoken.inner_text().startswith("Point 13 moved to (3, −4). A line separates")
    row.get_by_role("button", name="press to change").click()
    play.settle()
    assert spoken.inner_text().startswith("Point 1 is of class − now.")
    play.press("Control+z")
    assert spoken.inner_text().startswith("Undone. A line separates")
    play.click(3, -4, button="right")
    assert spoken.inner_text().startswith("Point 13 removed. A line separates")
    play.ask("play.page.speak('')")
    play.button("Play")
    play.ask("play.addPoint({ x: 0, y: 5 })")
    play.settle()
    assert spoken.inner_text() == ""  # none while playing
    play.ask("play.pause()")


def test_letter_keys_can_be_switched_off(play):
    play.press("l")
    assert not play.page.locator(".play-left").is_visible()
    play.press("l")
    play.tick("letters")
    play.page.locator("h1").click()
    play.press("l")
    assert play.page.locator(".play-left").is_visible()


def test_letters_are_letters_where_somebody_types(play):
    play.page.locator(".play-points input").first.focus()
    play.press("l")
    assert play.page.locator(".play-left").is_visible()


def test_lecture_mode(play):
    play.press("l")
    for gone in (".play-left", ".play-code", ".play-verdict"):
        assert not play.page.locator(gone).is_visible()
    for shown in (".nr-plane", ".play-sentence", ".nr-transport"):
        assert play.page.locator(shown).is_visible()
    caption, bar = (
        play.page.locator(part).bounding_box() for part in (".play-caption", ".play-bar-bottom")
    )
    assert caption["y"] + caption["height"] <= bar["y"]
    play.press("PageDown")
    assert play.position.startswith("update 1")
    size = "node => parseFloat(getComputedStyle(node).fontSize)"
    for text in (".play-sentence", ".nr-position", ".nr-ticks text", ".nr-timeline text"):
        assert play.page.locator(text).first.evaluate(size) >= 22
    width = "node => parseFloat(getComputedStyle(node).strokeWidth)"
    for line in (".nr-boundary", ".nr-shaft", ".nr-ring"):
        assert play.page.locator(f".nr-plane {line}").evaluate(width) == 4
    play.page.get_by_role("slider").focus()
    play.press("PageDown")  # a clicker means forwards, wherever the focus is
    assert play.position.startswith("update 2")
    play.button("Predict first")
    play.press("PageDown")
    assert play.sentence.startswith("Update 3 comes")
    play.press("Escape")
    assert play.page.locator(".play-left").is_visible()


def test_everything_can_be_reached_by_the_tab_key(play):
    names = set()
    focused = "(n => n.textContent + (n.getAttribute('aria-label') ?? ''))(document.activeElement)"
    for _ in range(150):
        play.page.keyboard.press("Tab")
        names.add(play.page.evaluate(focused))
    for name in ("Tour", "Share", "Play", "Update", "Remove point 12", "More settings"):
        assert any(name in found for found in names), name


def test_every_control_has_a_name(play):
    play.unfold()
    nameless = play.page.evaluate(NAMELESS)
    assert nameless == []


@pytest.mark.parametrize("algorithm", ["last", "pocket"])
def test_no_scrolling_on_a_laptop(play, algorithm):
    play.choose("algorithm", algorithm)
    play.page.locator(".play-fold").evaluate("node => { node.open = false; }")
    play.page.locator("h1").click()
    for key in ("Home", "ArrowRight", "End", "ArrowLeft"):
        play.press(key)
        tall, wide = play.page.evaluate(
            "[document.documentElement.scrollHeight, document.documentElement.scrollWidth]"
        )
        assert (tall, wide) == (720, 1280)
        right = play.page.locator(".play-right")
        assert right.evaluate("node => node.scrollHeight <= node.clientHeight")
    for name, width in ((".play-left", 232), (".play-right", 344)):
        assert play.page.locator(name).bounding_box()["width"] == width
    chart = play.page.locator(".play-chart")  # drawn for its pixels: its text is not scaled
    width, height = (chart.bounding_box()[side] for side in ("width", "height"))
    drawn = [float(part) for part in chart.get_attribute("viewBox").split()]
    assert drawn == pytest.approx([0, 0, width, height], abs=1)
    plane = play.page.locator(".nr-frame").first.bounding_box()
    assert plane["width"] == pytest.approx(plane["height"])
    assert plane["width"] > 480


@pytest.mark.parametrize("width", [390, 800])
def test_narrow_pages(open_play, width):
    play = open_play(width=width, height=844)
    assert play.page.evaluate("document.documentElement.scrollWidth") <= width
    tabs = play.page.get_by_role("tab")
    assert tabs.all_inner_texts() == ["Step", "Proof", "Points", "Settings"]
    for name in ("Step", "Proof", "Points", "Settings"):
        play.page.get_by_role("tab", name=name).click()
        shown = [p for p in ("step", "proof", "points", "settings")
                 if play.page.locator(f"#panel-{p}").is_visible()]  # fmt: skip
        assert shown == [name.lower()]
        assert play.page.evaluate(SMALL) == []
    bar = play.page.locator(".play-bar-bottom").bounding_box()
    assert bar["y"] + bar["height"] == 844  # the transport stays at the bottom
    play.page.mouse.wheel(0, 500)
    assert play.page.locator(".play-bar-bottom").bounding_box() == bar
    play.button("Lecture")
    assert not any(play.page.locator(f"#panel-{p}").is_visible() for p in ("step", "settings"))
    last, unit = play.page.get_by_label("Last: the end"), play.page.get_by_label("Step by")
    last, unit = last.bounding_box(), unit.bounding_box()
    assert last["x"] + last["width"] <= unit["x"]


def test_zoom_of_200_percent(play):
    play.page.set_viewport_size({"width": 640, "height": 360})
    assert play.page.evaluate("document.documentElement.scrollWidth") <= 640
    play.button("Step to the next update")
    assert play.position.startswith("update 1")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(play, scheme):
    play.page.emulate_media(color_scheme=scheme)
    style = "getComputedStyle(document.getElementById('play')).getPropertyValue"
    colour = {
        name: play.page.evaluate(f"{style}('--{name}')").strip()
        for name in ("nr-ground", "nr-ink", "nr-muted", "nr-button", "play-lit", "play-good",
                     "play-bad", "play-main", "nr-band-odd", "nr-plus-pale", "nr-minus-pale")
    }  # fmt: skip
    for ground in ("nr-ground", "play-lit", "nr-button", "nr-band-odd"):
        assert contrast(colour["nr-ink"], colour[ground]) >= 4.5
    for text in ("nr-muted", "play-good", "play-bad"):
        assert contrast(colour[text], colour["nr-ground"]) >= 4.5
    assert contrast("#ffffff", colour["play-main"]) >= 4.5
    for area in ("nr-plus-pale", "nr-minus-pale"):
        for mark in ("play-good", "play-bad"):
            assert contrast(colour[mark], colour[area]) >= 3


def test_forced_colours(open_play):
    play = open_play(forced_colors="active")
    play.choose("algorithm", "voted")
    play.page.locator("h1").click()
    play.press("ArrowRight")
    assert play.position.startswith("update 1")


def test_no_markup_from_styles_or_handlers(play):
    assert play.page.locator("[onclick], script:not([src]), style").count() == 0
