"""One update, drawn: the boundary before and after, theta turning, and the example."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff._arrays import Floats
from novikoff.displays import _plane
from novikoff.displays._matplotlib import number, plain
from novikoff.displays._points import signed
from novikoff.displays._stage import Stage

if TYPE_CHECKING:
    from novikoff.displays.trace import TraceDisplay


_LENGTH = 0.3  # of the window: the longer of the two arrows
_SHORTEST = 0.3  # of that: what they may be shortened to before they are drawn apart


@dataclass
class Drawn:
    """The artists of one update, None for what there was not."""

    points_: list[Any]
    half_spaces_: list[Any]
    before_: Any = None
    after_: Any = None
    theta_before_: Any = None
    theta_after_: Any = None
    step_: Any = None
    arc_: Any = None
    ring_: Any = None


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


def draw(stage: Stage, display: TraceDisplay, k: int, *, small: bool = False) -> Drawn:
    """Draw update `k` (0: the start) on a stage."""
    theta, offset = display.theta[k], float(display.offset[k])
    old, old_offset = display.theta[max(k - 1, 0)], float(display.offset[max(k - 1, 0)])
    drawn = Drawn(
        stage.points(
            display.points, display.codes, signed(display.classes), shrink=0.4 if small else 1.0
        ),
        stage.half_spaces(theta, offset),
    )
    turned = k > 0 and _plane.divides(old)
    if turned:
        drawn.before_ = stage.line(
            old, old_offset, "boundary before", color=stage.theme.muted, linewidth=1.0,
            linestyle=(0, (4, 2)),
        )  # fmt: skip
    if _plane.divides(theta):
        drawn.after_ = stage.line(theta, offset, "boundary after" if k else "boundary")
    size = {"mutation_scale": 5.0, "linewidth": 0.9} if small else {}
    _draw_theta(stage, drawn, (old, old_offset) if turned else None, (theta, offset), size)
    if k > 0:
        drawn.ring_ = stage.rings(np.array([display.position[k - 1]]), "the example")
    return drawn


def _draw_theta(
    stage: Stage,
    drawn: Drawn,
    before: tuple[Floats, float] | None,
    after: tuple[Floats, float],
    size: dict[str, Any],
) -> None:
    """theta before and after as arrows; where the lines meet in sight, as a sum of vectors."""
    theta, offset = after
    vectors = [theta] if before is None else [before[0], theta]
    longest = max(float(np.linalg.norm(v)) for v in vectors)
    if longest == 0.0:
        return
    full = _LENGTH * stage.box.size.max() / longest
    meeting = None
    if before is not None and _plane.divides(theta):
        meeting = _plane.crossing(*before, *after)
    if meeting is not None and stage.box.holds(meeting, 0.95):
        scale = min(full, *(_room(stage.box, meeting, v) for v in vectors))
        if scale > _SHORTEST * full:
            _draw_sum(stage, drawn, meeting, scale * vectors[0], scale * theta, size)
            return
    if before is not None and (ends := _arrow(stage, *before, full)) is not None:
        drawn.theta_before_ = stage.arrow(*ends, "θ before", color=stage.theme.muted, **size)
    if _plane.divides(theta) and (ends := _arrow(stage, theta, offset, full)) is not None:
        drawn.theta_after_ = stage.arrow(*ends, "θ after" if before else None, **size)
        stage.label("θ", ends[1])


def _draw_sum(
    stage: Stage, drawn: Drawn, base: Floats, old: Floats, new: Floats, size: dict[str, Any]
) -> None:
    """The arrows of theta before and after from where the lines meet, the step between their tips,
    and the angle."""
    muted, accent = stage.theme.muted, stage.theme.accent
    drawn.theta_before_ = stage.arrow(base, base + old, "θ before", color=muted, **size)
    drawn.theta_after_ = stage.arrow(base, base + new, "θ after", **size)
    drawn.step_ = stage.arrow(
        base + old, base + new, "the step η·y·x", color=accent, **{"linewidth": 1.1, **size}
    )
    stage.label("θ", base + new)
    turn = _plane.turn_between(old, new)
    radius = 0.4 * float(min(np.linalg.norm(old), np.linalg.norm(new)))
    text = f"{np.degrees(abs(turn)):.0f}°"
    drawn.arc_ = stage.angle(base, radius, old, turn, text, reach=1.2)


def _room(box: _plane.Box, base: Floats, vector: Floats) -> float:
    """How often `vector` fits between `base` and the edge of the window."""
    low, high = box.grown(0.96)
    with np.errstate(divide="ignore", invalid="ignore"):
        times = np.where(vector > 0, (high - base) / vector, (low - base) / vector)
    times = times[vector != 0]
    return max(0.0, float(times.min())) if len(times) else np.inf


def _arrow(
    stage: Stage, theta: Floats, offset: float, scale: float
) -> tuple[Floats, Floats] | None:
    """Both ends of theta on its line, away from points; None if the line is out of sight."""
    found = stage.standing(theta, offset, [part * scale * theta for part in (1.0, 0.5, 0.2)])
    if found is None:
        return None
    base, _ = found
    return base, base + min(scale, _room(stage.box, base, theta)) * theta
