"""The weight of the rows that ask for an update, added up exactly; no update is made.

A pocket keeps the hypothesis of which it is least; the training error is that of all rows.
"""

from __future__ import annotations

import numpy as np

from novikoff._jit import inner_kernel, kernel
from novikoff.kernels.at_once import bounded_at_once
from novikoff.kernels.exact import add_pending
from novikoff.kernels.filter import relative_error, score_error, underflow_error
from novikoff.kernels.joint import TWICE, bounded_scores, gap_of, strongest
from novikoff.kernels.rows import dots, span
from novikoff.kernels.rules import asks, enough


@inner_kernel
def ceiling_of(limit, n_terms):
    """What a rounded sum of at most `n_terms` exceeds only if the exact one exceeds `limit`."""
    return limit * (1.0 + (n_terms + 4) * 2.0**-52)


@kernel
def weigh_mistakes(rows, examples, order, weights, plan, planes, rule, arithmetic, limit, total):
    """total <- the weight of the rows `order` that ask for an update, exactly; none is made.

    Returns the part of it that is still to be added: two doubles, see `exact.add_pending`.

    limit : a double next to a sum; stops when the total certainly exceeds that sum
    total : (N_LIMBS,) int64, see :mod:`novikoff.kernels.exact`
    """
    values, indices, indptr, width = rows
    labels, sizes, row_norms, _ = examples
    plan_start, plan_plane, plan_side, _, _, _ = plan
    theta, offset, norms = planes.theta, planes.offset, planes.norms
    precision, scores, limbs = arithmetic.precision, arithmetic.scores, arithmetic.limbs
    exact = arithmetic.exact
    total[:] = 0
    pending, lost, rough = 0.0, 0.0, 0.0
    ceiling = ceiling_of(limit, order.shape[0] * theta.shape[0])
    nobody = np.int64(-1)  # see `walk`
    for position in range(order.shape[0]):
        i = order[position]
        first, last = plan_start[labels[i]], plan_start[labels[i] + 1]
        if first == last:
            continue
        low, high = span(indptr, width, i)
        dots(theta, values, indices, low, high, plan_plane, first, last, scores)
        g = relative_error(high - low, precision)
        extra = underflow_error(high - low, precision)
        for a in range(first, last):
            k, y = plan_plane[a], plan_side[a]
            score = np.float64(scores[k]) + np.float64(offset[k])
            error = score_error(g, row_norms[i] * norms[k], extra, precision, exact)
            if y * score - enough(rule, planes.extra, k, row_norms[i]) > error or not asks(
                rule, y, y, sizes[i], score, error, norms[k], row_norms[i], theta, offset,
                planes.extra, k, nobody, values, indices, low, high, planes.constant, limbs,
                arithmetic.numbers, 0,
            ):  # fmt: skip
                continue
            pending, lost = add_pending(total, pending, lost, weights[i])
            rough += weights[i]
            if rough > ceiling:
                return pending, lost
    return pending, lost


@weigh_mistakes.at_once
def _(loop, rows, examples, order, weights, plan, planes, rule, arithmetic, limit, total):
    """Of an only hyperplane: rows that are certainly right are passed over."""
    if len(planes.theta) == 1 and rule.BOUNDED:
        scores, error = bounded_at_once(rows, planes, examples.norms, arithmetic, order)
        side = plan.sides[0][examples.labels[order]]
        order = order[(side != 0) & ~(side * scores[:, 0] - rule.threshold > error)]
    return loop(rows, examples, order, weights, plan, planes, rule, arithmetic, limit, total)


@kernel
def weigh_joint_mistakes(rows, examples, order, weights, everyone, planes, rule, arithmetic, limit,
                         total):  # fmt: skip
    """The same for joint classes, see :mod:`novikoff.kernels.joint`."""
    values, indices, indptr, width = rows
    theta, offset = planes.theta, planes.offset
    scores, errors = arithmetic.wide, arithmetic.errors
    total[:] = 0
    pending, lost, rough = 0.0, 0.0, 0.0
    ceiling = ceiling_of(limit, order.shape[0])
    for position in range(order.shape[0]):
        i = order[position]
        y = examples.labels[i]
        low, high = span(indptr, width, i)
        bounded_scores(theta, offset, values, indices, low, high, planes.norms,
                       examples.norms[i], everyone, arithmetic)  # fmt: skip
        rival = strongest(
            theta, offset, everyone, values, indices, low, high, scores, errors, y,
            arithmetic.limbs,
        )  # fmt: skip
        beta = enough(rule, planes.extra, y, TWICE * examples.norms[i])
        gap, error = gap_of(scores, errors, y, rival, beta)
        if not gap - beta > error and asks(
            rule, 1.0, 1.0 if y < rival else -1.0, examples.sizes[i], gap, error,
            planes.norms[y] + planes.norms[rival], examples.norms[i], theta, offset, planes.extra,
            y, rival, values, indices, low, high, planes.constant, arithmetic.limbs,
            arithmetic.numbers, 0,
        ):  # fmt: skip
            pending, lost = add_pending(total, pending, lost, weights[i])
            rough += weights[i]
            if rough > ceiling:
                return pending, lost
    return pending, lost
