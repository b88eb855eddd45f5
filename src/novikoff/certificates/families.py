"""The rows of the families' cones.

A direction w is one of recession, along which no likelihood of these families ever falls, if it has
w . z >= 0 for certain rows z; the likelihood rises along it if one of them is positive. So there
are estimates exactly if no direction is (Albert and Anderson 1984; Correia, Guimarães and Zylkin
2019 for Poisson). With x_i the rows of X:

- binomial: (x_i, 1) for a row with successes, -(x_i, 1) for one with failures; both for both.
- poisson: (x_i, 1) if y_i > 0, and -(x_i, 1) always.
- multinomial: (theta_y - theta_c) . (x_i, 1) for every class c but y_i; the first class has
  theta = 0.
- ordinal, P(y <= k) = F(alpha_k - x . beta): alpha_k >= x . beta of class k, alpha_{k-1} <= it.
- conditional: x_i - x_j for i chosen and j not, both in one group. That all chosen are above all
  others is said of large groups with a threshold between them, alpha <= x_i and alpha >= x_j.
- cox: x_e - x_j for j at risk when e fails. If a failure of the next failure time is at risk at
  this one, then what is below the next is below this: j is only set against the last failure it
  is at risk for, and against earlier ones whose chain is broken. Tied failures are set against
  the first of them, both ways.

Fixed effects are columns, a 1 for the level. A level at which all outcomes of a binomial or Poisson
model are on the same side separates its rows by itself; they are left out, and then perhaps further
levels. Of those left, the largest factor of a Poisson model needs no columns: see `_pivoted`.

Everything but the multinomial family is a list of *pairs*: x_plus - x_minus, or one of the two with
a threshold (an intercept, if all have the same). Differences of doubles need not be doubles:
a - b = h + l, both doubles, and l is a column of its own with the same coefficient, w_h = w_l by
two more rows of the cone. :mod:`novikoff.certificates.check.families` builds the same rows with
code of its own; `docs/design/0022-separation.md` says in which order.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from novikoff._arrays import Bools, Floats, Ints
from novikoff.certificates.data import beside
from novikoff.certificates.outcomes import Columns, Question, informative

FEW = 8  # pairs of a group for each of its rows, up to which they are listed


class Pairs(NamedTuple):
    """Rows of a cone: x_plus - x_minus; of a row that stands alone (the other is -1) x - x_base.

    Arrays of the same length; -1 for none. `level` is a threshold.
    """

    plus: Ints
    minus: Ints
    level: Ints
    base: Ints


class Cone(NamedTuple):
    """The rows of a cone as the search takes them, and of which rows of X they speak.

    given : rows of X that are separated by a level of a factor alone, and left out
    pivots : rows of X whose score is zero in every direction, left out as well
    """

    X: Any
    sides: Ints
    plus: Ints
    minus: Ints
    given: Ints
    pivots: Ints
    fit_intercept: bool
    asked: tuple[int, ...] | None

    def separated(self, overlap: Ints, n: int) -> tuple[bool, Ints]:
        """Whether all rows of the data are separated, and which of the n are.

        A row of X is separated if all rows of the cone that speak of it are strict; `overlap` are
        those that are not.
        """
        held = np.zeros(len(self.sides), bool)
        held[overlap] = True
        speaks, silent = np.zeros(n, bool), np.zeros(n, bool)
        silent[self.pivots] = True
        for side in (self.plus, self.minus):
            speaks[side[side >= 0]] = True
            silent[side[(side >= 0) & held]] = True
        speaks[self.given] = True
        return not silent.any(), np.flatnonzero(speaks & ~silent)


def cone(asked: Question) -> Cone:
    """The rows of the cone of a question."""
    if asked.family == "multinomial":
        return _against_each_class(asked)
    pairs, factors = PAIRS[asked.family](asked.columns), list(asked.factors)
    given = pivots = np.zeros(0, np.int64)
    if factors and asked.family in ("binomial", "poisson"):
        left = _left(pairs, factors)
        given = np.setdiff1d(np.maximum(pairs.plus, pairs.minus), np.flatnonzero(left))
        factors = [_renumbered(factor, left) for factor in factors]
        pairs = _some(pairs, left)
        if asked.family == "poisson" and asked.X.shape[1] and asked.columns["y"].any():
            largest = max(range(len(factors)), key=lambda k: factors[k].max())
            others, first = _pivoted(pairs, asked.columns["y"], factors[largest], left)
            if len(others.plus):
                pairs, pivots = others, first
                del factors[largest]
    factors = [factor - int(k > 0 or len(pivots) > 0) for k, factor in enumerate(factors)]
    if len(pairs.plus) == 0:
        raise ValueError("No two rows can be compared, so there is nothing to estimate.")
    order = np.lexsort((pairs.level, pairs.minus, pairs.plus))
    pairs = Pairs(*(part[order] for part in pairs))
    return _of_pairs(asked, pairs, factors)._replace(given=given, pivots=pivots)


# ---------------------------------------------------------------------- fixed effects


def _left(pairs: Pairs, factors: list[Ints]) -> Bools:
    """The rows that no level of a factor separates alone, one after the other.

    It does if none of its rows is above, or none below. All rows are left if otherwise none were.
    """
    n = len(factors[0])
    above, below, left = np.zeros(n, bool), np.zeros(n, bool), np.ones(n, bool)
    above[pairs.plus[pairs.plus >= 0]] = True
    below[pairs.minus[pairs.minus >= 0]] = True
    while True:
        alone = np.zeros(n, bool)
        for factor in factors:
            size = int(factor.max()) + 1
            ups, downs = (
                np.bincount(factor[left & side], minlength=size) for side in (above, below)
            )
            alone |= ((ups == 0) | (downs == 0))[factor]
        if not (alone & left).any():
            return left
        left &= ~alone
        if not left.any():
            return ~left


def _renumbered(factor: Ints, left: Bools) -> Ints:
    """The levels that are left, numbered anew; -1 for rows that are not."""
    found = np.full(len(factor), -1)
    found[left] = np.unique(factor[left], return_inverse=True)[1]
    return found


def _some(pairs: Pairs, rows: Bools) -> Pairs:
    """The pairs of some rows that stand alone."""
    kept = rows[np.maximum(pairs.plus, pairs.minus)]
    return Pairs(*(part[kept] for part in pairs))


def _pivoted(pairs: Pairs, y: Floats, factor: Ints, left: Bools) -> tuple[Pairs, Ints]:
    """Poisson without columns for a factor, and the rows that stand for its levels.

    Of every level the first row with y > 0 is a pivot: its score is zero in every direction, so it
    may be subtracted from the others.
    """
    positive = np.flatnonzero(left & (y > 0))[::-1]
    pivot = np.zeros(int(factor.max()) + 1, np.int64)
    pivot[factor[positive]] = positive
    others = left.copy()
    others[pivot] = False
    pairs = _some(pairs, others)
    return pairs._replace(base=pivot[factor[np.maximum(pairs.plus, pairs.minus)]]), pivot


# ------------------------------------------------------------------------------ pairs


def _alone(plus: Ints, minus: Ints, *levels: Ints) -> Pairs:
    """Rows that stand alone, with the thresholds of each if there are any."""
    nothing = np.full(len(plus) + len(minus), -1)
    return Pairs(
        np.concatenate([plus, nothing[: len(minus)]]),
        np.concatenate([nothing[: len(plus)], minus]),
        np.concatenate(levels) if levels else nothing,
        nothing,
    )


def _paired(plus: Ints, minus: Ints) -> Pairs:
    """Rows that are set against each other, without thresholds."""
    nothing = np.full(len(plus), -1)
    return Pairs(plus, minus, nothing, nothing)


def _binomial(columns: Columns) -> Pairs:
    found = (np.flatnonzero(columns[name] > 0) for name in ("successes", "failures"))
    return _alone(*found)


def _poisson(columns: Columns) -> Pairs:
    return _alone(np.flatnonzero(columns["y"] > 0), np.arange(len(columns["y"])))


def _ordinal(columns: Columns) -> Pairs:
    number = columns["class"].astype(np.int64)
    above, below = np.flatnonzero(number > 0), np.flatnonzero(number < number.max())
    return _alone(above, below, number[above] - 1, number[below])


def _conditional(columns: Columns) -> Pairs:
    found: list[Pairs] = []
    threshold = 0
    for chosen, others in informative(columns):
        if len(chosen) * len(others) <= FEW * (len(chosen) + len(others)):
            found.append(_paired(np.repeat(chosen, len(others)), np.tile(others, len(chosen))))
        else:
            alone = _alone(chosen, others)
            found.append(alone._replace(level=np.full(len(alone.plus), threshold)))
            threshold += 1
    return Pairs(*(np.concatenate(part) for part in zip(*found, strict=True)))


def _cox(columns: Columns) -> Pairs:
    found = [np.zeros((0, 2), np.int64)]
    order = np.argsort(columns["stratum"], kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(columns["stratum"][order])) + 1):
        found += _at_risk(rows, *(columns[name][rows] for name in ("time", "event", "entry")))
    return _paired(*np.concatenate(found).T)


def _at_risk(rows: Ints, time: Floats, event: Floats, entry: Floats) -> list[Ints]:
    """The pairs of a stratum, as arrays of two columns."""
    fails = np.flatnonzero(event > 0)
    times, first, number = np.unique(time[fails], return_index=True, return_inverse=True)
    if len(times) == 0:
        return []
    leader = rows[fails[first]]
    start = np.searchsorted(times, entry, side="right")
    last = np.searchsorted(times, time, side="right") - 1
    last[fails] -= 1  # a failure is not set against itself
    linked = np.zeros(len(times), bool)
    linked[number[start[fails] < number] - 1] = True
    here = np.flatnonzero(last >= start)
    found = [np.column_stack([leader[last[here]], rows[here]])]
    broken = np.flatnonzero(~linked)
    low, high = np.searchsorted(broken, start[here]), np.searchsorted(broken, last[here])
    many = high > low
    found += [
        np.column_stack([leader[broken[a:b]], np.full(b - a, j)])
        for j, a, b in zip(rows[here[many]], low[many], high[many], strict=True)
    ]
    tied = rows[fails] != leader[number]
    both = np.column_stack([leader[number[tied]], rows[fails[tied]]])
    return [*found, both, both[:, ::-1]]


PAIRS = {
    "binomial": _binomial, "poisson": _poisson, "ordinal": _ordinal, "conditional": _conditional,
    "cox": _cox,
}  # fmt: skip


# --------------------------------------------------------------------------- matrices


def _dummies(numbers: Ints) -> Any:
    """A column for each number, with a 1 in the rows that have it; none for -1."""
    rows = np.flatnonzero(numbers >= 0)
    shape = (len(numbers), int(numbers.max(initial=-1)) + 1)
    return sp.csr_array((np.ones(len(rows)), (rows, numbers[rows])), shape=shape)


def _of_pairs(asked: Question, pairs: Pairs, factors: list[Ints]) -> Cone:
    """Pairs as rows of doubles with sides: a difference that is no double is in two columns."""
    plus, minus, level, base = pairs
    nobody = np.zeros(0, np.int64)
    sides = np.where(plus >= 0, 1, -1)
    first = np.where(plus >= 0, plus, minus)
    second = np.where((plus >= 0) & (minus >= 0), minus, base)
    n_levels = int(level.max(initial=-1)) + 1
    dummies = [_rows(each, first) - _rows(each, second) for each in map(_dummies, factors)]
    blocks, low = [asked.X[first]], None
    if (second >= 0).any():
        blocks[0], low = _difference(*(_rows(asked.X, rows) for rows in (first, second)))
    if n_levels:
        levels = _dummies(level)
        blocks.append(levels if sp.issparse(asked.X) or dummies else levels.toarray())
    judged = asked.X.shape[1] + (n_levels if asked.family == "ordinal" else 0)
    Z = beside([*blocks, *dummies])
    if low is not None:
        Z, more = _with_remainders(Z, low)
        neither = np.full(2 * more, -1)
        sides = np.concatenate([sides, np.repeat([1, -1], more)])
        plus, minus = np.concatenate([plus, neither]), np.concatenate([minus, neither])
    asks = None if judged == Z.shape[1] else tuple(range(judged))
    return Cone(Z, sides, plus, minus, nobody, nobody, asked.fit_intercept, asks)


def _rows(X: Any, rows: Ints) -> Any:
    """The rows of X in doubles; zeros for -1."""
    if sp.issparse(X):
        here = np.flatnonzero(rows >= 0)
        pick = sp.csr_array((np.ones(len(here)), (here, rows[here])), (len(rows), X.shape[0]))
        return pick @ X.astype(np.float64)
    return np.where(rows[:, None] >= 0, X[rows].astype(np.float64), 0.0)


def _with_remainders(Z: Any, low: Any) -> tuple[Any, int]:
    """Z and what was lost of its first columns, as further ones with the same coefficients.

    Two rows for each say that: the difference of the two coefficients is neither above 0 nor below.
    """
    inexact = np.unique(low.nonzero()[1])
    k = len(inexact)
    if not k:
        return Z, 0
    Z = beside([Z, low[:, inexact]])
    same = np.zeros((k, Z.shape[1]))
    same[np.arange(k), inexact] = 1.0
    same[np.arange(k), Z.shape[1] - k + np.arange(k)] = -1.0
    stacked = [Z, same, same]
    return (sp.csr_array(sp.vstack(stacked)) if sp.issparse(Z) else np.vstack(stacked)), k


def _difference(a: Any, b: Any) -> tuple[Any, Any]:
    """h and l with a - b = h + l exactly, h being the rounded difference (Knuth's TwoSum)."""
    with np.errstate(over="ignore", invalid="ignore"):
        high = a - b
        back = high - a
        low = (a - (high - back)) - (b + back)
    values = high.data if sp.issparse(high) else high
    if not np.isfinite(values).all():
        raise ValueError("Values of X are so large that their differences overflow; scale them.")
    return high, low


def _against_each_class(asked: Question) -> Cone:
    """For each row and each class that is not its own: (theta_y - theta_c) . (x, 1)."""
    number = asked.columns["class"].astype(np.int64)
    n, n_classes = len(number), int(number.max()) + 1
    ones = [np.ones((n, 1))] if asked.fit_intercept else []
    factors = [_dummies(factor - int(k > 0)) for k, factor in enumerate(asked.factors)]
    X = beside([sp.csr_array(asked.X, dtype=np.float64), *ones, *factors])
    rows, rival = np.nonzero(np.arange(n_classes) != number[:, None])
    own, place = number[rows], np.arange(len(rows))
    blocks = []
    for c in range(1, n_classes):
        sign = (own == c).astype(float) - (rival == c)
        used = np.flatnonzero(sign)
        shape = (len(rows), n)
        blocks.append(sp.csr_array((sign[used], (place[used], rows[used])), shape=shape) @ X)
    judged = len(asked.coefficients)
    return Cone(
        beside(blocks), np.ones(len(rows), np.int64), rows, np.full(len(rows), -1), rows[:0],
        rows[:0], False,
        tuple(c * X.shape[1] + j for c in range(n_classes - 1) for j in range(judged)),
    )  # fmt: skip
