"""Elimination and linear systems modulo a prime below 2**31, so that products fit into int64."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.check.matrix import Integers


def primes() -> Iterator[int]:
    """Primes below 2**31, from the largest down.

    >>> next(primes()) == 2**31 - 1
    True
    """
    for q in range(2**31 - 1, 2**30, -2):
        if all(q % f for f in range(3, math.isqrt(q) + 1, 2)):
            yield q


def eliminate(
    A: Integers, p: int, *, columns: int | None = None, everywhere: bool = False
) -> tuple[Integers, Integers]:
    """Row-reduce A modulo p, in place, with pivots in its first `columns` columns.

    Below each pivot, and with `everywhere` also above it, the column becomes zero. Returns the row
    numbers of the original A that became pivot rows, in order, and the pivot columns.

    >>> A = np.array([[1, 2, 3], [2, 4, 6], [0, 0, 5]])
    >>> [pivots.tolist() for pivots in eliminate(A, 7)]
    [[0, 2], [0, 2]]
    """
    order = np.arange(len(A))
    pivots: list[int] = []
    for c in range(A.shape[1] if columns is None else columns):
        r = len(pivots)
        candidates = np.flatnonzero(A[r:, c])
        if len(candidates) == 0:
            continue
        swap = r + int(candidates[0])
        A[[r, swap]], order[[r, swap]] = A[[swap, r]], order[[swap, r]]
        A[r, c:] = A[r, c:] * pow(int(A[r, c]), -1, p) % p
        others = np.flatnonzero(A[:, c])
        others = others[(others != r) if everywhere else (others > r)]
        A[others, c:] = (A[others, c:] - A[others, c, None] * A[r, c:]) % p
        pivots.append(c)
    return order[: len(pivots)], np.array(pivots, np.int64)


def inverse(B: Integers, p: int) -> Integers:
    """The inverse of an invertible matrix modulo p."""
    r = len(B)
    A = np.concatenate([B, np.eye(r, dtype=np.int64)], axis=1)
    eliminate(A, p, columns=r, everywhere=True)
    return A[:, r:]


def product(A: Integers, B: Integers, p: int) -> Integers:
    """A B modulo p; B is split into 16 bits and the rest, so that sums of 2**16 terms fit."""
    high, low = B >> 16, B & 0xFFFF
    result: Integers = ((A @ high % p << 16) + A @ low) % p
    return result


def lift(B: NDArray[Any], right: NDArray[Any], p: int) -> Iterator[tuple[NDArray[Any], int]]:
    """Solve B X = right modulo p, p**2, p**3, ...: yields X and the modulus (Dixon 1982).

    B, of integers, is invertible modulo p. Each step finds the next digit of X in base p.
    """
    C = inverse((B % p).astype(np.int64), p)
    if _largest(B) * p * len(B) + _largest(right) < 2**62:
        B, right = B.astype(np.int64), right.astype(np.int64)
    else:
        B, right = B.astype(object), right.astype(object)
    X, modulus = np.zeros(right.shape, object), 1
    while True:
        digit = product(C, (right % p).astype(np.int64), p)
        X, modulus = X + digit.astype(object) * modulus, modulus * p
        right = (right - B @ digit.astype(B.dtype)) // p
        yield X, modulus


def _largest(A: NDArray[Any]) -> int:
    return max((abs(int(x)) for x in A.flat), default=0)


def as_fractions(residues: list[int], modulus: int) -> tuple[list[int], int]:
    """Integers a_i and b > 0 with a_i = b residue_i modulo `modulus`, as small as they come.

    If there are such numbers below sqrt(modulus / 2), these are found (Wang 1981).

    >>> as_fractions([pow(3, -1, 10007), 5 * pow(6, -1, 10007) % 10007], 10007)
    ([2, 5], 6)
    """
    limit = math.isqrt(modulus // 2)
    numerators: list[int] = []
    denominator = 1
    for residue in residues:
        scaled = residue * denominator % modulus
        if limit < scaled < modulus - limit:
            factor = _denominator(scaled, modulus, limit)
            numerators = [a * factor for a in numerators]
            denominator *= factor
            scaled = residue * denominator % modulus
        numerators.append(scaled - modulus if scaled > modulus // 2 else scaled)
    return numerators, denominator


def _denominator(residue: int, modulus: int, limit: int) -> int:
    """b > 0 for which b residue is at most `limit` modulo `modulus`, by Euclid's algorithm."""
    r, s = (modulus, residue), (0, 1)
    while r[1] > limit:
        q = r[0] // r[1]
        r, s = (r[1], r[0] - q * r[1]), (s[1], s[0] - q * s[1])
    return abs(s[1])
