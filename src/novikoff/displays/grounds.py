"""A picture drawn once, for two grounds: themes differ in nothing but colours."""

from __future__ import annotations

import re
from dataclasses import astuple

from novikoff.displays._matplotlib import COLOURS, DARK, HULL, LIGHT


def for_light_ground(svg: str) -> str | None:
    """What was drawn with ``theme="dark"``, as SVG text, with ``theme="light"``.

    None where that cannot be told: for colours of no theme, or points that are pixels.
    """
    from matplotlib.colors import to_hex

    light = {colour.lower(): colour.lower() for colour in COLOURS}
    light |= {  # on dark ground no two of them are the same
        dark: same
        for dark, same in zip(astuple(DARK), astuple(LIGHT), strict=True)
        if isinstance(dark, str)
    }
    for strength in (None, HULL):
        light |= {
            to_hex(DARK.pale(colour, strength)): to_hex(LIGHT.pale(colour, strength))
            for colour in COLOURS
        }
    found = re.compile(r"(?<![\w(])#[0-9a-f]{6}\b")  # no references to ids
    if "<image" in svg or not light.keys() >= set(found.findall(svg)):
        return None
    return found.sub(lambda match: light[match[0]], svg)
