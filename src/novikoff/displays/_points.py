"""Points: shapes and colours of classes, at two rows and at twenty thousand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from novikoff.displays._theme import Theme, colour_of, marker_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MANY = 1500  # rows from which on markers lose their edges and let others shine through
_LAYERS = 8  # in which the classes take turns then, so that none hides the other
_LARGEST, _SMALLEST = 30.0, 2.0  # squared points


def marker_size(n: int) -> float:
    """The area of a marker in squared points when there are n of them."""
    return float(np.clip(260.0 / np.sqrt(max(n, 1)), _SMALLEST, _LARGEST))


def draw_points(
    ax: Axes, theme: Theme, points: NDArray[np.float64], codes: NDArray[Any], *, shrink: float = 1.0
) -> list[Any]:
    """Scatter points (n, 2) of class numbers `codes`; returns the artists."""
    n = len(points)
    many = n > MANY
    artists = []
    for layer in range(_LAYERS if many else 1):
        for code in np.unique(codes):
            mine = np.flatnonzero(codes == code)[layer :: _LAYERS if many else 1]
            if len(mine) == 0:
                continue
            artists.append(
                ax.scatter(
                    points[mine, 0], points[mine, 1], s=shrink * marker_size(n),
                    marker=marker_of(int(code)), c=colour_of(int(code)),
                    edgecolors="none" if many else theme.edge, linewidths=0.0 if many else 0.4,
                    alpha=0.6 if many else 1.0, rasterized=many, zorder=3,
                )
            )  # fmt: skip
    return artists


def class_entry(theme: Theme, code: int, label: str) -> tuple[Any, str]:
    """The line of a legend that stands for a class; always large enough to tell its shape."""
    from matplotlib.lines import Line2D

    handle = Line2D(
        [], [], linestyle="none", marker=marker_of(code), color=colour_of(code), markersize=4.5,
        markeredgecolor=theme.edge, markeredgewidth=0.4,
    )  # fmt: skip
    return handle, label


def draw_rings(ax: Axes, theme: Theme, points: NDArray[np.float64], n: int) -> Any:
    """Rings around some of n points."""
    return ax.scatter(
        points[:, 0], points[:, 1], s=3.2 * max(marker_size(n), 15.0), marker="o",
        facecolors="none", edgecolors=theme.ink, linewidths=1.0, zorder=5,
    )  # fmt: skip


def draw_crosses(ax: Axes, theme: Theme, points: NDArray[np.float64], n: int) -> Any:
    """Crosses over some of n points."""
    many = n > MANY
    return ax.scatter(
        points[:, 0], points[:, 1], s=(1.4 if many else 1.9) * marker_size(n), marker="x",
        c=theme.ink, linewidths=0.3 if many else 0.8, alpha=0.4 if many else 1.0, rasterized=many,
        zorder=4,
    )  # fmt: skip


def ring_entry(theme: Theme, label: str) -> tuple[Any, str]:
    """A ring in a legend."""
    from matplotlib.lines import Line2D

    handle = Line2D(
        [], [], linestyle="none", marker="o", markersize=7.0, markerfacecolor="none",
        markeredgecolor=theme.ink, markeredgewidth=1.0,
    )  # fmt: skip
    return handle, label


def cross_entry(theme: Theme, label: str) -> tuple[Any, str]:
    """A cross in a legend."""
    from matplotlib.lines import Line2D

    return Line2D([], [], linestyle="none", marker="x", markersize=5.0, color=theme.ink), label
