"""Checking one function, by a call or as tests of pytest."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from novikoff._messages import Message, Setting
from novikoff.teaching.calling import ask, caught, described
from novikoff.teaching.comparing import Finding, Subject, explains, found_on
from novikoff.teaching.diagnosis import Diagnosis, diagnose
from novikoff.teaching.points import Points, default_points, more_points, own_points
from novikoff.teaching.reference import Slip
from novikoff.teaching.task import Task, task_of
from novikoff.teaching.texts import texts
from novikoff.teaching.verdict import Verdict

# What these return depends on how many epochs there were, converged or not.
_NEEDS_EPOCHS = ("averaged", "voted", "pocket", "pa")
_IN_ORDER = Slip(order="cyclic")


class Function:
    """A function or class that is trusted: it runs in this process."""

    def __init__(self, function: Callable[..., Any], task: Task) -> None:
        self._called, self._manner = function, task.manner
        self.name = self.function = str(getattr(function, "__name__", type(function).__name__))

    def describe(self) -> dict[str, Any]:
        return caught(lambda: described(self._called, self._manner))

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        return ask(self._called, question, self._manner)


def check(
    function: Callable[..., Any],
    points: Any = None,
    *,
    ties: str = "mistake",
    order: str = "cyclic",
    fit_intercept: bool = True,
    start: Any = None,
    kind: str = "perceptron",
    returns: str | None = None,
    margin: float | None = None,
    C: float = 1,
    degree: int = 2,
    epochs: int | None = None,
    data: str = "rows",
    labels: tuple[int, int] = (-1, 1),
    lists: bool = False,
    language: str = "en",
) -> Verdict:
    """Check a student's function, and say which mistake it makes.

    The function is called on small point sets, in this process; for code that you do not trust use
    ``novikoff grade``. What its parameters mean is taken from their names, and said: the first two
    are X and y; T (or epochs, max_iter, ...) is the number of epochs; a callback is told of every
    update; seed, start, margin, C, kernel, orders (the rows to visit in each epoch) and X_test are
    passed where they are asked for. It may also be a generator that yields every hypothesis, or a
    class with fit, and predict or attributes such as theta and theta_0.

    Parameters
    ----------
    function : callable
    points : optional
        Your own points instead of ours: (X, y), a list of such pairs, a dict of them by name, or
        paths of CSV files.
    ties : {"mistake", "sign", "correct"}
    order : {"cyclic", "shuffled", "random"}
        With a random order the result must be one that some order gives.
    fit_intercept : bool
        Whether there is an offset.
    start : optional
        theta, or (theta, offset), if not zero.
    kind : {"perceptron", "averaged", "voted", "pocket", "margin", "kernel", "pa"}
        What is asked for, as the library has it; see the conventions.
    returns : optional
        What the function returns: "theta, theta_0" (with an offset, if nothing is said), "theta"
        (without), "theta_0, theta", one vector with "theta_0 first" or "theta_0 last", "votes" (a
        list of (theta, theta_0, c); voted), "alpha" or "signed alpha" (kernel), "predictions" (of
        X_test), "updates" (a list of hypotheses).
    margin : float, optional
        The threshold of kind="margin", 1 if not said.
    C : float
        Of kind="pa", PA-I.
    degree : int
        Of kind="kernel", whose kernel is (1 + a·b)^degree.
    epochs : int, optional
        How many epochs a function without a parameter T runs. If not said, it runs until an epoch
        makes no mistake.
    data : {"rows", "columns"}
        Whether X is (n, d) or (d, n).
    labels : (-1, 1) or (0, 1)
    lists : bool
        Whether X and y are lists; otherwise they are numpy arrays.
    language : str
        Of what is said: the name of a file of texts, or the path of one.

    Returns
    -------
    Verdict

    Examples
    --------
    >>> import numpy as np
    >>> from novikoff.teaching import check
    >>> def perceptron(X, y, T):
    ...     theta, theta_0 = np.zeros(X.shape[1]), 0
    ...     for _ in range(T):
    ...         for i in range(len(X)):
    ...             if y[i] * (theta @ X[i] + theta_0) <= 0:
    ...                 theta, theta_0 = theta + y[i] * X[i], theta_0 + 1
    ...     return theta, theta_0
    >>> verdict = check(perceptron)
    >>> verdict.right, verdict.mistakes
    (False, ('offset-without-y',))
    """
    task = task_of(
        ties=ties, order=order, fit_intercept=fit_intercept, start=start, kind=kind,
        returns=returns, margin=margin, C=C, degree=degree, epochs=epochs, data=data,
        labels=labels, lists=lists,
    )  # fmt: skip
    return judge(Function(function, task), task, points, language)


def form_of(subject: Subject, task: Task, about: dict[str, Any]) -> dict[str, bool]:
    """Whether a subject, which said this `about` itself, is told T, and whether it predicts."""
    told = bool({"T", "params", "orders"} & set(about["roles"].values()))
    if not told and task.epochs is None and (task.kind in _NEEDS_EPOCHS or task.order != "cyclic"):
        raise ValueError(
            Message(
                f"{subject.function} has no parameter for T, and its result depends on it: say ",
                Setting("epochs"), ".",
            )
        )  # fmt: skip
    return {"epochs": told, "predicts": about["predicts"]}


def sets_for(task: Task, given: Any, form: dict[str, bool]) -> list[Points]:
    """The point sets of a check, one at least: a teacher's own, or ours."""
    if given is not None:
        return own_points(given, task, **form)
    known = default_points(task, **form)
    if not known:
        size = len(task.start[0]) if task.start is not None else 0
        raise ValueError(
            Message(
                Setting("start"), f" is theta of length {size} and, if there is one, the offset; "
                "our points have 2 or 3 features: give your own ", Setting("points"), ".",
            )
        )  # fmt: skip
    return known


def judge(subject: Subject, task: Task, points: Any = None, language: str = "en") -> Verdict:
    """The verdict on whoever answers."""
    texts(language)  # refuses one that there is not, before anybody works
    about = subject.describe()
    who: dict[str, Any] = {
        "name": subject.name, "function": subject.function, "task": task, "language": language
    }  # fmt: skip
    if "error" in about:
        return Verdict(**who, problem=about["error"])
    form = form_of(subject, task, about)
    findings = _findings(task, sets_for(task, points, form), subject)
    changed = any(answer.get("changed") for f in findings for answer in f.answers)
    diagnosis = None
    if changed or not all(f.right for f in findings):
        known = findings
        if points is not None:  # which mistake it is shows better on ours
            known += _findings(task, default_points(task, **form), subject)
        diagnosis = diagnose(task, known, subject, partial(more_points, task, **form))
    elif task.order != "cyclic" and all(explains(task, f, _IN_ORDER) for f in findings):
        diagnosis = Diagnosis(("not-shuffled",), None)  # chance does not do that
    seen: dict[str, str] = next(
        (a["roles"] for f in findings for a in f.answers if "roles" in a), {}
    )
    roles = {**about["roles"], **seen}
    return Verdict(**who, findings=findings, diagnosis=diagnosis, roles=roles)


def _findings(task: Task, sets: list[Points], subject: Subject) -> tuple[Finding, ...]:
    """What it answers; once it is gone, nothing more is asked."""
    found: list[Finding] = []
    for points in sets:
        found.append(found_on(task, points, subject))
        if any("gone" in answer for answer in found[-1].answers):
            break
    return tuple(found)


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
        wrong = [label for label, right in found.results() if not right]
        if points in wrong or (not wrong and not found.right):
            pytest.fail(str(found), pytrace=False)

    return test
