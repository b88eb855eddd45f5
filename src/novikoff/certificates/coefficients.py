"""Which coefficients of a maximum-likelihood logistic regression are infinite.

The likelihood grows along every weak separator and is maximal only beyond all of them, so a
coefficient is finite exactly where every weak separator has a zero, and goes to plus infinity where
every maximal one has a positive number. Both are questions about cones: the weak separators have
w_j >= 0 exactly if the unit vector e_j is in the cone of the rows (Farkas), and w_j = 0 exactly if
it is in the span of the rows that overlap. The first is asked modulo that span.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
from flint import fmpq, fmpz

from novikoff._arrays import Ints
from novikoff.certificates.cones import Cone, Halfspace, Weighted
from novikoff.certificates.faces import Face
from novikoff.certificates.linear import Quotient
from novikoff.certificates.parts import Combination, Separator
from novikoff.certificates.scaled import Scaled, combination
from novikoff.certificates.sparse import span_of

FINITE = "finite"
PLUS, MINUS = "+inf", "-inf"
UNDETERMINED = "undetermined"
NOT_IDENTIFIED = "not identified"


Push = Callable[[int], list[fmpz] | None]
Evidence = Combination | Separator | None


def judge(
    scaled: Scaled, important: Ints, face: Face, push: Push | None = None
) -> tuple[tuple[str, ...], tuple[Evidence, ...]]:
    """Judge the coefficients asked for, given a maximal weak separator and the rows it is zero on.

    push : what may find, at little cost, a weak separator with another sign at a coefficient
    Returns the verdicts and what they rest on, as `Separability` has them.
    """
    everything = np.arange(len(important))
    whole = span_of(scaled, everything, important) if face.w is not None else face.span
    assert whole is not None
    core = face.span
    others = _Others(scaled, important, face, push)
    told: dict[int, Separator] = {}  # one object for all coefficients that a vector speaks of
    judged: list[tuple[str, Evidence]] = []
    for j in range(scaled.dimension) if scaled.data.asked is None else scaled.data.asked:
        blind = whole.sees_not(j)
        if blind is not None:
            separator = told.get(id(blind)) or scaled.separator(blind)
            if j not in whole.empty:
                told[id(blind)] = separator
            judged.append((NOT_IDENTIFIED, separator))
        elif face.w is None or (core is not None and core.sees_not(j) is None):
            judged.append((FINITE, None))
        else:
            judged.append(others.judge(j))
    return tuple(verdict for verdict, _ in judged), tuple(part for _, part in judged)


class _Others:
    """The coefficients that are not zero in some weak separator."""

    def __init__(self, scaled: Scaled, important: Ints, face: Face, push: Push | None) -> None:
        self.scaled, self.important, self.face, self.push = scaled, important, face, push
        self.maximal = face.w or []
        self.met: list[list[fmpz]] = []  # weak separators found on the way; they serve others too

    @cached_property
    def quotient(self) -> Quotient | None:
        return None if self.face.span is None else Quotient(self.scaled, self.face.span)

    @cached_property
    def cone(self) -> Cone:
        outside = self.scaled.data.others(self.face.rows)
        return Cone(self.quotient or self.scaled, outside, self.important)

    def judge(self, j: int) -> tuple[str, Evidence]:
        sign = _sign(self.maximal[j])
        other = self._met(j, sign)
        if other is None and self.push is not None:
            self.met += [w for w in [self.push(j)] if w is not None]
            other = self._met(j, sign)
        if other is None:
            answer = self._holds([(sign or 1) * int(j == k) for k in range(self.scaled.dimension)])
            if isinstance(answer, Weighted):
                factor = fmpq(2) ** -int(self.scaled.column_exponents[j])  # of the scaled column
                weights = [factor * x for x in answer.weights]
                return PLUS if sign > 0 else MINUS, combination(answer.rows, weights, exact=True)
            other = answer.w
            self.met.append(other)
        return UNDETERMINED, self.scaled.separator(other)

    def _met(self, j: int, sign: int) -> list[fmpz] | None:
        """A weak separator found before, with another sign at j."""
        return next((w for w in self.met if w[j] and _sign(w[j]) != sign), None)

    def _holds(self, unit: list[int]) -> Weighted | Halfspace:
        if self.quotient is None:
            return self.cone.holds(unit)
        answer = self.cone.holds(self.quotient.target(unit))
        return answer if isinstance(answer, Weighted) else Halfspace(self.quotient.lifted(answer.w))


def _sign(x: fmpz) -> int:
    return int(x > 0) - int(x < 0)
