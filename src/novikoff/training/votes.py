"""The voted perceptron (Freund and Schapire 1999): all hypotheses, as the updates between them.

A hypothesis is never stored. The rows that caused updates are, once each; hypotheses are rebuilt
from them in blocks, bit for bit, and every vote h_k(x) is the exact sign of theta^(k) . x.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff._arrays import Array, Bools, Floats, Ints
from novikoff.kernels.exact import N_LIMBS
from novikoff.kernels.filter import precision_of, weight_norms
from novikoff.kernels.rows import Rows, take
from novikoff.kernels.votes import count_signs, count_strongest, unfold, unfold_joint
from novikoff.training import matrix
from novikoff.training.growing import appended, appended_rows
from novikoff.training.learners import Updates
from novikoff.training.prediction import (
    LinearModel,
    classes_of_scores,
    decision_of_scores,
)
from novikoff.training.problem import Problem
from novikoff.training.schemes import Scheme
from novikoff.training.state import State, kept_beside

_BLOCK_BYTES = 2**22  # of the hypotheses that are multiplied with rows at once
_FEW = 32  # rows for which choosing whom to ask takes longer than asking all
_COUNTED = 2**14  # rows whose votes are counted together; those still open are copied
_SHARES = (0.55, 0.7, 0.85, 1.0)  # of all votes, that are counted after each round
_SINGLE = precision_of(np.dtype(np.float32))


class Chain(NamedTuple):
    """The updates that lead from one hypothesis of a hyperplane to the next."""

    row: Ints  # into the kept rows
    numbers: Array  # (., N) see `Updates`
    time: Ints
    rival: Ints  # joint: the class x was subtracted from
    own: Ints  # joint: the class x was added to

    @classmethod
    def empty(cls, dtype: Any, n_numbers: int = 1) -> Chain:
        none = np.zeros(0, np.int64)
        return cls(none, np.zeros((0, n_numbers), dtype), none, none, none)

    def extended(self, added: Chain) -> Chain:
        """With the updates of another chain after these."""
        return Chain(*(appended(*pair) for pair in zip(self, added, strict=True)))

    def survival_times(self, first: int, last: int) -> Ints:
        """How many of the examples first + 1 ... last each hypothesis was the current one for."""
        return np.diff(np.concatenate([[first + 1], self.time, [last + 1]]))


def chains_of(scheme: Scheme, labels: Ints, updates: Updates, place: Ints) -> list[Chain]:
    """The updates of a run, one chain per hyperplane (one in all if joint).

    labels : the class of each row; place : where the row of each update is kept
    """
    own = labels[updates.row]
    chains = []
    for k in range(scheme.n_parts):
        mine = slice(None) if scheme.joint else updates.plane == k
        fields = (place, updates.numbers, updates.time, updates.plane, own)
        chains.append(Chain(*(field[mine] for field in fields)))
    return chains


@dataclass(eq=False)
class History:
    """Everything a vote needs: the start, the kept rows, one chain per independent hypothesis."""

    rule: Any
    scheme: Scheme
    start: State
    kept: list[Rows] = field(default_factory=list)
    n_kept: int = 0
    chains: list[Chain] = field(default_factory=list)

    @classmethod
    def begin(cls, rule: Any, scheme: Scheme, state: State) -> History:
        start = state.prepared(state.theta.dtype, sparse=False)
        none = Chain.empty(start.theta.dtype, rule.NUMBERS)
        return cls(rule, scheme, start, chains=[none] * scheme.n_parts)

    def copy(self) -> History:
        """A history that can be extended without changing this one."""
        return replace(self)

    def extend(self, problem: Problem, updates: Updates) -> None:
        """Add the updates of a run over `problem`; its rows that caused them are copied."""
        index, place = np.unique(updates.row, return_inverse=True)
        place = place + self.n_kept
        if len(index):
            self.kept = appended_rows(self.kept, take(problem.rows, index))
            self.n_kept += len(index)
        added = chains_of(self.scheme, problem.examples.labels, updates, place)
        self.chains = [old.extended(new) for old, new in zip(self.chains, added, strict=True)]

    def descend(self, scheme: Scheme, ancestors: list[int | None]) -> None:
        """Take over a scheme with more classes; see `schemes.ancestors`."""
        none = Chain.empty(self.start.theta.dtype, self.rule.NUMBERS)
        self.start = self.start.descend(ancestors, kept_beside(self.rule))
        self.chains = [none if a is None else self.chains[a] for a in ancestors]
        self.scheme = scheme

    def resize(self, width: int) -> None:
        """Go on with another number of features, of sparse rows; see `State.resized`."""
        self.start = self.start.resized(width, kept_beside(self.rule))
        self.kept = [rows._replace(width=width) for rows in self.kept]

    def survival_times(self, counts: Ints) -> list[Ints]:
        """Per chain, how many examples each hypothesis was the current one for.

        `counts` are the examples seen at the end; those of the start were seen before.
        """
        return [
            chain.survival_times(int(self.start.counts[k]), int(counts[k]))
            for k, chain in enumerate(self.chains)
        ]

    def votes(self, rows: Rows, row_norms: Floats, counts: Ints) -> Ints:
        """(n, K): the sum of c_k h_k(x) per hyperplane; joint: the survival time a class wins."""
        survival = self.survival_times(counts)
        if self.scheme.joint:
            return self._joint_votes(rows, row_norms, survival[0])
        result = np.zeros((self.scheme.n_shown, len(row_norms)), np.int64)
        for k in range(self.scheme.n_shown):
            self.tally(rows, row_norms, k, survival[k], result[k])
        return result.T

    def _support(self) -> Rows:
        if self.kept:
            self.kept = [matrix.stack(self.kept)]
            return self.kept[0]
        return Rows(np.zeros(0, self.start.theta.dtype), None, None, self.start.theta.shape[1])

    def hypotheses(self, k: int, wanted: Ints) -> Iterator[tuple[Ints, Array, Array]]:
        """Those of hyperplane k after so many updates (ascending), in blocks: theta, offset."""
        chain, state, done = self.chains[k], self.start.only(k), 0
        n_block = _block_of(state.theta)
        for first in range(0, len(wanted), n_block):
            block = wanted[first : first + n_block]
            thetas, offsets = _room(len(block), state.theta)
            unfold(
                self.rule, self._support(), state.hypothesis, chain.row, chain.numbers, done, block,
                thetas, offsets,
            )  # fmt: skip
            yield block, thetas, offsets
            done = block[-1]

    def tally(self, rows: Rows, row_norms: Floats, k: int, weights: Ints, result: Ints) -> None:
        """result += sum over the hypotheses of hyperplane k of weight * h(x), in blocks of both."""
        limbs = np.empty(N_LIMBS, np.int64)
        for block, thetas, offsets in self.hypotheses(k, np.flatnonzero(weights)):
            for low, products, norms in _products(rows, len(row_norms), thetas, offsets):
                count_signs(
                    rows, low, row_norms, thetas, offsets, norms, products, _SINGLE, weights[block],
                    limbs, result,
                )  # fmt: skip

    def _joint_votes(self, rows: Rows, row_norms: Floats, survival: Ints) -> Ints:
        """(n, C): class r gets the survival times of the hypotheses whose argmax is r."""
        chain = self.chains[0]
        state = self.start.prepared(self.start.theta.dtype, sparse=False)
        n_classes = len(self.scheme.roles)
        result = np.zeros((len(row_norms), n_classes), np.int64)
        n_block = _block_of(state.theta)
        scratch = (np.empty(n_classes, np.int64), np.empty(n_classes), np.empty(n_classes))
        limbs = np.empty(N_LIMBS, np.int64)
        for first in range(0, max(len(chain.row), 1), n_block):
            weights = survival[first : first + n_block + 1].copy()
            thetas, offsets = _room(n_classes + 2 * (len(weights) - 1), state.theta)
            unfold_joint(
                self.rule, self._support(), state.hypothesis, chain.row, chain.own, chain.rival,
                chain.numbers, first, thetas, offsets,
            )  # fmt: skip
            if first > 0:
                weights[0] = 0  # the last hypothesis of the block before
            for low, products, norms in _products(rows, len(row_norms), thetas, offsets):
                count_strongest(
                    rows, low, row_norms, thetas, offsets, norms, products, _SINGLE, chain.own,
                    chain.rival, first, weights, *scratch, limbs, result,
                )  # fmt: skip
        return result


def _block_of(theta: Array) -> int:
    """How many hypotheses are multiplied with rows at once."""
    return int(np.clip(_BLOCK_BYTES // (8 * max(theta.shape[1], 1)), 1, 256))


def _room(n: int, theta: Array) -> tuple[Array, Array]:
    """Space for n hypotheses: theta and offset."""
    return np.empty((n, theta.shape[1]), theta.dtype), np.empty(n, theta.dtype)


def _products(
    rows: Rows, n_rows: int, thetas: Array, offsets: Array
) -> Iterator[tuple[int, NDArray[np.float32], Floats]]:
    """Block by block of rows: the first, x . theta in single precision, and bounds on ||theta||."""
    norms = np.empty(len(offsets))
    weight_norms(thetas, offsets, norms)
    X = matrix.as_matrix(rows)
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows is not trusted
        copy = thetas.T.astype(np.float32, order="C" if rows.indices is not None else "K")
        for low in range(0, n_rows, 1024):
            part = X[low : low + 1024].astype(np.float32, copy=False)
            yield low, np.asarray(part @ copy), norms


@dataclass(frozen=True)
class VotedModel:
    """A history that classifies; a hyperplane's score is its votes."""

    history: History
    counts: Ints

    @property
    def scheme(self) -> Scheme:
        return self.history.scheme

    def _votes(self, rows: Rows, n_rows: int) -> Floats:
        """(n, K): the votes of every hyperplane, as floats because that is what scores are."""
        row_norms = matrix.norms_of(rows, n_rows, 1.0)
        return self.history.votes(rows, row_norms, self.counts).astype(np.float64)

    def decision(self, rows: Rows, n_rows: int) -> Array:
        """What `decision_function` returns, see `decision_of_scores`."""
        return decision_of_scores(self.scheme, self._votes(rows, n_rows))

    def classes(self, rows: Rows, n_rows: int) -> Ints:
        """(n,): the predicted class numbers."""
        if self.scheme.joint or n_rows < _FEW:
            return classes_of_scores(self.scheme, self._votes(rows, n_rows))
        row_norms = matrix.norms_of(rows, n_rows, 1.0)
        result = np.empty(n_rows, np.int64)
        for first in range(0, n_rows, _COUNTED):
            part = slice(first, first + _COUNTED)
            count = _Count(self.history, self.counts, take(rows, part), row_norms[part])
            result[part] = count.classes()
        return result


