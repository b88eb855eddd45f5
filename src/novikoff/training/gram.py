"""Kernel values, a block at a time: of some rows against some others, in double precision.

The kernels and their parameters are those of scikit-learn's ``SVC``. Products of rows are matrix
multiplications; on integers whose sums stay below 2**53 the linear and the polynomial kernel are
exact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from novikoff._arrays import Floats, Ints
from novikoff.geometry.sparse import dense
from novikoff.kernels.dual import polynomial

_WORTH_FILLING = 0.05  # share of non-zeros from which dense products beat sparse ones
_BLOCK_ROWS = 512


class Points(NamedTuple):
    """Some rows, in double precision, and the numbers a user knows them by.

    rows : (m, d) array or CSR; None where the kernel is precomputed and numbers are enough
    """

    rows: Any
    numbers: Ints

    def first(self, count: int) -> Points:
        return Points(self.rows[:count], self.numbers[:count])


@dataclass(frozen=True)
class Gram:
    """A kernel K and how its values are computed.

    Attributes
    ----------
    kernel : "linear", "poly", "rbf", "sigmoid", "precomputed", or a function of two matrices
    dense : whether rows are handed to the kernel as arrays; CSR otherwise
    """

    kernel: str | Callable[[Any, Any], Any]
    degree: int
    gamma: float
    coef0: float
    dense: bool

    @classmethod
    def of(cls, kernel: Any, degree: int, gamma: Any, coef0: float, X: Any) -> Gram:
        """The kernel as it is for the training rows X, which settle ``gamma="scale"``."""
        filled = X.nnz > _WORTH_FILLING * X.shape[0] * X.shape[1] if sp.issparse(X) else True
        dense = filled if isinstance(kernel, str) else not sp.issparse(X)
        uses_gamma = kernel in ("poly", "rbf", "sigmoid")
        return cls(kernel, degree, settled_gamma(gamma, X) if uses_gamma else 1.0, coef0, dense)

    @property
    def precomputed(self) -> bool:
        return self.kernel == "precomputed"

    def take(self, X: Any, index: Ints | slice, numbers: Ints) -> Points:
        """Rows `index` of X, which K can be asked about; numbers[i] is what row i is called."""
        rows = X[index].astype(np.float64, copy=False)
        if self.dense and sp.issparse(rows):
            rows = rows.toarray()
        elif not self.dense and not sp.issparse(rows):
            rows = sp.csr_array(rows)
        return Points(rows, numbers[index])

    def support(self, X: Any, index: Ints | slice, numbers: Any) -> Points:
        """Rows `index` of X as support rows: a precomputed kernel needs their numbers only."""
        if self.precomputed:
            return Points(None, numbers[index])
        return self.take(X, index, numbers)

    def row_bytes(self, X: Any) -> float:
        """What a row of X takes once it has been taken."""
        if self.dense or not sp.issparse(X):
            return 8.0 * float(X.shape[1])
        return 16.0 * float(1.0 + X.nnz / max(1, X.shape[0]))

    def values(self, queries: Points, support: Points) -> Floats:
        """(m, s): K between every row of `queries` and every row of `support`, all finite."""
        if self.precomputed:
            result = np.ascontiguousarray(queries.rows[:, support.numbers])
        elif callable(self.kernel):
            result = _returned(self.kernel(queries.rows, support.rows), queries, support)
        else:
            with np.errstate(all="ignore"):  # what is not finite is refused below
                result = self._named(queries.rows, support.rows)
        self._refuse_nonfinite(result, queries, support)
        return result

    def _named(self, queries: Any, support: Any) -> Floats:
        result: Floats = dense(queries @ support.T)
        if self.kernel == "poly":
            polynomial(result, self.gamma, self.coef0, self.degree, np.empty(result.shape[1]))
        elif self.kernel == "rbf":
            # -gamma ||x - y||^2, and never above 0 for want of a rounding
            result *= 2.0
            result -= _squares(queries)[:, None]
            result -= _squares(support)
            np.minimum(result, 0.0, out=result)
            result *= self.gamma
            np.exp(result, out=result)
        elif self.kernel == "sigmoid":
            result *= self.gamma
            result += self.coef0
            np.tanh(result, out=result)
        return result

    def _refuse_nonfinite(self, values: Floats, queries: Points, support: Points) -> None:
        with np.errstate(all="ignore"):
            # One pass instead of three; a finite sum has finite terms.
            if np.isfinite(values.sum()):
                return
        i, j = np.divmod(np.argmin(np.isfinite(values)), max(1, values.shape[1]))
        if np.isfinite(values[i, j]):
            return  # only their sum was too large
        name = self.kernel if isinstance(self.kernel, str) else "given"
        advice = "Mend the kernel, or leave such rows out."
        if name == "linear":
            advice = "Scale the features."
        elif name in ("poly", "rbf", "sigmoid"):
            advice = "Scale the features, or lower gamma, coef0 or degree."
        raise ValueError(
            f"The {name} kernel is {values[i, j]} between row {queries.numbers[i]} and training "
            f"row {support.numbers[j]}; kernel values must be finite. {advice}"
        )


def _squares(rows: Any) -> Floats:
    """(m,): the squared norm of every row."""
    if sp.issparse(rows):
        return np.asarray(rows.multiply(rows).sum(axis=1)).ravel()
    result: Floats = np.einsum("ij,ij->i", rows, rows)
    return result


def _returned(result: Any, queries: Points, support: Points) -> Floats:
    """What a user's kernel returned, as an array of its own, if its shape is right."""
    expected = (len(queries.numbers), len(support.numbers))
    array = np.array(dense(result), np.float64)
    if array.shape != expected:
        raise ValueError(
            f"The kernel returned an array of shape {array.shape} for {expected[0]} and "
            f"{expected[1]} rows; kernel(A, B) must return one value for every row of A and every "
            f"row of B, shape {expected}."
        )
    return array


