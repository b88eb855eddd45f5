"""The view as a person uses it: keys, buttons, slider, time, paper."""

import itertools

import pytest

from novikoff import Perceptron
from novikoff.replay import fragment, page
from tests.replay.helpers import golden_trace, wait_until

REPLAY = "document.querySelector('.novikoff-replay').replay"
CHANGES = """
() => {
  window.spoken = [];
  const sentence = document.querySelector(".nr-sentence");
  new MutationObserver(() => {
    if (sentence.getAttribute("aria-live") !== "off") window.spoken.push(sentence.textContent);
  }).observe(sentence, { childList: true, characterData: true, subtree: true });
}
"""


FOCUSED = """
() => {
  const node = document.activeElement;
  return [node.getAttribute("aria-label") ?? node.className, getComputedStyle(node).outlineStyle];
}
"""


@pytest.fixture
def twelve(show):
    """The twelve points, paused at the start."""
    return show(page(golden_trace(), "Twelve points", bound=28.67, autoplay=False))


def state(opened):
    return opened.evaluate(f"{REPLAY}.state")


def slider(opened):
    return opened.get_by_role("slider", name="Update")


def test_the_last_state_of_the_twelve_points(twelve):
    twelve.get_by_role("button", name="Last update").click()
    last = state(twelve)
    assert (last["k"], last["n"], last["epoch"]) == (10, 10, 5)
    assert (last["theta"], last["offset"]) == ([4, -8], -8)
    assert (
        twelve.locator("dl div", has_text="Updates so far").locator("dd").inner_text() == "10 of 10"
    )
    assert (
        twelve.locator("dl div", has_text="The theorem").locator("dd").inner_text() == "28 updates"
    )


def test_buttons(twelve):
    press = lambda name: twelve.get_by_role("button", name=name).click()  # noqa: E731
    for name, k in [("Step", 1), ("Step", 2), ("Back", 1), ("Last", 10), ("Back", 9), ("First", 0)]:
        press(name)
        assert state(twelve)["k"] == k
    back = twelve.get_by_role("button", name="Back one update")
    assert back.get_attribute("aria-disabled") == "true"
    back.click(force=True)
    assert state(twelve)["k"] == 0
    assert back.evaluate("node => node === document.activeElement")  # the focus is not lost


def test_keys(twelve):
    presses = [
        ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", 10), ("ArrowRight", 10),
        ("Home", 0), ("ArrowLeft", 0),
    ]  # fmt: skip
    for key, k in presses:
        twelve.keyboard.press(key)
        assert state(twelve)["k"] == k
    twelve.keyboard.press("Space")
    assert state(twelve)["playing"]
    twelve.keyboard.press("Space")
    assert not state(twelve)["playing"]
    twelve.keyboard.press("Control+ArrowRight")  # the browser's
    assert state(twelve)["k"] == 0


def test_a_key_is_not_taken_twice(twelve):
    slider(twelve).focus()
    twelve.keyboard.press("ArrowRight")
    assert state(twelve)["k"] == 1
    twelve.keyboard.press("End")
    assert state(twelve)["k"] == 10
    twelve.get_by_role("button", name="First").focus()
    twelve.keyboard.press("Space")  # presses the button, and does not play
    assert (state(twelve)["k"], state(twelve)["playing"]) == (0, False)
    twelve.get_by_role("combobox", name="Speed").focus()
    twelve.keyboard.press("ArrowDown")  # chooses another speed
    assert state(twelve)["k"] == 0


def test_the_slider_says_where_it_is(twelve):
    assert slider(twelve).get_attribute("aria-valuetext") == "start, update 0 of 10"
    slider(twelve).fill("7")
    assert slider(twelve).get_attribute("aria-valuetext") == "update 7 of 10, epoch 3"
    assert state(twelve)["k"] == 7
    assert twelve.locator("output").inner_text() == "update 7 of 10, epoch 3"


def test_every_control_can_be_reached_with_the_keyboard(twelve):
    reached = []
    for _ in range(7):
        twelve.keyboard.press("Tab")
        reached.append(twelve.evaluate(FOCUSED))
    names = [name for name, _ in reached]
    assert names == [
        "First: before any update", "Back one update", "Play", "Step to the next update",
        "Last update", "nr-speed", "Update",
    ]  # fmt: skip
    assert {style for _, style in reached} == {"solid"}


def test_keys_outside_an_embedded_replay_are_left_alone(new_page, tmp_path):
    parts = [fragment(golden_trace(), id, start=3) for id in ("one", "two")]
    file = tmp_path / "two.html"
    file.write_text(
        f"<!DOCTYPE html><meta charset=utf-8><style>{parts[0].style}</style><a href='#'>x</a>"
        f"{parts[0].markup}{parts[1].markup}<script type=module>{parts[0].script}</script>",
        encoding="utf-8",
    )
    opened = new_page()
    opened.goto(file.as_uri())
    k = lambda id: opened.evaluate("id => document.getElementById(id).replay.state.k", id)  # noqa: E731
    opened.get_by_role("link").focus()
    opened.keyboard.press("ArrowRight")
    assert (k("one"), k("two")) == (3, 3)
    opened.locator("#two .nr-plane").click()
    opened.keyboard.press("ArrowRight")
    assert (k("one"), k("two")) == (3, 4)


