"""What to try first: the perceptron itself, and a look for rows that contradict each other."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
FEWEST, MOST = 10, 100  # epochs
MOST_IF_WIDE = 1000  # with more columns than rows, data is separable more often than not


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
    theta: NDArray[np.float64]
    offset: float
    mistakes: NDArray[np.int64]


def perceptron(data: Labelled) -> Attempt:
    """Run the perceptron on the data, within a budget."""
    n, d = data.shape
    dtype = theta_dtype(data.rows.values.dtype)
    constant = float(data.fit_intercept)
    most = MOST if n > data.dimension else MOST_IF_WIDE
    max_iter = int(np.clip(BUDGET // (len(data.rows.values) + VISIT * n), FEWEST, most))
    problem = build_problem(
        data.X, (data.y + 1) // 2, np.ones(2), None, np.arange(n), dtype, rule=ERROR,
        constant=constant, n_planes=1, max_iter=max_iter,
    )  # fmt: skip
    state = State.begin(1, d, dtype, sparse=data.sparse, constant=constant, beside={})
    learner = Learner(problem, closed_scheme("ovr", 2), state, ERROR)
    separated = False
    with suppress(ThetaOverflow):  # nothing is lost: the exact search needs no theta
        ending = train(
            learner, order="shuffled", max_iter=max_iter, random=np.random.RandomState(0),
            begin=lambda: None, observe=lambda _: False, counts_matter=False,
        )  # fmt: skip
        separated = ending.status == SEPARATED
    return Attempt(
        separated,
        state.theta[0].astype(np.float64),
        float(state.offset[0]),
        learner.counted[0],
    )


def contradiction(data: Labelled) -> tuple[int, int] | None:
    """Two equal rows on different sides, which no hyperplane separates, if there are any."""
    stored = _stored_rows(data)
    negative = {stored(i): i for i in np.flatnonzero(data.y < 0).tolist()}
    for i in np.flatnonzero(data.y > 0).tolist():
        j = negative.get(stored(i))
        if j is not None:
            return j, i
    return None


def _stored_rows(data: Labelled) -> Callable[[int], bytes | tuple[bytes, bytes]]:
    """A function from row numbers to the bytes of rows."""
    values, indices, indptr, width = data.rows
    if indptr is None:
        return lambda i: values[i * width : (i + 1) * width].tobytes()
    ends = indptr.tolist()
    return lambda i: (
        indices[ends[i] : ends[i + 1]].tobytes(),
        values[ends[i] : ends[i + 1]].tobytes(),
    )