class _Count:
    """A count that leaves out, row by row, the votes that could not change its class.

    Hypotheses that survived for long are asked first: a few of them have most of the votes.
    """

    def __init__(self, history: History, counts: Ints, rows: Rows, row_norms: Floats) -> None:
        self.history, self.counts = history, counts
        self.rows, self.row_norms = rows, row_norms
        survival = history.survival_times(counts)[: history.scheme.n_shown]
        self.rounds = [_in_rounds(times) for times in survival]

    def classes(self) -> Ints:
        """(n,): the predicted class numbers."""
        scheme = self.history.scheme
        if scheme.pairs:
            return self._of_pairs(scheme)
        votes = self._until_decided(np.arange(len(self.row_norms)), np.arange(scheme.n_shown))
        return classes_of_scores(scheme, votes)

    def _of_pairs(self, scheme: Scheme) -> Ints:
        """A class that wins all its pairs needs no others; which one may is guessed first."""
        result = LinearModel(scheme, *self._means()).classes(self.rows, len(self.row_norms))
        lost = np.zeros(len(result), np.bool_)
        for k, (negative, positive) in enumerate(scheme.roles[: scheme.n_shown]):
            mine = np.flatnonzero((result == negative) | (result == positive))
            votes = self._until_decided(mine, np.array([k]))[:, 0]
            lost[mine] |= np.where(votes >= 0, positive, negative) != result[mine]
        few = np.flatnonzero(lost)
        if len(few):
            every = self.history.votes(take(self.rows, few), self.row_norms[few], self.counts)
            result[few] = classes_of_scores(scheme, every.astype(np.float64))
        return result

    def _means(self) -> tuple[Array, Array]:
        """(K, d), (K,): of the hypotheses that are asked first, each as often as it survived."""
        theta = np.zeros((len(self.rounds), self.history.start.theta.shape[1]))
        offset = np.zeros(len(self.rounds))
        for k, (weights, *_) in enumerate(self.rounds):
            shares = weights / max(weights.sum(), 1)
            for block, thetas, offsets in self.history.hypotheses(k, np.flatnonzero(weights)):
                theta[k] += shares[block] @ thetas
                offset[k] += shares[block] @ offsets
        return theta, offset

    def _until_decided(self, mine: Ints, planes: Ints) -> Floats:
        """(n, K): votes at the rows `mine`, of which the sign, or the largest, is that of all."""
        votes = np.zeros((len(planes), len(mine)), np.int64)
        left = np.array([[sum(map(np.sum, self.rounds[k]))] for k in planes])
        for number in range(len(_SHARES)):
            asked = _undecided(votes, left)
            for j in np.flatnonzero(asked.any(axis=1)):
                weights = self.rounds[planes[j]][number]
                some = np.flatnonzero(asked[j])
                at, found = mine[some], votes[j, some]
                few = take(self.rows, at)
                self.history.tally(few, self.row_norms[at], planes[j], weights, found)
                votes[j, some] = found
                left[j] -= weights.sum()
        return votes.T.astype(np.float64)


