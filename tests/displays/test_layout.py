"""Nothing is covered, nothing is cut off, at any number of points, on light and on dark."""

import functools
import subprocess
import sys

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb

from novikoff import AveragedPerceptron
from novikoff.displays import BoundaryDisplay, ObstructionDisplay, ThetaSpaceDisplay, TraceDisplay
from novikoff.displays._matplotlib import COLOURS, DARK, LIGHT, MARKERS, plain, theme_for
from tests.displays.data import clouds, fan, traced
from tests.displays.images import PICTURES

SIZES = [2, 12, 150, 20_000]


def boundary(n):
    X, y = clouds(n, 1.8)
    return BoundaryDisplay.from_estimator(AveragedPerceptron().fit(X, y), X, y)


@functools.cache
def pictures(n):
    """Drawn once for all who look at them."""
    run = traced(*fan(n, 0.1), fit_intercept=False)
    displays = (
        boundary(n),
        ObstructionDisplay.from_data(*clouds(n, 1.8)),
        TraceDisplay.from_trace(run),
        ThetaSpaceDisplay.from_trace(run),
    )
    for display in displays:
        display.plot()
        display.figure_.canvas.draw()
    return displays


def in_pixels(display):
    points = getattr(display, "steps", None)
    points = display.points * display.units if points is None else points
    return display.ax_.transData.transform(points)


def covers(box, points):
    inside = (points > [box.x0, box.y0]) & (points < [box.x1, box.y1])
    return inside.all(axis=1).any()


@pytest.mark.parametrize("n", SIZES)
def test_labels_and_legends_cover_no_point(n):
    for display in pictures(n):
        points = in_pixels(display)
        for text in display.ax_.texts:
            if text.get_text():
                assert not covers(text.get_window_extent(), points), text
        legend = display.ax_.get_legend().get_window_extent()
        assert not covers(legend, points)
        assert not legend.overlaps(display.ax_.get_window_extent())


@pytest.mark.parametrize("n", SIZES)
def test_every_point_is_in_the_window(n):
    for display in pictures(n):
        frame = display.ax_.get_window_extent()
        points = in_pixels(display)
        assert (points > [frame.x0, frame.y0]).all()
        assert (points < [frame.x1, frame.y1]).all()


@pytest.mark.parametrize("name", PICTURES)
def test_nothing_is_cut_off_and_figures_are_one_column_wide(name):
    figure = PICTURES[name]().figure_
    figure.canvas.draw()
    assert figure.get_size_inches()[0] == pytest.approx(3.4)
    assert figure.get_size_inches()[1] < 6.0
    page = figure.bbox
    outside = figure.get_tightbbox().transformed(figure.dpi_scale_trans)
    slack = 0.02 * figure.dpi
    assert outside.x0 > page.x0 - slack
    assert outside.y0 > page.y0 - slack
    assert outside.x1 < page.x1 + slack
    assert outside.y1 < page.y1 + slack


@pytest.mark.parametrize("n", [12, 150])
def test_a_unit_is_as_long_upwards_as_sideways(n):
    for display in pictures(n):
        unit = getattr(display, "units", np.ones(2))
        o, a, b = display.ax_.transData.transform(np.array([[0, 0], [1, 0], [0, 1]]) * unit)
        assert a[0] - o[0] == pytest.approx(b[1] - o[1])


def luminance(colour):
    channels = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return np.dot([0.2126, 0.7152, 0.0722], channels)


def contrast(a, b):
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_text_has_contrast_on_every_ground_it_is_written_on(theme):
    grounds = [theme.background, *(theme.pale(c) for c in COLOURS[:2])]
    for ground in grounds:
        assert contrast(theme.ink, ground) > 7.0
        assert contrast(theme.accent, ground) > 4.5
        assert contrast(theme.muted, ground) > 4.5


def test_classes_differ_in_shape_as_well_as_colour():
    assert (COLOURS[1], MARKERS[1]) == ("#0072B2", "o")  # the positive class
    assert (COLOURS[0], MARKERS[0]) == ("#D55E00", "s")
    assert len(set(COLOURS)) == len(set(MARKERS)) == len(COLOURS)


def test_the_theme_follows_the_ground_unless_told_otherwise():
    assert theme_for(None, "white").ink == LIGHT.ink
    assert theme_for(None, "black").ink == DARK.ink
    assert theme_for(None, "black").background == "#000000"
    assert theme_for("light", "black") == LIGHT
    with plt.style.context("dark_background"):
        display = boundary(12).plot()
    assert to_rgb(display.figure_.get_facecolor()) == (0.0, 0.0, 0.0)
    with pytest.raises(ValueError, match='"light", "dark" or None'):
        boundary(12).plot(theme="grey")


def test_a_user_s_text_is_text():
    assert plain("$a$") == r"\$a\$"
    assert plain("two\nlines") == "two lines"
    assert len(plain("x" * 500)) == 40
    assert plain("_x").endswith("_x")
    assert not plain("_x").startswith("_")


def test_matplotlib_is_not_imported_before_something_is_drawn():
    program = (
        "import sys, novikoff.displays as d\n"
        "d.LossDisplay.from_range()\n"
        "assert 'matplotlib' not in sys.modules and 'numba' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_without_matplotlib_the_error_says_what_to_install():
    program = (
        "import sys\n"
        "sys.modules['matplotlib'] = None\n"
        "import novikoff.displays as d\n"
        "display = d.LossDisplay.from_range(n=3)\n"
        "assert len(display.agreement) == 3\n"
        "try: display.plot()\n"
        "except ImportError as error: assert 'pip install \"novikoff[plot]\"' in str(error)\n"
        "else: raise AssertionError\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
