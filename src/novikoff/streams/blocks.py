"""Blocks of rows: put one below the other, made in advance, put into random order, kept on disk.

What does not fit into memory is shuffled by a buffer that is filled, put into random order, and
emptied. One that holds all rows gives the order of ``fit(order="shuffled")``, drawn from the same
random numbers. A smaller one mixes only rows that are near each other: a file sorted by class stays
sorted by class.

What was parsed once is kept on disk as it lies in memory, and read back in every epoch. The file
holds the arrays of one block after the other: values, CSR indices and pointers, class numbers,
weights, norms. Each block, of several that were parsed, is mapped on its own. A short file stays
mapped; of a long one each block is while somebody uses it: nothing is copied, and the memory in use
stays that of a few blocks.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
import scipy.sparse as sp

from novikoff._arrays import Array, Floats
from novikoff._memory import refusal
from novikoff._messages import Message
from novikoff.streams.chunks import ahead

_ARRAYS = 3  # of the size of theta, that training keeps
_ALIGNMENT = 64  # of every array in a cache; of a block, what can be mapped
_TOGETHER = 2**23  # bytes that make a block in the file: what is done around each takes its time
_STAYS = 2**27  # bytes of a file that stays mapped: to map and unmap takes as long as to learn


@dataclass(frozen=True)
class RowBlock:
    """A block of rows: features (array or CSR), labels and, where known, weights and norms."""

    X: Any
    y: Array
    weights: Floats | None = None
    norms: Floats | None = None  # as `matrix.norms_of` gives them

    def __len__(self) -> int:
        return int(self.X.shape[0])

    @property
    def arrays(self) -> tuple[Array | None, ...]:
        """Values, indices and pointers (None of an array), labels, weights and norms."""
        X = self.X
        parts = (X.data, X.indices, X.indptr) if sp.issparse(X) else (X, None, None)
        return (*parts, self.y, self.weights, self.norms)

    def copied(self) -> RowBlock:
        """The same rows in arrays that nobody else has."""
        weights = None if self.weights is None else self.weights.copy()
        norms = None if self.norms is None else self.norms.copy()
        return RowBlock(self.X.copy(), self.y.copy(), weights, norms)

    def part(self, which: Any) -> RowBlock:
        """The rows that a slice or an array of row numbers picks."""
        weights = None if self.weights is None else self.weights[which]
        norms = None if self.norms is None else self.norms[which]
        return RowBlock(self.X[which], self.y[which], weights, norms)


def too_wide(width: int, n_planes: int, given: int | None = None) -> Message | None:
    """Why weights for so many features may not be kept, or None if they may.

    One mistyped index must not fill the memory with weights.
    """
    reason = refusal(_ARRAYS * 8 * width * n_planes, f"weights for {width} features", given=given)
    if reason is None:
        return None
    return Message(
        reason, ". Is its largest index a mistake? Otherwise hash the indices into fewer, for "
        "example modulo 2**24",
    )  # fmt: skip


def widened(X: Any, width: int) -> Any:
    """A CSR array with further features, which none of its rows has; nothing is copied."""
    return sp.csr_array((X.data, X.indices, X.indptr), shape=(X.shape[0], width))


def stacked(parts: Sequence[Any]) -> Any:
    """Arrays, or CSR arrays as wide as the widest of them, one below the other; at least one.

    Blocks of LIBSVM text grow wider as its features turn up.
    """
    if not sp.issparse(parts[0]):
        return np.concatenate(parts)
    width = max(X.shape[1] for X in parts)
    return sp.vstack([widened(X, width) for X in parts], format="csr")


def shuffled(
    blocks: Iterable[RowBlock], size: int, random: np.random.RandomState
) -> Iterator[RowBlock]:
    """The rows of `blocks`, `size` of them at a time in random order, however they were cut."""
    waiting: list[RowBlock] = []
    n_waiting = 0
    for block in blocks:
        while n_waiting + len(block) >= size:
            n_missing = size - n_waiting
            yield _mixed([*waiting, block.part(slice(n_missing))], random)
            block = block.part(slice(n_missing, None))
            waiting, n_waiting = [], 0
        if len(block):
            waiting.append(block)
            n_waiting += len(block)
    if waiting:
        yield _mixed(waiting, random)


def _mixed(blocks: list[RowBlock], random: np.random.RandomState) -> RowBlock:
    rows = joined(blocks)
    return rows.part(random.permutation(len(rows)))


def joined(blocks: list[RowBlock]) -> RowBlock:
    """Blocks one below the other, as one; at least one."""
    if len(blocks) == 1:
        return blocks[0]
    beside = zip(*((block.weights, block.norms) for block in blocks), strict=True)
    return RowBlock(
        stacked([block.X for block in blocks]),
        np.concatenate([block.y for block in blocks]),
        *(None if parts[0] is None else np.concatenate(parts) for parts in beside),
    )


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

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        if folder is not None:
            Path(folder).mkdir(parents=True, exist_ok=True)
        self._file: BinaryIO = tempfile.TemporaryFile(  # noqa: SIM115 - closed by close()
            dir=folder, prefix="novikoff-", buffering=0
        )
        self._waiting: list[RowBlock] = []
        self._n_waiting = 0  # bytes
        self._entries: list[_Entry] = []
        self._end = 0
        self._mapped: list[RowBlock] = []  # all of them, where they stay
        self.complete = False

    def add(self, rows: RowBlock) -> None:
        """Append a block."""
        self._waiting.append(rows)
        self._n_waiting += sum(array.nbytes for array in rows.arrays if array is not None)
        if self._n_waiting >= _TOGETHER:
            self._write_waiting()

    def finish(self) -> None:
        """There are no more blocks: from now on they can be read."""
        if self._waiting:
            self._write_waiting()
        self.complete = True

    def _write_waiting(self) -> None:
        rows = joined(self._waiting)
        self._waiting, self._n_waiting = [], 0
        arrays: list[_Array | None] = []
        self._align(mmap.ALLOCATIONGRANULARITY)
        place = self._end
        for array in rows.arrays:
            if array is None:
                arrays.append(None)
                continue
            plain = np.ascontiguousarray(array)
            self._align(_ALIGNMENT)
            arrays.append(_Array(plain.dtype, plain.size, self._end - place))
            self._write(plain)
        self._entries.append(_Entry(place, rows.X.shape, tuple(arrays), self._end - place))

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
        if self._end > _STAYS:
            return ahead(map(self._read, self._entries))
        self._mapped = self._mapped or [self._read(entry) for entry in self._entries]
        return iter(self._mapped)

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
        width = max(entry.shape[1] for entry in self._entries)
        X = sp.csr_array((values, indices, indptr), shape=(entry.shape[0], width))
        X.has_canonical_format = True
        return RowBlock(X, y, weights, norms)

    def close(self) -> None:
        """Remove the file."""
        self._mapped = []
        self._file.close()
