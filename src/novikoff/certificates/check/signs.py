"""On which side of a hyperplane does every row lie? Exactly.

The score s(x) = theta . x + theta_0 is evaluated in four steps, each for the rows the one before
leaves open:

1. In doubles, with a bound on everything that rounding can do. With u = 2**-53, k terms and
   size = sum_j |theta_j x_j|, a sum in any order is off by at most k u size / (1 - k u), and
   rounding theta to doubles adds u size (Higham 2002, section 3.1). The bound used is over twice
   that, which pays for the rounding in `size` itself. Underflow costs at most k 2**-1022, nothing
   beside a size of 2**-900; overflow shows as a score or size that is not finite.
2. The same sum, where it is exact: all terms are multiples of a power of two, and `size` is below
   2**52 of these. Then so is every partial sum, and none is rounded.
3. By products of digits, where the entries of a row are not too far apart.
4. In Python integers.

Step 3 is multiplication as taught in school, for many rows at once. A row and a hyperplane of
integers are written in base 2**b, x = sum_k x_k 2**(b k) and theta = sum_l theta_l 2**(b l), with
digits below 2**b that have the sign of the number. The score is
sum_{k,l} (x_k . theta_l) 2**(b (k + l)), and b is so small that no sum of products of digits
exceeds 2**52: doubles hold them all exactly. Carries are then passed on from the lowest place up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import mul

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.check.matrix import SMALL, Floats, Integers, Matrix
from novikoff.certificates.check.numbers import as_integers, common_denominator

PLANES = 2**10  # hyperplanes evaluated at a time,
WEIGHTS = 2**22  # or fewer, if they have more weights than this
PIECES = 16  # digits a row's entries may have


@dataclass(frozen=True)
class IntegerScore:
    """The score (numerators . x + constant) / denominator, in integers; denominator > 0."""

    numerators: list[int]
    constant: int
    denominator: int = 1

    @classmethod
    def of(cls, theta: Sequence[Fraction], offset: Fraction) -> IntegerScore:
        """theta . x + offset over one denominator."""
        numbers, denominator = common_denominator([*theta, offset])
        return cls(numbers[:-1], numbers[-1], denominator)

    def score(self, X: Matrix, row: int) -> Fraction:
        """The score of one row."""
        columns, values = X.nonzeros(row)
        total, shift = _total(self.numerators, self.constant, columns, values)
        return Fraction(total, self.denominator << shift)


@dataclass(frozen=True)
class _Exact:
    """A hyperplane's numbers for the columns in use, the constant last."""

    numbers: list[int]

    @property
    def bits(self) -> int:
        return digit_bits(len(self.numbers))

    @cached_property
    def digits(self) -> Floats:
        return in_digits(self.numbers, self.bits)


@dataclass(frozen=True)
class _Doubles:
    """Several hyperplanes rounded to doubles, each divided by a power of two of its own.

    weights : (k, m), of the columns that any of the m hyperplanes uses
    constants : (m,)
    units : (m,), the power of two that divides all numbers of a hyperplane; 0.0 if they are rounded
    normal : (m,), whether every non-zero number is at least `SMALL`
    """

    weights: Floats
    constants: Floats
    units: Floats
    normal: NDArray[np.bool_]


