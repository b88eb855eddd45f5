"""A run walked through again: the scores of every update, and the proof of Block and Novikoff.

The updates are applied with training's rounding, so every hypothesis is the original to the bit;
none is stored. The cost is that of the rows that caused updates: a sparse row of m values takes
O(m), however wide theta is.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from novikoff._jit import kernel, row_kernel
from novikoff.kernels.rounded import product_sizes, rounded_score
from novikoff.kernels.rows import row_norm, span
from novikoff.kernels.rules import asks, update

UNIT = 2.0**-53  # unit roundoff of the sums here, which are taken in double precision
SMALLEST = 2.0**-1074  # what a product that underflows can lose


@kernel
def retrace_scores(rule, rows, planes, chosen_rows, numbers, before, after):
    """before[e], after[e] <- the score of update e's row before and after it, rounded once.

    planes : the start, theta of shape (1, d); left as the last hypothesis. As many updates are
        applied as `before` has room for.
    """
    theta, offset, extra, constant, limbs = planes
    values, indices, indptr, width = rows
    for e in range(before.shape[0]):
        low, high = span(indptr, width, chosen_rows[e])
        most = product_sizes(theta, offset, 0, values, indices, low, high)
        before[e] = rounded_score(most, theta, offset, 0, -1, values, indices, low, high, limbs)
        update(
            rule, theta, offset, extra, None, None, 0, 1.0, values, indices, low, high, constant,
            limbs, numbers, e, 0.0,
        )  # fmt: skip
        most = product_sizes(theta, offset, 0, values, indices, low, high)
        after[e] = rounded_score(most, theta, offset, 0, -1, values, indices, low, high, limbs)


@kernel
def largest_square(rows, constant, chosen_rows):
    """An upper bound on max ||(x, constant)||^2 over the chosen rows; exact for small integers."""
    values, _, indptr, width = rows
    largest = 0.0
    for e in range(chosen_rows.shape[0]):
        low, high = span(indptr, width, chosen_rows[e])
        total, whole = np.float64(constant), True
        for p in range(low, high):
            x = np.float64(values[p])
            total += x * x
            whole = whole and x == math.floor(x)
        if not (whole and total < 9007199254740992.0):
            n_terms = high - low + 2
            total = total * (1.0 + 1.01 * n_terms * UNIT) + n_terms * SMALLEST
        if not total <= largest:
            largest = total
    return largest


class Theorem(NamedTuple):
    """What the proof says of every single update."""

    direction: Any  # (d,) float64, theta* / ||(theta*, theta*_0)||, each within 8 UNIT of it
    direction_offset: float
    least_gain: Any  # (k,) (theta, theta_0) . direction grows by at least this
    most_growth: Any  # (k,) ||(theta, theta_0)||^2 grows by at most this
    unit: float  # unit roundoff of theta's type
    tiny: float  # its smallest positive number


class Findings(NamedTuple):
    """What an audit measures, one entry per update; the allowances are for rounding."""

    progress: Any  # (k,) (theta, theta_0) . direction
    progress_allowance: Any  # (k,)
    squared_norm: Any  # (k,) ||(theta, theta_0)||^2
    squared_norm_allowance: Any  # (k,)
    breaches: Any  # (3,) int64, the first update that was no mistake, gained less, grew more; or -1


@row_kernel
def measure(theta, direction):
    """(theta[0] . direction, ||theta[0]||^2) in double precision, summed in order."""
    progress = squared = 0.0
    for j in range(np.uint64(theta.shape[1])):
        weight = np.float64(theta[0, j])
        progress += weight * direction[j]
        squared += weight * weight
    return progress, squared


class Change(NamedTuple):
    """What one update does; see `audit_updates`."""

    gain: float  # of theta . direction
    gains: float  # its terms without their signs
    growth: float  # of ||theta||^2
    growths: float
    strayed: float  # what rounding can have done to the gain
    swollen: float  # and, doubled, to the growth


@kernel
def move(theta, values, indices, low, high, step, direction, unit, tiny):
    """theta[0] <- theta[0] + step * x as in `add_row`; returns the `Change`."""
    gain = gains = growth = growths = strayed = swollen = 0.0
    for p in range(low, high):
        j = np.int64(p - low) if indices is None else np.int64(indices[p])
        product = step * theta.dtype.type(values[p])
        old = np.float64(theta[0, j])
        theta[0, j] += product
        new = np.float64(theta[0, j])
        one, other = (new - old) * direction[j], (new - old) * (new + old)
        gain += one
        gains += abs(one)
        growth += other
        growths += abs(other)
        moved = unit * (abs(new) + abs(np.float64(product))) + tiny
        strayed += moved * abs(direction[j])
        swollen += moved * abs(new)
    return Change(gain, gains, growth, growths, strayed, swollen)


@kernel
def audit_updates(rows, constant, chosen_rows, steps, theta, offset, rule, theorem, limbs,
                  findings):  # fmt: skip
    """Follow ``theta . theta*`` and ``||theta||^2`` through all updates, from a zero start.

    theta : (1, d), offset : (1,), zeros; left as the last hypothesis. `findings` is filled.

    What rounding does to an update: weight j is moved off its exact value by at most
    m_j = unit (|theta_j| + |eta x_j|) + tiny, which changes the progress by at most
    sum m_j |direction_j| and the squared norm by at most 2 sum m_j |theta_j|, j running over the
    values of the row. These add up over the updates.

    What measuring adds (Higham 2002, section 3.1): the change that an update of n values makes is
    taken as sum (new - old) direction_j and sum (new - old) (new + old), with an error of at most
    (n + 13) UNIT times the sum of the absolute values. Whenever the changes have touched as many
    values as theta has (for dense rows always), both sides are summed afresh, with an error of at
    most (d + 14) UNIT ||theta|| and (d + 4) UNIT ||theta||^2.

    The allowances are the sums of these bounds, times 1.01 for their own rounding.

    Source: Novikoff (1962); what an update gains and adds at most is its rule's.
    """
    values, indices, indptr, width = rows
    direction, direction_offset, least_gain, most_growth, unit, tiny = theorem
    breaches = findings.breaches
    breaches[:] = -1
    progress = squared = 0.0
    drift = swelling = 0.0  # what rounding has done to theta, in all
    progress_error = squared_error = 0.0  # of measuring, since the sums were last taken afresh
    touched = 0
    asked = np.empty((1, 1), theta.dtype)
    for e in range(steps.shape[0]):
        step = steps[e]
        low, high = span(indptr, width, chosen_rows[e])
        y = 1.0 if step > 0 else -1.0
        norm = 1.01 * math.sqrt(squared + squared_error) + SMALLEST
        if breaches[0] < 0 and not asks(
            rule, y, y, 1.0, 0.0, np.inf, norm, row_norm(values, low, high, constant), theta,
            offset, (), 0, -1, values, indices, low, high, constant, limbs, asked, 0,
        ):  # fmt: skip
            breaches[0] = e

        change = move(theta, values, indices, low, high, step, direction, unit, tiny)
        old = np.float64(offset[0])
        offset[0] += step * offset.dtype.type(constant)
        new = np.float64(offset[0])
        one, other = (new - old) * direction_offset, (new - old) * (new + old)
        gain, growth = change.gain + one, change.growth + other
        moved = unit * (abs(new) + abs(np.float64(step)))
        strayed = change.strayed + moved * abs(direction_offset)
        swollen = change.swollen + moved * abs(new)

        n_terms = high - low + 13
        gain_error = n_terms * (UNIT * (change.gains + abs(one)) + SMALLEST)
        growth_error = n_terms * (UNIT * (change.growths + abs(other)) + SMALLEST)
        if breaches[1] < 0 and not gain + 1.01 * (strayed + gain_error) >= least_gain[e]:
            breaches[1] = e
        allowed = most_growth[e] + 1.01 * (2.0 * swollen + growth_error)
        if breaches[2] < 0 and not growth <= allowed:
            breaches[2] = e
        drift += strayed
        swelling += 2.0 * swollen

        touched += high - low
        if touched < width:
            progress += gain
            squared += growth
            progress_error += gain_error + UNIT * abs(progress)
            squared_error += growth_error + UNIT * abs(squared)
        else:
            touched = 0
            progress, squared = measure(theta, direction)
            new = np.float64(offset[0])
            progress += new * direction_offset
            squared += new * new
            progress_error = (width + 14) * (UNIT * math.sqrt(squared) + SMALLEST)
            squared_error = (width + 4) * (UNIT * squared + SMALLEST)
        findings.progress[e] = progress
        findings.progress_allowance[e] = 1.01 * (drift + progress_error)
        findings.squared_norm[e] = squared
        findings.squared_norm_allowance[e] = 1.01 * (swelling + squared_error)
