"""A display as pictures that stand in the page itself: one for light and one for dark ground.

They are images rather than markup, so that the page can forbid every inline style, and letters are
drawn as shapes, so that they look the same where a font is missing. More points than a drawing
program would like are in the picture as pixels.
"""

from __future__ import annotations

import io
from typing import Any, TypedDict
from urllib.parse import quote

MOST_POINTS = 20_000  # in one picture
_FINE, _COARSE = 220, 130  # dots per inch of what is drawn as pixels; clouds do not compress
_CLOUD = 5000  # points in a picture from which on they are drawn coarsely
# What may stand in a data URI as it is: quoting is shorter than base64 here.
_SAFE = " !$&'()*+,-./:;=?@[]^_`{|}~"
_MANY = 400  # points of a class from which on they are pixels


class Picture(TypedDict):
    """What an <img> needs, as JSON can hold it."""

    light: str  # data URIs
    dark: str
    width: int  # in CSS pixels
    height: int
    alt: str


def picture(display: Any, alt: str) -> Picture:
    """Draw a display, for both grounds. It makes its own figures: only for a process of its own."""
    from novikoff.displays.grounds import for_light_ground

    dark, (width, height) = _drawn(display, "dark")
    light = for_light_ground(dark) or _drawn(display, "light")[0]
    return Picture(light=_uri(light), dark=_uri(dark), width=width, height=height, alt=alt)


def _drawn(display: Any, theme: str) -> tuple[str, tuple[int, int]]:
    """As SVG, and its width and height in CSS pixels."""
    import matplotlib as mpl
    import matplotlib.pyplot as plt
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    figure = display.plot(theme=theme).figure_
    for ax in figure.axes:
        for points in ax.collections:
            if len(points.get_offsets()) > _MANY:
                points.set_rasterized(True)
    n_points = sum(len(c.get_offsets()) for ax in figure.axes for c in ax.collections)
    figure.set_dpi(_COARSE if n_points > _CLOUD else _FINE)
    stream = io.StringIO()
    with mpl.rc_context({"svg.fonttype": "path", "svg.hashsalt": "novikoff"}):
        # `savefig` would draw everything once more beforehand, to lay it out.
        canvas: Any = FigureCanvasSVG(figure)
        canvas.print_svg(stream, metadata={"Date": None, "Creator": None})
    width, height = (round(96 * inches) for inches in figure.get_size_inches())
    plt.close(figure)
    return stream.getvalue(), (width, height)


def _uri(svg: str) -> str:
    text = svg.replace("\n", " ")
    return f"data:image/svg+xml,{quote(text, safe=_SAFE)}"
