"""``python -m benchmarks.kernel_mnist``: the table of Freund and Schapire (1999) on MNIST.

Ten classes one-vs-rest, raw pixels from 0 to 255, K(x, y) = (1 + x . y) ** d, the rows in one fixed
random order, cyclic. One run per degree gives everything: the stages and the three ways to predict
come from its log. Beside what was measured stands what one independent run measured (another
permutation moves its counts by about 2 % and its errors by 0.25). ``--svc`` trains scikit-learn's
SVC on the same rows; it takes its time.
"""

from __future__ import annotations

import argparse
import gzip
import sys
import time
from typing import Any

import numpy as np
from sklearn.svm import SVC

from benchmarks import data
from novikoff import KernelPerceptron

VOTES = ("last", "averaged", "voted")
STAGES = (0.1, 1, 4, 10)
# degree: updates after T = 1, 4, 10; support rows at T = 10; voted test error % at T = 1, 4, 10
REFERENCE: dict[int, tuple[dict[float, int], int, dict[float, float]]] = {
    1: ({1: 25413, 4: 92939, 10: 223312}, 33102, {1: 8.3, 4: 8.1, 10: 8.0}),
    2: ({1: 10166, 4: 21960, 10: 32346}, 12940, {1: 2.7, 4: 2.1, 10: 1.85}),
    3: ({1: 8443, 4: 15155, 10: 18543}, 9909, {1: 2.4, 4: 1.8, 10: 1.66}),
    4: ({1: 7930, 4: 12736, 10: 14303}, 8655, {1: 2.4, 4: 1.7, 10: 1.56}),
    5: ({1: 8085, 4: 12293, 10: 13093}, 8283, {1: 2.35, 4: 1.7, 10: 1.64}),
}


class Bar:
    """A progress bar on stderr that also takes the time; a scikit-learn callback."""

    def __init__(self, title: str, n_epochs: int) -> None:
        self.title, self.n_epochs = title, n_epochs
        self.ends: list[float] = []
        self.began = time.perf_counter()
        self.draw()

    def draw(self, more: str = "") -> None:
        done = len(self.ends)
        filled = round(20 * done / self.n_epochs)
        seconds = time.perf_counter() - self.began
        line = f"{self.title} [{'#' * filled}{'.' * (20 - filled)}] {done}/{self.n_epochs} epochs"
        print(f"\r{line} {seconds:.0f} s {more:<24}", end="", file=sys.stderr, flush=True)

    def setup(self, estimator: Any, context: Any) -> None:
        pass

    def teardown(self, estimator: Any, context: Any) -> None:
        pass

    def on_fit_task_begin(self, estimator: Any, context: Any) -> None:
        pass

    def on_fit_task_end(self, estimator: Any, context: Any) -> bool:
        if context.parent is not None:  # an epoch, not the fit as a whole
            self.ends.append(time.perf_counter() - self.began)
            self.draw()
        return False


