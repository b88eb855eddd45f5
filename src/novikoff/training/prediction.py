"""From hyperplanes to scores and classes, all signs and comparisons exact."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from novikoff._arrays import Array, Floats, Ints
from novikoff.kernels.blocks import new_block
from novikoff.kernels.filter import weight_norms
from novikoff.kernels.pairs import (
    pair_decisions,
    pair_winners,
    settle_winners,
    squeezed,
    tally_pairs,
)
from novikoff.kernels.predict import (
    settle_scores,
    settle_signs,
    settle_strongest,
    signed_scores,
    signs,
    strongest_planes,
)
from novikoff.kernels.rows import Rows, take
from novikoff.kernels.walk import new_arithmetic
from novikoff.training.matrix import as_columns, as_rows, in_columns, refuse_bad_row, theta_dtype
from novikoff.training.schemes import Scheme

_SETTLED = 4096  # rows that are copied at a time, where blocks leave them open

Settled = Callable[[Ints], Array]  # of row numbers


class _Asked:
    """Hyperplanes, in the order and type that suit the rows that are asked about."""

    def __init__(
        self, rows: Rows, n_rows: int, theta: Array, offset: Array, *, seen: bool = True
    ) -> None:
        """seen : whether somebody sees the scores; else they are summed as is fastest"""
        self.rows, self.n_rows = rows, n_rows
        sparse = rows.indices is not None
        dtype = np.result_type(theta.dtype, theta_dtype(rows.values.dtype))
        self.theta = np.asarray(theta, dtype, order="F" if sparse else "C")
        self.offset = np.asarray(offset, dtype)
        self.norms = np.empty(len(offset))
        weight_norms(self.theta, self.offset, self.norms)
        short = rows.values.itemsize <= 4 or len(theta) > 1
        summed = np.dtype(np.float32) if short and not (seen or sparse) else dtype
        norm = float(self.norms.max(initial=0.0))
        self.block = new_block(rows, self.theta, self.offset, norm, summed, any_order=not seen)

    def answers(self, kernel: Any, settled: Settled, result: Array, *more: Any) -> Array:
        """`result`, an entry a row: what `kernel` finds or, where that is open, `settled`."""
        clear = np.empty(self.n_rows, np.bool_)
        kernel(self.rows, self.block, *more, result, clear)
        unclear = np.flatnonzero(~clear)
        for first in range(0, len(unclear), _SETTLED):
            few = unclear[first : first + _SETTLED]
            result[few] = settled(few)
        return result

    def one_by_one(self, settle: Any, like: Array, *more: Any) -> Settled:
        """What a kernel that settles rows finds for a few; entries are like those of `like`."""

        def settled(few: Ints) -> Array:
            found = np.empty((len(few), *like.shape[1:]), like.dtype)
            rows, arithmetic = take(self.rows, few), new_arithmetic(self.theta)
            bad = settle(rows, self.theta, self.offset, self.norms, arithmetic, *more, found)
            if bad >= 0:
                refuse_bad_row(take(rows, np.array([bad])), 0, named=int(few[bad]))
            return found

        return settled


def scores(rows: Rows, n_rows: int, theta: Array, offset: Array) -> Floats:
    """(n, K): theta . x + offset for every row and hyperplane; a score's sign is exact."""
    asked = _Asked(rows, n_rows, theta, offset)
    result = np.empty((n_rows, len(offset)))
    return asked.answers(signed_scores, asked.one_by_one(settle_scores, result), result)


class Model(Protocol):
    """Anything that gives scores and classes; it refuses rows that are not finite."""

    @property
    def scheme(self) -> Scheme: ...

    def decision(self, rows: Rows, n_rows: int) -> Array: ...

    def classes(self, rows: Rows, n_rows: int) -> Ints: ...


