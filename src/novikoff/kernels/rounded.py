"""Sums of products rounded once: the double nearest to their exact value.

Rules that compute a step from a score or a squared length start from these, so that the step does
not depend on the order of a sum. First in about twice the working precision, with a bound on what
that may have missed; where the bound leaves two doubles to choose from, exactly
(:mod:`novikoff.kernels.exact`). Below the normal numbers, and beyond the largest, the result is
only as good as `exact.value`: rules refuse what they meet there.

A product is a double and its rounding error (Dekker 1971). Parts of them that are cut on one grid
for all sum without rounding in any order (Rump, Ogita and Oishi 2008, lemma 3.3), so that the
compiler may take several at a time; what is left is too small for its rounding to matter. Sums of
products that are doubles, as in single precision or with small integers, often lie halfway between
two doubles: then what is left is cut once more, on a finer grid, and if nothing is left after that
the sum is exact.
"""

from __future__ import annotations

import math

import numpy as np

from novikoff._jit import kernel, reordering_row_kernel, row_kernel
from novikoff.kernels.exact import accumulate, add_product, value
from novikoff.kernels.words import error_of_product

# A square below the first has lost digits; what is not below the second was too large for a double.
LEAST, MOST = 2.0**-1022, 1.7976931348623157e308
_NO_ERROR = 2.0**-960  # the rounding error of a smaller product may be less than any double
_FINER, _MOST_TERMS = 2.0**-28, 2**20  # a grid for what is left of up to so many terms
LONG = 8  # terms for which ordinary Python calls numpy, see `fsum_products`


@row_kernel
def _two_product(a, b):
    """(p, e) with a b = p + e exactly, unless something over- or underflows."""
    product = a * b
    return product, error_of_product(a, b, product)


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
    # Written so that what is not a number is not certain. `high` is above and below, sooner known.
    return below == above and size < 1e300, high


@row_kernel
def grid_for(size):
    """A power of two at least twice a sum of sizes that is at most about `size`.

    Infinite, which makes nothing certain, where the sum may overflow.
    """
    if not size < 1e280:
        return np.inf
    # The power of two in `size` (Rump, Ogita and Oishi 2008, algorithm 3.6), three above it.
    scaled = size * (2.0**52 + 1.0)
    return 8.0 * abs(scaled - (1.0 - 2.0**-53) * scaled) if size > 0.0 else 1.0


@row_kernel
def _cut(grid, a):
    """(a on the grid, the rest of it): exact, for abs(a) up to half of `grid`."""
    high = (grid + a) - grid
    return high, a - high


@row_kernel
def cut_product(grid, a, b, short):
    """(a b on the grid, what is left of it, rounded); short : see `add_term`."""
    product, error = (a * b, 0.0) if short else _two_product(a, b)
    part, left = _cut(grid, product)
    return part, left + error


@reordering_row_kernel
def product_sizes(theta, offset, k, values, indices, low, high):
    """The sum of |offset| and of every |theta_j x_j|: what `rounded_score` asks for, by a pass."""
    k, low, high = np.uint64(k), np.uint64(low), np.uint64(high)
    total = abs(np.float64(offset[k]))
    for p in range(low, high):
        j = p - low if indices is None else indices[p]
        total += abs(np.float64(theta[k, j]) * np.float64(values[p]))
    return total


@reordering_row_kernel
def _cut_products(theta, offset, k, values, indices, low, high, grid, short):
    """The sums of the two parts of the offset and of every theta_j x_j, see `cut_product`."""
    k, low, high = np.uint64(k), np.uint64(low), np.uint64(high)
    total, rest = cut_product(grid, np.float64(offset[k]), 1.0, short)
    for p in range(low, high):
        j = p - low if indices is None else indices[p]
        part, left = cut_product(grid, np.float64(theta[k, j]), np.float64(values[p]), short)
        total += part
        rest += left
    return total, rest


@reordering_row_kernel
def _cut_twice(theta, offset, k, values, indices, low, high, grid, short):
    """The same with both sums exact; and a bound on what these leave of the products, perhaps 0."""
    k, low, high = np.uint64(k), np.uint64(low), np.uint64(high)
    total, rest = _cut(grid, np.float64(offset[k]))
    rest, lost = _cut(_FINER * grid, rest)
    lost = abs(lost)
    for p in range(low, high):
        j = p - low if indices is None else indices[p]
        weight, x = np.float64(theta[k, j]), np.float64(values[p])
        product, error = (weight * x, 0.0) if short else _two_product(weight, x)
        if not short and abs(product) < _NO_ERROR and weight != 0.0 and x != 0.0:
            error = 1.0  # it may be too small for a double
        part, left = _cut(grid, product)
        total += part
        part, left = _cut(_FINER * grid, left)
        rest += part
        lost += abs(left) + abs(error)
    return total, rest, lost


