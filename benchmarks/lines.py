"""A line of the table: what was measured, beside what is required of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

Line = dict[str, Any]


def versus(against: str, required: float | None, times: np.ndarray) -> Line:
    """Times as fast as a peer: `times` has a column of our seconds and one of theirs.

    The value is the median over the turns, `low` and `high` are the smallest and largest of them.
    """
    ratios = times[:, 1] / times[:, 0]
    value = float(np.median(ratios))
    mine, peer = np.median(times, axis=0).tolist()
    return {
        "against": against, "required": required, "value": value, "unit": "x",
        "low": float(ratios.min()), "high": float(ratios.max()),
        "seconds": mine, "peer_seconds": peer, "met": required is None or value >= required,
    }  # fmt: skip


def at_most(against: str, limit: float, value: float, unit: str = "x") -> Line:
    """A line whose value has a limit."""
    return {
        "against": against, "required": limit, "value": value, "unit": unit, "at_most": True,
        "met": value <= limit,
    }  # fmt: skip


def spread(line: Line, digits: int = 1) -> str:
    """From the slowest turn to the fastest, or nothing where there was one value only."""
    return f"{line['low']:.{digits}f}–{line['high']:.{digits}f}" if "low" in line else ""


def ratios(lines: Iterable[Line]) -> list[Line]:
    """Those that say how many times as fast as a peer."""
    return [line for line in lines if line["unit"] == "x" and not line.get("at_most")]


def summary(lines: Iterable[Line]) -> str:
    """How fast fitting and predicting are in all, and which lines are slower than the peer."""
    counted = [line for line in lines if line.get("counted")]
    if not counted:
        return ""
    median = np.median([line["value"] for line in counted])
    slower = [line["work"] for line in counted if line["value"] < 1]
    return (
        f"The median of {len(counted)} lines of fitting and predicting is {median:.1f} times as "
        f"fast as scikit-learn; slower: {'; '.join(slower) or 'none'}."
    )
