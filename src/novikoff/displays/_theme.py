"""Colours and shapes, on light and on dark ground.

A class is told by its shape as well as by its colour: the positive class is a blue circle, the
negative one a vermilion square; further classes follow. The colours are those of Okabe and Ito
(2008), which people with any kind of colour vision can tell apart.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

NEGATIVE, POSITIVE = "#D55E00", "#0072B2"
# By class number; two classes are numbers 0 (negative) and 1 (positive).
COLOURS = (NEGATIVE, POSITIVE, "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C6BB1", "#7F7F7F")
MARKERS = ("s", "o", "^", "D", "v", "P", "X", "p")


@dataclass(frozen=True)
class Theme:
    """The colours of everything but the classes."""

    background: str
    ink: str  # text, boundaries, what is to be read
    muted: str  # frames, helping lines
    accent: str  # theta*, the cone, what is proved
    edge: str  # around markers
    tint: float  # how strongly a half-space is coloured

    def pale(self, colour: str, strength: float | None = None) -> tuple[float, float, float]:
        """The colour laid thinly over the background; opaque, so that it prints as it looks."""
        from matplotlib.colors import to_rgb

        s = self.tint if strength is None else strength
        mixed = [
            s * a + (1 - s) * b
            for a, b in zip(to_rgb(colour), to_rgb(self.background), strict=True)
        ]
        return mixed[0], mixed[1], mixed[2]


LIGHT = Theme("#ffffff", "#1a1a1a", "#5f5f5f", "#006b4e", "#ffffff", 0.15)
DARK = Theme("#14171a", "#ececec", "#b4b4b4", "#3ad6aa", "#e6e6e6", 0.30)


def theme_for(name: str | None, ground: Any) -> Theme:
    """The theme called `name`; for None, the one that suits the colour of the ground."""
    if name not in (None, "light", "dark"):
        raise ValueError(f'theme must be "light", "dark" or None; it is {name!r}.')
    if name is not None:
        return DARK if name == "dark" else LIGHT
    from matplotlib.colors import to_hex, to_rgba

    red, green, blue, alpha = to_rgba(ground)
    if alpha < 0.5:  # seen through: most pages are white
        return LIGHT
    dark = 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.4
    return replace(DARK if dark else LIGHT, background=to_hex((red, green, blue)))


def colour_of(code: int) -> str:
    """The colour of class number `code`."""
    return COLOURS[code % len(COLOURS)]


def marker_of(code: int) -> str:
    """The shape of class number `code`."""
    return MARKERS[code % len(MARKERS)]
