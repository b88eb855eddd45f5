"""The family as a lecture writes it, once, in exact arithmetic; and what can be written wrongly.

One run serves all kinds. A :class:`Slip` says in which places it departs from the right one;
each mistake of the catalogue is a few settings of it. Nothing here is compiled or rounded: the
point sets are small.

The offset is right where nothing is said: theta <- theta + eta y x, offset <- offset + eta y. The
kernel perceptron is the same run with the rows of the identity in the place of x, and the rows of
the Gram matrix where a score is taken.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from novikoff.teaching.task import Number, Task, Vector

MOST_EPOCHS = 40  # of a run that ends when it has converged; the point sets are that small
MOST_RUNS = 120  # orders that are tried where the order is random
TIE = {"mistake": "always", "correct": "never", "sign": "negative"}  # see `Slip.tie`


@dataclass(frozen=True)
class Slip:
    """Where a run departs from the right one; as it is, nowhere.

    tie : what is a mistake at a score on the threshold, if not what was asked: "never", "always",
        "negative" (sign(0) = +1) or "positive" (sign(0) = -1)
    always : an update at every example
    test_y, theta_y, offset_y : whether y is in the test, in theta's update, in the offset's
    offset_outside : in the test, y multiplies theta . x only
    sign : -1 to subtract
    offset_moves : what the offset's update is multiplied by; "score" for the score
    offset_counts : how often the offset is in the score
    ends : what a clean example ends: the "run" or the "epoch", or the run if it was the last of an
        epoch ("flag"); `counts_clean`: it is still counted. "update run" and "update epoch": an
        update does. "converged": a clean epoch ends the run
    epochs : how many more than T; "one" for one only
    order : another order than the one asked for
    mean : another average: "updates", "updates and start", "no factor", "without start"; or a sum
        divided by another number: "by T", "by n", "updates by examples"
    aliases : what is stored of theta is the array that later updates change
    counts : the survival time that the start and a new hypothesis begin with
    votes_scores : a vote is a score, not its sign
    at_zero : what is predicted at a score of 0
    floors : divisions round down
    transposed : rows and columns are taken for each other
    keep_last : nothing is kept in the pocket; `patient` False: every hypothesis is measured
    from_zero : the start is ignored
    margin_ignored, norm_without_offset, uncapped, linear : what they say
    """

    tie: str = ""
    always: bool = False
    test_y: bool = True
    theta_y: bool = True
    offset_y: bool = True
    offset_outside: bool = False
    sign: int = 1
    offset_moves: int | str = 1
    offset_counts: int = 1
    ends: str = ""
    counts_clean: bool = False
    epochs: int | str = 0
    order: str = ""
    mean: str = ""
    aliases: bool = False
    counts: tuple[int, int] = (0, 1)
    votes_scores: bool = False
    at_zero: int = 1
    floors: bool = False
    transposed: bool = False
    keep_last: bool = False
    patient: bool = True
    from_zero: bool = False
    margin_ignored: bool = False
    norm_without_offset: bool = False
    uncapped: bool = False
    linear: bool = False


RIGHT = Slip()


class Update(NamedTuple):
    """One update: where it happened, what the score was, and what came of it."""

    epoch: int
    t: int
    row: int
    score: Number
    step: Number
    theta: Vector
    offset: Number


class Run(NamedTuple):
    """What a run gives: (theta, offset) is the model where the kind has one."""

    start: tuple[Vector, Number]
    updates: tuple[Update, ...]
    theta: Vector
    offset: Number
    votes: tuple[tuple[Vector, Number, int], ...]
    alpha: tuple[Number, ...]
    predictions: tuple[Number, ...]
    converged: bool


class _Stop(Exception):
    """The run ends here."""


class _Unclear(Exception):
    """What happens next depends on how a student's doubles are rounded."""


def dot(a: Sequence[Any], b: Sequence[Any]) -> Any:
    return sum(u * v for u, v in zip(a, b, strict=True))


def plus(a: Vector, step: Number, b: Vector) -> Vector:
    return tuple(u + step * v for u, v in zip(a, b, strict=True))


