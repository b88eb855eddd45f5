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
from novikoff.kernels.rows import AHEAD, dot, fetch, fetch_rest, span
from novikoff.kernels.rules import asks, enough, norm_after, update
from novikoff.kernels.sketch import fetch_sketched, follow_theta, follow_update, is_drawn, sketched
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


@row_kernel
def fetch_before(order, drawn):
    """Before this position it pays to fetch the row that comes `AHEAD` rows later.

    Rows in the order of memory the processor fetches by itself, but for the few lines of a sketch.
    """
    n = order.shape[0]
    steady = not drawn and n > 0 and order[n // 2] - order[0] == n // 2
    return np.uint64(0 if steady or n < AHEAD else n - AHEAD)


@row_kernel
def calm(rows, row_norms, order, position, fetching, signs, theta, offset, norm, rule, extra,
         rounding, excused):  # fmt: skip
    """Pass over rows that certainly ask for nothing; returns where the first other is, its score.

    rounding : the relative and the absolute error of a score, and the product of norms from which
        on it might have overflowed
    """
    values, indices, indptr, width = rows
    until, moved = excused.until, excused.moved[0]
    excusing = until.shape[0] > 0
    g, least, limit = rounding
    constant, only = np.float64(offset[0]), np.int64(0)
    # An index that cannot be negative is not tested.
    score, position, last = 0.0, np.uint64(position), np.uint64(order.shape[0])
    while position < last:
        i = np.uint64(order[position])
        if position < fetching:
            later = order[position + np.uint64(AHEAD)]
            fetch(values, indices, indptr, width, row_norms, later)
            fetch_rest(values, indices, indptr, order[position + np.uint64(2)])
            if excusing:
                prefetch(until, np.uint64(later))
        if not (excusing and moved < until[i]):
            low, high = span(indptr, width, i)
            score = dot(theta, values, indices, low, high) + constant
            row_norm = row_norms[i]
            margin = np.float64(signs[i]) * score - enough(rule, extra, only, row_norm)
            product = row_norm * norm
            error = g * product + least
            if not (margin > error and product < limit):
                break
            if excusing:
                until[i] = path_to(moved, margin - error, row_norm)
        position += np.uint64(1)
    return np.int64(position), score


@row_kernel
def calm_in_sketch(rows, examples, sketch, order, position, fetching, signs, offset, base, norm,
                   rule, extra, excused):  # fmt: skip
    """The same by a sketch, whose score is off by what `reach` says.

    A row that had to be read in the epoch before will often have to be again: it is fetched whole.
    """
    values, indices, indptr, width = rows
    _, sizes, row_norms, _ = examples
    reach, read_in = sketch.reach, sketch.read_in
    before = np.uint8(sketch.epoch[0] - np.uint8(1))
    until, moved = excused.until, excused.moved[0]
    excusing = until.shape[0] > 0
    constant, only = np.float64(offset[0]), np.int64(0)
    score, position, last = 0.0, np.uint64(position), np.uint64(order.shape[0])
    while position < last:
        i = np.uint64(order[position])
        if position < fetching:
            later = np.uint64(order[position + np.uint64(AHEAD)])
            fetch_sketched(sketch, indptr, later)
            if excusing:
                prefetch(until, later)
            if read_in[later] == before:
                prefetch(sizes, later)
                fetch(values, indices, indptr, width, row_norms, later)
                fetch_rest(values, indices, indptr, later)
        if not (excusing and moved < until[i]):
            score = sketched(sketch, base, indptr, i) + constant
            row_norm = row_norms[i]
            margin = np.float64(signs[i]) * score - enough(rule, extra, only, row_norm)
            error = norm * reach[i] + sketch.least
            if not margin > error:
                break
            if excusing:
                until[i] = path_to(moved, margin - error, row_norm)
        position += np.uint64(1)
    return np.int64(position), score


@kernel
def walk_one(rows, examples, order, start, signs, planes, rule, arithmetic, log, sketch, excused):
    """Visit rows ``order[start:]`` once, as `walk` does, where there is one hyperplane.

    signs : (n,) int8, -1 or +1, the side of each row
    """
    values, indices, indptr, width = rows
    _, sizes, row_norms, longest = examples
    theta, offset, norms = planes.theta, planes.offset, planes.norms
    precision, limbs, moved = arithmetic.precision, arithmetic.limbs, excused.moved
    drawn = is_drawn(sketch)
    fetching = fetch_before(order, drawn)
    n_counted = log.wrong.shape[0]
    n_before = planes.counts[0]
    n_logged, room = log.size[0], log.row.shape[0]
    g = relative_error(longest, precision)
    least = underflow_error(longest, precision)
    rounding = g, least, 0.25 * precision.huge
    base = follow_theta(sketch, theta) if drawn else 0.0
    norm, status, position = norms[0], 0, start
    only, nobody = np.int64(0), np.int64(-1)  # by literals all below would be compiled once more
    while n_logged < room:
        coarse = drawn and norm < sketch.limit  # how the score is known
        if not coarse:
            position, score = calm(
                rows, row_norms, order, position, fetching, signs, theta, offset, norm, rule,
                planes.extra, rounding, excused,
            )  # fmt: skip
        else:
            position, score = calm_in_sketch(
                rows, examples, sketch, order, position, fetching, signs, offset, base, norm, rule,
                planes.extra, excused,
            )  # fmt: skip
        if position == order.shape[0]:
            break
        i = np.uint64(order[position])
        position += 1
        low, high = span(indptr, width, i)
        y, row_norm = np.float64(signs[i]), row_norms[i]
        error = score_error(g, row_norm * norm, least, precision, arithmetic.exact)
        if coarse:
            sketch.n_read[0] += 1
            sketch.read_in[i] = sketch.epoch[0]
            coarse_error = norm * sketch.reach[i] + sketch.least
            beta = enough(rule, planes.extra, only, row_norm)
            if y * score - beta < -coarse_error:
                error = coarse_error
            else:
                score = dot(theta, values, indices, low, high) + np.float64(offset[0])
                margin = y * score - beta
                if margin > error:
                    if excused.until.shape[0] > 0:
                        excused.until[i] = path_to(moved[0], margin - error, row_norm)
                    continue
        if n_counted > 0:
            log.wrong[0] += wrong(
                theta, offset, only, nobody, values, indices, low, high, y, y, score, error, limbs
            )
        if not asks(
            rule, y, y, sizes[i], score, error, norm, row_norm, theta, offset, planes.extra, only,
            nobody, values, indices, low, high, planes.constant, limbs, log.numbers, n_logged,
        ):  # fmt: skip
            continue
        log.plane[n_logged] = 0
        log.row[n_logged] = np.int64(i)
        log.time[n_logged] = n_before + position
        grown = update(
            rule, theta, offset, planes.extra, planes.sums, planes.offset_sums, only, 1.0, values,
            indices, low, high, planes.constant, limbs, log.numbers, n_logged,
            np.float64(n_before + position),
        )  # fmt: skip
        step = np.float64(log.numbers[n_logged, 0])
        n_logged += 1
        inner = step * score + abs(step) * error
        norm = norm_after(rule, grown, inner, step, norm, row_norm, theta.shape[1], precision)
        moved[0] = path_after(moved[0], step, row_norm, norm, precision)
        if drawn:
            base, norm = follow_update(sketch, theta, offset, norm, indices, low, high)
        if not norm < 0.1 * precision.huge and not finite(theta, offset, only):
            status = OVERFLOW
            break
    log.size[0], norms[0] = n_logged, norm
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

    no_sketch = sketch._replace(reach=np.empty(0))
    return leaping(walk, is_clear, order, start) if rule.BOUNDED else walk(order, start)