def settled_gamma(gamma: Any, X: Any) -> float:
    """gamma as a number: 1 / (n_features * variance) for "scale", 1 / n_features for "auto"."""
    if gamma == "auto":
        return 1.0 / int(X.shape[1])
    if gamma != "scale":
        return float(gamma)
    try:
        with np.errstate(over="ignore", invalid="ignore"):  # refused below
            spread = X.shape[1] * _variance(X)
    except OverflowError:
        spread = np.inf
    if not spread < np.inf:
        raise ValueError(
            'gamma="scale" is 1 / (n_features * X.var()), and this variance overflows: the values '
            "of X are too large. Scale the features first (for instance with "
            "sklearn.preprocessing.MaxAbsScaler), or give gamma as a number."
        )
    return 1.0 / spread if spread > 0.0 else 1.0


def _variance(X: Any) -> float:
    """The variance of all values of X, without a copy of X in double precision."""
    values = X.data if sp.issparse(X) else X.reshape(-1)
    size = X.shape[0] * X.shape[1]
    pieces = [values[i : i + 2**20] for i in range(0, len(values), 2**20)]
    mean = sum(float(piece.sum(dtype=np.float64)) for piece in pieces) / size
    squares = sum(float(((piece.astype(np.float64) - mean) ** 2).sum()) for piece in pieces)
    return float((squares + (size - len(values)) * mean**2) / size)


class Room(NamedTuple):
    """How many rows and support rows are held against each other at a time."""

    rows: int
    support: int
    table: int = 0  # how many rows a problem may have to keep all its kernel values

    @classmethod
    def of(
        cls, cache_mb: float, row_bytes: float, budget: int = 0, most_rows: int = _BLOCK_ROWS
    ) -> Room:
        """So that rows, support rows, kernel values and what they are made of fit into the cache.

        Eight shares: rows and support rows, their values and the block's own, each with as much
        again for temporary copies. On a budget the block's own values include all support rows.
        """
        share = cache_mb * 2**20 / 8.0
        # the largest B with 2 B (B + budget) doubles in two shares, without a budget B^2 in one
        own = ((budget / 2.0) ** 2 + share / 8.0) ** 0.5 - budget / 2.0
        most = min(share / row_bytes, own, most_rows)
        rows = max(1, int(most))
        table = int((share / 4.0) ** 0.5)  # two shares
        return cls(rows, max(1, int(min(share / row_bytes, share / (8.0 * rows)))), table)
