"""Which rows of a surveyed table are learned from, tested on, or dropped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from novikoff.streams.tables.frames import Frames
from novikoff.streams.tables.statistics import Piece

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Selection", "missing_cells"]

RowNumbers = NDArray[np.int64]
PARTS = ("train", "test", "all")


class Selection:
    """The rows of stored frames that have a target, in their two parts.

    Parameters
    ----------
    frames : Frames
    places : array
        For each number in the column "y" of the frames the number of its class.
    share, seed : float, int
        The share of rows to hold out, and which.
    """

    def __init__(self, frames: Frames, places: NDArray[np.int64], share: float, seed: int) -> None:
        self._frames = frames
        self._places = np.append(places, -1)  # where -1 points to: no target
        self._share, self._seed = share, seed
        self.complete: list[str] = []  # columns in which no cell may be missing

    def pieces(self, part: str = "train") -> Iterator[Piece]:
        """The rows of a part in file order."""
        import polars as pl

        if part not in PARTS:
            raise ValueError(f'part must be "train", "test" or "all", not {part!r}.')
        if part == "test" and self._share == 0.0:
            return
        for frame, rows, classes, tested in self._judged():
            wanted = classes >= 0
            if part != "all" and self._share > 0.0:
                wanted &= tested == (part == "test")
            if not wanted.all():
                frame = frame.filter(pl.Series(wanted))
                rows, classes = rows[wanted], classes[wanted]
            if len(rows):
                yield Piece(frame, rows, classes)

    def class_counts(self, n_classes: int) -> dict[str, NDArray[np.int64]]:
        """Rows of each class, by part."""
        counts = {part: np.zeros(n_classes, np.int64) for part in PARTS}
        for _, _, classes, tested in self._judged():
            for part, chosen in (("train", ~tested), ("test", tested)):
                inside = classes[chosen & (classes >= 0)]
                counts[part] += np.bincount(inside, minlength=n_classes)
        counts["all"] = counts["train"] + counts["test"]
        return counts

    def _judged(self) -> Iterator[tuple[pl.DataFrame, RowNumbers, RowNumbers, NDArray[np.bool_]]]:
        """Frames with their rows, each one's class (-1: dropped) and whether it is held out."""
        start = 0
        for frame in self._frames:
            rows = np.arange(start, start + frame.height)
            start += frame.height
            classes = self._places[frame["y"].to_numpy()]
            for key in self.complete:
                classes[_missing(frame[key])] = -1
            yield frame, rows, classes, held_out(rows, self._share, self._seed)


def _missing(cells: pl.Series) -> NDArray[np.bool_]:
    gone = cells.is_nan() if cells.dtype.is_float() else cells.is_null()
    return gone.to_numpy()


def missing_cells(
    selection: Selection, columns: dict[str, str], most: int
) -> tuple[list[tuple[int, str]], int]:
    """The first cells missing in columns (key -> name), as (row, name), and how many there are."""
    first: list[tuple[int, str]] = []
    total = 0
    for piece in selection.pieces("all"):
        here = []
        for key, name in columns.items():
            gone = np.flatnonzero(_missing(piece.frame[key]))
            total += len(gone)
            here += [(int(piece.rows[i]), name) for i in gone[:most]]
        first = (first + sorted(here))[:most]
    return first, total


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
