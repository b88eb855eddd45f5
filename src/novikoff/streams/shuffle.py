"""Shuffling what does not fit into memory: a buffer is filled, put into random order, emptied.

A buffer that holds all rows gives the order of ``fit(order="shuffled")``, drawn from the same
random numbers. A smaller one mixes only rows that are near each other: a file sorted by class stays
sorted by class.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from novikoff.streams.blocks import RowBlock, stacked


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
