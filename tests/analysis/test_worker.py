"""Answers from another process, and an end to waiting."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from novikoff import max_margin
from novikoff.analysis import settle
from novikoff.analysis.worker import Here, Worker

ANSWERING = "tests.analysis.answering"
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
        assert not worker.ready(60)
        assert (worker.status, worker.error[:14]) == ("failed", "AttributeError")
        worker.ask("no.such.module", SQUARE, np.arange(4), seconds=1)
        assert list(worker.answers(0.0)) == []
        assert worker.status == "late"


@pytest.fixture
def asked(monkeypatch):
    """Ask a process of its own; what it says, and how that ended."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))

    def ask(what, **question):
        worker.ask(ANSWERING, SQUARE, np.arange(4), seconds=60, what=what, **question)
        return list(worker.answers(60)), worker.status, worker.error

    with Worker() as worker:
        ask.worker = worker
        yield ask


def test_an_answer_comes_back_as_it_is(asked):
    """Large, with what JSON writes in two ways."""
    text = '["ä\n\u2028\\u00e4' + "1.0, " * 100_000
    assert asked("echo", text=text) == ([{"heard": text}], "done", "")


def test_what_is_printed_is_no_answer(asked):
    assert asked("print") == ([{"found": 1}], "done", "")


def test_a_bug_does_not_end_the_process(asked):
    assert asked("fail") == ([{"found": 1}], "failed", "ZeroDivisionError: a bug: ä\n")
    assert asked("echo", text="") == ([{"heard": ""}], "done", "")


def test_what_it_was_saying_when_it_died_is_no_answer(asked):
    died = "failed", "the worker has died"
    assert asked("die") == ([{"found": 1}], *died)
    assert asked("echo", text="") == ([], *died)


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent otherwise there")
def test_it_does_not_hear_an_interrupt(asked):
    """Neither while Python is starting nor later."""
    process = asked.worker._process
    process.send_signal(signal.SIGINT)
    assert asked("echo", text="") == ([{"heard": ""}], "done", "")
    process.send_signal(signal.SIGINT)
    assert asked("echo", text="") == ([{"heard": ""}], "done", "")


@pytest.mark.skipif(not hasattr(signal, "alarm"), reason="there are no alarms")
def test_an_alarm_ends_an_answer_that_is_slow_and_no_process_that_waits(asked):
    asked("echo", text="")
    asked.worker.prepare(ANSWERING)
    assert asked.worker.ready(60)
    ((found,), *_) = asked("alarms")
    assert found["idle"] == [0.0]
    assert found["now"] > 60


ORPHAN = """
import os, sys
import numpy as np
from novikoff.analysis.worker import Worker
worker = Worker()
X, y = np.zeros((2, 1)), np.arange(2)
worker.ask("tests.analysis.answering", X, y, seconds=60, what="echo", text="")
assert worker.ready(60)
if sys.argv[1:]:
    worker.ask("tests.analysis.answering", X, y, seconds=60, what="slow")
os._exit(7)
"""


@pytest.mark.parametrize("busy", [(), ("busy",)])
def test_it_ends_when_whoever_asked_has_died(busy):
    """Waiting or computing. It holds the other end of standard error, which ends with it."""
    done = subprocess.run(
        [sys.executable, "-c", ORPHAN, *busy], stderr=subprocess.PIPE, check=False, timeout=50,
        cwd=Path(__file__).parents[2], env={**os.environ, "NOVIKOFF_DEBUG": "1"},
    )  # fmt: skip
    assert done.returncode == 7


def test_what_is_asked_here_is_answered_in_the_order_of_asking():
    who = Here()
    for text in ("first", "second"):
        who.ask(ANSWERING, SQUARE, [0, 1, 1, 1], seconds=9.0, what="echo", text=text)
    assert list(who.answers(9.0)) == [{"heard": "first"}]
    assert list(who.answers(9.0)) == [{"heard": "second"}]
    assert who.status == "done"
