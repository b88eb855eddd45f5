"""Data that the tests of the displays share."""

import numpy as np

from novikoff import Perceptron


def clouds(n, gap=2.4, seed=1):
    """Two round clouds of n rows together, `gap` to either side of (1, 1); labels 0 and 1."""
    random = np.random.RandomState(seed)
    y = np.arange(n) % 2
    return random.randn(n, 2) + np.where(y[:, None] == 1, gap, -gap) * [1.0, 0.6] + 1.0, y


def fan(n, gap=0.12, seed=4):
    """n rows that a line through the origin separates, none within `gap` radians of it."""
    random = np.random.RandomState(seed)
    y = np.arange(n) % 2
    angle = random.uniform(gap, np.pi - gap, n) + np.pi * (1 - y)
    return np.column_stack([np.cos(angle), np.sin(angle)]) * random.uniform(0.6, 3.0, n)[:, None], y


def traced(X, y, **parameters):
    """The trace of a perceptron in row order."""
    parameters = {"order": "cyclic", "max_iter": 10_000, **parameters}
    return Perceptron(record_trace=True, **parameters).fit(X, y).trace_


def on_screen(ax, points):
    """Where points of the data are, in pixels."""
    ax.figure.draw_without_rendering()
    return ax.transData.transform(np.asarray(points, float))


def arrow_ends(artist):
    """The foot and the tip of an arrow, in data coordinates."""
    return np.array([artist.xyann, artist.xy])
