"""LIBSVM text with rows held out, by the rule that tables use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from novikoff.streams.bytes import Bytes
from novikoff.streams.libsvm import LibsvmText
from novikoff.streams.tables.selection import FEWEST_ROWS, held_out


class _PartOfBytes:
    """Bytes of which only a part is learned from: a checkpoint must tell parts apart."""

    def __init__(self, data: Bytes, part: str) -> None:
        self._data, self._part = data, part

    def __getattr__(self, name: str) -> Any:
        return getattr(self._data, name)

    def fingerprint(self) -> str:
        return f"{self._data.fingerprint()}-{self._part}"


class TextPart(LibsvmText):
    """The rows of LIBSVM text that are held out, or those that are not."""

    def __init__(
        self, data: Bytes, share: float, seed: int, *, held: bool, zero_based: bool = False
    ) -> None:
        part = f"{share!r}-{seed}-{'test' if held else 'train'}{'-from 0' if zero_based else ''}"
        parted: Any = _PartOfBytes(data, part)  # open() is all that is needed
        super().__init__(parted, zero_based=zero_based)
        self.share, self.seed, self.held = share, seed, held

    def blocks(self, **settings: Any) -> Iterator[tuple[Any, Any]]:
        first = 0
        for X, y in super().blocks(**settings):
            rows = np.arange(first, first + len(y))
            first += len(y)
            if self.share == 0.0:
                if not self.held:
                    yield X, y
                continue
            chosen = held_out(rows, self.share, self.seed) == self.held
            if chosen.any():
                yield X[chosen], y[chosen]


def share_to_hold_out(data: Bytes, share: float, *, zero_based: bool = False) -> float:
    """`share`, or none if there are too few rows to spare any."""
    rows = 0
    for _, y in LibsvmText(data, zero_based=zero_based).blocks():
        rows += len(y)
        if rows >= FEWEST_ROWS:
            return share
    return 0.0
