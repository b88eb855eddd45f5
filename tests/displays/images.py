"""The pictures that are compared with stored ones.

``python -m tests.displays.images`` writes them anew. Look at every one before you commit it.

Each is stored twice. Whole, with its text, as a reader sees it; but versions of matplotlib set text
so differently that pictures of 3.10 and 3.11 differ by 16 to 43 steps of 255, several times what a
missing arrow makes. And bare, without text, in a frame of fixed size: equal in 3.9, 3.10 and 3.11.
"""

from pathlib import Path

import numpy as np
from matplotlib.text import Text
from PIL import Image

from novikoff import AveragedPerceptron, KernelPerceptron, MaxMarginClassifier, Perceptron
from novikoff import displays as d
from tests.displays.data import clouds, fan, traced

BASELINE = Path(__file__).parent / "baseline"
BARE = BASELINE / "bare"
DPI = 70  # small files; text stays legible


def boundary(n, theme="light", units=(1.0, 1.0)):
    X, y = clouds(n, 2.4 if n < 1000 else 1.2)
    clf = Perceptron(max_iter=300) if n < 1000 else AveragedPerceptron()
    X = X * units
    if units != (1.0, 1.0):
        clf = MaxMarginClassifier()
    return d.BoundaryDisplay.from_estimator(clf.fit(X, y), X, y).plot(theme=theme)


def kernel():
    X = np.random.RandomState(2).randn(80, 2)
    y = np.where(np.hypot(*X.T) > 1.2, "outer", "inner")
    clf = KernelPerceptron(kernel="rbf", gamma=1.0, max_iter=50).fit(X, y)
    return d.BoundaryDisplay.from_estimator(clf, X, y).plot(theme="dark")


def three_classes():
    y = np.arange(90) % 3
    X = np.random.RandomState(0).randn(90, 2) + 3.0 * np.array([[0, 1], [1, 0], [-1, -1]])[y]
    clf = AveragedPerceptron(multi_class="ovr").fit(X, y)
    return d.BoundaryDisplay.from_estimator(clf, X, y).plot()


def zero():
    X, y = clouds(12)
    clf = Perceptron(max_iter=300).fit(X, y)
    clf.coef_, clf.intercept_ = np.zeros((1, 2)), np.zeros(1)
    return d.BoundaryDisplay.from_estimator(clf, X, y).plot()


def four_features():
    X = np.random.RandomState(4).randn(100, 4)
    y = (X @ [1.0, 2.0, -1.0, 0.5] > 0.5).astype(int)
    X += 0.4 * (2 * y - 1)[:, None] * [1.0, 2.0, -1.0, 0.5]
    return d.BoundaryDisplay.from_estimator(MaxMarginClassifier().fit(X, y), X, y).plot()


def of_run(make, **options):
    return make(traced(*fan(12), fit_intercept=False), **options)


def learning():
    X, y = clouds(120, 0.9)
    family = [Perceptron(max_iter=10), AveragedPerceptron(max_iter=10)]
    return d.LearningDisplay.from_estimators(family, X, y).plot()


def error():
    X, y = clouds(40, 0.8)
    clf = AveragedPerceptron().fit(X, y)
    return d.ErrorDisplay.from_estimator(clf, X, y).plot()


PICTURES = {
    "boundary_2": lambda: boundary(2),
    "boundary_12": lambda: boundary(12),
    "boundary_150_dark": lambda: boundary(150, "dark"),
    "boundary_20000": lambda: boundary(20_000),
    "boundary_units": lambda: boundary(60, units=(1000.0, 0.01)),
    "boundary_four_features": four_features,
    "boundary_kernel_dark": kernel,
    "boundary_three_classes": three_classes,
    "boundary_zero": zero,
    "trace_update": lambda: of_run(d.TraceDisplay.from_trace).plot(k=3),
    "trace_run": lambda: of_run(d.TraceDisplay.from_trace).plot_run(panels=6),
    "bound": lambda: of_run(d.BoundDisplay.from_trace).plot(),
    "theta_space": lambda: of_run(d.ThetaSpaceDisplay.from_trace).plot(),
    "theta_space_dark": lambda: of_run(d.ThetaSpaceDisplay.from_trace).plot(k=4, theme="dark"),
    "learning": learning,
    "error": error,
    "loss": lambda: d.LossDisplay.from_range().plot(),
    "street": lambda: d.ObstructionDisplay.from_data(*clouds(40)).plot(),
    "obstruction_dark": lambda: d.ObstructionDisplay.from_data(*clouds(40, 0.6)).plot(theme="dark"),
}


def minor_version():
    """matplotlib's version, without the last number."""
    import matplotlib as mpl

    return ".".join(mpl.__version__.split(".")[:2])


def pixels(figure):
    """(h, w, 3): a figure as matplotlib's Agg draws it."""
    figure.set_dpi(DPI)
    figure.canvas.draw()
    return np.asarray(figure.canvas.buffer_rgba())[:, :, :3].copy()


def bare(figure):
    """The figure without text and legends, its axes in fixed places."""
    figure.set_layout_engine("none")
    figure.set_size_inches(3.0, 3.0)
    for legend in [*figure.legends, *(ax.get_legend() for ax in figure.axes)]:
        if legend is not None:
            legend.remove()
    columns = int(np.ceil(np.sqrt(len(figure.axes))))
    for i, ax in enumerate(figure.axes):
        size = 1.0 / columns
        ax.set_position((i % columns * size, 1.0 - size - i // columns * size, size, size))
        ax.tick_params(which="both", labelbottom=False, labelleft=False)
    for text in figure.findobj(Text):
        text.set_text("")  # of an arrow only the label, not the arrow
    return figure


def difference(a, b):
    """The root of the mean squared difference of two pictures, in steps of 255."""
    if a.shape != b.shape:
        return np.inf
    return float(np.sqrt(np.mean((a.astype(float) - b.astype(float)) ** 2)))


def main():
    import matplotlib as mpl
    import matplotlib.pyplot as plt

    mpl.rcdefaults()
    mpl.use("Agg")
    BARE.mkdir(parents=True, exist_ok=True)
    (BASELINE / "matplotlib.txt").write_text(minor_version() + "\n")
    for name, make in PICTURES.items():
        figure = make().figure_
        Image.fromarray(pixels(figure)).save(BASELINE / f"{name}.png", optimize=True)
        Image.fromarray(pixels(bare(figure))).save(BARE / f"{name}.png", optimize=True)
        plt.close("all")


if __name__ == "__main__":
    main()
