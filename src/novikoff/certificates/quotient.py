"""The rows modulo what the overlap rows span.

Every weak separator is zero on the overlap rows, so it is a combination of the vectors v_k that are
orthogonal to all of them, and sees of a row z no more than u = (v_1 . z, v_2 . z, ...). Questions
about weak separators are questions about the cone of these u, in as many dimensions as the overlap
rows leave. The overlap rows cancel with positive weights, so that with b also what differs from it
by a combination of them is in the cone of all rows.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from flint import fmpz, fmpz_mat

from novikoff._arrays import Array, Floats, Ints
from novikoff.certificates.linear import Spanned
from novikoff.certificates.scaled import Scaled, primitive


class Quotient:
    """The rows u_i of `scaled` modulo the rows of `span`: what a `Cone` needs to know of them.

    Attributes
    ----------
    dimension : the number of the v_k
    """

    def __init__(self, scaled: Scaled, span: Spanned) -> None:
        self.scaled, self.data = scaled, scaled.data
        self._vectors = span.complement()
        self._matrix = fmpz_mat(self._vectors).transpose()
        self.dimension = len(self._vectors)
        self._known: dict[int, tuple[list[int], int]] = {}  # the same rows are asked for again

    def target(self, vector: Sequence[int]) -> list[int]:
        """What is seen of a vector over the scaled columns."""
        return [int(x) for x in (fmpz_mat([vector]) * self._matrix).entries()]

    def lifted(self, w: Sequence[fmpz]) -> list[fmpz]:
        """sum_k w_k v_k, a hyperplane over the scaled columns."""
        return primitive((self._matrix * fmpz_mat(self.dimension, 1, list(w))).entries())

    def integers(
        self, index: Ints, columns: Sequence[int] | None = None
    ) -> tuple[list[list[int]], list[int]]:
        """The u_i times powers of two that make them integers, as `Scaled.integers` has them."""
        new = np.array([i for i in index.tolist() if i not in self._known], np.int64)
        if len(new):
            rows, exponents = self.scaled.integers(new)
            products = (fmpz_mat(rows) * self._matrix).tolist()
            for i, row, exponent in zip(new.tolist(), products, exponents, strict=True):
                self._known[i] = ([int(x) for x in row], exponent)
        known = [self._known[i] for i in index.tolist()]
        chosen = range(self.dimension) if columns is None else columns
        return [[row[k] for k in chosen] for row, _ in known], [e for _, e in known]

    def floats(self, index: Ints) -> Floats:
        """The same as floats, the largest of every row in [1/2, 1) or 0."""
        rows, _ = self.integers(index)
        sizes = [max(map(abs, row)).bit_length() for row in rows]
        return np.array(
            [[x / (1 << size) for x in row] for row, size in zip(rows, sizes, strict=True)]
        ).reshape(len(rows), self.dimension)

    def used_columns(self, index: Ints) -> list[int]:
        return list(range(self.dimension))

    def unscaled(self, w: Floats) -> Floats:
        """A guess as a hyperplane over unscaled rows."""
        return self.doubles(rounded(w))

    def doubles(self, w: Sequence[fmpz]) -> Floats:
        return self.scaled.doubles(self.lifted(w))

    def scores(self, w: Floats) -> Floats:
        return self.scaled.scores(w)

    def refuting(self, w: Sequence[fmpz], index: Ints, *, strict: bool = False) -> Ints:
        return self.scaled.refuting(self.lifted(w), index, strict=strict)


def rounded(w: Array) -> list[fmpz]:
    """A direction in integers, to about 40 bits of its largest number."""
    size = np.abs(w).max(initial=0.0) or 1.0
    return [fmpz(x) for x in np.rint(np.ldexp(w / size, 40)).astype(np.int64).tolist()]
