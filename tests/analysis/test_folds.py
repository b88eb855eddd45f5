"""Rows as a fold sees them: what scikit-learn's imputer and scaler make of its training rows."""

import io

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import StandardScaler

from novikoff.analysis.compare import Number, numbers_of, prepared
from novikoff.streams.tables.options import TableOptions
from novikoff.streams.tables.table import open_table

LEARN = np.arange(0, 30, 2)


@pytest.fixture(scope="module")
def table():
    """A number with missing cells, a yes/no with missing cells, a category, a number."""
    lines = ["a,flag,colour,b,y"]
    for k in range(30):
        a, flag = "" if k % 7 == 3 else k * k % 11, "" if k % 9 == 4 else ("no", "yes")[k % 5 > 2]
        lines.append(f"{a},{flag},{('red', 'blue')[k % 2]},{k * 3 % 8 / 4},{k % 3 == 0}")
    data = io.BytesIO("\n".join(lines).encode())
    return open_table(data, TableOptions(scale=False))


def test_it_is_scikit_learn_s_imputer_and_scaler(table):
    X, _, _ = table.matrix("all")
    names = table.feature_names
    numbers = numbers_of(table, scale=True)
    assert [names[n.feature] for n in numbers] == ["a", "flag", "b"]
    assert [n.scaled for n in numbers] == [True, False, True]
    raw = X.copy()
    for name in ("a", "flag"):
        raw[X[:, names.index(f"{name} is missing")] == 1, names.index(name)] = np.nan
    expected = raw.copy()
    for name in ("a", "flag", "b"):
        column = raw[:, [names.index(name)]]
        filled = SimpleImputer().fit(column[LEARN]).transform(column)
        if name != "flag":
            # The scale is that of the cells that are there: the mean in their place is no news.
            there = column[LEARN][~np.isnan(column[LEARN])].reshape(-1, 1)
            filled = StandardScaler().fit(there).transform(filled)
        expected[:, [names.index(name)]] = filled
    assert prepared(X, numbers, LEARN) == pytest.approx(expected, abs=1e-12)
    sparse = prepared(sp.csr_array(X), numbers, LEARN)
    assert sp.issparse(sparse)
    assert np.array_equal(sparse.toarray(), prepared(X, numbers, LEARN))


def test_a_column_that_is_constant_or_absent_in_the_training_rows_does_no_harm():
    X = np.array([[1.0, 0.0], [1.0, 0.0], [5.0, 0.0], [3.0, 1.0]])
    seen = prepared(X, [Number(0, 1, True)], np.array([0, 1]))
    assert seen[:, 0].tolist() == [0.0, 0.0, 4.0, 0.0]
    seen = prepared(X, [Number(0, 1, True)], np.array([3]))
    assert np.isfinite(seen).all()


def test_nothing_to_do_is_not_copied():
    X = np.eye(3)
    assert prepared(X, [Number(0, None, False)], np.array([0])) is X