# ------------------------------------------------------------------------------- time


def test_it_plays_to_the_end_and_is_silent(twelve):
    twelve.evaluate(CHANGES)
    twelve.get_by_label("Speed").select_option("16")
    twelve.get_by_role("button", name="Play").click()
    assert twelve.locator(".nr-sentence").get_attribute("aria-live") == "off"
    wait_until(twelve, f"{REPLAY}.state.k === 10")
    assert not state(twelve)["playing"]
    assert twelve.evaluate("window.spoken") == []
    twelve.get_by_role("button", name="Back").click()
    wait_until(twelve, "window.spoken.length === 1")
    assert twelve.evaluate("window.spoken")[0].startswith("Update 9:")
    twelve.get_by_role("button", name="Last").click()
    twelve.get_by_role("button", name="Play").click()  # again from the beginning
    assert state(twelve)["playing"]
    assert state(twelve)["k"] < 10


def test_speed_64_takes_several_updates_a_frame(twelve):
    ks = twelve.evaluate(f"""() => new Promise((resolve) => {{
      const replay = {REPLAY}, ks = [];
      replay.addEventListener("change", (event) => {{
        ks.push(event.detail.k);
        if (event.detail.k === 10) resolve(ks);
      }});
      replay.player.setSpeed(64);
      replay.play();
    }})""")
    assert max(b - a for a, b in itertools.pairwise(ks)) > 1


def test_it_starts_by_itself_and_any_input_stops_it(show):
    opened = show(page(golden_trace(), "Twelve"))
    assert state(opened)["playing"]
    opened.locator(".nr-plane").click()
    assert not state(opened)["playing"]


def test_the_pause_button_stops_what_started_by_itself(show):
    opened = show(page(golden_trace(), "Twelve"))
    opened.get_by_role("button", name="Pause").click()
    assert not state(opened)["playing"]
    assert opened.get_by_role("button", name="Play").is_visible()


@pytest.mark.parametrize("act", ["ArrowRight", "slider"])
def test_a_step_by_hand_pauses(show, act):
    opened = show(page(golden_trace(), "Twelve"))
    if act == "slider":
        slider(opened).fill("7")
    else:
        opened.keyboard.press(act)
    assert not state(opened)["playing"]


BOUNDARY = """['x1', 'y1', 'x2', 'y2'].map(
  (name) => document.querySelector('.nr-plane .nr-boundary').getAttribute(name))"""
FRAMES = f"""() => new Promise((resolve) => {{
  {REPLAY}.go(5);
  const seen = new Set();
  let frames = 0;
  const begin = performance.now();
  const look = () => {{
    seen.add(JSON.stringify({BOUNDARY}));
    // Frames may be rare on a busy machine; where nothing moves, some time has to do.
    const still = frames++ > 20 && performance.now() - begin > 400;
    if (seen.size > 2 || still) resolve(seen.size);
    else requestAnimationFrame(look);
  }};
  look();
}})"""


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_reduced_motion(show, motion):
    opened = show(page(golden_trace(), "Twelve"), reduced_motion=motion)
    assert state(opened)["playing"] == (motion != "reduce")
    opened.evaluate(f"{REPLAY}.pause(); {REPLAY}.go(0); {REPLAY}.go(4)")  # a jump does not move
    frames = opened.evaluate(FRAMES)
    assert (frames == 1) == (motion == "reduce")


def test_after_moving_the_picture_is_that_of_the_step(show):
    opened = show(page(golden_trace(), "Twelve", autoplay=False))
    opened.evaluate(f"{REPLAY}.go(0); {REPLAY}.go(5)")
    there = opened.evaluate(BOUNDARY)
    opened.evaluate(f"{REPLAY}.go(4); {REPLAY}.go(5)")
    assert opened.evaluate(BOUNDARY) != there
    wait_until(opened, f"JSON.stringify({BOUNDARY}) === JSON.stringify({there})")


# ------------------------------------------------------------------------------ paper


def test_paper_shows_the_last_state(twelve):
    twelve.evaluate(f"{REPLAY}.go(3)")
    twelve.emulate_media(media="print")
    wait_until(twelve, f"{REPLAY}.state.k === 10")
    assert not twelve.get_by_role("button", name="Play").is_visible()
    assert "Separated after 10 updates" in twelve.locator(".nr-sentence").inner_text()
    twelve.emulate_media(media="screen")
    wait_until(twelve, f"{REPLAY}.state.k === 3")
    twelve.pdf()
    assert state(twelve)["k"] == 3


def test_a_run_without_updates(show):
    clf = Perceptron(record_trace=True).fit(
        [[1.0, 0.0], [-1.0, 0.0]], [1, 0], coef_init=[[1.0, 0.0]]
    )
    opened = show(page(clf.trace_, "None"))
    assert not state(opened)["playing"]
    for key in ("ArrowRight", "Space", "End"):
        opened.keyboard.press(key)
    assert state(opened)["k"] == 0
