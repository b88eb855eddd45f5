"""``python -m reproductions.multiclass``: which scheme to take for more than two classes.

The averaged perceptron, ten epochs, with its defaults: held-out accuracy and seconds of each
scheme, and of scikit-learn's logistic regression. Features are standardised, but for MNIST's
pixels. Of small sets the mean over five stratified folds, of the others a test set.
`docs/design/0024-multiclass.md` says what follows.
"""

from __future__ import annotations

import gzip
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit
from sklearn.preprocessing import StandardScaler

from novikoff import AveragedPerceptron
from reproductions.tables import needed, table

Split = tuple[Any, Any, Any, Any]


def standardised(X: Any, y: Any, split: Any) -> Iterator[Split]:
    for learn, check in split.split(np.zeros(len(y)), y):
        scale = StandardScaler().fit(X[learn])
        yield scale.transform(X[learn]), y[learn], scale.transform(X[check]), y[check]


def folds(X: Any, y: Any) -> Iterator[Split]:
    return standardised(X, y, StratifiedKFold(5, shuffle=True, random_state=0))


def mnist() -> Iterator[Split]:
    """60 000 rows to learn from, 10 000 to test on; pixels as they are."""
    parts = []
    for path in needed("mnist/train-images-idx3-ubyte.gz", "mnist/t10k-images-idx3-ubyte.gz"):
        pixels = gzip.decompress(path.read_bytes())
        labels = path.with_name(path.name.replace("images-idx3", "labels-idx1")).read_bytes()
        parts += [
            np.frombuffer(pixels, np.uint8, offset=16).reshape(-1, 784),
            np.frombuffer(gzip.decompress(labels), np.uint8, offset=8),
        ]
    yield parts[0], parts[1], parts[2], parts[3]


def covtype() -> Iterator[Split]:
    """A fifth held out."""
    (path,) = needed("covtype/covtype.npz")
    with np.load(path) as stored:
        X, y = stored["X"].astype(np.float32), stored["y"]
    return standardised(X, y, StratifiedShuffleSplit(1, test_size=0.2, random_state=0))


SETS: dict[str, Callable[[], Iterator[Split]]] = {
    "iris, 3 classes": lambda: folds(*load_iris(return_X_y=True)),
    "wine, 3 classes": lambda: folds(*load_wine(return_X_y=True)),
    "digits, 10 classes": lambda: folds(*load_digits(return_X_y=True)),
    "MNIST, 10 classes": mnist,
    "covtype, 7 classes": covtype,
}


def scored(make: Callable[[], Any], splits: list[Split]) -> str:
    """Accuracy and seconds, as a cell."""
    accuracies, seconds = [], 0.0
    for X, y, more, labels in splits:
        model = make()
        begin = time.perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(X, y)
        seconds += time.perf_counter() - begin
        accuracies.append(float(np.mean(model.predict(more) == labels)))
    return f"{np.mean(accuracies):.3f} · {seconds:.2f} s"


def line(name: str, splits: list[Split]) -> list[str]:
    """A line of the table."""
    cells = [name]
    for scheme in ("ovr", "ovo", "joint"):
        AveragedPerceptron(multi_class=scheme, max_iter=1).fit(*(a[:200] for a in splits[0][:2]))
        cells.append(scored(lambda s=scheme: AveragedPerceptron(multi_class=s), splits))
    if len(splits[0][1]) > 20_000:  # it would take minutes
        return [*cells, ""]
    return [*cells, scored(LogisticRegression, splits)]


def main() -> None:
    names = [name for name in SETS if not sys.argv[1:] or name.split(",")[0] in sys.argv[1:]]
    rows = [line(name, list(SETS[name]())) for name in names]
    print(table(["accuracy · seconds", "ovr", "ovo", "joint", "logistic regression"], rows))


if __name__ == "__main__":
    main()
