"""Asking about points, and comparing what was given with what the reference gives."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, Protocol

from novikoff.teaching.points import Points
from novikoff.teaching.reference import RIGHT, Run, Slip, Update, outcomes
from novikoff.teaching.task import Number, Task, exact

CLOSE = Fraction(1, 10**9)  # a student's doubles are closer than that to what they stand for
SEEDS = 4  # calls per point set where the order is random


class Subject(Protocol):
    """Whoever answers: a function in this process, or a submission in another."""

    name: str
    function: str

    def describe(self) -> dict[str, Any]:
        """{"roles", "predicts"}, or {"error"} where it cannot be called."""

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """What the function gave; {"error"} if it gave nothing."""


@dataclass(frozen=True)
class Finding:
    """The answers to one point set, beside what is right."""

    points: Points
    answers: tuple[dict[str, Any], ...]
    right: bool

    @property
    def error(self) -> str | None:
        """Why there was no answer."""
        return next((a["error"] for a in self.answers if "error" in a), None)


# ---------------------------------------------------------------------------- questions


def question_of(task: Task, points: Points, seed: int = 0) -> dict[str, Any]:
    """What is asked, as JSON can hold it."""
    orders = None
    if task.order != "cyclic" and points.epochs is not None:
        orders = _orders(task.order, len(points.y), points.epochs, seed)
    start = None
    if task.start is not None:
        start = [[_plain(a) for a in task.start[0]], _plain(task.start[1])]
    return {
        "X": [[_plain(a) for a in row] for row in points.X], "y": list(points.y),
        "T": points.epochs, "test": [[_plain(a) for a in row] for row in points.test],
        "seed": seed, "orders": orders, "start": start, "degree": task.degree,
        "margin": _plain(task.margin) if task.margin else None,
        "C": _plain(task.C) if task.kind == "pa" else None,
    }  # fmt: skip


def _plain(number: Number) -> int | float:
    return number if isinstance(number, int) else float(number)


def _orders(order: str, n: int, epochs: int, seed: int) -> list[list[int]]:
    generator = random.Random(seed)
    if order == "shuffled":
        return [generator.sample(range(n), n) for _ in range(epochs)]
    return [[generator.randrange(n) for _ in range(n)] for _ in range(epochs)]


def questions(task: Task, points: Points) -> list[dict[str, Any]]:
    return [question_of(task, points, s) for s in range(1 if task.order == "cyclic" else SEEDS)]


# --------------------------------------------------------------------------- comparison


@lru_cache(maxsize=8192)
def runs_on(
    task: Task,
    points: Points,
    slip: Slip = RIGHT,
    orders: tuple[tuple[int, ...], ...] | None = None,
) -> tuple[Run, ...] | None:
    """What the reference may give; None if that is too much to say."""
    found = outcomes(task, points.X, points.y, points.epochs, slip, points.test, orders)
    return None if found is None else tuple(found)


def close(a: Any, b: Any) -> bool:
    """Whether a number that a function gave is the right one."""
    return bool(abs(exact(a) - b) <= CLOSE * max(1, abs(b)))


def all_close(a: Sequence[Any], b: Sequence[Number]) -> bool:
    return len(a) == len(b) and all(map(close, a, b))


def agrees(answer: dict[str, Any], run: Run) -> bool:
    """Whether everything that the function gave is what the run gives."""
    if "error" in answer:
        return False
    pairs: list[tuple[Sequence[Any], Sequence[Number]]] = []
    if "theta" in answer:
        pairs.append((answer["theta"], run.theta))
        if answer["offset"] is not None:
            pairs.append(([answer["offset"]], [run.offset]))
    pairs += [
        (answer[name], getattr(run, name)) for name in ("alpha", "predictions") if name in answer
    ]
    if "updates" in answer:
        told = [[*t, *([] if o is None else [o])] for t, o in answer["updates"]]
        if len(told) != len(run.updates):
            return False
        pairs += [(t, hypothesis(u)[: len(t)]) for t, u in zip(told, run.updates, strict=True)]
    if "votes" in answer:
        # A hypothesis that survived nothing has no vote; whether it is listed does not matter.
        yours = [v for v in answer["votes"] if v[2] != 0]
        ours = [v for v in run.votes if v[2] != 0]
        if len(yours) != len(ours):
            return False
        pairs += [
            ([*t, o, c], [*u, p, e]) for (t, o, c), (u, p, e) in zip(yours, ours, strict=True)
        ]
    return all(all_close(a, b) for a, b in pairs)


def hypothesis(update: Update) -> list[Number]:
    """theta and the offset after an update."""
    return [*update.theta, update.offset]


def explains(task: Task, finding: Finding, slip: Slip) -> bool | None:
    """Whether a run with the slip gives these answers; None where it does not say what it gives."""
    for question, answer in zip(questions(task, finding.points), finding.answers, strict=True):
        given = "orders" in answer.get("roles", {}).values()
        orders = tuple(map(tuple, question["orders"])) if given else None
        runs = runs_on(task, finding.points, slip, orders)
        if runs is None:
            return None
        if not any(agrees(answer, run) for run in runs):
            return False
    return True


def found_on(task: Task, points: Points, subject: Subject) -> Finding:
    """Ask about one point set."""
    answers = tuple(subject.ask(question) for question in questions(task, points))
    bare = Finding(points, answers, False)
    right = explains(task, bare, RIGHT)
    if not right and not points.exact and points.epochs is not None:
        right = _right_with(float, task, bare) or _right_with(_as_written, task, bare)
    return replace(bare, right=bool(right))


def _right_with(read: Callable[[Number], Any], task: Task, finding: Finding) -> bool:
    """Where numbers are no integers, an honest loop in doubles may round what is exact here.

    And one in fractions may take 0.1 for a tenth, where here it is the double next to it.
    """
    rows: Any = tuple(tuple(read(a) for a in row) for row in finding.points.X)
    other = replace(finding, points=replace(finding.points, X=rows))
    return bool(explains(task, other, RIGHT))


def _as_written(number: Number) -> Number:
    return exact(repr(float(number)))
