"""A first look at a row by several hyperplanes, in narrower types than the weights have.

Most rows are no mistake of most hyperplanes by a wide margin, and rough scores are enough to see
that. A glance holds theta, or a narrower copy of it,

    theta[k] = unit[k] * copy[k] + rest[k],

and scores ``unit[k] * (copy[k] . x)``: a score is off by its rounding, and by ||rest[k]|| ||x|| at
most. Whatever this leaves open is scored again from theta and decided as always, so that nothing
but the time depends on the copy. There are five kinds:

- `Weights`: theta itself; nothing is left, and nothing is to be scored again;
- `Singles`: single precision, for theta in double; what is left counts as one more rounding;
- `Halves`: half of its bits (`words.bfloat`), for many hyperplanes that meet sparse rows;
- `Shorts`: integers of 16 bits, for dense rows of bytes, whose sums are exact. `unit` is a power of
  two, so that whole weights are copied without loss until they outgrow 16 bits;
- `Sketched`: single precision, for rows that have a sketch (:mod:`novikoff.kernels.sketch`).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from novikoff._jit import by_class, reordering_row_kernel, row_kernel
from novikoff.kernels.filter import Precision, precision_of, relative_error, underflow_error
from novikoff.kernels.registers import FEWEST_BYTES
from novikoff.kernels.rows import LINE, by_fives, dots, fetch, sparse_dots
from novikoff.kernels.sketch import Sketch, refresh
from novikoff.kernels.words import bfloat, prefetch

_FITS = 1.001 * 2.0**-15  # of a norm: in a larger unit 16 bits hold all weights
_LEAST_EXPONENT = -60  # of a unit: smaller rests would have no squares in single precision
_TINY = 2.0**-60  # what such squares may hide
_SEVERAL, _MANY = 8, 32  # fewer hyperplanes do not repay a copy in single precision; in half
_HALF = 1.02 * 2.0**-8  # of a norm: the most that is left by half of single precision
_WIDEST = 2**15  # beyond it a sum of 32 bits might overflow


class Weights(NamedTuple):
    """Theta itself."""

    sums: Any  # (K,) in theta's type: what `look` found
    precision: Precision  # of the sums


class Singles(NamedTuple):
    """A copy in single precision."""

    copy: Any  # (K, d) float32, in theta's memory order
    sums: Any  # (K,) float32
    left: Any  # (K,) float64, upper bounds on ||rest||, but for its rounding
    precision: Precision


class Halves(NamedTuple):
    """A copy in half of single precision."""

    copy: Any  # (K, d) uint16, the bits of `bfloat`, in Fortran order
    sums: Any  # (K,) float32
    left: Any  # (K,) float64, upper bounds on ||rest||, but for the rounding to single precision
    precision: Precision


class Shorts(NamedTuple):
    """A copy in integers of 16 bits."""

    copy: Any  # (K, d) int16
    sums: Any  # (K,) int32
    unit: Any  # (K,) float64, powers of two
    inverse: Any  # (K,) float64, 1 / unit
    left: Any  # (K,) float64, upper bounds on ||rest||
    precision: Precision  # of the score that is made of the sum


class Sketched(NamedTuple):
    """A sketch of the rows, and a copy of theta that is made for it."""

    sketch: Sketch
    sums: Any  # (K,) float32
    base: Any  # (K,) float64, theta . lowest
    precision: Precision


@by_class
def look(glance, theta, i, values, indices, low, high, planes, first, last):
    """glance.sums[k] <- copy[k] . x at row i, for every k in planes[first:last]."""


@by_class
def fetch_for(glance, values, indices, indptr, width, norms, i):
    """Have what is looked at of row `i` on its way from memory."""


@by_class
def look_closely(glance, theta, values, indices, low, high, planes, first, last, scores):
    """scores[k] <- theta[k] . x at a row that was looked at, for every k in planes[first:last]."""


@by_class
def glimpsed(glance, offset, norms, k, i, row_norm, rounding):
    """The score of hyperplane k, which looked at row i, with its offset, and a bound on its error.

    norms, row_norm : upper bounds on ||(theta[k], offset[k])|| and on ||(x, 1)||
    rounding : see `rounding_of`
    In a form that a compiler can vectorise, for unsigned k.
    """


@by_class
def follow(glance, theta, k, norm, indices, low, high):
    """Let the copy follow hyperplane k, after an update by one row, which if sparse moved no more.

    norm : an upper bound on ||theta[k]||
    """


@row_kernel
def rounding_of(glance, n_values):
    """Of a score from rows of so many values: see `glimpsed`."""
    precision = glance.precision
    return (
        relative_error(n_values + 2, precision), underflow_error(n_values, precision),
        0.25 * precision.huge,
    )  # fmt: skip


@row_kernel
def _error(left, norm, row_norm, rounding):
    """Of a score by a narrower copy: as `filter.product_error`, and what is left."""
    g, extra, limit = rounding
    error = g * (norm * row_norm) + left * row_norm + extra * (1.0 + norm + row_norm)
    return error if (norm * row_norm < limit) & (norm + row_norm < limit) else np.inf


@look.of(Weights)
def _(glance, theta, i, values, indices, low, high, planes, first, last):
    dots(theta, values, indices, low, high, planes, first, last, glance.sums)


@look_closely.of(Weights)
def _(glance, theta, values, indices, low, high, planes, first, last, scores):
    for a in range(first, last):
        scores[planes[a]] = glance.sums[planes[a]]


@glimpsed.of(Weights)
def _(glance, offset, norms, k, i, row_norm, rounding):
    g, extra, limit = rounding
    size = norms[k] * row_norm
    score = np.float64(glance.sums[k]) + np.float64(offset[k])
    return score, g * size + extra if size < limit else np.inf


@follow.of(Weights)
def _(glance, theta, k, norm, indices, low, high):
    pass


@look.of(Singles)
def _(glance, theta, i, values, indices, low, high, planes, first, last):
    dots(glance.copy, values, indices, low, high, planes, first, last, glance.sums)


@glimpsed.of(Singles)
@glimpsed.of(Halves)
def _(glance, offset, norms, k, i, row_norm, rounding):
    score = np.float64(glance.sums[k]) + np.float64(offset[k])
    return score, _error(glance.left[k], norms[k], row_norm, rounding)


@follow.of(Singles)
def _(glance, theta, k, norm, indices, low, high):
    copy, plane, low, high = glance.copy, np.uint64(k), np.uint64(low), np.uint64(high)
    for p in range(low, high):
        j = p - low if indices is None else indices[p]
        copy[plane, j] = theta[plane, j]


@look.of(Halves)
def _(glance, theta, i, values, indices, low, high, planes, first, last):
    sparse_dots(glance.copy, values, indices, low, high, planes, first, last, glance.sums)


@follow.of(Halves)
def _(glance, theta, k, norm, indices, low, high):
    for p in range(np.uint64(low), np.uint64(high)):
        j = indices[p]
        glance.copy[np.uint64(k), j] = bfloat(theta[np.uint64(k), j])
    if glance.left[k] < np.inf:  # else other weights were left behind
        # That covers all but weights below 2**-500 that were not copied, which `extra` hides.
        glance.left[k] = _HALF * norm


@look.of(Shorts)
def _(glance, theta, i, values, indices, low, high, planes, first, last):
    by_fives(glance.copy, values, low, high - low, planes, first, last, glance.sums)


@glimpsed.of(Shorts)
def _(glance, offset, norms, k, i, row_norm, rounding):
    score = glance.unit[k] * np.float64(glance.sums[k]) + np.float64(offset[k])
    return score, _error(glance.left[k], norms[k], row_norm, rounding)


@follow.of(Shorts)
def _(glance, theta, k, norm, indices, low, high):
    unit, least = glance.unit[k], norm * _FITS
    if not (least < unit and unit * 0.125 < least):
        unit = math.ldexp(1.0, max(math.frexp(least)[1], _LEAST_EXPONENT))
        glance.unit[k], glance.inverse[k] = unit, 1.0 / unit
    squares = _shorten(glance.copy, theta, k, unit, glance.inverse[k])
    glance.left[k] = (1.01 * math.sqrt(squares) if squares > 0.0 else 0.0) + _TINY


@reordering_row_kernel
def _shorten(copy, theta, k, unit, inverse):
    """copy[k] <- theta[k] / unit, rounded; returns the sum of rest**2, but for what underflows.

    inverse : 1 / unit, from memory: of a quotient at hand the compiler would divide every weight
    """
    k, number = np.uint64(k), theta.dtype.type
    unit, inverse, half = number(unit), number(inverse), number(32768.5)
    total = number(0)
    for j in range(np.uint64(theta.shape[1])):
        weight = theta[k, j]
        above = np.int32(weight * inverse + half)  # cut off, so that it is rounded
        short = np.int32(above - 32768)
        copy[k, j] = short
        rest = weight - unit * number(short)  # exact: no digit of it is beyond those of the weight
        total += rest * rest
    return np.float64(total)


@_shorten.by_numpy
def _(copy, theta, k, unit, inverse):
    copy[k] = np.floor(theta[k] / unit + 0.5)
    return np.square(theta[k] - unit * copy[k], dtype=np.float64).sum()


@look.of(Sketched)
def _(glance, theta, i, values, indices, low, high, planes, first, last):
    sketch, begin = glance.sketch, np.int64(i) * glance.sketch.stride
    by_fives(sketch.theta, sketch.values, begin, sketch.stride, planes, first, last, glance.sums)


@glimpsed.of(Sketched)
def _(glance, offset, norms, k, i, row_norm, rounding):
    score = glance.base[k] + np.float64(glance.sums[k]) + np.float64(offset[k])
    error = norms[k] * glance.sketch.reach[i] + glance.sketch.least
    return score, error if norms[k] < glance.sketch.limit else np.inf


@follow.of(Sketched)
def _(glance, theta, k, norm, indices, low, high):
    sketch = glance.sketch
    base, _ = refresh(sketch.theta, sketch.lowest, sketch.step, theta, k)
    glance.base[k] = base


@fetch_for.of(Sketched)
def _(glance, values, indices, indptr, width, norms, i):
    sketch, i = glance.sketch, np.uint64(i)
    prefetch(norms, i)
    prefetch(sketch.reach, i)
    for p in range(0, sketch.stride, LINE):
        prefetch(sketch.values, i * np.uint64(sketch.stride) + np.uint64(p))


@fetch_for.of(Weights)
@fetch_for.of(Singles)
@fetch_for.of(Halves)
@fetch_for.of(Shorts)
def _(glance, values, indices, indptr, width, norms, i):
    fetch(values, indices, indptr, width, norms, i)


@look_closely.of(Singles)
@look_closely.of(Halves)
@look_closely.of(Shorts)
@look_closely.of(Sketched)
def _(glance, theta, values, indices, low, high, planes, first, last, scores):
    dots(theta, values, indices, low, high, planes, first, last, scores)


def weights_of(theta: Any) -> Weights:
    """A glance at theta itself."""
    return Weights(np.empty(len(theta), theta.dtype), precision_of(theta.dtype))


def spoil(glance: Any) -> None:
    """Theta will change without its copy: trust it no more, but where it has followed since."""
    if isinstance(glance, Sketched):
        glance.base[:] = np.nan
    elif not isinstance(glance, Weights):
        glance.left[:] = np.inf


def is_spoilt(glance: Any) -> bool:
    """Whether some hyperplanes are not trusted any more."""
    if isinstance(glance, Sketched):
        return bool(np.isnan(glance.base).any())
    return not isinstance(glance, Weights) and bool(np.isinf(glance.left).any())


def glance_at(
    theta: Any,
    norms: Any,
    values: Any,
    *,
    sparse: bool,
    additive: bool,
    products: float,
    sketch: Sketch,
) -> Weights | Singles | Halves | Shorts | Sketched:
    """What serves for rows with these `values`, and perhaps a sketch.

    norms : upper bounds on those of theta; products : of a weight and a value, in an epoch
    additive : whether an update is known to move the weights of its row only
    """
    n_planes, width = theta.shape
    begun = norms > 2.0**-500  # most runs start from zero, and there is nothing to copy
    left = np.where(begun, 0.0, norms)
    single = precision_of(np.float32)
    glance: Any = weights_of(theta)
    if len(sketch.reach) > 0:
        glance = Sketched(sketch, np.empty(n_planes, np.float32), np.zeros(n_planes), single)
    elif products <= theta.size:  # a copy would cost as much as it saves
        return glance
    elif not sparse and values.dtype == np.uint8 and FEWEST_BYTES <= width < _WIDEST:
        copy, sums = np.zeros(theta.shape, np.int16), np.empty(n_planes, np.int32)
        units = np.ones(n_planes), np.ones(n_planes)
        glance = Shorts(copy, sums, *units, left, precision_of(np.float64))
    elif sparse and additive and n_planes >= _MANY:
        copy = np.zeros(theta.shape, np.uint16, order="F")
        with np.errstate(over="ignore"):
            copy[begun] = bfloat(theta[begun])
        left[begun] = _HALF * norms[begun]
        return Halves(copy, np.empty(n_planes, np.float32), left, single)
    elif (
        n_planes >= _SEVERAL
        and theta.dtype == np.float64
        and (additive if sparse else values.dtype != "f8")
    ):
        copy = np.zeros(theta.shape, np.float32, order="F" if sparse else "C")
        with np.errstate(over="ignore"):  # what overflows is never trusted
            copy[begun] = theta[begun]
        return Singles(copy, np.empty(n_planes, np.float32), left, single)
    with np.errstate(all="ignore"):
        for k in np.flatnonzero(begun):
            follow(glance, theta, k, norms[k], None, 0, width)
    return glance
