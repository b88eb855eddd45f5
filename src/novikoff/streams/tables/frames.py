"""The rows of a table as the survey stored them: in memory, or beyond a limit on disk; and which of
them are learned from, tested on, or dropped.

Every frame but the last has the same number of rows, however the reader cut the file: all that is
computed from frames is then the same for every reader.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff._arrays import Bools, Ints
from novikoff.persistence.disk import Temporary
from novikoff.streams.tables.lazy import pl

IN_MEMORY = 1 << 28  # bytes
MOST_ROWS = 65536  # of a frame


def rows_per_frame(n_columns: int) -> int:
    """How many rows to take at a time: some 16 MB of numbers."""
    return min(MOST_ROWS, max(256, (1 << 21) // max(n_columns, 1)))


class Frames:
    """Frames in the order they were appended, to be iterated over as often as needed.

    Parameters
    ----------
    n_rows : int
        Rows of every frame but the last.
    in_memory : int, optional
        Frames that take more bytes than this together go to a temporary folder, which is removed
        when the object is, or by :meth:`close`.
    """

    def __init__(self, n_rows: int, in_memory: int | None = None) -> None:
        self._n_rows = n_rows
        self._room = IN_MEMORY if in_memory is None else in_memory
        self._waiting: list[pl.DataFrame] = []
        self._n_waiting = 0
        self._stored: list[pl.DataFrame | Path] = []
        self._folder: Temporary | None = None
        self.height = 0

    def append(self, frame: pl.DataFrame) -> None:
        """Add rows; call :meth:`finish` after the last."""
        self.height += frame.height
        self._waiting.append(frame)
        self._n_waiting += frame.height
        while self._n_waiting >= self._n_rows:
            together = pl.concat(self._waiting)
            self._store(together.head(self._n_rows))
            rest = together.slice(self._n_rows)
            self._waiting = [rest] if rest.height else []
            self._n_waiting = rest.height

    def finish(self) -> None:
        """Store what is left."""
        if self._waiting:
            self._store(pl.concat(self._waiting))
            self._waiting, self._n_waiting = [], 0

    def _store(self, frame: pl.DataFrame) -> None:
        frame = frame.rechunk()
        size = int(frame.estimated_size())
        if size <= self._room:
            self._room -= size
            self._stored.append(frame)
            return
        self._room = 0
        if self._folder is None:
            self._folder = Temporary(folder=True)
        path = self._folder.path / f"{len(self._stored)}.arrow"
        try:
            frame.write_ipc(path, compression="uncompressed")
        except OSError as error:
            raise OSError(
                error.errno,
                f"the table could not be cached in {self._folder.path} ({error}); set TMPDIR to a "
                "folder with more room",
            ) from error
        self._stored.append(path)

    def __iter__(self) -> Iterator[pl.DataFrame]:
        for item in self._stored:
            yield pl.read_ipc(item) if isinstance(item, Path) else item

    def close(self) -> None:
        """Forget all frames."""
        self._stored.clear()
        if self._folder is not None:
            self._folder.remove()


PARTS = ("train", "test", "all")


class Piece(NamedTuple):
    """Some rows of a surveyed table."""

    frame: pl.DataFrame  # as stored by the survey
    rows: Ints  # (n,) their numbers
    classes: Ints  # (n,) the numbers of their classes


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

    def __init__(self, frames: Frames, places: Ints, share: float, seed: int) -> None:
        self._frames = frames
        self._places = np.append(places, -1)  # where -1 points to: no target
        self._share, self._seed = share, seed
        self.complete: list[str] = []  # columns in which no cell may be missing

    def pieces(self, part: str = "train") -> Iterator[Piece]:
        """The rows of a part in file order."""
        if part not in PARTS:
            raise ValueError(f'part must be "train", "test" or "all", not {part!r}.')
        for frame, rows, classes, tested in self._judged():
            wanted = classes >= 0
            if part != "all":
                wanted &= tested == (part == "test")
            if not wanted.all():
                frame = frame.filter(pl.Series(wanted))
                rows, classes = rows[wanted], classes[wanted]
            if len(rows):
                yield Piece(frame, rows, classes)

    def class_counts(self, n_classes: int) -> dict[str, Ints]:
        """Rows of each class, by part."""
        counts = {part: np.zeros(n_classes, np.int64) for part in PARTS}
        for _, _, classes, tested in self._judged():
            for part, chosen in (("train", ~tested), ("test", tested)):
                inside = classes[chosen & (classes >= 0)]
                counts[part] += np.bincount(inside, minlength=n_classes)
        counts["all"] = counts["train"] + counts["test"]
        return counts

    def _judged(self) -> Iterator[tuple[pl.DataFrame, Ints, Ints, Bools]]:
        """Frames with their rows, each one's class (-1: dropped) and whether it is held out."""
        start = 0
        for frame in self._frames:
            rows = np.arange(start, start + frame.height)
            start += frame.height
            classes = self._places[frame["y"].to_numpy()]
            for key in self.complete:
                classes[_missing(frame[key])] = -1
            yield frame, rows, classes, held_out(rows, self._share, self._seed)


def _missing(cells: pl.Series) -> Bools:
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


def held_out(rows: Ints, share: float, seed: int) -> Bools:
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
