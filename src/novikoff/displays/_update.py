"""One update, drawn: the boundary before and after, theta turning, and the example."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff._arrays import Floats
from novikoff.displays import _plane
from novikoff.displays._matplotlib import number, plain
from novikoff.displays._stage import Stage

if TYPE_CHECKING:
    from novikoff.displays.trace import TraceDisplay


_LENGTH = 0.3  # of the window: the longer of the two arrows
_SHORTEST = 0.3  # of that: what they may be shortened to before they are drawn apart


@dataclass
class Drawn:
    """The artists of one update, None for what there was not; and labels yet to be written."""

    points_: list[Any]
    half_spaces_: list[Any]
    before_: Any = None
    after_: Any = None
    theta_before_: Any = None
    theta_after_: Any = None
    step_: Any = None
    arc_: Any = None
    ring_: Any = None
    labels: list[tuple[str, Floats, str]] = field(default_factory=list)


def caption(display: TraceDisplay, k: int) -> str:
    """What update `k` did, in words."""
    note = "" if display.note is None else f"\n{display.note}"
    if k == 0:
        if _plane.divides(display.theta[0]):
            return f"Start: before the first update{note}"
        side = display.classes[1 if display.offset[0] >= 0 else 0]
        return f"Start: θ = 0, no boundary; all is predicted {plain(side)}{note}"
    e = k - 1
    parts = [
        f"Update {k} of {display.n_updates}, epoch {display.epoch[e]}: row {display.row[e]}, "
        f"y = {'+1' if display.y[e] > 0 else '−1'}",
        f"score {number(display.score_before[e])} → {number(display.score_after[e])}",
    ]
    if np.isfinite(display.angle[e]):
        parts.append(f"turned {np.degrees(display.angle[e]):.1f}°")
    elif not _plane.divides(display.theta[k]):
        parts.append("back to θ = 0")
    else:
        parts.append("from θ = 0")
    if display.undershot[e]:
        parts.append("undershot")
    return parts[0] + "\n" + ", ".join(parts[1:]) + note


def draw(stage: Stage, display: TraceDisplay, k: int, *, legend: bool) -> Drawn:
    """Draw update `k` (0: the start) on a stage."""
    theta, offset = display.theta[k], float(display.offset[k])
    old, old_offset = display.theta[max(k - 1, 0)], float(display.offset[max(k - 1, 0)])
    names = [f"{display.classes[0]} (−)", f"{display.classes[1]} (+)"] if legend else None
    shrink = 1.0 if legend else 0.4
    drawn = Drawn(
        stage.points(display.points, display.codes, names, shrink=shrink),
        stage.half_spaces(theta, offset),
    )
    turned = k > 0 and _plane.divides(old)
    if turned:
        drawn.before_ = stage.line(
            old, old_offset, "boundary before" if legend else None, color=stage.theme.muted,
            linewidth=1.0, linestyle=(0, (4, 2)),
        )  # fmt: skip
    if _plane.divides(theta):
        label = ("boundary after" if k else "boundary") if legend else None
        drawn.after_ = stage.line(theta, offset, label)
    _draw_theta(stage, drawn, (old, old_offset) if turned else None, (theta, offset), legend)
    if k > 0:
        chosen = np.array([display.position[k - 1]])
        drawn.ring_ = stage.rings(chosen, "the example" if legend else None)
    return drawn


def write(stage: Stage, drawn: Drawn) -> None:
    """Write the labels, once the figure is laid out."""
    if not drawn.labels:
        return
    labels, size = stage.labels(), stage.canvas.size
    for text, at, colour in drawn.labels:
        labels.place(text, at[None] * stage.units, fontsize=size, color=colour)


def _draw_theta(
    stage: Stage,
    drawn: Drawn,
    before: tuple[Floats, float] | None,
    after: tuple[Floats, float],
    legend: bool,
) -> None:
    """theta before and after as arrows; where the lines meet in sight, as a sum of vectors."""
    theta, offset = after
    vectors = [theta] if before is None else [before[0], theta]
    longest = max(float(np.linalg.norm(v)) for v in vectors)
    if longest == 0.0:
        return
    full = _LENGTH * stage.box.size.max() / longest
    size = {} if legend else {"mutation_scale": 5.0, "linewidth": 0.9}
    muted, ink = stage.theme.muted, stage.theme.ink
    meeting = None
    if before is not None and _plane.divides(theta):
        meeting = _plane.crossing(*before, *after)
    if meeting is not None and stage.box.holds(meeting, 0.95):
        scale = min(full, *(_room(stage.box, meeting, v) for v in vectors))
        if scale > _SHORTEST * full:
            _draw_sum(stage, drawn, meeting, scale * vectors[0], scale * theta, legend, size)
            return
    if before is not None and (base := _base(stage, *before, full)) is not None:
        scale = min(full, _room(stage.box, base, before[0]))
        drawn.theta_before_ = stage.arrow(
            base, base + scale * before[0], "θ before" if legend else None, color=muted, **size
        )
    if _plane.divides(theta) and (base := _base(stage, theta, offset, full)) is not None:
        tip = base + min(full, _room(stage.box, base, theta)) * theta
        label = "θ after" if legend and before else None
        drawn.theta_after_ = stage.arrow(base, tip, label, **size)
        drawn.labels.append(("θ", tip, ink))


def _draw_sum(
    stage: Stage, drawn: Drawn, base: Floats, old: Floats, new: Floats, legend: bool, size: Any
) -> None:
    """The arrows of theta before and after from where the lines meet, the step between their tips,
    and the angle."""
    muted, accent, ink = stage.theme.muted, stage.theme.accent, stage.theme.ink
    drawn.theta_before_ = stage.arrow(
        base, base + old, "θ before" if legend else None, color=muted, **size
    )
    drawn.theta_after_ = stage.arrow(base, base + new, "θ after" if legend else None, **size)
    drawn.step_ = stage.arrow(
        base + old, base + new, "the step η·y·x" if legend else None, color=accent,
        **{"linewidth": 1.1, **size},
    )  # fmt: skip
    start, turn = np.arctan2(old[1], old[0]), _turn(old, new)
    radius = 0.4 * min(np.linalg.norm(old), np.linalg.norm(new))
    drawn.arc_ = stage.arc(base, float(radius), start, start + turn, color=ink, zorder=4)
    middle = base + 1.2 * radius * np.array([np.cos(start + turn / 2), np.sin(start + turn / 2)])
    drawn.labels.append(("θ", base + new, ink))
    drawn.labels.append((f"{np.degrees(abs(turn)):.0f}°", middle, ink))


def _room(box: _plane.Box, base: Floats, vector: Floats) -> float:
    """How often `vector` fits between `base` and the edge of the window."""
    low, high = box.grown(0.96)
    with np.errstate(divide="ignore", invalid="ignore"):
        times = np.where(vector > 0, (high - base) / vector, (low - base) / vector)
    times = times[vector != 0]
    return max(0.0, float(times.min())) if len(times) else np.inf


def _base(stage: Stage, theta: Floats, offset: float, scale: float) -> Floats | None:
    """Where on its line to stand an arrow, away from points; None if the line is out of sight."""
    ends = _plane.segment(stage.box, theta, offset)
    if ends is None:
        return None
    starts = ends[0] + np.linspace(0.08, 0.92, 22)[:, None] * (ends[1] - ends[0])
    for length in (1.0, 0.5, 0.2):
        best = stage.emptiest(starts, starts + length * scale * theta)
        if best is not None:
            result: Floats = starts[best]
            return result
    return None


def _turn(a: Floats, b: Floats) -> float:
    """The signed angle from a to b, counterclockwise, as drawn."""
    a, b = _plane.unit(a), _plane.unit(b)
    return float(np.arctan2(a[0] * b[1] - a[1] * b[0], a @ b))
