"""What second-order rules share: a covariance Sigma beside theta, as a diagonal or in full.

Sigma says how far each direction may still move. It starts as the unit matrix and only shrinks.
With u = Sigma x and v = x . u, where x has the constant 1 of the offset, if there is one, an update
whose numbers are alpha y and beta is

    theta <- theta + alpha y u,    Sigma <- Sigma - beta u u^T

Of a diagonal u_j = fl(sigma_j x_j), and sigma_j <- fl(sigma_j - fl(beta fl(u_j^2))), or 0 where
that is below 0, as the exact value never is. In full each u_i is rounded once, and sigma_ij <-
fl(sigma_ij - fl(beta fl(u_i u_j))). v is the sum of x_j u_j, rounded once; joint, that of both
classes. Sigma, u and v are doubles; alpha, beta, and u where it is added to theta, are rounded to
theta's type.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from novikoff._jit import kernel, reordering_row_kernel, row_kernel
from novikoff.kernels.exact import add_product, value
from novikoff.kernels.rounded import (
    LONG,
    add_term,
    along_row,
    cut_product,
    fsum_products,
    grid_for,
    nearest,
)
from novikoff.kernels.rules import Extra, add_sum, declared, square_gained, update

# Of shards the smallest variances: together they have seen more than the one that is surest. The
# smallest numbers of several matrices would be no covariance; their mean is.
_DIAGONAL = (Extra("variances", 1.0, "smallest"),)
_FULL = (Extra("covariance", 1.0, "mean", "matrix"),)


def second_order(size: str, *, bounded: bool = True) -> Callable[[Any], Any]:
    """Declare the class of a rule with this update; its field `full` says what is kept."""

    def declare(rule: Any) -> Any:
        rule = declared(size, numbers=2, bounded=bounded)(rule)
        rule.EXTRA = property(lambda told: _FULL if told.full else _DIAGONAL)
        update.of(rule)(_update)
        return rule

    return declare


def _update(rule, theta, offset, extra, sums, offset_sums, k, sign, values, indices, low, high,
            constant, limbs, numbers, e, count):  # fmt: skip
    step = numbers[e, 0] if sign > 0 else -numbers[e, 0]
    return _shrink(
        extra[0], extra[-1], theta, offset, sums, offset_sums, k, values, indices, low, high,
        constant, limbs, step, np.float64(numbers[e, 1]), count,
    )  # fmt: skip


# In what follows `sigma` and `rest` are the first and the last array of the rule: (K, d) variances
# and (K,) those of the offset; or, twice, the matrices, whose last row is u (see `Extra`). The
# compiler drops the branches of the other kind.


@row_kernel
def _shrink(sigma, rest, theta, offset, sums, offset_sums, k, values, indices, low, high, constant,
            limbs, step, beta, count):  # fmt: skip
    """The update; returns by how much the square of theta's norm grew, as `update` does."""
    fill(sigma, k, values, indices, low, high, constant, limbs)
    grown, width = 0.0, theta.shape[1]
    n_moved = width if sigma.ndim == 3 else high - low
    plane, first = np.uint64(k), np.uint64(low)
    for place in range(np.uint64(n_moved)):
        j, x = place, 0.0
        if sigma.ndim == 2:
            j = place if indices is None else np.uint64(indices[first + place])
            x = np.float64(values[first + place])
        u = _within(sigma, plane, j, x)
        old = theta[plane, j]
        new = old + step * theta.dtype.type(u)
        theta[plane, j] = new
        grown += square_gained(old, new)
        if sums is not None:
            sums[plane, j] += count * (np.float64(new) - np.float64(old))
        if sigma.ndim == 2:
            sigma[plane, j] = max(sigma[plane, j] - beta * (u * u), 0.0)
    u = along(sigma, rest, k, -1, constant)
    old = offset[k]
    new = old + step * offset.dtype.type(u)
    offset[k] = new
    grown += square_gained(old, new)
    add_sum(offset_sums, k, count * (np.float64(new) - np.float64(old)))
    if sigma.ndim == 2:
        rest[k] = max(rest[k] - beta * (u * u), 0.0)
    else:
        for i in range(width + 1):
            for j in range(width + 1):
                sigma[k, i, j] -= beta * (sigma[k, width + 1, i] * sigma[k, width + 1, j])
    return grown


@_shrink.at_once
def _(loop, sigma, rest, theta, offset, sums, offset_sums, k, values, indices, low, high, constant,
      limbs, step, beta, count):  # fmt: skip
    some = sigma.ndim == 2 and high - low >= LONG
    grown, done = 0.0, high if some else low
    if some:
        j = slice(None) if indices is None else indices[low:high]
        u, old = sigma[k, j] * values[low:high].astype(np.float64), theta[k, j].copy()
        new = old + step * u.astype(theta.dtype)
        theta[k, j] = new
        if sums is not None:
            sums[k, j] += count * (new.astype(np.float64) - old)
        sigma[k, j] = np.maximum(sigma[k, j] - beta * (u * u), 0.0)
        grown = square_gained(old, new).sum()
    return grown + loop(
        sigma, rest, theta, offset, sums, offset_sums, k, values, indices, done, high, constant,
        limbs, step, beta, count,
    )  # fmt: skip


