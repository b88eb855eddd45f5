"""Text of labelled rows, some of them held out by the rule that tables use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from novikoff.streams.blocks import RowBlock
from novikoff.streams.bytes import Bytes
from novikoff.streams.tables.selection import FEWEST_ROWS, held_out
from novikoff.streams.texts import RowText


class _PartOfBytes:
    """Bytes of which only a part is learned from: a checkpoint must tell parts apart."""

    def __init__(self, data: Bytes, part: str) -> None:
        self._data, self._part = data, part

    def __getattr__(self, name: str) -> Any:
        return getattr(self._data, name)

    def fingerprint(self) -> str:
        return f"{self._data.fingerprint()}-{self._part}"


class TextPart(RowText):
    """The rows of a text that are held out, or those that are not."""

    def __init__(self, text: RowText, share: float, seed: int, *, held: bool, read: str) -> None:
        """`read` says how the text is read, where there is a choice."""
        part = f"{share!r}-{seed}-{'test' if held else 'train'}{read}"
        parted: Any = _PartOfBytes(text.data, part)  # open() is all that is needed
        self.data = parted
        self.text, self.share, self.seed, self.held = text, share, seed, held

    @property
    def names(self) -> Sequence[str] | None:  # type: ignore[override]  # grows while it is read
        return self.text.names

    def weighted(self) -> Iterator[RowBlock]:
        first = 0
        for block in self.text.rows():
            rows = np.arange(first, first + len(block))
            first += len(block)
            if self.share == 0.0:
                if not self.held:
                    yield block
                continue
            chosen = held_out(rows, self.share, self.seed) == self.held
            if chosen.any():
                yield block.part(chosen)

    def blocks(self) -> Iterator[tuple[Any, Any]]:
        for block in self.weighted():
            yield block.X, block.y


def share_to_hold_out(text: RowText, share: float) -> float:
    """`share`, or none if there are too few rows to spare any."""
    rows = 0
    for block in text.rows():
        rows += len(block)
        if rows >= FEWEST_ROWS:
            return share
    return 0.0
