"""Make every picture of ``novikoff.displays`` and put it into a folder.

python examples/displays.py [FOLDER] [--dark]

All data is made here or ships with the package; nothing is random from run to run.
"""

import argparse
import csv
from importlib.resources import files
from pathlib import Path

import matplotlib as mpl
import numpy as np

import novikoff
from novikoff import displays


def iris():
    """(X, y): petal length and width, and the species."""
    text = files(novikoff).joinpath("data", "iris.csv").read_text()
    rows = [row for row in csv.reader(text.splitlines()) if row]
    return np.array([row[:-1] for row in rows], float), np.array([row[-1][5:] for row in rows])


def clouds(n, gap, seed=1):
    """Two round clouds of n rows together, `gap` to either side of (1, 1)."""
    random = np.random.RandomState(seed)
    y = np.arange(n) % 2
    centre = np.where(y[:, None] == 1, gap, -gap) * [1.0, 0.6] + 1.0
    return random.randn(n, 2) + centre, np.where(y == 1, "yes", "no")


def fan(n, gap, seed=4):
    """n rows that a line through the origin separates, none within `gap` radians of it."""
    random = np.random.RandomState(seed)
    y = np.arange(n) % 2
    angle = random.uniform(gap, np.pi - gap, n) + np.pi * (1 - y)
    X = np.column_stack([np.cos(angle), np.sin(angle)]) * random.uniform(0.6, 3.0, n)[:, None]
    return X, np.where(y == 1, "yes", "no")


def ring(n, seed=2):
    """One class around the other."""
    random = np.random.RandomState(seed)
    X = random.randn(n, 2)
    return X, np.where(np.hypot(*X.T) > 1.2, "outer", "inner")


def boundary():
    X, y = clouds(60, 2.0)
    clf = novikoff.Perceptron().fit(X, y)
    yield "boundary", displays.BoundaryDisplay.from_estimator(clf, X, y)

    X, species = iris()
    setosa = np.where(species == "setosa", "setosa", "others")
    clf = novikoff.Perceptron().fit(X, setosa)
    yield "boundary-four-features", displays.BoundaryDisplay.from_estimator(clf, X, setosa)

    clf = novikoff.AveragedPerceptron(max_iter=30).fit(X[:, 2:], species)
    yield "boundary-three-classes", displays.BoundaryDisplay.from_estimator(clf, X[:, 2:], species)

    X, y = ring(150)
    clf = novikoff.KernelPerceptron(kernel="rbf", gamma=1.0, max_iter=50).fit(X, y)
    yield "boundary-kernel", displays.BoundaryDisplay.from_estimator(clf, X, y)


def runs():
    X, y = fan(12, 0.12)
    clf = novikoff.Perceptron(fit_intercept=False, order="cyclic", record_trace=True).fit(X, y)
    yield "update", displays.TraceDisplay.from_trace(clf.trace_)
    yield "theta-space", displays.ThetaSpaceDisplay.from_trace(clf.trace_)
    yield "bound", displays.BoundDisplay.from_trace(clf.trace_)
    yield "error", displays.ErrorDisplay.from_estimator(clf, X, y)


def data():
    X, y = clouds(60, 2.0)
    yield "street", displays.ObstructionDisplay.from_data(X, y)
    X, y = clouds(60, 0.9)
    yield "obstruction", displays.ObstructionDisplay.from_data(X, y)
    yield "losses", displays.LossDisplay.from_range()
    X, species = iris()
    family = [
        novikoff.Perceptron(max_iter=25),
        novikoff.AveragedPerceptron(max_iter=25),
        novikoff.PocketPerceptron(max_iter=25),
    ]
    virginica = np.where(species == "virginica", "virginica", "others")
    yield "learning", displays.LearningDisplay.from_estimators(family, X, virginica)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default="pictures", type=Path)
    parser.add_argument("--dark", action="store_true")
    options = parser.parse_args()
    mpl.use("Agg")
    import matplotlib.pyplot as plt

    options.folder.mkdir(parents=True, exist_ok=True)
    theme = "dark" if options.dark else "light"
    for make in (boundary, runs, data):
        for name, display in make():
            display.plot(theme=theme).figure_.savefig(options.folder / f"{name}.png", dpi=200)
            plt.close(display.figure_)
            if name == "update":
                display.plot_run(theme=theme)
                display.figure_.savefig(options.folder / "run.png", dpi=200)
                plt.close(display.figure_)
                display.animate(options.folder / "run.gif", theme=theme)
                display.animate(options.folder / "run.html", theme=theme)
            print(options.folder / f"{name}.png")


if __name__ == "__main__":
    main()
