"""What can be measured about the looks: angles, colours, widths, and text that stays text."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest

from novikoff import Perceptron
from novikoff.replay import page
from tests.replay.helpers import golden_trace, wait_until

REPLAY = "document.querySelector('.novikoff-replay').replay"
MARKS = """
() => Array.from(document.querySelectorAll(".nr-points > *"), (node) => {
  const box = node.getBBox();
  return [node.tagName, box.x + box.width / 2, box.y + box.height / 2];
})
"""
HOSTILE = ("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "x" * 300)


def opened_at(show, trace, k, title="Run", names=None, **options):
    html = page(trace, title, autoplay=False, feature_names=names)
    opened = show(html, reduced_motion="reduce", **options)
    opened.evaluate(f"{REPLAY}.go({k})")
    return opened


def ends(opened, name):
    line = opened.locator(f".nr-plane .{name}")
    if line.get_attribute("visibility") == "hidden":
        return None
    x1, y1, x2, y2 = (float(line.get_attribute(a)) for a in ("x1", "y1", "x2", "y2"))
    return np.array([x1, y1]), np.array([x2, y2])


def angle(opened):
    """Between the boundary and the arrow, in degrees, as drawn."""
    (a, b), (c, d) = ends(opened, "nr-boundary"), ends(opened, "nr-shaft")
    cosine = (b - a) @ (d - c) / np.linalg.norm(b - a) / np.linalg.norm(d - c)
    return math.degrees(math.acos(np.clip(cosine, -1, 1)))


# From the middle of the label of θ to that of the nearest point, in pixels.
NEAREST = """() => {
  const middle = (node) => {
    const { x, y, width, height } = node.getBBox();
    return [x + width / 2, y + height / 2];
  };
  const [a, b] = middle(document.querySelector(".nr-label"));
  const points = [...document.querySelector(".nr-points").children].map(middle);
  return Math.min(...points.map(([x, y]) => Math.hypot(x - a, y - b)));
}"""


# --------------------------------------------------------------------------- the picture


@pytest.mark.parametrize("width", [390, 1280])
def test_theta_is_perpendicular_and_points_to_the_positive_side(show, width):
    trace = golden_trace()
    opened = opened_at(show, trace, 0, width=width)
    theta, _ = trace.hypotheses()
    for k in (1, 2, 5, 10):
        opened.evaluate(f"{REPLAY}.go({k})")
        assert angle(opened) == pytest.approx(90, abs=0.01)
        tail, neck = ends(opened, "nr-shaft")
        direction = (neck - tail) * [1, -1]
        assert direction @ theta[k] == pytest.approx(
            np.linalg.norm(direction) * np.linalg.norm(theta[k])
        )


def test_the_label_of_theta_stands_on_no_point(show):
    opened = opened_at(show, golden_trace(), 0, width=390)
    for k in range(1, 11):
        opened.evaluate(f"{REPLAY}.go({k})")
        assert opened.evaluate(NEAREST) > 14, k


def test_points_and_boundary_are_where_they_belong(show):
    """With pixels read back as data: the boundary's ends have score 0, the ring is the example."""
    trace = golden_trace()
    opened = opened_at(show, trace, 7)
    marks = opened.evaluate(MARKS)
    X, side = trace.examples.X, trace.examples.side
    assert [tag for tag, *_ in marks] == ["circle" if y > 0 else "rect" for y in side]
    pixels = np.array([[x, y, 1] for _, x, y in marks])
    to_data, *_ = np.linalg.lstsq(pixels, X, rcond=None)
    np.testing.assert_allclose(pixels @ to_data, X, atol=1e-6)
    assert abs(to_data[0, 0]) == pytest.approx(abs(to_data[1, 1]))  # axes equally scaled
    theta, offset = trace.hypothesis(7)
    for end in ends(opened, "nr-boundary"):
        assert np.append(end, 1) @ to_data @ theta + offset == pytest.approx(0, abs=1e-5)
    theta, offset = trace.hypothesis(6)
    for end in ends(opened, "nr-before"):
        assert np.append(end, 1) @ to_data @ theta + offset == pytest.approx(0, abs=1e-5)
    ring = opened.locator(".nr-plane .nr-ring")
    centre = [float(ring.get_attribute(a)) for a in ("cx", "cy")]
    np.testing.assert_allclose(np.append(centre, 1) @ to_data, X[trace.row[6]], atol=1e-6)


