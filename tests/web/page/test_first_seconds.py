"""The first ten seconds, and the default points."""

from tests.web.page.helpers import TWELVE


def test_it_opens_on_twelve_points_and_plays_by_itself(open_play):
    play = open_play(motion="no-preference")
    assert play.points == TWELVE
    assert play.ask("play.playing || play.moment.end")  # on a slow machine it may be over by now
    assert play.ask("play.player.interval") == 700
    play.until(lambda: play.position.startswith("update"))
    play.ask("play.player.setSpeed(16)")  # no input, which would stop it
    play.until(lambda: play.sentence == "Separated after 10 mistakes. The theorem allows 28.")
    assert not play.ask("play.playing")
    assert play.hypothesis == [4, -8, -8]
    assert play.d("play-kerbs").count("M") == 2  # the widest street


def test_any_input_stops_it(open_play):
    play = open_play(motion="no-preference")
    play.until(lambda: play.ask("play.playing"))
    play.page.locator(".play-sentence").click()
    assert not play.ask("play.playing")
    play.ask("play.playByItself()")
    play.page.keyboard.press("x")
    assert not play.ask("play.playing")
    play.ask("play.playByItself()")
    play.page.mouse.wheel(0, 50)
    play.until(lambda: not play.ask("play.playing"))
    assert play.ask("play.place < play.clock.count")


def test_with_reduced_motion_it_waits(open_play):
    play = open_play()
    assert not play.ask("play.playing")
    assert play.position == "start, update 0 of 10"


def test_the_third_update_undershoots(play):
    play.press("ArrowRight", "ArrowRight", "ArrowRight")
    assert play.page.locator(".play-sum").inner_text() == "y·s: −8 + 6 = −2, undershoots"
    assert play.sentence.endswith("y·s is now −2: it undershoots.")
    lit = play.page.locator(".play-lit code").all_inner_texts()
    assert "if yᵢ·s ≤ 0:" in lit
    assert "return θ" not in lit


def test_the_ninth_update_is_a_tie(play):
    play.press("End", "ArrowLeft", "ArrowLeft")
    assert play.position == "update 9 of 10, epoch 4"
    assert "on the boundary, which counts as a mistake" in play.sentence


def test_verdict_bound_and_error(play):
    play.press("End")
    text = play.page.locator(".play-right").inner_text()
    for part in (
        "A line separates the points",
        "10 of 28",
        "(R/γ)² = 28.67",
        "Training error 0/12",
    ):
        assert part in text
    meter = play.page.locator("meter")
    assert (meter.evaluate("node => [node.value, node.max]")) == [10, 28]
    assert play.page.locator(".play-upper, .play-lower, .play-norm").count() == 3
