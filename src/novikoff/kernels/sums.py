"""Exact sums of a column's values and of their squares.

A double is m * 2**(e - 1075) with an integer m below 2**53. Values of one exponent e can be summed
as integers; so can their squares, in three parts. For at most 512 values at a time this happens in
one bin per exponent, four machine integers each, which never overflow; then the bins in use are
emptied into accumulators as wide as those of :mod:`novikoff.kernels.exact`. Nothing is rounded, so
neither order nor chunking matters. It costs about as much as reading the text of a short number.
"""

from __future__ import annotations

import numpy as np

from novikoff._jit import kernel
from novikoff.kernels.exact import add_shifted, settle

N_BINS = 2047  # one per exponent of a finite double
_CHUNK = 512  # values between two flushes: 512 * (2**27 - 1)**2 < 2**63
_MASK52 = 0xFFFFFFFFFFFFF
_IMPLICIT = 0x10000000000000
_MASK27 = 0x7FFFFFF
_BIAS = 1075


@kernel
def _add_signed(limbs, value, exponent):
    """limbs += value * 2**exponent, for abs(value) < 2**63."""
    if value > 0:
        add_shifted(limbs, value, exponent, 1)
    elif value < 0:
        add_shifted(limbs, -value, exponent, -1)


@kernel
def _flush(bins, low, high, sums, squares):
    """Empty the bins of the exponents low..high into the accumulators."""
    for e in range(low, high + 1):
        if bins[e, 1] == 0 and bins[e, 3] == 0:
            continue  # never used: a value other than zero leaves one of these squares
        exponent = e - _BIAS
        _add_signed(sums, bins[e, 0], exponent)
        _add_signed(squares, bins[e, 1], 2 * exponent)
        _add_signed(squares, bins[e, 2], 2 * exponent + 28)
        _add_signed(squares, bins[e, 3], 2 * exponent + 54)
        bins[e, :] = 0


@kernel
def add_column(bits, bins, sums, squares):
    """sums += Σ x, squares += Σ x², exactly, over the values of a column that are not missing.

    bits : (n,) int64, the values' bit patterns; NaN stands for a missing value. Infinite values
        are taken for missing too: the caller has refused them.
    bins : (N_BINS, 4) int64, scratch; zeros before and after
    sums, squares : (N_LIMBS,) int64, accumulators of :mod:`novikoff.kernels.exact`; changed

    Returns how many values were there, and how many of these were zero.
    """
    n_present = 0
    n_zero = 0
    for start in range(0, len(bits), _CHUNK):
        low, high = N_BINS, 0
        for i in range(start, min(start + _CHUNK, len(bits))):
            pattern = np.int64(bits[i])
            e = (pattern >> 52) & 0x7FF
            m = pattern & _MASK52
            if e == 0x7FF:
                continue
            n_present += 1
            if e == 0:
                if m == 0:
                    n_zero += 1
                    continue
                e = 1  # a subnormal number: the exponent of the smallest normal ones
            else:
                m |= _IMPLICIT
            upper, lower = m >> 27, m & _MASK27
            b = np.uint64(e)  # unsigned: no check whether to count from the end
            bins[b, 0] += m if pattern >= 0 else -m
            bins[b, 1] += lower * lower
            bins[b, 2] += upper * lower
            bins[b, 3] += upper * upper
            low, high = min(low, e), max(high, e)
        _flush(bins, low, high, sums, squares)
    settle(sums)
    settle(squares)
    return n_present, n_zero


@add_column.by_numpy
def _(bits, bins, sums, squares):
    n_present = n_zero = 0
    for start in range(0, len(bits), _CHUNK):
        pattern = bits[start : start + _CHUNK]
        e, m = (pattern >> 52) & 0x7FF, pattern & _MASK52
        n_present += np.count_nonzero(e != 0x7FF)
        n_zero += np.count_nonzero((e == 0) & (m == 0))
        some = (e != 0x7FF) & ((e != 0) | (m != 0))
        pattern, e, m = pattern[some], e[some], m[some]
        m = np.where(e == 0, m, m | _IMPLICIT)
        e = np.maximum(e, 1)
        upper, lower = m >> 27, m & _MASK27
        signed = np.where(pattern >= 0, m, -m)
        for k, part in enumerate((signed, lower * lower, upper * lower, upper * upper)):
            np.add.at(bins[:, k], e, part)
        if len(e):
            _flush(bins, int(e.min()), int(e.max()), sums, squares)
    settle(sums)
    settle(squares)
    return n_present, n_zero


@kernel
def extend_intervals(values, classes, lows, highs, counts):
    """Widen each class's interval to hold its values; NaN is skipped.

    values : (n,) float64
    classes : (n,) int64, row by row the class's number
    lows, highs : (K,) float64, infinite while a class has no value; changed
    counts : (K,) int64, values per class; changed
    """
    for i in range(len(values)):
        x = values[i]
        if x != x:  # NaN
            continue
        k = classes[i]
        lows[k] = min(lows[k], x)
        highs[k] = max(highs[k], x)
        counts[k] += 1
