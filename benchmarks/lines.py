"""A line of the table: what was measured, beside what is required of it."""

from __future__ import annotations

from typing import Any

Line = dict[str, Any]


def at_most(against: str, limit: float, value: float, unit: str = "x") -> Line:
    """A line whose value has a limit."""
    return {
        "against": against, "required": limit, "value": value, "unit": unit, "at_most": True,
        "met": value <= limit,
    }  # fmt: skip
