"""Data of known separability: real files, and sets made so that the truth is known exactly."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import scipy.sparse as sp
from sklearn.datasets import load_svmlight_file

from benchmarks import data


@dataclass(frozen=True)
class Question:
    """Two classes of which it is known whether they are linearly separable, with an offset.

    path : what it needs below `data.FOLDER`
    strict_rows : on how many rows a maximal weak separator is strict
    seconds : how long an answer may take, the core included where `strict_rows` is known
    """

    name: str
    path: str
    load: Callable[[], tuple[object, np.ndarray]]
    verdict: str
    seconds: float
    strict_rows: int | None = None

    @property
    def available(self) -> bool:
        return (data.FOLDER / self.path).exists()


def questions() -> list[Question]:
    """Real data of known separability."""
    libsvm = "libsvm/{}.gz"
    return [
        Question("iris, setosa", "small/iris.csv", lambda: iris("setosa"), "separable", 2),
        Question("iris, versicolor", "small/iris.csv", lambda: iris("versicolor"),
                 "overlapping", 2),
        Question("sonar", "small/sonar.csv", sonar, "separable", 2),
        Question("mushrooms", libsvm.format("mushrooms"), lambda: libsvm_data("mushrooms"),
                 "separable", 2),
        Question("banknote", "small/banknote_authentication.csv", banknote, "overlapping", 2),
        Question("heart", libsvm.format("heart_scale"), lambda: libsvm_data("heart_scale"),
                 "overlapping", 2),
        Question("endometrial", "separation/endometrial.csv", endometrial,
                 "quasi-separable", 2, 13),
        Question("ionosphere", libsvm.format("ionosphere_scale"),
                 lambda: libsvm_data("ionosphere_scale"), "quasi-separable", 2, 38),
        Question("MNIST, 0 against 1", "mnist", zero_one, "separable", 2),
        Question("IMDB counts", "text", lambda: data.imdb()[:2], "separable", 20),
        Question("MNIST, 8 against the rest", "mnist",
                 lambda: (data.mnist()[0], data.mnist()[1] == 8), "quasi-separable", 60),
        Question("a9a", libsvm.format("a9a"), lambda: libsvm_data("a9a"), "quasi-separable", 60),
    ]  # fmt: skip


def libsvm_data(name: str) -> tuple[sp.csr_matrix, np.ndarray]:
    """A file of the LIBSVM collection."""
    X, y = load_svmlight_file(str(data.FOLDER / "libsvm" / f"{name}.gz"))
    return X, y


def _table(path: str, skip: int = 0) -> np.ndarray:
    lines = (data.FOLDER / path).read_text().split()
    return np.array([line.split(",") for line in lines[skip:]])


def iris(kind: str) -> tuple[np.ndarray, np.ndarray]:
    """One kind of iris against the two others."""
    table = _table("small/iris.csv")
    return table[:, :4].astype(float), table[:, 4] == f"Iris-{kind}"


def sonar() -> tuple[np.ndarray, np.ndarray]:
    """Rocks against mines."""
    table = _table("small/sonar.csv")
    return table[:, :-1].astype(float), table[:, -1]


def banknote() -> tuple[np.ndarray, np.ndarray]:
    """Forged against genuine banknotes."""
    table = _table("small/banknote_authentication.csv").astype(float)
    return table[:, :-1], table[:, -1]


def endometrial() -> tuple[np.ndarray, np.ndarray]:
    """Histology grade (HG) on NV, PI and EH."""
    table = _table("separation/endometrial.csv", skip=1).astype(float)
    return table[:, :3], table[:, 3]


def zero_one() -> tuple[np.ndarray, np.ndarray]:
    """The digits 0 and 1 of MNIST."""
    X, y, _ = data.mnist()
    return X[y < 2], y[y < 2]


VERDICT_OF = {"outside": "separable", "on": "quasi-separable", "inside": "overlapping"}


def known_truth(d: int, n: int, k: int, where: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A point `where` the hull of the other class is, by 2 ** -k, hidden by a unimodular map.

    One class holds a simplex that has the origin in its relative interior, in the hyperplane
    x_1 = 0; the point (-1, 0, ..., 0); and points with x_1 < 0. The other class is the single point
    (t, 0, ..., 0) with t = 2 ** -k (outside), 0 (on the boundary) or -2 ** -k (inside).
    """
    rng = random.Random(seed)
    units = [[Fraction(int(i == j)) for j in range(d)] for i in range(1, d)]
    points = [
        *units,
        [Fraction(0)] + [Fraction(-1)] * (d - 1),
        [Fraction(-1)] + [Fraction(0)] * (d - 1),
    ]
    while len(points) < n - 1:
        rest = [Fraction(rng.randint(-8, 8), 8) for _ in range(d - 1)]
        points.append([Fraction(-rng.randint(1, 8), 8), *rest])
    t = {"outside": 1, "on": 0, "inside": -1}[where] * Fraction(1, 2**k)
    points.append([t] + [Fraction(0)] * (d - 1))
    map_ = [[int(i == j) for j in range(d)] for i in range(d)]
    for _ in range(2 * d if d > 1 else 0):
        i, j = rng.sample(range(d), 2)
        factor = rng.choice([-2, -1, 1, 2])
        map_[i] = [a + factor * b for a, b in zip(map_[i], map_[j], strict=True)]
    exact = [[sum(a * x for a, x in zip(row, p, strict=True)) for row in map_] for p in points]
    X = np.array([[float(x) for x in p] for p in exact])
    assert [[Fraction(x) for x in row] for row in X.tolist()] == exact  # doubles lost nothing
    order = rng.sample(range(n), n)
    sign = rng.choice([-1, 1])
    y = np.where(np.arange(n) == n - 1, sign, -sign)
    return X[order], y[order]
