"""Whether an interval for the largest margin is proved at both ends.

- Any separating hyperplane proves a margin: min_i y_i s(x_i) / ||theta||.
- If weights w_i >= 0 sum to 1 in each class, v = sum_i w_i y_i x_i joins a point in the hull of one
  class to one in the hull of the other. A hyperplane of margin m has both at a distance of at least
  m, on opposite sides, so 2 m <= ||v||. Through the origin the weights sum to 1 over all rows and
  m <= theta . v / ||theta|| <= ||v||.

Roots are avoided by comparing squares.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.certificates.check.data import Data, read
from novikoff.certificates.check.errors import CertificateError, require, show
from novikoff.certificates.check.matrix import Integers
from novikoff.certificates.check.numbers import exact
from novikoff.certificates.check.parts import (
    Combination,
    check_question,
    read_hyperplane,
    read_weighted,
    weighted_sum,
)
from novikoff.certificates.check.signs import IntegerScore, signs


def check_max_margin(certificate: Any, X: Any, y: Any) -> None:
    """Check every claim of a :class:`MaxMargin` against the data, in exact arithmetic.

    Returns None if all hold; raises :class:`CertificateError`, which says what failed and where,
    otherwise, and ValueError if X and y are no data for two classes.

    Parameters
    ----------
    certificate : MaxMargin, or anything with its attributes
    X : array-like, data frame or sparse matrix of shape (n, d)
    y : array-like of shape (n,)
    """
    data = read(X, y)
    offset = check_question(certificate, data)
    margin = exact(certificate.margin, "The margin")
    upper_bound = exact(certificate.upper_bound, "The upper bound")
    require(margin >= 0, f"The margin is {show(margin)}; it must not be negative.")
    require(
        margin <= upper_bound,
        f"The margin {show(margin)} is above the upper bound {show(upper_bound)}.",
    )
    theta, constant = certificate.theta, certificate.offset
    plane = read_hyperplane(theta, constant, "hyperplane", d=data.shape[1], offset=offset)
    if margin:
        check_margin(data, plane, margin)
    support = read_weighted(
        certificate.support, certificate.weights, "support", n=data.shape[0], floats=True
    )
    check_weights(data, support, offset)
    check_upper_bound(data, support, upper_bound, offset)
    require(
        margin > 0,
        "The margin is 0: the search ended before it knew of a hyperplane that separates. The "
        "upper bound holds, but whether the classes are separable is undecided.",
    )


def check_margin(data: Data, plane: IntegerScore, margin: Fraction) -> None:
    """Claim: y s > 0 and (y s)**2 >= margin**2 ||theta||**2 on every row.

    Rows with y s beyond a number just above margin ||theta|| pass at once; the others are compared
    in fractions.
    """
    squares = sum(a * a for a in plane.numerators)
    least = margin**2 * Fraction(squares, plane.denominator**2)
    for i in _rows_near(data, plane, root_above(least)).tolist():
        side = plane.score(data.X, i) * int(data.y[i])
        require(side > 0, f"The hyperplane does not separate: row {i} is not on its side.")
        require(
            side**2 >= least,
            f"The margin is not reached: row {i} is nearer to the hyperplane than {show(margin)}.",
        )


def _rows_near(data: Data, plane: IntegerScore, distance: Fraction) -> Integers:
    """The rows with y s < distance: s - distance < 0 if y = +1, s + distance > 0 if y = -1."""
    theta = [Fraction(a, plane.denominator) for a in plane.numerators]
    constant = Fraction(plane.constant, plane.denominator)
    shifted = [IntegerScore.of(theta, constant + shift) for shift in (-distance, distance)]
    nearer, further = signs(data.X, shifted).T
    return np.flatnonzero(np.where(data.y > 0, nearer < 0, further > 0))


def root_above(square: Fraction) -> Fraction:
    """A fraction whose square is at least `square`, by a relative 2**-60 or so at most.

    >>> root_above(Fraction(2)) ** 2 > 2, float(root_above(Fraction(2)))
    (True, 1.4142135623730951)
    """
    length = square.numerator.bit_length() - square.denominator.bit_length()
    shift = max(0, 64 - length // 2)
    return Fraction(math.isqrt(math.floor(square * 4**shift)) + 1, 2**shift)


def check_weights(data: Data, support: Combination, offset: bool) -> None:
    """Claim: the weights sum to exactly 1 in each class; through the origin, over all rows."""
    sides = data.y[support.rows].tolist()
    groups = {"class -1": [-1], "class +1": [1]} if offset else {"all rows": [-1, 1]}
    for name, group in groups.items():
        total = sum(w for w, y in zip(support.weights, sides, strict=True) if y in group)
        require(total == 1, f"The weights of {name} sum to {show(total)}, not to 1.")


def check_upper_bound(
    data: Data, support: Combination, upper_bound: Fraction, offset: bool
) -> None:
    """Claim: upper_bound >= ||v|| / 2, v = sum_i w_i y_i x_i; through the origin, >= ||v||."""
    v = weighted_sum(data, support.rows, support.weights, offset=False)
    square = sum((a * a for a in v.values()), Fraction(0))
    if (2 if offset else 1) ** 2 * upper_bound**2 < square:
        raise CertificateError(
            f"The upper bound {show(upper_bound)} is not proved: the weights only show that no "
            f"margin is above {show(root_above(square) / (2 if offset else 1))}."
        )
