"""The floating-point filter: when is the sign of a rounded score right?

For n products summed in any order, fused or not, with unit roundoff u (Higham 2002, section 3.1):

    |computed - exact| <= g * sum |theta_j x_j| + n * tiny <= g * ||theta|| * ||x|| + n * tiny

with g = n u / (1 - n u); `tiny` covers products that underflow. Row norms are taken once;
||theta|| is followed through the updates by ||theta + c y x||^2 = ||theta||^2 + 2 c y s + c^2
||x||^2, rounded upwards, so that a decision costs O(1) beyond its dot product. Where the score is
closer to the threshold than this bound, :func:`novikoff.kernels.exact.dot_sign` decides.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from novikoff._jit import inner_kernel, kernel, row_kernel
from novikoff.kernels.rows import rounded_up_root, sum_of_squares


class Precision(NamedTuple):
    """The arithmetic a sum is taken in."""

    unit: float  # unit roundoff
    tiny: float  # smallest normal number
    huge: float  # largest finite number


@lru_cache
def precision_of(dtype) -> Precision:
    """The `Precision` of a floating-point dtype."""
    info = np.finfo(dtype)
    return Precision(float(info.eps) / 2.0, float(info.tiny), float(info.max))


@row_kernel
def relative_error(n_terms, precision):
    """The factor g of the module's text, for `n_terms` products and an offset."""
    rounded = (n_terms + 6) * precision.unit
    return 1.0001 * rounded / (1.0 - rounded) if rounded < 0.5 else np.inf


@row_kernel
def underflow_error(n_terms, precision):
    """What products that underflow can add to the error of a score."""
    return (n_terms + 6) * precision.tiny


@row_kernel
def score_error(g, norm_product, underflow, precision, exact):
    """An upper bound on the error of a score; infinite where a sum might have overflowed.

    exact : nothing was rounded where the product of the norms is below this, see `exact_below`
    """
    if norm_product < exact:
        return 0.0
    if not norm_product < 0.25 * precision.huge:
        return np.inf
    return g * norm_product + underflow


@row_kernel
def norm_bound(square, n_terms, precision):
    """An upper bound on ||(x, 1)||, where ||x||^2 was summed in `precision` to `square`."""
    total = (np.float64(square) + 1.0) * (1.0 + 2.0 * (n_terms + 8) * precision.unit)
    return np.sqrt(total + (n_terms + 1) * precision.tiny)


@norm_bound.by_numpy
def _(square, n_terms, precision):
    total = (np.asarray(square, np.float64) + 1.0) * (1.0 + 2.0 * (n_terms + 8) * precision.unit)
    return np.sqrt(total + (n_terms + 1) * precision.tiny)


@row_kernel
def product_error(n_terms, norm, row_norm, precision):
    """A bound on the error of theta . x, both rounded to `precision` and summed in it, anyhow.

    norm, row_norm : upper bounds on ||theta|| and ||x||
    As in the module's text; the roundings count as two more terms, and what underflows in one
    factor is multiplied by the other. Never less than `blocks.size_error`, which is made of terms
    that were summed: so a score that this is sure of is not looked at again.
    """
    product = norm * row_norm
    if not (product < 0.25 * precision.huge and norm + row_norm < 0.25 * precision.huge):
        return np.inf
    lost = (n_terms + 6) * precision.tiny * (1.0 + norm + row_norm)
    g = relative_error(n_terms + 2, precision)
    return g * (1.0 + 5.0 * g) * product + lost


@product_error.by_numpy
def _(n_terms, norm, row_norm, precision):
    product, limit = norm * row_norm, 0.25 * precision.huge
    lost = (n_terms + 6) * precision.tiny * (1.0 + norm + row_norm)
    g = relative_error(n_terms + 2, precision)
    error = g * (1.0 + 5.0 * g) * product + lost
    return np.where((product < limit) & (norm + row_norm < limit), error, np.inf)[()]


def exact_below(precision: Precision, whole: bool) -> float:
    """While ||theta|| ||x|| is less, a score is the exact one: always, if that is 0.

    whole : whether all weights and values are integers. Their products, and the sums of these in
        any order, are integers no larger than ||theta|| ||x||, and below 1 / u all integers are
        numbers of the type.
    """
    return 0.5 / precision.unit if whole else 0.0


@inner_kernel
def grown_norm(norm, inner, step, row_norm, precision):
    """An upper bound on ||theta + step x||, each weight rounded to `precision`.

    norm, row_norm : upper bounds on ||theta|| and ||x||
    inner : an upper bound on step * theta . x
    """
    squared = norm * norm
    added = (step * row_norm) ** 2  # neither factor is squared alone: that may underflow
    most = abs(step) * row_norm * norm
    inner = inner if inner < most else most  # `most` also where `inner` is not a number
    exact = max(squared + 2.0 * inner + added, 0.0) + 1e-14 * (squared + added)
    # Rounding moves theta_new by at most u ||theta_new|| + u ||step x||, and subnormals.
    unit = precision.unit
    return math.sqrt(exact * (1.0 + 16.0 * unit) + 4.0 * unit * added + precision.tiny)


@kernel
def weight_norms(theta, offset, norms):
    """norms[k] <- an upper bound on ||(theta[k], offset[k])||, for every hyperplane."""
    in_rows = theta.shape[0] == 1 or theta.strides[1] == theta.itemsize
    for k in range(theta.shape[0]):
        norms[k] = np.float64(offset[k]) ** 2
        if in_rows:
            norms[k] += sum_of_squares(theta[k], 0, theta.shape[1])
    if not in_rows:
        for j in range(theta.shape[1]):
            for k in range(theta.shape[0]):
                norms[k] += np.float64(theta[k, j]) ** 2
    for k in range(theta.shape[0]):
        norms[k] = rounded_up_root(norms[k], theta.shape[1])


@weight_norms.by_numpy
def _(theta, offset, norms):
    squares = np.einsum("kj,kj->k", theta, theta, dtype=np.float64)
    norms[:] = rounded_up_root(squares + np.square(offset, dtype=np.float64), theta.shape[1])
