"""Hyperplanes through very many sparse rows, found modulo a prime.

Rows are reduced one after the other, each by those before it; the pivot is the rarest column that
is left, so that rows of dummies hardly fill up. What is found is a guess for whoever called: how
many rows are independent modulo a prime is certain, that a hyperplane goes through all of them is
to be checked.
"""

from __future__ import annotations

from collections import Counter
from heapq import heapify, heappop, heappush

from novikoff.certificates.check.matrix import Matrix
from novikoff.certificates.check.modular import as_fractions
from novikoff.certificates.check.numbers import as_integers

Row = dict[int, int]  # its non-zeros modulo the prime


def sparse_planes(few: Matrix, p: int, *, offset: bool) -> list[list[int]]:
    """As many independent hyperplanes as the rows' (x, 1) leave modulo p, in integers.

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
