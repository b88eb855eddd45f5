"""A hyperplane, and where points lie relative to it.

The words are those of the conventions: s(x) = theta . x + offset; h(x) = +1 if s(x) >= 0, else -1;
an example is an error if y s(x) <= 0. All signs are exact over the stored doubles.
"""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.geometry import _exact
from novikoff.geometry import input as given
from novikoff.geometry.sparse import dense


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Hyperplane:
    """The points x with theta·x + offset = 0, and the two half-spaces beside it.

    A value: it cannot be changed, equals another of the same numbers, and may be a key in a dict.
    (Multiples of theta and offset describe the same points, but are other values.)

    Parameters
    ----------
    theta : array-like of shape (d,)
        The normal vector. It points to the positive side.
    offset : float, default=0.0
        0.0 for a hyperplane through the origin. A positive offset moves it against theta.

    Notes
    -----
    Numbers are stored as doubles. Fractions, which a certificate may hold where doubles are too
    coarse, are rounded to the nearest double: the certificate's own `verify` speaks of the
    fractions, the methods here of the doubles.

    Every X may be an array, a list of rows, a data frame or a SciPy sparse matrix of shape (n, d).
    Every y holds -1 and +1; convert other labels with ``np.where(y == classes_[1], 1, -1)``.

    Examples
    --------
    >>> from novikoff.geometry import Hyperplane
    >>> plane = Hyperplane([3.0, 4.0], offset=-5.0)
    >>> X = [[3.0, 4.0], [0.0, 0.0], [-1.0, 2.0]]
    >>> plane.scores(X)
    array([20., -5.,  0.])
    >>> plane.predict(X)  # a point on the boundary is positive
    array([ 1, -1,  1])
    >>> plane.distances(X)
    array([ 4., -1.,  0.])
    >>> plane.margin(X[:2], [1, -1])
    1.0
    """

    theta: NDArray[np.float64]
    offset: float

    def __init__(self, theta: Any, offset: Any = 0.0) -> None:
        stored = given.vector("theta", theta) + 0.0  # -0.0 becomes 0.0: equal values, equal bytes
        stored.flags.writeable = False
        object.__setattr__(self, "theta", stored)
        object.__setattr__(self, "offset", given.number("offset", offset) + 0.0)

    @classmethod
    def from_estimator(cls, estimator: Any, index: int | None = None) -> Hyperplane:
        """The hyperplane of a fitted linear classifier, of this library or scikit-learn's.

        Parameters
        ----------
        estimator : object with `coef_` and, if it has an offset, `intercept_`
            Of a classifier that votes, these are the last hypothesis.
        index : int, optional
            The row of `coef_`; needed where there are several (more than two classes).

        Examples
        --------
        >>> from novikoff import Perceptron
        >>> clf = Perceptron(order="cyclic").fit([[2.0, 1.0], [-1.0, -1.0]], ["yes", "no"])
        >>> Hyperplane.from_estimator(clf)
        Hyperplane([2.0, 1.0], offset=1.0)
        """
        name = type(estimator).__name__
        coef = getattr(estimator, "coef_", None)
        if coef is None:
            raise ValueError(
                f"{name} has no coef_: pass a linear classifier after fit (of a pipeline, its last "
                "step)."
            )
        coef = np.atleast_2d(np.asarray(dense(coef)))
        n_planes = len(coef)
        if index is None:
            if n_planes != 1:
                raise ValueError(
                    f"{name} has {n_planes} hyperplanes: choose one by its row in coef_, index=0 "
                    f"to {n_planes - 1}."
                )
            index = 0
        if not 0 <= operator.index(index) < n_planes:
            raise IndexError(f"index={index}, but {name} has hyperplanes 0 to {n_planes - 1} only.")
        intercept = np.asarray(getattr(estimator, "intercept_", 0.0))
        return cls(coef[index], np.broadcast_to(intercept, n_planes)[index])

    def scores(self, X: Any) -> NDArray[np.float64]:
        """(n,): s(x) = theta . x + offset.

        The sign is exact: 0.0 means that the point lies on the boundary, nothing else does. The
        relative error is below 1e-6, and usually a rounding error. A score beyond the range of
        doubles becomes the smallest or largest double of its sign.
        """
        return _exact.scores(self._points(X), self.theta, self.offset)

    def predict(self, X: Any) -> NDArray[np.int64]:
        """(n,): h(x), +1 if s(x) >= 0 and -1 otherwise."""
        return np.where(self.scores(X) >= 0.0, 1, -1)

    def distances(self, X: Any) -> NDArray[np.float64]:
        """(n,): the signed distances s(x) / ||theta||, positive on theta's side.

        As exact as the scores; the length of theta, however small or large, does not matter.
        """
        if not self.theta.any():
            raise ValueError("theta = 0 is no hyperplane: there is nothing to be distant from.")
        # In units of 2**exponent neither the norm nor the scores leave the range of doubles.
        exponent = math.frexp(abs(self.theta).max())[1]
        norm = math.hypot(*np.ldexp(self.theta, -exponent).tolist())
        scaled = _exact.scores(self._points(X), self.theta, self.offset, exponent)
        with np.errstate(over="ignore"):
            return _exact.with_sign_of(scaled / norm, scaled)

    def margins(self, X: Any, y: Any) -> NDArray[np.float64]:
        """(n,): y s(x) / ||theta||, the distance of each point, negative on the wrong side."""
        distances = self.distances(X)
        return given.signs(y, distances.shape) * distances + 0.0

    def margin(self, X: Any, y: Any) -> float:
        """The smallest of the margins; -inf where one is 0 or negative: X is not separated then."""
        margins = self.margins(X, y)
        _refuse_empty(margins)
        smallest = float(margins.min())
        return smallest if smallest > 0.0 else -math.inf

    def training_error(self, X: Any, y: Any) -> float:
        """The fraction of examples with y s(x) <= 0: a point on the boundary is an error.

        Examples
        --------
        >>> Hyperplane([1.0]).training_error([[2.0], [0.0], [-3.0], [1.0]], [1, 1, -1, -1])
        0.5
        """
        scores = self.scores(X)
        _refuse_empty(scores)
        errors = given.signs(y, scores.shape) * scores <= 0.0
        return int(np.count_nonzero(errors)) / len(scores)

    def _points(self, X: Any) -> Any:
        return given.matrix(X, len(self.theta))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hyperplane):
            return NotImplemented
        return self.offset == other.offset and np.array_equal(self.theta, other.theta)

    def __hash__(self) -> int:
        return hash((self.theta.tobytes(), self.offset))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.theta, self.offset)  # an unpickled array would be writeable

    def __repr__(self) -> str:
        numbers = [repr(x) for x in self.theta.tolist()]
        if len(numbers) > 8:
            numbers[3:-3] = [f"... {len(numbers) - 6} more ..."]
        return f"Hyperplane([{', '.join(numbers)}], offset={self.offset!r})"


def _refuse_empty(values: NDArray[Any]) -> None:
    if len(values) == 0:
        raise ValueError("X has no rows: a data set needs at least one.")
