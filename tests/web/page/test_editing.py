"""Points: on the plane, in the table, from presets, there and back again."""

import pytest

from tests.web.page.helpers import PLAY, TWELVE

GIVEN_UP = """
async (play) => {
  const { engine } = await import("/api.js");
  const { points, settings } = play.document;
  const ends = new Set();
  for (let i = 0; i < 150; i++) {
    const control = new AbortController();
    setTimeout(() => control.abort(), i / 50);
    await engine.ask("known", { points, settings }, control.signal).then(
      () => ends.add("an answer"), (error) => ends.add(error.name),
    );
  }
  return [...ends];
}
"""


def row(play, i):
    return play.page.locator(".play-points tbody tr").nth(i)


def test_a_click_adds_a_point_of_the_brush(play):
    play.click(-3, 4)
    assert play.points == [*TWELVE, (-3, 4, 1)]
    play.page.get_by_role("radio", name="−1").click()
    play.click(-3, -5)
    assert play.points[-1] == (-3, -5, -1)
    assert play.page.locator(".nr-points > *").count() == 14


def test_dragging_moves_a_point_and_replays_at_once(play):
    play.press("End")
    play.drag((1, 2), (1, 5))
    assert play.points[6] == (1, 5, -1)
    assert play.ask("play.moment.end")
    assert play.sentence.startswith("Separated after ")
    assert play.sentence != "Separated after 10 mistakes. The theorem allows 28."
    assert row(play, 6).locator("input").nth(1).input_value() == "5"


def test_right_click_and_delete_remove(play):
    play.click(4, 4, button="right")
    assert play.points == TWELVE[:7] + TWELVE[8:]
    play.page.mouse.click(*play.pixel(3, 0))  # selects
    play.press("Delete")
    assert (3, 0, 1) not in play.points
    assert len(play.points) == 10


def test_undo_and_redo(play):
    play.click(-3, 4)
    play.drag((1, 2), (1, 5))
    play.press("Control+z")
    assert play.points == [*TWELVE, (-3, 4, 1)]  # a drag is one change
    play.button("Undo")
    assert play.points == TWELVE
    play.button("Redo")
    play.settle()
    play.press("Control+Shift+z")
    assert play.points[6] == (1, 5, -1)


def test_typing_in_the_table(play):
    field = row(play, 0).locator("input").first
    field.fill("−2,5")
    field.press("Enter")
    play.settle()
    assert play.points[0] == (-2.5, -2, 1)
    field.fill("a lot")
    field.press("Tab")
    assert field.get_attribute("aria-invalid") == "true"
    assert play.points[0] == (-2.5, -2, 1)
    alert = play.page.get_by_role("alert")
    assert alert.inner_text() == "Point 1, x1: a number from −10⁹ to 10⁹ is needed here."
    field.fill("1")
    field.press("Tab")
    play.settle()
    assert not alert.is_visible()


def test_the_label_and_the_cross_in_the_table(play):
    row(play, 0).get_by_role("button", name="press to change").click()
    play.settle()
    assert play.points[0] == (1, -2, -1)
    row(play, 0).get_by_role("button", name="Remove point 1").click()
    play.settle()
    assert play.points == TWELVE[1:]


def test_the_order_is_changed_by_keys_and_by_dragging(play):
    row(play, 0).locator("button").first.focus()
    play.press("ArrowDown")
    assert play.points[:2] == [TWELVE[1], TWELVE[0]]
    play.press("ArrowDown")
    assert play.points[2] == TWELVE[0]  # the focus went along
    play.settle()
    row(play, 0).locator("button").first.focus()  # scrolls it from under the header
    boxes = [row(play, i).locator("button").first.bounding_box() for i in (0, 3)]
    (x, y), (_, to) = [(b["x"] + 8, b["y"] + b["height"] / 2) for b in boxes]
    play.page.mouse.move(x, y)
    play.page.mouse.down()
    play.page.mouse.move(x, to, steps=4)
    play.page.mouse.up()
    play.settle()
    assert play.points[3] == TWELVE[1]


@pytest.mark.parametrize(
    ("name", "says"),
    [("separable", "Separated after"), ("barely", "Separated after"),
     ("offset", "No line through the origin separates"), ("xor", "No line separates"),
     ("touching", "No line separates"), ("outlier", "No line separates"),
     ("bound", "Separated after 55 mistakes. The theorem allows 109.")],
)  # fmt: skip
def test_presets(play, name, says):
    play.preset(name)
    play.page.locator("h1").click()
    play.press("End")
    assert play.sentence.startswith(says)
    street, hulls = play.d("play-kerbs"), play.d("play-hulls")
    assert bool(street) == says.startswith("Separated")
    rings = play.page.locator(".nr-plane .play-supports circle").count()
    assert (
        rings >= 2
    )  # the certificate is drawn: the points that hold the street, or the obstruction
    assert bool(hulls) == (says == "No line separates")


def test_clear_and_begin_again(play):
    play.button("Clear")
    play.settle()
    assert play.points == []
    play.press("End")
    play.click(1, 1)
    play.press("b")
    play.click(-1, -1)
    assert play.points == [(1, 1, 1), (-1, -1, -1)]
    assert play.sentence.startswith("Separated after 1 mistake.")


def test_long_press_removes_and_a_finger_drags(open_play):
    play = open_play(width=390, height=844, has_touch=True)
    session = play.page.context.new_cdp_session(play.page)

    def touch(kind, *at):
        points = [{"x": x, "y": y} for x, y in at]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", play.pixel(4, 4))
    play.until(lambda: len(play.points) == 11)
    touch("touchEnd")
    play.settle()
    assert (4, 4, -1) not in play.points
    start, *way = (play.pixel(1, y) for y in (3, 3.5, 4, 5))  # before the press becomes a long one
    touch("touchStart", start)
    for place in way:
        touch("touchMove", place)
    touch("touchEnd")
    play.settle()
    assert len(play.points) == 11
    assert (1, 3, -1) not in play.points


def test_hundreds_of_points_have_pages(play):
    play.ask("play.change({points: Array.from({length: 250}, (_, i) => "
             "({x: i % 25, y: Math.floor(i / 25), label: i % 25 > 12 ? 1 : -1}))})")  # fmt: skip
    play.settle()
    assert play.page.locator(".play-points tbody tr").count() == 100
    play.button("Points after")
    assert play.page.locator(".play-pager").inner_text().split("\n")[1] == "101–200 of 250"


def test_a_question_given_up_halfway_is_no_failure(play):
    """At every moment, and so also while its answer is being read."""
    ends = play.page.evaluate(f"({GIVEN_UP})({PLAY})")
    assert "AbortError" in ends
    assert set(ends) <= {"AbortError", "an answer"}
