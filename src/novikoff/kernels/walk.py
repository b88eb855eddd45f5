"""One walk over the examples, for hyperplanes that learn independently of each other.

For every hyperplane that an example concerns:

    if the rule asks for an update at y (theta . x + theta_0):    update theta and theta_0

as for the perceptron, if y s <= beta: theta <- theta + c y x (see :mod:`novikoff.kernels.rules`).
The row is read once and stays in the cache while all hyperplanes look at it.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from novikoff._jit import inner_kernel, kernel, row_kernel
from novikoff.kernels.at_once import bounded_at_once, leaping
from novikoff.kernels.exact import N_LIMBS, dot_sign
from novikoff.kernels.filter import (
    Precision,
    exact_below,
    precision_of,
    relative_error,
    score_error,
    underflow_error,
)
from novikoff.kernels.glance import (
    fetch_for,
    follow,
    glimpsed,
    look,
    look_closely,
    rounding_of,
    spoil,
    weights_of,
)
from novikoff.kernels.rows import AHEAD, span
from novikoff.kernels.rules import asks, enough, norm_after, update

OVERFLOW = -1


class Examples(NamedTuple):
    """What the rows of a matrix are examples of."""

    labels: Any  # (n,) int64, the class of each row, 0 ... C - 1
    sizes: Any  # (n,) float64, the rule's size times the weights of the row
    norms: Any  # (n,) float64, upper bounds on ||(x, 1)||
    longest: int  # how many values the longest row has


class Plan(NamedTuple):
    """Which hyperplanes an example of each class concerns, and on which side it should lie."""

    start: Any  # (C + 1,) int64: class c has the entries start[c] ... start[c + 1] - 1
    plane: Any  # int64
    side: Any  # float64, -1.0 or +1.0
    run: Any  # (C,) int64: the first hyperplane of a class, if its others follow it; else -1
    sides: Any  # (K, C) int64: the side of each class at each hyperplane, or 0
    shared: bool  # whether every example concerns every hyperplane, but for those that rest


class Planes(NamedTuple):
    """K hyperplanes and what training keeps beside them; a walk changes all but `counts`."""

    theta: Any  # (K, d) float32 or float64
    offset: Any  # (K,) in theta's type
    norms: Any  # (K,) float64, upper bounds on ||(theta, theta_0)||
    counts: Any  # (K,) int64, examples seen before this epoch
    extra: Any  # what the rule keeps beside theta: arrays of `Extra`
    sums: Any  # (K, d) float64, the lazy average: sum of count * (new - old); or None
    offset_sums: Any  # (K,) float64; or None
    constant: float  # 1.0 with an offset, 0.0 through the origin


class Arithmetic(NamedTuple):
    """The types at work, and scratch space."""

    precision: Precision  # of theta's type
    scores: Any  # (K,) in theta's type
    wide: Any  # (K,) float64, scores with their offsets
    errors: Any  # (K,) float64, bounds on their errors
    unclear: Any  # (K,) bool, see `mark_unclear`
    limbs: Any  # (N_LIMBS,) int64
    numbers: Any  # (1, N) in theta's type, of an update that is not made
    exact: float  # see `filter.exact_below`


class Log(NamedTuple):
    """The updates, in the order they happened."""

    size: Any  # (1,) int64
    plane: Any  # int64; in a joint run the class that x was subtracted from
    row: Any  # int64
    time: Any  # int64, how many examples the hyperplane had seen, this one included
    numbers: Any  # (., N) in theta's type: the numbers of the rule's update
    seen: Any  # (C,) int64, examples of each class visited in this epoch
    wrong: Any  # int64, predictions of the first hyperplanes that were wrong, before any update


@row_kernel
def wrong(
    theta, offset, k, rival, values, indices, low, high, y, side, score, error, limbs
):  # fmt: skip
    """Whether a score, known to within `error`, has the wrong sign; the arguments are `asks`'s."""
    if abs(score) > error:
        return y * score < 0.0
    sign = 0
    if error != 0.0:
        sign = dot_sign(theta, offset, k, rival, values, indices, low, high, y, 0.0, limbs)
    return sign < 0 or (sign == 0 and side < 0)


