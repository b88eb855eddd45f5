"""What becomes of each maximum-likelihood logistic coefficient, and the evidence for it.

e_j is the unit vector of coefficient j (the offset comes last), theta the maximal separator: strict
on all rows but the overlap rows, where every weak separator is zero; z as in `separability.py`.

- "finite": e_j is a combination of the z_i of overlap rows, so coefficient j is zero in every weak
  separator. What the overlap rows span is known already: no evidence is needed.
- "+inf": e_j is a positive combination of z_i, up to a combination of overlap rows, on which every
  weak separator is zero; so no weak separator has a negative coefficient j.
  As theta's is positive, theta is strict on one of these rows; so is every maximal separator, whose
  coefficient is therefore positive too. "-inf": the same for -e_j.
- "undetermined": theta + t w is maximal for every weak separator w and t >= 0. If theta_j = 0 and
  w_j != 0, or the two have opposite signs, then maximal separators differ in the sign of
  coefficient j. (theta_j > 0 and w_j = 0 would not do: all maximal ones may be positive there.)
  Besides, e_j must be a combination of the z_i: a coefficient that is not even identified has both
  signs in maximal separators, too.
- "not identified": a hyperplane with w_j != 0 has score zero on every row, so adding it to any
  coefficients changes no likelihood.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.check.data import Data
from novikoff.certificates.check.errors import CertificateError, require
from novikoff.certificates.check.parts import (
    check_sum,
    coordinate,
    read_combination,
    read_separator,
)
from novikoff.certificates.check.signs import IntegerScore, signs
from novikoff.certificates.check.spans import TABLE, Spanned, not_identified

Spoken = tuple[IntegerScore, list[tuple[int, str]]]  # a hyperplane; coefficients and their states


class Proved(NamedTuple):
    """What is proved already: the maximal separator, if any, and what the overlap rows span."""

    data: Data
    offset: bool
    separator: IntegerScore | None
    spanned: Spanned

    @property
    def dimension(self) -> int:
        return self.data.shape[1] + self.offset

    def coefficient_sign(self, plane: IntegerScore, j: int) -> int:
        number = plane.numerators[j] if j < len(plane.numerators) else plane.constant
        return (number > 0) - (number < 0)

    def name(self, j: int) -> str:
        return coordinate(j, self.data.shape[1])


def check_coefficients(certificate: Any, proved: Proved, asked: Sequence[int]) -> None:
    """Claim: what `infinite` says of the coefficients asked for follows from the evidence."""
    infinite, evidence = certificate.infinite, certificate.evidence
    if evidence is None:
        raise CertificateError("The certificate gives `infinite` but no evidence for it.")
    for name, entries in (("infinite", infinite), ("evidence", evidence)):
        require(
            isinstance(entries, list | tuple) and len(entries) == len(asked),
            f"`{name}` must have {len(asked)} entries, one for each coefficient.",
        )
    d, offset = proved.data.shape[1], proved.offset
    spoken_of: dict[int, Spoken] = {}  # one hyperplane may speak of many coefficients
    for j, entry, part in zip(asked, infinite, evidence, strict=True):
        if entry == "finite":
            check_finite(j, part, proved)
        elif entry in ("+inf", "-inf"):
            check_infinite(j, entry, part, proved)
        elif entry in ("undetermined", "not identified"):
            if id(part) not in spoken_of:
                name = f"evidence about {proved.name(j)}"
                spoken_of[id(part)] = read_separator(part, name, d=d, offset=offset), []
            spoken_of[id(part)][1].append((j, entry))
        else:
            raise CertificateError(
                f"{entry!r}, for {proved.name(j)}, is no state of a coefficient."
            )
    _check_by_hyperplane(list(spoken_of.values()), proved)
    check_identified(
        [j for j, entry in zip(asked, infinite, strict=True) if entry == "undetermined"], proved
    )


def check_finite(j: int, part: Any, proved: Proved) -> None:
    """Claim: e_j is a combination of overlap rows' z."""
    name = f'evidence that {proved.name(j)} is "finite"'
    require(part is None, f"The {name} is the span of the overlap rows; there must be no other.")
    if not proved.spanned.holds({j: Fraction(1)}):
        raise CertificateError(
            f'It is not so that {proved.name(j)} is "finite": the overlap rows do not span its '
            "unit vector."
        )


def check_infinite(j: int, state: str, part: Any, proved: Proved) -> None:
    """Claim: e_j, or -e_j, is a positive combination of rows' z up to one of overlap rows.

    Besides, theta must have that sign at j.
    """
    sign, name = 1 if state == "+inf" else -1, f'evidence that {proved.name(j)} is "{state}"'
    found = read_combination(part, name, n=proved.data.shape[0])
    check_sum(
        proved.data, found, name, offset=proved.offset, target={j: sign}, up_to=proved.spanned
    )
    require(
        proved.separator is not None and proved.coefficient_sign(proved.separator, j) == sign,
        f"The {name} does not suffice: the separator's coefficient has not that sign.",
    )


def _check_by_hyperplane(spoken: Sequence[Spoken], proved: Proved) -> None:
    """Check states whose evidence is a hyperplane, many in one pass over the rows."""
    step = max(1, TABLE // proved.data.shape[0])
    for start in range(0, len(spoken), step):
        some = spoken[start : start + step]
        table = signs(proved.data.X, [plane for plane, _ in some])
        for (plane, states), column in zip(some, table.T, strict=True):
            for j, state in states:
                if state == "undetermined":
                    check_undetermined(j, plane, column * proved.data.y, proved)
                else:
                    check_not_identified(j, plane, column, proved)


def check_undetermined(
    j: int, plane: IntegerScore, sides: NDArray[np.int8], proved: Proved
) -> None:
    """Claim: the hyperplane is weak, and with the maximal separator shows two signs at j."""
    name = f'evidence that {proved.name(j)} is "undetermined"'
    wrong = np.flatnonzero(sides < 0)
    if len(wrong):
        raise CertificateError(
            f"The {name} is no weak separator: row {wrong[0]} is on its wrong side."
        )
    require(bool(sides.any()), f'The {name} is zero on every row: that is "not identified".')
    if proved.separator is None:
        raise CertificateError(
            f"The {name} needs a maximal separator to differ from; there is none."
        )
    maximal, other = proved.coefficient_sign(proved.separator, j), proved.coefficient_sign(plane, j)
    require(
        other == -maximal if maximal else other != 0,
        f"The {name} does not suffice: its coefficient has sign {other} and the separator's has "
        f"sign {maximal}; they must be opposite, or the separator's zero and this one not.",
    )


def check_identified(coefficients: Sequence[int], proved: Proved) -> None:
    """Claim: none of the coefficients can be changed without changing any score."""
    free = not_identified(proved.data.X, coefficients, offset=proved.offset)
    if free is not None:
        raise CertificateError(
            f'The evidence that {proved.name(free)} is "undetermined" does not suffice: it can be '
            'changed without changing any score, so it is "not identified".'
        )


def check_not_identified(
    j: int, plane: IntegerScore, sides: NDArray[np.int8], proved: Proved
) -> None:
    """Claim: the hyperplane has score zero on every row, and its coefficient j is not zero."""
    name = f'evidence that {proved.name(j)} is "not identified"'
    off = np.flatnonzero(sides)
    if len(off):
        raise CertificateError(f"The {name} is not zero on row {off[0]}.")
    require(
        proved.coefficient_sign(plane, j) != 0,
        f"The {name} does not suffice: its coefficient is zero.",
    )