@reordering_row_kernel
def _cut_squares(values, low, high, constant, grid, short):
    """The sums of the two parts of the constant and of every x_j^2."""
    total, rest = cut_product(grid, constant, constant, short)
    for p in range(np.uint64(low), np.uint64(high)):
        x = np.float64(values[p])
        part, left = cut_product(grid, x, x, short)
        total += part
        rest += left
    return total, rest


def fsum_products(a, b, more, short):
    """The sum of the products a_j b_j, and of the numbers `more`, rounded once: for plain Python.

    a, b : arrays of doubles
    short : see `add_term`
    None where digits of a product are beyond the range of doubles.
    """
    products, errors = a * b, []
    if not short:
        size = np.abs(products)
        inside = (size > 2.0**-800) | (a == 0.0) | (b == 0.0)
        rest = _two_product.plain(a, b)[1]
        if not (inside.all() and size.max() < 2.0**800 and math.isfinite(rest.sum())):
            return None
        errors = rest.tolist()
    return math.fsum((*products.tolist(), *errors, *more)) + 0.0  # never -0.0


def along_row(weights, indices, low, high):
    """Those of `weights` that belong to the values of one row, as doubles."""
    return (weights if indices is None else weights[indices[low:high]]).astype(np.float64)


@row_kernel
def rounded_score(most, theta, offset, k, rival, values, indices, low, high, limbs):
    """s_k - s_rival at one row, rounded once; ``rival < 0`` stands for s = 0.

    most : an upper bound on the sum of the sizes of all terms; the closer, the faster
    The other arguments are those of :func:`novikoff.kernels.exact.dot_sign`.
    """
    short = theta.itemsize < 8 and values.itemsize < 8  # single precision, or small integers
    grid = grid_for(most)
    total, rest = _cut_products(theta, offset, k, values, indices, low, high, grid, short)
    if rival >= 0:
        part, left = _cut_products(theta, offset, rival, values, indices, low, high, grid, short)
        total, rest = total - part, rest - left
    certain, result = nearest(total, rest, grid, 2 * (high - low + 1))
    if certain:
        return result
    return _settled(grid, short, theta, offset, k, rival, values, indices, low, high, limbs)


@kernel
def _settled(grid, short, theta, offset, k, rival, values, indices, low, high, limbs):
    """`rounded_score` where it lies close to the middle of two doubles."""
    n_terms = 2 * (high - low + 1)
    if n_terms < _MOST_TERMS:
        total, rest, lost = _cut_twice(theta, offset, k, values, indices, low, high, grid, short)
        if rival >= 0:
            part, fine, left = _cut_twice(
                theta, offset, rival, values, indices, low, high, grid, short
            )
            total, rest, lost = total - part, rest - fine, lost + left
        if lost == 0.0:
            return total + rest
    accumulate(theta, offset, k, rival, values, indices, low, high, 1, 0.0, limbs)
    return value(limbs)


@rounded_score.at_once
def _(loop, most, theta, offset, k, rival, values, indices, low, high, limbs):
    result = None
    if high - low >= LONG:
        x, weights = values[low:high].astype(np.float64), along_row(theta[k], indices, low, high)
        more = [float(offset[k])]
        if rival >= 0:
            weights = np.append(weights, -along_row(theta[rival], indices, low, high))
            x, more = np.append(x, x), [*more, -float(offset[rival])]
        result = fsum_products(weights, x, more, theta.itemsize < 8 and values.itemsize < 8)
    if result is None:
        return loop(most, theta, offset, k, rival, values, indices, low, high, limbs)
    return result


@row_kernel
def rounded_square(row_norm, values, low, high, constant, limbs):
    """||(x, constant)||^2 at one row, rounded once.

    row_norm : an upper bound on its root
    constant : a double, of `values` in single precision one that these hold
    """
    short = values.itemsize < 8
    grid = grid_for(row_norm * row_norm)
    total, rest = _cut_squares(values, low, high, constant, grid, short)
    certain, result = nearest(total, rest, grid, high - low + 1)
    return result if certain else _exact_square(values, low, high, constant, limbs)


@kernel
def _exact_square(values, low, high, constant, limbs):
    limbs[:] = 0
    add_product(limbs, constant, constant)
    for p in range(low, high):
        x = np.float64(values[p])
        add_product(limbs, x, x)
    return value(limbs)


@rounded_square.at_once
def _(loop, row_norm, values, low, high, constant, limbs):
    x = np.append(values[low:high], constant).astype(np.float64)
    result = fsum_products(x, x, [], values.itemsize < 8) if len(x) >= LONG else None
    return loop(row_norm, values, low, high, constant, limbs) if result is None else result


@kernel
def rounded_norm(norm, theta, offset, k, limbs):
    """||(theta[k], offset[k])||^2, rounded once; norm : an upper bound on its root."""
    first = np.int64(0)  # by a literal all below would be compiled once more
    return rounded_square(norm, theta[k], first, theta.shape[1], np.float64(offset[k]), limbs)
