"""A window with equal axes, and what is drawn in it: half-spaces, lines, arrows, points.

Everything is given in the scaled units of a view; `units` turns them into the numbers on the axes.
One unit is as long upwards as sideways, so that theta is perpendicular to its line on the screen.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from novikoff._arrays import Array, Floats
from novikoff.displays import _plane
from novikoff.displays._matplotlib import NEGATIVE, POSITIVE, Canvas, colour_of, entry, plain
from novikoff.displays._points import (
    MANY,
    PlacedLabels,
    class_entries,
    draw_points,
    marker_size,
    ring_entry,
)

_BEYOND = 3.0  # how far lines and half-spaces reach beyond the window, for whoever pans


class Stage:
    """One axes, its window, and the lines of its legend."""

    def __init__(
        self,
        canvas: Canvas,
        box: _plane.Box,
        *,
        units: Floats | None = None,
        names: Sequence[str],
        panel: int = 0,
    ) -> None:
        self.canvas, self.theme, self.ax = canvas, canvas.theme, canvas.axes[panel]
        self.box = box
        self.units = np.ones(2) if units is None else units
        self.entries: list[tuple[Any, str]] = []
        self._drawn: Floats = np.empty((0, 2))  # the points, for labels to keep clear of
        self._lines: list[Floats] = [np.full(2, np.inf)]  # points along the lines, likewise
        self._labels: list[tuple[str, Floats, str, float]] = []  # see `label`
        xlim, ylim = np.transpose(box) * self.units[:, None]
        self.ax.set(xlim=xlim, ylim=ylim, xlabel=plain(names[0]), ylabel=plain(names[1]))
        self.ax.set_aspect(self.units[0] / self.units[1], adjustable="box")

    # ------------------------------------------------------------- the ground

    def half_spaces(self, theta: Floats, offset: float) -> list[Any]:
        """Colour both sides of the boundary; without one, the whole plane."""
        far = self.box.grown(_BEYOND)
        if not _plane.divides(theta):
            sides = [(1 if offset >= 0 else -1, far.corners)]
        else:
            sides = [(s, _plane.half_plane(far, theta, offset, s)) for s in (-1, 1)]
        return [
            self.ax.fill(
                *(corners * self.units).T, edgecolor="none", zorder=0,
                facecolor=self.theme.pale(POSITIVE if side > 0 else NEGATIVE),
            )[0]
            for side, corners in sides
            if len(corners) > 2
        ]  # fmt: skip

    def regions(self, x: Floats, y: Floats, scores: Floats) -> list[Any]:
        """Colour where each class has the largest score; scores : (ny, nx, C) on a grid."""
        x, y = x * self.units[0], y * self.units[1]
        artists: list[Any] = []
        self.ax.set_facecolor(self.theme.pale(colour_of(0)))
        for code in range(scores.shape[2]):
            lead = _lead(scores, code)
            if not (lead > 0).any():
                continue
            if code > 0 or (lead > 0).all():
                artists.append(
                    self.ax.contourf(
                        x, y, lead, levels=[0.0, lead.max() + 1.0], zorder=0,
                        colors=[self.theme.pale(colour_of(code))],
                    )
                )  # fmt: skip
            if (lead < 0).any() and (code > 0 or scores.shape[2] > 2):
                artists.append(
                    self.ax.contour(
                        x, y, lead, levels=[0.0], colors=[self.theme.ink], linewidths=1.0, zorder=2
                    )
                )
        self.entries.append(entry("boundary", color=self.theme.ink, linewidth=1.0))
        return artists

    # ------------------------------------------------------------------ lines

    def line(
        self, theta: Floats, offset: float, label: str | None = None, **style: Any
    ) -> Any | None:
        """The boundary theta . p + offset = 0; None where there is none in sight."""
        ends = _plane.segment(self.box.grown(_BEYOND), theta, offset)
        if ends is None:
            return None
        style = {"color": self.theme.ink, "linewidth": 1.2, "zorder": 2, **style}
        (artist,) = self.ax.plot(*(ends * self.units).T, **style)
        seen = _plane.segment(self.box, theta, offset)
        if seen is not None:
            self._keep_clear(seen)
        if label is not None and seen is not None:
            self.entries.append((artist, label))
        return artist

    def _keep_clear(self, points: Floats) -> None:
        for a, b in itertools.pairwise(points):
            steps = max(2, int(60 * np.linalg.norm(b - a) / self.box.size.max()))
            self._lines.extend(a + (b - a) * t for t in np.linspace(0.0, 1.0, steps))

    def band(
        self, theta: Floats, offset: float, half_width: float, label: str, **style: Any
    ) -> Any:
        """The points within `half_width` of the boundary, edged by two lines."""
        length = float(np.linalg.norm(theta))
        style = {"color": self.theme.muted, "linewidth": 0.7, "linestyle": (0, (4, 2)), **style}
        artists = [
            self.line(theta, offset + side * half_width * length, **style) for side in (-1, 1)
        ]
        shown = [artist for artist in artists if artist is not None]
        if shown:
            self.entries.append((shown[0], label))
        return shown

    def path(self, points: Floats, label: str | None = None, **style: Any) -> Any:
        """A line through points."""
        style = {"color": self.theme.muted, "linewidth": 0.8, "zorder": 2, **style}
        (artist,) = self.ax.plot(*(np.asarray(points) * self.units).T, **style)
        self._keep_clear(np.asarray(points)[:200])
        if label is not None:
            self.entries.append((artist, label))
        return artist

    def arrow(self, start: Floats, end: Floats, label: str | None = None, **style: Any) -> Any:
        """An arrow; both ends are exact."""
        self._keep_clear(np.array([start, end]))
        colour = style.pop("color", self.theme.ink)
        style = {"linewidth": 1.4, "mutation_scale": 8.0, **style}
        artist = self.ax.annotate(
            "", tuple(end * self.units), tuple(start * self.units), zorder=5, annotation_clip=False,
            arrowprops={"arrowstyle": "-|>", "shrinkA": 0, "shrinkB": 0, "color": colour, **style},
        )  # fmt: skip
        if label is not None:
            self.entries.append(
                entry(label, color=colour, linewidth=1.4, marker=">", markevery=[-1], markersize=4)
            )
        return artist

    def standing(
        self, theta: Floats, offset: float, steps: Sequence[Floats]
    ) -> tuple[Floats, Floats] | None:
        """Both ends of the first of some arrows that has room on a line: away from all points.

        None if the line is out of sight, or every arrow leaves the window.
        """
        ends = _plane.segment(self.box, theta, offset)
        if ends is None:
            return None
        starts = ends[0] + np.linspace(0.08, 0.92, 22)[:, None] * (ends[1] - ends[0])
        for step in steps:
            best = self._emptiest(starts, starts + step)
            if best is not None:
                return starts[best], starts[best] + step
        return None

    def _emptiest(self, starts: Floats, ends: Floats) -> int | None:
        """Of several arrows, (m, 2) to (m, 2), the one that keeps farthest from all points.

        None if every one of them leaves the window.
        """
        sample = self._drawn[:: max(1, len(self._drawn) // 2000)]
        along = np.linspace(0.0, 1.2, 9)[:, None, None]
        places = starts + along * (ends - starts)  # (9, m, 2)
        gaps = np.linalg.norm(places[:, :, None] - sample, axis=-1).min(axis=(0, 2))  # (m,)
        edge = np.minimum(ends - self.box.low, self.box.high - ends).min(axis=1)
        inside = edge > 0.02 * self.box.size.max()
        if not inside.any():
            return None
        gaps = np.where(inside, gaps, -1.0)
        # Near enough to the best, the one in the middle.
        good = np.flatnonzero(gaps >= 0.8 * gaps.max())
        return int(good[np.argmin(np.abs(good - (len(starts) - 1) / 2))])

    def arc(self, centre: Floats, radius: float, start: float, end: float, **style: Any) -> Any:
        """A piece of a circle between two angles, in radians."""
        angles = np.linspace(start, end, 60)
        around = centre + radius * np.column_stack([np.cos(angles), np.sin(angles)])
        return self.path(around, **style)

    def angle(
        self, centre: Floats, radius: float, a: Floats, turn: float, label: str, reach: float = 1.0
    ) -> Any:
        """The arc by which a vector `a` turns, with a label at `reach` times its radius."""
        start = float(np.arctan2(a[1], a[0]))
        middle = np.array([np.cos(start + turn / 2), np.sin(start + turn / 2)])
        self.label(label, centre + reach * radius * middle)
        return self.arc(centre, radius, start, start + turn, color=self.theme.ink, zorder=4)

    # ----------------------------------------------------------------- points

    def points(
        self, points: Floats, codes: Array, classes: Sequence[str], shrink: float = 1.0
    ) -> list[Any]:
        """Scatter; `classes` are their names."""
        self._drawn = points
        self.entries += class_entries(self.theme, classes)
        return draw_points(self.ax, self.theme, points * self.units, codes, shrink=shrink)

    def rings(self, chosen: Array, label: str) -> Any:
        """Rings around the chosen points."""
        self.entries.append(ring_entry(self.theme, label))
        x, y = (self._drawn[chosen] * self.units).T
        return self.ax.scatter(
            x, y, s=3.2 * max(marker_size(len(self._drawn)), 15.0), marker="o", facecolors="none",
            edgecolors=self.theme.ink, linewidths=1.0, zorder=5,
        )  # fmt: skip

    def crosses(self, chosen: Array, label: str) -> Any:
        """Crosses over the chosen points."""
        ink, n = self.theme.ink, len(self._drawn)
        self.entries.append(entry(label, linestyle="none", marker="x", markersize=5.0, color=ink))
        x, y = (self._drawn[chosen] * self.units).T
        many = n > MANY
        return self.ax.scatter(
            x, y, s=(1.4 if many else 1.9) * marker_size(n), marker="x", c=ink,
            linewidths=0.3 if many else 0.8, alpha=0.4 if many else 1.0, rasterized=many, zorder=4,
        )  # fmt: skip

    # ------------------------------------------------------------------- text

    def label(self, text: str, at: Floats, colour: str | None = None, larger: float = 0.0) -> None:
        """Have a text written near a point, or the first of several (m, 2) with room for it."""
        self._labels.append((text, np.atleast_2d(at), colour or self.theme.ink, larger))

    def finish(self, caption: str, *, fit: bool = True) -> None:
        """Legend, caption, a figure of the right height if it is to `fit`, and the labels."""
        self.canvas.legend(self.ax, self.entries)
        self.canvas.caption(self.ax, caption)
        if fit:
            self.canvas.fit(self.ax, float(self.box.size[1] / self.box.size[0]))
        if self._labels:
            self._write_labels()

    def _write_labels(self) -> None:
        """Write into the picture, away from its points and, if possible, its lines."""
        if not self.canvas.own:  # the user's layout, as it will be
            self.canvas.figure.canvas.figure.draw_without_rendering()
        radius = np.sqrt(marker_size(max(len(self._drawn), 1))) / 2 + 1.0
        places = PlacedLabels(
            self.ax, self._drawn * self.units, np.array(self._lines) * self.units, radius
        )
        for text, at, colour, larger in self._labels:
            size = self.canvas.size + larger
            places.place(text, at * self.units, fontsize=size, color=colour)


def _lead(scores: Floats, code: int) -> Floats:
    """By how much a class is ahead of all others; a tie goes to the lower number."""
    others = np.delete(scores, code, axis=2)
    lead: Floats = scores[:, :, code] - others.max(axis=2)
    return lead
