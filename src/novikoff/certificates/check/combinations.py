"""Sums of rows with exact weights: sum_i w_i y_i (x_i, 1)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

from novikoff.certificates.check.data import Data
from novikoff.certificates.check.matrix import Integers
from novikoff.certificates.check.numbers import as_integers, common_denominator


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
