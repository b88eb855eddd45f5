"""What training changes: K hyperplanes, their counters and, if asked for, their lazy averages."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.kernels.filter import weight_norms
from novikoff.kernels.walk import Planes

REMEDY = (
    "Scale the features (for instance with sklearn.preprocessing.MaxAbsScaler), lower eta0 or the "
    "weights"
)


@dataclass
class State:
    """The current hypotheses of a run.

    Attributes
    ----------
    theta : (K, d), offset : (K,)
        The current hypotheses, float32 or float64.
    counts : (K,) int64
        Examples each hyperplane has seen.
    sums : (K, d), offset_sums : (K,), float64 or None
        For the mean of all hypotheses: the sum of count * (theta_new - theta_old) over the updates,
        each with the count of the example that caused it (Daumé 2017, Algorithm 7, corrected).
    constant : 1.0 with an offset, 0.0 through the origin
    """

    theta: NDArray[Any]
    offset: NDArray[Any]
    counts: NDArray[np.int64]
    sums: NDArray[np.float64] | None
    offset_sums: NDArray[np.float64] | None
    constant: float

    @classmethod
    def zeros(
        cls, n_planes: int, width: int, dtype: Any, *, sparse: bool, averaged: bool, constant: float
    ) -> State:
        """All hypotheses zero. See :mod:`novikoff.kernels.rows` for the memory order."""
        order: Any = "F" if sparse else "C"
        return cls(
            np.zeros((n_planes, width), dtype, order=order),
            np.zeros(n_planes, dtype),
            np.zeros(n_planes, np.int64),
            np.zeros((n_planes, width), order=order) if averaged else None,
            np.zeros(n_planes) if averaged else None,
            constant,
        )

    def planes(self) -> Planes:
        """The kernels' view; the arrays are shared."""
        norms = np.empty(len(self.offset))
        weight_norms(self.theta, self.offset, norms)
        return Planes(
            self.theta, self.offset, norms, self.counts, self.sums, self.offset_sums, self.constant
        )

    def mean(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The mean of the start and of the hypotheses after each example: theta - sums / count.

        Sums that overflowed stay infinite or NaN, so to look at the mean is enough to find them.
        """
        assert self.sums is not None
        assert self.offset_sums is not None
        total = 1.0 + self.counts
        with np.errstate(over="ignore", invalid="ignore"):
            theta = self.theta.astype(np.float64) - self.sums / total[:, None]
            offset = self.offset.astype(np.float64) - self.offset_sums / total
        refuse_overflow("The sum of all hypotheses, for their mean,", theta, offset)
        return theta, offset

    def snapshot(self) -> State:
        """A copy that later updates do not change."""
        return self.prepared(self.theta.dtype, sparse=not self.theta.flags.c_contiguous)

    def prepared(self, dtype: Any, *, sparse: bool) -> State:
        """A copy for rows of another kind: memory order for `sparse`, type widened to `dtype`."""
        order: Any = "F" if sparse else "C"
        wide = np.result_type(self.theta.dtype, dtype)
        return State(
            np.array(self.theta, wide, order=order, copy=True),
            self.offset.astype(wide),
            self.counts.copy(),
            None if self.sums is None else np.array(self.sums, order=order, copy=True),
            None if self.offset_sums is None else self.offset_sums.copy(),
            self.constant,
        )

    def resized(self, width: int) -> State:
        """With `width` features: new weights are zero; those cut off must be."""

        def fit(old: NDArray[Any]) -> NDArray[Any]:
            order: Any = "C" if old.flags.c_contiguous else "F"
            new = np.zeros((len(old), width), old.dtype, order=order)
            kept = min(width, old.shape[1])
            new[:, :kept] = old[:, :kept]
            return new

        return replace(
            self, theta=fit(self.theta), sums=None if self.sums is None else fit(self.sums)
        )

    def only(self, k: int) -> State:
        """Hyperplane `k` on its own, copied, without its average."""
        return State(
            np.array(self.theta[k : k + 1], order="C", copy=True),
            self.offset[k : k + 1].copy(),
            self.counts[k : k + 1].copy(),
            None,
            None,
            self.constant,
        )

    def descend(self, ancestors: list[int | None]) -> State:
        """New hyperplanes that continue old ones, or start from zero; see `schemes.ancestors`."""
        return State(
            inherit(self.theta, ancestors),
            inherit(self.offset, ancestors),
            inherit(self.counts, ancestors),
            None if self.sums is None else inherit(self.sums, ancestors),
            None if self.offset_sums is None else inherit(self.offset_sums, ancestors),
            self.constant,
        )


def refuse_overflow(what: str, *arrays: NDArray[Any]) -> None:
    """Raise where one of the `arrays` is not finite, to say that `what` left the range."""
    if not all(np.isfinite(array).all() for array in arrays):
        raise ValueError(f"{what} overflowed float64. {REMEDY}.")


def inherit(old: NDArray[Any], ancestors: list[int | None]) -> NDArray[Any]:
    """One entry per hyperplane: that of its ancestor, or zero where it has none."""
    new = np.zeros((len(ancestors), *old.shape[1:]), old.dtype)
    for k, ancestor in enumerate(ancestors):
        if ancestor is not None:
            new[k] = old[ancestor]
    return new
