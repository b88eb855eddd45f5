"""What is no data is refused, and the digest speaks of values, not of storage."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from novikoff.certificates.check import (
    check_separability,
    digest,
)
from tests.certificates.check.test_separability import SEPARABLE
from tests.examples import examples


@pytest.mark.parametrize(
    ("X", "y", "reason"),
    [
        ([[1], [2], [3]], [0, 1, 2], "y holds 3 classes"),
        ([[1], [2]], [1, 1], "y holds 1 classes"),
        ([[1], [2]], [1, -1, 1], "one label per row"),
        ([[1], [2]], [1, None], "cannot be put in order"),
        ([[1], [2], [3]], [0.0, 1.0, np.nan], "y holds NaN"),
        ([1, 2], [1, -1], "two dimensions"),
        ([[1.0], [np.nan]], [1, -1], "X holds nan at row 1, column 0"),
        (sp.csr_array([[0.0, np.inf], [1.0, 0.0]]), [1, -1], "X holds inf at row 0, column 1"),
        ([["a"], ["b"]], [1, -1], "X must hold numbers"),
        (np.array([[1], ["a"]], object), [1, -1], "X must hold numbers"),
        (np.array([[1], [None]], object), [1, -1], "X holds nan at row 1, column 0"),
        ([[2**53 + 1], [0]], [1, -1], "9007199254740993 at row 0, column 0: .*beyond 2"),
    ],
)
def test_what_is_no_data_for_two_classes_is_refused(X, y, reason):
    with pytest.raises(ValueError, match=reason):
        digest(X, y)
    with pytest.raises(ValueError, match=reason):
        check_separability(SEPARABLE.cert, X, y)


entries = st.sampled_from([0.0, -0.0, 1.0, -2.0, 0.5, 255.0, 5e-324, 1.5e300])
tables = st.integers(1, 4).flatmap(
    lambda d: st.lists(st.lists(entries, min_size=d, max_size=d), min_size=2, max_size=5)
)


@examples(50)
@given(tables, st.randoms(use_true_random=False))
def test_the_digest_is_of_values_not_of_storage(table, random):
    X = np.array(table)
    n, d = X.shape
    y = [1] + [-1] * (n - 1)
    expected = digest(X, y)
    cells = [(i, j, part) for i in range(n) for j in range(d) for part in (X[i, j], 0.0, -0.0)]
    random.shuffle(cells)
    cells.sort(key=lambda cell: cell[0])  # rows in order; columns not, and every place three times
    starts = np.searchsorted([i for i, _, _ in cells], range(n + 1))
    untidy = sp.csr_array(([v for _, _, v in cells], [j for _, j, _ in cells], starts), (n, d))
    assert digest(untidy, y) == expected
    assert digest(sp.csr_matrix(X), [label == 1 for label in y]) == expected
    assert digest(np.asfortranarray(X), np.array(y)[:, None]) == expected
    assert (
        digest(X.astype(object), pd.Series(["b" if label == 1 else "a" for label in y])) == expected
    )
    if np.abs(X).max() < 1e30:
        with np.errstate(under="ignore"):
            single = X.astype(np.float32)  # which holds all values but 5e-324
        assert (digest(single, y) == expected) == bool((single == X).all())


def test_the_digest_is_fixed_for_good():
    """Published certificates carry it: this value must never change."""
    value = "77eb5bfa59cfa10c8973c8d19e48872a42f786c364e1ab76365cd63f3b17f30e"
    assert digest([[0, 1.5], [2, 0], [0, 0]], [1, -1, 1]) == value
    assert digest(np.array([[0, 1.5], [2, 0], [0, 0]], np.float16), [1, 0, 1]) == value


def test_the_digest_sees_columns_and_shape():
    seen = [
        digest(X, y)
        for X, y in [
            ([[1, 0], [0, 0]], [-1, 1]),
            ([[0, 1], [0, 0]], [-1, 1]),
            ([[0, 0], [1, 0]], [-1, 1]),
            ([[1, 0], [0, 0]], [1, -1]),
            ([[1, 0, 0], [0, 0, 0]], [-1, 1]),
            ([[1, 0], [0, 0], [0, 0]], [-1, 1, 1]),
            ([[1], [0]], [-1, 1]),
        ]
    ]
    assert len(set(seen)) == len(seen)


@pytest.mark.parametrize("kind", [sp.csr_array, sp.csc_array, sp.coo_array])
def test_a_sum_of_duplicates_that_would_wrap_is_refused(kind):
    X = sp.coo_array((np.array([200, 200, 1], np.uint8), ([0, 0, 1], [0, 0, 0])), shape=(2, 1))
    if kind is not sp.coo_array:
        indices, indptr = ([0, 0, 0], [0, 2, 3]) if kind is sp.csr_array else ([0, 0, 1], [0, 3])
        X = kind((X.data, indices, indptr), shape=(2, 1))
    with pytest.raises(ValueError, match=r"row 0, column 0 .* add up to 400, which uint8"):
        digest(X, [1, -1])
    assert digest(X.astype(np.int16), [1, -1]) == digest([[400], [1]], [1, -1])
