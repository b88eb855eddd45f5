"""Rows parsed once, kept on disk as they lie in memory, and read back in every epoch.

The file holds the arrays of one block after the other: values, CSR indices and pointers, class
numbers, weights, norms. It is read with plain reads, not mapped, so that the memory in use stays
that of a few blocks.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
import scipy.sparse as sp

from novikoff.streams.source import RowBlock


class _Entry(NamedTuple):
    """One block in the file: where it starts and the types and lengths of its arrays."""

    place: int
    shape: tuple[int, int]
    arrays: tuple[tuple[np.dtype[Any], int] | None, ...]


class RowCache:
    """Blocks of rows in a file that vanishes when it is closed.

    folder : where to put the file; None for the system's folder for temporary files
    """

    def __init__(self, folder: str | Path | None = None) -> None:
        if folder is not None:
            Path(folder).mkdir(parents=True, exist_ok=True)
        self._file: BinaryIO = tempfile.TemporaryFile(  # noqa: SIM115  closed by close()
            dir=folder, prefix="novikoff-", buffering=0
        )
        self._entries: list[_Entry] = []
        self._end = 0
        self.width = 0  # the most features any block has had
        self.complete = False

    def add(self, rows: RowBlock) -> None:
        """Append a block."""
        X = rows.X
        parts = (X.data, X.indices, X.indptr) if sp.issparse(X) else (X, None, None)
        arrays: list[tuple[np.dtype[Any], int] | None] = []
        place = self._end
        for array in (*parts, rows.y, rows.weights, rows.norms):
            if array is None:
                arrays.append(None)
                continue
            plain = np.ascontiguousarray(array)
            self._write(plain)
            arrays.append((plain.dtype, plain.size))
        self._entries.append(_Entry(place, X.shape, tuple(arrays)))
        self.width = max(self.width, X.shape[1])

    def _write(self, array: Any) -> None:
        view = memoryview(array.reshape(-1).view(np.uint8).data)
        try:
            while view:  # an unbuffered write may take less than it is given
                written = self._file.write(view)
                self._end += written
                view = view[written:]
        except OSError as error:
            raise OSError(
                error.errno,
                f"the cache of parsed rows could not be written ({error.strerror}) after "
                f"{self._end / 1e6:.0f} MB; choose a folder with more room with cache=",
            ) from error

    def blocks(self) -> Iterator[RowBlock]:
        """All blocks in order; the next one is read while the caller works on this one."""
        with ThreadPoolExecutor(1) as reader:
            ahead: Future[RowBlock] | None = None
            for entry in self._entries:
                previous, ahead = ahead, reader.submit(self._read, entry)
                if previous is not None:
                    yield previous.result()
            if ahead is not None:
                yield ahead.result()

    def _read(self, entry: _Entry) -> RowBlock:
        self._file.seek(entry.place)
        values, indices, indptr, y, weights, norms = (
            None if kind is None else self._read_array(*kind) for kind in entry.arrays
        )
        assert values is not None
        assert y is not None
        if indices is None:
            return RowBlock(values.reshape(entry.shape), y, weights, norms)
        # Blocks of a text were cut before its last features were seen.
        X = sp.csr_array((values, indices, indptr), shape=(entry.shape[0], self.width))
        X.has_canonical_format = True
        return RowBlock(X, y, weights, norms)

    def _read_array(self, dtype: np.dtype[Any], size: int) -> Any:
        array = np.empty(size, dtype)
        view = memoryview(array.view(np.uint8).data)
        while view:
            n_read = self._file.readinto(view)  # type: ignore[attr-defined]  # files have it
            if not n_read:
                raise OSError("the cache of parsed rows was cut short while it was in use")
            view = view[n_read:]
        return array

    def close(self) -> None:
        """Remove the file."""
        self._file.close()
