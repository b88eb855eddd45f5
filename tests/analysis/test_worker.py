"""Answers from another process, and an end to waiting."""

import numpy as np

from novikoff import max_margin
from novikoff.analysis import settle
from novikoff.analysis.worker import Worker

SQUARE = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])


def test_it_finds_what_the_library_finds():
    with Worker() as worker:
        worker.prepare(settle.MODULE, sparse=False)
        found = settle.settle(
            worker, SQUARE, np.array([0, 1, 1, 1]), fit_intercept=True, separable=False, seconds=60
        )
    assert found.separable is True
    assert found.margin == max_margin(SQUARE, [0, 1, 1, 1]).margin


def test_a_class_that_cannot_be_separated_is_named():
    with Worker() as worker:
        worker.prepare(settle.MODULE, sparse=False)
        found = settle.settle(
            worker, SQUARE, np.array(["a", "a", "b", "b"]), fit_intercept=True, separable=False,
            seconds=60,
        )  # fmt: skip
    assert (found.separable, found.obstructed) == (False, "b")


def test_waiting_ends_and_failures_are_told():
    with Worker() as worker:
        worker.prepare("time", sparse=False)  # a module without get_ready
        list(worker.answers(60))
        assert worker.error is not None
        worker.ask("no.such.module", SQUARE, np.arange(4), seconds=1)
        assert list(worker.answers(0.0)) == []
        assert not worker.finished
