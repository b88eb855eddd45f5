"""What is learned from: rows with their classes and weights."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.kernels.rows import Rows
from novikoff.kernels.walk import Examples
from novikoff.training import matrix
from novikoff.training.sketches import Drawing, prepare

Held = tuple[Rows, NDArray[np.float64], NDArray[np.int64]]


@dataclass(frozen=True)
class Problem:
    """Rows with their classes and weights; `visited` numbers those that are learned from."""

    rows: Rows
    examples: Examples
    weights: NDArray[np.float64]  # (n,) class weight times sample weight
    visited: NDArray[np.int64]
    drawing: Drawing
    dtype: np.dtype[Any]  # of theta

    @property
    def sparse(self) -> bool:
        return self.rows.indices is not None

    @property
    def mean_length(self) -> float:
        """How many values a row has, on average."""
        return float(self.rows.values.size / max(1, len(self.weights)))

    def without(self, learn: NDArray[np.int64], check: NDArray[np.int64]) -> tuple[Problem, Held]:
        """Learn from rows `learn` only; (rows, norms, classes) of the rows `check`, copied."""
        held = (
            matrix.take(self.rows, check),
            self.examples.norms[check],
            self.examples.labels[check],
        )
        return replace(self, visited=learn), held


def build_problem(
    rows: Rows,
    codes: NDArray[np.int64],
    class_weights: NDArray[np.float64],
    sample_weights: NDArray[np.float64] | None,
    used: NDArray[np.int64],
    dtype: np.dtype[Any],
    *,
    rule: Any,
    constant: float,
    n_planes: int,
    max_iter: int,
    norms: NDArray[np.float64] | None = None,
) -> Problem:
    """From validated input to a problem.

    used : the rows of positive weight; dtype : of theta
    norms : of the rows, as `matrix.norms_of` gives them, where they are known
    """
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        sizes = (rule.size * class_weights)[codes]
        weights = class_weights[codes]
        if sample_weights is not None:
            sizes *= sample_weights
            weights *= sample_weights
        rounded = sizes.astype(dtype, copy=False) if rule.IS_STEP else sizes
    good = (rounded > 0) & (np.isfinite(rounded) | np.isinf(rule.size))
    if not good.all() and not good[used].all():
        bad = used[~good[used]][0]
        raise ValueError(
            f"{rule.SIZE} times the weights of row {bad} is {sizes[bad]}, which is {rounded[bad]} "
            f"in {rounded.dtype}: use a more moderate {rule.SIZE} or weights."
        )
    drawing = Drawing.none()
    if norms is None:
        rows, norms, drawing = prepare(
            rows, len(codes), constant, max_iter=max_iter, n_planes=n_planes
        )
    longest = rows.width if rows.indptr is None else int(np.diff(rows.indptr).max(initial=0))
    return Problem(
        rows, Examples(codes, sizes, norms, longest), weights, used, drawing, np.dtype(dtype)
    )
