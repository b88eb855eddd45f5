"""What is learned from: rows with their classes, steps and weights."""

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
    """Rows with their classes, steps and weights; `visited` numbers those that are learned from."""

    rows: Rows
    examples: Examples
    weights: NDArray[np.float64]  # (n,) class weight times sample weight
    visited: NDArray[np.int64]
    drawing: Drawing

    def without(self, learn: NDArray[np.int64], check: NDArray[np.int64]) -> tuple[Problem, Held]:
        """Learn from rows `learn` only; (rows, norms, classes) of the rows `check`, copied."""
        held = (
            matrix.take(self.rows, check),
            self.examples.norms[check],
            self.examples.labels[check],
        )
        return replace(self, visited=learn), held


def build_problem(
    X: Any,
    codes: NDArray[np.int64],
    class_weights: NDArray[np.float64],
    sample_weights: NDArray[np.float64] | None,
    used: NDArray[np.int64],
    dtype: np.dtype[Any],
    *,
    eta: float,
    constant: float,
    n_planes: int,
    max_iter: int,
    norms: NDArray[np.float64] | None = None,
) -> Problem:
    """From validated input to a problem; the step is rounded to theta's type, `dtype`, here.

    used : the rows of positive weight
    norms : of the rows, as `matrix.norms_of` gives them, where they are known
    """
    with np.errstate(over="ignore", under="ignore"):
        exact = (eta * class_weights)[codes]
        weights = class_weights[codes]
        if sample_weights is not None:
            exact *= sample_weights
            weights *= sample_weights
        steps = exact.astype(dtype, copy=False)
    good = (steps > 0) & np.isfinite(steps)
    if not good.all() and not good[used].all():
        bad = used[~good[used]][0]
        raise ValueError(
            f"The step of row {bad}, eta0 times its weights, is {exact[bad]}, which is "
            f"{steps[bad]} in {np.dtype(dtype)}: use a more moderate eta0 or weights."
        )
    rows, drawing = matrix.as_rows(X), Drawing.none()
    if norms is None:
        rows, norms, drawing = prepare(
            rows, len(codes), constant, max_iter=max_iter, n_planes=n_planes
        )
    return Problem(rows, Examples(codes, steps, norms), weights, used, drawing)
