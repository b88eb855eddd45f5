"""The family: what an update and a row without one cost, river's rules, and Sigma in full."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.datasets import load_svmlight_file

from benchmarks import data, sets
from benchmarks.lines import Line, at_most, versus
from benchmarks.timing import in_turns
from novikoff import OnlineClassifier, Perceptron, rules

ROWS = 10_000  # that river learns from
_TIMES = 20  # as many turns: what an update costs is a small difference of times
PEERS = {
    "PA-I": ("PAClassifier", rules.PassiveAggressive()),
    "ALMA": ("ALMAClassifier", rules.ALMA()),
}


def tasks(repeat: int) -> dict[str, Callable[[], Line]]:
    """What is measured, in `repeat` turns each."""
    aggressive, arow = rules.PassiveAggressive(), rules.AROW()
    return {
        "PA, an update, IMDB float32": partial(update, aggressive, 2.0, repeat),
        "PA, a row without one": partial(quiet, aggressive, repeat),
        "AROW, diagonal, an update, IMDB float32": partial(update, arow, 3.0, repeat),
        "AROW, diagonal, a row without one": partial(quiet, arow, repeat),
        "AROW, full, ijcnn1": partial(full_covariance, repeat),
        **{
            f"{rule}, 10 000 rows of {name}": partial(of_river, name, *theirs, repeat)
            for name in ("a9a", "IMDB", "MNIST")
            for rule, theirs in PEERS.items()
        },
    }


def one_epoch(rule: rules.Rule, **more: Any) -> OnlineClassifier:
    return OnlineClassifier(rule, order="cyclic", max_iter=1, **more)


@cache
def contented() -> tuple[Any, np.ndarray, dict[str, np.ndarray]]:
    """Rows of IMDB, and a start under which none of them asks for an update."""
    X, y, *_ = sets.split("IMDB")
    clf = Perceptron(max_iter=30).fit(X, y)
    margins = np.where(y == clf.classes_[1], 1, -1) * clf.decision_function(X)
    X, y = X[margins > 0], y[margins > 0]
    scale = 1e3 / margins[margins > 0].min()
    return X, y, {"coef_init": scale * clf.coef_, "intercept_init": scale * clf.intercept_}


@cache
def quiet_and_learning(rule: rules.Rule, repeat: int) -> np.ndarray:
    """(turns, 4): seconds of an epoch in which no row asks; and those of an update.

    Of the rule, then of the perceptron. An update costs what an epoch from zero takes longer.
    """
    X, y, start = contented()
    models = [one_epoch(rule), one_epoch(rules.Perceptron())]
    runs = [
        run
        for model in models
        for run in (partial(model.fit, X, y, **start), partial(model.fit, X, y))
    ]
    counts = []
    for model in models:
        counts += [model.fit(X, y, **start).n_updates_[0], model.fit(X, y).n_updates_[0]]
    assert counts[0] == counts[2] == 0
    times = in_turns(*runs, repeat=_TIMES * repeat)
    each = (times[:, 1::2] - times[:, ::2]) / counts[1::2]
    return np.column_stack([times[:, 0], each[:, 0], times[:, 2], each[:, 1]])


def update(rule: rules.Rule, limit: float, repeat: int) -> Line:
    times = quiet_and_learning(rule, repeat)
    return at_most("a perceptron's update", limit, float(np.median(times[:, 1] / times[:, 3])))


def quiet(rule: rules.Rule, repeat: int) -> Line:
    times = quiet_and_learning(rule, repeat)
    return at_most("a perceptron's row", 1.1, float(np.median(times[:, 0] / times[:, 2])))


def of_river(name: str, peer: str, rule: rules.Rule, repeat: int) -> Line:
    """One pass over the rows; river takes them as dicts, which are made beforehand."""
    from river import linear_model

    X, y = sets.eight() if name == "MNIST" else sets.split(name)[:2]
    X, y = X[:ROWS], y[:ROWS] > 0
    records = [
        dict(zip(row.indices.tolist(), row.data.tolist(), strict=True))
        for row in map(sp.csr_matrix(X).getrow, range(ROWS))
    ]
    labels = y.tolist()

    def theirs() -> None:
        model = getattr(linear_model, peer)()
        for record, label in zip(records, labels, strict=True):
            model.learn_one(record, label)

    ours = partial(one_epoch(rule).fit, X, y)
    ours()
    return versus(f"river's {peer}", 100.0, in_turns(ours, theirs, repeat=repeat))


def full_covariance(repeat: int) -> Line:
    """22 features: both are one pass over the rows, ours with every product rounded once."""
    X, y = load_svmlight_file(str(data.FOLDER / "libsvm" / "ijcnn1.trn.bz2"))
    X = X.toarray()
    ours = partial(one_epoch(rules.AROW(covariance="full"), fit_intercept=False).fit, X, y)
    ours()
    times = in_turns(ours, partial(numpy_arow, X, y), repeat=min(repeat, 3))
    return at_most("a loop in numpy", 3.0, float(np.median(times[:, 0] / times[:, 1])))


def numpy_arow(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    theta, sigma = np.zeros(X.shape[1]), np.eye(X.shape[1])
    for x, side in zip(X, y, strict=True):
        m = side * (theta @ x)
        if m < 1.0:
            u = sigma @ x
            beta = 1.0 / (x @ u + 1.0)
            theta += (1.0 - m) * beta * side * u
            sigma -= np.outer(beta * u, u)
    return theta
