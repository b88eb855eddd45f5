"""The losses, and the fan of subgradients."""

import numpy as np
import pytest

from novikoff import losses
from novikoff.displays import LossDisplay


def test_curves_are_the_losses():
    table = LossDisplay.from_range(-2.0, 2.0, margin=0.5).frame()
    s = table["agreement"]
    np.testing.assert_array_equal(table["perceptron"], np.maximum(0.0, -s))
    np.testing.assert_array_equal(table["hinge"], np.maximum(0.0, 0.5 - s))
    np.testing.assert_array_equal(table["zero_one"], (s <= 0).astype(float))


def test_every_line_of_the_fan_supports_the_perceptron_loss_from_below():
    display = LossDisplay.from_range().plot()
    slopes = []
    for line in display.fan_:
        (x0, y0), (x1, y1) = line.get_xydata()
        slope = (y1 - y0) / (x1 - x0)
        slopes.append(slope)
        assert y0 - slope * x0 == pytest.approx(0.0)  # through the corner
        below = slope * display.agreement
        assert (below <= losses.perceptron(1, display.agreement) + 1e-12).all()
    assert min(slopes) == pytest.approx(-1.0)
    assert max(slopes) == pytest.approx(0.0)


@pytest.mark.parametrize(("boundary", "value"), [("error", 1.0), ("correct", 0.0)])
def test_the_filled_circle_is_the_value_on_the_boundary(boundary, value):
    display = LossDisplay.from_range(boundary=boundary).plot()
    filled = [
        line.get_ydata()[0]
        for line in display.ax_.lines
        if line.get_marker() == "o" and line.get_markerfacecolor() == line.get_color()
    ]
    assert filled == [value]
    assert losses.zero_one(1, [0.0], boundary) == value


@pytest.mark.parametrize("arguments", [{"low": 1.0}, {"high": -1.0}, {"boundary": "maybe"}])
def test_other_ranges_are_refused(arguments):
    with pytest.raises(ValueError, match="must be"):
        LossDisplay.from_range(**arguments)