def signs(X: Matrix, planes: Sequence[IntegerScore]) -> NDArray[np.int8]:
    """The exact sign, -1, 0 or +1, of every row's score under each of m hyperplanes: (n, m).

    >>> from novikoff.certificates.check.matrix import Dense
    >>> X = Dense(np.array([[0.1, 0.2, 0.3], [1.0, 1.0, 2.0]]))
    >>> signs(X, [IntegerScore([1, 1, -1], 0)]).tolist()  # as doubles, 0.1 + 0.2 > 0.3
    [[1], [0]]
    """
    result = np.zeros((X.shape[0], len(planes)), np.int8)
    step = max(1, min(PLANES, WEIGHTS // max(1, X.shape[1])))
    for j in range(0, len(planes), step):
        some = planes[j : j + step]
        columns = _used_columns(some)
        exact = [_Exact([*(p.numerators[c] for c in columns.tolist()), p.constant]) for p in some]
        doubles = _rounded(exact, len(columns))
        for start, block in X.blocks(columns):
            rows = slice(start, start + block.shape[0])
            result[rows, j : j + step] = _block_signs(block, doubles, exact)
    return result


def _used_columns(planes: Sequence[IntegerScore]) -> Integers:
    """The columns with a non-zero weight in any hyperplane."""
    used = {c for plane in planes for c, number in enumerate(plane.numerators) if number}
    return np.array(sorted(used), np.int64)


def _rounded(planes: Sequence[_Exact], width: int) -> _Doubles:
    """Hyperplanes as doubles; Python rounds the quotient of two integers correctly."""
    m = len(planes)
    weights, units, normal = np.zeros((width + 1, m)), np.zeros(m), np.zeros(m, bool)
    for j, numbers in enumerate(plane.numbers for plane in planes):
        top = max(abs(x) for x in numbers).bit_length()
        low = min(((x & -x).bit_length() - 1 for x in numbers if x), default=0)
        weights[:, j] = [x / (1 << top) for x in numbers]
        units[j] = 2.0 ** (low - top) if top - low <= 53 else 0.0
        normal[j] = all(abs(w) >= SMALL for x, w in zip(numbers, weights[:, j], strict=True) if x)
    return _Doubles(weights[:-1], weights[-1], units, normal)


def _block_signs(block: Matrix, doubles: _Doubles, planes: Sequence[_Exact]) -> NDArray[np.int8]:
    with np.errstate(all="ignore"):  # what overflows is not finite, and is decided exactly
        scores = block.times(doubles.weights) + doubles.constants
        sizes = block.apply(np.abs).times(np.abs(doubles.weights)) + np.abs(doubles.constants)
        decided = _decided_by_bound(scores, sizes, doubles)
        result = (scores > 0.0).astype(np.int8) - (scores < 0.0).astype(np.int8)
    rows = np.flatnonzero(~decided.all(axis=1))
    if len(rows):
        units = block.take(rows).units()
        decided[rows] |= _exact(sizes[rows], units, doubles)
        for j, plane in enumerate(planes):
            still = ~decided[rows, j]
            if still.any():
                result[rows[still], j] = _long_signs(block.take(rows[still]), units[still], plane)
    return result


def _decided_by_bound(scores: Floats, sizes: Floats, planes: _Doubles) -> NDArray[np.bool_]:
    """Step 1: the score is further from zero than rounding can have moved it."""
    terms = planes.weights.shape[0] + 1
    bound = (terms + 8) * 2.0**-52 * sizes
    finite = np.isfinite(scores) & np.isfinite(sizes)
    decided: NDArray[np.bool_] = (np.abs(scores) > bound) & (sizes >= 2.0**-900)
    return decided & finite & planes.normal


def _exact(sizes: Floats, units: Floats, planes: _Doubles) -> NDArray[np.bool_]:
    """Step 2: nothing was rounded in the sum.

    Units below SMALL are given as 0.0 and those of rounded hyperplanes too, so the strict
    inequality leaves them out. Where no term can underflow, a size of zero says that all are zero.
    """
    grid = units[:, None] * planes.units
    nothing: NDArray[np.bool_] = (sizes == 0.0) & (units[:, None] > 0.0) & planes.normal
    return nothing | (sizes < 2.0**52 * grid)


def _long_signs(block: Matrix, units: Floats, plane: _Exact) -> NDArray[np.int8]:
    """Steps 3 and 4."""
    result = np.zeros(block.shape[0], np.int8)
    short = few_digits(block, units, plane.bits)
    if short.any():
        rows = np.flatnonzero(short)
        result[rows] = product_signs(block.take(rows), units[rows], plane.digits, plane.bits)
    for i in np.flatnonzero(~short).tolist():
        total, _ = _total(plane.numbers[:-1], plane.numbers[-1], *block.nonzeros(i))
        result[i] = (total > 0) - (total < 0)
    return result


def _total(
    numerators: list[int], constant: int, columns: Integers, values: Floats
) -> tuple[int, int]:
    """An integer t and s >= 0 with numerators . x + constant = t / 2**s."""
    integers, shift = as_integers(values)
    total = sum(map(mul, map(numerators.__getitem__, columns.tolist()), integers))
    return total + (constant << shift), shift


# ------------------------------------------------------------------- products of digits


def digit_bits(width: int) -> int:
    """b for `width` terms: 2**(2 b) times the terms times PIECES is at most 2**52.

    >>> digit_bits(784), digit_bits(70_000)
    (19, 15)
    """
    return (52 - width.bit_length() - (PIECES - 1).bit_length()) // 2


def in_digits(numbers: list[int], bits: int) -> Floats:
    """Numbers in base 2**bits, the lowest digit first, with their signs: (k, places).

    >>> in_digits([5, -6], 2).tolist()
    [[1.0, 1.0], [-2.0, -1.0]]
    """
    places = max(1, -(-max(abs(x) for x in numbers).bit_length() // bits))
    digits = np.zeros((len(numbers), places))
    for k, number in enumerate(numbers):
        rest, sign = abs(number), -1 if number < 0 else 1
        digits[k] = [sign * (rest >> (bits * place) & (1 << bits) - 1) for place in range(places)]
    return digits


def few_digits(block: Matrix, units: Floats, bits: int) -> NDArray[np.bool_]:
    """The rows that `PIECES` digits suffice for, all entries and 1 being multiples of `units`."""
    with np.errstate(all="ignore"):
        largest = np.maximum(block.largest(), 1.0) / units  # (infinite where the unit is 0)
    return np.asarray(largest < 2.0 ** (bits * PIECES))


def product_signs(block: Matrix, units: Floats, digits: Floats, bits: int) -> NDArray[np.int8]:
    """The signs of theta . x + constant for rows with few digits.

    Row i consists of multiples of units[i], a power of two up to 1; `digits` are those of theta's
    numbers and, in the last row, of the constant.
    """
    base = 2.0**bits

    def others(values: Floats) -> Floats:
        return np.trunc(values / base)

    def lowest(values: Floats) -> Floats:
        return values - base * others(values)

    rest, one = block.scale(1.0 / units), 1.0 / units
    sums = np.zeros((len(units), digits.shape[1] + PIECES))
    for k in range(PIECES):
        scores = rest.apply(lowest).times(digits[:-1]) + lowest(one)[:, None] * digits[-1]
        sums[:, k : k + digits.shape[1]] += scores
        rest, one = rest.apply(others), others(one)
        if not (one.any() or rest.largest().any()):
            break
    return _signs_of(sums, base)


def _signs_of(sums: Floats, base: float) -> NDArray[np.int8]:
    """The signs of sum_l sums[:, l] base**l, whose terms are integers below 2**52.

    What stays at each place is at least 0, so a negative carry at the end outweighs all of it.
    """
    carry, any_left = np.zeros(len(sums)), np.zeros(len(sums), bool)
    for column in sums.T:
        total = column + carry
        carry = np.floor(total / base)
        any_left |= total != carry * base
    return np.where(carry == 0.0, any_left, np.sign(carry)).astype(np.int8)
