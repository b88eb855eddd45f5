"""A picture for dark ground in the colours for light ground is the picture for light ground."""

import io
import re

import matplotlib as mpl
import numpy as np
import pytest

from novikoff import AveragedPerceptron, Perceptron
from novikoff.displays import (
    BoundaryDisplay,
    BoundDisplay,
    LearningDisplay,
    ObstructionDisplay,
    ThetaSpaceDisplay,
)
from novikoff.displays.grounds import for_light_ground
from tests.displays.data import clouds, fan, traced

X, Y = clouds(40)
THIRDS = np.arange(40) % 3
DISPLAYS = {
    "line": lambda: BoundaryDisplay.from_estimator(Perceptron().fit(X, Y), X, Y),
    "regions": lambda: BoundaryDisplay.from_estimator(
        AveragedPerceptron().fit(X, THIRDS), X, THIRDS
    ),
    "hulls": lambda: ObstructionDisplay.from_data(X, THIRDS > 0),
    "street": lambda: ObstructionDisplay.from_data(X, Y),
    "bound": lambda: BoundDisplay.from_trace(traced(*fan(30))),
    "learning": lambda: LearningDisplay.from_estimators(AveragedPerceptron(), X, Y),
}


def svg(display, theme):
    """As text; names of its parts, which matplotlib takes from their colours, are numbers."""
    text, names = io.StringIO(), {}
    with mpl.rc_context({"svg.hashsalt": "a test"}):
        display.plot(theme=theme).figure_.savefig(text, format="svg", metadata={"Date": None})
    mpl.pyplot.close(display.figure_)
    return text.getvalue(), lambda drawn: re.sub(
        r'(?<=[#"])[a-z]\w*?[0-9a-f]{10}\b',
        lambda m: names.setdefault(m[0], str(len(names))),
        drawn,
    )


@pytest.mark.parametrize("name", DISPLAYS)
def test_colours_are_all_that_differs(name):
    display = DISPLAYS[name]()
    light, numbered = svg(display, "light")
    dark, numbered_too = svg(display, "dark")
    assert for_light_ground(dark) is not None
    assert numbered_too(for_light_ground(dark)) == numbered(light)
    assert numbered_too(dark) != numbered(light)


def test_what_has_other_colours_or_pixels_is_not_guessed():
    dark, _ = svg(ThetaSpaceDisplay.from_trace(traced(*fan(30), fit_intercept=False)), "dark")
    assert for_light_ground(dark) is None  # shades that no theme names
    dark, _ = svg(DISPLAYS["line"](), "dark")
    assert for_light_ground(dark.replace("</svg>", "<image/></svg>")) is None
