"""Text whose lines are labelled rows already, in any of the formats of `TEXTS`; and parts of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from novikoff.streams.blocks import RowBlock
from novikoff.streams.bytes import Bytes, recognise
from novikoff.streams.tables.frames import FEWEST_ROWS, held_out


class RowText:
    """Rows of numbers with labels, as text; each format has its own `weighted`.

    data : the text; names : those of the features so far, where they have names
    unknown : how many values were left out because their features are not among those asked for
    """

    data: Bytes
    names: Sequence[str] | None = None
    unknown: int = 0

    def blocks(self) -> Iterator[tuple[Any, Any]]:
        """The rows, some thousands at a time and in file order, as pairs (X, y)."""
        for block in self.weighted():
            yield block.X, block.y

    def weighted(self) -> Iterator[RowBlock]:
        """The same with their weights, where they have any."""
        raise NotImplementedError("every format reads its own")

    def rows(self) -> Iterator[RowBlock]:
        """The same without the rows of weight zero: those that are learned from."""
        for block in self.weighted():
            known = block.weights
            yield block if known is None or known.all() else block.part(np.flatnonzero(known))

    def fingerprint(self) -> str:
        """What a checkpoint remembers the rows by."""
        return self.data.fingerprint()


def open_text(
    data: Bytes,
    *,
    zero_based: bool = False,
    names: Sequence[str] | None = None,
    labelled: bool = True,
) -> RowText:
    """Make text ready to be read.

    zero_based : whether the first feature of LIBSVM text is 0
    names : the features of a model, where they have names; others are left out then
    labelled : whether every row must have a label; LIBSVM text has no other rows
    """
    if recognise(data) == "vw":
        from novikoff.streams.vowpal import VowpalText

        if zero_based:
            raise data.error(
                "the features of Vowpal Wabbit's text have names; zero_based can only be said of "
                "LIBSVM text. Leave it out"
            )
        return VowpalText(data, names=names, labelled=labelled)
    from novikoff.streams.libsvm import LibsvmText

    return LibsvmText(data, zero_based=zero_based)


class TextPart(RowText):
    """The rows of a text that are held out, or those that are not."""

    def __init__(self, text: RowText, share: float, seed: int, *, held: bool, read: str) -> None:
        """`read` says how the text is read, where there is a choice."""
        self.data = text.data
        self.text, self.share, self.seed, self.held, self._read = text, share, seed, held, read

    @property
    def names(self) -> Sequence[str] | None:  # type: ignore[override]  # grows while it is read
        return self.text.names

    def fingerprint(self) -> str:
        part = "test" if self.held else "train"
        return f"{self.text.fingerprint()}-{self.share!r}-{self.seed}-{part}{self._read}"

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


def share_to_hold_out(text: RowText, share: float) -> float:
    """`share`, or none if there are too few rows to spare any."""
    rows = 0
    for block in text.rows():
        rows += len(block)
        if rows >= FEWEST_ROWS:
            return share
    return 0.0
