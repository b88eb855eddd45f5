"""Answers that come late or not at all, and hands that do two things at once."""

import re

import pytest

from tests.web.page.helpers import TWELVE, Hand

REFUSE = """
async (name) => {
  const { engine, Refused } = await import("/api.js");
  window.asked ??= engine.ask;
  engine.ask = async (...question) => {
    if (question[0] === name) throw new Refused("Nobody is in.");
    return window.asked.apply(engine, question);
  };
}
"""
HOLD = """
async (name) => {
  const { engine } = await import("/api.js");
  window.asked ??= engine.ask;
  const held = new Promise((resolve) => (window.letCome = resolve));
  engine.ask = async (...question) => {
    if (question[0] === name) await held;
    return window.asked.apply(engine, question);
  };
}
"""
RESTORE = """
async () => {
  const { engine } = await import("/api.js");
  if (window.asked) engine.ask = window.asked;
  window.letCome?.();
}
"""
LATE = """
window.Worker = class extends Worker {
  postMessage(message) {
    window.letCome = () => super.postMessage(message);
    this.postMessage = super.postMessage;
  }
};
"""
MARKS = """
document.querySelectorAll(".nr-points > *").values().map((node) => {
  const { x, y, width, height } = node.getBBox();
  return [x + width / 2, y + height / 2];
}).toArray()
"""


@pytest.fixture
def engine(play):
    """Refuse or hold what the engine is asked: engine("refuse", name), engine("restore")."""
    scripts = {"refuse": REFUSE, "hold": HOLD, "restore": RESTORE}

    def change(what, name=None):
        play.page.evaluate(scripts[what], name)
        if what == "restore":
            play.settle()

    yield change
    change("restore")


def marks_are_the_points(play):
    places = play.ask("play.document.points.map(p => play.page.stages[0].board.place_([p.x, p.y]))")
    found = play.page.evaluate(MARKS)
    return len(found) == len(places) and all(
        abs(a - b) < 0.6
        for one, other in zip(found, places, strict=True)
        for a, b in zip(one, other, strict=True)
    )


@pytest.mark.parametrize("key", ["Delete", "Control+z"])
def test_a_point_that_is_gone_cannot_be_dragged_on(play, key):
    play.click(-3, 4)
    mouse = play.page.mouse
    mouse.move(*play.pixel(-3, 4))
    mouse.down()
    mouse.move(*play.pixel(-2, 4), steps=4)
    play.press(key)
    mouse.move(*play.pixel(0, 5), steps=4)
    mouse.up()
    play.settle()
    assert play.points == (TWELVE if key == "Delete" else [*TWELVE, (-3, 4, 1)])


def test_a_second_finger_does_not_move_what_the_first_one_holds(open_play):
    play = open_play(has_touch=True)
    touch = play.page.context.new_cdp_session(play.page)

    def fingers(kind, *places):
        points = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(places)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    first, away = play.pixel(5, 1), play.pixel(4, 0)
    fingers("touchStart", first)
    fingers("touchMove", away)  # held, and not to be deleted
    fingers("touchStart", away, play.pixel(-3, 4))
    fingers("touchMove", away, play.pixel(-4, 5))
    fingers("touchEnd", away)
    fingers("touchEnd")
    play.settle()
    assert play.points[:-1] == TWELVE[:-1]
    assert play.points[-1] == pytest.approx((4, 0, 1), abs=0.2)


def test_a_moment_is_that_of_the_document_it_was_wanted_for(play, engine):
    engine("hold", "run")
    play.page.mouse.click(*play.pixel(5, -3))  # a question that is still open
    play.ask("play.openPreset('bound', { t: 82, end: false })")
    engine("restore")
    assert len(play.points) == 3
    assert play.position.startswith("update 55 of 55")  # the older run has fewer examples


def test_what_is_spoken_is_about_the_points_that_are_there(play, engine):
    engine("hold", "run")
    play.page.mouse.click(*play.pixel(-3, 4))
    play.page.get_by_label("Presets").select_option("xor")
    engine("restore")
    assert "13" not in play.page.locator(".play-spoken").text_content()