def mnist(n_rows: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The first `n_rows` training rows in a random order, and the test set."""
    X, y, _ = data.mnist()
    folder = data.FOLDER / "mnist"
    images = gzip.decompress((folder / "t10k-images-idx3-ubyte.gz").read_bytes())
    labels = gzip.decompress((folder / "t10k-labels-idx1-ubyte.gz").read_bytes())
    order = np.random.RandomState(0).permutation(len(y))[:n_rows]
    test = np.frombuffer(images, np.uint8, offset=16).reshape(-1, 784)
    return X[order], y[order], test, np.frombuffer(labels, np.uint8, offset=8)


def updates_until(clf: KernelPerceptron, epoch: float, n_rows: int) -> int:
    """How many updates were made until an epoch: survival times tell when each one was."""
    births = [np.cumsum(times)[:-1] + 1 for times in clf.survival_times_]
    return int(sum((times <= round(epoch * n_rows)).sum() for times in births))


def compared(value: float, reference: float | None, form: str) -> str:
    """What was measured, and in brackets what the independent run had."""
    known = "" if reference is None else f"({reference:{form}})"
    return f"{value:{form}} {known:>9}"


def measure(degree: int, n_epochs: int, rows: tuple[np.ndarray, ...]) -> tuple[float, float]:
    """Train, print this degree's lines, return (seconds of training, voted test error in %)."""
    X, y, test, truth = rows
    bar = Bar(f"degree {degree}", n_epochs)
    clf = KernelPerceptron(
        kernel="poly", degree=degree, gamma=1.0, coef0=1.0, vote="voted", order="cyclic",
        max_iter=n_epochs,
    )  # fmt: skip
    if hasattr(clf, "set_callbacks"):  # since scikit-learn 1.9
        clf.set_callbacks(bar)
    clf.fit(X, y)
    seconds = time.perf_counter() - bar.began
    reached = n_epochs if clf.status_ == "separated" else clf.n_iter_
    stages = [stage for stage in STAGES if stage <= reached]
    errors = {}
    for vote in VOTES:
        bar.draw(f"predicting, {vote}")
        began = time.perf_counter()
        errors[vote] = [100 * (1 - s) for s in clf.staged_score(test, truth, stages, vote=vote)]
        voted_seconds = time.perf_counter() - began
    print("\r" + " " * 79 + "\r", end="", file=sys.stderr, flush=True)

    counts, support, voted = REFERENCE.get(degree, ({}, None, {}))
    if len(y) != 60_000:
        counts, support, voted = {}, None, {}
    for i, stage in enumerate(stages):
        updates = compared(updates_until(clf, stage, len(y)), counts.get(stage), "d")
        error = compared(errors["voted"][i], voted.get(stage), ".2f")
        until = f"{bar.ends[min(int(stage), len(bar.ends)) - 1]:.1f} s" if bar.ends else ""
        print(
            f"{degree:>2} {stage:>5} {updates:>18} {errors['last'][i]:>6.2f} "
            f"{errors['averaged'][i]:>9.2f} {error:>17} {until if stage >= 1 else '':>10}"
        )
    print(
        f"   {clf.n_iter_} epochs in {seconds:.1f} s, {compared(len(clf.support_), support, 'd')} "
        f"support rows; {len(truth)} voted predictions, {len(stages)} stages, in "
        f"{voted_seconds:.1f} s",
        flush=True,
    )
    return seconds, errors["voted"][-1]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kernel_mnist", description=__doc__)
    parser.add_argument("--degrees", type=int, nargs="+", default=[1, 2, 3, 4, 5, 6])
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--rows", type=int, default=60_000, help="of the training set")
    parser.add_argument("--svc", action="store_true", help="train SVC(kernel='poly', degree=4) too")
    options = parser.parse_args()
    rows = mnist(options.rows)
    small = KernelPerceptron(kernel="poly", vote="voted").fit(rows[0][:99], rows[1][:99])
    small.predict(rows[2][:9])  # compiles
    print("In brackets what an independent run measured. Test errors in %.")
    print(
        f"{'d':>2} {'T':>5} {'updates':>18} {'last':>6} {'averaged':>9} {'voted':>17} {'until':>10}"
    )
    ours = {degree: measure(degree, options.epochs, rows) for degree in options.degrees}
    if options.svc:
        X, y, test, truth = rows
        began = time.perf_counter()
        svc = SVC(kernel="poly", degree=4).fit(X, y)
        seconds = time.perf_counter() - began
        error = 100 * (1 - svc.score(test, truth))
        print(f"SVC(kernel='poly', degree=4): {seconds:.1f} s, test error {error:.2f} %", end="")
        if 4 in ours:
            print(f"; the voted perceptron: {ours[4][0]:.1f} s, {ours[4][1]:.2f} %", end="")
        print()


if __name__ == "__main__":
    main()
