"""Time: by example, update and epoch; keys, buttons, slider; predict first."""

import pytest


def slider(play):
    return play.page.get_by_role("slider", name="Update")


def test_keys_step_and_jump(play):
    for key, text in [
        ("ArrowRight", "update 1 of 10, epoch 1"), ("PageDown", "update 2 of 10, epoch 1"),
        ("ArrowLeft", "update 1 of 10, epoch 1"), ("PageUp", "start, update 0 of 10"),
        ("ArrowLeft", "start, update 0 of 10"), ("End", "end: 10 updates, 6 epochs"),
        ("Home", "start, update 0 of 10"),
    ]:  # fmt: skip
        play.press(key)
        assert play.position == text
        assert slider(play).get_attribute("aria-valuetext") == text


def test_buttons(play):
    for name, text in [
        ("Step to the next update", "update 1"), ("Last", "end"), ("Back one update", "update 10"),
        ("First", "start"),
    ]:  # fmt: skip
        play.button(name)
        assert play.position.startswith(text)


def test_play_and_pause(play):
    play.page.get_by_label("Speed").select_option("16")
    play.button("Play")
    play.until(lambda: play.position.startswith("end"))
    play.page.get_by_label("Speed").select_option("1")
    play.page.get_by_role("button", name="Play").focus()
    play.press("Space")  # on the button: from the start again
    play.until(lambda: play.ask("play.playing"))
    play.button("Pause")
    assert not play.ask("play.playing")


def test_the_slider_goes_over_all_of_it(play):
    slider(play).focus()
    play.press("ArrowRight", "ArrowRight", "ArrowRight")
    assert play.position == "update 3 of 10, epoch 2"
    box = slider(play).bounding_box()
    play.page.mouse.click(
        box["x"] + 12 + 7 / 11 * (box["width"] - 24), box["y"] + box["height"] / 2
    )
    assert play.position == "update 7 of 10, epoch 3"


@pytest.mark.parametrize(
    ("unit", "steps", "position"),
    [("example", 3, "example 3 of 72, update 1 of 10, epoch 1"),
     ("update", 3, "update 3 of 10, epoch 2"), ("epoch", 3, "update 7 of 10, epoch 3")],
)  # fmt: skip
def test_units(play, unit, steps, position):
    play.page.get_by_label("Step by").select_option(unit)
    play.page.locator("h1").click()
    play.press(*["ArrowRight"] * steps)
    assert play.position == position
    play.button(f"Back one {unit}")
    play.button(f"Step to the next {unit}")
    assert play.position == position


def test_an_example_that_is_right_says_why(play):
    play.page.get_by_label("Step by").select_option("example")
    play.button("Step to the next example")
    play.button("Step to the next example")
    assert play.sentence == "Example 2 (+) has score 4, so y·s = 4 > 0: right. Nothing changes."
    assert play.page.locator(".nr-plane .play-visit").get_attribute("visibility") is None
    assert play.page.locator(".nr-plane .nr-ring").get_attribute("visibility") == "hidden"


def test_one_tick_a_mistake_and_one_band_an_epoch(play):
    bands = play.page.locator(".nr-timeline text")
    assert bands.all_text_contents() == list("123456")  # the sixth makes no mistake
    play.page.get_by_label("Step by").select_option("example")
    ticks = play.page.locator(".nr-tick-plus, .nr-tick-minus").evaluate_all(
        "nodes => nodes.map(node => node.getAttribute('d').split('M').length - 1)"
    )
    assert sum(ticks) == 10
    assert bands.all_text_contents() == list("123456")


def test_an_epoch_is_told_as_a_whole(play):
    play.page.get_by_label("Step by").select_option("epoch")
    play.button("Step to the next epoch")
    assert play.sentence == "Epoch 1 is over: 2 updates in 12 examples. θ is (6, 1), θ₀ is 0."


def test_predict_first_hides_the_outcome_until_the_next_press(play):
    play.press("p", "ArrowRight")
    assert "Where will the boundary go" in play.sentence
    boundary = play.page.locator(".nr-plane .nr-boundary")
    assert boundary.get_attribute("visibility") == "hidden"
    assert play.page.locator(".nr-plane .nr-ring").get_attribute("visibility") is None
    play.press("ArrowRight")
    assert play.sentence.startswith("Update 1: example 1 (+) had score 0")
    assert boundary.get_attribute("visibility") is None
    play.press("ArrowRight")
    assert play.sentence.startswith("Update 2 comes")
    play.press("ArrowLeft")
    assert play.sentence.startswith("Update 1:")