def test_where_nothing_is_known_nothing_is_said_to_be_known(play, engine):
    play.press("End")
    engine("refuse", "known")
    play.drag((1, 2), (-3, -2))
    assert "Nobody is in" in play.page.get_by_role("alert").inner_text()
    assert play.verdict == "Whether these points can be separated was not found out."
    assert re.fullmatch(r"The run is over, after \d+ updates\.", play.sentence)
    assert play.d("play-street") == ""
    assert " of " not in play.page.locator(".play-used").inner_text()
    engine("restore")
    play.press("Control+z")
    assert play.sentence == "Separated after 10 mistakes. The theorem allows 28."
    assert play.page.locator(".play-used").inner_text() == "10 of 28"


def test_a_run_that_is_refused_leaves_the_points_in_plane_and_table(play, engine):
    engine("refuse", "run")
    play.preset("bound")
    assert "still from before" in play.page.get_by_role("alert").inner_text()
    play.press("ArrowRight")
    assert len(play.points) == 3
    assert marks_are_the_points(play)
    play.until(lambda: play.page.url == play.ask("play.link"))  # what a reload will ask for


def test_points_on_the_way_stay_where_they_are_while_steps_are_shown(play, engine):
    engine("hold", "run")
    play.page.mouse.move(*play.pixel(-4, 0))  # a square
    play.page.mouse.down()
    play.page.mouse.move(*play.pixel(-4, -4), steps=3)
    play.page.keyboard.press("ArrowRight")
    assert marks_are_the_points(play)
    play.page.mouse.up()


def test_shading_of_points_that_are_gone_goes_with_them(play, engine):
    play.choose("algorithm", "voted")
    shade = play.page.locator(".play-shade")
    play.until(shade.is_visible)
    play.button("Clear")
    play.settle()
    assert not shade.is_visible()
    play.press("Control+z")
    play.until(shade.is_visible)
    engine("refuse", "field")
    play.press("ArrowRight")
    play.until(lambda: not shade.is_visible())
    assert play.page.locator(".play-caption").inner_text().startswith("No shading: Nobody is in")


def test_points_of_columns_that_are_not_chosen_any_more_cannot_be_used(play, engine):
    play.button("CSV …")
    play.page.locator("[data-field=csv]").fill("a,b,c,kind\n1,2,9,x\n2,1,8,y\n3,4,7,x\n4,3,6,y")
    use = play.page.get_by_role("button", name="Use these points")
    play.until(use.is_visible)
    engine("hold", "table")
    play.page.get_by_label("Vertical").select_option("c")
    use.click(force=True)
    assert play.points == TWELVE
    play.page.evaluate(RESTORE)
    play.until(lambda: use.get_attribute("aria-disabled") is None)
    use.click()
    play.settle()
    assert [p[:2] for p in play.points] == [(1, 9), (2, 8), (3, 7), (4, 6)]


def test_an_outcome_is_told_once_it_need_not_be_predicted(play):
    play.ask("play.setView({ predict: true })")
    play.press("ArrowRight")
    assert "Where will the boundary go" in play.sentence
    play.press("p")
    assert "Where will" not in play.sentence


def test_before_there_are_points_nothing_can_be_done_to_them(browser, playground):
    with browser.new_context(reduced_motion="reduce") as context:
        context.add_init_script(LATE)
        page = context.new_page()
        page.goto(f"{playground}/")
        play = Hand(page)
        play.until(lambda: page.evaluate("window.letCome !== undefined"))
        for key in ("b", "l", "Delete", "ArrowRight", "Control+z", " "):
            page.keyboard.press(key)
        for button in page.locator("nav button, .play-tools button").all():
            if button.is_visible():
                box = button.bounding_box()
                page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        assert page.locator("dialog[open]").count() == 0
        page.evaluate("window.letCome()")
        play.settle()
        assert play.points == TWELVE
        play.button("Share")
        assert page.locator("dialog[open]").count() == 1


def test_what_the_engine_cannot_do_is_no_end(play, engine):
    """A question that makes it fail is said to be a mistake of ours; the next one is answered."""
    refused = play.page.evaluate(
        """async () => {
          const { engine } = await import("/api.js");
          return engine.ask("run", null).catch((error) => error.message);
        }"""
    )
    assert refused
    play.click(-3, 4)
    assert len(play.points) == 13


def test_without_a_worker_the_page_computes_itself(browser, playground):
    """Some frames of notebooks forbid them."""
    with browser.new_context(reduced_motion="reduce") as context:
        context.add_init_script("window.Worker = class { constructor() { throw Error(); } };")
        page = context.new_page()
        page.goto(f"{playground}/")
        play = Hand(page)
        play.settle()
        play.press("End")
        assert play.sentence == "Separated after 10 mistakes. The theorem allows 28."
