"""Elimination and linear systems modulo a prime below 2**31, so that products fit into int64."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from heapq import heapify, heappop, heappush
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.check.matrix import Integers, Matrix
from novikoff.certificates.check.numbers import as_integers

Row = dict[int, int]  # its non-zeros modulo the prime


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
    return ((A @ high % p << 16) + A @ low) % p


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


# ---------------------------------------------------------------- very many sparse rows


def sparse_planes(few: Matrix, p: int, *, offset: bool) -> list[list[int]]:
    """As many independent hyperplanes as the rows' (x, 1) leave modulo p, in integers.

    Rows are reduced one after the other, each by those before it; the pivot is the rarest column
    that is left, so that rows of dummies hardly fill up. What is found is a guess for whoever
    called: how many rows are independent modulo a prime is certain, that a hyperplane goes through
    all of them is to be checked.

    >>> import numpy as np
    >>> from novikoff.certificates.check.matrix import Dense
    >>> sparse_planes(Dense(np.array([[1.0, 0.0], [0.0, 1.0]])), 101, offset=True)
    [[-1, -1, 1]]
    """
    n, d = few.shape
    rows = [_residues(few, i, p, offset) for i in range(n)]
    counts = Counter(column for row in rows for column in row)
    pivots: list[tuple[int, Row]] = []
    index: dict[int, int] = {}
    for row in rows:
        _reduce(row, pivots, index, p)
        if row:
            pivot = min(row, key=lambda column: (counts[column], column))
            factor = pow(row[pivot], -1, p)
            index[pivot] = len(pivots)
            pivots.append((pivot, {column: x * factor % p for column, x in row.items()}))
    free = [column for column in range(d + offset) if column not in index]
    return [_plane(column, pivots, d + offset, p) for column in free]


def _residues(few: Matrix, i: int, p: int, offset: bool) -> Row:
    """The row (x, 1) times a power of two, modulo p."""
    columns, values = few.nonzeros(i)
    integers, shift = as_integers(values)
    row = dict(zip(columns.tolist(), (x % p for x in integers), strict=True))
    if offset:
        row[few.shape[1]] = pow(2, shift, p)
    return {column: x for column, x in row.items() if x}


def _reduce(row: Row, pivots: list[tuple[int, Row]], index: dict[int, int], p: int) -> None:
    """Subtract multiples of the pivot rows, the earlier first: they know nothing of later ones."""
    due = [index[column] for column in row if column in index]
    heapify(due)
    while due:
        pivot, other = pivots[heappop(due)]
        factor = row.get(pivot, 0)
        if not factor:
            continue
        for column, x in other.items():
            if column not in row and column in index:
                heappush(due, index[column])
            left = (row.get(column, 0) - factor * x) % p
            if left:
                row[column] = left
            else:
                row.pop(column, None)


def _plane(free: int, pivots: list[tuple[int, Row]], width: int, p: int) -> list[int]:
    """The hyperplane that is 1 at a column without pivot, as fractions of small integers."""
    weights = [0] * width
    weights[free] = 1
    for pivot, row in reversed(pivots):
        weights[pivot] = -sum(x * weights[column] for column, x in row.items()) % p
    numerators, _ = as_fractions(weights, p)
    return numerators
