"""What the page opens with: points and their names, as it saves them itself, and as a link.

`static/link.js` reads links, and docs/play.md describes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import urlencode

from novikoff.web.site import PageState

STATE = ("novikoff.play", 1)  # format and version of a state file
LONGEST = 2000  # characters of a link
_MOST_DECIMALS = 9
_WIDEST = 52  # bits of a coordinate
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def state_of(
    points: Iterable[tuple[float, float, int]],
    *,
    axes: tuple[str, str] | None = None,
    classes: tuple[str, str] | None = None,
    settings: dict[str, Any] | None = None,
    end: bool = False,
    **more: Any,
) -> PageState:
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


def fragment_of(state: PageState) -> str | None:
    """What follows the address of the page, for points under the default settings.

    None where they do not fit, or not exactly.
    """
    document = state["document"]
    packed = _packed(document["points"])
    if packed is None:
        return None
    fields: dict[str, Any] = {"v": 1, "p": packed}
    if document["axes"]:
        fields |= dict(zip(("x1", "x2"), document["axes"], strict=True))
    if document["classes"]:
        fields |= {"neg": document["classes"]["negative"], "pos": document["classes"]["positive"]}
    fields["t"] = "end" if state["view"]["end"] else state["view"]["t"]
    link = f"#{urlencode(fields)}"
    return link if len(link) <= LONGEST else None


def _packed(points: Sequence[dict[str, Any]]) -> str | None:
    """Whole multiples of 10^-d above the least, as bits."""
    columns = [[point[axis] for point in points] for axis in ("x", "y")]
    decimals = _decimals([*columns[0], *columns[1]])
    if decimals is None or not points:
        return None
    units = [[round(value * 10**decimals) for value in column] for column in columns]
    least = [min(column) for column in units]
    widths = [(max(column) - low).bit_length() for column, low in zip(units, least, strict=True)]
    if max(widths) > _WIDEST or max(abs(unit) for column in units for unit in column) >= 2**53:
        return None
    bits = ""
    for point, *place in zip(points, *units, strict=True):
        bits += "1" if point["label"] > 0 else "0"
        for unit, low, width in zip(place, least, widths, strict=True):
            bits += f"{unit - low:0{width}b}" if width else ""
    bits += "0" * (-len(bits) % 6)
    text = "".join(_ALPHABET[int(bits[i : i + 6], 2)] for i in range(0, len(bits), 6))
    return f"{len(points)}.{decimals}.{least[0]}.{widths[0]}.{least[1]}.{widths[1]}.{text}"


def _decimals(values: Sequence[float]) -> int | None:
    """How many write every number exactly; None if none do."""
    for d in range(_MOST_DECIMALS + 1):
        if all(round(value * 10**d) / 10**d == value for value in values):
            return d
    return None
