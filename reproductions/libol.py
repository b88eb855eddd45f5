"""``python -m reproductions.libol``: LIBOL's Table 3 whole, for svmguide3 and for ijcnn1.

LIBOL (Hoi, Wang and Zhao 2014) counts the mistakes of one pass, each row predicted before it is
learned from, and the updates, over 20 permutations of the rows. Its algorithms have no offset,
start at zero, predict +1 on the boundary and keep Sigma in full. Where an algorithm has parameters
they are chosen one after the other by the mistakes on one more permutation, the last of the best.

Its permutations come from ``srand(i)``, i = 1 ... 20, and ``std::random_shuffle``, as the C++
library of the time (Visual Studio 2010) had them. Both are a few lines and are written out below,
so that what is compared is not two averages but the very same runs. The one that parameters are
chosen on came from MATLAB's generator; here it is that of i = 0.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from novikoff import OnlineClassifier, rules
from reproductions import libol_own as own
from reproductions.libol_own import Counts, Learn
from reproductions.tables import needed, table

RUNS = 20
PRICES = [2.0**k for k in range(-4, 5)]
PROBABILITIES = [0.55 + 0.05 * k for k in range(9)]


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
class Algorithm:
    """A way to learn, and the parameters that are chosen for it, in turn, each from its grid.

    make : the parameters by name -> what learns in one pass
    """

    make: Callable[..., Learn]
    told: dict[str, Any] = field(default_factory=dict)
    grids: dict[str, list[Any]] = field(default_factory=dict)

    def chosen(self, X: np.ndarray, y: np.ndarray) -> dict[str, Any]:
        """The parameters with the fewest mistakes on these rows."""
        best = dict(self.told)
        for name, grid in self.grids.items():
            wrong = [self.make(**best | {name: value})(X, y)[0] for value in grid]
            best[name] = grid[len(grid) - 1 - int(np.argmin(wrong[::-1]))]
        return best


def by_rule(kind: Callable[..., rules.Rule], **parameters: Any) -> Learn:
    """One of our rules, through the origin."""

    def learn(X: np.ndarray, y: np.ndarray) -> Counts:
        clf = OnlineClassifier(kind(**parameters), fit_intercept=False)
        clf.partial_fit(X, y, classes=[-1, 1])
        return clf.n_mistakes_, int(clf.n_updates_[0])

    return learn


def as_written(function: Callable[..., Counts], **parameters: Any) -> Learn:
    """One of LIBOL's own."""
    return lambda X, y: function(X, y, *parameters.values())


def ours(
    kind: Callable[..., rules.Rule], told: dict[str, Any] | None = None, **grids: Any
) -> Algorithm:
    return Algorithm(partial(by_rule, kind), told or {}, grids)


def theirs(function: Any, told: dict[str, Any] | None = None, **grids: Any) -> Algorithm:
    return Algorithm(partial(as_written, function), told or {}, grids)