def test_the_margin_band_has_the_score_beta_at_its_edges(show):
    trace = golden_trace("twelve_points_margin_shuffled")
    opened = opened_at(show, trace, len(trace))
    centres = np.array([[x, y, 1] for _, x, y in opened.evaluate(MARKS)])
    to_data, *_ = np.linalg.lstsq(centres, trace.examples.X, rcond=None)
    theta, offset = trace.final
    for name, level in (("nr-low", -trace.margin), ("nr-high", trace.margin)):
        for end in ends(opened, name):
            assert np.append(end, 1) @ to_data @ theta + offset == pytest.approx(level, abs=1e-4)


def test_without_theta_the_plane_is_undivided(show):
    opened = opened_at(show, golden_trace(), 0)
    assert ends(opened, "nr-boundary") is None
    assert opened.locator(".nr-plane .nr-negative").get_attribute("d") == ""
    assert opened.locator(".nr-plane .nr-positive").get_attribute("d") != ""
    text = "θ = 0: there is no boundary; every point is predicted +."
    assert opened.locator(".nr-caption").inner_text() == text


def test_a_boundary_outside_the_view_says_so(show):
    X, y = [[100.0, 100.0], [101.0, 102.0], [102.0, 100.0]], [1, 1, 0]
    trace = Perceptron(record_trace=True, max_iter=10_000).fit(X, y).trace_
    opened = opened_at(show, trace, 1)
    assert (
        "outside this part of the plane: all of it is predicted −."
        in opened.locator(".nr-caption").inner_text()
    )


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_unlike_units_get_an_axis_each(show):
    X = np.array([[0.001, 40_000.0], [0.003, -10_000.0], [-0.002, 30_000.0], [-0.001, -50_000.0]])
    trace = Perceptron(record_trace=True, max_iter=3).fit(X, [1, 1, 0, 0]).trace_
    opened = opened_at(show, trace, len(trace))
    assert "different units" in opened.locator(".nr-caption").inner_text()
    assert angle(opened) == pytest.approx(90, abs=0.01)
    marks = [x for _, x, _ in opened.evaluate(MARKS)]
    assert max(marks) - min(marks) > 300  # not a line of dots


@pytest.mark.parametrize("scale", [1e-200, 1e150])
def test_numbers_of_any_size(show, scale):
    trace = golden_trace()
    X = trace.examples.X * scale
    big = Perceptron(record_trace=True, order="cyclic", fit_intercept=False, max_iter=500)
    trace = big.fit(X[:6], trace.examples.side[:6]).trace_
    opened = opened_at(show, trace, len(trace))
    assert angle(opened) == pytest.approx(90, abs=0.01)
    assert "NaN" not in opened.content()
    assert "Infinity" not in opened.locator(".novikoff-replay").inner_html()


# ------------------------------------------------------------------------ text stays text


@pytest.mark.parametrize("label", HOSTILE)
def test_hostile_labels_are_shown_as_they_are(show, label):
    trace = replace(golden_trace(), classes=(label, f"{label}!"))
    opened = opened_at(show, trace, 3, title=label, names=(label, label), width=390)
    assert opened.get_by_role("heading").text_content() == label
    assert opened.locator(".nr-legend bdi").all_text_contents() == [f"{label}!", label]
    assert opened.locator(".nr-axis").all_text_contents() == [label, label]
    assert opened.locator("img, script:not([type])").count() == 0
    assert opened.evaluate("document.documentElement.scrollWidth") <= 390


def test_text_has_a_direction_of_its_own(show):
    trace = replace(golden_trace(), classes=("שלום (1)", "مرحبا"))
    opened = opened_at(show, trace, 3, title="שלום", names=("גובה", "weight"))
    directions = opened.evaluate("""() => Array.from(
      document.querySelectorAll("h1, .nr-user"),
      (node) => [node.dir, getComputedStyle(node).direction])""")
    assert directions == [
        ["auto", "rtl"],
        ["auto", "ltr"],
        ["auto", "rtl"],
        ["auto", "rtl"],
        ["auto", "rtl"],
    ]
    assert (
        opened.locator(".novikoff-replay").evaluate("node => getComputedStyle(node).direction")
        == "ltr"
    )


def test_numbers_have_a_decimal_point_in_every_locale(show):
    X, y = [[0.5, 1.25], [-0.75, 0.5]], [1, 0]
    trace = Perceptron(record_trace=True).fit(X, y).trace_
    opened = opened_at(show, trace, 1, locale="de-DE")
    text = opened.locator(".novikoff-replay").inner_text()
    assert re.search(r"\d\.\d", text)
    assert not re.search(r"\d,\d", text)


# -------------------------------------------------------------------- colours and sizes


