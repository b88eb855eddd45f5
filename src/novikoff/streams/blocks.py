"""Blocks of rows, and how they are put one below the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray


@dataclass(frozen=True)
class RowBlock:
    """A block of rows: features (array or CSR), labels and, where known, weights and norms."""

    X: Any
    y: NDArray[Any]
    weights: NDArray[np.float64] | None = None
    norms: NDArray[np.float64] | None = None  # as `matrix.norms_of` gives them

    def __len__(self) -> int:
        return int(self.X.shape[0])

    def part(self, which: Any) -> RowBlock:
        """The rows that a slice or an array of row numbers picks."""
        weights = None if self.weights is None else self.weights[which]
        norms = None if self.norms is None else self.norms[which]
        return RowBlock(self.X[which], self.y[which], weights, norms)


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