FULL = {"covariance": "full"}
SCW = rules.SoftConfidenceWeighted
# Of each line of the table: our rule, and what LIBOL does, where that is something else.
LINES: dict[str, tuple[Algorithm | None, Algorithm | None]] = {
    "Perceptron": (ours(rules.Perceptron, {"ties": "sign"}), None),
    "ROMMA": (ours(rules.ROMMA, {"ties": "sign"}), theirs(own.romma, {"aggressive": False})),
    "aROMMA": (ours(rules.ROMMA, {"aggressive": True}), theirs(own.romma, {"aggressive": True})),
    "ALMA": (
        ours(rules.ALMA, {"alpha": 0.9}, C=PRICES, alpha=PROBABILITIES),
        theirs(own.alma, {"C": math.sqrt(2), "alpha": 0.9, "p": 2},
               C=PRICES, alpha=PROBABILITIES, p=[2, 4, 6, 8, 10]),
    ),
    "OGD": (None, theirs(own.gradient_descent, {"C": 1.0})),
    "PA": (ours(rules.PassiveAggressive, {"C": math.inf}), None),
    "PA-I": (ours(rules.PassiveAggressive, C=PRICES), None),
    "PA-II": (ours(rules.PassiveAggressive, {"loss": "squared_hinge"}, C=PRICES), None),
    "SOP": (ours(rules.SecondOrder, {"ties": "sign", **FULL}), theirs(own.second_order)),
    "IELLIP": (None, theirs(own.ellipsoid, {"b": 0.3}, b=[k / 10 for k in range(1, 10)])),
    "CW": (ours(rules.ConfidenceWeighted, FULL, eta=PROBABILITIES), None),
    "NHERD": (ours(rules.NHERD, FULL, C=PRICES), None),
    "AROW": (ours(rules.AROW, FULL, r=PRICES), None),
    "NAROW": (None, theirs(own.new_arow, {"b": 1.0}, b=PRICES)),
    "SCW-I": (ours(SCW, {"eta": 0.75, **FULL}, C=PRICES, eta=PROBABILITIES), None),
    "SCW-II": (
        ours(SCW, {"eta": 0.9, "variant": "II", **FULL}, C=PRICES, eta=PROBABILITIES),
        theirs(own.scw2_by_probability, {"C": 1.0, "eta": 0.9}, C=PRICES, eta=PROBABILITIES),
    ),
}  # fmt: skip
# Mistake rate and updates of each line.
PUBLISHED = {
    "svmguide3": {
        "Perceptron": (".332", "412.4"), "ROMMA": (".329", "409.3"), "aROMMA": (".328", "500.1"),
        "ALMA": (".230", "592.9"), "OGD": (".237", "636.5"), "PA": (".318", "721.1"),
        "PA-I": (".236", "763.4"), "PA-II": (".253", "1131.5"), "SOP": (".297", "369.1"),
        "IELLIP": (".332", "412.7"), "CW": (".299", "704.6"), "NHERD": (".217", "1150.5"),
        "AROW": (".222", "1219.5"), "NAROW": (".276", "1193.8"), "SCW-I": (".206", "593.4"),
        "SCW-II": (".212", "802.0"),
    },
    "ijcnn1": {
        "Perceptron": (".106", "15059.9"), "ROMMA": (".101", "14284.2"),
        "aROMMA": (".101", "14776.0"), "ALMA": (".071", "21474.0"), "OGD": (".095", "27465.8"),
        "PA": (".102", "33847.9"), "PA-I": (".077", "28376.3"), "PA-II": (".081", "61093.8"),
        "SOP": (".102", "14470.7"), "IELLIP": (".119", "16876.8"), "CW": (".093", "30648.3"),
        "NHERD": (".084", "86660.7"), "AROW": (".082", "74247.1"), "NAROW": (".095", "103843.6"),
        "SCW-I": (".060", "11077.3"), "SCW-II": (".070", "30833.8"),
    },
}  # fmt: skip


@dataclass(frozen=True)
class Online:
    """What one pass counted: mistakes and updates of each permutation."""

    n_rows: int
    mistakes: np.ndarray
    updates: np.ndarray

    def rate(self, digits: int) -> str:
        return f"{self.mistakes.mean() / self.n_rows:.{digits}f} ± {self._deviation(digits)}"

    def _deviation(self, digits: int) -> str:
        return f"{self.mistakes.std(ddof=1) / self.n_rows:.{digits}f}"

    def changes(self, digits: int) -> str:
        return f"{self.updates.mean():.{digits}f} ± {self.updates.std(ddof=1):.{digits}f}"


def online(X: np.ndarray, y: np.ndarray, learn: Learn, runs: int = RUNS) -> Online:
    """One pass over each of LIBOL's first permutations."""
    counts = []
    for seed in range(1, runs + 1):
        order = random_shuffle(len(y), microsoft_rand(seed))
        counts.append(learn(X[order], y[order]))
    mistakes, updates = np.array(counts).T
    return Online(len(y), mistakes, updates)


def measured(algorithm: Algorithm, X: np.ndarray, y: np.ndarray) -> tuple[Online, dict[str, Any]]:
    """The counts with the parameters that do best on one more permutation, and these."""
    order = random_shuffle(len(y), microsoft_rand(0))
    chosen = algorithm.chosen(X[order], y[order])
    return online(X, y, algorithm.make(**chosen)), {name: chosen[name] for name in algorithm.grids}


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


def lines(data: str, names: list[str] | None = None) -> Iterator[list[str]]:
    """The lines of the table, each as soon as it is measured."""
    X, y = {"svmguide3": svmguide3, "ijcnn1": ijcnn1}[data]()
    for name in names or LINES:
        cells = [name, " · ".join(PUBLISHED[data][name])]
        for algorithm in LINES[name]:
            if algorithm is None:
                cells.append("")
                continue
            found, chosen = measured(algorithm, X, y)
            told = ", ".join(f"{key} = {round(value, 4)}" for key, value in chosen.items())
            cells.append(f"{found.rate(3)} · {found.changes(1)}" + f" ({told})" * bool(told))
        yield cells


HEAD = ["mistake rate · updates", "published", "our rule", "as LIBOL wrote it"]


def main() -> None:
    for data in sys.argv[1:] or PUBLISHED:
        print(f"\n{data}\n\n{table(HEAD, list(lines(data)))}")


if __name__ == "__main__":
    main()
