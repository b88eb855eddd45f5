"""Rows as the kernels read them are the rows that were given."""

from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp

from novikoff.kernels.rows import take
from novikoff.training.matrix import (
    as_matrix,
    as_rows,
    in_columns,
    norms_of,
    stack,
    theta_dtype,
)

RANDOM = np.random.RandomState(5)
VALUES = RANDOM.randint(0, 4, (6, 5)) * (RANDOM.uniform(size=(6, 5)) < 0.6)
TYPES = [
    np.bool_, np.uint8, np.int8, np.int16, np.uint16, np.int32, np.int64, np.uint64, np.float16,
    np.float32, np.float64, ">f4", ">f8", ">i2",
]  # fmt: skip
SPARSE = [dtype for dtype in TYPES if np.dtype(dtype).isnative and dtype != np.float16]  # SciPy's


def plain(rows):
    matrix = as_matrix(rows)
    return matrix.toarray() if sp.issparse(matrix) else matrix


@pytest.mark.parametrize(
    ("form", "dtype"),
    [(form, dtype) for form in (np.asarray, np.asfortranarray) for dtype in TYPES]
    + [(sp.csr_array, dtype) for dtype in SPARSE],
    ids=str,
)
def test_whatever_the_type_and_the_order_the_values_are_the_same(dtype, form):
    given = VALUES.astype(dtype)
    rows = as_rows(form(given))
    np.testing.assert_array_equal(plain(rows), given.astype(np.float64))
    assert not rows.values.flags.writeable
    assert rows.values.dtype.isnative


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("index", [[0, 1, 2, 3, 4, 5], [4, 0, 4], [], [5]], ids=str)
def test_rows_are_taken_as_numpy_takes_them(form, index):
    index = np.array(index, np.int64)
    taken = take(as_rows(form(VALUES.astype(float))), index)
    np.testing.assert_array_equal(plain(taken), VALUES[index])


def test_blocks_of_any_kind_are_stacked():
    dense, sparse = VALUES[:2].astype(float), sp.csr_array(VALUES[2:].astype(float))
    for blocks in ([dense], [dense, dense], [sparse, sparse], [dense, sparse], [sparse, dense]):
        found = plain(stack([as_rows(block) for block in blocks]))
        whole = [block.toarray() if sp.issparse(block) else block for block in blocks]
        np.testing.assert_array_equal(found, np.vstack(whole))


def test_wide_indices_are_narrowed_where_the_width_allows():
    wide = sp.csr_array(VALUES.astype(float))
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    assert as_rows(wide).indices.dtype == np.uint32
    far = sp.csr_array((np.ones(1), np.array([2**40]), np.array([0, 1])), shape=(1, 2**40 + 1))
    rows = as_rows(far)
    assert rows.indices.tolist() == [2**40]
    assert as_matrix(rows).indices.tolist() == [2**40]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("scale", [1.0, 1e-30, 1e30])
@pytest.mark.parametrize("constant", [0.0, 1.0])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_a_norm_is_never_too_small_and_hardly_too_large(dtype, scale, constant, form):
    X = (RANDOM.standard_normal((20, 7)) * scale).astype(dtype)
    norms = norms_of(as_rows(form(X)), 20, constant)
    for row, norm in zip(X, norms, strict=True):
        exact = Fraction(constant) + sum(Fraction(float(value)) ** 2 for value in row)
        assert exact <= Fraction(norm) ** 2
        assert Fraction(norm) ** 2 <= exact * (1 + Fraction(1, 10**5))


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize(
    ("value", "said"), [(np.nan, "NaN"), (np.inf, "infinity"), (-np.inf, "infinity")]
)
def test_a_value_that_is_no_number_is_found(form, value, said):
    X = VALUES.astype(float)
    X[3, 2] = value
    with pytest.raises(ValueError, match=rf"contains {said} at row 3, column 2"):
        norms_of(as_rows(form(X)), 6, 1.0)


def test_single_precision_stays_and_all_else_is_double():
    for dtype in TYPES:
        expected = np.float32 if dtype in (np.float32, ">f4") else np.float64
        assert theta_dtype(np.dtype(dtype)) == expected


def test_columns_are_told_from_rows():
    by_rows, by_columns = VALUES.astype(float), np.asfortranarray(VALUES.astype(float))
    found = [by_rows, by_columns, by_columns.astype(np.int64), sp.csc_array(by_rows)]
    assert [in_columns(X) for X in found] == [False, True, False, False]
