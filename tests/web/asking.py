"""Questions about runs, and points to ask them about."""

from __future__ import annotations

import numpy as np

from novikoff.web.answers import run_answer
from novikoff.web.questions import Point, RunQuestion, Settings

ALGORITHMS = ("last", "averaged", "voted", "pocket", "margin", "kernel")


def ask(points, **settings):
    return run_answer(RunQuestion(points=points, settings=Settings(**settings)))


def points_of(X, y):
    return [
        Point(x=x, y=z, label=label) for (x, z), label in zip(X.tolist(), y.tolist(), strict=True)
    ]


def arrays_of(points):
    return np.array([(p.x, p.y) for p in points]), np.array([p.label for p in points])


def overlapping(n, seed=0):
    random = np.random.RandomState(seed)
    X = random.randn(n, 2).round(2)
    return points_of(X, np.where(X[:, 0] + random.randn(n) > 0, 1, -1))
