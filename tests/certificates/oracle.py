"""Separability by brute force: every candidate hyperplane, in fractions. For a few rows only.

Within the space the rows span, the weak separators form a pointed cone. Its edges are orthogonal to
all but one dimension of rows, so trying every such set of rows finds them all, and their sum is
strict wherever any weak separator is.
"""

from __future__ import annotations

from contextlib import contextmanager
from fractions import Fraction
from itertools import combinations

import pytest

from novikoff.certificates import data

Vector = list[Fraction]


def signed_rows(X, y, fit_intercept: bool) -> list[Vector]:
    """z_i = y_i (x_i, 1), or y_i x_i through the origin."""
    last = [1] if fit_intercept else []
    return [[Fraction(s) * Fraction(v) for v in [*x, *last]] for x, s in zip(X, y, strict=True)]


def dot(u: Vector, v: Vector) -> Fraction:
    return sum((a * b for a, b in zip(u, v, strict=True)), Fraction(0))


def reduced(rows: list[Vector]) -> list[Vector]:
    """The nonzero rows of the reduced row echelon form."""
    rows, done = [list(r) for r in rows], []
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((r for r in rows if r[column]), None)
        if pivot is None:
            continue
        rows.remove(pivot)
        pivot = [x / pivot[column] for x in pivot]
        rows = [[a - r[column] * b for a, b in zip(r, pivot, strict=True)] for r in rows]
        done = [[a - r[column] * b for a, b in zip(r, pivot, strict=True)] for r in done]
        done.append(pivot)
    return done


def orthogonal(rows: list[Vector], width: int) -> list[Vector]:
    """A basis of the vectors orthogonal to all rows."""
    echelon = reduced(rows)
    pivots = [next(j for j, x in enumerate(r) if x) for r in echelon]
    basis = []
    for free in sorted(set(range(width)) - set(pivots)):
        vector = [Fraction(int(j == free)) for j in range(width)]
        for r, pivot in zip(echelon, pivots, strict=True):
            vector[pivot] = -r[free]
        basis.append(vector)
    return basis


def edges(Z: list[Vector]) -> tuple[list[Vector], list[Vector]]:
    """The edges of the cone of weak separators in the rows' span, and what is orthogonal to it."""
    width = len(Z[0])
    blind = orthogonal(Z, width)
    rank = width - len(blind)
    found = []
    for chosen in combinations(Z, rank - 1) if rank else ():
        line = orthogonal([*chosen, *blind], width)
        if len(line) != 1:
            continue
        for sign in (1, -1):
            w = [sign * x for x in line[0]]
            if all(dot(w, z) >= 0 for z in Z):
                found.append(w)
    return found, blind


class Truth:
    """What there is to know about rows z_i.

    verdict, overlap_rows, infinite : as `novikoff.separability(..., core=True)` names them
    """

    def __init__(self, Z: list[Vector]) -> None:
        found, blind = edges(Z)
        w = [sum(column, Fraction(0)) for column in zip(*found, strict=True)] if found else None
        scores = [dot(w, z) if w else Fraction(0) for z in Z]
        self.overlap_rows = [i for i, s in enumerate(scores) if s == 0]
        if not self.overlap_rows:
            self.verdict = "separable"
        else:
            self.verdict = "quasi-separable" if any(scores) else "overlapping"
        self.infinite = [self._infinite(j, found, blind) for j in range(len(Z[0]))]

    @staticmethod
    def _infinite(j: int, found: list[Vector], blind: list[Vector]) -> str:
        if any(v[j] for v in blind):
            return "not identified"
        signs = {(v[j] > 0) - (v[j] < 0) for v in found} - {0}
        if not signs:
            return "finite"
        return "undetermined" if len(signs) == 2 else {1: "+inf", -1: "-inf"}[signs.pop()]


@contextmanager
def nothing_is_few():
    """Guesses in floats come first, as they do for large data."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(data, "FEW", 0)
        patch.setattr(data, "SMALL", 0)
        yield
