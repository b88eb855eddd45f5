"""What a function did, compared with what is right; and which mistake explains it.

A *subject* answers questions about points (:mod:`novikoff.teaching.subjects`). Its answers are
compared with the outcomes of the reference run: of the right one first, then of every way to write
every mistake of the catalogue. What explains all answers is a candidate. Several candidates are
told apart by asking once more, on points where they differ.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from itertools import zip_longest
from typing import Any, Protocol

from novikoff.teaching.catalogue import CHANGES_DATA, ways
from novikoff.teaching.points import Points, more_points
from novikoff.teaching.reference import RIGHT, Run, Slip, Update, outcomes
from novikoff.teaching.task import Number, Task, exact

CLOSE = Fraction(1, 10**9)  # a student's doubles are closer than that to what they stand for
SEEDS = 4  # calls per point set where the order is random
MOST_QUESTIONS = 40  # to find the first wrong update
N_ONCE = 20  # point sets, one epoch each, to make sure of a random order
MOST_APART = 300  # point sets that are tried to tell candidates apart


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


@dataclass(frozen=True)
class FirstWrong:
    """The first place where two runs part.

    points : the points of which it is told
    k : the number of the update after which they differ; 0 where the updates do not tell
    yours, expected : that update, None where one makes none
    answer, run : what was given, and what should have been
    walk : all updates of the student's run on `whole`, where they are known
    whole : the set that `points` are the first visits of
    """

    points: Points
    k: int
    yours: Update | None
    expected: Update | None
    answer: dict[str, Any]
    run: Run
    walk: tuple[Update, ...] | None = None
    whole: Points | None = None


@dataclass(frozen=True)
class Diagnosis:
    """Which mistakes explain the answers, and where it shows first.

    apart : the points that were asked to tell candidates apart
    """

    names: tuple[str, ...]
    first: FirstWrong | None
    apart: tuple[Points, ...] = ()
    slips: tuple[Slip, ...] = field(default=(), repr=False)


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
def _runs(
    task: Task, points: Points, slip: Slip, orders: tuple[tuple[int, ...], ...] | None
) -> tuple[Run, ...] | None:
    found = outcomes(task, points.X, points.y, points.epochs, slip, points.test, orders)
    return None if found is None else tuple(found)


def runs_of(
    task: Task, points: Points, answer: dict[str, Any], question: dict[str, Any], slip: Slip = RIGHT
) -> tuple[Run, ...] | None:
    """What the reference may give where `answer` was given; None if that is too much to say."""
    orders = None
    if "orders" in answer.get("roles", {}).values():
        orders = tuple(map(tuple, question["orders"]))
    return _runs(task, points, slip, orders)


def close(a: Any, b: Any) -> bool:
    """Whether a number that a function gave is the right one."""
    return bool(abs(exact(a) - b) <= CLOSE * max(1, abs(b)))


def _all_close(a: Sequence[Any], b: Sequence[Number]) -> bool:
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
        pairs += [(t, _numbers(u)[: len(t)]) for t, u in zip(told, run.updates, strict=True)]
    if "votes" in answer:
        # A hypothesis that survived nothing has no vote; whether it is listed does not matter.
        yours = [v for v in answer["votes"] if v[2] != 0]
        ours = [v for v in run.votes if v[2] != 0]
        if len(yours) != len(ours):
            return False
        pairs += [
            ([*t, o, c], [*u, p, e]) for (t, o, c), (u, p, e) in zip(yours, ours, strict=True)
        ]
    return all(_all_close(a, b) for a, b in pairs)


def _numbers(update: Update) -> list[Number]:
    return [*update.theta, update.offset]


def explains(task: Task, finding: Finding, slip: Slip) -> bool | None:
    """Whether a run with the slip gives these answers; None where it does not say what it gives."""
    for question, answer in zip(questions(task, finding.points), finding.answers, strict=True):
        runs = runs_of(task, finding.points, answer, question, slip)
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
        right = _right_in_doubles(task, bare)
    return replace(bare, right=bool(right))


def _right_in_doubles(task: Task, finding: Finding) -> bool:
    """Where numbers are no integers, an honest loop in doubles may round what is exact here."""
    rows: Any = tuple(tuple(float(a) for a in row) for row in finding.points.X)
    rounded = replace(finding, points=replace(finding.points, X=rows))
    return bool(explains(task, rounded, RIGHT))


# ---------------------------------------------------------------------------- diagnosis


def candidates(task: Task, findings: Sequence[Finding]) -> list[tuple[str, Slip]]:
    """The mistakes, and ways to write them, that explain every answer."""
    found = []
    for name, slip in ways(task):
        said = [explains(task, finding, slip) for finding in findings]
        telling = any(s and not f.right for s, f in zip(said, findings, strict=True))
        if telling and False not in said:
            found.append((name, slip))
    return found


def diagnose(task: Task, findings: Sequence[Finding], subject: Subject) -> Diagnosis:
    """Say what went wrong, given that something did."""
    changed = any(answer.get("changed") for f in findings for answer in f.answers)
    found = candidates(task, findings)
    # A fixed run that explains everything is a better reason than one of many random ones.
    if any(not slip.order for _, slip in found):
        found = [(name, slip) for name, slip in found if not slip.order]
    elif found:  # many orders give many results: ask more before believing it
        once = (replace(p, epochs=1) for p in more_points(task, N_ONCE) if p.epochs is not None)
        more = [found_on(task, points, subject) for points in once]
        found = [(n, s) for n, s in found if all(explains(task, f, s) is not False for f in more)]
    apart: list[Points] = []
    while len({name for name, _ in found}) > 1 and not changed:
        points = _telling_apart(task, found)
        if points is None:
            break
        apart.append(points)
        finding = found_on(task, points, subject)
        found = [(n, s) for n, s in found if explains(task, finding, s) is not False]
    names = [CHANGES_DATA] if changed else []
    names += dict.fromkeys(name for name, _ in found)
    slips = tuple(slip for _, slip in found)
    return Diagnosis(
        tuple(names), _first_wrong(task, findings, slips, subject), tuple(apart), slips
    )


def _telling_apart(task: Task, found: Sequence[tuple[str, Slip]]) -> Points | None:
    """Points on which the first candidate and one of another name give different results."""
    first, slip = found[0]
    for points in more_points(task, MOST_APART):
        ours = _models(_runs(task, points, slip, None), task)
        for name, other in found[1:]:
            if name != first and ours.isdisjoint(_models(_runs(task, points, other, None), task)):
                return points
    return None


def _models(runs: tuple[Run, ...] | None, task: Task) -> set[Any]:
    """What a function shows of each run."""
    value = {"votes": "votes", "alpha": "alpha", "signed alpha": "alpha"}.get(task.returns)
    return {
        (run.theta, run.offset) if value is None else getattr(run, value) for run in runs or ()
    }  # fmt: skip


# ------------------------------------------------------------------- where it shows first


def _first_wrong(
    task: Task, findings: Sequence[Finding], slips: Sequence[Slip], subject: Subject
) -> FirstWrong | None:
    """The first wrong update: of the run that explains it, as it was told, or as it is found."""
    wrong = [f for f in findings if not f.right and f.error is None]
    if not wrong or task.order != "cyclic":
        return None
    points, answer = wrong[0].points, wrong[0].answers[0]
    right = _runs(task, points, RIGHT, None)
    if right is None:
        return None
    walk = None
    if slips and not slips[0].order:
        runs = _runs(task, points, slips[0], None)
        walk = runs[0].updates if runs else None
    elif "updates" in answer:
        walk = _as_updates(answer["updates"], right[0])
    if walk is None:
        return _visit_by_visit(
            task, points, subject, FirstWrong(points, 0, None, None, answer, right[0])
        )
    for k, (a, b) in enumerate(zip_longest(walk, right[0].updates), start=1):
        if a is None or b is None or not _all_close(_numbers(a), _numbers(b)):
            return FirstWrong(points, k, a, b, answer, right[0], walk, points)
    return FirstWrong(points, 0, None, None, answer, right[0], walk, points)


def _as_updates(told: Sequence[Any], run: Run) -> tuple[Update, ...]:
    """What a function told of its updates; where they were is taken from the right run."""
    made = []
    for k, (theta, offset) in enumerate(told):
        beside = (
            run.updates[min(k, len(run.updates) - 1)]
            if run.updates
            else Update(1, 1, 0, 0, 1, (), 0)
        )
        made.append(beside._replace(theta=tuple(map(exact, theta)), offset=exact(offset or 0)))
    return tuple(made)


def _visit_by_visit(
    task: Task, points: Points, subject: Subject, otherwise: FirstWrong
) -> FirstWrong:
    """The same examples in a row, one more each time: where the function begins to be wrong.

    One epoch over the examples repeated T times is T epochs, so this is the run itself, stopped
    after each example; a function that has no T gets the first examples only.
    """
    first, walk = None, []
    before = task.start or ((0,) * len(points.X[0]), 0)
    for part in points.prefixes(MOST_QUESTIONS):
        answer = subject.ask(question_of(task, part))
        runs = _runs(task, part, RIGHT, None)
        if runs is None or "error" in answer:
            return first or otherwise
        if first is None and not agrees(answer, runs[0]):
            made = [u for u in runs[0].updates if u.t == len(part.y)]
            k = len(runs[0].updates) + (not made)
            first = FirstWrong(part, k, None, made[0] if made else None, answer, runs[0])
        if points.epochs is None or task.kind not in ("perceptron", "margin", "pa"):
            if first is not None:  # what comes next is no walk
                return first
        elif "theta" in answer:
            now = tuple(map(exact, answer["theta"])), exact(answer["offset"] or 0)
            if now != before:
                epoch, row = divmod(len(part.y) - 1, len(points.y))
                walk.append(Update(epoch + 1, len(part.y), row, 0, 1, *now))
            before = now
    return replace(first or otherwise, walk=tuple(walk), whole=points)
