"""The rows of a source as a learner takes them: labels numbered, norms taken, parsed once.

What was read so far is known by a digest, the same however the rows are cut into blocks. A
checkpoint holds it. A run taken up again reads its rows anew, so it costs nothing to see whether
they are still the ones that were learned from.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from novikoff._arrays import Array, Floats
from novikoff.streams.blocks import RowBlock, RowCache
from novikoff.streams.chunks import ahead
from novikoff.streams.source import Source
from novikoff.training.input import merge_classes, number_classes
from novikoff.training.matrix import as_rows, norms_of


class NumberedRows:
    """The blocks of a source in file order: from the cache or, the first time, into it.

    cache : where rows are kept for later epochs; None if there are none
    constant : what stands in place of an offset's feature, for the norms
    labels : those met so far; the `y` of a block are their numbers
    width : features seen so far; sparse : whether the last block read was
    read : what was handed out of the source; None unless `watched`, for digests take time
    expected : what a checkpoint says was read before; see `digest.digested`
    """

    def __init__(
        self, source: Source, cache: RowCache | None, constant: float, *, watched: bool = False
    ) -> None:
        self._source = source
        self._cache = cache
        self._constant = constant
        self.labels = LabelNumbers()
        self.width = source.width or 0
        self.sparse = False
        self._watched = watched
        self.read: ReadSoFar | None = None
        self.expected: ReadSoFar | None = None

    @property
    def complete(self) -> bool:
        """Whether all rows are in the cache, so that all labels and features are known."""
        return self._cache is not None and self._cache.complete

    @property
    def recognised(self) -> bool:
        """Whether all rows that a checkpoint knows have been read, and are the same."""
        if self.expected is None:
            return True
        return self.read is not None and self.read.n_rows >= self.expected.n_rows

    def fill(self) -> None:
        """Read all rows into the cache, if they are not there."""
        assert self._cache is not None
        if not self._cache.complete:
            for _ in self.blocks():
                pass

    def blocks(self) -> Iterator[RowBlock]:
        """All of them; the next one is read while the caller works on this one."""
        if self._cache is not None and self._cache.complete:
            yield from self._cache.blocks()
            return
        n_read = 0
        for rows, read in ahead(self._source_blocks()):
            self.read = read
            if not len(rows):
                continue
            self.width = max(self.width, rows.X.shape[1])
            self.sparse = sp.issparse(rows.X)
            coded = replace(rows, y=self.labels.number(rows.y), norms=self._norms(rows, n_read))
            n_read += len(rows)
            if self._cache is not None:
                self._cache.add(coded)
            yield coded
        if self.read is not None:
            self.read = self.read._replace(complete=True)
        if self._cache is not None:
            self._cache.finish()

    def _source_blocks(self) -> Iterator[tuple[RowBlock, ReadSoFar | None]]:
        if self._watched:
            return digested(self._source.blocks(), self.expected)
        return ((rows, None) for rows in self._source.blocks())

    def _norms(self, rows: RowBlock, n_before: int) -> Floats:
        """Taken once, while the rows are checked; every later epoch uses them."""
        try:
            return norms_of(as_rows(rows.X), len(rows), self._constant)
        except ValueError as error:
            raise ValueError(
                f"{self._source.name}, in the {len(rows)} rows from row {n_before}: {error}"
            ) from error


@dataclass
class LabelNumbers:
    """Numbers labels in the order they turn up, which later ones do not change."""

    known: Array | None = None
    counts: list[int] = field(default_factory=list)

    def number(self, y: Array) -> NDArray[np.int32]:
        found, place = number_classes(y)
        if self.known is None:
            self.known = found
        else:
            merge_classes(np.unique(self.known), found)  # refuses labels of another kind
            new = found[~np.isin(found, self.known)]
            self.known = np.concatenate([self.known, new])
        order = np.argsort(self.known, kind="stable")
        numbers = order[np.searchsorted(self.known, found, sorter=order)]
        self.counts += [0] * (len(self.known) - len(self.counts))
        for number, count in zip(numbers, np.bincount(place), strict=True):
            self.counts[number] += int(count)
        return numbers.astype(np.int32)[place]


class ReadSoFar(NamedTuple):
    """How many rows were read, their digest, and whether they are all that there are."""

    n_rows: int
    digest: str
    complete: bool


class OtherRows(Exception):
    """The rows are not those of the checkpoint."""


class RowDigest:
    """The digest of rows in order; of each of their arrays one, for arrays are cut alike."""

    def __init__(self) -> None:
        self.n_rows = 0
        self._arrays = [hashlib.sha256() for _ in range(5)]

    def add(self, rows: RowBlock) -> None:
        """Take in the rows that come next."""
        X = rows.X
        if sp.issparse(X):
            parts = (X.data, X.indices, np.diff(X.indptr))
        else:
            parts = (X, np.zeros(0, np.int64), np.full(len(rows), X.shape[1]))
        weights = np.zeros(0) if rows.weights is None else rows.weights
        for digest, array in zip(self._arrays, (*parts, _plain(rows.y), weights), strict=True):
            digest.update(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
        self.n_rows += len(rows)

    def so_far(self) -> ReadSoFar:
        """What has been taken in."""
        whole = hashlib.sha256(b"".join(digest.digest() for digest in self._arrays))
        return ReadSoFar(self.n_rows, whole.hexdigest(), False)


def _plain(y: Array) -> Array:
    """Labels as numbers, which do not depend on what other labels there are."""
    if y.dtype.kind in "biuf":
        return y
    found, place = number_classes(y)
    codes = [hashlib.sha256(repr(label).encode()).digest()[:8] for label in found.tolist()]
    return np.frombuffer(b"".join(codes), np.uint64)[place]


def digested(
    blocks: Iterator[RowBlock], expected: ReadSoFar | None
) -> Iterator[tuple[RowBlock, ReadSoFar]]:
    """The blocks, each with what has been read at its end; raises `OtherRows` if they are others.

    expected : what was read when the checkpoint was written; None if there was none
    """
    digest = RowDigest()
    for rows in blocks:
        missing = 0 if expected is None else expected.n_rows - digest.n_rows
        if expected is not None and 0 < missing <= len(rows):
            whole = missing == len(rows)
            digest.add(rows if whole else rows.part(slice(missing)))
            if digest.so_far().digest != expected.digest:
                raise OtherRows
            if not whole:
                digest.add(rows.part(slice(missing, None)))
        else:
            digest.add(rows)
        if expected is not None and expected.complete and digest.n_rows > expected.n_rows:
            raise OtherRows
        yield rows, digest.so_far()
    if expected is not None and digest.n_rows < expected.n_rows:
        raise OtherRows