@dataclass(frozen=True)
class LinearModel:
    """Hyperplanes that classify: theta (K, d), offset (K,), one per role shown of `scheme`."""

    scheme: Scheme
    theta: Array
    offset: Array

    def scores(self, rows: Rows, n_rows: int) -> Floats:
        """(n, K): the score of every hyperplane."""
        return scores(rows, n_rows, self.theta, self.offset)

    def decision(self, rows: Rows, n_rows: int) -> Array:
        """What `decision_function` returns, see `decision_of_scores`."""
        if not self.scheme.pairs:
            return decision_of_scores(self.scheme, self.scores(rows, n_rows))
        asked = _Asked(rows, n_rows, self.theta, self.offset)
        found = asked.one_by_one(settle_scores, np.empty((0, len(self.offset))))
        return asked.answers(
            pair_decisions, lambda few: decision_of_scores(self.scheme, found(few)),
            np.empty((n_rows, self.scheme.n_classes)), *_sides(self.scheme),
        )  # fmt: skip

    def classes(self, rows: Rows, n_rows: int) -> Ints:
        """(n,): the predicted class numbers."""
        asked = _Asked(rows, n_rows, self.theta, self.offset, seen=False)
        result = np.empty(n_rows, np.int64)
        more: tuple[Any, ...] = ()
        if self.scheme.pairs:
            kernel, settle = pair_winners, settle_winners
            more = (*_sides(self.scheme), self.scheme.n_classes)
        elif self.scheme.binary:
            kernel, settle = signs, settle_signs
        else:
            kernel, settle = strongest_planes, settle_strongest
        result = asked.answers(kernel, asked.one_by_one(settle, result, *more), result, *more)
        return result if self.scheme.n_classes > 1 else np.zeros_like(result)


def decision_of(model: Model, X: Any) -> Array:
    """What `decision_function` returns for X, validated but for its values."""
    return model.decision(_rows_for(model, X), X.shape[0])


def classes_of(model: Model, X: Any) -> Ints:
    """(n,): the class numbers that `model` predicts for X, see `decision_of`."""
    return model.classes(_rows_for(model, X), X.shape[0])


def _rows_for(model: Model, X: Any) -> Rows:
    """To copy columns into rows would take longer than all the rest."""
    if isinstance(model, LinearModel) and in_columns(X):
        return as_columns(X)
    return as_rows(X, checked=True)


def classes_of_scores(scheme: Scheme, plane_scores: Array) -> Ints:
    """(n,): the predicted class numbers, given the scores or votes of every hyperplane."""
    if scheme.n_classes == 1:
        return np.zeros(len(plane_scores), np.int64)
    if scheme.binary:
        return (plane_scores[:, 0] >= 0).astype(np.int64)
    if scheme.pairs:
        votes, confidence = _tallies(scheme, plane_scores)
        plane_scores = np.where(votes == votes.max(axis=0), confidence, -np.inf).T
    best: Ints = np.argmax(plane_scores, axis=1)
    return best


def decision_of_scores(scheme: Scheme, plane_scores: Array) -> Array:
    """What `decision_function` returns: (n,) for one hyperplane, else (n, C).

    One-vs-one: the votes a class wins, plus its summed scores squeezed into (-1/3, 1/3), so that
    they only break ties between equal votes. They are rounded, and sums that are large or close may
    be squeezed into the same number: then `classes` tells apart what is equal here.
    """
    if scheme.binary:
        return plane_scores[:, 0]
    if scheme.pairs:
        return np.ascontiguousarray(squeezed(*_tallies(scheme, plane_scores)).T)
    return plane_scores


def _sides(scheme: Scheme) -> tuple[Ints, Ints]:
    """(K,) each: the negative and the positive class of every hyperplane shown."""
    negative, positive = np.array(scheme.roles[: scheme.n_shown], np.int64).T.copy()
    return negative, positive


def _tallies(scheme: Scheme, plane_scores: Array) -> Floats:
    """(2, C, n): the pairs that every class wins, and its summed scores."""
    result = np.empty((2, scheme.n_classes, len(plane_scores)))
    tally_pairs(np.ascontiguousarray(plane_scores.T, np.float64), *_sides(scheme), *result)
    return result
