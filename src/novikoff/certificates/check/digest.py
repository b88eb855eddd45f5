"""A fingerprint of the data a certificate speaks of.

SHA-256 of "novikoff data v1", then n and d, then for every non-zero entry in row order its place
row * d + column and its value, then every label: integers as 64 bits, values as doubles, labels as
signed bytes -1 or +1, all little-endian. So storage does not matter (dense or sparse, single or
double precision, explicit or negative zeros), and a change of a value, its place, the order of rows
or a label does.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from novikoff.certificates.check.data import Data, read

PREFIX = b"novikoff data v1\n"
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


def digest_of(data: Data) -> str:
    """The fingerprint of data that is read already."""
    state = hashlib.sha256(PREFIX)
    state.update(np.array(data.shape, "<u8").tobytes())
    for places, values in data.X.entries():
        entries = np.empty(len(places), ENTRY)
        entries["place"] = places
        entries["value"] = values
        state.update(entries.tobytes())
    state.update(data.y.tobytes())
    return state.hexdigest()
