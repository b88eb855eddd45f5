"""The variants, the settings, and two of them side by side."""

import pytest

TAKEN = """
async () => {
  const { engine } = await import("/api.js");
  const { DEFAULTS, LIMITS } = await import("/document.js");
  const takes = (name, value) => {
    const given = name === "start" ? [value, 0, 0] : value;
    const kernel = { ...DEFAULTS.kernel, [name]: given };
    const part = name in DEFAULTS.kernel ? { kernel } : { [name]: given };
    return engine.ask("run", { points: [], settings: { ...DEFAULTS, ...part }, known: false })
      .then(() => true, () => false);
  };
  const found = {};
  for (const [name, { least, most, whole = false }] of Object.entries(LIMITS)) {
    const beyond = whole ? 1 : Math.max(Math.abs(most), 1) * 1e-6;
    const between = least + (most - least) / 7.3;
    const values = [least, most, least - (whole ? 1 : 1e-7), most + beyond, between];
    found[name] = { whole, taken: await Promise.all(values.map((value) => takes(name, value))) };
  }
  return found;
}
"""


def field_is_there(play, stage=0):
    return play.ask(f"play.page.stages[{stage}].board.field !== null")


@pytest.mark.parametrize("name", ["averaged", "voted", "kernel"])
def test_votes_and_means_are_shaded(play, name):
    play.preset("outlier")
    play.choose("algorithm", name)
    play.page.locator("h1").click()
    play.press("End")
    play.until(lambda: field_is_there(play))
    assert play.page.locator("canvas.play-shade").is_visible()
    play.until(lambda: play.d("play-contour"))  # dotted: the edge is not told by colour alone
    assert play.ask("play.page.stages[0].board.field.size") == 128


def test_without_shading_there_are_half_spaces(play):
    assert not play.page.locator("canvas.play-shade").is_visible()
    play.choose("algorithm", "voted")
    play.until(lambda: field_is_there(play))
    play.choose("algorithm", "last")
    assert not play.page.locator("canvas.play-shade").is_visible()
    assert play.page.locator(".nr-plane .nr-positive").get_attribute("visibility") is None


def test_the_kernel_perceptron_has_no_theta(play):
    play.preset("xor")
    play.choose("algorithm", "kernel")
    play.page.locator("h1").click()
    play.press("Home", "ArrowRight")
    assert play.sentence.startswith("Update 1: example")
    for part in ("nr-boundary", "nr-shaft", "nr-head"):
        assert play.page.locator(f".nr-plane .{part}").get_attribute("visibility") == "hidden"
    play.press("End")
    assert play.sentence.startswith("Separated after")


@pytest.mark.parametrize(
    ("name", "line"),
    [("last", "return θ"), ("averaged", "return θ − u/c"),
     ("voted", "return sign of Σ cₖ·hₖ(x)"), ("pocket", "return pocket"),
     ("margin", "if yᵢ·s ≤ β = 1:"), ("kernel", "αᵢ ← αᵢ + 1"),
     ("aggressive", "τ ← (1 − yᵢ·s)/‖(xᵢ, 1)‖²")],
)  # fmt: skip
def test_the_pseudo_code_is_that_of_the_algorithm(play, name, line):
    play.choose("algorithm", name)
    assert line in play.page.locator(".play-code code").all_inner_texts()
    play.page.locator("h1").click()
    play.press("End")
    assert play.page.locator(".play-lit").inner_text().startswith("return")


def test_the_proof_is_that_of_the_settings(play):
    note, chart = play.page.locator(".play-chart-note"), play.page.locator(".play-chart")
    play.press("ArrowRight")
    # θ = (1, −2) and θ₀ = 1; the farthest point is (−5, −3), or (−5, −3, 1) with an offset.
    assert "‖(θ, θ₀)‖² = 6 ≤ kR² = 35" in chart.get_attribute("aria-label")
    play.tick("offset")
    assert "‖θ‖² = 5 ≤ kR² = 34" in chart.get_attribute("aria-label")
    play.tick("offset")
    play.choose("algorithm", "margin")
    play.type("eta", "0.5")
    text = " ".join(note.inner_text().split())
    bound = (35 + 2 * 1 / 0.5) / 1.2207
    assert text.startswith("k²γ² ≤ ‖(θ, θ₀)‖²/η² ≤ k(R² + 2β/η) (R² + 2β/η)/γ² = ")
    assert float(text.split("= ")[1]) == pytest.approx(bound, abs=0.01)
    assert "=≈" not in play.page.locator(".play-code").inner_text().replace(" ", "")


