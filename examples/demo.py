"""Fit, compare, and see why a perceptron stops. ``make demo``.

Every line is one classifier on data that ships with the package, with default parameters.
"""

import csv
import time
import warnings
from importlib.resources import files

import numpy as np
from sklearn import linear_model
from sklearn.exceptions import ConvergenceWarning

import novikoff


def load(name):
    """(X, y) of a data set in the package: the label is the last column."""
    text = files(novikoff).joinpath("data", f"{name}.csv").read_text()
    rows = [row for row in csv.reader(text.splitlines()) if row]
    return np.array([row[:-1] for row in rows], float), np.array([row[-1] for row in rows])


def report(title, X, y):
    print(f"\n{title}: {X.shape[0]} rows, {X.shape[1]} features, {len(np.unique(y))} classes")
    print(
        f"  {'classifier':<34} {'status':<12} {'epochs':>6} {'updates':>8} {'error %':>8} {'ms':>8}"
    )
    for model in (
        novikoff.Perceptron(),
        novikoff.AveragedPerceptron(),
        novikoff.VotedPerceptron(),
        novikoff.PocketPerceptron(),
        linear_model.Perceptron(),
    ):
        began = time.perf_counter()
        model.fit(X, y)
        elapsed = 1000 * (time.perf_counter() - began)
        ours = type(model).__module__.startswith("novikoff")
        name = f"{'novikoff' if ours else 'scikit-learn'} {type(model).__name__}"
        updates = int(model.n_updates_.sum()) if ours else ""
        print(
            f"  {name:<34} {getattr(model, 'status_', '-'):<12} {model.n_iter_:>6} {updates:>8} "
            f"{100 * (1 - model.score(X, y)):>8.2f} {elapsed:>8.2f}"
        )


def show_updates(X, y):
    """The first updates of a run, as a student would write them down."""
    clf = novikoff.Perceptron(order="cyclic", record_trace=True).fit(X, y)
    theta, offset = clf.trace_.hypotheses(X)
    print(
        f"\nThe perceptron on setosa and the rest, row after row: {len(clf.trace_)} updates, then"
    )
    print(f"epoch {clf.n_iter_} without a mistake, so it stops (status_ = {clf.status_!r}).")
    print(f"  {'k':>3} {'epoch':>5} {'row':>4} {'y':>3}  theta, theta_0 after the update")
    for k, (epoch, row, side) in enumerate(
        zip(clf.trace_.epoch, clf.trace_.row, clf.trace_.y, strict=True), start=1
    ):
        weights = "  ".join(f"{w:6.1f}" for w in theta[k])
        print(f"  {k:>3} {epoch:>5} {row:>4} {side:>+3}  {weights}   {offset[k]:6.1f}")


def show_separability(title, X, y):
    """The verdict with its proof, checked by code that shares nothing with the search."""
    result = novikoff.separability(X, y)
    print(f"\n{title}: {result.verdict}; the proof checks: {result.verify(X, y)}.")
    if result.verdict == "separable":
        best, bound = novikoff.max_margin(X, y), novikoff.mistake_bound(X, y)
        print(f"  The margin is between {best.margin:.9f} and {best.upper_bound:.9f};")
        print(f"  no run of the perceptron makes more than {int(bound.value)} updates.")
    else:
        rows, weights = result.obstruction.rows, result.obstruction.weights
        print(f"  No line has rows {rows.tolist()} all strictly on their side:")
        print(f"  with the weights {', '.join(map(str, weights))} the sum of y (x, 1) is zero.")


def main():
    X, y = load("iris")
    setosa = np.where(y == "Iris-setosa", "setosa", "rest")
    print("Compiling the kernels (a few seconds, once) ...")
    with warnings.catch_warnings():
        # The epoch limit is one of the things this table shows.
        warnings.simplefilter("ignore", ConvergenceWarning)
        report_warm_up(X, y)
        report("iris, setosa against the rest (separable)", X, setosa)
        report("iris, three species (not separable)", X, y)
        report("banknotes, genuine or forged (not separable)", *load("banknote"))
    show_updates(X, setosa)
    show_separability("Setosa against the rest", X, setosa)
    virginica = np.isin(y, ["Iris-virginica"])
    show_separability("Virginica against the rest, petals rounded", np.rint(X[:, 2:]), virginica)


def report_warm_up(X, y):
    """Compile everything, so that the table shows running times."""
    for name in ("Perceptron", "AveragedPerceptron", "VotedPerceptron", "PocketPerceptron"):
        for labels in (y, y == y[0]):
            getattr(novikoff, name)(max_iter=2).fit(X, labels).predict(X)


if __name__ == "__main__":
    main()
