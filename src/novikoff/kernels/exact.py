"""Exact sums of products, and their signs.

The last resort behind every decision: an accumulator wide enough for any sum of products of two
doubles (Kulisch and Miranker 1981). Its limbs hold 32 bits each in an int64, so that about 2**29
products fit between two carries; limb 0 starts at 2**-2252, below the smallest product.
"""

from __future__ import annotations

import math

import numpy as np

from novikoff._jit import inner_kernel, kernel, row_kernel

N_LIMBS = 140
LOWEST = -2252  # twice the exponent of the smallest subnormal, when its mantissa has 53 bits
_MASK32 = 0xFFFFFFFF
_MASK27 = 0x7FFFFFF


@inner_kernel
def add_shifted(limbs, value, exponent, sign):
    """limbs += sign * value * 2**exponent, for 0 <= value < 2**55."""
    position = exponent - LOWEST
    limb = position >> 5
    shift = position & 31
    low = (value & _MASK32) << shift
    high = (value >> 32) << shift
    limbs[limb] += sign * (low & _MASK32)
    limbs[limb + 1] += sign * ((low >> 32) + (high & _MASK32))
    limbs[limb + 2] += sign * (high >> 32)


@kernel
def add_product(limbs, a, b):
    """limbs += a * b, exactly, for finite doubles a and b."""
    if a == 0.0 or b == 0.0:
        return
    sign = 1 if (a > 0.0) == (b > 0.0) else -1
    fraction_a, exponent_a = math.frexp(abs(a))
    fraction_b, exponent_b = math.frexp(abs(b))
    mantissa_a = int(fraction_a * 9007199254740992.0)  # times 2**53: an integer
    mantissa_b = int(fraction_b * 9007199254740992.0)
    exponent = exponent_a + exponent_b - 106
    high_a, low_a = mantissa_a >> 27, mantissa_a & _MASK27
    high_b, low_b = mantissa_b >> 27, mantissa_b & _MASK27
    add_shifted(limbs, low_a * low_b, exponent, sign)
    add_shifted(limbs, high_a * low_b + low_a * high_b, exponent + 27, sign)
    add_shifted(limbs, high_a * high_b, exponent + 54, sign)


@row_kernel
def add_pending(limbs, high, low, a):
    """(high, low) with limbs + high + low increased by a, exactly, for a double a >= 0.

    high and low are the sum as Neumaier (1974) compensates it, which costs little; only when low
    would have to be rounded is it all added to the limbs.
    """
    total = high + a
    lost = (high - total) + a if high >= a else (a - total) + high
    new = low + lost
    if new - low == lost and new - lost == low:  # else something was rounded, or overflowed
        return total, new
    add_product(limbs, high, 1.0)
    add_product(limbs, low, 1.0)
    return a, 0.0


@kernel
def settle(limbs):
    """Carry until every limb but the last is in [0, 2**32); return the sign of the sum."""
    carry = 0
    nonzero = False
    for i in range(N_LIMBS - 1):
        total = limbs[i] + carry
        limbs[i] = total & _MASK32
        carry = total >> 32
        nonzero = nonzero or limbs[i] != 0
    limbs[N_LIMBS - 1] += carry
    top = limbs[N_LIMBS - 1]
    if top < 0:
        return -1
    return 1 if nonzero or top > 0 else 0


@kernel
def compare(limbs, others):
    """The sign of the first sum less the second; both are settled."""
    return settle(limbs - others)


@kernel
def value(limbs):
    """The sum in `limbs` as the nearest double, ties to even; never 0.0 or infinite unless it is 0.

    A negative sum is negated in place first. Below the normal numbers it may be the next but one.
    """
    sign = settle(limbs)
    if sign == 0:
        return 0.0
    if sign < 0:
        for i in range(N_LIMBS):
            limbs[i] = -limbs[i]
        settle(limbs)
    top = N_LIMBS - 1
    while limbs[top] == 0:
        top -= 1
    bits = 0
    while limbs[top] >> bits != 0:
        bits += 1
    # The 60 leading bits, and in the last of them whether anything follows: a conversion to double
    # then rounds as it would round the whole sum. A lower limb is taken in two pieces at most.
    mantissa = np.int64(limbs[top])
    wanted, limb, rest = 60 - bits, top - 1, 0
    while wanted > 0 and limb >= 0:
        taken = min(wanted, 32)
        mantissa = (mantissa << taken) | (limbs[limb] >> (32 - taken))
        rest = limbs[limb] & ((1 << (32 - taken)) - 1)
        wanted -= taken
        limb -= 1
    exponent = 32 * top + LOWEST + bits - 60 + wanted
    while limb >= 0 and rest == 0:
        rest = limbs[limb]
        limb -= 1
    if rest != 0:
        mantissa |= 1
    # Far below the smallest double the exponent no longer matters: the result is clamped anyway.
    result = np.ldexp(np.float64(mantissa), max(exponent, -1200))
    return sign * min(max(result, 5e-324), 1.7976931348623157e308)


