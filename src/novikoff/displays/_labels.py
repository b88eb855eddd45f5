"""Labels inside a picture, put where they cover no point, or left out."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
_REACHES = (4.0, 9.0, 16.0)  # points between what is labelled and its label
_ACROSS: dict[int, Any] = {-1: "right", 0: "center", 1: "left"}
_UPWARDS: dict[int, Any] = {-1: "top", 0: "center", 1: "bottom"}


class PlacedLabels:
    """Places labels in one axes; knows the points and the labels placed before.

    The figure must have its final layout.
    """

    def __init__(
        self,
        ax: Axes,
        points: NDArray[np.float64],
        lines: NDArray[np.float64],
        clearance: float,
    ) -> None:
        """points, lines : (n, 2), (m, 2), in data coordinates, never and rather not to be covered;
        clearance : the radius of a marker, in typographic points.
        """
        self.ax = ax
        self._points = ax.transData.transform(points) if len(points) else np.empty((0, 2))
        self._lines = ax.transData.transform(lines)
        self._clearance = clearance * ax.figure.dpi / 72.0
        self._taken: list[Any] = []

    def place(self, text: str, anchors: NDArray[np.float64], **style: Any) -> Any:
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

    def _free(self, box: Any, frame: Any, lines: NDArray[np.float64] | None) -> bool:
        low, high = np.array([box.x0, box.y0]), np.array([box.x1, box.y1])
        if not (frame.x0 <= low[0] and high[0] <= frame.x1):
            return False
        if not (frame.y0 <= low[1] and high[1] <= frame.y1):
            return False
        if any(box.overlaps(other) for other in self._taken):
            return False
        if lines is not None and _any_inside(lines, low, high):
            return False
        return not _any_inside(self._points, low - self._clearance, high + self._clearance)


def _any_inside(points: NDArray[np.float64], low: Any, high: Any) -> bool:
    return bool(((points > low) & (points < high)).all(axis=1).any())
