"""One comparison of two estimators on the same rows."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from sklearn.base import clone
from sklearn.linear_model import Perceptron as TheirPerceptron
from sklearn.linear_model import SGDClassifier

import novikoff
from benchmarks.lines import Line, versus
from benchmarks.sets import Rows
from benchmarks.timing import Clock, in_turns

EPOCHS = 10
Run = Callable[[], Any]


def last(order: str = "cyclic", multi_class: str = "ovr", **more: Any) -> Any:
    return novikoff.Perceptron(order=order, multi_class=multi_class, max_iter=EPOCHS, **more)


def averaged(**more: Any) -> Any:
    return novikoff.AveragedPerceptron(order="cyclic", multi_class="ovr", max_iter=EPOCHS, **more)


def their_last(shuffle: bool = False) -> Any:
    return TheirPerceptron(shuffle=shuffle, tol=None, max_iter=EPOCHS)


def their_average() -> Any:
    return SGDClassifier(
        loss="perceptron", penalty=None, learning_rate="constant", eta0=1.0, average=True,
        shuffle=False, tol=None, max_iter=EPOCHS,
    )  # fmt: skip


def fit(model: Any, X: Any, y: Any) -> Run:
    return partial(model.fit, X, y)


def predict(model: Any, X: Any, y: Any) -> Run:
    return partial(model.fit(X, y).predict, X)


def decide(model: Any, X: Any, y: Any) -> Run:
    return partial(model.fit(X, y).decision_function, X)


def whole(model: Any, X: Any, y: Any) -> Run:
    """What a first look at data is made of."""

    def run() -> None:
        model.fit(X, y).predict(X)
        model.score(X, y)

    return run


@dataclass(frozen=True)
class Work:
    """A line of the table.

    data : makes the rows
    ours, theirs : what is compared
    required : how many times as fast ours has to be
    does : what is timed, made of an estimator and rows
    clock : CPU seconds, but for what runs on several threads
    """

    name: str
    data: Callable[[], Rows]
    ours: Any
    theirs: Any
    required: float | None
    does: Callable[[Any, Any, Any], Run] = fit
    clock: Clock = time.process_time

    def measured(self, repeat: int) -> Line:
        """Ours and theirs in turns, after one of ours that compiles."""
        X, y = self.data()
        model, peer = clone(self.ours), clone(self.theirs)
        mine = self.does(model, X, y)
        mine()
        times = in_turns(mine, self.does(peer, X, y), repeat=repeat, clock=self.clock)
        line = versus(self.against, self.required, times)
        if self.does is fit:
            size = X.data.nbytes + X.indices.nbytes if hasattr(X, "indices") else X.nbytes
            line["bytes_per_second"] = size * model.n_iter_ / line["seconds"]
        return {**line, "counted": self.is_foreign}

    @property
    def is_foreign(self) -> bool:
        return not type(self.theirs).__module__.startswith("novikoff")

    @property
    def against(self) -> str:
        return type(self.theirs).__name__ if self.is_foreign else "our own, one thread"
