"""Which coefficients of a maximum-likelihood logistic regression are infinite.

The likelihood grows along every weak separator and is maximal only beyond all of them, so a
coefficient is finite exactly where every weak separator has a zero, and goes to plus infinity where
every maximal one has a positive number. Both are questions about cones: the weak separators have
w_j >= 0 exactly if the unit vector e_j is in the cone of the rows (Farkas), and w_j = 0 exactly if
it is in the span of the rows that overlap.
"""

from __future__ import annotations

import numpy as np
from flint import fmpq, fmpz
from numpy.typing import NDArray

from novikoff.certificates.cones import Cone, Weighted
from novikoff.certificates.faces import Face
from novikoff.certificates.linear import Span
from novikoff.certificates.parts import Combination, Separator
from novikoff.certificates.scaled import Scaled, combination

FINITE = "finite"
PLUS, MINUS = "+inf", "-inf"
UNDETERMINED = "undetermined"
NOT_IDENTIFIED = "not identified"


Evidence = Combination | Separator


def judge(
    scaled: Scaled, important: NDArray[np.int64], face: Face
) -> tuple[tuple[str, ...], tuple[Evidence, ...]]:
    """Judge every coefficient, given a maximal weak separator and the rows it is zero on.

    Returns the verdicts and what they rest on, as `Separability` has them.
    """
    everything = np.arange(len(important))
    whole = Span(scaled, everything, important) if face.w is not None else face.span
    assert whole is not None
    finite = _finite(scaled, face)
    others = _Others(scaled, Cone(scaled, everything, important), face.w)
    judged: list[tuple[str, Evidence]] = []
    for j in range(scaled.dimension):
        blind = next((v for v in whole.orthogonal if v[j]), None)
        if blind is not None:
            judged.append((NOT_IDENTIFIED, scaled.separator(blind)))
        elif j in finite:
            judged.append((FINITE, finite[j]))
        else:
            judged.append(others.judge(j))
    verdicts, evidence = zip(*judged, strict=True)
    return verdicts, evidence


class _Others:
    """The coefficients that are not zero in some weak separator."""

    def __init__(self, scaled: Scaled, cone: Cone, maximal: list[fmpz] | None) -> None:
        self.scaled = scaled
        self.cone = cone
        self.maximal = maximal or []  # without a weak separator, nobody is asked for
        self.met: list[list[fmpz]] = []  # weak separators found on the way; they serve others too

    def judge(self, j: int) -> tuple[str, Evidence]:
        sign = _sign(self.maximal[j])
        other = next((w for w in self.met if w[j] and _sign(w[j]) != sign), None)
        if other is None:
            unit = [(sign or 1) * int(j == k) for k in range(self.scaled.dimension)]
            answer = self.cone.holds(unit)
            if isinstance(answer, Weighted):
                factor = fmpq(2) ** -int(self.scaled.column_exponents[j])  # of the scaled column
                weights = [factor * x for x in answer.weights]
                return PLUS if sign > 0 else MINUS, combination(answer.rows, weights, exact=True)
            other = answer.w
            self.met.append(other)
        return UNDETERMINED, self.scaled.separator(other)


def _finite(scaled: Scaled, face: Face) -> dict[int, Combination]:
    """The coefficients that are zero in every weak separator, as combinations of spanning rows."""
    if face.span is None:
        return {}
    span = face.span
    finite = [
        j for j in range(scaled.dimension) if not any(vector[j] for vector in span.orthogonal)
    ]
    found = {}
    for j, weights in zip(finite, span.combinations(finite), strict=True):
        exact = [
            x * fmpq(2) ** -(int(scaled.column_exponents[j]) + exponent)
            for x, exponent in zip(weights, span.exponents, strict=True)
        ]
        found[j] = combination(span.rows.tolist(), exact, exact=True)
    return found


def _sign(x: fmpz) -> int:
    return int(x > 0) - int(x < 0)
