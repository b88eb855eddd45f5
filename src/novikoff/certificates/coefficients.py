"""Which coefficients of a maximum-likelihood logistic regression are infinite.

The likelihood grows along every weak separator and is maximal only beyond all of them, so a
coefficient is finite exactly where every weak separator has a zero, and goes to plus infinity where
every maximal one has a positive number. Both are questions about cones: the weak separators have
w_j >= 0 exactly if the unit vector e_j is in the cone of the rows (Farkas), and w_j = 0 exactly if
it is in the span of the rows that overlap.
"""

from __future__ import annotations

from dataclasses import dataclass, field

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


@dataclass
class Coefficients:
    """One verdict and its evidence per coefficient; see `Separability`."""

    verdicts: list[str] = field(default_factory=list)
    evidence: list[Combination | Separator] = field(default_factory=list)

    def add(self, verdict: str, evidence: Combination | Separator) -> None:
        self.verdicts.append(verdict)
        self.evidence.append(evidence)


def judge(scaled: Scaled, important: NDArray[np.int64], face: Face) -> Coefficients:
    """Judge every coefficient, given a maximal weak separator and the rows it is zero on."""
    everything = np.arange(len(important))
    whole = Span(scaled, everything, important) if face.w is not None else face.span
    assert whole is not None
    finite = _finite(scaled, face)
    cone = Cone(scaled, everything, important)
    witnesses: list[list[fmpz]] = []
    result = Coefficients()
    for j in range(scaled.dimension):
        blind = next((v for v in whole.orthogonal if v[j]), None)
        if blind is not None:
            result.add(NOT_IDENTIFIED, scaled.separator(blind))
        elif j in finite:
            result.add(FINITE, finite[j])
        else:
            assert face.w is not None
            sign = _sign(face.w[j])
            known = next((v for v in witnesses if v[j] and _sign(v[j]) != sign), None)
            if known is None:
                answer = cone.holds([(sign or 1) * int(j == k) for k in range(scaled.dimension)])
                if isinstance(answer, Weighted):
                    # The target was the unit vector of the scaled column.
                    unit = fmpq(2) ** -int(scaled.column_exponents[j])
                    weights = [unit * x for x in answer.weights]
                    result.add(
                        PLUS if sign > 0 else MINUS, combination(answer.rows, weights, exact=True)
                    )
                    continue
                known = answer.w
                witnesses.append(known)
            result.add(UNDETERMINED, scaled.separator(known))
    return result


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
