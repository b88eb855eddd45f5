"""The data to measure on: real where it lies beside the repository, generated otherwise."""

from __future__ import annotations

import gzip
import os
from functools import cache
from pathlib import Path

import numpy as np
import scipy.sparse as sp

FOLDER = Path(
    os.environ.get("NOVIKOFF_DATA", Path(__file__).resolve().parents[2] / "shared" / "data")
)


@cache
def mnist() -> tuple[np.ndarray, np.ndarray, str]:
    """60 000 x 784 uint8 and ten classes."""
    images = FOLDER / "mnist" / "train-images-idx3-ubyte.gz"
    if images.exists():
        X = np.frombuffer(gzip.decompress(images.read_bytes()), np.uint8, offset=16)
        labels = (FOLDER / "mnist" / "train-labels-idx1-ubyte.gz").read_bytes()
        y = np.frombuffer(gzip.decompress(labels), np.uint8, offset=8)
        return X.reshape(-1, 784), y, "MNIST"
    random = np.random.RandomState(0)
    y = random.randint(0, 10, 60_000).astype(np.uint8)
    centres = random.randint(0, 200, (10, 784)) * (random.random((10, 784)) < 0.2)
    noise = random.randint(0, 120, (60_000, 784)) * (random.random((60_000, 784)) < 0.2)
    return np.clip(centres[y] + noise, 0, 255).astype(np.uint8), y, "generated, shaped like MNIST"


@cache
def covtype() -> tuple[np.ndarray, np.ndarray, str]:
    """581 012 x 54 int16 in Fortran order; class 2 against the rest."""
    path = FOLDER / "covtype" / "covtype.npz"
    if path.exists():
        stored = np.load(path)
        return stored["X"], (stored["y"] == 2).astype(int), "covtype"
    random = np.random.RandomState(0)
    X = np.asfortranarray(random.randint(0, 3000, (581_012, 54)).astype(np.int16))
    y = (X @ random.standard_normal(54) > 0).astype(int)
    return X, y, "generated, shaped like covtype"


@cache
def imdb() -> tuple[sp.csr_matrix, np.ndarray, str]:
    """25 000 reviews, word counts as CSR float32."""
    path = FOLDER / "text" / "imdb_counts_train.npz"
    if path.exists():
        X = sp.load_npz(path).tocsr().astype(np.float32)
        labels = np.load(FOLDER / "text" / "imdb_labels.npz")
        name = next(key for key in labels.files if "train" in key)
        return X, labels[name].astype(int), "IMDB counts"
    X, y = sparse_classes(25_000, 74_849, 137, 2)
    return X, y, "generated, shaped like IMDB counts"


@cache
def sparse_classes(
    n: int, d: int, per_row: int, n_classes: int
) -> tuple[sp.csr_matrix, np.ndarray]:
    """n x d CSR float32 with `per_row` non-zeros; columns are drawn with a Zipf-like law."""
    random = np.random.RandomState(0)
    columns = (d * random.random((n, per_row)) ** 3).astype(np.int32)
    columns.sort(axis=1)
    values = random.randint(1, 4, (n, per_row)).astype(np.float32)
    indptr = np.arange(0, n * per_row + 1, per_row, dtype=np.int32)
    X = sp.csr_matrix((values.ravel(), columns.ravel(), indptr), shape=(n, d))
    X.sum_duplicates()
    truth = random.standard_normal((d, n_classes)).astype(np.float32)
    y = np.argmax(X @ truth + 3.0 * random.standard_normal((n, n_classes)), axis=1)
    return X, y


@cache
def imdb_part(part: str) -> tuple[sp.csr_matrix, np.ndarray, str]:
    """The "train" or "test" half of the IMDB counts; generated ones are halves of one set."""
    path = FOLDER / "text" / f"imdb_counts_{part}.npz"
    if path.exists():
        labels = np.load(FOLDER / "text" / "imdb_labels.npz")
        name = next(key for key in labels.files if part in key)
        return sp.load_npz(path).tocsr().astype(np.float32), labels[name].astype(int), "IMDB counts"
    X, y = sparse_classes(10_000, 20_000, 137, 2)
    rows = slice(0, 5000) if part == "train" else slice(5000, None)
    return X[rows], y[rows], "generated, shaped like IMDB counts"
