"""Which rows are held out: a fixed hash of the row number decides, not the order of reading."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["FEWEST_ROWS", "held_out"]

FEWEST_ROWS = 20  # a table with fewer rows than this has none to spare


def held_out(rows: NDArray[np.int64], share: float, seed: int) -> NDArray[np.bool_]:
    """Whether each of the data rows numbered `rows` is held out, a `share` of them on average."""
    if share <= 0.0:
        return np.zeros(len(rows), np.bool_)
    start = _mix(np.array([seed & 0xFFFFFFFFFFFFFFFF], np.uint64))
    hashes = _mix(rows.astype(np.uint64) + start)
    # The upper 53 bits as a number in [0, 1): the comparison is exact.
    return np.asarray((hashes >> np.uint64(11)) * 2.0**-53 < share)


def _mix(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The generator splitmix64 (Steele, Lea and Flood 2014), at its x-th step."""
    z = (x + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