@row_kernel
def move(
    rule, rows, low, high, planes, k, sign, log, entry, score, error, row_norm, precision, limbs
):  # fmt: skip
    """Hyperplane k makes the update `entry` of the log, with all that is kept beside it.

    score, error : theta . x + theta_0 before the update, to within `error`
    Returns False when a weight overflowed.
    """
    grown = update(
        rule, planes.theta, planes.offset, planes.extra, planes.sums, planes.offset_sums, k, sign,
        rows.values, rows.indices, low, high, planes.constant, limbs, log.numbers, entry,
        np.float64(log.time[entry]),
    )  # fmt: skip
    step = sign * np.float64(log.numbers[entry, 0])
    inner = step * score + abs(step) * error
    planes.norms[k] = norm_after(
        rule, grown, inner, step, planes.norms[k], row_norm, planes.theta.shape[1], precision
    )
    # While the norm is small no weight can have overflowed; beyond, look at the weights themselves.
    if planes.norms[k] < 0.1 * precision.huge:
        return True
    return finite(planes.theta, planes.offset, k)


@inner_kernel
def finite(theta, offset, k):
    """Whether all weights of hyperplane k are."""
    for j in range(theta.shape[1]):
        if not math.isfinite(theta[k, j]):
            return False
    return math.isfinite(offset[k])


@row_kernel
def mark_unclear(
    glance, offset, norms, planes, side, first, last, run, i, row_norm, rounding, beta, unclear
):  # fmt: skip
    """unclear[a] <- whether hyperplane planes[first + a] might make a mistake; returns how many.

    As in the loop over single hyperplanes, by what was found at a glance. If the hyperplanes follow
    each other the first is `run`, and the compiler vectorises the loop; else that is -1.
    """
    count, first, n = 0, np.uint64(first), np.uint64(last - first)
    if run >= 0:
        for a in range(n):
            k = np.uint64(run) + a
            score, error = glimpsed(glance, offset, norms, k, i, row_norm, rounding)
            unclear[a] = not side[first + a] * score - beta > error
            count += unclear[a]
    else:
        for a in range(n):
            k = np.uint64(planes[first + a])
            score, error = glimpsed(glance, offset, norms, k, i, row_norm, rounding)
            unclear[a] = not side[first + a] * score - beta > error
            count += unclear[a]
    return count


@row_kernel
def learn(rule, rows, examples, i, low, high, row_norm, plan, a, position, planes, arithmetic, log,
          glance, rounding, g, extra):  # fmt: skip
    """The hyperplane of entry a of the plan looks closely at row i, and makes its update, if any.

    g, extra : the errors of a score in theta's type; rounding : at a glance
    Returns False when a weight overflowed.
    """
    values, indices = rows.values, rows.indices
    theta, offset, norms = planes.theta, planes.offset, planes.norms
    precision, limbs = arithmetic.precision, arithmetic.limbs
    k, y, entry = plan.plane[a], plan.side[a], log.size[0]
    nobody = np.int64(-1)  # by a literal all below would be compiled once more
    score, error = glimpsed(glance, offset, norms, k, i, row_norm, rounding)
    least = enough(rule, planes.extra, k, row_norm)
    if not y * score - least < -error:
        scores = arithmetic.scores
        look_closely(glance, theta, values, indices, low, high, plan.plane, a, a + 1, scores)
        score = np.float64(scores[k]) + np.float64(offset[k])
        error = score_error(g, row_norm * norms[k], extra, precision, arithmetic.exact)
        if y * score - least > error:
            return True
    if k < log.wrong.shape[0]:
        log.wrong[k] += wrong(
            theta, offset, k, nobody, values, indices, low, high, y, y, score, error, limbs
        )
    if not asks(
        rule, y, y, examples.sizes[i], score, error, norms[k], row_norm, theta, offset,
        planes.extra, k, nobody, values, indices, low, high, planes.constant, limbs, log.numbers,
        entry,
    ):  # fmt: skip
        return True
    log.plane[entry] = k
    log.row[entry] = i
    n_seen = position + 1 if plan.shared else _examples_of(plan.sides, k, log.seen)
    log.time[entry] = planes.counts[k] + n_seen
    log.size[0] = entry + 1
    fine = move(
        rule, rows, low, high, planes, k, 1.0, log, entry, score, error, row_norm, precision, limbs
    )
    follow(glance, theta, k, norms[k], indices, low, high)
    return fine