def outcomes(
    task: Task, X: Sequence[Vector], y: Sequence[int], epochs: int | None, slip: Slip = RIGHT,
    test: Sequence[Vector] = (), orders: Sequence[Sequence[int]] | None = None,
) -> list[Run] | None:  # fmt: skip
    """Every run that there may be: one, unless the order is random; None if that is too many."""
    n = len(X)
    order = slip.order or task.order
    if slip.transposed:
        if n != len(X[0]):
            return None
        X = tuple(zip(*X, strict=True))
    try:
        if orders is not None and not slip.order:
            return [_run(task, X, y, len(orders), slip, test, [*orders, *orders])]
        if order == "cyclic":
            return [_run(task, X, y, epochs, slip, test, itertools.repeat(range(n)))]
    except _Unclear:
        return None
    if epochs is None:
        return None
    last = 1 if slip.epochs == "one" else max(epochs + int(slip.epochs), 0)
    every = list(itertools.permutations(range(n)) if order == "shuffled"
                 else itertools.product(range(n), repeat=n))  # fmt: skip
    if len(every) ** last > MOST_RUNS:
        return None
    return [
        _run(task, X, y, epochs, slip, test, visits)
        for visits in itertools.product(every, repeat=last)
    ]


def _run(
    task: Task, X: Sequence[Vector], y: Sequence[int], epochs: int | None, slip: Slip,
    test: Sequence[Vector], visits: Any,
) -> Run:  # fmt: skip
    walk = _Walk(task, X, y, slip)
    most = MOST_EPOCHS if epochs is None else epochs
    most = 1 if slip.epochs == "one" else max(most + int(slip.epochs), 0)
    try:
        for epoch, order in zip(range(1, most + 1), visits, strict=False):
            walk.epoch(epoch, order)
            if walk.clean and (epochs is None or slip.ends == "converged"):
                break
    except _Stop:
        pass
    return walk.result(test)


