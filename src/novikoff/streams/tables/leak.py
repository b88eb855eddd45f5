"""A column that alone tells the classes apart: most often a copy of the target in other words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from novikoff._messages import Message, Setting
from novikoff.streams.tables.options import Decision

if TYPE_CHECKING:
    from novikoff.streams.tables.counts import Counts

__all__ = ["Intervals", "categories_determine", "decision"]


class Intervals:
    """The interval that each class's values of a numeric column span, while they are apart.

    A missing cell is a value of its own: it too may occur with one class only.
    """

    def __init__(self, n_classes: int) -> None:
        self._lows = np.full(n_classes, np.inf)
        self._highs = np.full(n_classes, -np.inf)
        self._counts = np.zeros(n_classes, np.int64)
        self._missing: set[int] = set()  # classes of rows whose cell is missing
        self._overlap = n_classes < 2

    def add(self, values: NDArray[np.float64], classes: NDArray[np.int64]) -> None:
        """Widen the intervals; nothing is done once two of them overlap: they always will."""
        if self._overlap:
            return
        from novikoff.kernels.sums import extend_intervals

        before = self._counts.sum()
        extend_intervals(values, classes, self._lows, self._highs, self._counts)
        if self._counts.sum() - before < len(values):
            self._missing.update(classes[np.isnan(values)].tolist())
        order = np.argsort(self._lows, kind="stable")
        order = order[self._counts[order] > 0]
        overlap = bool((self._highs[order[:-1]] >= self._lows[order[1:]]).any())
        self._overlap = overlap or len(self._missing) > 1

    def apart(self, n_rows: NDArray[np.int64]) -> bool:
        """Whether every class that has rows has values, and no two share a stretch of numbers.

        n_rows : rows of each class. One row of each is always apart, and says nothing.
        """
        with_cells = self._counts > 0
        with_cells[list(self._missing)] = True
        seen = with_cells == (n_rows > 0)
        several = (n_rows > 0).sum() > 1 and (self._counts > 1).any()
        return bool(seen.all() and several) and not self._overlap


def categories_determine(counts: Counts) -> bool:
    """Whether every category occurs with one class only.

    Only if most rows are of categories that occur twice or more: one that occurs once is always
    pure, and a column of hardly repeated names would be so by chance.
    """
    table = counts.table
    if counts.forgotten or table.height < 2 or (table["low"] != table["high"]).any():
        return False
    if table["low"].min() == table["high"].max():
        return False
    n_rows, n_once = table["n"].sum(), int((table["n"] == 1).sum())
    return 2 * n_once <= n_rows and n_once < n_rows


def decision(column: str, target: str) -> Decision:
    text = f"{column} determines {target}: a copy? "
    return Decision("leak", column, Message(text, Setting("drop", (column,))))
