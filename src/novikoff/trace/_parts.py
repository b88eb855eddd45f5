"""What a trace is made of besides its updates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff._arrays import Array, Floats, Ints
from novikoff.geometry.sparse import dense

if TYPE_CHECKING:
    from novikoff.kernels.rows import Rows

_MOST_NUMBERS = 2**20  # compared at a time

RULES = {"mistake": "y·s ≤ β", "sign": "h(x) ≠ y", "correct": "y·s < β"}


@dataclass(frozen=True, eq=False)
class Examples:
    """The rows a run learned from, and on which side of its hyperplane each should lie.

    Attributes
    ----------
    X : ndarray or scipy.sparse.csr_array of shape (n, d)
        In its own type. The traces of several hyperplanes of one run share it.
    side : (n,) int8
        -1 or +1; 0 for a row that took no part: of another class (one-vs-one), of weight zero, or
        held out for validation.
    """

    X: Any
    side: NDArray[np.int8]

    @property
    def rows(self) -> Rows:
        """X as the kernels read it."""
        from novikoff.training.matrix import as_rows

        return as_rows(self.X)

    def refuse_others(self, X: Any, numbers: Ints) -> None:
        """Raise if X has other values than these examples in one of the rows `numbers`."""
        given = X.tocsr() if hasattr(X, "tocsr") else np.asarray(X)
        if given is self.X:
            return
        size = max(1, _MOST_NUMBERS // self.X.shape[1])
        for first in range(0, len(numbers), size):
            block = numbers[first : first + size]
            equal = (dense(self.X[block]) == dense(given[block])).all(axis=1)
            if not equal.all():
                raise ValueError(
                    f"X is not what this run was on: row {block[~equal][0]} differs. Pass the X "
                    "that was fitted (scaled, if the model is the last step of a pipeline), or "
                    "none, since the trace has it."
                )

    @property
    def used(self) -> Ints:
        """The rows that took part."""
        return np.flatnonzero(self.side)


class Replacements(NamedTuple):
    """Which hypotheses went into the pocket, in order; the last of them is `coef_`.

    k : (m,) int64
        How many updates had made the hypothesis; 0 is the start, which is always the first.
    error : (m,) float64
        Its training error, the total weight (a count, without weights) of the examples with
        y s <= 0. Exactly it falls strictly; as rounded here two may be the same double.
    """

    k: Ints
    error: Floats


def checked_rows(X: Any, width: int, highest_row: int) -> Rows:
    """Rows passed by a user, if a run of `width` features up to `highest_row` can be on them."""
    from novikoff.training.input import unrounded
    from novikoff.training.matrix import as_rows, norms_of

    X = unrounded(X)
    X = X if hasattr(X, "tocsr") else np.asarray(X)
    rows = as_rows(X)
    if rows.width != width:
        raise ValueError(f"X has {rows.width} features; the run was on {width}.")
    n_rows = X.shape[0]
    if n_rows <= highest_row:
        raise ValueError(
            f"X has {n_rows} rows, but row {highest_row} took part in the run: pass the X that was "
            "fitted."
        )
    norms_of(rows, n_rows, 1.0)  # refuses what fit would have refused
    return rows


def sides_of(y: Array, classes: tuple[str, str], row: Ints, side: Array) -> NDArray[np.int8]:
    """-1, +1 or 0 for every label, given the two sides' labels as text; sides are taken as such.

    -1, 0 and +1 may be either. They are sides, unless the run has some `row` on another `side` and
    agrees with them as labels.
    """
    labels = _sides_of_labels(y, classes)
    if not (y.dtype.kind in "if" and set(np.unique(y).tolist()) <= {-1, 0, 1} and -1 in y):
        return labels
    sides = y.astype(np.int8)
    fits = y.ndim == 1 and row.max(initial=-1) < len(y)
    if fits and np.any(sides[row] != side) and np.all(labels[row] == side):
        return labels
    return sides


def _sides_of_labels(y: Array, classes: tuple[str, str]) -> NDArray[np.int8]:
    negative, positive = classes
    text = np.array([str(label) for label in y.tolist()]).reshape(y.shape)
    side = np.where(text == negative, -1, 0) if negative != "rest" else np.full(y.shape, -1)
    side[text == positive] = 1
    return side.astype(np.int8)
