"""A limit on the time: what is known is told, nothing is claimed that is not proved."""

from __future__ import annotations

import os
import signal
import threading
import time

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning

from novikoff import CertificateError, max_margin, mistake_bound, separability
from novikoff.certificates import Separability, clock
from novikoff.certificates.clock import Clock, OutOfTime


def hard(n=6000, d=1500):
    """Sparse rows with labels drawn by lot."""
    random = np.random.RandomState(0)
    X = sp.random_array((n, d), density=0.01, random_state=random, format="csr")
    return X, random.randint(0, 2, n)


def test_an_answer_that_takes_too_long_is_undecided_and_says_so():
    X, y = hard()
    separability(X[:50], y[:50])  # compiles
    began = time.monotonic()
    result = separability(X, y, time_limit=1.0)
    assert time.monotonic() - began < 60.0  # one step more, on a busy machine; an answer takes more
    assert result.verdict == "undecided"
    assert "time limit of 1 s" in result.so_far
    with pytest.raises(CertificateError, match="undecided"):
        result.verify(X, y)
    with pytest.raises(CertificateError, match="digest"):
        result.verify(X, 1 - y)
    again = Separability.from_json(result.to_json())
    assert (again.verdict, again.so_far) == (result.verdict, result.so_far)


def test_what_is_known_of_the_margin_when_the_time_is_up():
    X, y = hard()
    with pytest.warns(ConvergenceWarning, match="time limit"):
        widest = max_margin(X, y, time_limit=0.5)
    assert widest.margin == 0.0
    assert 0.0 < widest.upper_bound < np.inf
    with pytest.raises(CertificateError, match="undecided"):
        widest.verify(X, y)
    with pytest.warns(ConvergenceWarning, match="time limit"):
        bound = mistake_bound(X, y, time_limit=0.5)
    assert bound.value == np.inf
    assert 1.0 < bound.at_least < np.inf


def test_the_bound_is_between_its_ends():
    X, y = np.array([[4.0, 3.0], [-4.0, 3.0], [1.0, 9.0]]), [1, 0, 1]
    bound = mistake_bound(X, y)
    assert bound.at_least <= bound.value <= bound.at_least * (1 + 1e-5)
    assert mistake_bound([[0.0], [1.0], [2.0]], [0, 1, 0]).at_least == np.inf


def test_steps_are_announced_if_asked_for(capsys):
    X, y = [[0.0], [1.0], [2.0]], [0, 1, 0]
    separability(X, y)
    assert capsys.readouterr().out == ""
    separability(X, y, verbose=1)
    assert "perceptron" in capsys.readouterr().out
    max_margin([[0.0], [1.0]], [0, 1], verbose=1)
    assert "nearest points" in capsys.readouterr().out


def test_enough_time_changes_nothing():
    random = np.random.RandomState(0)
    X, y = random.standard_normal((200, 3)), random.randint(0, 2, 200)
    assert separability(X, y, core=True, time_limit=600.0).to_json() == (
        separability(X, y, core=True).to_json()
    )


@pytest.mark.parametrize("limit", [0, -1.0, "1", True, np.nan])
def test_what_is_no_limit_is_refused(limit):
    for ask in (separability, max_margin, mistake_bound):
        with pytest.raises(ValueError, match="the limit is a positive number"):
            ask([[0.0], [1.0]], [0, 1], time_limit=limit)


@pytest.mark.skipif(not clock._can_copy(), reason="a process cannot be copied here")
class TestApart:
    """Steps in native code."""

    def test_it_answers_as_if_it_were_taken_here(self):
        assert Clock().apart(clock.LONG, sum, [1, 2, 3]) == 6
        with pytest.raises(ZeroDivisionError):
            Clock().apart(clock.LONG, divmod, 1, 0)

    def test_the_limit_ends_it(self):
        began = time.monotonic()
        with pytest.raises(OutOfTime):
            Clock(0.2).apart(clock.LONG, time.sleep, 60)
        assert time.monotonic() - began < 30

    def test_an_interrupt_ends_it(self):
        # Where this runs in the background of a shell, interrupts are ignored.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        began = time.monotonic()
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            Clock().apart(clock.LONG, time.sleep, 60)
        assert time.monotonic() - began < 30
        signal.signal(signal.SIGINT, before)

    def test_a_copy_that_dies_is_noticed(self):
        with pytest.raises(MemoryError, match="ended by the system"):
            Clock().apart(clock.LONG, os._exit, 1)