@row_kernel
def along(sigma, rest, k, j, x):
    """u_j, where x_j is `x`; j = -1 for the offset. A matrix must have been filled in (`fill`)."""
    if sigma.ndim == 2:
        return (sigma[k, j] if j >= 0 else rest[k]) * x
    else:
        return sigma[k, sigma.shape[1] - 1, j + 1]


@row_kernel
def _within(sigma, k, j, x):
    """The same, for unsigned numbers of a feature: nothing to test in a loop over many."""
    if sigma.ndim == 2:
        return sigma[k, j] * x
    else:
        return sigma[k, sigma.shape[1] - 1, j + np.uint64(1)]


@kernel
def fill(sigma, k, values, indices, low, high, constant, limbs):
    """The last row of matrix k <- u at one row, each number of it rounded once."""
    if sigma.ndim == 3:
        last = sigma.shape[1] - 1
        for i in range(last):
            total, rest, size = add_term(0.0, 0.0, 0.0, sigma[k, i, 0], constant, False)
            for p in range(low, high):
                j = np.int64(p - low) if indices is None else np.int64(indices[p])
                total, rest, size = add_term(
                    total, rest, size, sigma[k, i, j + 1], np.float64(values[p]), False
                )
            certain, result = nearest(total, rest, size, high - low)
            if not certain:
                limbs[:] = 0
                add_product(limbs, sigma[k, i, 0], constant)
                for p in range(low, high):
                    j = np.int64(p - low) if indices is None else np.int64(indices[p])
                    add_product(limbs, sigma[k, i, j + 1], np.float64(values[p]))
                result = value(limbs)
            sigma[k, last, i] = result


@row_kernel
def variance(row_norm, extra, k, rival, values, indices, low, high, constant, limbs):
    """v at one row, rounded once; with a `rival`, the sum of both.

    row_norm : an upper bound on ||(x, 1)||
    """
    # Sigma never exceeds the unit matrix but by rounding, so neither do the terms the square.
    most = (2.5 if rival >= 0 else 1.25) * row_norm * row_norm
    return _variance(
        most, extra[0], extra[-1], k, rival, values, indices, low, high, constant, limbs
    )


@kernel
def _variance(most, sigma, rest, k, rival, values, indices, low, high, constant, limbs):
    fill(sigma, k, values, indices, low, high, constant, limbs)
    if rival >= 0:
        fill(sigma, rival, values, indices, low, high, constant, limbs)
    grid = grid_for(most)
    total, lost = _cut_terms(sigma, rest, k, values, indices, low, high, constant, grid)
    if rival >= 0:
        part, left = _cut_terms(sigma, rest, rival, values, indices, low, high, constant, grid)
        total, lost = total + part, lost + left
    certain, result = nearest(total, lost, grid, 2 * (high - low + 1))
    if certain and result <= most:  # variances of somebody's file may be larger than 1
        return result
    limbs[:] = 0
    for c in (k, rival):
        if c < 0:
            continue
        add_product(limbs, constant, along(sigma, rest, c, -1, constant))
        for p in range(low, high):
            j = np.int64(p - low) if indices is None else np.int64(indices[p])
            x = np.float64(values[p])
            add_product(limbs, x, along(sigma, rest, c, j, x))
    return value(limbs)


@_variance.at_once
def _(loop, most, sigma, rest, k, rival, values, indices, low, high, constant, limbs):
    result = None
    if sigma.ndim == 2 and high - low >= LONG:
        x, variances = values[low:high].astype(np.float64), along_row(sigma[k], indices, low, high)
        more = [rest[k] * constant]
        if rival >= 0:
            variances = np.append(variances, along_row(sigma[rival], indices, low, high))
            x, more = np.append(x, x), [*more, rest[rival] * constant]
        result = fsum_products(x, variances * x, more, False)
    if result is None:
        return loop(most, sigma, rest, k, rival, values, indices, low, high, constant, limbs)
    return result


@reordering_row_kernel
def _cut_terms(sigma, rest, k, values, indices, low, high, constant, grid):
    """The sums of the two parts of every x_j u_j, see `rounded.cut_product`."""
    total, lost = cut_product(grid, constant, along(sigma, rest, k, -1, constant), False)
    k, low, high = np.uint64(k), np.uint64(low), np.uint64(high)
    for p in range(low, high):
        x = np.float64(values[p])
        u = _within(sigma, k, p - low if indices is None else np.uint64(indices[p]), x)
        part, left = cut_product(grid, x, u, False)
        total += part
        lost += left
    return total, lost


@reordering_row_kernel
def _sizes(sigma, rest, k, values, indices, low, high, constant):
    """The sum of |x_j u_j|, roughly."""
    total = abs(constant * along(sigma, rest, k, -1, constant))
    k, low, high = np.uint64(k), np.uint64(low), np.uint64(high)
    for p in range(low, high):
        x = np.float64(values[p])
        u = _within(sigma, k, p - low if indices is None else np.uint64(indices[p]), x)
        total += abs(x * u)
    return total


@row_kernel
def most_variance(extra, k, rival, values, indices, low, high, constant):
    """An upper bound on v that costs little; infinite in full, where there is none."""
    if extra[0].ndim == 3:
        return np.inf
    bound = _sizes(extra[0], extra[-1], k, values, indices, low, high, constant)
    if rival >= 0:
        bound += _sizes(extra[0], extra[-1], rival, values, indices, low, high, constant)
    return bound * (1.0 + (high - low + 8) * 2.0**-50)
