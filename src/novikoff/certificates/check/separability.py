"""Whether a verdict on separability is proved by what comes with it.

z_i stands for y_i (x_i, 1), or y_i x_i through the origin, and D for its length. A hyperplane is
strict on row i if theta . z_i > 0, and weak if theta . z_i >= 0 on every row.

- A strict separator proves "separable" by itself.
- Positive weights with sum_i w_i z_i = 0 (an obstruction) rule out a strict separator: it would
  make 0 = theta . 0 positive (Gordan 1873).
- On rows of such a sum every weak separator is zero, for the same reason, and so it is on every row
  they span (Stiemke 1915). If they span all rows, no weak separator is positive anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.check.data import Data, read
from novikoff.certificates.check.errors import CertificateError, require
from novikoff.certificates.check.evidence import Proved, check_coefficients
from novikoff.certificates.check.matrix import Integers
from novikoff.certificates.check.parts import (
    check_question,
    check_sum,
    read_combination,
    read_rows,
    read_separator,
)
from novikoff.certificates.check.signs import IntegerScore, signs
from novikoff.certificates.check.spans import NOTHING, Spanned, spanned_by

# What a verdict must come with; "quasi-separable" also with `spanning` if it names overlap rows.
PARTS = {
    "separable": {"separator"},
    "quasi-separable": {"separator", "obstruction"},
    "overlapping": {"obstruction", "spanning"},
}
UNDECIDED = "undecided"  # with what is known so far: a weak separator or an obstruction

SPANNING = 8  # times D: the most rows that a spanning combination may have


def check_separability(certificate: Any, X: Any, y: Any) -> None:
    """Check every claim of a :class:`Separability` against the data, in exact arithmetic.

    Returns None if all hold; raises :class:`CertificateError`, which says what failed and where,
    otherwise, and ValueError if X and y are no data for two classes.

    Parameters
    ----------
    certificate : Separability, or anything with its attributes
    X : array-like, data frame or sparse matrix of shape (n, d)
    y : array-like of shape (n,)
    """
    check_claims(certificate, read(X, y))


def check_claims(
    certificate: Any, data: Data, asked: Sequence[int] | None = None
) -> NDArray[np.int8] | None:
    """The same for data that is read; `asked` are the coefficients that it judges, None for all.

    Returns the sign of y s for every row; None if there is no separator.
    """
    offset = check_question(certificate, data)
    _check_parts(certificate)
    plane, sides, spanned = None, None, NOTHING
    if certificate.separator is not None:
        plane = read_separator(certificate.separator, "separator", d=data.shape[1], offset=offset)
        sides = check_separator(data, plane, strict=certificate.verdict == "separable")
    if certificate.obstruction is not None:
        check_obstruction(certificate.obstruction, data, offset)
    require(
        certificate.verdict != UNDECIDED,
        'The verdict is "undecided": the search ended before it knew. What it found by then holds, '
        "but it proves no verdict.",
    )
    overlap = check_overlap_rows(certificate, data, sides)
    if certificate.spanning is not None:
        every = np.arange(data.shape[0]) if overlap is None else overlap
        spanned = check_spanning(certificate.spanning, data, every, offset)
    if certificate.infinite is None:
        require(
            certificate.evidence is None, "There is evidence about coefficients, but no `infinite`."
        )
        return sides
    if overlap is None:
        raise CertificateError(
            "The certificate gives `infinite` but not the overlap rows it needs."
        )
    proved = Proved(data, offset, plane, spanned)
    check_coefficients(certificate, proved, range(proved.dimension) if asked is None else asked)
    return sides


def _check_parts(certificate: Any) -> None:
    """Claim: the certificate has the parts its verdict rests on, and none that contradict it."""
    verdict = certificate.verdict
    if verdict == UNDECIDED:
        for name in ("spanning", "overlap_rows", "infinite"):
            absent = getattr(certificate, name) is None
            require(absent, f'The verdict "undecided" does not go with `{name}`.')
        return
    if not isinstance(verdict, str) or verdict not in PARTS:
        known = ", ".join(map(repr, [*PARTS, UNDECIDED]))
        raise CertificateError(f"The verdict {verdict!r} is none of {known}.")
    needed = set(PARTS[verdict])
    if verdict == "quasi-separable" and certificate.overlap_rows is not None:
        needed.add("spanning")
    for name in ("separator", "obstruction", "spanning"):
        given = getattr(certificate, name) is not None
        if name in needed and not given:
            raise CertificateError(f'The verdict "{verdict}" needs a proof: {name} is missing.')
        if given and name not in needed:
            raise CertificateError(
                f'The verdict "{verdict}" does not go with this {name}'
                + (" unless overlap_rows say what it spans." if verdict[0] == "q" else ".")
            )


def check_separator(data: Data, plane: IntegerScore, *, strict: bool) -> NDArray[np.int8]:
    """Claim: y s > 0 on every row (strict), or y s >= 0 on every row and > 0 on some.

    Returns the sign of y s for every row.
    """
    sides = signs(data.X, [plane])[:, 0] * data.y
    wrong = np.flatnonzero(sides <= 0 if strict else sides < 0)
    if len(wrong):
        i = int(wrong[0])
        where = "on the hyperplane" if sides[i] == 0 else "on the wrong side"
        raise CertificateError(
            f"The separator is not {'strict' if strict else 'weak'}: row {i} is {where} "
            f"({len(wrong)} of {len(sides)} rows are)."
        )
    require(bool(sides.any()), "The separator is zero on every row, so it separates nothing.")
    return sides


def check_obstruction(part: Any, data: Data, offset: bool) -> None:
    """Claim: at most D + 1 rows, at least one, whose positive combination is zero."""
    found = read_combination(part, "obstruction", n=data.shape[0])
    _check_count(len(found.rows), data.shape[1] + offset + 1, "obstruction")
    check_sum(data, found, "obstruction", offset=offset, target={})


def check_spanning(part: Any, data: Data, every: Integers, offset: bool) -> Spanned:
    """Claim: at most 8 D rows of `every` have a positive combination of zero and span all of it.

    Returns what they span.
    """
    found = read_combination(part, "spanning", n=data.shape[0])
    _check_count(len(found.rows), SPANNING * (data.shape[1] + offset), "spanning")
    outside = np.setdiff1d(found.rows, every, assume_unique=True)
    if len(outside):
        raise CertificateError(f"The spanning row {outside[0]} is not among the overlap rows.")
    check_sum(data, found, "spanning", offset=offset, target={})
    X = data.X if len(every) == data.shape[0] else data.X.take(every)
    spanned, left = spanned_by(X, np.searchsorted(every, found.rows), offset=offset)
    if left is not None:
        raise CertificateError(
            f"The spanning rows cancel but do not span: row {every[left]} is no combination of "
            "them."
        )
    return spanned


def _check_count(count: int, most: int, name: str) -> None:
    require(count > 0, f"The {name} names no rows.")
    require(count <= most, f"The {name} names {count} rows; it may name {most} at most.")


def check_overlap_rows(
    certificate: Any, data: Data, sides: NDArray[np.int8] | None
) -> Integers | None:
    """Claim: the overlap rows are those the separator is zero on; all, if there is none.

    That every weak separator is zero on them is the claim of `spanning`; that this one is strict on
    the others makes it maximal.
    """
    if certificate.overlap_rows is None:
        return None
    rows = read_rows(certificate.overlap_rows, "list of overlap rows", data.shape[0])
    require(bool((np.diff(rows) > 0).all()), "The overlap rows must be in rising order.")
    truth = np.arange(data.shape[0]) if sides is None else np.flatnonzero(sides == 0)
    extra = np.setdiff1d(rows, truth, assume_unique=True)
    absent = np.setdiff1d(truth, rows, assume_unique=True)
    if len(extra):
        raise CertificateError(f"Row {extra[0]} is no overlap row: the separator is strict on it.")
    if len(absent):
        reason = "every row is one" if sides is None else "the separator is zero on it"
        raise CertificateError(f"Row {absent[0]} is missing from the overlap rows: {reason}.")
    return rows
