"""Rows parsed once, kept on disk as they lie in memory, and read back in every epoch.

The file holds the arrays of one block after the other: values, CSR indices and pointers, class
numbers, weights, norms. Each block is mapped on its own and only while somebody uses it: nothing is
copied, and the memory in use stays that of a few blocks.
"""

from __future__ import annotations

import mmap
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
import scipy.sparse as sp

from novikoff.streams.blocks import RowBlock, ahead

_ALIGNMENT = 64  # of every array; of a block, what can be mapped


class _Array(NamedTuple):
    """An array in the file."""

    dtype: np.dtype[Any]
    size: int
    place: int  # bytes after the beginning of its block


class _Entry(NamedTuple):
    """One block in the file."""

    place: int
    shape: tuple[int, int]
    arrays: tuple[_Array | None, ...]
    n_bytes: int


class RowCache:
    """Blocks of rows in a file that vanishes when it is closed.

    folder : where to put the file; None for the system's folder for temporary files
    """

    def __init__(self, folder: str | Path | None = None) -> None:
        if folder is not None:
            Path(folder).mkdir(parents=True, exist_ok=True)
        self._file: BinaryIO = tempfile.TemporaryFile(  # noqa: SIM115 - closed by close()
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
        arrays: list[_Array | None] = []
        self._align(mmap.ALLOCATIONGRANULARITY)
        place = self._end
        for array in (*parts, rows.y, rows.weights, rows.norms):
            if array is None:
                arrays.append(None)
                continue
            plain = np.ascontiguousarray(array)
            self._align(_ALIGNMENT)
            arrays.append(_Array(plain.dtype, plain.size, self._end - place))
            self._write(plain)
        self._entries.append(_Entry(place, X.shape, tuple(arrays), self._end - place))
        self.width = max(self.width, X.shape[1])

    def _align(self, unit: int) -> None:
        self._write(np.zeros(-self._end % unit, np.uint8))

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
        return ahead(map(self._read, self._entries))

    def _read(self, entry: _Entry) -> RowBlock:
        # Kernels are compiled for arrays that may be written to; nobody does.
        block = mmap.mmap(
            self._file.fileno(), entry.n_bytes, access=mmap.ACCESS_WRITE, offset=entry.place
        )
        bytes_ = np.frombuffer(block, np.uint8)
        bytes_[:: mmap.PAGESIZE].max()  # brings it into memory here, in the reading thread
        values, indices, indptr, y, weights, norms = (
            None if array is None else np.frombuffer(block, array.dtype, array.size, array.place)
            for array in entry.arrays
        )
        assert values is not None
        assert y is not None
        if indices is None:
            return RowBlock(values.reshape(entry.shape), y, weights, norms)
        # Blocks of a text were cut before its last features were seen.
        X = sp.csr_array((values, indices, indptr), shape=(entry.shape[0], self.width))
        X.has_canonical_format = True
        return RowBlock(X, y, weights, norms)

    def close(self) -> None:
        """Remove the file."""
        self._file.close()
