"""The data a certificate speaks of: validated rows and their sides."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.check import digest_of_sides
from novikoff.certificates.clock import Clock
from novikoff.geometry.cells import columns_named
from novikoff.training.input import check_two_classes

if TYPE_CHECKING:
    from novikoff.kernels.rows import Rows


@dataclass(frozen=True)
class Labelled:
    """Rows x_i with sides y_i; z_i stands for y_i (x_i, 1), or y_i x_i through the origin.

    Attributes
    ----------
    X : ndarray or CSR matrix of shape (n, d), in its own type
    y : (n,) int64, -1 and +1
    classes : the labels behind -1 and +1
    fit_intercept : bool
    rows, norms : X as kernels read it, and upper bounds on ||z_i||
    clock : how long questions about the data may take
    asked : the coefficients to judge, the offset's number being d; None for all
    """

    X: Any
    y: NDArray[np.int64]
    classes: NDArray[Any]
    fit_intercept: bool
    rows: Rows
    norms: NDArray[np.float64]
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
    def sparse(self) -> bool:
        return not isinstance(self.X, np.ndarray)

    @cached_property
    def digest(self) -> str:
        return digest_of_sides(self.X, self.y)


def read(X: Any, y: Any, fit_intercept: bool, clock: Clock | None = None) -> Labelled:
    """Validate what a user passed; finite values, two classes, exact doubles."""
    with columns_named(X):
        checked, classes, sides = check_two_classes(X, y)
        return labelled(checked, sides, classes, fit_intercept, clock or Clock())


def labelled(
    X: Any,
    sides: NDArray[np.int64],
    classes: NDArray[Any],
    fit_intercept: bool,
    clock: Clock,
    asked: tuple[int, ...] | None = None,
) -> Labelled:
    """Rows, an array or a CSR matrix, and their sides; refuses values that are not finite."""
    from novikoff.training import matrix

    rows = matrix.as_rows(X)
    norms = matrix.norms_of(rows, X.shape[0], float(fit_intercept))
    found = matrix.as_matrix(rows)
    return Labelled(found, sides, classes, fit_intercept, rows, norms, clock, asked)
