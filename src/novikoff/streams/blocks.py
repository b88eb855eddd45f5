"""Blocks of rows: put one below the other, made in advance, put into random order.

What does not fit into memory is shuffled by a buffer that is filled, put into random order, and
emptied. One that holds all rows gives the order of ``fit(order="shuffled")``, drawn from the same
random numbers. A smaller one mixes only rows that are near each other: a file sorted by class stays
sorted by class.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import scipy.sparse as sp

from novikoff._arrays import Array, Floats
from novikoff._memory import refusal
from novikoff._messages import Message

Item = TypeVar("Item")
_ARRAYS = 3  # of the size of theta, that training keeps


@dataclass(frozen=True)
class RowBlock:
    """A block of rows: features (array or CSR), labels and, where known, weights and norms."""

    X: Any
    y: Array
    weights: Floats | None = None
    norms: Floats | None = None  # as `matrix.norms_of` gives them

    def __len__(self) -> int:
        return int(self.X.shape[0])

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


def ahead(items: Iterator[Item]) -> Iterator[Item]:
    """The same items in the same order, each made on a thread of its own, one in advance."""
    end = object()
    with ThreadPoolExecutor(1) as maker:
        coming = maker.submit(next, items, end)
        while (item := coming.result()) is not end:
            coming = maker.submit(next, items, end)
            yield item  # type: ignore[misc]  # not the end, hence an item


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
    rows = _together(blocks)
    return rows.part(random.permutation(len(rows)))


def _together(blocks: list[RowBlock]) -> RowBlock:
    if len(blocks) == 1:
        return blocks[0]
    return RowBlock(
        stacked([block.X for block in blocks]),
        np.concatenate([block.y for block in blocks]),
        _joined([block.weights for block in blocks]),
        _joined([block.norms for block in blocks]),
    )


def _joined(parts: list[Any]) -> Any:
    return None if parts[0] is None else np.concatenate(parts)
