"""From data to a verdict with its proof: the perceptron first, then faces, cones, coefficients."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from flint import fmpq, fmpz

from novikoff._arrays import Floats, Ints
from novikoff.certificates.clock import OutOfTime, one_thread
from novikoff.certificates.coefficients import Evidence, judge
from novikoff.certificates.cones import Halfspace, StrictCone, Weighted
from novikoff.certificates.data import Labelled
from novikoff.certificates.faces import Face, beyond, weak_separators
from novikoff.certificates.linear import TooLarge
from novikoff.certificates.opposites import Opposites
from novikoff.certificates.parts import Combination, Separator
from novikoff.certificates.results import (
    OVERLAPPING,
    QUASI_SEPARABLE,
    SEPARABLE,
    UNDECIDED,
    Separability,
)
from novikoff.certificates.scaled import Scaled, combination
from novikoff.kernels.rules.perceptron import ERROR
from novikoff.kernels.walk import tally
from novikoff.training.learners import Learner, ThetaOverflow, Updates
from novikoff.training.loop import SEPARATED, Epoch, train
from novikoff.training.matrix import theta_dtype
from novikoff.training.problem import build_problem
from novikoff.training.schemes import closed_scheme
from novikoff.training.state import State

BUDGET = 1_000_000_000  # values to look at,
VISIT = 20  # a visit to a row costing as much as so many
FEWEST, MOST = 3, 100  # epochs
MOST_IF_WIDE = 1000  # with more columns than rows, data is separable more often than not
FAR = 20  # a run with more mistakes than one in so many rows is far from its end
PUSHED = 16.0  # times the length of theta, where a search for another sign begins
NARROW = 2000  # up to so many columns a regression decides next,
REGRESSION = 5  # which looks at more values than so many times their cube


@dataclass(frozen=True)
class Attempt:
    """What the perceptron found.

    Attributes
    ----------
    separated : bool
        Whether theta and offset have every row strictly on its side; decided exactly.
    theta : (d,), offset : the last hypothesis
    mistakes : (n,) int64
        How often it stumbled over each row.
    """

    separated: bool
    theta: Floats
    offset: float
    mistakes: Ints

    def vector(self, data: Labelled) -> Floats:
        """(D,): theta, and the offset if there is one."""
        return np.append(self.theta, [self.offset] * data.fit_intercept)


def perceptron(data: Labelled, *, hopeless: bool = False, start: Floats | None = None) -> Attempt:
    """Run the perceptron on the data, within a budget.

    hopeless : it cannot separate them; only what it stumbles over is of interest
    start : (D,) where to begin on data that is separable; zero if not said
    """
    n, d = data.shape
    dtype = theta_dtype(data.rows.values.dtype)
    constant = float(data.fit_intercept)
    epoch = len(data.rows.values) + VISIT * n
    affordable = BUDGET // epoch
    most = MOST if n > data.dimension and start is None else MOST_IF_WIDE
    narrow = data.dimension <= min(n, NARROW)
    if narrow and start is None:
        affordable = min(affordable, REGRESSION * data.dimension**3 // epoch)
    max_iter = FEWEST if hopeless else int(np.clip(affordable, FEWEST, most))
    data.clock.say(f"perceptron: at most {max_iter} epochs over {n} rows")
    problem = build_problem(
        data.rows, (data.y + 1) // 2, np.ones(2), None, np.arange(n), dtype, rule=ERROR,
        constant=constant, n_planes=1, max_iter=max_iter,
    )  # fmt: skip
    state = State.begin(1, d, dtype, sparse=data.sparse, constant=constant, beside=())
    if start is not None:
        state.theta[0], state.offset[0] = start[:d], start[d:].sum()
    learner = Learner(problem, closed_scheme("ovr", 2), state, ERROR)
    mistakes = np.zeros((1, n), np.int64)

    def enough(epoch: Epoch[Updates]) -> bool:
        """Whether another epoch is not worth its time: a regression decides next."""
        tally(epoch.updates.plane, epoch.updates.row, mistakes)
        return data.clock.over or (start is None and narrow and mistakes.sum() * FAR > n)

    separated = False
    with suppress(ThetaOverflow):  # nothing is lost: the exact search needs no theta
        ending = train(
            learner, order="shuffled", max_iter=max_iter, random=np.random.RandomState(0),
            begin=lambda: None, observe=enough, counts_matter=False,
        )  # fmt: skip
        separated = ending.status == SEPARATED
    return Attempt(
        separated,
        state.theta[0].astype(np.float64),
        float(state.offset[0]),
        mistakes[0],
    )


def decide(data: Labelled, core: bool) -> Separability:
    """Whether the classes are separable; see :func:`novikoff.separability`."""
    search = _Search(data, core)
    try:
        with nullcontext() if data.few else one_thread():
            search.run()
    except OutOfTime:
        return search.certificate(f"The time limit of {data.clock.time_limit:g} s is reached.")
    except TooLarge as error:
        return search.certificate(str(error))
    return search.certificate(None)


class _Search:
    """A search for an answer, and what it knows already.

    Attributes
    ----------
    attempt : what the perceptron found
    face : how far weak separators are known to reach
    obstruction : rows that cancel, once they are known
    judged : what becomes of each coefficient and why, once it is known
    """

    def __init__(self, data: Labelled, core: bool) -> None:
        self.data, self.core = data, core
        self.attempt: Attempt | None = None
        self.face = Face(None, np.arange(data.shape[0]), None, None)
        self.obstruction: Weighted | None = None
        self.judged: tuple[tuple[str, ...], tuple[Evidence, ...]] | None = None

    def run(self) -> None:
        """Find out everything that was asked for; raises OutOfTime or TooLarge."""
        self.data.clock.say("rows that contradict each other")
        self.opposites = Opposites(self.data)
        pair = self.opposites.pair()
        if pair is not None:
            self.obstruction = Weighted(pair, [fmpq(1), fmpq(1)])
        if self.core and self.data.small:  # what comes next knows it all, and takes little time
            n, d = self.data.shape
            self.attempt = Attempt(False, np.zeros(d), 0.0, np.zeros(n, np.int64))
        else:
            self.attempt = perceptron(self.data, hopeless=pair is not None)
        if self.attempt.separated and not self.core:
            self.face = Face(None, self.face.rows[:0], None, None)
            return
        self.scaled = Scaled(self.data)
        important = np.argsort(-self.attempt.mistakes, kind="stable")
        if pair is not None:  # rows with an opposite come first: they cancel by themselves
            alone = ~self.data.among(important, self.opposites.rows)
            important = important[np.argsort(alone, kind="stable")]
        if self.attempt.separated:
            w = self.scaled.integral(self.attempt.vector(self.data).tolist())
            self.face = Face(w, self.face.rows[:0], None, None)
        else:
            self._weakly(important)
            self._strictly(important)
        if self.core:
            strict = self.face.w is not None and len(self.face.rows) == 0
            push = self._pushed if strict and not self.data.few else None
            self.judged = judge(self.scaled, important, self.face, push)

    @cached_property
    def _inside(self) -> Floats:
        """A strict separator that the perceptron finds, or the last that it met."""
        return perceptron(self.data, start=np.zeros(self.data.dimension)).vector(self.data)

    def _pushed(self, j: int) -> list[fmpz] | None:
        """A strict separator that the perceptron finds from a start with another sign at j."""
        assert self.face.w is not None
        start = self._inside.copy()
        side = 1 if self.face.w[j] >= 0 else -1
        with np.errstate(over="ignore"):
            start[j] = -side * PUSHED * float(np.linalg.norm(start))
        most = np.finfo(theta_dtype(self.data.rows.values.dtype)).max
        if not abs(start[j]) < most:
            return None
        found = perceptron(self.data, start=start)
        if not found.separated:
            return None
        return self.scaled.integral(found.vector(self.data).tolist())

    def _weakly(self, important: Ints) -> None:
        """Find a weak separator, or the one that reaches furthest if the core is asked for."""
        try:
            for face in weak_separators(self.scaled, important, self.opposites):
                self.face = face
                if face.w is not None and not self.core:
                    break
        except TooLarge:
            self._strictly(important)
            if len(self.face.rows):
                raise

    def _strictly(self, important: Ints) -> None:
        """Find rows that cancel, of those that the face leaves open, or a strict separator."""
        if len(self.face.rows) == 0 or self.obstruction is not None:
            return
        withins = [self.face.rows]
        if self.face.spanning is not None:  # they cancel, so a few of them do (Caratheodory)
            if len(self.face.spanning.rows) <= self.data.dimension + 1:
                self.obstruction = self.face.spanning
                return
            spanning = np.array(sorted(self.face.spanning.rows), np.int64)
            withins = [spanning] if self.data.few else [spanning[::2], spanning]
        for within in withins:
            found = StrictCone(self.scaled, within, important).answer()
            if isinstance(found, Weighted):
                self.obstruction = found
                return
        assert isinstance(found, Halfspace)
        self.face = beyond(self.scaled, self.face, found.w)

    # --------------------------------------------------------------- what is known

    def certificate(self, ended: str | None) -> Separability:
        """What is known. `ended` says why the search did not end by itself, if so."""
        verdict, spanning = self._verdict(), self.face.spanning
        if self.judged is None and verdict != OVERLAPPING:
            spanning = None  # it speaks of overlap rows that are not told
        infinite, evidence = self.judged or (None, None)
        return Separability(
            verdict,
            self._separator(),
            _combination(self.obstruction),
            _combination(spanning),
            None if self.judged is None else self.face.rows,
            infinite,
            evidence,
            self.data.fit_intercept,
            self.data.shape,
            self.data.digest,
            None if ended is None else f"{ended} {self._so_far(verdict)}",
        )

    def _verdict(self) -> str:
        if len(self.face.rows) == 0:
            return SEPARABLE
        if self.obstruction is not None and self.face.w is not None:
            return QUASI_SEPARABLE
        if self.obstruction is not None and self.face.spanning is not None:
            return OVERLAPPING
        return UNDECIDED

    def _separator(self) -> Separator | None:
        if self.face.w is not None:
            return self.scaled.separator(self.face.w)
        if self.attempt is not None and self.attempt.separated:
            return Separator(self.attempt.theta, self.attempt.offset)
        return None

    def _so_far(self, verdict: str) -> str:
        """What is known when a search has to end, in words."""
        if verdict != UNDECIDED:
            return (
                f"That the rows are {verdict} is proved; what more was asked, of single rows and "
                "coefficients, is not known."
            )
        n = self.data.shape[0]
        if self.obstruction is not None:
            return (
                "No hyperplane has every row strictly on its side; whether one has some there and "
                "none on the wrong side is not known."
            )
        if self.face.w is not None:
            return (
                f"A hyperplane has {n - len(self.face.rows)} of {n} rows strictly on their side "
                "and the others on it; whether one has them all there is not known."
            )
        if self.attempt is None:
            return "Nothing is known yet."
        scores = self.data.scores(self.attempt.theta, self.attempt.offset)
        wrong = int((scores <= 0).sum())
        return f"The perceptron's last hyperplane has {wrong} of {n} rows not on their side."


def _combination(found: Weighted | None) -> Combination | None:
    return None if found is None else combination(found.rows, found.weights)