def _in_rounds(survival: Ints) -> list[Ints]:
    """The same weights, each in one round of them and 0 in the others: the heaviest come first."""
    order = np.argsort(-survival, kind="stable")
    before = np.cumsum(survival[order]) - survival[order]
    rounds = np.empty(len(survival), np.int64)
    rounds[order] = np.searchsorted(_SHARES, before / max(survival.sum(), 1), side="right")
    return [np.where(rounds == number, survival, 0) for number in range(len(_SHARES))]


def _undecided(votes: Ints, left: Ints) -> Bools:
    """(K, n): which hyperplanes may still change what is predicted, with (K, 1) more votes each."""
    in_it: Bools = votes + left >= (votes - left).max(axis=0)
    return in_it & (in_it.sum(axis=0) > 1) if len(votes) > 1 else np.abs(votes) <= left


class RunningVote:
    """The votes at rows that stay the same, counted on while a run goes on.

    An epoch's hypotheses, from the one it began with, are a history of their own; the sums of votes
    are integers, so that those of all epochs add up to what one count of them all would give.
    """

    def __init__(self, begun: History, rows: Rows, row_norms: Floats) -> None:
        """`begun` has no updates yet."""
        self.rows = rows
        self.row_norms = row_norms
        self._now = begun.copy()
        self._votes = np.zeros((len(row_norms), begun.scheme.n_shown), np.int64)

    def add(self, problem: Problem, updates: Updates, state: State) -> None:
        """Count the votes of an epoch, which has led to `state`."""
        self._now.extend(problem, updates)
        self._votes += self._now.votes(self.rows, self.row_norms, state.counts)
        self._now = History.begin(self._now.rule, self._now.scheme, state)

    def classes(self) -> Ints:
        """(n,): the predicted class numbers."""
        return classes_of_scores(self._now.scheme, self._votes.astype(np.float64))
