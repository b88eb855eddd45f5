"""The rows of a regression's cone, built from the data anew.

What the rows are, and why, is said in `docs/design/0022-separation.md`: directions along which the
likelihood never falls are those with w . z >= 0 for all of them. Every row but a multinomial one
is x_plus - x_minus; if one of the two is missing (-1), there may be a threshold instead. They are
sorted by plus, minus and threshold.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.check.data import Data
from novikoff.certificates.check.matrix import Floats, Integers, Matrix, Sparse

Bools = NDArray[np.bool_]
Columns = dict[str, Floats]
Pair = tuple[int, int, int]  # plus, minus, threshold; -1 for none
Entries = tuple[Integers, Integers, Floats]  # of a matrix: row, column, value

NOTHING: Entries = (np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
PAIRS = 8  # per row of a group: more are not listed, the group has a threshold

TAKES = {
    "binomial": (), "poisson": (), "multinomial": (), "ordinal": (), "conditional": ("groups",),
    "cox": ("entry", "strata"),
}  # fmt: skip


class Pairs(NamedTuple):
    """Plus, minus and threshold of rows; and for those that stand alone, the row to subtract."""

    plus: Integers
    minus: Integers
    level: Integers
    base: Integers


class Cone(NamedTuple):
    """The rows z as data with sides, of which rows of X they speak, and what is judged."""

    data: Data
    plus: Integers
    minus: Integers
    given: Integers  # rows of X that a level of a factor separates alone, which are left out
    pivots: Integers  # rows of X with a score of zero in every direction, which are left out
    asked: list[int]
    thresholds: int  # how many of what is judged are thresholds, with the sign turned


# ----------------------------------------------------------------------------- reading


def read_columns(family: str, n: int, y: Any, given: dict[str, Any]) -> Columns:
    """What the family looks at besides X, as numbers; labels as their places in sorted order."""
    for name in ("groups", "entry", "strata"):
        if given[name] is not None and name not in TAKES[family]:
            raise ValueError(f"The family {family!r} takes no {name}.")
    values = np.asarray(y)
    columns: Columns
    if family == "binomial" and values.ndim == 2 and values.shape[1] == 2:
        columns = {"successes": _floats(values[:, 0], n), "failures": _floats(values[:, 1], n)}
    elif family == "binomial":
        columns = {"successes": _halves(values, n)}
        columns["failures"] = 1.0 - columns["successes"]
    elif family == "poisson":
        columns = {"y": _floats(values, n)}
    elif family in ("multinomial", "ordinal"):
        columns = {"class": _places(values, n)}
    elif family == "conditional":
        columns = {"chosen": _halves(values, n), "group": _places(given["groups"], n)}
    else:
        if values.ndim != 2 or values.shape[1] != 2:
            raise ValueError("y must have two columns, times and events.")
        entry, strata = given["entry"], given["strata"]
        columns = {
            "time": _floats(values[:, 0], n),
            "event": _halves(values[:, 1], n),
            "entry": np.full(n, -np.inf) if entry is None else _floats(entry, n),
            "stratum": np.zeros(n) if strata is None else _places(strata, n),
        }
    if family in ("binomial", "poisson") and any((values < 0).any() for values in columns.values()):
        raise ValueError("y has negative counts.")
    for k, factor in enumerate(given["absorb"]):
        columns[f"absorb {k:03}"] = _places(factor, n)
    return columns


def _floats(values: Any, n: int) -> Floats:
    found = np.asarray(values, np.float64)
    if found.shape != (n,) or not np.isfinite(found).all():
        raise ValueError(f"Outcomes must be {n} finite numbers.")
    return found


def _places(values: Any, n: int) -> Floats:
    labels = np.asarray(values)
    if labels.shape != (n,) or (labels != labels).any():
        raise ValueError(f"There must be {n} labels, none of them missing.")
    return np.unique(labels, return_inverse=True)[1].astype(np.float64)


def _halves(values: Any, n: int) -> Floats:
    """0 and 1 for two labels; one label must be one of these numbers itself."""
    places = _places(values, n)
    kinds = np.unique(np.asarray(values))
    if len(kinds) == 1 and kinds[0] in (0, 1):
        return np.full(n, float(kinds[0]))
    if len(kinds) != 2:
        raise ValueError(f"Outcomes must be of two kinds; there are {len(kinds)}.")
    return places


# ------------------------------------------------------------------------------- pairs


def _alone(above: Integers, below: Integers, ups: Integers, downs: Integers) -> Pairs:
    """Rows of X that are above something, or below; with the thresholds that they are so of."""
    none = np.full(len(above) + len(below), -1)
    return Pairs(
        np.concatenate([none[: len(below)], above]),
        np.concatenate([below, none[: len(above)]]),
        np.concatenate([downs, ups]),
        none,
    )


def _listed(pairs: Iterable[Pair]) -> Pairs:
    table = np.array(sorted(pairs), np.int64).reshape(-1, 3)
    return Pairs(table[:, 0], table[:, 1], table[:, 2], np.full(len(table), -1))


def pairs_of(family: str, columns: Columns) -> Pairs:
    """The rows of the cone of every family but the multinomial one."""
    if family == "conditional":
        return _listed(_conditional(columns["chosen"], columns["group"]))
    if family == "cox":
        return _listed(_cox(columns))
    if family == "ordinal":
        number = columns["class"].astype(np.int64)
        above, below = np.flatnonzero(number > 0), np.flatnonzero(number < number.max())
        return _alone(above, below, number[above] - 1, number[below])
    if family == "poisson":
        above, below = np.flatnonzero(columns["y"] > 0), np.arange(len(columns["y"]))
    else:
        above, below = (np.flatnonzero(columns[name] > 0) for name in ("successes", "failures"))
    return _alone(above, below, np.full(len(above), -1), np.full(len(below), -1))


def _one_sided(above: Bools, below: Bools, factors: list[Integers]) -> Bools:
    """The rows that some level of a factor separates alone; none, if that were all of them.

    The rows of a level are moved by its own coefficient without regard to others, if they are all
    above or all below. Without them, that may be true of further levels.
    """
    moved = np.zeros(len(above), bool)
    changed = True
    while changed:
        found = moved.copy()
        for factor in factors:
            both = np.intersect1d(factor[above & ~moved], factor[below & ~moved])
            found |= ~np.isin(factor, both)
        changed = bool((found & ~moved).any())
        moved = found
    return np.zeros(len(above), bool) if moved.all() else moved


def _first_positive(y: Floats, factor: Integers, rows: Bools) -> dict[int, int]:
    """At each level, the first of the rows with y > 0."""
    first: dict[int, int] = {}
    for i in np.flatnonzero(rows & (y > 0)).tolist():
        first.setdefault(int(factor[i]), i)
    return first


def _conditional(chosen: Floats, group: Floats) -> Iterable[Pair]:
    members: defaultdict[float, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for i, (is_chosen, g) in enumerate(zip(chosen.tolist(), group.tolist(), strict=True)):
        members[g][0 if is_chosen else 1].append(i)
    threshold = 0
    for _, (winners, losers) in sorted(members.items()):
        if not winners or not losers:
            continue
        if len(winners) * len(losers) <= PAIRS * (len(winners) + len(losers)):
            yield from ((i, j, -1) for i, j in product(winners, losers))
            continue
        yield from ((i, -1, threshold) for i in winners)
        yield from ((-1, j, threshold) for j in losers)
        threshold += 1


def _cox(columns: Columns) -> Iterable[Pair]:
    for stratum in np.unique(columns["stratum"]):
        rows = np.flatnonzero(columns["stratum"] == stratum)
        time, event, entry = (
            dict(zip(rows.tolist(), columns[name][rows].tolist(), strict=True))
            for name in ("time", "event", "entry")
        )
        failing: dict[float, list[int]] = {}
        for i in sorted((i for i in time if event[i]), key=lambda i: (time[i], i)):
            failing.setdefault(time[i], []).append(i)
        times = list(failing)
        for first, *others in failing.values():
            for other in others:
                yield first, other, -1
                yield other, first, -1
        # What is below the failures of the next time is below those of this one, if one of them
        # is at risk here.
        chained = [any(entry[i] < now for i in failing[later]) for now, later in pairwise(times)]
        breaks = [k for k, holds in enumerate(chained) if not holds]
        for j in time:
            first = bisect_right(times, entry[j])
            last = bisect_right(times, time[j]) - 1 - int(event[j])  # not against itself
            if first <= last:
                skipped = breaks[bisect_left(breaks, first) : bisect_left(breaks, last)]
                yield from ((failing[times[k]][0], j, -1) for k in (*skipped, last))


# ---------------------------------------------------------------------------- matrices


def cone_of(family: str, X: Matrix, columns: Columns, *, offset: bool) -> Cone:
    """The cone of a regression; `offset` says whether it has an intercept."""
    factors = [columns[name] for name in sorted(columns) if name.startswith("absorb")]
    d = X.shape[1]
    if family == "multinomial":
        ones = [np.zeros(X.shape[0], np.int64)] if offset else []
        dummies = [factor.astype(np.int64) - (k > 0) for k, factor in enumerate(factors)]
        return _multinomial(_beside(as_sparse(X), [*ones, *dummies]), columns["class"], d + offset)
    pairs = pairs_of(family, columns)
    numbers = [factor.astype(np.int64) for factor in factors]
    given = pivots = np.zeros(0, np.int64)
    if factors and family in ("binomial", "poisson"):
        rows = np.where(pairs.plus >= 0, pairs.plus, pairs.minus)
        above, below = (np.isin(np.arange(X.shape[0]), part) for part in pairs[:2])
        moved = _one_sided(above, below, numbers)
        given = np.flatnonzero(moved & (above | below))
        numbers = [_renumbered(factor, ~moved) for factor in numbers]
        out, base = moved.copy(), np.full(X.shape[0], -1)
        k = int(np.argmax([factor.max() for factor in numbers]))
        first = _first_positive(columns["y"], numbers[k], ~moved) if family == "poisson" else {}
        if d and first and len(first) + moved.sum() < X.shape[0]:
            pivots = np.array([first[level] for level in sorted(first)], np.int64)
            base = pivots[numbers.pop(k)]
            out[pivots] = True
        pairs = Pairs(*(part[~out[rows]] for part in pairs))
        pairs = pairs._replace(base=base[rows[~out[rows]]])
    # The first factor has a column for each level, unless there is another, without columns.
    dummies = [factor - (k > 0 or len(pivots) > 0) for k, factor in enumerate(numbers)]
    thresholds = int(pairs.level.max(initial=-1)) + 1 if family == "ordinal" else 0
    asked = list(range(d + thresholds + offset))
    cone = _of_pairs(X, pairs, dummies)
    return cone._replace(given=given, pivots=pivots, asked=asked, thresholds=thresholds)


def _renumbered(factor: Integers, rows: Bools) -> Integers:
    """The levels that occur in these rows, numbered from 0; -1 elsewhere."""
    return np.where(rows, np.searchsorted(np.unique(factor[rows]), factor), -1)


def _of_pairs(X: Matrix, pairs: Pairs, dummies: list[Integers]) -> Cone:
    """x_plus - x_minus, or x - x_base with a side: differences rounded, and in further columns,
    with rows that say that they have the same coefficients, what was rounded off."""
    plus, minus, level, base = pairs
    sides = np.where(plus >= 0, 1, -1).astype(np.int8)
    first = np.where(plus >= 0, plus, minus)
    second = np.where((plus >= 0) & (minus >= 0), minus, base)
    nobody = np.zeros(0, np.int64)
    if not dummies and (level < 0).all() and (second < 0).all():
        return Cone(Data(X.take(first), sides), plus, minus, nobody, nobody, [], 0)
    wide, n_levels = _beside(as_sparse(X), dummies), int(level.max(initial=-1)) + 1
    rows, columns, high, low = _subtracted(wide, first, second)
    columns += n_levels * (columns >= X.shape[1])  # thresholds stand before dummies
    at = np.flatnonzero(level >= 0)
    parts = [(rows, columns, high), (at, X.shape[1] + level[at], np.ones(len(at)))]
    n_rows, edge = len(first), wide.shape[1] + n_levels
    split, rest = np.unique(columns[low != 0.0]), np.flatnonzero(low)
    twins, one = np.arange(len(split)), np.ones(len(split))
    parts.append((rows[rest], edge + np.searchsorted(split, columns[rest]), low[rest]))
    for start in (n_rows, n_rows + len(split)):
        parts += [(start + twins, split, one), (start + twins, edge + twins, -one)]
    Z = _put_together(parts, (n_rows + 2 * len(split), edge + len(split)))
    sides = np.concatenate([sides, one.astype(np.int8), -one.astype(np.int8)])
    none = np.full(2 * len(split), -1)
    plus, minus = np.concatenate([plus, none]), np.concatenate([minus, none])
    return Cone(Data(Z, sides), plus, minus, nobody, nobody, [], 0)


def _subtracted(
    X: Sparse, first: Integers, second: Integers
) -> tuple[Integers, Integers, Floats, Floats]:
    """x_first - x_second, where there is a second: rows, columns, rounded values, what is lost."""
    width, here = max(1, X.shape[1]), np.flatnonzero(second >= 0)
    rows, columns, values = _entries(X.take(first))
    away, others, taken = _entries(X.take(second[here]))
    places = np.concatenate([rows * width + columns, here[away] * width + others])
    places, high, low = _added(places, np.concatenate([values, -taken]))
    return places // width, places % width, high, low


def as_sparse(X: Matrix) -> Sparse:
    """The same rows, stored sparsely."""
    if isinstance(X, Sparse):
        return X
    width = max(1, X.shape[1])
    parts = [(places // width, places % width, values) for places, values in X.entries()]
    return _put_together([*parts, NOTHING], X.shape)


def _put_together(parts: Iterable[Entries], shape: tuple[int, int]) -> Sparse:
    """A matrix of entries in any order, each place once."""
    rows, columns, values = (np.concatenate(part) for part in zip(*parts, strict=True))
    kept = values != 0.0
    rows, columns, values = rows[kept], columns[kept], values[kept]
    order = np.lexsort((columns, rows))
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=shape[0]))])
    return Sparse(values[order], columns[order], starts.astype(np.int64), shape[1])


def _entries(X: Sparse) -> Entries:
    return np.repeat(np.arange(X.shape[0]), np.diff(X.starts)), X.columns, X.values


def _beside(X: Sparse, units: Sequence[Integers]) -> Sparse:
    """X and, for each of `units`, columns with a 1 at the number it gives, unless that is < 0."""
    parts, width = [_entries(X)], X.shape[1]
    for numbers in units:
        here = np.flatnonzero(numbers >= 0)
        parts.append((here, numbers[here] + width, np.ones(len(here))))
        width += int(numbers.max(initial=-1)) + 1
    return _put_together(parts, (X.shape[0], width))


def _multinomial(X: Sparse, number: Floats, judged: int) -> Cone:
    """(theta_y - theta_c) . x for each row and each class c that is not its own."""
    n_classes, width = int(number.max()) + 1, X.shape[1]
    owner = np.repeat(np.arange(X.shape[0]), n_classes - 1)
    own = np.repeat(number.astype(np.int64), n_classes - 1)
    rival = np.tile(np.arange(n_classes - 1), X.shape[0])
    rival += rival >= own
    parts = []
    for classes, sign in ((own, 1.0), (rival, -1.0)):
        here = np.flatnonzero(classes > 0)
        rows, columns, values = _entries(X.take(owner[here]))
        parts.append((here[rows], columns + width * (classes[here[rows]] - 1), sign * values))
    shape = (len(owner), width * (n_classes - 1))
    Z = _put_together(parts, shape)
    asked = [block * width + j for block in range(n_classes - 1) for j in range(judged)]
    nobody = np.full(len(owner), -1)
    return Cone(
        Data(Z, np.ones(len(owner), np.int8)), owner, nobody, owner[:0], owner[:0], asked, 0
    )


def _added(places: Integers, values: Floats) -> tuple[Integers, Floats, Floats]:
    """Distinct places; the rounded sum of what is at each, at most two values; what was lost."""
    order = np.argsort(places, kind="stable")
    places, values = places[order], values[order]
    first = np.ones(len(places), bool)
    first[1:] = places[1:] != places[:-1]
    start = np.flatnonzero(first)
    a, b = values[start], np.zeros(len(start))
    second = np.flatnonzero(~first)
    b[np.searchsorted(start, second) - 1] = values[second]
    with np.errstate(over="ignore", invalid="ignore"):
        total = a + b
        larger, smaller = np.where(np.abs(a) >= np.abs(b), (a, b), (b, a))
        lost = smaller - (total - larger)  # exact (Dekker 1971)
    if not np.isfinite(total).all():
        raise ValueError("Values of X are so large that their differences overflow.")
    return places[start], total, lost
