"""Checks as tests of pytest, one for each point set."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from novikoff.teaching.checking import Function, check, form_of, sets_for
from novikoff.teaching.show import results
from novikoff.teaching.task import task_of


def exercise(function: Callable[..., Any], points: Any = None, **asked: Any) -> Any:
    """A test of pytest for a function, with a case for each point set.

    The function is called when the tests run, not when they are collected.

    Parameters
    ----------
    function, points, **asked
        As for :func:`novikoff.teaching.check`.

    Examples
    --------
    In a file ``test_perceptron.py``::

        from novikoff.teaching import exercise
        from solution import perceptron

        test_perceptron = exercise(perceptron, ties="mistake")

    A case that fails says which mistake it is.
    """
    import pytest

    task = task_of(**{key: value for key, value in asked.items() if key != "language"})
    subject = Function(function, task)
    about = subject.describe()
    known = []
    if "error" not in about:
        known = sets_for(task, points, form_of(subject, task, about))
    labels = list(dict.fromkeys(p.label for p in known)) or [subject.function]

    @cache
    def verdict() -> Any:
        return check(function, points, **asked)

    @pytest.mark.parametrize("points", labels)
    def test(points: str) -> None:
        found = verdict()
        wrong = [label for label, right in results(found) if not right]
        if points in wrong or (not wrong and not found.right):
            pytest.fail(str(found), pytrace=False)

    return test
