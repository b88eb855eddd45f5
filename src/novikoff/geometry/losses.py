"""Losses of a linear classifier, one number per example.

Each takes labels y, -1 or +1, and scores s (of `Hyperplane.scores`, or any `decision_function`), of
one shape; one of the two may also be a single number, to draw a curve. The result's ``.sum()`` is
the loss of the data set, its ``.mean()`` the mean: that of `zero_one` is the training error.

Examples
--------
>>> from novikoff import geometry
>>> y, scores = [1, 1, -1], [2.0, 0.0, 0.5]
>>> geometry.losses.zero_one(y, scores)
array([0., 1., 1.])
>>> geometry.losses.perceptron(y, scores)
array([0. , 0. , 0.5])
>>> geometry.losses.hinge(y, scores)
array([0. , 1. , 1.5])
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from novikoff.geometry import _exact
from novikoff.geometry import input as given

__all__ = ["Subgradient", "hinge", "perceptron", "perceptron_subgradient", "zero_one"]


def zero_one(
    y: Any, scores: Any, boundary: Literal["error", "correct"] = "error"
) -> NDArray[np.float64]:
    """1 for an error, 0 otherwise.

    Parameters
    ----------
    y, scores : array-like, or a number
    boundary : "error" or "correct", default="error"
        Textbooks read a score of exactly 0 in two ways. "error": an example is an error if
        y s <= 0, as in the training error and `Hyperplane.training_error`. "correct": only if
        y s < 0. (A third reading, y differs from the prediction h, with h = +1 at s = 0, is
        ``y != plane.predict(X)``: on the boundary it counts y = -1 only.)

    Examples
    --------
    >>> zero_one([1, -1], [0.0, 0.0]), zero_one([1, -1], [0.0, 0.0], boundary="correct")
    (array([1., 1.]), array([0., 0.]))
    """
    if boundary not in ("error", "correct"):
        raise ValueError(f'boundary must be "error" or "correct"; it is {boundary!r}.')
    agreement = _agreement(y, scores)
    wrong = agreement <= 0.0 if boundary == "error" else agreement < 0.0
    return wrong.astype(np.float64)


def perceptron(y: Any, scores: Any) -> NDArray[np.float64]:
    """max(0, -y s): how far on the wrong side.

    Stochastic subgradient descent on it is the perceptron. It is 0 on the boundary, so theta = 0,
    which separates nothing, minimises it too.

    Examples
    --------
    >>> perceptron(+1, [-2.0, 0.0, 2.0])
    array([2., 0., 0.])
    """
    return hinge(y, scores, margin=0.0)


def hinge(y: Any, scores: Any, margin: float = 1.0) -> NDArray[np.float64]:
    """max(0, margin - y s): positive exactly where y s < margin.

    Stochastic subgradient descent on it is the perceptron with that `margin`; with `margin=0.0` it
    is the perceptron loss.

    Examples
    --------
    >>> hinge(+1, [-2.0, 0.0, 2.0])
    array([3., 1., 0.])
    """
    margin = given.number("margin", margin)
    if margin < 0.0:
        raise ValueError(f"margin must be 0 or more; it is {margin}.")
    # A difference of doubles is rounded to 0.0 only where they are equal.
    return np.maximum(margin - _agreement(y, scores), 0.0) + 0.0


class Subgradient(NamedTuple):
    """One subgradient per example, with respect to theta and to the offset.

    Attributes
    ----------
    theta : array or csr_array of shape (n, d)
        Sparse if X was.
    offset : array of shape (n,)
    """

    theta: Any
    offset: NDArray[np.float64]


def perceptron_subgradient(
    X: Any, y: Any, theta: Any, offset: Any = 0.0, *, k: float = -1.0
) -> Subgradient:
    """A subgradient of each example's perceptron loss max(0, -y s(x)) at (theta, offset).

    With respect to theta it is (the offset is the same with x = 1)::

        0      where y s > 0
        -y x   where y s < 0
        k y x  where y s = 0, decided exactly; any k in [-1, 0] is a subgradient there

    A step of length eta against it is the perceptron's update: with k = -1 the one of
    ``ties="mistake"``, with k = 0 the one of ``ties="correct"``.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n, d)
    y : array-like of shape (n,)
        -1 and +1.
    theta : array-like of shape (d,)
    offset : float, default=0.0
    k : float in [-1, 0], default=-1.0

    Returns
    -------
    Subgradient
        `theta` of shape (n, d) and `offset` of shape (n,). Sums over the rows are a subgradient of
        the summed loss, means one of the mean loss.

    Examples
    --------
    >>> X, y = [[1.0, 2.0], [3.0, 1.0], [1.0, 1.0]], [1, -1, 1]
    >>> g = perceptron_subgradient(X, y, theta=[1.0, -1.0], k=-0.5)
    >>> g.theta  # scores -1, 2 and 0
    array([[-1. , -2. ],
           [ 3. ,  1. ],
           [-0.5, -0.5]])
    >>> g.theta.sum(axis=0)  # of the summed loss
    array([ 1.5, -1.5])
    """
    k = given.number("k", k)
    if not -1.0 <= k <= 0.0:
        raise ValueError(f"k must be between -1 and 0 to give a subgradient; it is {k}.")
    theta = given.vector("theta", theta)
    X = given.matrix(X, len(theta))
    y = given.signs(y, X.shape[:1])
    agreement = y * _exact.scores(X, theta, given.number("offset", offset))
    factor = np.select([agreement < 0.0, agreement == 0.0], [-y, k * y], 0.0) + 0.0
    if not sp.issparse(X):
        return Subgradient(factor[:, np.newaxis] * X + 0.0, factor)
    rows = sp.csr_array(X.multiply(factor[:, np.newaxis]))
    rows.eliminate_zeros()
    return Subgradient(rows, factor)


def _agreement(y: Any, scores: Any) -> NDArray[np.float64]:
    """y s, which is exact; y and s of one shape, or one of them a single number."""
    y = given.signs(y)
    scores = given.real_array("scores", scores).astype(np.float64)
    if np.isnan(scores).any():
        raise ValueError(f"scores holds nan at position {np.flatnonzero(np.isnan(scores))[0]}.")
    if y.ndim and scores.ndim and y.shape != scores.shape:
        raise ValueError(
            f"y and scores must have one shape; they have {y.shape} and {scores.shape}."
        )
    agreement: NDArray[np.float64] = y * scores
    return agreement
