"""What to try first: the perceptron itself."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from novikoff._arrays import Floats, Ints
from novikoff.certificates.data import Labelled
from novikoff.kernels.rules.perceptron import ERROR
from novikoff.training.learners import Learner, ThetaOverflow
from novikoff.training.loop import SEPARATED, train
from novikoff.training.matrix import theta_dtype
from novikoff.training.problem import build_problem
from novikoff.training.schemes import closed_scheme
from novikoff.training.state import State

BUDGET = 1_000_000_000  # values to look at,
VISIT = 20  # a visit to a row costing as much as so many
FEWEST, MOST = 3, 100  # epochs
MOST_IF_WIDE = 1000  # with more columns than rows, data is separable more often than not
FAR = 20  # a run with more mistakes than one in so many rows is far from its end
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

    def margins(self, data: Labelled) -> Floats:
        """y_i s(x_i) of every row; the signs are exact."""
        from novikoff.training.prediction import scores

        offset = np.array([self.offset])
        found = scores(data.rows, data.shape[0], self.theta[None, :], offset)[:, 0]
        return found * data.y


def no_attempt(data: Labelled) -> Attempt:
    """Nothing is known."""
    n, d = data.shape
    return Attempt(False, np.zeros(d), 0.0, np.zeros(n, np.int64))


def perceptron(data: Labelled, *, hopeless: bool) -> Attempt:
    """Run the perceptron on the data, within a budget.

    hopeless : it cannot separate them; only what it stumbles over is of interest
    """
    n, d = data.shape
    dtype = theta_dtype(data.rows.values.dtype)
    constant = float(data.fit_intercept)
    epoch = len(data.rows.values) + VISIT * n
    affordable = BUDGET // epoch
    most = MOST if n > data.dimension else MOST_IF_WIDE
    narrow = data.dimension <= min(n, NARROW)
    if narrow:
        affordable = min(affordable, REGRESSION * data.dimension**3 // epoch)
    max_iter = FEWEST if hopeless else int(np.clip(affordable, FEWEST, most))
    data.clock.say(f"perceptron: at most {max_iter} epochs over {n} rows")
    problem = build_problem(
        data.rows, (data.y + 1) // 2, np.ones(2), None, np.arange(n), dtype, rule=ERROR,
        constant=constant, n_planes=1, max_iter=max_iter,
    )  # fmt: skip
    state = State.begin(1, d, dtype, sparse=data.sparse, constant=constant, beside=())
    learner = Learner(problem, closed_scheme("ovr", 2), state, ERROR)

    def enough(_: object) -> bool:
        """Whether another epoch is not worth its time: a regression decides next."""
        return data.clock.over or (narrow and learner.counted[0].sum() * FAR > n)

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
        learner.counted[0],
    )
