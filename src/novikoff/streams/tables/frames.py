"""The rows of a table as they were stored by the survey: in memory, or beyond a limit on disk.

Every frame but the last has the same number of rows, however the reader cut the file: all that is
computed from frames is then the same for every reader.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from novikoff.persistence.leftovers import Temporary

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Frames", "rows_per_frame"]

IN_MEMORY = 1 << 28  # bytes


def rows_per_frame(n_columns: int) -> int:
    """How many rows to take at a time: some 16 MB of numbers."""
    return min(65536, max(256, (1 << 21) // max(n_columns, 1)))


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
            together = self._together()
            self._store(together.head(self._n_rows))
            rest = together.slice(self._n_rows)
            self._waiting = [rest] if rest.height else []
            self._n_waiting = rest.height

    def finish(self) -> None:
        """Store what is left."""
        if self._waiting:
            self._store(self._together())
            self._waiting, self._n_waiting = [], 0

    def _together(self) -> pl.DataFrame:
        import polars as pl

        if len(self._waiting) == 1:
            return self._waiting[0]
        return pl.concat(self._waiting)

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
        import polars as pl

        for item in self._stored:
            yield pl.read_ipc(item) if isinstance(item, Path) else item

    def close(self) -> None:
        """Forget all frames."""
        self._stored.clear()
        if self._folder is not None:
            self._folder.remove()
