"""The plane that is looked at: from features to the two coordinates of a picture, and back.

A view scales every feature (by its standard deviation, if their units are unlike; otherwise by 1),
and projects orthogonally on a plane. Lengths and angles in a picture are those of that scaled
space: axes are drawn so that one unit of it is as long upwards as it is sideways. It scales but
does not shift, so the origin stays the origin, and a hyperplane through it stays one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from novikoff._arrays import Array, Floats

UNLIKE = 5.0  # standard deviations that differ by this factor are taken for unlike units
FEW, UNLIKE_OF_FEW = 10, 50.0  # of fewer rows than this, only if they differ by this factor
_ROUNDS, _MORE = 40, 6  # of the subspace iteration, good enough for a picture; its extra directions


@dataclass(frozen=True, eq=False)
class View:
    """A plane in the space of features.

    basis : (d, 2), orthonormal in scaled space; scale : (d,); centre : (d,), scaled, orthogonal to
    the basis: where the plane lies. units : (2,), what one unit of the scaled space is on each axis
    of the picture, so that ticks can be in original units. whole : whether the distance of every
    point from the estimator's hyperplane is seen true to scale.
    """

    basis: Floats
    scale: Floats
    centre: Floats
    units: Floats
    names: tuple[str, str]
    whole: bool
    note: str | None = None

    def points(self, X: Any) -> Floats:
        """(n, 2): the rows, projected; in scaled units."""
        return np.asarray(X @ (self.basis / self.scale[:, None]), np.float64)

    def lift(self, points: Floats) -> Floats:
        """(m, d): where points of the plane are among the features."""
        return (points @ self.basis.T + self.centre) * self.scale

    def line(self, theta: Array, offset: Any) -> tuple[Any, Any]:
        """theta (..., d) and offset (...) as seen in the plane: (..., 2) and (...)."""
        scaled = np.asarray(theta, np.float64) * self.scale
        return scaled @ self.basis, np.asarray(offset, np.float64) + scaled @ self.centre


def scales(X: Any, standardize: bool | str) -> Floats:
    """(d,): the standard deviations if they are unlike (or if asked for), otherwise ones."""
    if standardize not in (True, False, "auto"):
        raise ValueError(f'standardize must be True, False or "auto"; it is {standardize!r}.')
    mean, square = _moments(X)
    spread = np.sqrt(np.maximum(square - mean * mean, 0.0))
    varies = spread > 1e-9 * (np.abs(mean) + 1e-300)
    if standardize is False or not varies.any():
        return np.ones(X.shape[1])
    factor = UNLIKE if X.shape[0] >= FEW else UNLIKE_OF_FEW
    if standardize == "auto" and spread[varies].max() < factor * spread[varies].min():
        return np.ones(X.shape[1])
    return np.where(varies, spread, 1.0)


def view_for(
    X: Any,
    names: Sequence[str],
    features: Sequence[Any] | None,
    theta: Floats | None,
    standardize: bool | str,
) -> View:
    """The plane to look at: a pair if asked for, else that of theta, else the principal one."""
    if features is None and X.shape[1] == 2:
        features = (0, 1)
    if features is not None:
        return pair_view(X, names, features, standardize)
    if theta is not None and theta.any():
        return theta_view(X, theta, standardize)
    return principal_view(X, standardize)


def pair_view(
    X: Any, names: Sequence[str], features: Sequence[Any], standardize: bool | str = "auto"
) -> View:
    """Two features, chosen by number or name; the others rest at their means."""
    i, j = (_number(feature, names) for feature in checked_pair(features))
    width = X.shape[1]
    scale = np.ones(width)
    scale[[i, j]] = scales(X[:, [i, j]], standardize)
    basis = np.zeros((width, 2))
    basis[i, 0] = basis[j, 1] = 1.0
    centre = _moments(X)[0] / scale
    centre[[i, j]] = 0.0
    notes = []
    if width > 2:
        notes.append(f"at the mean of the other {width - 2} feature{'s' * (width > 3)}")
    if (scale != 1.0).any():
        notes.append("lengths in standard deviations")
    return View(
        basis, scale, centre, scale[[i, j]], (names[i], names[j]), width == 2,
        "; ".join(notes) or None,
    )  # fmt: skip


def theta_view(X: Any, theta: Array, standardize: bool | str = "auto") -> View:
    """The plane of theta and the direction orthogonal to it in which the rows vary most.

    Every row's distance from a hyperplane with that theta is seen true to scale.
    """
    scale = scales(X, standardize)
    first = theta * scale / np.linalg.norm(theta * scale)
    second = leading_directions(X, scale, 1, orthogonal_to=first[:, None])
    units = "standard deviations" if (scale != 1.0).any() else ""
    names = ("along θ" + f" ({units})" * bool(units), "leading direction orthogonal to θ")
    basis = np.column_stack([first, second])
    return View(
        basis, scale, _beside(X, scale, basis), np.ones(2), names, True,
        "plane of θ: distances to the boundary true to scale",
    )  # fmt: skip


def principal_view(X: Any, standardize: bool | str = "auto") -> View:
    """The plane of the two directions in which the rows vary most, through their mean."""
    scale = scales(X, standardize)
    basis = leading_directions(X, scale, 2)
    return View(
        basis, scale, _beside(X, scale, basis), np.ones(2),
        ("first principal direction", "second principal direction"), False,
        "a plane through the mean",
    )  # fmt: skip


def leading_directions(
    X: Any, scale: Floats, count: int, orthogonal_to: Floats | None = None
) -> Floats:
    """(d, count): orthonormal directions in which the scaled rows vary most.

    By subspace iteration on a few more directions than asked for, which needs products with X only,
    so that sparse rows stay sparse.
    """
    width = X.shape[1]
    fixed = np.zeros((width, 0)) if orthogonal_to is None else orthogonal_to
    mean = _moments(X)[0]
    tried = min(count + _MORE, width - fixed.shape[1])
    start = np.cos(np.outer(np.arange(width), 1.0 + np.arange(tried)) + 1.0)  # no symmetry to miss
    directions = _orthonormal(start, fixed)

    def image(of: Floats) -> Floats:
        over_scale = of / scale[:, None]
        return np.asarray(X @ over_scale - mean @ over_scale)

    for _ in range(_ROUNDS):
        seen = image(directions)
        moved = (X.T @ seen - np.outer(mean, seen.sum(axis=0))) / scale[:, None]
        if not np.abs(moved).max() > 0.0:  # the rows do not vary
            break
        directions = _orthonormal(moved, fixed)
    turn = np.linalg.svd(image(directions), full_matrices=False)[2]
    directions = (directions @ turn.T)[:, :count]
    signs = np.sign(directions[np.argmax(np.abs(directions), axis=0), np.arange(count)])
    oriented: Floats = directions * signs
    return oriented


def checked_pair(features: Any) -> tuple[Any, Any]:
    """The two features of a pair."""
    if isinstance(features, str) or not hasattr(features, "__len__") or len(features) != 2:
        raise ValueError(f"features must be two names or numbers; it is {features!r}.")
    return features[0], features[1]


def _number(feature: Any, names: Sequence[str]) -> int:
    if isinstance(feature, str):
        if feature not in names:
            raise ValueError(f"There is no feature {feature!r}; there are {list(names)[:20]}.")
        return list(names).index(feature)
    number = int(feature)
    if not 0 <= number < len(names):
        raise ValueError(f"There is no feature {number}; there are 0 to {len(names) - 1}.")
    return number


def _orthonormal(vectors: Floats, fixed: Floats) -> Floats:
    """Orthonormal vectors of the same span, less what lies in the span of the fixed ones."""
    for _ in range(2):  # twice is enough
        vectors = vectors - fixed @ (fixed.T @ vectors)
        vectors = np.linalg.qr(vectors)[0]
    return vectors


def _beside(X: Any, scale: Floats, basis: Floats) -> Floats:
    """The part of the mean row that is orthogonal to the basis, scaled."""
    mean = _moments(X)[0] / scale
    return mean - basis @ (basis.T @ mean)


def _moments(X: Any) -> tuple[Floats, Floats]:
    """(d,), (d,): the means of the features and of their squares."""
    if sp.issparse(X):
        return np.asarray(X.mean(axis=0)).ravel(), np.asarray(X.multiply(X).mean(axis=0)).ravel()
    # Shifted by the first row, so that a large mean does not swallow a small spread.
    return X.mean(axis=0), X.var(axis=0) + X.mean(axis=0) ** 2
