"""What axe-core finds in the page: nothing, in any of its states, in light and dark."""

from pathlib import Path

import pytest

AXE = Path(__file__).parents[2] / "vendor" / "axe-core" / "axe.min.js"
CHECK = """
() => axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html.slice(0, 200))]))
"""


def violations(play):
    # As a debugger would: the page's policy lets no other script in.
    play.page.evaluate(AXE.read_text("utf-8"))
    return play.page.evaluate(CHECK)


def tour(play):
    play.button("Tour")


def homework(play):
    play.button("Homework")


def share(play):
    play.button("Share")


def steps(play):
    play.button("Steps")


def table(play):
    play.button("CSV …")
    play.page.locator("[data-field=csv]").fill("a,b,kind\n1,2,x\n2,1,y\n3,4,z\n")
    play.until(lambda: play.page.get_by_role("button", name="Use these points").is_visible())


def settings(play):
    play.unfold()
    play.choose("algorithm", "voted")


def versus(play):
    play.choose("other", "averaged")


def lecture(play):
    play.press("l", "ArrowRight")


def end(play):
    play.press("End")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "state", [end, tour, homework, share, steps, table, settings, versus, lecture]
)
def test_axe_finds_nothing(play, state, scheme):
    play.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    state(play)
    play.settle()
    assert violations(play) == []


@pytest.mark.parametrize("tab", ["Step", "Proof", "Points", "Settings"])
def test_axe_finds_nothing_on_a_telephone(open_play, tab):
    play = open_play(width=360, height=640, has_touch=True)
    play.page.get_by_role("tab", name=tab).click()
    assert violations(play) == []


def test_axe_finds_nothing_in_a_course_page(open_play):
    assert violations(open_play("?embed=1", width=640, height=480)) == []
