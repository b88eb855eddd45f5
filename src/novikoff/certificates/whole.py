"""Exact sums over the rows, in integers: every double is an integer times a power of two."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from novikoff._arrays import Array, Floats, Ints
from novikoff.certificates.data import Labelled
from novikoff.certificates.parts import Exact

Integers = Array  # Python integers of any length, as objects

ROUNDING = 2.0**-52
MANY = 10_000_000  # values that are too many to square as integers
TINY = 2.0**-1000  # more than what a sum can lose to underflow


def odd_parts(values: Array) -> tuple[Ints, Ints]:
    """Odd integers m and exponents e with values = m 2**e; m is 0 where a value is."""
    fractions, exponents = np.frexp(values.astype(np.float64))
    integers = np.ldexp(fractions, 53).astype(np.int64)
    zeros = np.frexp((integers & -integers).astype(np.float64))[1] - 1
    zeros[integers == 0] = 0
    return integers >> zeros, exponents.astype(np.int64) - 53 + zeros


def whole(values: Array) -> tuple[Integers, int]:
    """Integers m and an exponent e with values = m 2**e, the integers as short as possible.

    >>> whole(np.array([0.75, -2.0, 0.0]))
    (array([3, -8, 0], dtype=object), -2)
    """
    integers, exponents = odd_parts(values)
    used = integers != 0
    lowest = int(exponents[used].min()) if used.any() else 0
    shifts = np.where(used, exponents - lowest, 0)
    return integers.astype(object) << shifts.astype(object), lowest


def row(data: Labelled, i: int) -> tuple[Ints, Array]:
    """The columns and values of the non-zeros of x_i."""
    values, indices, indptr, width = data.rows
    if indptr is None:
        dense = values[i * width : (i + 1) * width]
        columns = np.flatnonzero(dense)
        return columns, dense[columns]
    low, high = indptr[i], indptr[i + 1]
    return indices[low:high].astype(np.int64), values[low:high]


def distinct(data: Labelled, rows: Ints) -> list[int]:
    """Of the rows numbered `rows`, all of one side, the first of each kind."""
    kinds: dict[bytes, int] = {}
    for i in rows.tolist():
        columns, values = row(data, i)
        kinds.setdefault(columns.tobytes() + values.tobytes(), i)
    return list(kinds.values())


def common_denominator(numbers: Sequence[Exact]) -> tuple[Integers, int]:
    """Integers n and L > 0 with numbers = n / L.

    >>> common_denominator([0.5, Fraction(-2, 3)])
    (array([3, -4], dtype=object), 6)
    """
    fractions = [Fraction(x) for x in numbers]
    denominator = math.lcm(*{x.denominator for x in fractions})
    result = np.empty(len(fractions), object)
    result[:] = [x.numerator * (denominator // x.denominator) for x in fractions]
    return result, denominator


def shifted(x: int | Fraction, exponent: int) -> Fraction:
    """x 2**exponent."""
    return Fraction(x) * Fraction(2) ** exponent


def rounded(x: Fraction) -> float:
    """x as a double, infinite where it is too large for one."""
    try:
        return float(x)
    except OverflowError:
        return math.inf if x > 0 else -math.inf


def rounded_up(x: Fraction) -> float:
    """The least double that is at least x."""
    near = rounded(x)
    return near if near == math.inf or Fraction(near) >= x else math.nextafter(near, math.inf)


def rounded_down(x: Fraction) -> float:
    """The largest double that is at most x."""
    near = min(rounded(x), sys.float_info.max)
    return near if Fraction(near) <= x else math.nextafter(near, -math.inf)


def squared_norm(numbers: Sequence[Exact]) -> Fraction:
    """The sum of the squares."""
    integers, denominator = common_denominator(numbers)
    return Fraction(int((integers * integers).sum()), denominator**2)


def weighted_sum(data: Labelled, rows: Ints, weights: Sequence[Exact]) -> list[Fraction]:
    """sum_i weights_i y_i x_i over the rows numbered `rows`; of its coordinates the non-zeros."""
    numerators, denominator = common_denominator(weights)
    total = np.zeros(data.shape[1], object)
    lowest = 0
    for i, weight in zip(rows.tolist(), numerators.tolist(), strict=True):
        columns, values = row(data, i)
        integers, exponent = whole(values)
        if exponent < lowest:
            total <<= lowest - exponent
            lowest = exponent
        total[columns] += (weight * int(data.y[i])) * (integers << (exponent - lowest))
    return [shifted(Fraction(x, denominator), lowest) for x in total.tolist() if x]


def score(data: Labelled, i: int, theta: Integers) -> Fraction:
    """y_i theta . x_i."""
    columns, values = row(data, i)
    integers, exponent = whole(values)
    return shifted(int(data.y[i]) * int((theta[columns] * integers).sum()), exponent)


def rounded_scores(data: Labelled, theta: Floats) -> tuple[Floats, Floats]:
    """y_i theta . x_i of every row in doubles, and bounds on their errors.

    The bounds also allow for theta having been rounded to doubles, if its largest is near 1.
    """
    factor = 2.0 * (data.shape[1] + 8) * ROUNDING * np.linalg.norm(theta)
    with np.errstate(over="ignore"):
        return data.scores(theta), factor * data.norms + TINY


def least_scores(data: Labelled, theta: Sequence[Exact], groups: Sequence[Ints]) -> list[Fraction]:
    """Per group of rows, the least y_i theta . x_i, exactly; the largest |theta_j| is near 1.

    Only rows whose rounded score is within its error of the least are summed in integers; none
    where theta separates nothing: then these are upper bounds, and their sum is not positive.
    """
    numerators, denominator = common_denominator(theta)
    found, errors = rounded_scores(data, np.array([float(x) for x in theta]))
    bounds = [float((found[group] + errors[group]).min()) for group in groups]
    if sum(bounds) <= 0.0:
        return [Fraction(bound) for bound in bounds]
    least = []
    for group, bound in zip(groups, bounds, strict=True):
        suspects = distinct(data, group[found[group] - errors[group] <= bound])
        least.append(min(score(data, i, numerators) for i in suspects) / denominator)
    return least


def root(square: Fraction, *, up: bool) -> float:
    """The root of `square`, rounded up or down to a double.

    >>> root(Fraction(25, 4), up=True), root(Fraction(2), up=True) - root(Fraction(2), up=False)
    (2.5, 2.220446049250313e-16)
    """
    length = square.numerator.bit_length() - square.denominator.bit_length()
    shift = max(0, 64 - length // 2)
    near = Fraction(math.isqrt(math.floor(square * 4**shift)), 2**shift)
    guess = min(rounded(near), sys.float_info.max)
    around = [math.nextafter(guess, 0.0), guess, math.nextafter(guess, math.inf)]
    if up:
        return next(x for x in around if x == math.inf or Fraction(x) ** 2 >= square)
    return next(x for x in reversed(around) if x < math.inf and Fraction(x) ** 2 <= square)


def largest_norm(data: Labelled) -> float:
    """max ||x_i||, rounded up; where too many rows come close to it, by a few roundings more."""
    most = data.norms.max()
    slack = (data.shape[1] + 16) * 2.0 * ROUNDING
    suspects = np.flatnonzero(data.norms >= most * (1.0 - slack)).tolist()
    if math.isfinite(most) and len(suspects) * data.shape[1] > MANY:
        return float(most)
    squares = [squared_norm(row(data, i)[1].tolist()) for i in suspects]
    return root(max(squares), up=True)
