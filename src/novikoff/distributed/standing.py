"""How far a run has come, how a round takes it further, and how it is kept in a file.

McDonald, Hall and Mann (2010), Figure 3: theta <- sum of mu_i theta_i over the shards i, where mu
is uniform over the shards that have examples, or proportional to their mistakes in the round. A
hyperplane on which no shard made a mistake stays what it is, to the bit.

The file (:mod:`novikoff.streams.checkpoint`) survives the client and the scheduler. All that it
holds is checked: workers would follow wrong numbers anywhere.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from novikoff._arrays import Array, Bools, Floats, Ints
from novikoff.distributed.rounds import Outcome, Sums
from novikoff.distributed.shard import Lesson, Start
from novikoff.persistence.checks import array_of, check_beside, check_share, floats, integers, whole
from novikoff.persistence.container import Kind
from novikoff.persistence.errors import require
from novikoff.streams.checkpoint import read_archive, write_archive
from novikoff.training.state import State, refuse_overflow

_QUIET = np.errstate(over="ignore", invalid="ignore")  # what overflows is refused in its place


class RoundChanges(NamedTuple):
    """What a round changed, for the epoch loop and for whoever watches."""

    mistakes: Ints  # (S, n_parts)
    going_on: Bools  # (K,) hyperplanes that erred, or are not proved not to
    n_rows: int
    busiest: float  # seconds of computing, of the worker that had most to do

    def moved(self, n_planes: int) -> Bools:
        assert len(self.going_on) == n_planes
        return self.going_on.copy()


@dataclass
class MixingStanding:
    """Everything a checkpoint must hold, but for the rows.

    theta, offset : the mixed hyperplanes, in their own type
    beside : what is kept beside theta, mixed; and where the mean is the model "sums" and
        "sums_offset", over rounds and shards, of mu times a shard's sum of hypotheses
    counts : (K,) sum of mu times the shard's number of examples
    mistakes : per round, (S, n_parts)
    """

    theta: Array
    offset: Array
    beside: dict[str, Floats]
    counts: Floats
    active: Bools
    n_updates: Ints
    examples: Ints  # (S, K) of the last round
    n_wrong: Ints  # see `Scheme.n_counted`; predictions before a row was learned from
    mistakes: list[Ints] = field(default_factory=list)
    status: str | None = None  # once the run has ended
    first_wrong: float | None = None  # their share in the first round, where they are counted

    @classmethod
    def begin(cls, lesson: Lesson, n_shards: int) -> MixingStanding:
        n_planes = len(lesson.scheme.roles)
        start = lesson.spec.start(n_planes, lesson.width, lesson.dtype, sparse=False)
        return cls(
            start.theta, start.offset, start.beside, np.zeros(n_planes), np.ones(n_planes, bool),
            np.zeros(n_planes, np.int64), np.zeros((n_shards, n_planes), np.int64),
            np.zeros(lesson.scheme.n_counted, np.int64),
        )  # fmt: skip

    @property
    def n_rounds(self) -> int:
        return len(self.mistakes)

    def start(self, lesson: Lesson) -> Start:
        """Where the next round starts."""
        kept = {n: a for n, a in self.beside.items() if n not in ("sums", "sums_offset")}
        return Start(lesson, self.n_rounds + 1, self.theta, self.offset, kept, self.active)

    @_QUIET
    def mix(self, lesson: Lesson, total: Sums, outcomes: list[Outcome]) -> RoundChanges:
        """Take in the sums of a round; `outcomes` in the order of the shards."""
        mistakes = np.array([outcome.mistakes for outcome in outcomes])  # (S, n_parts)
        self.examples = np.array([outcome.counts for outcome in outcomes])  # (S, K)
        present = (self.examples > 0).astype(np.int64)
        weights = lesson.per_plane(mistakes) if lesson.by_mistakes else present
        moved = self.active & lesson.per_plane(mistakes.sum(axis=0) > 0)
        still = ~moved
        divisor = np.where(moved, weights.sum(axis=0), 1).astype(np.float64)
        mine = moved[self.active]  # of the hyperplanes that the sums are about

        counted = _total(weights, self.examples)
        uniform = self._uniform_counts()
        each = np.where(moved, counted / divisor, uniform)

        def mean(name: str) -> Floats:
            """(moved, ...): the mean over the shards of what they came to."""
            array = total.added[name][mine]
            return array / divisor[moved].reshape(-1, *[1] * (array.ndim - 1))

        theta, offset = self.theta.copy(), self.offset.copy()
        theta[moved] = mean("theta").astype(theta.dtype)
        offset[moved] = mean("offset").astype(offset.dtype)
        refuse_overflow("The sum of theta over the shards", theta, offset)
        for extra in lesson.spec.rule.EXTRA:
            for name in extra.names:
                new = mean(name) if extra.mix == "mean" else total.least[name][mine]
                self.beside[name][moved] = new
        if "sums" in self.beside:
            sums, sums_offset = self.beside["sums"], self.beside["sums_offset"]
            sums[moved] += mean("sums")
            sums_offset[moved] += mean("sums_offset")
            sums[still] += each[still, None] * theta[still]
            sums_offset[still] += each[still] * offset[still]
        self.counts += each
        self.theta, self.offset = theta, offset
        self.n_updates = self.n_updates + sum(outcome.updates for outcome in outcomes)
        self.n_wrong = self.n_wrong + sum(outcome.n_wrong for outcome in outcomes)
        if not self.mistakes and lesson.scheme.predicts_while_learning:
            self.first_wrong = int(self.n_wrong[0]) / sum(o.n_rows for o in outcomes)
        self.mistakes.append(mistakes)
        unproved = np.any([outcome.unproved for outcome in outcomes], axis=0)
        return RoundChanges(
            mistakes, moved | (self.active & lesson.per_plane(unproved)),
            sum(outcome.n_rows for outcome in outcomes),
            _busiest(outcomes),
        )  # fmt: skip

    @_QUIET
    def rest(self, n_rounds: int) -> None:
        """Count the rounds that need not run because nothing would change in them."""
        each = n_rounds * self._uniform_counts()
        if "sums" in self.beside:
            self.beside["sums"] += each[:, None] * self.theta
            self.beside["sums_offset"] += each * self.offset
        self.counts += each

    @_QUIET
    def mean(self) -> tuple[Floats, Floats]:
        """The mean of the start, which is zero, and of all hypotheses, mixed as they were."""
        total = 1.0 + self.counts
        mean = self.beside["sums"] / total[:, None], self.beside["sums_offset"] / total
        refuse_overflow("The sum of all hypotheses, for their mean,", *mean)
        return mean

    @_QUIET
    def state(self, constant: float) -> State:
        """As an estimator keeps it, so that `partial_fit` can go on; counters are whole there."""
        counts = np.rint(self.counts).astype(np.int64)
        beside = dict(self.beside)
        if "sums" in beside:
            mean, mean_offset = self.mean()
            sums = (self.theta - mean) * (1.0 + counts)[:, None]
            sums_offset = (self.offset - mean_offset) * (1.0 + counts)
            refuse_overflow("The sum of all hypotheses, for their mean,", sums, sums_offset)
            beside |= {"sums": sums, "sums_offset": sums_offset}
        return State(self.theta, self.offset, counts, constant, beside)

    def _uniform_counts(self) -> Floats:
        """(K,): examples of a hyperplane in a round, the mean over the shards that have any."""
        present = (self.examples > 0).sum(axis=0)
        mean: Floats = self.examples.sum(axis=0) / np.maximum(present, 1)
        return mean


def _busiest(outcomes: list[Outcome]) -> float:
    seconds: dict[str, float] = defaultdict(float)
    for outcome in outcomes:
        seconds[outcome.worker] += outcome.seconds
    return max(seconds.values())


def _total(weights: Ints, counts: Ints) -> Floats:
    """(K,): sum of w_i c_i, rounded once."""
    exact = (weights.astype(object) * counts.astype(object)).sum(axis=0)
    return np.array([float(n) for n in exact])


KIND = Kind("checkpoint of mixing", "novikoff.mixing-checkpoint", 3)


def write(path: Path, settings: dict[str, Any], seed: int, standing: MixingStanding) -> None:
    """Replace the checkpoint at `path`.

    settings : what must be the same when the run is taken up again; JSON
    """
    write_archive(path, KIND, settings, {"seed": seed, "standing": vars(standing)})


def read(path: Path, settings: dict[str, Any], lesson: Lesson) -> tuple[int, MixingStanding]:
    """The seed and the standing that `path` holds; refused if it belongs to another run."""

    def built(stored: Any) -> tuple[int, MixingStanding]:
        standing = MixingStanding(**stored["standing"])
        _check(standing, lesson)
        return whole(stored["seed"], "the seed"), standing

    return read_archive(path, KIND, settings, built)


def _check(standing: MixingStanding, lesson: Lesson) -> None:
    """Refuse a standing that is not of this lesson."""
    n_planes = len(lesson.scheme.roles)
    wide = (n_planes, lesson.width)
    theta = floats(standing.theta, wide, "theta")
    offset = floats(standing.offset, wide[:1], "the offset")
    require(theta.dtype == offset.dtype == lesson.dtype, "its weights are of another type.")
    check_beside(standing.beside, lesson.spec.beside, *wide)
    for name, array in standing.beside.items():
        require(array.flags.writeable, f"{name} is unsound.")
    counts = floats(standing.counts, (n_planes,), "a counter")
    sound = counts.dtype == np.float64 and counts.flags.writeable and bool((counts >= 0).all())
    require(sound and bool((counts < 2**62).all()), "a counter counts nothing.")
    active = array_of(standing.active, (np.bool_,), (n_planes,), "what is active")
    require(active.flags.writeable, "what is active cannot be changed.")
    integers(standing.n_updates, (n_planes,), "a number of updates", 0, 2**62)
    integers(standing.examples, (lesson.n_shards, n_planes), "a number of examples", 0, 2**62)
    require(type(standing.mistakes) is list and standing.mistakes, "it has no round behind it.")
    for each in standing.mistakes:
        integers(each, (lesson.n_shards, lesson.scheme.n_parts), "a number of mistakes", 0, 2**62)
    require(standing.status is None, "it is of a run that has ended.")
    scheme = lesson.scheme
    integers(standing.n_wrong, (scheme.n_counted,), "a number of wrong predictions", 0, 2**62)
    check_share(standing.first_wrong, known=scheme.predicts_while_learning)
