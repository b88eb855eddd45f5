"""One walk over the examples for an only hyperplane: two classes, the common case.

    if the rule asks for an update at y (theta . x + theta_0):    update theta and theta_0

as in :mod:`novikoff.kernels.walk`, with three ways to look at fewer bytes: rows that theta cannot
have reached are not read (`Excused`), most others are seen in a sketch
(:mod:`novikoff.kernels.sketch`), and what several hyperplanes need is left out.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from novikoff._jit import kernel, row_kernel
from novikoff.kernels.at_once import bounded_at_once, leaping
from novikoff.kernels.filter import relative_error, score_error, underflow_error
from novikoff.kernels.rows import AHEAD, LINE, dot, fetch, rounded_up_root, span
from novikoff.kernels.rules import asks, enough, norm_after, update
from novikoff.kernels.sketch import refresh, sketch_dot
from novikoff.kernels.walk import OVERFLOW, finite, wrong
from novikoff.kernels.words import prefetch


class Excused(NamedTuple):
    """Rows that need not be looked at: those far from the hyperplane while it has moved little.

    A row whose margin exceeds the threshold by m will ask for nothing before theta has moved by
    m / ||x||. An empty `until` excuses nobody.
    """

    until: Any  # (n,) float64: a row asks for nothing while `moved` is less
    moved: Any  # (1,) float64, an upper bound on the length of theta's path; it only grows


@row_kernel
def path_to(moved, margin, row_norm):
    """How long theta's path may get, at least, before a row with this margin could be reached."""
    return (moved + margin / row_norm * (1.0 - 2.0**-50)) * (1.0 - 2.0**-51)


@row_kernel
def path_after(moved, step, row_norm, norm, precision):
    """The path, rounded upwards, after theta moved by step x to where its norm is `norm`."""
    length = abs(step) * row_norm
    rounding = precision.unit * (norm + length) + precision.tiny * row_norm
    return (moved + (length + 2.0 * rounding)) * (1.0 + 2.0**-51)


@kernel
def walk_one(rows, examples, order, start, signs, planes, rule, arithmetic, log, sketch, excused):
    """Visit rows ``order[start:]`` once, as `walk` does, where there is one hyperplane.

    signs : (n,) int8, -1 or +1, the side of each row
    """
    values, indices, indptr, width = rows
    _, sizes, row_norms, longest = examples
    theta, offset, norms = planes.theta, planes.offset, planes.norms
    precision, limbs, until = arithmetic.precision, arithmetic.limbs, excused.until
    excusing = until.shape[0] > 0
    sketched, reach = sketch.reach.shape[0] > 0, sketch.reach
    bytes_, stride, shadow = sketch.values, sketch.stride, sketch.theta
    base, _ = refresh(shadow, sketch.lowest, sketch.step, theta)
    n_counted = log.wrong.shape[0]
    n_before = planes.counts[0] + 1
    n_logged, room = log.size[0], log.row.shape[0]
    g = relative_error(longest, precision)
    extra = underflow_error(longest, precision)
    norm, moved = norms[0], excused.moved[0]
    only, nobody = np.int64(0), np.int64(-1)  # by literals all below would be compiled once more
    status = 0
    position = start
    while position < order.shape[0] and n_logged < room:
        i = np.uint64(order[position])  # an index that is not negative is not tested
        position += 1
        if position + AHEAD < order.shape[0]:
            later = np.uint64(order[position + AHEAD])
            if excusing:
                prefetch(until, later)
            if sketched:
                prefetch(reach, later)
                for p in range(0, stride, LINE):
                    prefetch(bytes_, later * np.uint64(stride) + np.uint64(p))
            else:
                fetch(values, indices, indptr, width, row_norms, later)
        if excusing and moved < until[i]:
            continue
        y, beta = np.float64(signs[i]), enough(rule, planes.extra, only, row_norms[i])
        low, high = span(indptr, width, i)
        score, error, doubtful = 0.0, 0.0, True
        if sketched and norm < sketch.limit:
            score = base + sketch_dot(shadow, bytes_, stride, i) + np.float64(offset[0])
            error = norm * reach[i] + sketch.least
            doubtful = not abs(y * score - beta) > error
            sketch.n_read[0] += doubtful
        if doubtful:
            score = dot(theta, values, indices, low, high) + np.float64(offset[0])
            error = score_error(g, row_norms[i] * norm, extra, precision, arithmetic.exact)
        if y * score - beta > error:
            if excusing:
                until[i] = path_to(moved, y * score - beta - error, row_norms[i])
            continue
        if n_counted > 0:
            log.wrong[0] += wrong(
                theta, offset, only, nobody, values, indices, low, high, y, y, score, error, limbs
            )
        if not asks(
            rule, y, y, sizes[i], score, error, theta, offset, planes.extra, only, nobody, values,
            indices, low, high, planes.constant, limbs, log.numbers, n_logged,
        ):  # fmt: skip
            continue
        log.plane[n_logged] = 0
        log.row[n_logged] = np.int64(i)
        log.time[n_logged] = n_before + position - 1
        log.counts[0, i] += 1
        grown = update(
            rule, theta, offset, planes.extra, planes.sums, planes.offset_sums, only, 1.0, values,
            indices, low, high, planes.constant, limbs, log.numbers, n_logged,
            np.float64(n_before + position - 1),
        )  # fmt: skip
        step, row_norm = np.float64(log.numbers[n_logged, 0]), row_norms[i]
        n_logged += 1
        inner = step * score + abs(step) * error
        norm = norm_after(rule, grown, inner, step, norm, row_norm, precision)
        moved = path_after(moved, step, row_norm, norm, precision)
        if sketched:
            sketch.n_read[0] += not doubtful
            base, squares = refresh(shadow, sketch.lowest, sketch.step, theta)
            norm = rounded_up_root(squares + np.float64(offset[0]) ** 2, width)
        if not norm < 0.1 * precision.huge and not finite(theta, offset, only):
            status = OVERFLOW
            break
    log.size[0], norms[0], excused.moved[0] = n_logged, norm, moved
    return position, status


@walk_one.at_once
def _(loop, rows, examples, order, start, signs, planes, rule, arithmetic, log, sketch, excused):
    def is_clear(chosen):
        scores, error = bounded_at_once(rows, planes, examples.norms, arithmetic, chosen)
        return signs[chosen] * scores[:, 0] - rule.threshold > error

    def walk(order, start):
        return loop(
            rows, examples, order, start, signs, planes, rule, arithmetic, log, no_sketch, excused
        )

    no_sketch = sketch._replace(reach=np.empty(0), lowest=np.empty(0))
    return leaping(walk, is_clear, order, start) if rule.BOUNDED else walk(order, start)
