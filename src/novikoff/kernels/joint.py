"""One walk for the multiclass perceptron with a weight vector per class.

Crammer and Singer (2003), with the single strongest rival: at an example x of class y, let r be
the lowest-numbered class other than y whose score is largest; scores are compared exactly. The rule
is asked about s_y - s_r. For the perceptron it is a mistake when

    s_y - s_r <= beta

and then theta_y <- theta_y + c x, theta_r <- theta_r - c x.
"""

from __future__ import annotations

import numpy as np

from novikoff._jit import kernel, row_kernel
from novikoff.kernels.at_once import bounded_at_once, leaping
from novikoff.kernels.exact import dot_sign
from novikoff.kernels.filter import relative_error, score_error, underflow_error
from novikoff.kernels.glance import (
    fetch_for,
    follow,
    glimpsed,
    look,
    rounding_of,
    spoil,
    weights_of,
)
from novikoff.kernels.rows import AHEAD, dots, span
from novikoff.kernels.rules import asks, enough
from novikoff.kernels.walk import OVERFLOW, move, wrong

TWICE = 1.4142135623730952  # not below the root of 2


@kernel
def strongest(theta, offset, planes, values, indices, low, high, scores, errors, barred, limbs):
    """The lowest index among the exact maximisers of s_k over k != barred.

    planes : (K,) where the weights of each are, in `theta` and `offset`
    scores, errors : (K,) scores and bounds on their errors
    """
    floor = -np.inf
    for k in range(scores.shape[0]):
        if k != barred and scores[k] - errors[k] > floor:
            floor = scores[k] - errors[k]
    best = -1
    for k in range(scores.shape[0]):
        # Written so that a score that is not a number stays in the race.
        if k == barred or scores[k] + errors[k] < floor:
            continue
        if (
            best < 0
            or dot_sign(
                theta, offset, planes[k], planes[best], values, indices, low, high, 1, 0.0, limbs
            ) > 0
        ):  # fmt: skip
            best = k
    return best


@kernel
def bounded_scores(theta, offset, values, indices, low, high, norms, row_norm, everyone,
                   arithmetic):  # fmt: skip
    """arithmetic.wide, .errors <- the score of every hyperplane at one row, and its error bound."""
    scores, errors = arithmetic.wide, arithmetic.errors
    n_planes = theta.shape[0]
    dots(theta, values, indices, low, high, everyone, 0, n_planes, arithmetic.scores)
    g = relative_error(high - low, arithmetic.precision)
    extra = underflow_error(high - low, arithmetic.precision)
    for k in range(n_planes):
        scores[k] = np.float64(arithmetic.scores[k]) + np.float64(offset[k])
        errors[k] = score_error(g, norms[k] * row_norm, extra, arithmetic.precision,
                                arithmetic.exact)  # fmt: skip


@kernel
def gap_of(scores, errors, y, rival, beta):
    """s_y - s_rival, and a bound on its error that serves for the difference to `beta` too."""
    error = 1.0000001 * (errors[y] + errors[rival]) + 1e-15 * abs(beta)
    error += 1e-15 * (abs(scores[y]) + abs(scores[rival]))
    return scores[y] - scores[rival], error


@row_kernel
def clear_at_a_glance(glance, offset, norms, i, row_norm, rounding, y, beta):
    """Whether a row of class y certainly asks for nothing, by what was found at a glance."""
    score, error = glimpsed(glance, offset, norms, y, i, row_norm, rounding)
    least = score - 1.0000001 * error - beta - 1e-15 * (abs(score) + abs(beta))
    count = 0
    for k in range(np.uint64(norms.shape[0])):
        score, error = glimpsed(glance, offset, norms, k, i, row_norm, rounding)
        count += not least > score + 1.0000001 * error + 1e-15 * abs(score)
    return count == 1  # the class itself


