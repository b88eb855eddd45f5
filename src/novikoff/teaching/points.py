"""The points that functions are tried on: small, and telling.

The lettered sets are chosen so that every mistake of the catalogue shows on one of them, under
every convention; the tests say so. Random ones follow, since a function may be wrong in a way that
nobody has thought of.
"""

from __future__ import annotations

import csv
import itertools
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from novikoff._messages import Message, Setting
from novikoff.analysis.verdicts import positive_of
from novikoff.teaching.reference import dot, outcomes
from novikoff.teaching.task import Task, Vector, exact

N_RANDOM = 30  # random sets beside the lettered ones


@dataclass(frozen=True)
class Points:
    """A point set: its name, rows, labels -1 and +1, T (None: until there is no mistake).

    test : rows to be predicted, of functions that predict
    """

    name: str
    X: tuple[Vector, ...]
    y: tuple[int, ...]
    epochs: int | None
    about: str = ""
    test: tuple[Vector, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether all numbers are small multiples of 1/2, so that doubles round nothing."""
        numbers = [Fraction(2 * a) for row in self.X for a in row]
        return all(abs(a) < 2**20 and a.denominator == 1 for a in numbers)

    @property
    def label(self) -> str:
        """The name with what is special about it; the random sets have one together."""
        return "random sets" if self.name.startswith("random ") else (
            f"{self.name} ({self.about})" if self.about else self.name)  # fmt: skip

    def prefixes(self, most: int) -> Iterator[Points]:
        """The first examples, one more each time; with a T, all visits one after the other."""
        X, y = self.X * (self.epochs or 1), self.y * (self.epochs or 1)
        for m in range(1, min(len(y), most) + 1):
            epochs = None if self.epochs is None else 1
            yield replace(self, name=f"{self.name}[:{m}]", X=X[:m], y=y[:m], epochs=epochs)


# name, what is special, rows with the label last, T
_LETTERED = (
    ("A", "ties", ((2, 2, -1), (-1, -2, 1), (0, -1, -1), (0, -2, -1)), 3),
    ("B", "an offset that matters", ((-2, 1, -1), (2, 2, 1), (-2, -1, 1), (3, 3, -1)), 4),
    ("C", "separable", ((1, -3, -1), (2, 1, -1), (-1, 4, 1), (4, 3, 1), (-4, -2, 1)), 3),
    ("D", "not separable", ((-2, 0, -1), (0, 1, 1), (3, -3, -1), (-3, 0, 1), (-1, -3, 1)), 3),
    ("E", "a row of zeros", ((-1, -2, -1), (1, 2, 1), (0, 0, -1), (3, 3, -1)), 3),
    ("F", "the order matters", ((-3, 3, 1), (2, -2, 1), (-2, 3, -1)), 2),
    ("G", "as many examples as features", ((1, 0, 1), (3, -1, -1)), 3),
    ("H", "three features", ((0, -1, 1, -1), (-1, 1, -2, 1), (0, 1, -2, -1)), 2),
)  # fmt: skip


def default_points(task: Task, *, epochs: bool, predicts: bool) -> list[Points]:
    """The lettered and the random sets; `epochs`: the function is told T; `predicts`: it does."""
    sets = itertools.chain((_points(*row) for row in _LETTERED), _random(0, N_RANDOM, "random "))
    return _suited(task, _adapted(task, sets), epochs, predicts)


def more_points(task: Task, n: int, *, epochs: bool, predicts: bool) -> list[Points]:
    """Other random sets, to tell mistakes apart."""
    return _suited(task, _adapted(task, _random(1, n, "further ")), epochs, predicts)


def own_points(given: Any, task: Task, *, epochs: bool, predicts: bool) -> list[Points]:
    """A teacher's own: one (X, y), several of them, by name in a dict, or paths of CSV files."""
    if not isinstance(given, dict):
        items = [given] if isinstance(given, str | Path) else list(given)
        if len(items) == 2 and not isinstance(items[0], str | Path | tuple):  # one pair
            items = [tuple(items)]
        given = dict(
            (Path(item).stem, read_points(Path(item))) if isinstance(item, str | Path)
            else (chr(65 + k), item)
            for k, item in enumerate(items)
        )  # fmt: skip
    made = [_given(str(name), *pair) for name, pair in given.items()]
    suited = _suited(task, made, epochs, predicts)
    if len(suited) < len(made):
        lost = {p.name for p in made} - {p.name for p in suited}
        raise ValueError(
            Message(
                f"Points {', '.join(sorted(lost))} cannot be used: the start has another number of "
                "features, there are too many orders of so many examples, or the run does not end "
                "by itself (then say ", Setting("epochs"), ").",
            )
        )  # fmt: skip
    return suited


def _given(name: str, X: Any, y: Any) -> Points:
    rows = tuple(tuple(exact(a) for a in row) for row in X)
    labels = list(getattr(y, "tolist", lambda: y)())
    classes = sorted(set(labels))
    if len(rows) != len(labels) or not rows or len({len(row) for row in rows}) > 1:
        raise ValueError(f"Points {name}: X must be rows of one length, and y one label for each.")
    if len(classes) > 2:
        raise ValueError(f"Points {name}: there are {len(classes)} labels; a perceptron has two.")
    high = 1
    if len(classes) == 2:
        names = [*map(str, classes)]
        high = classes[names.index(positive_of(names))]
    return Points(name, rows, tuple(1 if label == high else -1 for label in labels), 10)


def read_points(path: Path) -> tuple[list[list[Any]], list[Any]]:
    """Rows and labels of a CSV file: the label is in the column y, or in the last one."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        text = file.read().splitlines()
    delimiter = max(",;\t", key=text[0].count) if text else ","
    point = "." if delimiter == "," else ","  # how decimals may be written

    def as_number(cell: str) -> float:
        return float(cell.replace(point, "."))

    rows = csv.reader(text, delimiter=delimiter)
    lines = [row for row in rows if any(cell.strip() for cell in row)]
    heads = [cell.strip() for cell in lines[0]] if lines else []
    try:
        [as_number(cell) for cell in heads]
        heads, body = [], lines
    except ValueError:
        body = lines[1:]
    at = heads.index("y") if "y" in heads else -1
    X, y = [], []
    for number, row in enumerate(body, start=1 + bool(heads)):
        cells = [cell.strip() for cell in row]
        try:
            label = cells.pop(at)
            X.append([as_number(cell) for cell in cells])
        except (ValueError, IndexError):
            raise ValueError(f"{path}, line {number}: a row is numbers and a label.") from None
        y.append(float(label) if label.lstrip("+-").replace(".", "", 1).isdigit() else label)
    if not X:
        raise ValueError(f"{path} has no rows.")
    return X, y


# ------------------------------------------------------------------------------- making


def _points(name: str, about: str, rows: Sequence[Vector], epochs: int) -> Points:
    X, y = tuple(row[:-1] for row in rows), tuple(int(row[-1]) for row in rows)
    return Points(name, X, y, epochs, about)


def _random(seed: int, n: int, name: str) -> Iterator[Points]:
    """Small integers in two or three features; the same for the same seed."""
    generator = random.Random(seed)
    for k in range(1, n + 1):
        size, d = generator.choice(((2, 2), (3, 2), (3, 2), (4, 2), (5, 2), (6, 2), (3, 3), (5, 3)))
        most = generator.choice((2, 3, 5))
        X = tuple(tuple(generator.randint(-most, most) for _ in range(d)) for _ in range(size))
        y = [generator.choice((-1, 1)) for _ in range(size)]
        y[0], y[-1] = generator.choice(((1, -1), (-1, 1)))
        yield Points(f"{name}{k}", X, tuple(y), generator.randint(1, 4))


def _adapted(task: Task, sets: Iterable[Points]) -> Iterator[Points]:
    """Our own sets, some of them in halves: θ need be no integer, nor a score within a margin."""
    for k, points in enumerate(sets):
        if k % 2 if task.margin else k % 3 == 0 and points.name.startswith("random"):
            halves = tuple(tuple(Fraction(a, 2) for a in row) for row in points.X)
            points = replace(points, X=halves)
        elif task.kind == "pa":  # its fractions grow with every step
            points = replace(points, epochs=min(points.epochs or 2, 2))
        yield points


def _suited(task: Task, sets: Iterable[Points], epochs: bool, predicts: bool) -> list[Points]:
    """The sets that a task can be tried on, with the epochs that the function will run.

    Without a T the run must end by itself, and random orders must be few enough to try them all.
    """
    found = []
    for points in sets:
        if task.start is not None and len(task.start[0]) != len(points.X[0]):
            continue
        points = replace(points, epochs=points.epochs if epochs else task.epochs)
        if task.order != "cyclic":
            points = replace(points, epochs=min(points.epochs or 1, 2 if len(points.y) < 4 else 1))
        runs = outcomes(task, points.X, points.y, points.epochs)
        if runs is None or (points.epochs is None and not runs[0].converged):
            continue
        if predicts:
            points = replace(points, test=_tests(points, runs[0].theta, runs[0].offset, task))
        found.append(points)
    return found


def _tests(points: Points, theta: Vector, offset: Any, task: Task) -> tuple[Vector, ...]:
    """The examples, a grid, and points on the boundary, where conventions differ."""
    d = len(points.X[0])
    grid = list(itertools.product((-2, -1, 0, 1, 2) if d == 2 else (-1, 0, 1), repeat=min(d, 3)))
    tests = [*points.X, *(row for row in grid if len(row) == d)]
    if task.kind != "kernel" and d == 2:
        wide = itertools.product(range(-6, 7), repeat=2)
        tests += itertools.islice((x for x in wide if dot(theta, x) + offset == 0), 4)
    return tuple(dict.fromkeys(tests))
