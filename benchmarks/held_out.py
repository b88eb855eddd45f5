"""The time to be as right on new rows as a model that minimises a convex loss.

Ours is the averaged perceptron, for as few epochs as reach the other's error on rows that neither
has seen. Reported, not required.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from benchmarks import sets
from benchmarks.lines import Line, versus
from benchmarks.timing import in_turns
from novikoff import AveragedPerceptron

EPOCHS = (1, 2, 3, 5, 8, 13, 21, 34, 55)


def tasks(repeat: int) -> dict[str, Callable[[], Line]]:
    """What is measured, in `repeat` turns each."""
    return {
        f"to the error of {type(theirs).__name__}, {name}": partial(to_error, name, theirs, repeat)
        for name in ("a9a", "IMDB tf-idf", "covtype")
        for theirs in (LogisticRegression(), LinearSVC())
    }


def to_error(name: str, theirs: Any, repeat: int) -> Line:
    X, y, X_test, y_test = sets.split(name)
    target = theirs.fit(X, y).score(X_test, y_test)
    reached, found = 0, 0.0
    for n in EPOCHS:
        ours = AveragedPerceptron(max_iter=n).fit(X, y)
        reached, found = max((reached, found), (n, ours.score(X_test, y_test)), key=lambda r: r[1])
        if found >= target:
            break
    ours = AveragedPerceptron(max_iter=reached)
    times = in_turns(partial(ours.fit, X, y), partial(theirs.fit, X, y), repeat=repeat)
    against = f"{100 * (1 - target):.1f} %"
    if found < target:
        against += f", not reached: {100 * (1 - found):.1f} %"
    return versus(against, None, times)