@kernel
def joint_walk(rows, examples, order, start, everyone, planes, rule, arithmetic, log, glance):
    """Visit rows ``order[start:]`` once; see :func:`novikoff.kernels.walk.walk`.

    everyone : (K,) int64, 0 ... K - 1
    A log entry names the class that x was subtracted from; it was added to the row's own class.
    """
    values, indices, indptr, width = rows
    theta, offset = planes.theta, planes.offset
    limbs = arithmetic.limbs
    scores, errors = arithmetic.wide, arithmetic.errors
    length, rounding = 0, rounding_of(glance, 0)
    for position in range(start, order.shape[0]):
        if log.size[0] == log.row.shape[0]:
            return position, 0
        i = order[position]
        y = examples.labels[i]
        row_norm = examples.norms[i]
        if position + AHEAD < order.shape[0]:
            later = order[position + AHEAD]
            fetch_for(glance, values, indices, indptr, width, examples.norms, later)
        low, high = span(indptr, width, i)
        if high - low != length:  # for dense rows only once
            length = high - low
            rounding = rounding_of(glance, length)
        beta = enough(rule, planes.extra, y, TWICE * row_norm)
        look(glance, theta, i, values, indices, low, high, everyone, 0, everyone.shape[0])
        if clear_at_a_glance(glance, offset, planes.norms, i, row_norm, rounding, y, beta):
            continue
        bounded_scores(theta, offset, values, indices, low, high, planes.norms, row_norm, everyone,
                       arithmetic)  # fmt: skip
        rival = strongest(
            theta, offset, everyone, values, indices, low, high, scores, errors, y, limbs
        )
        gap, error = gap_of(scores, errors, y, rival, beta)
        if gap - beta > error:
            continue
        # As for a hyperplane: under ties="sign" the lower index wins a tie.
        side = 1.0 if y < rival else -1.0
        if log.wrong.shape[0] > 0:
            log.wrong[0] += wrong(
                theta, offset, y, rival, values, indices, low, high, 1.0, side, gap, error, limbs
            )
        entry = log.size[0]
        if not asks(
            rule, 1.0, side, examples.sizes[i], gap, error, planes.norms[y] + planes.norms[rival],
            row_norm, theta, offset, planes.extra, y, rival, values, indices, low, high,
            planes.constant, limbs, log.numbers, entry,
        ):  # fmt: skip
            continue
        log.plane[entry] = rival
        log.row[entry] = i
        log.time[entry] = planes.counts[y] + position + 1  # every example concerns every class
        log.size[0] = entry + 1
        fine = move(
            rule, rows, low, high, planes, y, 1.0, log, entry, scores[y], errors[y], row_norm,
            arithmetic.precision, limbs,
        )  # fmt: skip
        fine &= move(
            rule, rows, low, high, planes, rival, -1.0, log, entry, scores[rival], errors[rival],
            row_norm, arithmetic.precision, limbs,
        )  # fmt: skip
        if not fine:
            return position, OVERFLOW
        follow(glance, theta, y, planes.norms[y], indices, low, high)
        follow(glance, theta, rival, planes.norms[rival], indices, low, high)
    return order.shape[0], 0


@joint_walk.at_once
def _(loop, rows, examples, order, start, everyone, planes, rule, arithmetic, log, glance):
    def is_clear(chosen):
        scores, error = bounded_at_once(rows, planes, examples.norms, arithmetic, chosen)
        each, own = np.arange(len(chosen)), examples.labels[chosen]
        mine = scores[each, own]
        scores[each, own] = -np.inf
        best = scores.max(axis=1)
        gap, error = gap_of(np.stack([mine, best]), (error, error), 0, 1, rule.threshold)
        return gap - rule.threshold > error

    def walk(order, start):
        return loop(rows, examples, order, start, everyone, planes, rule, arithmetic, log, glance)

    spoil(glance)
    glance = weights_of(planes.theta)
    return leaping(walk, is_clear, order, start) if rule.BOUNDED else walk(order, start)
