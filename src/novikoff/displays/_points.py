"""Points and labels: shapes and colours of classes, at two rows and at twenty thousand; and text
that is put where it covers no point, or left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff._arrays import Array, Floats
from novikoff.displays._matplotlib import Theme, colour_of, entry, marker_of, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes


MANY = 1500  # rows from which on markers lose their edges and let others shine through
_LAYERS = 8  # in which the classes take turns then, so that none hides the other
_LARGEST, _SMALLEST = 30.0, 2.0  # squared points


def marker_size(n: int) -> float:
    """The area of a marker in squared points when there are n of them."""
    return float(np.clip(260.0 / np.sqrt(max(n, 1)), _SMALLEST, _LARGEST))


def draw_points(
    ax: Axes, theme: Theme, points: Floats, codes: Array, *, shrink: float
) -> list[Any]:
    """Scatter points (n, 2) of class numbers `codes`; returns the artists."""
    many = len(points) > MANY
    layers = _LAYERS if many else 1
    artists = []
    for layer, code in product(range(layers), np.unique(codes).tolist()):
        mine = np.flatnonzero(codes == code)[layer::layers]
        if len(mine):
            x, y = points[mine].T
            artists.append(
                ax.scatter(
                    x, y, s=shrink * marker_size(len(points)), marker=marker_of(code),
                    c=colour_of(code), edgecolors="none" if many else theme.edge,
                    linewidths=0.0 if many else 0.4, alpha=0.6 if many else 1.0, rasterized=many,
                    zorder=3,
                )
            )  # fmt: skip
    return artists


def signed(classes: Sequence[str]) -> list[str]:
    """The names of two classes, with their signs."""
    return [f"{classes[0]} (−)", f"{classes[1]} (+)"]


def class_entries(theme: Theme, classes: Sequence[str]) -> list[tuple[Any, str]]:
    """What stands for the classes in a legend; always large enough to tell their shapes."""
    return [
        entry(
            plain(name), linestyle="none", marker=marker_of(code), color=colour_of(code),
            markersize=4.5, markeredgecolor=theme.edge, markeredgewidth=0.4,
        )
        for code, name in enumerate(classes)
    ]  # fmt: skip


def ring_entry(theme: Theme, label: str) -> tuple[Any, str]:
    """A ring in a legend."""
    return entry(
        label, linestyle="none", marker="o", markersize=7.0, markerfacecolor="none",
        markeredgecolor=theme.ink, markeredgewidth=1.0,
    )  # fmt: skip


_DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
_REACHES = (4.0, 9.0, 16.0)  # points between what is labelled and its label
_ACROSS: dict[int, Any] = {-1: "right", 0: "center", 1: "left"}
_UPWARDS: dict[int, Any] = {-1: "top", 0: "center", 1: "bottom"}


class PlacedLabels:
    """Places labels in one axes; knows the points and the labels placed before.

    The figure must have its final layout.
    """

    def __init__(self, ax: Axes, points: Floats, lines: Floats, clearance: float) -> None:
        """points, lines : (n, 2), (m, 2), in data coordinates, never and rather not to be covered;
        clearance : the radius of a marker, in typographic points.
        """
        self.ax = ax
        self._points = ax.transData.transform(points) if len(points) else np.empty((0, 2))
        self._lines = ax.transData.transform(lines)
        self._clearance = clearance * ax.figure.dpi / 72.0
        self._taken: list[Any] = []

    def place(self, text: str, anchors: Floats, **style: Any) -> Any:
        """Write `text` near one of the anchors (m, 2), the first where there is room; else None."""
        artist = self.ax.annotate(
            text, anchors[0], textcoords="offset points", xytext=(0, 0), zorder=6, **style
        )
        frame = self.ax.get_window_extent()
        for around in (self._lines, None):
            for anchor, reach, (right, up) in product(anchors, _REACHES, _DIRECTIONS):
                artist.xy = (float(anchor[0]), float(anchor[1]))
                artist.set_horizontalalignment(_ACROSS[right])
                artist.set_verticalalignment(_UPWARDS[up])
                artist.set_position((right * reach, up * reach))
                box = artist.get_window_extent()
                if self._free(box, frame, around):
                    self._taken.append(box)
                    return artist
        artist.remove()
        return None

    def _free(self, box: Any, frame: Any, lines: Floats | None) -> bool:
        low, high = box.min, box.max
        if np.any(low < frame.min) or np.any(high > frame.max):
            return False
        if any(box.overlaps(other) for other in self._taken):
            return False
        if lines is not None and _any_inside(lines, low, high):
            return False
        return not _any_inside(self._points, low - self._clearance, high + self._clearance)


def _any_inside(points: Floats, low: Any, high: Any) -> bool:
    return bool(((points > low) & (points < high)).all(axis=1).any())
