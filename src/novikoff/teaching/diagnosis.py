"""Which mistake explains what a function gave, and where it shows first.

The answers are compared with the outcomes of the reference run for every way to write every mistake
of the catalogue. What explains all of them is a candidate; several candidates are told apart by
asking once more, on points where they differ.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product, zip_longest
from typing import Any

from novikoff.teaching.catalogue import CHANGES_DATA, ways
from novikoff.teaching.comparing import (
    Finding,
    Subject,
    agrees,
    all_close,
    explains,
    found_on,
    hypothesis,
    question_of,
    runs_on,
)
from novikoff.teaching.points import Points
from novikoff.teaching.reference import Run, Slip, Update
from novikoff.teaching.task import Task, exact

MOST_QUESTIONS = 40  # to find the first wrong update
N_ONCE = 20  # point sets, one epoch each, to make sure of a random order
MOST_APART = 300  # point sets that are tried to tell candidates apart


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


def candidates(task: Task, findings: Sequence[Finding]) -> list[tuple[str, Slip]]:
    """The mistakes, and ways to write them, that explain every answer."""
    wrong_first = sorted(findings, key=lambda finding: finding.right)

    def explains_all(slip: Slip) -> bool:
        told = False  # by something that is wrong; elsewhere it may not say what it gives
        for finding in wrong_first:
            said = explains(task, finding, slip)
            if said is False:
                return False
            told = told or (bool(said) and not finding.right)
        return told

    return [(name, slip) for name, slip in ways(task) if explains_all(slip)]


def diagnose(
    task: Task, findings: Sequence[Finding], subject: Subject, more: Callable[[int], list[Points]]
) -> Diagnosis:
    """Say what went wrong, given that something did; `more` makes so many other point sets."""
    found = candidates(task, findings)
    # A fixed run that explains everything is a better reason than one of many random ones.
    if any(not slip.order for _, slip in found):
        found = [(name, slip) for name, slip in found if not slip.order]
    elif found:  # many orders give many results: ask more before believing it
        once = [replace(p, epochs=1) for p in more(N_ONCE) if p.epochs is not None]
        answered = [found_on(task, points, subject) for points in once]
        found = [(n, s) for n, s in found if False not in [explains(task, f, s) for f in answered]]
        if found and not _varies(task, once, subject):
            found = [(n, s) for n, s in found if _keeps_an_order(task, answered, s)]
    apart: list[Points] = []
    while len({name for name, _ in found}) > 1:
        points = _telling_apart(task, found, more(MOST_APART))
        if points is None:
            break
        apart.append(points)
        finding = found_on(task, points, subject)
        found = [(n, s) for n, s in found if explains(task, finding, s) is not False]
    changed = any(answer.get("changed") for f in findings for answer in f.answers)
    names = dict.fromkeys([CHANGES_DATA] * changed + [name for name, _ in found])
    first = _first_wrong(task, findings, found[0][1] if found else None, subject)
    return Diagnosis(tuple(names), first, tuple(apart))


def _varies(task: Task, sets: Sequence[Points], subject: Subject) -> bool:
    """Whether the function answers otherwise when it is asked once more."""
    asked = [[subject.ask(question_of(task, p, seed)) for seed in range(3)] for p in sets]
    return any(answer != answers[0] for answers in asked for answer in answers)


def _keeps_an_order(task: Task, findings: Sequence[Finding], slip: Slip) -> bool:
    """Whether one order explains all sets of a size, as it does where the seed is always the same.

    Or some order does for each set, and a function that is wrong in another way was mistaken for
    one that shuffles.
    """
    for size in {len(f.points.y) for f in findings} & {2, 3, 4}:
        places = range(size)
        orders = list(permutations(places) if slip.order == "shuffled"
                      else product(places, repeat=size))  # fmt: skip
        for finding in (f for f in findings if len(f.points.y) == size):
            answer, slipped = finding.answers[0], replace(slip, order="")
            orders = [
                order for order in orders
                if any(agrees(answer, run)
                       for run in runs_on(task, finding.points, slipped, (order,)) or ())
            ]  # fmt: skip
        if not orders:
            return False
    return True


def _telling_apart(
    task: Task, found: Sequence[tuple[str, Slip]], sets: Sequence[Points]
) -> Points | None:
    """Points on which the first candidate and one of another name give different results."""
    first, slip = found[0]
    for points in sets:
        ours = _shown(task, points, slip)
        for name, other in found[1:]:
            if name != first and ours.isdisjoint(_shown(task, points, other)):
                return points
    return None


def _shown(task: Task, points: Points, slip: Slip) -> set[Any]:
    """What a function shows of each run that it may be."""
    what = {"voted": ("votes",), "kernel": ("alpha",)}.get(task.kind, ("theta", "offset"))
    what = ("predictions",) if points.test and len(what) == 1 else what
    return {tuple(getattr(run, name) for name in what) for run in runs_on(task, points, slip) or ()}


# ------------------------------------------------------------------- where it shows first


def _first_wrong(
    task: Task, findings: Sequence[Finding], slip: Slip | None, subject: Subject
) -> FirstWrong | None:
    """The first wrong update: of the run that explains it, as it was told, or as it is found."""
    wrong = [f for f in findings if not f.right and f.error is None]
    if not wrong or task.order != "cyclic":
        return None
    points, answer = wrong[0].points, wrong[0].answers[0]
    right = runs_on(task, points)
    if right is None:
        return None
    walk = None
    if slip is not None and not slip.order:
        runs = runs_on(task, points, slip)
        walk = runs[0].updates if runs else None
    elif "updates" in answer:
        walk = _as_updates(answer["updates"], right[0])
    if walk is None:
        return _visit_by_visit(
            task, points, subject, FirstWrong(points, 0, None, None, answer, right[0])
        )
    for k, (a, b) in enumerate(zip_longest(walk, right[0].updates), start=1):
        if a is None or b is None or not all_close(hypothesis(a), hypothesis(b)):
            return FirstWrong(points, k, a, b, answer, right[0], walk, points)
    return FirstWrong(points, 0, None, None, answer, right[0], walk, points)


def _as_updates(told: Sequence[Any], run: Run) -> tuple[Update, ...]:
    """What a function told of its updates; where they were is taken from the right run."""
    places = run.updates or (Update(1, 1, 0, 0, 1, (), 0),)
    return tuple(
        places[min(k, len(places) - 1)]._replace(
            theta=tuple(map(exact, theta)), offset=exact(offset or 0)
        )
        for k, (theta, offset) in enumerate(told)
    )


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
        runs = runs_on(task, part)
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