@kernel
def walk(rows, examples, order, start, plan, planes, rule, arithmetic, log, glance):
    """Visit rows ``order[start:]`` once, updating every hyperplane when its rule asks for it.

    Stops early when `log` may not have room for the next row's updates. Returns the position in
    `order` to go on from and a status, 0 or OVERFLOW (then the last entry of `log` says where).
    """
    # Unpacked once: passing a tuple of arrays on costs more than a short row.
    values, indices, indptr, width = rows
    labels, _, row_norms, _ = examples
    plan_start, plan_plane, plan_side, plan_run, _, _ = plan
    theta, offset, norms = planes.theta, planes.offset, planes.norms
    precision, unclear = arithmetic.precision, arithmetic.unclear
    seen, size, room = log.seen, log.size, log.row.shape[0]
    beta = rule.threshold
    length, g, extra = -1, 0.0, 0.0
    rounding = rounding_of(glance, 0)
    for position in range(start, order.shape[0]):
        i = order[position]
        label = labels[i]
        first, last, run = plan_start[label], plan_start[label + 1], plan_run[label]
        if size[0] + last - first > room:
            return position, 0
        seen[label] += 1
        if first == last:
            continue
        if position + AHEAD < order.shape[0]:
            later = order[position + AHEAD]
            fetch_for(glance, values, indices, indptr, width, row_norms, later)
        low, high = span(indptr, width, i)
        if high - low != length:  # for dense rows only once
            length = high - low
            g = relative_error(length, precision)
            extra = underflow_error(length, precision)
            rounding = rounding_of(glance, length)
        row_norm = row_norms[i]
        look(glance, theta, i, values, indices, low, high, plan_plane, first, last)
        n_unclear = mark_unclear(
            glance, offset, norms, plan_plane, plan_side, first, last, run, i, row_norm, rounding,
            beta, unclear,
        )  # fmt: skip
        for a in range(first, last):
            if n_unclear == 0:
                break
            if unclear[a - first]:
                n_unclear -= 1
                if not learn(
                    rule, rows, examples, i, low, high, row_norm, plan, a, position, planes,
                    arithmetic, log, glance, rounding, g, extra,
                ):  # fmt: skip
                    return position, OVERFLOW
    return order.shape[0], 0


@walk.at_once
def _(loop, rows, examples, order, start, plan, planes, rule, arithmetic, log, glance):
    def is_clear(chosen):
        scores, error = bounded_at_once(rows, planes, examples.norms, arithmetic, chosen)
        side = plan.sides.T[examples.labels[chosen]]
        return ((side == 0) | (side * scores - rule.threshold > error)).all(axis=1)

    def walk(order, start):
        return loop(rows, examples, order, start, plan, planes, rule, arithmetic, log, glance)

    spoil(glance)
    glance = weights_of(planes.theta)

    def pass_over(chosen):
        log.seen[:] += np.bincount(examples.labels[chosen], minlength=len(log.seen))

    if not rule.BOUNDED:
        return walk(order, start)
    return leaping(walk, is_clear, order, start, pass_over)


@kernel
def tally(plane, row, counts):
    """counts[k, i] += how often row i asked hyperplane k for an update; of joint ones k is 0.

    Not in the walks, which would wait for this memory at each update.
    """
    for e in range(row.shape[0]):
        counts[plane[e] if counts.shape[0] > 1 else 0, row[e]] += 1


@tally.wholly_by_numpy
def _(plane, row, counts):
    np.add.at(counts, (plane if len(counts) > 1 else 0, row), 1)


@inner_kernel
def _examples_of(sides, k, seen):
    """How many of the examples seen concern hyperplane k."""
    total = 0
    for c in range(seen.shape[0]):
        if sides[k, c] != 0:
            total += seen[c]
    return total


def new_arithmetic(theta: Any, n_numbers: int = 1, *, whole: bool = False) -> Arithmetic:
    """Scratch space and error constants for the hyperplanes `theta`, shape (K, d).

    n_numbers : of an update, see :mod:`novikoff.kernels.rules`
    whole : whether all weights and values are integers, and will be
    """
    n_planes, precision = theta.shape[0], precision_of(theta.dtype)
    return Arithmetic(
        precision,
        np.empty(n_planes, theta.dtype),
        np.empty(n_planes),
        np.empty(n_planes),
        np.empty(n_planes, np.bool_),
        np.empty(N_LIMBS, np.int64),
        np.empty((1, n_numbers), theta.dtype),
        exact_below(precision, whole),
    )
