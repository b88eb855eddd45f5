"""Points to begin with, and the challenges."""

from __future__ import annotations

from typing import Any, Literal

from novikoff.web.questions import Point, Settings
from novikoff.web.replies import Challenge, Preset, Presets


def _points(text: str) -> list[Point]:
    """Points written as `x y +`, separated by commas, in visiting order."""
    found = []
    for part in text.split(","):
        x, y, sign = part.split()
        label: Literal[-1, 1] = 1 if sign == "+" else -1
        found.append(Point(x=float(x), y=float(y), label=label))
    return found


def _preset(name: str, title: str, about: str, points: str, **settings: Any) -> Preset:
    return Preset(
        name=name, title=title, about=about, points=_points(points), settings=Settings(**settings)
    )


PRESETS = (
    _preset(
        "default",
        "Twelve points",
        "Ten mistakes, one of which undershoots and one of which is an exact tie.",
        "1 -2 +, 3 0 +, -4 0 -, 2 -3 +, -2 0 -, 1 -3 +, 1 2 -, 4 4 -, 1 3 -, 2 -2 +, -5 -3 -, "
        "5 1 +",
    ),
    _preset(
        "separable",
        "Separable",
        "Two clouds with a wide street between them: few mistakes are possible.",
        "1.5 3 +, -2 1.5 -, 3 2.5 +, 1 -2 -, 4 1 +, -3 -1 -, 2.5 4.5 +, -1 -0.5 -, 3.5 4 +, "
        "-0.5 -3.5 -, 4.5 2 +, -2.5 -3 -",
    ),
    _preset(
        "barely",
        "Barely separable",
        "A narrow street: the smaller the margin, the more mistakes the theorem allows.",
        "1 1.4 +, 2 2.3 +, 3 3.5 +, -1 -0.7 +, -2 -1.6 +, 0 0.4 +, 1 0.7 -, 2 1.6 -, 3 2.8 -, "
        "-1 -1.4 -, -2 -2.3 -, 0 -0.4 -",
    ),
    _preset(
        "offset",
        "Only with an offset",
        "Separable, but not by a line through the origin: switch the offset on.",
        "1 1 -, 2 1 -, 1 2 -, 0.5 0.5 -, 3 3 +, 4 3 +, 3 4 +, 4.5 4.5 +",
        offset=False,
        epochs=20,
    ),
    _preset(
        "xor",
        "XOR",
        "No line separates the corners of a square crosswise; a kernel does.",
        "2 2 -, -2 -2 -, 2 -2 +, -2 2 +",
        epochs=10,
    ),
    _preset(
        "touching",
        "Touching",
        "The classes touch: a line has no point on its wrong side, but some on itself.",
        "0 0 +, 2 0 -, 1 0 -, -1 0 +, 1 2 +, -2 3 +, 3 -1 -, 2 -3 -, 1 0 +",
        epochs=20,
    ),
    _preset(
        "outlier",
        "One outlier",
        "One point among the others' class: the last hypothesis never rests, the mean does.",
        "2 1 +, 3 2.5 +, 1.5 3 +, 4 1 +, 3.5 4 +, -2 -1 -, -3 -2 -, -1.5 -3 -, -4 -0.5 -, "
        "-3 -4 -, -3 -3 +",
        algorithm="averaged",
        epochs=20,
    ),
    _preset(
        "bound",
        "Near the bound",
        "Three points that cost 55 mistakes; the theorem allows 109.",
        "5 0 -, 3 4 -, 5 -1 +",
    ),
)

CHALLENGES = (
    Challenge(
        name="undershoot",
        title="Make an update undershoot",
        task="Place points so that an update is not enough: the example that caused it is still "
        "misclassified right after it.",
    ),
    Challenge(
        name="offset",
        title="Separable, but not through the origin",
        task="Place points that a line separates, although no line through the origin does.",
    ),
)


def presets() -> Presets:
    """What the page offers."""
    return Presets(presets=list(PRESETS), challenges=list(CHALLENGES))


def preset(name: str) -> Preset:
    """The preset of that name."""
    return next(preset for preset in PRESETS if preset.name == name)