def luminance(colour):
    def linear(c):
        return c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(int(colour[i : i + 2], 16) / 255) for i in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(show, scheme):
    opened = opened_at(show, golden_trace(), 3, color_scheme=scheme)
    style = "getComputedStyle(document.querySelector('.novikoff-replay'))"
    colour = {
        name: opened.evaluate(f"{style}.getPropertyValue('--nr-{name}')").strip()
        for name in ("ground", "ink", "muted", "rule", "plus", "minus", "plus-pale", "minus-pale",
                     "edge", "band-odd", "band-even", "focus", "button")
    }  # fmt: skip
    assert (colour["plus"], colour["minus"]) == ("#0072b2", "#d55e00")
    for ground in ("ground", "plus-pale", "minus-pale", "band-odd", "band-even", "button"):
        assert contrast(colour["ink"], colour[ground]) >= 4.5
    assert contrast(colour["muted"], colour["ground"]) >= 4.5
    for area in ("plus-pale", "minus-pale"):
        assert contrast(colour["muted"], colour[area]) >= 3  # the boundary before
        for side in ("plus", "minus"):  # a mark is told by its colour or by its edge
            edge = contrast(colour["edge"], colour[area])
            assert max(contrast(colour[side], colour[area]), edge) >= 3
    for name in ("rule", "focus", "plus", "minus"):
        assert contrast(colour[name], colour["ground"]) >= 3


SIZES = """
() => [...document.querySelectorAll("button, select, input, .nr-holder, .nr-plane")].map((node) => {
  const { width, height } = node.getBoundingClientRect();
  return [node.getAttribute("class"), width, height];
})
"""


def test_nothing_is_wider_than_the_page_and_everything_can_be_hit(show):
    opened = opened_at(show, golden_trace(), 3, width=390)
    for width in (390, 600, 800, 1280):
        opened.set_viewport_size({"width": width, "height": 720})
        wait_until(opened, f"innerWidth === {width}")
        opened.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        assert opened.evaluate("document.documentElement.scrollWidth") <= width
        sizes = opened.evaluate(SIZES)
        controls = [size for name, *size in sizes if name not in ("nr-holder", "nr-plane")]
        assert len(controls) == 7
        assert min(map(min, controls)) >= 44
        (holder,), (plane,) = (
            [wide for name, wide, _ in sizes if name == wanted]
            for wanted in ("nr-holder", "nr-plane")
        )
        assert plane <= holder + 1


def test_it_fits_a_laptop_without_scrolling(show):
    opened = opened_at(show, golden_trace(), 10)
    assert opened.evaluate("document.documentElement.scrollHeight") <= 720


def test_it_fits_a_frame_of_another_page(show):
    html = page(golden_trace(), "Run", autoplay=False, heading=False, start=10, bound=28.67)
    opened = show(html, width=700, height=460)
    assert opened.get_by_role("heading").count() == 0
    assert opened.evaluate(f"{REPLAY}.state.k") == 10
    root = "document.documentElement"
    assert opened.evaluate(f"[{root}.scrollWidth, {root}.scrollHeight]") == [700, 460]
    for shown in (".nr-plane", ".nr-sentence", ".nr-facts", ".nr-legend", ".nr-slider"):
        assert opened.locator(shown).is_visible()


def test_a_change_of_width_is_followed(show):
    opened = opened_at(show, golden_trace(), 3)
    opened.set_viewport_size({"width": 390, "height": 844})
    wait_until(opened, "document.querySelector('.nr-plane').getBoundingClientRect().width < 380")
    assert angle(opened) == pytest.approx(90, abs=0.01)


def test_the_thumb_stands_over_its_tick(show):
    opened = opened_at(show, golden_trace(), 3)
    track = opened.locator(".nr-slider").bounding_box()
    for k in (0, 3, 10):
        opened.evaluate(f"{REPLAY}.go({k})")
        cursor = opened.locator(".nr-cursor").bounding_box()
        thumb = track["x"] + 12 + k / 10 * (track["width"] - 24)
        assert cursor["x"] + cursor["width"] / 2 == pytest.approx(thumb, abs=1)


def test_forced_colours(show):
    opened = opened_at(show, golden_trace(), 3, forced_colors="active")
    filled = lambda name: opened.locator(f".nr-points .{name}").first.evaluate(  # noqa: E731
        "node => [getComputedStyle(node).fill, getComputedStyle(node).stroke]"
    )
    (plus, plus_edge), (minus, minus_edge) = filled("nr-plus"), filled("nr-minus")
    assert plus == plus_edge == minus_edge != minus  # filled circles, hollow squares
