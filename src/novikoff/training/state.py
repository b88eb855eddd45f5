"""What training changes: K hyperplanes, their counters, and what is kept beside them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.kernels.filter import weight_norms
from novikoff.kernels.walk import Planes

Arrays = dict[str, NDArray[Any]]

REMEDY = (
    "Scale the features (for instance with sklearn.preprocessing.MaxAbsScaler), lower eta0, C or "
    "the weights"
)


@dataclass(eq=False)
class State:
    """The current hypotheses of a run.

    Attributes
    ----------
    theta : (K, d), offset : (K,)
        The current hypotheses, float32 or float64.
    counts : (K,) int64
        Examples each hyperplane has seen.
    beside : dict
        Named arrays that are kept beside theta, (K, d) float64, each followed by the offset's part,
        (K,), whose name ends in "_offset". "sums", for the mean of all hypotheses: the sum of
        count * (theta_new - theta_old) over the updates, each with the count of the example that
        caused it (Daumé 2017, Algorithm 7, corrected). Others belong to a rule (`Extra`).
    constant : 1.0 with an offset, 0.0 through the origin
    """

    theta: NDArray[Any]
    offset: NDArray[Any]
    counts: NDArray[np.int64]
    constant: float
    beside: Arrays = field(default_factory=dict)

    @classmethod
    def begin(
        cls,
        n_planes: int,
        width: int,
        dtype: Any,
        *,
        sparse: bool,
        constant: float,
        beside: dict[str, float],
    ) -> State:
        """All hypotheses zero. See :mod:`novikoff.kernels.rows` for the memory order.

        beside : the name and the start of each array that is kept beside theta
        """
        order: Any = "F" if sparse else "C"
        arrays: Arrays = {}
        for name, start in beside.items():
            arrays[name] = np.full((n_planes, width), start, order=order)
            arrays[f"{name}_offset"] = np.full(n_planes, start)
        return cls(
            np.zeros((n_planes, width), dtype, order=order),
            np.zeros(n_planes, dtype),
            np.zeros(n_planes, np.int64),
            constant,
            arrays,
        )

    def planes(self) -> Planes:
        """The kernels' view; the arrays are shared."""
        norms = np.empty(len(self.offset))
        weight_norms(self.theta, self.offset, norms)
        return Planes(
            self.theta, self.offset, norms, self.counts, self.extra, self.beside.get("sums"),
            self.beside.get("sums_offset"), self.constant,
        )  # fmt: skip

    @property
    def extra(self) -> tuple[NDArray[Any], ...]:
        """What the rule keeps, as the kernels take it."""
        return tuple(a for name, a in self.beside.items() if name not in ("sums", "sums_offset"))

    @property
    def hypothesis(self) -> tuple[Any, ...]:
        """(theta, offset, extra, constant): what an update changes, as the kernels replay it."""
        return self.theta, self.offset, self.extra, self.constant

    def hyperplanes(self, rule: Any) -> tuple[NDArray[Any], NDArray[Any]]:
        """theta and offset that the current hypotheses predict with, by their rule."""
        if rule.HYPERPLANE is None:
            return self.theta, self.offset
        theta, offset = rule.HYPERPLANE(self.theta, self.offset, *self.extra)
        return theta, offset

    def mean(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The mean of the start and of the hypotheses after each example: theta - sums / count.

        Sums that overflowed stay infinite or NaN, so to look at the mean is enough to find them.
        """
        total = 1.0 + self.counts
        with np.errstate(over="ignore", invalid="ignore"):
            theta = self.theta - self.beside["sums"] / total[:, None]
            offset = self.offset - self.beside["sums_offset"] / total
        refuse_overflow("The sum of all hypotheses, for their mean,", theta, offset)
        return theta, offset

    def mapped(self, change: Callable[[NDArray[Any]], NDArray[Any]]) -> State:
        """With every array changed alike."""
        beside = {name: change(array) for name, array in self.beside.items()}
        return State(
            change(self.theta), change(self.offset), change(self.counts), self.constant, beside
        )

    def snapshot(self) -> State:
        """A copy that later training does not touch."""
        return self.mapped(lambda array: array.copy(order="K"))

    def prepared(self, dtype: Any, *, sparse: bool) -> State:
        """A copy for rows of another kind: memory order for `sparse`, type widened to `dtype`."""
        order: Any = "F" if sparse else "C"
        wide = np.result_type(self.theta.dtype, dtype)
        copy = self.mapped(lambda array: np.array(array, order=order, copy=True))
        theta, offset = copy.theta.astype(wide, copy=False), copy.offset.astype(wide, copy=False)
        return replace(copy, theta=theta, offset=offset)

    def resized(self, width: int, starts: dict[str, float]) -> State:
        """With `width` features, the new ones as at the start; those cut off must be.

        starts : of the arrays beside theta, where it is not zero
        """

        def fit(old: NDArray[Any], start: float = 0.0) -> NDArray[Any]:
            if old.ndim == 1:
                return old
            order: Any = "C" if old.flags.c_contiguous else "F"
            new = np.full((len(old), width), start, old.dtype, order=order)
            kept = min(width, old.shape[1])
            new[:, :kept] = old[:, :kept]
            return new

        beside = {name: fit(array, starts.get(name, 0.0)) for name, array in self.beside.items()}
        return replace(self, theta=fit(self.theta), beside=beside)

    def only(self, k: int) -> State:
        """Hyperplane `k` on its own, copied, without its average."""
        one = self.mapped(lambda array: np.array(array[k : k + 1], order="C", copy=True))
        for name in ("sums", "sums_offset"):
            one.beside.pop(name, None)
        return one

    def descend(self, ancestors: list[int | None], starts: dict[str, float]) -> State:
        """New hyperplanes that continue old ones, or start afresh; see `schemes.ancestors`.

        starts : as in `resized`
        """
        new = self.mapped(lambda array: inherit(array, ancestors))
        fresh = [k for k, ancestor in enumerate(ancestors) if ancestor is None]
        for name, start in starts.items():
            new.beside[name][fresh] = new.beside[f"{name}_offset"][fresh] = start
        return new


def starts_of(rule: Any, *, averaged: bool = False) -> dict[str, float]:
    """The arrays that a run keeps beside theta, by name, and what their numbers are at first."""
    starts = {extra.name: extra.start for extra in rule.EXTRA}
    return {"sums": 0.0, **starts} if averaged else starts


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
