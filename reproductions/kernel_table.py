"""``python -m reproductions.kernel_table``: the voted kernel perceptron on MNIST, degree by degree.

The experiment of Freund and Schapire (1999, section 5): ten classes one-vs-rest on the pixels as
they are, K(x, y) = (1 + x . y)^d, T passes over the 60 000 rows in one random order, all
hypotheses vote. ``benchmarks/kernel_mnist.py`` holds the experiment, and what an independent run
counted on the same rows in the same order; here both are put into one table.

All six degrees take some minutes; ``--degrees 2 --epochs 1`` is a short check.
"""

from __future__ import annotations

import argparse

from benchmarks.kernel_mnist import REFERENCE, mnist, updates_until
from novikoff import KernelPerceptron
from reproductions.tables import needed, table

FILES = [
    f"mnist/{part}-{kind}.gz"
    for part in ("train", "t10k")
    for kind in ("images-idx3-ubyte", "labels-idx1-ubyte")
]
PASSES = (1, 4, 10)


def spaced(number: int) -> str:
    return f"{number:,}".replace(",", " ")


def line(
    degree: int, clf: KernelPerceptron, errors: dict[int, float], n_rows: int
) -> list[list[str]]:
    """Two rows of the table: what was measured here, and by the independent run."""
    counts, support, voted = REFERENCE.get(degree, ({}, None, {}))
    here = [
        f"{degree}", "here",
        *(spaced(updates_until(clf, t, n_rows)) if t in errors else "" for t in PASSES),
        spaced(len(clf.support_)),
        *(f"{errors[t]:.2f}" if t in errors else "" for t in PASSES),
    ]  # fmt: skip
    there = [
        "", "independent",
        *(spaced(counts[t]) if t in counts else "" for t in PASSES),
        "" if support is None else spaced(support),
        *(f"{voted[t]}" if t in voted else "" for t in PASSES),
    ]  # fmt: skip
    return [here, there] if counts else [here]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m reproductions.kernel_table")
    parser.add_argument("--degrees", type=int, nargs="+", default=[1, 2, 3, 4, 5, 6])
    parser.add_argument("--epochs", type=int, default=10)
    options = parser.parse_args()
    needed(*FILES)
    X, y, test, truth = mnist(60_000)
    rows = []
    for degree in options.degrees:
        clf = KernelPerceptron(
            kernel="poly", degree=degree, gamma=1.0, coef0=1.0, vote="voted", order="cyclic",
            max_iter=options.epochs,
        ).fit(X, y)  # fmt: skip
        stages = [t for t in PASSES if t <= options.epochs]
        scores = clf.staged_score(test, truth, stages, vote="voted")
        errors = {t: 100 * (1 - score) for t, score in zip(stages, scores, strict=True)}
        rows += line(degree, clf, errors, len(y))
    head = ["d", "", *(f"updates, T = {t}" for t in PASSES), "support rows"]
    print(table([*head, *(f"error %, T = {t}" for t in PASSES)], rows))


if __name__ == "__main__":
    main()
