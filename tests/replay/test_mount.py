"""The view's modules, as somebody else would use them."""

from novikoff.replay import page
from tests.replay.helpers import document_of, golden_trace

REPLAY = "document.querySelector('.novikoff-replay').replay"


def test_mounting_and_taking_away(modules):
    result = modules.evaluate(
        """async (document_) => {
          const { mount } = await import("/replay.js");
          const here = document.getElementById("here");
          const replay = mount(here, document_, { start: 2 });
          const heard = [];
          replay.addEventListener("change", (event) => heard.push(event.detail.k));
          const first = replay.state.k;
          replay.go(5); replay.go(5); replay.go(-3); replay.go(99); replay.go(NaN);
          replay.play();
          const playing = replay.state.playing;
          replay.destroy();
          const left = [here.innerHTML, here.className, replay.playing];
          return { first, heard, playing, left };
        }""",
        document_of(golden_trace()),
    )
    assert result == {
        "first": 2, "heard": [5, 0, 10, 0, 0], "playing": True, "left": ["", "", False],
    }  # fmt: skip


def test_modules_and_bundle_show_the_same(modules, show):
    trace = golden_trace("twelve_points_margin_shuffled")
    modules.evaluate(
        """async (document_) => {
          const { mount } = await import("/replay.js");
          mount(document.getElementById("here"), document_, { start: 4 });
        }""",
        document_of(trace),
    )
    opened = show(page(trace, "x", autoplay=False), reduced_motion="reduce")
    opened.evaluate(f"{REPLAY}.go(4)")
    for part in (".nr-sentence", ".nr-facts", ".nr-legend", ".nr-buttons"):
        assert modules.locator(part).inner_html() == opened.locator(part).inner_html()


def test_a_document_that_cannot_be_shown_says_why(modules):
    left = modules.evaluate(
        """async (document_) => {
          const { mount } = await import("/replay.js");
          const replay = mount(document.getElementById("here"), document_, { autoplay: true });
          replay.go(3); replay.play(); replay.pause();
          const { state, error } = replay;
          return [state, error.message];
        }""",
        {**document_of(golden_trace()), "version": 2},
    )
    message = "This view reads version 1 of the trace format; the document has version 2."
    assert left == [None, message]
    assert (
        modules.get_by_role("alert").inner_text() == f"This run cannot be replayed here. {message}"
    )
