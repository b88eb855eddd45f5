"""From hyperplanes to scores and classes, all signs and comparisons exact."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from novikoff._arrays import Array, Floats, Ints
from novikoff.geometry.cells import CellError
from novikoff.kernels.filter import precision_of, weight_norms
from novikoff.kernels.pairs import pair_winners
from novikoff.kernels.predict import (
    Block,
    column_scores,
    new_block,
    signed_scores,
    signs,
    strongest_planes,
)
from novikoff.kernels.rows import Rows, read_only
from novikoff.training.matrix import as_rows, in_columns, refuse_bad_row, theta_dtype
from novikoff.training.schemes import Scheme


def _arranged(
    rows: Rows, theta: Array, offset: Array, *, narrow: bool = False
) -> tuple[Array, Array, Floats, Ints, Block]:
    """theta and offset in the order and type that suit the rows, and what kernels want besides.

    narrow : first in single precision where that is faster; for scores that nobody sees
    """
    dtype = np.result_type(theta.dtype, theta_dtype(rows.values.dtype))
    theta = np.asarray(theta, dtype, order="C" if rows.indices is None else "F")
    offset = np.asarray(offset, dtype)
    norms = np.empty(len(offset))
    weight_norms(theta, offset, norms)
    single = narrow and rows.indices is None and len(theta) > 1
    block = new_block(theta, np.float32 if single else dtype)
    return theta, offset, norms, np.arange(len(offset)), block


def scores(rows: Rows, n_rows: int, theta: Array, offset: Array) -> Floats:
    """(n, K): theta . x + offset for every row and hyperplane; a score's sign is exact."""
    result = np.empty((n_rows, len(offset)))
    theta, offset, norms, _, block = _arranged(rows, theta, offset)
    refuse_bad_row(rows, signed_scores(rows, theta, offset, norms, block, result))
    return result


def _winners(scheme: Scheme, rows: Rows, n_rows: int, theta: Array, offset: Array) -> Ints:
    """(n,): the class that wins most pairs of a one-vs-one `scheme`; see `kernels.pairs`."""
    negative, positive = np.array(scheme.roles[: scheme.n_shown], np.int64).T.copy()
    result = np.empty(n_rows, np.int64)
    bad = pair_winners(
        rows, *_arranged(rows, theta, offset), negative, positive,
        np.empty(scheme.n_classes, np.int64), result,
    )  # fmt: skip
    refuse_bad_row(rows, bad)
    return result


class Model(Protocol):
    """Anything that gives scores and classes; it refuses rows that are not finite."""

    @property
    def scheme(self) -> Scheme: ...

    def scores(self, rows: Rows, n_rows: int) -> Array: ...

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

    def classes(self, rows: Rows, n_rows: int) -> Ints:
        """(n,): the predicted class numbers."""
        if self.scheme.name == "ovo" and not self.scheme.binary:
            return _winners(self.scheme, rows, n_rows, self.theta, self.offset)
        result = np.empty(n_rows, np.int64)
        kernel = signs if self.scheme.binary else strongest_planes
        bad = kernel(rows, *_arranged(rows, self.theta, self.offset, narrow=True), result)
        refuse_bad_row(rows, bad)
        return result if self.scheme.n_classes > 1 else np.zeros_like(result)


_COLUMN_BLOCK = 1024  # rows whose sums stay in the first cache while the columns go by


def scores_of(model: Model, X: Any) -> Array:
    """(n, K): what `model` gives for X, an array or a CSR matrix, validated but for its values."""
    if isinstance(model, LinearModel) and len(model.theta) == 1 and in_columns(X):
        return _scores_by_columns(model, X)[:, None]
    return model.scores(as_rows(X, checked=True), X.shape[0])


def classes_of(model: Model, X: Any) -> Ints:
    """(n,): the class numbers that `model` predicts for X, see `scores_of`."""
    if isinstance(model, LinearModel) and len(model.theta) == 1 and in_columns(X):
        return classes_of_scores(model.scheme, _scores_by_columns(model, X)[:, None])
    return model.classes(as_rows(X, checked=True), X.shape[0])


def _scores_by_columns(model: LinearModel, X: Array) -> Floats:
    """(n,): the scores of an only hyperplane at X, stored column by column; signs are exact.

    To copy X into rows would take longer than all the rest. Rows that the columns do not decide
    are few; they are copied and go the usual way, which also refuses those that are not finite.
    """
    dtype = np.result_type(model.theta.dtype, theta_dtype(X.dtype))
    theta, offset = np.asarray(model.theta, dtype, order="C"), np.asarray(model.offset, dtype)
    norms, result, clear = np.empty(1), np.empty(len(X)), np.empty(len(X), np.bool_)
    weight_norms(theta, offset, norms)
    column_scores(
        read_only(X.T), theta, offset, norms[0], precision_of(dtype),
        np.empty(_COLUMN_BLOCK, dtype), np.empty(_COLUMN_BLOCK, dtype), result, clear,
    )  # fmt: skip
    unclear = np.flatnonzero(~clear)
    if len(unclear):
        try:
            result[unclear] = model.scores(as_rows(X[unclear]), len(unclear))[:, 0]
        except CellError as error:
            what, row, *rest = error.args
            raise CellError(what, int(unclear[row]), *rest) from None
    return result


def classes_of_scores(scheme: Scheme, plane_scores: Array) -> Ints:
    """(n,): the predicted class numbers, given the scores or votes of every hyperplane."""
    if scheme.n_classes == 1:
        return np.zeros(len(plane_scores), np.int64)
    if scheme.binary:
        return (plane_scores[:, 0] >= 0).astype(np.int64)
    if scheme.name == "ovo":
        votes, confidence = _tallies(scheme, plane_scores)
        leads = votes == votes.max(axis=1, keepdims=True)
        plane_scores = np.where(leads, confidence, -np.inf)
    best: Ints = np.argmax(plane_scores, axis=1)
    return best


def decision(scheme: Scheme, plane_scores: Array) -> Array:
    """What `decision_function` returns: (n,) for one hyperplane, else (n, C).

    One-vs-one: the votes a class wins, plus its summed scores squeezed into (-1/3, 1/3), so that
    they only break ties between equal votes. They are rounded, and sums that are large or close may
    be squeezed into the same number: then `classes` tells apart what is equal here.
    """
    if scheme.binary:
        return plane_scores[:, 0]
    if scheme.name != "ovo":
        return plane_scores
    votes, confidence = _tallies(scheme, plane_scores)
    squeezed: Floats = confidence / (3.0 * (np.abs(confidence) + 1.0))
    return votes + squeezed


def _tallies(scheme: Scheme, plane_scores: Array) -> tuple[Floats, Floats]:
    """(n, C) each: the pairs that every class wins, and its summed scores."""
    votes = np.zeros((len(plane_scores), scheme.n_classes))
    confidence = np.zeros_like(votes)
    plane_scores = np.clip(plane_scores, -1e300, 1e300)  # so that no sum of them is infinite
    for k, role in enumerate(scheme.roles[: scheme.n_shown]):
        s = plane_scores[:, k]
        votes[:, role.positive] += s >= 0
        votes[:, role.negative] += s < 0
        confidence[:, role.positive] += s
        confidence[:, role.negative] -= s
    return votes, confidence
