"""Whether what a `Separation` says about a regression is proved by what comes with it.

The rows of the cone are built from the data (`families.py`); the proof is one about separability of
those rows, and is checked as such; then the verdict, the separated rows and the state of every
coefficient must be what follows from it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.check.data import read_matrix
from novikoff.certificates.check.digest import digest_of_read_model
from novikoff.certificates.check.errors import CertificateError, require
from novikoff.certificates.check.families import TAKES, Cone, cone_of, read_columns
from novikoff.certificates.check.separability import check_claims

WITH_INTERCEPT = ("binomial", "poisson", "multinomial")
OPPOSITE = {"+inf": "-inf", "-inf": "+inf"}


def check_separation(
    certificate: Any,
    X: Any,
    y: Any,
    *,
    groups: Any = None,
    entry: Any = None,
    strata: Any = None,
    absorb: Any = (),
) -> None:
    """Check every claim of a :class:`Separation` against the data, in exact arithmetic.

    Returns None if all hold; raises :class:`CertificateError`, which says what failed, otherwise,
    and ValueError if this is no data for its family.
    """
    family = certificate.family
    require(isinstance(family, str) and family in TAKES, f"There is no family {family!r}.")
    offset = certificate.fit_intercept
    require(isinstance(offset, bool), f"fit_intercept is {offset!r}; it must be True or False.")
    matrix = read_matrix(X)
    given = {"groups": groups, "entry": entry, "strata": strata, "absorb": absorb}
    columns = read_columns(family, matrix.shape[0], y, given)
    require(
        certificate.digest == digest_of_read_model(family, matrix, columns),
        "The digest differs: this is not the data the certificate speaks of. A value, an outcome "
        "or the order of the rows has changed.",
    )
    require(
        not offset or (family in WITH_INTERCEPT and not any("absorb" in name for name in columns)),
        f"fit_intercept is True, but a {family} model with these fixed effects has no intercept.",
    )
    require(
        certificate.verdict != "undecided",
        'The verdict is "undecided": the search ended before it knew, and proves no verdict.',
    )
    cone = cone_of(family, matrix, columns, offset=offset)
    proof = certificate.proof
    require(
        proof.fit_intercept is (offset and family != "multinomial") and proof.infinite is not None,
        "The proof answers another question: about an intercept, or not about coefficients.",
    )
    sides = check_claims(proof, cone.data, cone.asked)
    strict = np.zeros(len(cone.plus), bool) if sides is None else sides > 0
    _check_consequences(certificate, cone, strict, matrix.shape[0])


def _check_consequences(certificate: Any, cone: Cone, strict: NDArray[np.bool_], n: int) -> None:
    """Claim: verdict, separated rows and coefficients are those of the proof."""
    concerned, loose = np.zeros(n, bool), np.ones(n, bool)
    loose[cone.pivots] = False
    for rows in (cone.plus, cone.minus):
        concerned[rows[rows >= 0]] = True
        loose[rows[(rows >= 0) & ~strict]] = False
    concerned[cone.given] = True
    verdict = "complete separation" if loose.all() else "quasi-complete separation"
    if not strict.any() and len(cone.given) == 0:
        verdict = "estimates exist"
    require(
        certificate.verdict == verdict,
        f"The verdict is {certificate.verdict!r}; the proof is one of {verdict!r}.",
    )
    truth = np.flatnonzero(concerned & loose)
    if not np.array_equal(certificate.separated_rows, truth):
        odd = np.setxor1d(np.asarray(certificate.separated_rows), truth)
        raise CertificateError(
            f"The separated rows are not those of the proof: row {odd[0]} is one in only one of "
            "the two."
            if len(odd)
            else "The separated rows are not in rising order."
        )
    states = list(certificate.proof.infinite)
    turned = len(states) - cone.thresholds
    states[turned:] = [OPPOSITE.get(state, state) for state in states[turned:]]
    if list(certificate.coefficients) != states:
        raise CertificateError("What is said of the coefficients is not what the proof says.")
