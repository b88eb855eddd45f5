"""What was read of a source so far, by a digest: the same however the rows are cut into blocks.

A checkpoint holds it. A run taken up again reads its rows anew, so it costs nothing to see whether
they are still the ones that were learned from.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from novikoff.streams.blocks import RowBlock
from novikoff.training.input import number_classes


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


def _plain(y: NDArray[Any]) -> NDArray[Any]:
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
