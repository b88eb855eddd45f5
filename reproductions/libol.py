"""``python -m reproductions.libol``: the perceptron's lines in LIBOL's tables, to the last digit.

LIBOL (Hoi, Wang and Zhao 2014) counts the mistakes of one pass, each row predicted before it is
learned from, over 20 permutations of the rows. Its perceptron has no offset, starts at zero and
predicts +1 on the boundary: ``fit_intercept=False, ties="sign"`` here.

Its permutations come from ``srand(i)``, i = 1 ... 20, and ``std::random_shuffle``, as the C++
library of the time (Visual Studio 2010) had them. Both are a few lines and are written out below,
so that what is compared is not two averages but the very same runs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from novikoff import Perceptron
from reproductions.tables import needed, table

RUNS = 20


def microsoft_rand(seed: int) -> Callable[[], int]:
    """``srand(seed)``, then ``rand()``: 15 bits of a linear congruential generator."""
    state = seed

    def rand() -> int:
        nonlocal state
        state = (state * 214_013 + 2_531_011) % 2**32
        return state >> 16 & 0x7FFF

    return rand


def random_shuffle(n: int, rand: Callable[[], int]) -> np.ndarray:
    """``std::random_shuffle`` of 0 ... n - 1; where 15 bits are too few, more are drawn."""
    order = list(range(n))
    for i in range(1, n):
        drawn, largest = rand(), 0x7FFF
        while largest < i + 1:
            drawn, largest = drawn << 15 | rand(), largest << 15 | 0x7FFF
        j = drawn % (i + 1)
        order[i], order[j] = order[j], order[i]
    return np.array(order)


@dataclass(frozen=True)
class Online:
    """Mistakes of one pass: mean and standard deviation (with n - 1) over the permutations."""

    n_rows: int
    mean: float
    deviation: float

    def rate(self, digits: int) -> str:
        mean, deviation = self.mean / self.n_rows, self.deviation / self.n_rows
        return f"{mean:.{digits}f} ± {deviation:.{digits}f}"

    def updates(self, digits: int) -> str:
        return f"{self.mean:.{digits}f} ± {self.deviation:.{digits}f}"


def online(X: np.ndarray, y: np.ndarray, runs: int = RUNS) -> Online:
    """One pass through the origin over each of LIBOL's first permutations."""
    mistakes = []
    for seed in range(1, runs + 1):
        order = random_shuffle(len(y), microsoft_rand(seed))
        clf = Perceptron(fit_intercept=False, ties="sign")
        clf.partial_fit(X[order], y[order], classes=[-1, 1])
        mistakes.append(int(clf.n_updates_[0]))
    return Online(len(y), float(np.mean(mistakes)), float(np.std(mistakes, ddof=1)))


def svmguide3() -> tuple[np.ndarray, np.ndarray]:
    """The 1 243 rows that come with LIBOL, as they are."""
    from scipy.io import loadmat

    (path,) = needed("libol/svmguide3.mat")
    rows = loadmat(path)["data"]
    return np.ascontiguousarray(rows[:, 1:]), rows[:, 0].astype(int)


def ijcnn1() -> tuple[np.ndarray, np.ndarray]:
    """All 141 691 rows: LIBSVM's training set and then its test set."""
    from sklearn.datasets import load_svmlight_files

    X, y, more, labels = load_svmlight_files(needed("libsvm/ijcnn1.trn.bz2", "libsvm/ijcnn1.t.bz2"))
    return np.vstack([X.toarray(), more.toarray()]), np.concatenate([y, labels]).astype(int)


def main() -> None:
    small, large = online(*svmguide3()), online(*ijcnn1())
    print(
        table(
            ["data", "", "published", "here"],
            [
                ["svmguide3, 1 243 rows", "mistake rate", "0.3318 ± 0.0118", small.rate(4)],
                ["", "updates", "412.45 ± 14.66", small.updates(2)],
                ["ijcnn1, 141 691 rows", "mistake rate", "0.106", large.rate(4)],
                ["", "updates", "", large.updates(1)],
            ],
        )
    )


if __name__ == "__main__":
    main()
