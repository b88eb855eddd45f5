"""Exact numbers: what counts as one, and how several are written with one denominator."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.check.errors import CertificateError


def exact(number: Any, name: str, *, floats: bool = True) -> Fraction:
    """`number` as a fraction; refuses what is no finite exact number.

    >>> exact(0.5, "the offset"), exact(3, "the offset")
    (Fraction(1, 2), Fraction(3, 1))
    """
    if isinstance(number, Fraction):
        return number
    if isinstance(number, int | np.integer) and not isinstance(number, bool):
        return Fraction(int(number))
    if floats and isinstance(number, float | np.float32 | np.float16):
        if not math.isfinite(number):
            raise CertificateError(f"{name} is {float(number)}; it must be a finite number.")
        return Fraction(float(number))
    allowed = "an int, a Fraction or a double" if floats else "an int or a Fraction"
    raise CertificateError(f"{name} is of type {type(number).__name__}; it must be {allowed}.")


def exact_all(numbers: Any, name: str, *, floats: bool = True) -> list[Fraction]:
    """A sequence of exact numbers as fractions."""
    if isinstance(numbers, np.ndarray):
        numbers = numbers.tolist()
    if not isinstance(numbers, list | tuple):
        raise CertificateError(f"{name} must be a sequence of numbers.")
    return [exact(x, f"{name}[{i}]", floats=floats) for i, x in enumerate(numbers)]


def common_denominator(numbers: Sequence[Fraction]) -> tuple[list[int], int]:
    """Integers n_i and L > 0 with numbers_i = n_i / L.

    >>> common_denominator([Fraction(1, 2), Fraction(-2, 3)])
    ([3, -4], 6)
    """
    denominator = math.lcm(*{x.denominator for x in numbers})
    return [x.numerator * (denominator // x.denominator) for x in numbers], denominator


def as_integers(values: NDArray[np.float64]) -> tuple[list[int], int]:
    """Integers m_i and s >= 0 with values_i = m_i / 2**s, for finite doubles.

    >>> as_integers(np.array([1.0, -3.0])), as_integers(np.array([0.75, 2.0**-1074]))[1]
    (([1, -3], 0), 1126)
    """
    if bool((np.abs(values) < 2.0**53).all() and (values == np.rint(values)).all()):
        return values.astype(np.int64).tolist(), 0
    fractions, exponents = np.frexp(values)  # values = (fractions * 2**53) * 2**(exponents - 53)
    integers: list[int] = np.ldexp(fractions, 53).astype(np.int64).tolist()
    powers = (exponents.astype(np.int64) - 53).tolist()
    shift = max(0, -min(powers))
    return [m << (power + shift) for m, power in zip(integers, powers, strict=True)], shift
