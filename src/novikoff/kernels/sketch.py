"""A sketch of dense rows, one byte a value, that spares most rows a reading in full.

Training from memory is as fast as memory is read. Most examples are no mistake by a wide margin,
and a coarse copy is enough to see it: with x = scale * (q - zero) + rest and ||rest|| <= gap,

    |theta . x - scale * theta . (q - zero)| <= ||theta|| * gap

on top of the rounding of the sum. Only where this leaves a doubt is the row itself read and the
example decided as always, so that nothing but the time depends on the sketch. Floats that are
integers from 0 to 255 (pixels, counts, indicators) are not even sketched but narrowed: bytes hold
them exactly.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from novikoff._jit import finite_row_kernel, kernel, reordering_row_kernel, row_kernel
from novikoff.kernels.filter import Precision, relative_error, score_error, underflow_error
from novikoff.kernels.rows import row_norm, span


class Sketch(NamedTuple):
    """A coarse copy of dense rows; empty arrays where there is none."""

    values: Any  # (n * d,) uint8, q
    zero: float
    scale: Any  # (n,) float64, a power of two
    gap: Any  # (n,) float64, upper bounds on ||x - scale * (q - zero)||
    theta: Any  # (K, d) float32: theta itself, or a rounded copy of it
    is_copy: bool
    precision: Precision  # of float32


@row_kernel
def _largest_bits(bits, mask, low, high):
    """The largest magnitude in a row, as bits: floats and their bits are in the same order."""
    largest = bits.dtype.type(0)
    for p in range(np.uint64(low), np.uint64(high)):
        largest = max(largest, bits[p] & mask)
    return largest


@finite_row_kernel
def _quantise(values, low, high, scale, zero, result):
    """result[low:high] <- q; returns the sum of (x / scale - (q - zero))**2."""
    inverse, shift = np.float32(1.0 / scale), np.float32(zero)
    half, least, most = np.float32(0.5), np.float32(0.0), np.float32(255.0)
    total = np.float32(0)
    for p in range(np.uint64(low), np.uint64(high)):
        scaled = np.float32(values[p]) * inverse
        q = np.int32(min(max(scaled + shift + half, least), most))
        result[p] = q
        rest = scaled - (np.float32(q) - shift)
        total += rest * rest
    return np.float64(total)


@kernel
def draw(values, bits, width, constant, zero, norms, result, scale, gap):
    """Fill in `norms` as `rows.row_norms` does, and the sketch, in one pass over dense rows.

    values, bits : the rows as floats and, the same memory, as integers
    Returns the first row with a NaN or an infinity, or -1. For fewer than 2**17 features: the
    single-precision sum of squares is then right to one per cent.
    """
    mantissa, bias = (23, 127) if bits.itemsize == 4 else (52, 1023)
    mask = ~(bits.dtype.type(1) << bits.dtype.type(8 * bits.itemsize - 1))
    n_bits = 7 if zero > 0.0 else 8  # of the magnitude of a q
    for i in range(norms.shape[0]):
        low, high = i * width, (i + 1) * width
        norms[i] = row_norm(values, low, high, constant)
        if math.isnan(norms[i]):
            return i
        if not 1e-30 < norms[i] < 1e30:  # beyond what single precision can weigh
            scale[i], gap[i] = 1.0, np.inf
            continue
        exponent = np.int64(_largest_bits(bits, mask, low, high) >> mantissa) - bias
        scale[i] = np.ldexp(1.0, max(exponent + 1 - n_bits, -100))
        rest = _quantise(values, low, high, scale[i], zero, result)
        gap[i] = 1.01 * scale[i] * math.sqrt(rest) + 1e-6 * norms[i]
    return -1


@finite_row_kernel
def _narrow_row(values, low, high, result):
    """result[low:high] <- x as bytes; returns how many values are no bytes."""
    lost = 0
    for p in range(np.uint64(low), np.uint64(high)):
        q = np.uint8(np.int32(values[p]))
        result[p] = q
        lost += values.dtype.type(q) != values[p]
    return lost


@kernel
def narrow(rows, constant, norms, result):
    """Fill in `norms` as `rows.row_norms` does, and `result` with the values as bytes, exactly.

    Returns the first row with a value that is no integer from 0 to 255, or -1.
    """
    values, _, indptr, width = rows
    for i in range(norms.shape[0]):
        low, high = span(indptr, width, i)
        norms[i] = row_norm(values, low, high, constant)
        if not norms[i] < 1e8 or _narrow_row(values, low, high, result) > 0:
            return i
    return -1


@row_kernel
def sketch_error(n_terms, norm, row_norm, scale, gap, precision):
    """An upper bound on the error of a score taken from a sketch; see the module's text."""
    reach = norm * (row_norm + gap) / scale
    g = relative_error(n_terms + 4, precision)
    rounding = score_error(g, reach, 256.0 * underflow_error(n_terms, precision), precision)
    return 1.0001 * norm * gap + scale * rounding


@reordering_row_kernel
def sketch_dot(theta, k, values, zero, low, high):
    """theta[k] . (q - zero) at one row, in single precision."""
    total = np.float32(0)
    plane, low, high, shift = np.uint64(k), np.uint64(low), np.uint64(high), np.float32(zero)
    if zero == 0.0:  # a quarter faster
        for p in range(low, high):
            total += theta[plane, p - low] * np.float32(values[p])
    else:
        for p in range(low, high):
            total += theta[plane, p - low] * (np.float32(values[p]) - shift)
    return total


@kernel
def refresh(sketch_theta, theta, k):
    """sketch_theta[k] <- theta[k], rounded to single precision, after an update."""
    for j in range(theta.shape[1]):
        sketch_theta[k, j] = theta[k, j]