class _Walk:
    """A run on its way."""

    def __init__(self, task: Task, X: Sequence[Vector], y: Sequence[int], slip: Slip) -> None:
        self.task, self.X, self.y, self.slip = task, X, y, slip
        n, d = len(X), len(X[0])
        zero: tuple[Vector, Number] = ((0,) * d, 0)
        self.rows: Sequence[Vector] = X
        self.seen: Sequence[Vector] = X
        if task.kind == "kernel":
            zero = ((0,) * n, 0)
            self.rows = [tuple(int(i == j) for j in range(n)) for i in range(n)]
            self.seen = [self.gram(x) for x in X]
        start = task.start if task.start is not None and not slip.from_zero else zero
        self.theta, self.offset = start
        self.start = start
        self.updates: list[Update] = []
        self.alpha = [0] * n
        self.t = 0
        self.hypotheses = [start]
        self.survival = [slip.counts[0]]
        # Sums over all hypotheses, the start included: theta, offset and how many there were.
        self.total, self.total_offset, self.counted = start[0], start[1], 1
        self.clean, self.epochs = True, 0

    def gram(self, x: Vector) -> Vector:
        degree = 1 if self.slip.linear else self.task.degree
        return tuple((1 + dot(row, x)) ** degree for row in self.X)

    def epoch(self, number: int, order: Sequence[int]) -> None:
        self.clean, self.epochs = True, number
        for i in order:
            asked = self.visit(number, i)
            if asked:
                self.clean = False
                if self.slip.ends == "update run":
                    raise _Stop
                if self.slip.ends == "update epoch":
                    break
            elif self.slip.ends == "run":
                raise _Stop
            elif self.slip.ends == "epoch":
                break
        if self.slip.ends == "flag" and not asked:  # only the last example was looked at
            raise _Stop

    def visit(self, epoch: int, i: int) -> bool:
        """Look at example i; whether it asked for an update."""
        y, slip = self.y[i], self.slip
        self.t += 1
        score = dot(self.theta, self.seen[i]) + slip.offset_counts * self.offset
        step = self.step(y, score, self.X[i])
        if step is None:
            if slip.ends in ("run", "epoch") and not slip.counts_clean:
                return False
            self.survival[-1] += 1
        else:
            step *= slip.sign
            self.theta = plus(self.theta, step * (y if slip.theta_y else 1), self.rows[i])
            if self.task.offset:
                moves = y * score if slip.offset_moves == "score" else (
                    int(slip.offset_moves) * (y if slip.offset_y else 1))  # fmt: skip
                self.offset += step * moves
            self.alpha[i] += 1
            self.updates.append(Update(epoch, self.t, i, score, step, self.theta, self.offset))
            self.hypotheses.append((self.theta, self.offset))
            self.survival.append(slip.counts[1])
        self.total = plus(self.total, 1, self.theta)
        self.total_offset += self.offset
        self.counted += 1
        return step is not None

    def step(self, y: int, score: Number, x: Vector) -> Number | None:
        """By how much to move, times y; None for not at all."""
        product = score * (y if self.slip.test_y else 1)
        if self.slip.offset_outside:
            product += (1 - y) * self.offset
        if self.task.kind != "pa":
            return 1 if self.slip.always or self.mistake(y, score, product) else None
        missing = 1 - product
        length = dot(x, x) + (self.task.offset and not self.slip.norm_without_offset)
        if missing == 0 and self.slip.ends:
            raise _Unclear
        if length == 0 or (missing <= 0 and not self.slip.always):
            return None
        tau = self.divided(missing, length)
        return tau if self.slip.uncapped else min(self.task.C, tau)

    def mistake(self, y: int, score: Number, product: Number) -> bool:
        threshold = 0 if self.slip.margin_ignored else self.task.margin
        if product != threshold:
            return product < threshold
        rule = self.slip.tie or TIE[self.task.ties]
        return rule == "always" or (rule == "negative" and y < 0) or (rule == "positive" and y > 0)

    def divided(self, a: Number, b: Number) -> Number:
        return a // b if self.slip.floors else Fraction(a) / b

    # ------------------------------------------------------------------------- the result

    def result(self, test: Sequence[Vector]) -> Run:
        theta, offset = self.theta, self.offset
        if self.task.kind == "averaged":
            theta, offset = self.mean()
        elif self.task.kind == "pocket" and not self.slip.keep_last:
            theta, offset = self.pocket()
        theta = self.theta if self.slip.aliases else theta
        votes = tuple(
            (self.theta if self.slip.aliases else a, b, c)
            for (a, b), c in zip(self.hypotheses, self.survival, strict=True)
        )
        predict = self.voted if self.task.kind == "voted" else self.predicted
        return Run(
            self.start, tuple(self.updates), theta, offset, votes, tuple(self.alpha),
            tuple(predict(x, theta, offset, votes) for x in test), self.clean,
        )  # fmt: skip

    def mean(self) -> tuple[Vector, Number]:
        """The average: of the start and of the hypothesis after each example."""
        total, total_offset, counted = self.total, self.total_offset, self.counted
        kind = self.slip.mean
        if kind in ("without start", "by T", "by n"):
            total, total_offset = plus(total, -1, self.start[0]), total_offset - self.start[1]
            counted = {"by T": self.epochs, "by n": len(self.X)}.get(kind, counted - 1)
        elif kind == "no factor":  # theta - u / c, with u the sum of the updates
            moved = plus(self.theta, -1, self.start[0]), self.offset - self.start[1]
            total = plus(tuple(counted * a for a in self.theta), -1, moved[0])
            total_offset = counted * self.offset - moved[1]
        elif kind.startswith("updates"):
            kept = self.hypotheses if kind == "updates and start" else self.hypotheses[1:]
            total = tuple(map(sum, zip(*(h[0] for h in kept), strict=True))) or self.start[0]
            total_offset = sum(h[1] for h in kept)
            counted = self.t if kind == "updates by examples" else len(kept)
        if counted == 0:
            return self.start
        return tuple(self.divided(a, counted) for a in total), self.divided(total_offset, counted)

    def pocket(self) -> tuple[Vector, Number]:
        """Gallant's ratchet: measured when right more often in a row than the one in the pocket."""

        def errors(theta: Vector, offset: Number) -> int:
            offset *= self.slip.offset_counts
            return sum(
                y * (dot(theta, x) + offset) <= 0 for x, y in zip(self.X, self.y, strict=True)
            )

        # How many examples each was right on: the one that made it does not count.
        streaks = [self.survival[0], *(c - 1 for c in self.survival[1:])]
        last = len(self.hypotheses) - 1
        best, fewest, longest = 0, errors(*self.hypotheses[0]), streaks[0]
        for k in range(1, last + 1):
            if not self.slip.patient or streaks[k] > longest or k == last:
                found = errors(*self.hypotheses[k])
                if found < fewest:
                    best, fewest, longest = k, found, streaks[k]
        return self.hypotheses[best]

    def sign(self, score: Number) -> int:
        return (score > 0) - (score < 0) or self.slip.at_zero

    def predicted(self, x: Vector, theta: Vector, offset: Number, _: Any) -> int:
        return self.sign(dot(theta, self.gram(x) if self.task.kind == "kernel" else x) + offset)

    def voted(self, x: Vector, theta: Vector, offset: Number, votes: Any) -> int:
        scores = ((dot(theta, x) + offset, c) for theta, offset, c in votes)
        if self.slip.votes_scores:
            return self.sign(sum(c * s for s, c in scores))
        return self.sign(sum(c * self.sign(s) for s, c in scores))
