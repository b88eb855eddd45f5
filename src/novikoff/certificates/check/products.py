"""Signs of long scores, by multiplication as taught in school, for many rows at once.

A row and a hyperplane of integers are written in base 2**b, x = sum_k x_k 2**(b k) and
theta = sum_l theta_l 2**(b l), with digits below 2**b that have the sign of the number. The score
is sum_{k,l} (x_k . theta_l) 2**(b (k + l)), and b is so small that no sum of products of digits
exceeds 2**52: doubles hold them all exactly. Carries are then passed on from the lowest place up.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.check.matrix import Floats, Matrix

PIECES = 16  # digits a row's entries may have


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
