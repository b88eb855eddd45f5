"""Mean and standard deviation of a column, each rounded once from its exact value."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from novikoff._arrays import Floats, Ints
from novikoff.kernels.exact import LOWEST, N_LIMBS
from novikoff.kernels.sums import N_BINS, add_column


class Moments:
    """Exact sums of a column that arrives in pieces: no matter in which.

    Attributes
    ----------
    n : int
        Values so far; missing ones (NaN) do not count.
    n_zero : int
        How many of them were zero.
    """

    def __init__(self) -> None:

        self.n = 0
        self.n_zero = 0
        self._sums = np.zeros(N_LIMBS, np.int64)
        self._squares = np.zeros(N_LIMBS, np.int64)
        self._variance: Fraction | None = None  # once it was asked for

    def add(self, values: Floats, bins: Ints) -> None:
        """Count `values`; `bins` is scratch, see :func:`scratch`."""
        bits = np.ascontiguousarray(values, np.float64).view(np.int64)
        n, n_zero = add_column(bits, bins, self._sums, self._squares)
        self._variance = None
        self.n += int(n)
        self.n_zero += int(n_zero)

    def mean(self) -> float:
        """The nearest double to the mean; 0.0 of no values."""
        return float(_rational(self._sums) / self.n) if self.n else 0.0

    def variance(self) -> Fraction:
        """The mean squared deviation from the mean, exactly; 0 only if all values are equal."""
        if not self.n:
            return Fraction(0)
        if self._variance is None:
            mean = _rational(self._sums) / self.n
            self._variance = _rational(self._squares) / self.n - mean**2
        return self._variance

    def deviation(self) -> float:
        """The nearest double to the standard deviation (of the population: divided by n)."""
        return _nearest_root(self.variance())


def scratch() -> Ints:
    """What :meth:`Moments.add` needs to work in; one for each thread."""
    return np.zeros((N_BINS, 4), np.int64)


def _rational(limbs: Ints) -> Fraction:

    total = 0
    for limb in limbs[::-1].tolist():
        total = (total << 32) + limb
    return Fraction(total, 1 << -LOWEST)


def _nearest_root(square: Fraction) -> float:
    """√square as the nearest double, ties to even; positive if `square` is."""
    if square == 0:
        return 0.0
    p, q = square.numerator, square.denominator
    # Scale by a power of four until the integer root has 64 bits or more; a last bit that says
    # whether anything was cut off makes the one rounding that follows the right one.
    shift = max(0, 64 - (p.bit_length() - q.bit_length()) // 2)
    scaled, rest = divmod(p << 2 * shift, q)
    root = math.isqrt(scaled)
    inexact = rest != 0 or root * root != scaled
    return max(float(Fraction(2 * root + inexact, 2 << shift)), 5e-324)
