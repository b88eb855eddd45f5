"""Regressions by definition: every inequality of every family's cone, in fractions, all listed.

Nothing is chained, lifted or sorted here. With the brute force of `oracle.py` it says for a few
rows whether estimates exist.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from tests.certificates.oracle import Truth, Vector

OPPOSITE = {"+inf": "-inf", "-inf": "+inf"}


def plus(a: Vector, b: Vector, sign: int = 1) -> Vector:
    return [x + sign * y for x, y in zip(a, b, strict=True)]


def times(factor: int, a: Vector) -> Vector:
    return [factor * x for x in a]


def moved_by_a_level(found, factors, width: int) -> set[int]:
    """The rows that are above, or below, together with all others of a level of a factor.

    These are left out first, and coefficients are judged by the others. A row is above if the
    dummies of its z, which come after `width` columns, are 1, and below if they are -1.
    """
    moved: set[int] = set()
    while True:
        more = set()
        for factor in factors:
            for level in set(factor):
                here = [(z, i) for z, (i,) in found if factor[i] == level and i not in moved]
                if len({sum(z[width:]) > 0 for z, _ in here}) == 1:
                    more |= {i for _, i in here}
        if not more:
            return moved
        moved |= more


class Regression:
    """The truth about a regression.

    rows : the vectors z, each with the rows of X that it speaks of
    """

    def __init__(self, family: str, X, y, *, fit_intercept=True, groups=None, entry=None,
                 strata=None, absorb=()) -> None:  # fmt: skip
        n = len(X)
        self.X = [[Fraction(v) for v in row] for row in X]
        d = len(self.X[0])
        constant = fit_intercept and not absorb
        if family in ("binomial", "poisson", "multinomial") and constant:
            self.X = [[*row, Fraction(1)] for row in self.X]
        judged = len(self.X[0])
        for factor in absorb:
            levels = sorted(set(factor))
            self.X = [
                [*row, *(Fraction(int(v == level)) for level in levels)]
                for row, v in zip(self.X, factor, strict=True)
            ]
        self.y, self.groups = y, groups
        self.entry = entry if entry is not None else [float("-inf")] * n
        self.strata = strata if strata is not None else [0] * n
        found = list(getattr(self, family)())
        moved = set()
        if family in ("binomial", "poisson"):
            moved = moved_by_a_level(found, absorb, judged)
            if moved == {i for _, who in found for i in who}:
                moved = set()
            found = [(z, who) for z, who in found if not who & moved]
        kinds = [list(z) for z in dict.fromkeys(tuple(z) for z, _ in found)]
        truth = Truth(kinds)
        held = [kinds[k] for k in truth.overlap_rows]
        strict = [z not in held for z, _ in found]
        separated = any(strict) or moved
        self.verdict = "quasi-complete separation" if separated else "estimates exist"
        if all(strict):
            self.verdict = "complete separation"
        speaking = {i: [s for s, (_, who) in zip(strict, found, strict=True) if i in who]
                    for i in range(n)}  # fmt: skip
        self.separated_rows = [
            i for i in range(n) if i in moved or (speaking[i] and all(speaking[i]))
        ]
        states = truth.infinite
        if family == "multinomial":
            width, blocks = len(self.X[0]), len(set(y)) - 1
            states = [states[b * width + j] for b in range(blocks) for j in range(judged)]
        elif family == "ordinal":
            alphas = len(set(y)) - 1
            states = states[alphas : alphas + d] + states[:alphas]
        else:
            states = states[:judged]
        self.coefficients = states

    def binomial(self):
        for i, (x, (successes, failures)) in enumerate(zip(self.X, self.y, strict=True)):
            if successes > 0:
                yield x, {i}
            if failures > 0:
                yield times(-1, x), {i}

    def poisson(self):
        for i, (x, count) in enumerate(zip(self.X, self.y, strict=True)):
            yield times(-1, x), {i}
            if count > 0:
                yield x, {i}

    def multinomial(self):
        classes = sorted(set(self.y))
        zero = [Fraction(0)] * len(self.X[0])
        for (i, x), c in product(enumerate(self.X), classes):
            if c != self.y[i]:
                blocks = {self.y[i]: x, c: times(-1, x)}
                yield [v for k in classes[1:] for v in blocks.get(k, zero)], {i}

    def ordinal(self):
        """(alpha, beta): alpha_k - x . beta >= 0 of class k, and alpha_{k-1} - x . beta <= 0."""
        classes = sorted(set(self.y))
        for i, x in enumerate(self.X):
            k = classes.index(self.y[i])
            for level, sign in ((k, 1), (k - 1, -1)):
                if 0 <= level < len(classes) - 1:
                    unit = [Fraction(int(j == level)) for j in range(len(classes) - 1)]
                    yield times(sign, [*unit, *times(-1, x)]), {i}

    def conditional(self):
        for i, j in product(range(len(self.X)), repeat=2):
            if self.groups[i] == self.groups[j] and self.y[i] and not self.y[j]:
                yield plus(self.X[i], self.X[j], -1), {i, j}

    def cox(self):
        """Each failure against everybody at risk; tied failures are at risk for each other."""
        for e, j in product(range(len(self.X)), repeat=2):
            (time, event), (until, _) = self.y[e], self.y[j]
            if (
                e != j and event and self.strata[e] == self.strata[j]
                and self.entry[j] < time <= until
            ):  # fmt: skip
                yield plus(self.X[e], self.X[j], -1), {e, j}
