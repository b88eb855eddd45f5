"""The parts of a certificate, read with suspicion: right types, right lengths, rows that exist."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from novikoff.certificates.check.data import Data
from novikoff.certificates.check.digest import digest_of
from novikoff.certificates.check.errors import CertificateError, require, show
from novikoff.certificates.check.matrix import Integers
from novikoff.certificates.check.numbers import as_integers, common_denominator, exact, exact_all
from novikoff.certificates.check.signs import IntegerScore
from novikoff.certificates.check.spans import NOTHING, Spanned


class Combination(NamedTuple):
    """Distinct rows and their weights."""

    rows: Integers
    weights: list[Fraction]


def check_question(certificate: Any, data: Data) -> bool:
    """Claim: the certificate speaks of this data. Returns whether it asks about an offset."""
    offset = certificate.fit_intercept
    require(isinstance(offset, bool), f"fit_intercept is {offset!r}; it must be True or False.")
    shape = tuple(certificate.shape)
    require(
        shape == data.shape,
        f"The certificate speaks of data of shape {shape}; this data has shape {data.shape}.",
    )
    require(
        certificate.digest == digest_of(data),
        "The digest differs: this is not the data the certificate speaks of. A value, a label or "
        "the order of the rows has changed.",
    )
    return bool(offset)


def read_hyperplane(theta: Any, constant: Any, name: str, *, d: int, offset: bool) -> IntegerScore:
    """Claim: theta holds d exact numbers and constant one, which is 0 through the origin."""
    weights = exact_all(theta, f"The {name}'s theta")
    require(len(weights) == d, f"The {name}'s theta has {len(weights)} entries for {d} features.")
    last = exact(constant, f"The {name}'s offset")
    require(
        offset or last == 0,
        f"The {name} has offset {show(last)}, but the certificate is for hyperplanes through the "
        "origin.",
    )
    return IntegerScore.of(weights, last)


def read_separator(part: Any, name: str, *, d: int, offset: bool) -> IntegerScore:
    """Claim: the part is a hyperplane in exact numbers."""
    require(
        hasattr(part, "theta") and hasattr(part, "offset"),
        f"The {name} must be a hyperplane with theta and offset; it is a {type(part).__name__}.",
    )
    return read_hyperplane(part.theta, part.offset, name, d=d, offset=offset)


def read_rows(rows: Any, name: str, n: int) -> Integers:
    """Claim: `rows` are distinct row numbers of the data."""
    if isinstance(rows, np.ndarray):
        rows = rows.tolist()
    require(isinstance(rows, list | tuple), f"The {name}'s rows must be a sequence of row numbers.")
    for k, row in enumerate(rows):
        if isinstance(row, bool) or not isinstance(row, int | np.integer):
            raise CertificateError(
                f"The {name}'s rows[{k}] is of type {type(row).__name__}; it must be an integer."
            )
        if not 0 <= row < n:
            raise CertificateError(
                f"The {name}'s rows[{k}] is {row}; the data has rows 0 to {n - 1}."
            )
    found = np.array(rows, np.int64)
    unique, counts = np.unique(found, return_counts=True)
    if len(unique) < len(found):
        twice = unique[counts > 1][0]
        raise CertificateError(f"The {name} names row {twice} more than once.")
    return found


def read_combination(part: Any, name: str, *, n: int) -> Combination:
    """Claim: the part names distinct rows, with one positive exact weight each."""
    require(
        hasattr(part, "rows") and hasattr(part, "weights"),
        f"The {name} must be a combination with rows and weights; it is a {type(part).__name__}.",
    )
    return read_weighted(part.rows, part.weights, name, n=n)


def read_weighted(
    rows: Any, weights: Any, name: str, *, n: int, floats: bool = False
) -> Combination:
    """Claim: `rows` are distinct, with one positive exact weight each, a double if `floats`."""
    numbers = read_rows(rows, name, n)
    exacts = exact_all(weights, f"The {name}'s weights", floats=floats)
    require(
        len(exacts) == len(numbers),
        f"The {name} has {len(numbers)} rows and {len(exacts)} weights.",
    )
    for k, weight in enumerate(exacts):
        if weight <= 0:
            raise CertificateError(
                f"The {name}'s weights[{k}], of row {numbers[k]}, is {show(weight)}; it must be "
                "positive."
            )
    return Combination(numbers, exacts)


def check_sum(
    data: Data,
    part: Combination,
    name: str,
    *,
    offset: bool,
    target: dict[int, int],
    up_to: Spanned = NOTHING,
) -> None:
    """Claim: sum_i w_i y_i (x_i, 1) has the coordinates in `target` and zeros elsewhere.

    up_to : the claim is that it differs from that by something in this span
    """
    total = weighted_sum(data, part.rows, part.weights, offset=offset)
    excess = {c: total.get(c, Fraction(0)) - target.get(c, 0) for c in {*total, *target}}
    excess = {c: value for c, value in sorted(excess.items()) if value}
    if up_to.holds(excess):
        return
    column, value = next(iter(excess.items()))
    wanted = target.get(column, 0)
    raise CertificateError(
        f"The {name}'s rows do not add up: with these weights "
        f"{coordinate(column, data.shape[1])} sums to {show(value + wanted)}, not {wanted}"
        + (", and the overlap rows do not span the difference." if len(up_to.columns) else ".")
    )


def weighted_sum(
    data: Data, rows: Integers, weights: Sequence[Fraction], *, offset: bool
) -> dict[int, Fraction]:
    """The non-zero coordinates of sum_i w_i z_i, z_i being y_i (x_i, 1); y_i x_i without an offset.

    The offset's coordinate has the number d. All terms are integers over one denominator.
    """
    numerators, denominator = common_denominator(weights)
    entries = [data.X.nonzeros(i) for i in rows.tolist()]
    integers = [as_integers(values) for _, values in entries]
    shift = max((s for _, s in integers), default=0)
    totals: defaultdict[int, int] = defaultdict(int)
    for i, weight, (columns, _), (values, s) in zip(
        rows.tolist(), numerators, entries, integers, strict=True
    ):
        signed = weight * int(data.y[i]) << (shift - s)
        for column, value in zip(columns.tolist(), values, strict=True):
            totals[column] += signed * value
        if offset:
            totals[data.shape[1]] += signed << s
    return {c: Fraction(t, denominator << shift) for c, t in sorted(totals.items()) if t}


def coordinate(column: int, d: int) -> str:
    """A coordinate of z in words."""
    return "the offset" if column == d else f"feature {column}"
