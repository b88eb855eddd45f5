"""What training changes: K hyperplanes, their counters, and what is kept beside them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from novikoff._arrays import Array, Floats, Ints
from novikoff._memory import machine, shown
from novikoff._messages import Message
from novikoff.kernels.exact import N_LIMBS
from novikoff.kernels.filter import weight_norms
from novikoff.kernels.rules import Extra
from novikoff.kernels.walk import Planes
from novikoff.training.schemes import FEWER_PLANES

Arrays = dict[str, Array]

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
        Named arrays that are kept beside theta, as `Extra` describes them. "sums" and
        "sums_offset", for the mean of all hypotheses: the sum of count * (theta_new - theta_old)
        over the updates, each with the count of the example that caused it (Daumé 2017, Algorithm
        7, corrected). Others belong to a rule.
    constant : 1.0 with an offset, 0.0 through the origin
    """

    theta: Array
    offset: Array
    counts: Ints
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
        beside: tuple[Extra, ...],
    ) -> State:
        """All hypotheses zero. See :mod:`novikoff.kernels.rows` for the memory order.

        beside : what is kept beside theta
        """
        order: Any = "F" if sparse else "C"
        _refuse_weights(n_planes, width, np.dtype(dtype).itemsize)
        arrays: Arrays = {}
        for extra in beside:
            arrays |= _begun(extra, n_planes, width, order)
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
    def extra(self) -> tuple[Array, ...]:
        """What the rule keeps, as the kernels take it."""
        return tuple(a for name, a in self.beside.items() if name not in ("sums", "sums_offset"))

    @property
    def hypothesis(self) -> tuple[Any, ...]:
        """What an update changes, the constant and scratch space, as the kernels replay it."""
        return self.theta, self.offset, self.extra, self.constant, np.empty(N_LIMBS, np.int64)

    def mean(self) -> tuple[Floats, Floats]:
        """The mean of the start and of the hypotheses after each example: theta - sums / count.

        Sums that overflowed stay infinite or NaN, so to look at the mean is enough to find them.
        """
        total = 1.0 + self.counts
        with np.errstate(over="ignore", invalid="ignore"):
            theta = self.theta - self.beside["sums"] / total[:, None]
            offset = self.offset - self.beside["sums_offset"] / total
        refuse_overflow("The sum of all hypotheses, for their mean,", theta, offset)
        return theta, offset

    def mapped(self, change: Callable[[Array], Array]) -> State:
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
        # Matrices lie in C order always.
        copy = self.mapped(lambda a: np.array(a, order=order if a.ndim < 3 else "C", copy=True))
        theta, offset = copy.theta.astype(wide, copy=False), copy.offset.astype(wide, copy=False)
        return replace(copy, theta=theta, offset=offset)

    def resized(self, width: int, beside: tuple[Extra, ...]) -> State:
        """With `width` features, the new ones as at the start; those cut off must be.

        beside : what is kept beside theta
        """
        order: Any = "C" if self.theta.flags.c_contiguous else "F"
        theta = np.zeros((len(self.theta), width), self.theta.dtype, order=order)
        kept = min(width, self.theta.shape[1])
        theta[:, :kept] = self.theta[:, :kept]
        arrays: Arrays = {}
        for extra in beside:
            for name, new in _begun(extra, len(theta), width, order).items():
                # Of a matrix all but the row for scratch, and the offset's part comes first.
                part = (slice(None), *[slice(kept + new.ndim - 2)] * (new.ndim - 1))
                new[part] = self.beside[name][part]
                arrays[name] = new
        return replace(self, theta=theta, beside=arrays)

    def only(self, k: int) -> State:
        """Hyperplane `k` on its own, copied, without its average."""
        one = self.mapped(lambda array: np.array(array[k : k + 1], order="C", copy=True))
        for name in ("sums", "sums_offset"):
            one.beside.pop(name, None)
        return one

    def descend(self, ancestors: list[int | None], beside: tuple[Extra, ...]) -> State:
        """New hyperplanes that continue old ones, or start afresh; see `schemes.ancestors`.

        beside : as in `resized`
        """
        _refuse_weights(len(ancestors), self.theta.shape[1], self.theta.itemsize)
        for extra in beside:
            _refuse_size(extra, len(ancestors), self.theta.shape[1])
        new = self.mapped(lambda array: inherit(array, ancestors))
        fresh = [k for k, ancestor in enumerate(ancestors) if ancestor is None]
        for extra in beside:
            for name, start in _begun(extra, len(fresh), self.theta.shape[1], "C").items():
                new.beside[name][fresh] = start
        return new


_MOST_BYTES = 2**31  # of the matrices of all hyperplanes


def kept_beside(rule: Any, *, averaged: bool = False) -> tuple[Extra, ...]:
    """What a run keeps beside theta."""
    own: tuple[Extra, ...] = rule.EXTRA
    return (Extra("sums", 0.0, "mean"), *own) if averaged else own


def _begun(extra: Extra, n_planes: int, width: int, order: Any) -> Arrays:
    """The arrays of `n_planes` hyperplanes with `width` features, as at the start."""
    if extra.shape == "matrix":
        _refuse_size(extra, n_planes, width)
        each = extra.start * np.eye(width + 2, width + 1)
        each[-1] = 0.0
        return {extra.name: np.repeat(each[None], n_planes, axis=0)}
    return {
        name: np.full((n_planes, *shape), extra.start, order=order)
        for name, shape in extra.shapes(width).items()
    }


def _refuse_size(extra: Extra, n_planes: int, width: int) -> None:
    """Raise where matrices would take too much memory."""
    n_bytes = 8 * n_planes * (width + 1) ** 2
    if extra.shape == "matrix" and n_bytes > _MOST_BYTES:
        raise ValueError(
            f"covariance=full would keep {n_planes} matrices of {width + 1} × {width + 1} numbers, "
            f"{n_bytes / 1e9:.1f} GB; {_MOST_BYTES / 1e9:.1f} GB at most are kept. Use "
            "covariance=diagonal."
        )


def _refuse_weights(n_planes: int, width: int, itemsize: int) -> None:
    """Raise where weights would take more memory than there is."""
    n_bytes = itemsize * n_planes * width
    if n_bytes > machine():
        told = f"{n_planes} × {width} weights would take {shown(n_bytes)} of memory, and there are "
        told += f"{shown(machine())}. Use fewer features"
        fewer = (". Of pairs of classes there are many: ", FEWER_PLANES) if n_planes > 1 else (".",)
        raise ValueError(Message(told, *fewer))


def refuse_overflow(what: str, *arrays: Array) -> None:
    """Raise where one of the `arrays` is not finite, to say that `what` left the range."""
    if not all(np.isfinite(array).all() for array in arrays):
        raise ValueError(f"{what} overflowed float64. {REMEDY}.")


def inherit(old: Array, ancestors: list[int | None]) -> Array:
    """One entry per hyperplane: that of its ancestor, or zero where it has none."""
    new = np.zeros((len(ancestors), *old.shape[1:]), old.dtype)
    for k, ancestor in enumerate(ancestors):
        if ancestor is not None:
            new[k] = old[ancestor]
    return new
