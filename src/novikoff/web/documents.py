"""What the page opens with: points and their names, as it saves them itself."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from novikoff.web.site import State

STATE = ("novikoff.play", 1)  # format and version of a state file


def state_of(
    points: Iterable[tuple[float, float, int]],
    *,
    axes: tuple[str, str] | None = None,
    classes: tuple[str, str] | None = None,
    settings: dict[str, Any] | None = None,
    end: bool = False,
    **more: Any,
) -> State:
    """The page with these points (x, y, side), before the run or at its end."""
    return {
        "format": STATE[0],
        "version": STATE[1],
        "document": {
            "points": [{"x": x, "y": y, "label": side} for x, y, side in points],
            "settings": settings or {},
            "axes": axes,
            "classes": classes and {"negative": classes[0], "positive": classes[1]},
        },
        "view": {"t": 0, "end": end},
        **more,
    }
