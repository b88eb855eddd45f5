"""What to try first: the perceptron itself, and a look for rows that contradict each other."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.data import Labelled
from novikoff.certificates.whole import row
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
NARROW = 2000  # up to so many columns a regression decides next, and takes less than more epochs
BLOCK = 1 << 16  # values that are hashed at a time
MIX = np.uint64(0x9E3779B97F4A7C15)


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

    def margins(self, data: Labelled) -> NDArray[np.float64]:
        """y_i s(x_i) of every row; the signs are exact."""
        from novikoff.training.prediction import scores

        offset = np.array([self.offset])
        found = scores(data.rows, len(data.norms), self.theta[None, :], offset)[:, 0]
        return found * data.y


def perceptron(data: Labelled) -> Attempt:
    """Run the perceptron on the data, within a budget."""
    n, d = data.shape
    dtype = theta_dtype(data.rows.values.dtype)
    constant = float(data.fit_intercept)
    affordable = BUDGET // (len(data.rows.values) + VISIT * n)
    most = MOST if n > data.dimension else MOST_IF_WIDE
    if data.dimension <= min(n, NARROW):
        affordable, most = affordable // 10, MOST // 10
    max_iter = int(np.clip(affordable, FEWEST, most))
    data.clock.say(f"perceptron: at most {max_iter} epochs over {n} rows")
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
            begin=lambda: None, observe=lambda _: data.clock.over, counts_matter=False,
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
    hashes = _hashes(data)
    sides = [np.flatnonzero(data.y < 0), np.flatnonzero(data.y > 0)]
    (_, low), (_, high) = (np.unique(hashes[side], return_index=True) for side in sides)
    _, low_at, high_at = np.intersect1d(
        hashes[sides[0][low]], hashes[sides[1][high]], assume_unique=True, return_indices=True
    )
    for i, j in zip(sides[0][low[low_at]].tolist(), sides[1][high[high_at]].tolist(), strict=True):
        if all(np.array_equal(a, b) for a, b in zip(row(data, i), row(data, j), strict=True)):
            return i, j
    return None


def _hashes(data: Labelled) -> NDArray[np.uint64]:
    """A number for every row, the same for equal rows and hardly ever for others."""
    values, indices, indptr, width = data.rows
    factors = np.random.RandomState(0).randint(1, 2**63, data.shape[1], np.uint64) | np.uint64(1)
    hashes = np.zeros(data.shape[0], np.uint64)
    step = max(1, BLOCK * data.shape[0] // max(1, len(values)))
    for begin in range(0, data.shape[0], step):
        end = min(begin + step, data.shape[0])
        part = slice(begin * width, end * width) if indptr is None else slice(*indptr[[begin, end]])
        bits = (values[part].astype(np.float64) + 0.0).view(np.uint64) * MIX
        bits ^= bits >> np.uint64(32)  # the low bits of small whole numbers are all zero
        if indptr is None:
            hashes[begin:end] = (bits.reshape(-1, width) * factors).sum(axis=1, dtype=np.uint64)
        else:
            sums = np.cumsum(bits * factors[indices[part]], dtype=np.uint64)
            ends = np.append(np.uint64(0), sums)[indptr[begin : end + 1] - indptr[begin]]
            hashes[begin:end] = np.diff(ends)
    return hashes