@inner_kernel
def dot_sign(theta, offset, k, rival, values, indices, low, high, y, beta, limbs):
    """The exact sign of ``y * (s_k - s_rival) - beta`` at one row; ``rival < 0`` stands for s = 0.

    theta : (K, d), offset : (K,)
    values, indices, low, high : the row, see :mod:`novikoff.kernels.rows`
    limbs : (N_LIMBS,) int64, scratch

    First in double precision: right when the sum exceeds its rounding error, or when every term is
    an integer and their magnitudes sum to less than 2**53 (then nothing was rounded). Otherwise
    exactly.
    """
    total, magnitude, whole = _in_doubles(theta, offset, k, values, indices, low, high)
    if rival >= 0:
        other, more, too = _in_doubles(theta, offset, rival, values, indices, low, high)
        total, magnitude, whole = total - other, magnitude + more, whole and too
    total, magnitude = y * total - beta, magnitude + abs(beta)
    whole = whole and beta == np.floor(beta)
    n_terms = 2 * (high - low) + 6
    error = 1.01 * n_terms * (2.0**-53 * magnitude + 2.0**-1022)
    if n_terms < 2**40 and abs(total) > error and magnitude < 1e300:
        return 1 if total > 0.0 else -1
    if whole and magnitude < 9007199254740992.0:
        return 1 if total > 0.0 else (-1 if total < 0.0 else 0)
    accumulate(theta, offset, k, rival, values, indices, low, high, y, beta, limbs)
    return settle(limbs)


@inner_kernel
def _in_doubles(theta, offset, k, values, indices, low, high):
    """s_k at one row, the sum of the magnitudes of its terms, and whether all are integers."""
    total = np.float64(offset[k])
    magnitude, whole = abs(total), total == np.floor(total)
    for p in range(low, high):
        j = np.int64(p - low) if indices is None else np.int64(indices[p])
        x, weight = np.float64(values[p]), np.float64(theta[k, j])
        if x != 0.0:
            total += weight * x
            magnitude += abs(weight * x)
            whole = whole and x == np.floor(x) and weight == np.floor(weight)
    return total, magnitude, whole


@_in_doubles.by_numpy
def _(theta, offset, k, values, indices, low, high):
    x = values[low:high].astype(np.float64)
    weights = theta[k] if indices is None else theta[k, indices[low:high]]
    terms, extra = x * weights, float(offset[k])
    whole = not ((x % 1.0).any() or ((weights % 1.0) * x).any() or extra % 1.0)
    return extra + terms.sum(), abs(extra) + np.abs(terms).sum(), whole


@inner_kernel
def accumulate(theta, offset, k, rival, values, indices, low, high, y, beta, limbs):
    """limbs <- ``y * (s_k - s_rival) - beta``, exactly; the arguments are those of `dot_sign`."""
    limbs[:] = 0
    add_product(limbs, beta, -1.0)
    add_score(theta, offset, k, values, indices, low, high, y, limbs)
    if rival >= 0:
        add_score(theta, offset, rival, values, indices, low, high, -y, limbs)


@inner_kernel
def add_score(theta, offset, k, values, indices, low, high, y, limbs):
    """limbs += y * s_k, exactly, at one row; y is -1 or +1."""
    add_product(limbs, np.float64(offset[k]), np.float64(y))
    for p in range(low, high):
        j = np.int64(p - low) if indices is None else np.int64(indices[p])
        add_product(limbs, np.float64(theta[k, j]), np.float64(values[p]) * y)
