"""Rows that contradict each other: equal, on different sides. Their z cancel, two by two."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from novikoff._arrays import Ints
from novikoff.certificates.data import Labelled
from novikoff.certificates.whole import row

BLOCK = 1 << 16  # values that are hashed at a time
MIX = np.uint64(0x9E3779B97F4A7C15)


class Opposites:
    """Pairs of rows that are equal, on different sides; of rows that repeat, one.

    Attributes
    ----------
    rows : (k,) rows of either side that have an opposite
    """

    def __init__(self, data: Labelled) -> None:
        self._data = data
        hashes = _hashes(data) if _some_repeat(data) else np.arange(len(data.y))
        order = np.argsort(hashes, kind="stable")[::-1]
        kinds = np.zeros(len(order), np.int64)  # of rows that are equal, numbered
        np.cumsum(hashes[order[1:]] != hashes[order[:-1]], out=kinds[1:])
        firsts = np.full((2, len(order)), -1)
        firsts[(data.y[order] > 0).astype(np.int64), kinds] = order  # the last to be written stays
        low, high = firsts[:, (firsts >= 0).all(axis=0)]
        self.rows = np.concatenate([low, high])
        self._partners = np.concatenate([high, low])
        order = np.argsort(self.rows)
        self.rows, self._partners = self.rows[order], self._partners[order]

    def of(self, i: int) -> int | None:
        """The row that row i contradicts, if it is known to have one."""
        k = int(np.searchsorted(self.rows, i))
        if k == len(self.rows) or self.rows[k] != i:
            return None
        j = int(self._partners[k])
        equal = zip(row(self._data, i), row(self._data, j), strict=True)
        return j if all(np.array_equal(a, b) for a, b in equal) else None

    def pair(self) -> list[int] | None:
        """Two rows that contradict each other, if there are any."""
        for i in self.rows[self._data.y[self.rows] > 0].tolist():
            j = self.of(i)
            if j is not None:
                return [j, i]
        return None

    def beside(self, rows: Ints) -> list[int] | None:
        """The rows and all their opposites; None if one of them has none."""
        found: dict[int, None] = dict.fromkeys(rows.tolist())
        for i in rows.tolist():
            j = self.of(i)
            if j is None:
                return None
            found[j] = None
        return list(found)


def _some_repeat(data: Labelled) -> bool:
    """Whether rows may be equal: not if all values of a column are different."""
    if data.sparse or data.shape[1] == 0:
        return True
    column = np.sort(data.X[:, 0])
    return bool((column[1:] == column[:-1]).any())


def _hashes(data: Labelled) -> NDArray[np.uint64]:
    """A number for every row, the same for equal rows and hardly ever for others."""
    values, indices, indptr, width = data.rows
    factors = np.random.RandomState(0).randint(1, 2**63, data.shape[1], np.uint64) | np.uint64(1)
    hashes = np.zeros(data.shape[0], np.uint64)
    step = max(1, BLOCK * data.shape[0] // max(1, len(values)))
    for begin in range(0, data.shape[0], step):
        end = min(begin + step, data.shape[0])
        part = slice(begin * width, end * width) if indptr is None else slice(*indptr[[begin, end]])
        bits = (values[part].astype(np.float64) + 0.0).view(np.uint64) * MIX
        bits ^= bits >> np.uint64(32)  # the low bits of small whole numbers are all zero
        if indptr is None:
            hashes[begin:end] = (bits.reshape(-1, width) * factors).sum(axis=1, dtype=np.uint64)
        else:
            sums = np.cumsum(bits * factors[indices[part]], dtype=np.uint64)
            ends = np.append(np.uint64(0), sums)[indptr[begin : end + 1] - indptr[begin]]
            hashes[begin:end] = np.diff(ends)
    return hashes
