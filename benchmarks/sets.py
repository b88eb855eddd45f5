"""The rows that are compared: data as people prepare it, and shapes that are not at hand."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.datasets import load_digits, load_svmlight_file
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.preprocessing import StandardScaler

from benchmarks import data

Rows = tuple[Any, np.ndarray]
Split = tuple[Any, np.ndarray, Any, np.ndarray]


@cache
def digits_of_mnist(dtype: str = "float32") -> Rows:
    X, y, _ = data.mnist()
    return X.astype(dtype), y


def eight(dtype: str = "float32") -> Rows:
    X, y = digits_of_mnist(dtype)
    return X, (y == 8).astype(int)


@cache
def scaled_eight() -> Rows:
    X, y = eight("float64")
    return StandardScaler().fit_transform(X), y


@cache
def scaled_digits() -> Rows:
    X, y = digits_of_mnist("float64")
    return StandardScaler().fit_transform(X), y


@cache
def covtype() -> Rows:
    return data.covtype()[:2]


@cache
def scaled_covtype() -> Rows:
    X, y = covtype()
    return StandardScaler().fit_transform(np.ascontiguousarray(X, np.float64)), y


@cache
def imdb() -> Rows:
    return data.imdb()[:2]


@cache
def tfidf() -> Rows:
    X, y = imdb()
    return TfidfTransformer().fit_transform(X.astype(np.float64)), y


@cache
def mixed_tfidf() -> Rows:
    """Rows in random order: the file has one class after the other, and so hardly any mistakes."""
    X, y = tfidf()
    mixed = np.random.RandomState(0).permutation(len(y))
    return X[mixed], y[mixed]


@cache
def a9a() -> Rows:
    """32 561 x 123, 14 non-zeros a row, all of them 1."""
    return a9a_split()[:2]


@cache
def a9a_split() -> Split:
    files = [data.FOLDER / "libsvm" / name for name in ("a9a.gz", "a9a.t.gz")]
    if all(file.exists() for file in files):
        (X, y), (X_test, y_test) = (load_svmlight_file(str(f), n_features=123) for f in files)
        for rows in (X, X_test):  # scikit-learn's own estimators take 32 bits only
            rows.indices, rows.indptr = rows.indices.astype(np.int32), rows.indptr.astype(np.int32)
        return X, y, X_test, y_test
    random = np.random.RandomState(0)
    kinds = (123 // 14 * np.arange(14) + random.randint(0, 8, (48_842, 14))).astype(np.int32)
    indptr = np.arange(0, kinds.size + 1, 14, dtype=np.int32)
    X = sp.csr_matrix((np.ones(kinds.size), kinds.ravel(), indptr), shape=(48_842, 123))
    y = np.sign(X @ random.standard_normal(123) - 3 + 2 * random.standard_normal(48_842))
    return X[:32_561], y[:32_561], X[32_561:], y[32_561:]


def digits() -> Rows:
    X, y = load_digits(return_X_y=True)
    return X, y


@cache
def letter() -> Rows:
    """Shaped like letter: 26 classes of five styles each, 15 000 x 16 whole numbers up to 15.

    As there, a logistic regression is wrong on about a quarter of new rows, the last hypothesis of
    the perceptron on half of them.
    """
    random = np.random.RandomState(0)
    y = random.randint(0, 26, 15_000)
    styles = random.normal(0, 1.2, (26, 1, 16)) + random.normal(0, 1.4, (26, 5, 16))
    X = 7.5 + styles[y, random.randint(0, 5, len(y))] + random.normal(0, 1.2, (len(y), 16))
    return np.round(np.clip(X, 0, 15)), y


@cache
def sector() -> Rows:
    """Shaped like sector: 105 classes, 6 412 x 55 197 tf-idf, about 160 non-zeros a row.

    A part of the words of a text, another part for each text, are of its class's own 300. As there,
    a linear support vector machine is wrong on seven in a hundred new rows.
    """
    n, d, words, own = 6_412, 55_197, 178, 300
    random = np.random.RandomState(0)
    y = random.randint(0, 105, n)
    common = (d * random.random((n, words)) ** 4).astype(np.int32)
    owned = random.randint(0, d, (105, own), np.int32)
    drawn = owned[y[:, None], (own * random.random((n, words)) ** 2).astype(np.int32)]
    columns = np.where(random.random((n, words)) < 0.4 * random.random((n, 1)), drawn, common)
    indptr = np.arange(0, columns.size + 1, words, dtype=np.int32)
    counts = sp.csr_matrix((np.ones(columns.size), columns.ravel(), indptr), shape=(n, d))
    counts.sum_duplicates()
    return TfidfTransformer(sublinear_tf=True).fit_transform(counts), y


@cache
def genes() -> Rows:
    """Fewer rows than columns: 72 x 7 000, of which fifty differ between the two classes."""
    random = np.random.RandomState(0)
    y = random.randint(0, 2, 72)
    X = random.standard_normal((72, 7_000))
    X[:, :50] += y[:, None]
    return X, y


def twenty_classes() -> Rows:
    return data.sparse_classes(100_000, 50_000, 75, 20)


@cache
def split(name: str) -> Split:
    """Training and test rows; covtype's are drawn, for its file is sorted by region."""
    if name == "a9a":
        return a9a_split()
    if name.startswith("IMDB"):
        (X, y, _), (test, y_test, _) = data.imdb_part("train"), data.imdb_part("test")
        mixed = np.random.RandomState(0).permutation(len(y))  # sorted by class
        X, y, test = X[mixed], y[mixed], test.copy()
        if name.endswith("log counts"):
            for counts in (X, test):
                counts.data = np.log1p(counts.data)
        if name.endswith("tf-idf"):
            scale = TfidfTransformer().fit(X)
            X, test = (scale.transform(counts.astype(np.float64)) for counts in (X, test))
        return X, y, test, y_test
    X, y = scaled_covtype()
    mixed = np.random.RandomState(0).permutation(len(y))
    learn, check = mixed[: len(y) * 4 // 5], mixed[len(y) * 4 // 5 :]
    return X[learn], y[learn], X[check], y[check]
