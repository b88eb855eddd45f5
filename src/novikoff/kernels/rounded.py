"""Sums of products rounded once: the double nearest to their exact value.

Rules that compute a step from a score or a squared length start from these, so that the step does
not depend on the order of a sum. First in twice the working precision (Ogita, Rump and Oishi 2005,
algorithm 5.3), with a bound on what that may have missed; where the bound leaves two doubles to
choose from, exactly (:mod:`novikoff.kernels.exact`). Below the normal numbers, and beyond the
largest, the result is only as good as `exact.value`: rules refuse what they meet there.
"""

from __future__ import annotations

import numpy as np

from novikoff._jit import kernel, row_kernel
from novikoff.kernels.exact import accumulate, add_product, value

# A square below the first has lost digits; what is not below the second was too large for a double.
LEAST, MOST = 2.0**-1022, 1.7976931348623157e308
_SPLIT = 134217729.0  # 2**27 + 1, which cuts a double into two halves (Veltkamp)


@row_kernel
def _two_product(a, b):
    """(p, e) with a b = p + e exactly, unless something over- or underflows (Dekker 1971)."""
    product = a * b
    wide = _SPLIT * a
    high_a = wide - (wide - a)
    low_a = a - high_a
    wide = _SPLIT * b
    high_b = wide - (wide - b)
    low_b = b - high_b
    return product, low_a * low_b - (
        ((product - high_a * high_b) - low_a * high_b) - high_a * low_b
    )


@row_kernel
def _two_sum(a, b):
    """(s, e) with a + b = s + e exactly (Knuth)."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


@row_kernel
def add_term(total, rest, size, a, b, short):
    """(total, rest, size) after one more product: total + rest is the sum, size that of |a b|.

    short : whether a double holds the product, as of two numbers in single precision
    """
    product, error = (a * b, 0.0) if short else _two_product(a, b)
    total, lost = _two_sum(total, product)
    return total, rest + (error + lost), size + abs(product)


@row_kernel
def nearest(total, rest, size, n_terms):
    """(whether it is certain, the double nearest to the sum)."""
    high, low = _two_sum(total, rest)
    n = n_terms + 4.0
    error = 4.0 * n * n * 2.0**-106 * size + n * 2.0**-1020 + abs(low) * 2.0**-51
    below, above = high + (low - error), high + (low + error)
    # Written so that what is not a number is not certain.
    return below == above and size < 1e300, above


@kernel
def rounded_score(theta, offset, k, rival, values, indices, low, high, limbs):
    """s_k - s_rival at one row, rounded once; ``rival < 0`` stands for s = 0.

    The arguments are those of :func:`novikoff.kernels.exact.dot_sign`.
    """
    total, rest = np.float64(offset[k]), 0.0
    size = abs(total)
    n_terms = 2 * (high - low)
    short = theta.itemsize < 8 and values.itemsize < 8  # single precision, or small integers
    if rival >= 0:
        total, rest, size = add_term(total, rest, size, np.float64(offset[rival]), -1.0, short)
    for p in range(low, high):
        j = np.int64(p - low) if indices is None else np.int64(indices[p])
        x = np.float64(values[p])
        total, rest, size = add_term(total, rest, size, np.float64(theta[k, j]), x, short)
        if rival >= 0:
            total, rest, size = add_term(total, rest, size, -np.float64(theta[rival, j]), x, short)
    certain, result = nearest(total, rest, size, n_terms)
    if certain:
        return result
    accumulate(theta, offset, k, rival, values, indices, low, high, 1, 0.0, limbs)
    return value(limbs)


@kernel
def rounded_square(values, low, high, constant, limbs):
    """||(x, constant)||^2 at one row, rounded once, for a constant of 0 or 1."""
    total, rest = np.float64(constant), 0.0
    size = total
    for p in range(low, high):
        x = np.float64(values[p])
        total, rest, size = add_term(total, rest, size, x, x, values.itemsize < 8)
    certain, result = nearest(total, rest, size, high - low)
    if certain:
        return result
    limbs[:] = 0
    add_product(limbs, constant, constant)
    for p in range(low, high):
        x = np.float64(values[p])
        add_product(limbs, x, x)
    return value(limbs)


@kernel
def rounded_norm(theta, offset, k, limbs):
    """||(theta[k], offset[k])||^2, rounded once."""
    w = np.float64(offset[k])
    short = theta.itemsize < 8
    total, rest, size = add_term(0.0, 0.0, 0.0, w, w, short)
    for j in range(theta.shape[1]):
        w = np.float64(theta[k, j])
        total, rest, size = add_term(total, rest, size, w, w, short)
    certain, result = nearest(total, rest, size, theta.shape[1])
    if certain:
        return result
    limbs[:] = 0
    add_product(limbs, np.float64(offset[k]), np.float64(offset[k]))
    for j in range(theta.shape[1]):
        add_product(limbs, np.float64(theta[k, j]), np.float64(theta[k, j]))
    return value(limbs)
