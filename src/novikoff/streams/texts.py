"""Text whose lines are labelled rows already, of any of the formats in `TEXTS`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from novikoff.streams.blocks import RowBlock
from novikoff.streams.bytes import Bytes, StreamError, recognise


class RowText:
    """Rows of numbers with labels, as text.

    data : the text; names : those of the features so far, where they have names
    unknown : how many values were left out because their features are not among those asked for
    """

    data: Bytes
    names: Sequence[str] | None = None
    unknown: int = 0

    def blocks(self) -> Iterator[tuple[Any, Any]]:
        """The rows, some thousands at a time and in file order, as pairs (X, y)."""
        raise NotImplementedError("every format says so itself")

    def weighted(self) -> Iterator[RowBlock]:
        """The same with their weights, where they have any."""
        for X, y in self.blocks():
            yield RowBlock(X, y)

    def rows(self) -> Iterator[RowBlock]:
        """The same without the rows of weight zero: those that are learned from."""
        for block in self.weighted():
            known = block.weights
            yield block if known is None or known.all() else block.part(np.flatnonzero(known))


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
            raise StreamError(
                "the features of Vowpal Wabbit's text have names; zero_based can only be said of "
                "LIBSVM text. Leave it out",
                file=data.name,
            )
        return VowpalText(data, names=names, labelled=labelled)
    from novikoff.streams.libsvm import LibsvmText

    return LibsvmText(data, zero_based=zero_based)
