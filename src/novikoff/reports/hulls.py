"""The hulls of two sides in the plane of two features. In a worker."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from novikoff.analysis.wording import plain
from novikoff.reports.pictures import picture

MODULE = "novikoff.reports.hulls"


def answer(X: Any, codes: Any, question: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The picture and the verdict on these two features.

    X : (n, 2), not scaled, so that the verdict is that of `novikoff separable`
    question : features, two names; positive and negative, the labels of the sides
    """
    from novikoff.displays import ObstructionDisplay

    side = np.array(question["classes"])[codes] == question["positive"]
    if side.all() or not side.any():
        return
    display = ObstructionDisplay.from_data(X, side)
    display.names = (question["features"][0], question["features"][1])
    display.classes = [question["negative"], question["positive"]]
    yield {"picture": picture(display, _about(display)).document(), "verdict": display.verdict}


def _about(display: Any) -> str:
    names = " and ".join(plain(name) for name in display.classes)
    axes = f"{plain(display.names[0])} across, {plain(display.names[1])} upwards"
    end = {
        "separable": "a street runs between them",
        "quasi-separable": "they touch",
        "overlapping": "they overlap",
    }[display.verdict]
    return f"The convex hulls of {names} ({axes}): {end}."
