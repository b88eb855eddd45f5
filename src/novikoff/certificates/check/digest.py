"""A fingerprint of the data a certificate speaks of.

SHA-256 of "novikoff data v1", then n and d, then for every non-zero entry in row order its place
row * d + column and its value, then every label: integers as 64 bits, values as doubles, labels as
signed bytes -1 or +1, all little-endian. So storage does not matter (dense or sparse, single or
double precision, explicit or negative zeros), and a change of a value, its place, the order of rows
or a label does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from novikoff.certificates.check.data import Data, read, read_matrix
from novikoff.certificates.check.matrix import Floats, Matrix

PREFIX = b"novikoff data v1\n"
MODEL = b"novikoff model v1\n"
ENTRY = np.dtype([("place", "<u8"), ("value", "<f8")])


def digest(X: Any, y: Any) -> str:
    """The fingerprint of X and y, 64 hexadecimal digits.

    Parameters
    ----------
    X : array-like, data frame or sparse matrix of shape (n, d)
    y : array-like of shape (n,)
        Labels of two kinds; in sorted order the first counts as -1 and the second as +1.

    >>> digest([[0.0, 1.0], [2.0, 0.0]], [-1, 1]) == digest([[-0.0, 1], [2, 0]], ["a", "b"])
    True
    """
    return digest_of(read(X, y))


def digest_of_sides(X: Any, sides: Any) -> str:
    """The same, where y is -1 and +1 already, or one of the two throughout."""
    return digest_of(Data(read_matrix(X), np.asarray(sides, np.int8)))


def digest_of(data: Data) -> str:
    """The fingerprint of data that is read already."""
    state = hashlib.sha256(PREFIX)
    _add_matrix(state, data.X)
    state.update(data.y.tobytes())
    return state.hexdigest()


def digest_of_model(family: str, X: Any, columns: Mapping[str, Floats]) -> str:
    """The fingerprint of a regression: its family, X, and what else it looks at, row by row.

    SHA-256 of "novikoff model v1" and the family, each with a newline; X as above; then, in the
    order of their names, each name with a newline and its numbers as doubles.
    """
    return digest_of_read_model(family, read_matrix(X), columns)


def digest_of_read_model(family: str, X: Matrix, columns: Mapping[str, Floats]) -> str:
    state = hashlib.sha256(MODEL + family.encode() + b"\n")
    _add_matrix(state, X)
    for name in sorted(columns):
        state.update(name.encode() + b"\n")
        state.update(columns[name].astype("<f8").tobytes())
    return state.hexdigest()


def _add_matrix(state: Any, X: Matrix) -> None:
    state.update(np.array(X.shape, "<u8").tobytes())
    for places, values in X.entries():
        entries = np.empty(len(places), ENTRY)
        entries["place"] = places
        entries["value"] = values
        state.update(entries)