def test_the_margin_band(play):
    play.choose("algorithm", "margin")
    play.type("margin", "4")
    assert play.settings["margin"] == 4
    play.page.locator("h1").click()
    play.press("End")
    assert play.d("nr-band")


def test_settings_reach_the_run(play):
    play.tick("offset")
    assert play.ask("play.runs[0].fitIntercept") is False
    play.choose("order", "shuffled")
    play.type("seed", "3")
    play.type("eta", "0.5")
    play.type("epochs", "7")
    play.choose("ties", "sign")
    assert {k: play.settings[k] for k in ("offset", "order", "seed", "eta", "epochs", "ties")} == {
        "offset": False, "order": "shuffled", "seed": 3, "eta": 0.5, "epochs": 7, "ties": "sign",
    }  # fmt: skip
    trace = play.ask("play.runs[0].answer.trace")
    assert (trace["order"], trace["eta"], trace["ties"]) == ("shuffled", 0.5, "sign")


def test_a_start_of_ones_own(play):
    play.type("start0", "2")
    play.type("start2", "-1")
    assert play.settings["start"] == [2, 0, -1]
    assert play.hypothesis == [2, 0, -1]
    assert "θ ← (2, 0), θ₀ ← −1" in play.page.locator(".play-code").inner_text()


def test_what_the_library_refuses_is_said(play):
    play.unfold()
    play.choose("ties", "correct")
    assert "correct" in play.page.get_by_role("alert").inner_text()
    play.choose("ties", "mistake")
    assert not play.page.locator(".play-alert").is_visible()


def test_notation(play):
    play.unfold()
    play.choose("notation", "w")
    play.page.locator("h1").click()
    play.press("ArrowRight")
    assert "w becomes (1, −2), b becomes 1" in play.sentence
    assert play.page.locator(".nr-plane .nr-label").text_content() == "w"
    assert "θ" not in play.page.locator(".play-right").inner_text()


def test_theta_space_where_there_is_no_offset(play):
    space = play.page.locator(".play-theta-space")
    assert not space.is_visible()
    play.tick("offset")
    play.page.locator("h1").click()
    play.press("End")
    assert space.is_visible()
    assert "green: every θ that separates" in play.page.locator(".play-caption").inner_text()
    assert play.page.locator(".play-cone").get_attribute("d")
    assert play.page.locator(".play-path").get_attribute("d").count("L") == play.ask(
        "play.runs[0].n"
    )


def test_alpha_is_a_points_size(play):
    play.press("End")
    alpha = play.ask("play.runs[0].answer.alpha")
    sizes = play.page.locator(".nr-points > *").evaluate_all(
        "nodes => nodes.map(n => n.getBBox().width)"
    )
    squares = [(a, size) for a, size, p in zip(alpha, sizes, play.points, strict=True) if p[2] < 0]
    assert sorted(squares) == sorted(squares, key=lambda pair: pair[1])
    assert max(squares)[1] > min(squares)[1]


def test_the_page_takes_the_numbers_that_the_engine_takes(play):
    found = play.page.evaluate(TAKEN)
    assert len(found) == 9
    for name, limits in found.items():  # the least, the most, less, more, and something between
        assert limits["taken"] == [True, True, False, False, not limits["whole"]], name


# ------------------------------------------------------------------------ side by side


def test_two_algorithms_on_a_common_clock(play):
    play.preset("outlier")
    play.choose("other", "kernel")
    assert play.page.locator(".nr-plane").count() == 2
    assert play.page.locator(".play-name").all_inner_texts() == ["Averaged", "Kernel"]
    play.page.get_by_label("Step by").select_option("example")
    play.page.locator("h1").click()
    play.press("Home", *["ArrowRight"] * 5)
    assert play.sentence == "After 5 examples, on the same points:"
    seen = play.ask("play.runs.map(run => play.clock.standing(run, play.moment).t)")
    assert seen == [5, 5]
    play.press("End")
    assert play.page.locator(".play-contender").count() == 2
    assert play.page.locator(".nr-timeline").count() == 2


def test_points_are_shared_between_the_two(play):
    play.choose("other", "averaged")
    play.page.mouse.click(*play.pixel(-3, 4, stage=1))
    play.settle()
    assert play.points[-1] == (-3, 4, 1)
    assert play.page.locator(".nr-points").evaluate_all("n => n.map(g => g.children.length)") == [
        13,
        13,
    ]
    play.choose("other", "")
    assert play.page.locator(".nr-plane").count() == 1
