"""Where a display is drawn: matplotlib, imported when something is first drawn, a canvas, colours.

A figure that a display makes itself is one column of a two-column page wide, with type to match.
On axes that the user passes, the user's own sizes are kept.

A class is told by its shape as well as by its colour: the positive class is a blue circle, the
negative one a vermilion square; further classes follow. The colours are those of Okabe and Ito
(2008), which people with any kind of colour vision can tell apart.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


WIDTH = 3.4  # inches
TYPE_SIZE = 7.5  # points
_PAD = 0.04  # inches around everything
LONGEST_LABEL = 40  # characters of a user's own text


def pyplot() -> Any:
    """matplotlib.pyplot, or an error that says how to get it."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(
            'Drawing needs matplotlib: pip install "novikoff[plot]". (frame() gives the numbers '
            "without it.)"
        ) from error
    return plt


def number(x: float) -> str:
    """Three digits, with a minus sign that is one."""
    return f"{x:.3g}".replace("-", "−")


def plain(text: Any) -> str:
    """A user's own text as matplotlib will show it: no formulas, not endless, never hidden."""
    shown = " ".join(str(text).split())
    if len(shown) > LONGEST_LABEL:
        shown = shown[: LONGEST_LABEL - 1] + "…"
    if shown.startswith("_"):  # matplotlib leaves such labels out of legends
        shown = "\N{ZERO WIDTH SPACE}" + shown
    return shown.replace("$", r"\$")


@dataclass
class Canvas:
    """A figure with its axes, how it is coloured, and whether the display made it itself."""

    figure: Figure
    axes: list[Axes]
    theme: Theme
    own: bool

    def __post_init__(self) -> None:
        for ax in self.axes:
            self._dress(ax)

    @property
    def ax(self) -> Axes:
        return self.axes[0]

    @property
    def size(self) -> float:
        """Of type, in points."""
        return TYPE_SIZE if self.own else 0.8 * float(pyplot().rcParams["font.size"])

    def _dress(self, ax: Axes) -> None:
        """Colour the frame, ticks and labels."""
        theme = self.theme
        ax.set_facecolor(theme.background)
        for spine in ax.spines.values():
            spine.set(color=theme.muted, linewidth=0.6)
        ax.tick_params(color=theme.muted, labelcolor=theme.ink, width=0.6, which="both")
        for axis in (ax.xaxis, ax.yaxis):
            axis.label.set_color(theme.ink)
            if self.own:
                axis.label.set_fontsize(self.size)
                axis.labelpad = 2.0
        if self.own:
            ax.tick_params(labelsize=self.size - 1.0, length=2.5, pad=2.0)

    def caption(self, ax: Axes, text: str) -> None:
        """Write above the axes, in as many lines as it takes."""
        lines = [part for line in text.split("\n") for part in textwrap.wrap(line, 54) or [""]]
        ax.set_title("\n".join(lines), loc="left", fontsize=self.size, color=self.theme.ink, pad=4)

    def legend(self, ax: Axes, entries: Sequence[tuple[Any, str]]) -> int:
        """A legend below the axes, where it cannot cover anything; returns its number of lines."""
        from matplotlib.transforms import ScaledTranslation

        # Below the ticks, their numbers and the axis label; points, so that it scales with type.
        name = ax.xaxis.label
        tick = ax.xaxis.get_major_ticks(1)[0].label1
        drop = 7.0 + 1.2 * float(tick.get_fontsize())
        drop += 1.2 * float(name.get_fontsize()) if name.get_text() else 0.0
        shift = ScaledTranslation(0.0, -drop / 72.0, self.figure.dpi_scale_trans)
        columns = 1 if max(len(label) for _, label in entries) > 36 else 2
        legend = ax.legend(
            [handle for handle, _ in entries], [label for _, label in entries], ncols=columns,
            loc="upper center", bbox_to_anchor=(0.5, 0.0), bbox_transform=ax.transAxes + shift,
            fontsize=self.size - 0.5, frameon=False, labelcolor=self.theme.ink, borderaxespad=0.0,
            handlelength=1.6, columnspacing=1.2, labelspacing=0.35, handletextpad=0.6,
        )  # fmt: skip
        legend.set_zorder(0)
        return -(-len(entries) // columns)

    def fit(self, ax: Axes, ratio: float) -> None:
        """Lay out a figure of the display's own that holds nothing but `ax`.

        ratio : the height of the axes relative to their width; the figure becomes as high as it
        takes, for ticks, caption and legend too. (With matplotlib's constrained layout, captions
        above axes of fixed proportions were cut off.)
        """
        if not self.own:
            return
        self.figure.set_layout_engine("none")
        width, _ = self.figure.get_size_inches()
        left = right = below = above = 0.4
        for again in range(3):  # the ticks may change when the size does
            if again:
                left, right, below, above = (_PAD + hang for hang in self._overhang(ax))
            across = width - left - right
            height = below + ratio * across + above
            self.figure.set_size_inches(width, height)
            ax.set_position((left / width, below / height, across / width, ratio * across / height))

    def _overhang(self, ax: Axes) -> tuple[float, float, float, float]:
        """How far the text around the axes reaches beyond them: left, right, below, above."""
        inner = ax.get_window_extent()
        outer = ax.get_tightbbox() or inner
        # The caption and the legend may be wider than the axes: only ticks make room on the right.
        ticks = ax.xaxis.get_tightbbox()
        right = inner.x1 if ticks is None else ticks.x1
        dpi = self.figure.dpi
        return (
            max(0.0, inner.x0 - outer.x0) / dpi,
            max(_PAD * dpi, right - inner.x1) / dpi,
            max(0.0, inner.y0 - outer.y0) / dpi,
            max(0.0, outer.y1 - inner.y1) / dpi,
        )


def canvas(
    ax: Any, theme: str | None, *, panels: int = 1, ratios: Sequence[float] | None = None
) -> Canvas:
    """The user's axes, or a new figure with `panels` axes below each other.

    ax : None, an Axes, or as many Axes as there are panels; a single one gets the first panel
    """
    plt = pyplot()
    if ax is not None:
        axes = [ax] if not isinstance(ax, list | tuple | np.ndarray) else list(ax)
        if len(axes) not in (1, panels):
            raise ValueError(f"ax must be one Axes or {panels} of them; it holds {len(axes)}.")
        return Canvas(axes[0].figure, axes, theme_for(theme, axes[0].get_facecolor()), False)
    figure, grid = plt.subplots(
        panels, 1, figsize=(WIDTH, WIDTH), layout="constrained", squeeze=False, sharex=True,
        gridspec_kw={"height_ratios": ratios},
    )  # fmt: skip
    colours = theme_for(theme, figure.get_facecolor())
    figure.set_facecolor(colours.background)
    figure.get_layout_engine().set(w_pad=0.03, h_pad=0.03)
    return Canvas(figure, list(grid[:, 0]), colours, True)


def entry(label: str, **style: Any) -> tuple[Any, str]:
    """A line of a legend that stands for what is drawn in this style."""
    from matplotlib.lines import Line2D

    return Line2D([], [], **style), label


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
HULL = 0.22  # how strongly a hull is coloured


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
