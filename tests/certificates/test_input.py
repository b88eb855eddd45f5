"""Solver and checker read the same numbers, or refuse the same table."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp

from novikoff import (
    AveragedPerceptron,
    Hyperplane,
    KernelPerceptron,
    Perceptron,
    max_margin,
    mistake_bound,
    separability,
)
from novikoff.certificates.check import digest
from novikoff.displays import BoundaryDisplay
from novikoff.streams import fit_stream

BIG = 2**53
HALVES = [0.5, 0.5]
ODD = np.array([BIG, BIG + 1])  # of which no two doubles can be told apart

TABLES = {
    "a list with floats": [[BIG, 0.5], [BIG + 1, 0.5]],
    "a list of arrays": [np.array([BIG, 0]), (BIG + 1, 0.5)],
    "a list of longs": [[0, 0], [2**64, 1]],
    "a list of unsigned and signed": [[1, -1], [2**63 + 1, -1]],
    "integers": np.c_[ODD, [1, 1]],
    "unsigned integers": np.c_[ODD, [1, 1]].astype(np.uint64),
    "objects": np.array([[BIG, 0.5], [BIG + 1, 0.5]], object),
    "fractions": [[Fraction(1, 2), 0], [Fraction(1, 3), 0]],
    "decimals": [[Decimal("0.5"), 0], [Decimal("0.1"), 0]],
    "long doubles": np.c_[np.array(["1", "9007199254740993"], np.longdouble), HALVES],
    "pandas": pd.DataFrame({"a": ODD, "b": HALVES}),
    "pandas, two columns of one name": pd.concat(
        [pd.Series(ODD, name="a"), pd.Series(HALVES, name="a")], axis=1
    ),
    "pandas, unsigned and signed": pd.DataFrame({"a": ODD.astype(np.uint64), "b": [-1, 1]}),
    "pandas, nullable": pd.DataFrame({"a": ODD}, dtype="Int64"),
    "pandas, Arrow": pd.DataFrame({"a": ODD}, dtype="int64[pyarrow]"),
    "pandas, sparse": pd.DataFrame(
        {"a": pd.arrays.SparseArray(ODD), "b": pd.arrays.SparseArray(HALVES, fill_value=0.0)}
    ),
    "pandas, categories": pd.DataFrame({"a": pd.Categorical(ODD), "b": HALVES}),
    "polars": pl.DataFrame({"a": ODD, "b": HALVES}),
    "polars, unsigned and signed": pl.DataFrame({"a": ODD.astype(np.uint64), "b": [-1, 1]}),
    "polars, 128 bits": pl.DataFrame({"a": pl.Series(ODD.tolist(), dtype=pl.Int128), "b": HALVES}),
    "polars, decimals": pl.DataFrame({"a": [Decimal("0.5"), Decimal("0.1")], "b": HALVES}),
    "Arrow": pa.table({"a": ODD, "b": HALVES}),
    "CSR": sp.csr_array(np.c_[ODD, [1, 1]]),
    "CSC": sp.csc_array(np.c_[ODD, [1, 1]]),
    "COO": sp.coo_array(np.c_[ODD, [1, 1]]),
}


@pytest.mark.parametrize("X", TABLES.values(), ids=TABLES)
def test_what_no_double_holds_is_refused_wherever_it_comes_from(X):
    """Rounded, the two rows would be one, or others: no verdict about them would be true."""
    y = [0, 1]
    width = 1 if getattr(X, "shape", (0, 0))[1] == 1 else 2
    start = np.eye(2, width)
    fitted = {
        kind: kind().fit(start, y) for kind in (Perceptron, AveragedPerceptron, KernelPerceptron)
    }
    certificate = separability(start, y)
    for ask in (
        lambda: separability(X, y),
        lambda: max_margin(X, y),
        lambda: mistake_bound(X, y),
        lambda: certificate.verify(X, y),
        lambda: digest(X, y),
        lambda: Perceptron().partial_fit(X, y),
        lambda: fit_stream(Perceptron(), [(X, y)]),
        lambda: Hyperplane(np.ones(width)).scores(X),
        *(lambda kind=kind: kind().fit(X, y) for kind in fitted),
        *(lambda model=model: model.predict(X) for model in fitted.values()),
    ):
        with pytest.raises(ValueError, match=r"X holds .* at row 1, column 0"):
            ask()
    with pytest.raises(ValueError, match=r"X holds .* at row 1, column 0"):
        BoundaryDisplay.from_estimator(fitted[Perceptron], X, y)


def test_the_column_is_named():
    X = pd.DataFrame({"size": HALVES, "id": [BIG, BIG + 1]})
    with pytest.raises(ValueError, match=r"9007199254740993 at row 1, column 1 \('id'\): .*beyond"):
        separability(X, [0, 1])


@pytest.mark.parametrize(
    "X",
    [
        [[BIG, 0.5], [-BIG, 1e300]],
        [[Fraction(1, 4), 0], [Decimal("0.75"), 1]],
        np.array([["0.5", "2"], ["1152921504606846976", "4"]], np.longdouble),
        pd.DataFrame({"a": [BIG, -BIG], "b": [0.5, 1e300]}),
        pd.DataFrame({"a": [1, 2]}, dtype="Int64"),
        pl.DataFrame({"a": [BIG, -BIG], "b": [0.5, 1e300]}),
        pa.table({"a": [BIG, -BIG], "b": [0.5, 1e300]}),
        np.array([[BIG, 0], [-BIG, 1]], np.int64),
    ],
    ids=lambda X: type(X).__name__,
)
def test_what_doubles_hold_is_taken(X):
    found = separability(X, [0, 1])
    assert found.verdict == "separable"
    assert found.verify(X, [0, 1])
    assert AveragedPerceptron().fit(X, [0, 1]).predict(X).shape == (2,)


def test_integers_in_theta_must_be_doubles_too():
    for theta in ([BIG + 1, 0.5], [BIG + 1, Fraction(1, 3)], pd.Series([BIG + 1], dtype="Int64")):
        with pytest.raises(
            ValueError, match=r"theta holds 9007199254740993 at position 0: .*float64"
        ):
            Hyperplane(theta)
    with pytest.raises(ValueError, match="offset holds 9007199254740993: an integer beyond"):
        Hyperplane([1.0], BIG + 1)


def untidy(rng, dtype, *, n=12, d=3, copies=60):
    """A CSR matrix with many values for one place, in no order; the sums of each in that order."""
    size = n * copies
    rows, columns = np.sort(rng.randint(n, size=size)), rng.randint(d, size=size)
    values = rng.randn(size).astype(dtype) * 10.0 ** rng.randint(-8, 9, size=size)
    values = values.astype(dtype)
    sums = np.zeros((n, d), dtype)
    for row, column, value in zip(rows, columns, values, strict=True):
        sums[row, column] += value
    indptr = np.searchsorted(rows, np.arange(n + 1))
    return sp.csr_array((values, columns, indptr), shape=(n, d)), sums, (rows, columns)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("seed", range(5))
def test_duplicates_are_added_in_the_order_and_type_they_are_stored_in(dtype, seed):
    csr, sums, places = untidy(np.random.RandomState(seed), dtype)
    stored = csr.data.copy()
    coo = sp.coo_array((csr.data, places), shape=csr.shape)
    y = np.arange(len(sums)) % 2
    dense = separability(sums, y)
    theta = AveragedPerceptron(max_iter=3).fit(sums, y).coef_
    for X in (csr, coo, csr.tocsc()):
        found = separability(X, y)
        assert found.digest == dense.digest
        assert found.verify(X, y)
        np.testing.assert_array_equal(AveragedPerceptron(max_iter=3).fit(X, y).coef_, theta)
        np.testing.assert_array_equal(
            Hyperplane([1.0, -2.0, 0.5]).scores(X), Hyperplane([1.0, -2.0, 0.5]).scores(sums)
        )
    np.testing.assert_array_equal(csr.data, stored)


@pytest.mark.parametrize(
    ("dtype", "parts"),
    [
        (np.float32, [1e8, 1]),
        (np.bool_, [1, 1]),
        (np.int8, [100, 100, -100]),
        (np.int64, [BIG, -1]),
    ],
)
def test_duplicates_are_what_a_dense_matrix_has(dtype, parts):
    columns, starts = [*[0] * len(parts), 1], [0, len(parts), len(parts) + 1]
    X = sp.csr_array((np.array([*parts, 1], dtype), columns, starts), shape=(2, 2))
    found = separability(X, [0, 1])
    assert found.verify(X, [0, 1])
    assert found.digest == digest(X.toarray(), [0, 1])


@pytest.mark.parametrize(
    ("dtype", "parts"),
    [
        (np.int8, [100, 100]),
        (np.uint8, [200, 100]),
        (np.int8, [-100, -100]),
        (np.int64, [2**62] * 4),  # wraps to zero
        (np.int64, [2**53] * 2048),  # likewise
        (np.uint64, [2**63] * 2),
    ],
)
@pytest.mark.parametrize("kind", [sp.csr_array, sp.coo_array])
def test_a_sum_of_duplicates_that_wraps_is_refused(kind, dtype, parts):
    n = len(parts)
    X = sp.csr_array((np.array([*parts, 1], dtype), [0] * (n + 1), [0, n, n + 1]), shape=(2, 1))
    if kind is sp.coo_array:
        X = sp.coo_array((X.data, ([0] * n + [1], [0] * (n + 1))), shape=(2, 1))
    certificate = separability([[1.0], [2.0]], [0, 1])
    for ask in (
        lambda: separability(X, [0, 1]),
        lambda: Perceptron().fit(X, [0, 1]),
        lambda: Hyperplane([1.0]).scores(X),
        lambda: certificate.verify(X, [0, 1]),
    ):
        with pytest.raises(ValueError, match=r"row 0, column 0.* does not hold"):
            ask()
