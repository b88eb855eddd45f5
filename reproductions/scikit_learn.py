"""``python -m reproductions.scikit_learn``: two surprises in its Perceptron.

*It stops early without a word.* Its default ``tol=1e-3`` ends training when the loss of an epoch
has not fallen by so much for five epochs. On separable data, where every perceptron ends with no
mistake at all, that often comes first, and no warning says so.

*Dense and sparse data give other models.* For sparse input it multiplies every step of the
intercept by 0.01, so that the same rows, in the same order, make other mistakes from the second
update on.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse as sp
import sklearn
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Perceptron as TheirPerceptron

from novikoff import Perceptron
from reproductions.tables import table

SETS = 200
SHAPES = ((2, 0.01), (10, 0.05), (10, 0.01), (50, 0.01))  # features, gap


def separable(seed: int, d: int, gap: float, n: int = 200) -> tuple[np.ndarray, np.ndarray]:
    """`n` normal rows, cut in half by a random hyperplane, without those within `gap` of it."""
    random = np.random.RandomState(seed)
    normal = random.standard_normal(d)
    X = random.standard_normal((n, d))
    distance = X @ normal / np.linalg.norm(normal)
    distance -= np.median(distance)
    kept = np.abs(distance) > gap
    return X[kept], (distance[kept] > 0).astype(int)


@dataclass
class Tally:
    """Over many sets: how often mistakes were left, how often a warning said so, and how many."""

    mistakes: list[int] = field(default_factory=list)
    warned: int = 0

    def add(self, model: Any, X: np.ndarray, y: np.ndarray) -> None:
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            model.fit(X, y)
        left = int((model.predict(X) != y).sum())
        self.mistakes.append(left)
        said = any(issubclass(one.category, ConvergenceWarning) for one in heard)
        self.warned += bool(left and said)

    @property
    def failed(self) -> int:
        return int(np.count_nonzero(self.mistakes))


def early_stop(d: int, gap: float, sets: int = SETS) -> tuple[Tally, Tally]:
    """scikit-learn with its defaults and novikoff, both with at most 1 000 epochs."""
    theirs, ours = Tally(), Tally()
    for seed in range(sets):
        X, y = separable(seed, d, gap)
        theirs.add(TheirPerceptron(), X, y)
        ours.add(Perceptron(max_iter=1000), X, y)
    return theirs, ours


def two_rows() -> tuple[np.ndarray, np.ndarray]:
    """The smallest case: after one update the intercept is 1, or 0.01."""
    return np.array([[1.0, 0.0], [-2.0, 0.0]]), np.array([1, 0])


def dense_and_sparse(model: Any, X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(theta, theta_0) from the same rows in both forms."""
    forms = (X, sp.csr_array(X))
    dense, sparse = (
        np.append(fitted.coef_[0], fitted.intercept_[0])
        for fitted in (model.fit(form, y) for form in forms)
    )
    return dense, sparse


def shown(weights: np.ndarray) -> str:
    return f"({', '.join(f'{value:.4g}' for value in weights)})".replace("-", "−")


def early_stop_table() -> str:
    rows = []
    for d, gap in SHAPES:
        theirs, ours = early_stop(d, gap)
        rows.append(
            [
                f"{d}", f"{gap:g}", f"{theirs.failed} of {SETS}", f"{theirs.warned}",
                f"{max(theirs.mistakes)}", f"{ours.failed} of {SETS}", f"{ours.warned}",
            ]
        )  # fmt: skip
    head = [
        "features", "gap", "scikit-learn: sets with mistakes left", "of these with a warning",
        "most mistakes left", "novikoff: sets with mistakes left", "of these with a warning",
    ]  # fmt: skip
    return table(head, rows)


def sparse_table() -> str:
    rows = []
    X, y = separable(0, 2, 0.01)
    cases = (("two rows, one epoch", *two_rows(), 1), ("200 rows, ten epochs", X, y, 10))
    for name, X, y, epochs in cases:
        models = {
            "scikit-learn": TheirPerceptron(tol=None, shuffle=False, max_iter=epochs),
            "novikoff": Perceptron(order="cyclic", max_iter=epochs),
        }
        for library, model in models.items():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)  # few epochs are meant here
                dense, sparse = dense_and_sparse(model, X, y)
            same = "yes" if np.array_equal(dense, sparse) else "no"
            rows.append([name, library, shown(dense), shown(sparse), same])
    return table(["rows", "library", "dense (θ, θ₀)", "sparse (θ, θ₀)", "same to the bit"], rows)


def main() -> None:
    print(f"scikit-learn {sklearn.__version__}\n")
    print(early_stop_table(), sparse_table(), sep="\n\n")


if __name__ == "__main__":
    main()
