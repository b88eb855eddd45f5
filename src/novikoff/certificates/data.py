"""The data a certificate speaks of: validated rows and their sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from novikoff._arrays import Bools, Floats, Ints
from novikoff.certificates.check import digest_of_sides
from novikoff.certificates.clock import Clock
from novikoff.geometry.cells import columns_named
from novikoff.geometry.sparse import dense
from novikoff.training import matrix
from novikoff.training.input import check_two_classes

if TYPE_CHECKING:
    from novikoff.kernels.rows import Rows

SMALL = 1_000_000  # numbers
FEW = 1000  # numbers for which fractions take less time than any guess


@dataclass(frozen=True)
class Labelled:
    """Rows x_i with sides y_i; z_i stands for y_i (x_i, 1), or y_i x_i through the origin.

    Attributes
    ----------
    X : ndarray or CSR matrix of shape (n, d), in its own type
    y : (n,) int64, -1 and +1
    fit_intercept : bool
    rows : X as kernels read it
    clock : how long questions about the data may take
    asked : the coefficients to judge, the offset's number being d; None for all
    """

    X: Any
    y: Ints
    fit_intercept: bool
    rows: Rows
    clock: Clock
    asked: tuple[int, ...] | None = None

    @property
    def shape(self) -> tuple[int, int]:
        return self.X.shape[0], self.X.shape[1]

    @property
    def dimension(self) -> int:
        """D, the length of z: one more than the features if there is an offset."""
        return int(self.X.shape[1]) + int(self.fit_intercept)

    @property
    def few(self) -> bool:
        """Whether the numbers are so few that fractions take less time than any guess."""
        return self.shape[0] * self.dimension <= FEW

    @property
    def small(self) -> bool:
        """Whether a regression on some of the rows takes less time than a pass over all."""
        return self.dimension <= self.shape[0] and self.shape[0] * self.dimension <= SMALL

    @property
    def sparse(self) -> bool:
        return not isinstance(self.X, np.ndarray)

    def among(self, rows: Ints, some: Ints) -> Bools:
        """Which of the rows are some of these."""
        there = np.zeros(self.shape[0], bool)
        there[some] = True
        return there[rows]

    def others(self, rows: Ints) -> Ints:
        """All rows but these, in rising order."""
        there = np.ones(self.shape[0], bool)
        there[rows] = False
        return np.flatnonzero(there)

    @cached_property
    def norms(self) -> Floats:
        """Upper bounds on ||z_i||."""
        return matrix.norms_of(self.rows, self.shape[0], float(self.fit_intercept))

    def scores(self, theta: Floats, offset: float = 0.0) -> Floats:
        """(n,): y_i (theta . x_i + offset); the signs are exact."""
        from novikoff.training.prediction import scores

        found = scores(self.rows, self.shape[0], theta[None, :], np.array([offset]))[:, 0]
        return found * self.y

    @cached_property
    def digest(self) -> str:
        return digest_of_sides(self.X, self.y)


def read(X: Any, y: Any, fit_intercept: bool, clock: Clock | None = None) -> Labelled:
    """Validate what a user passed; finite values, two classes, exact doubles."""
    with columns_named(X):
        checked, _, sides = check_two_classes(X, y)
        return labelled(checked, sides, fit_intercept, clock or Clock())


def labelled(
    X: Any, sides: Ints, fit_intercept: bool, clock: Clock, asked: tuple[int, ...] | None = None
) -> Labelled:
    """Rows, an array or a CSR matrix, and their sides; refuses values that are not finite."""
    rows = matrix.as_rows(X)
    matrix.refuse_not_finite(rows, X.shape[0])
    return Labelled(matrix.as_matrix(rows), sides, fit_intercept, rows, clock, asked)


def ranges(X: Any) -> tuple[Floats, Floats]:
    """The smallest and the largest value of every column, without a copy of X."""
    low, high = (dense(end).ravel() for end in (X.min(axis=0), X.max(axis=0)))
    return low.astype(np.float64), high.astype(np.float64)


def scaled_rows(X: Any, factors: Floats) -> Any:
    """Row i of an array, or of a CSR matrix, times factors[i]; columns stay in order."""
    if not sp.issparse(X):
        return factors[:, None] * X
    values = X.data * np.repeat(factors, np.diff(X.indptr))  # a product would reverse the rows
    return sp.csr_array((values, X.indices, X.indptr), X.shape)


def beside(blocks: Sequence[Any]) -> Any:
    """Columns beside each other: an array, or a CSR matrix if any of them is sparse."""
    if any(sp.issparse(block) for block in blocks):
        return sp.csr_array(sp.hstack([sp.csr_array(block) for block in blocks], format="csr"))
    return np.hstack(blocks) if len(blocks) > 1 else blocks[0]
