"""Update rules: when an example asks for an update, and what the update is.

A rule is one file here: a named tuple with the numbers it is told, and the form that two functions
take for it. It knows one hyperplane and one example. Its tuple has at least

    size        what sample and class weights multiply: the step, or the C that caps it
    threshold   an example with y s above it asks for no update, whatever else there is; not below
                0, since such an example also counts as rightly predicted; infinite where that
                depends on the example, see `enough`

and its class is declared (`declared`, `additive`) with

    SIZE        what `size` is called in an error: a parameter of the estimators
    IS_STEP     whether `size`, times the weights, is the step itself, and so must fit theta's type
    NUMBERS     how many numbers of an update the log carries, in theta's type; the first is never 0
    EXTRA       what is kept beside theta, see `Extra`
    ADDITIVE    whether an update adds a multiple of the row to theta, which a trace can replay
    WHOLE       whether an update needs all of theta, which of joint classes is several hyperplanes
    BOUNDED     whether one threshold holds for all examples

`asks` decides, and writes the numbers of the update into the log. `update` carries it out, when
training and whenever a run is replayed, from nothing but these numbers and the row. A rule that
adds a multiple of the row to theta needs no `update` of its own, see `additive`; nor does one that
also scales theta (`scaling`), or keeps a covariance (:mod:`novikoff.kernels.covariance`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from novikoff._jit import by_class, reordering_row_kernel, row_kernel
from novikoff.kernels.filter import grown_norm
from novikoff.kernels.rows import add_row

__all__ = [
    "Extra", "add_sum", "additive", "asks", "declared", "enough", "norm_after", "scale_and_add",
    "scaling", "square_gained", "update", "write_step",
]  # fmt: skip


class Extra(NamedTuple):
    """What a rule keeps beside theta, in float64, of each of K hyperplanes.

    shape : "weights": (K, d), as theta, and (K,) for the offset's part; "number": (K,); "matrix":
        (K, d + 2, d + 1), with the offset's part first, and one more row as scratch space
    """

    name: str
    start: float  # what every number is at first; of a matrix those on its diagonal, the rest is 0
    mix: str  # how shards make one of theirs: "mean", as of theta, or "smallest"
    shape: str = "weights"

    def shapes(self, width: int) -> dict[str, tuple[int, ...]]:
        """Of one hyperplane with `width` features, by the names of the arrays."""
        if self.shape == "weights":
            return {self.name: (width,), f"{self.name}_offset": ()}
        return {self.name: () if self.shape == "number" else (width + 2, width + 1)}

    @property
    def names(self) -> list[str]:
        """Of the arrays."""
        return list(self.shapes(0))


@by_class
def asks(rule, y, side, size, score, error, norm, row_norm, theta, offset, extra, k, rival, values,
         indices, low, high, constant, limbs, numbers, e):  # fmt: skip
    """Whether the row asks for an update of hyperplane k; if so, numbers[e] are those of it.

    y : +1 or -1; side : the same, or, joint, which of two classes wins a tie
    size : the rule's, times the weights of the row
    score, error : y's factor, theta[k] . x + offset[k] (joint: less the rival's), to within `error`
    norm, row_norm : upper bounds on ||(theta[k], offset[k])|| (joint: and the rival's), ||(x, 1)||
    rival : -1, or the class that x will be subtracted from
    extra : the arrays of `EXTRA`, and after each the offset's
    """


@by_class
def enough(rule, extra, k, row_norm):
    """An example whose y s is certainly above this asks for no update of hyperplane k.

    row_norm : an upper bound on ||(x, 1)||; of joint classes, which the example concerns twice, on
        ||(x, 1, x, 1)||
    """


@by_class
def update(rule, theta, offset, extra, sums, offset_sums, k, sign, values, indices, low, high,
           constant, limbs, numbers, e, count):  # fmt: skip
    """Hyperplane k moves by the update numbers[e], with `sign` -1 away from the row.

    sums, offset_sums : the lazy average, += count * (new - old); or None
    Returns the sum of `square_gained` over all that moved; 0.0 where `norm_after` does without.
    """


@by_class
def norm_after(rule, grown, inner, step, norm, row_norm, width, precision):
    """An upper bound on ||(theta[k], offset[k])|| after an update whose first number is `step`.

    grown : what `update` returned; norm, row_norm : bounds from before, and on ||(x, 1)||
    inner : an upper bound on step * (theta[k] . x + offset[k]) before the update
    width : how many weights theta[k] has
    """


def declared(
    size: str,
    *,
    is_step: bool = False,
    numbers: int = 1,
    extra: tuple[Extra, ...] = (),
    whole: bool = False,
    bounded: bool = True,
) -> Callable[[Any], Any]:
    """Declare the class of a rule; see the module's text."""
    assert all(each.name != "sums" for each in extra), "the sums of the mean have that name"

    def declare(rule: Any) -> Any:
        rule.SIZE, rule.IS_STEP, rule.NUMBERS, rule.EXTRA = size, is_step, numbers, extra
        rule.ADDITIVE, rule.WHOLE, rule.BOUNDED = False, whole, bounded
        enough.of(rule)(_threshold)
        norm_after.of(rule)(_followed)
        return rule

    return declare


def additive(size: str, *, is_step: bool = False) -> Callable[[Any], Any]:
    """Declare the class of a rule whose update is theta <- theta + c x, with c its one number."""

    def declare(rule: Any) -> Any:
        rule = declared(size, is_step=is_step)(rule)
        update.of(rule)(_add)
        norm_after.of(rule)(_grown)
        rule.ADDITIVE = True
        return rule

    return declare


def scaling(
    size: str, *, extra: tuple[Extra, ...] = (), bounded: bool = True
) -> Callable[[Any], Any]:
    """Declare the class of a rule whose update is theta <- a theta + b x; its numbers are b, a.

    Each weight becomes fl(fl(a theta_j) + fl(b x_j)).
    """

    def declare(rule: Any) -> Any:
        rule = declared(size, numbers=2, extra=extra, whole=True, bounded=bounded)(rule)
        update.of(rule)(_scale)
        return rule

    return declare


def _threshold(rule, extra, k, row_norm):
    return rule.threshold


def _add(rule, theta, offset, extra, sums, offset_sums, k, sign, values, indices, low, high,
         constant, limbs, numbers, e, count):  # fmt: skip
    step = numbers[e, 0] if sign > 0 else -numbers[e, 0]
    add_row(theta, sums, k, values, indices, low, high, step, count)
    old = offset[k]
    new = old + step * offset.dtype.type(constant)
    offset[k] = new
    add_sum(offset_sums, k, count * (np.float64(new) - np.float64(old)))
    return 0.0


def _scale(rule, theta, offset, extra, sums, offset_sums, k, sign, values, indices, low, high,
           constant, limbs, numbers, e, count):  # fmt: skip
    return scale_and_add(
        theta, offset, sums, offset_sums, k, values, indices, low, high, constant, numbers, e, count
    )


@row_kernel
def scale_and_add(
    theta, offset, sums, offset_sums, k, values, indices, low, high, constant, numbers, e, count
):  # fmt: skip
    """`update` of a rule that is `scaling`; that is never joint, so that there is no sign."""
    step, scale = numbers[e, 0], numbers[e, 1]
    grown, begin = 0.0, np.int64(0)
    for p in range(low, high):
        j = np.int64(p - low) if indices is None else np.int64(indices[p])
        grown += _scale_range(theta, sums, k, begin, j, scale, count)
        old = theta[k, j]
        new = _scaled(theta, old, scale, step * theta.dtype.type(values[p]))
        theta[k, j] = new
        if sums is not None:
            sums[k, j] = _summed(sums[k, j], count, old, new)
        grown += square_gained(old, new)
        begin = j + 1
    grown += _scale_range(theta, sums, k, begin, theta.shape[1], scale, count)
    old = offset[k]
    new = _scaled(theta, old, scale, step * offset.dtype.type(constant))
    offset[k] = new
    add_sum(offset_sums, k, count * (np.float64(new) - np.float64(old)))
    return grown + square_gained(old, new)


@row_kernel
def _scaled(theta, weight, scale, added):
    """fl(fl(scale weight) + added); never a negative zero, which of dense rows 0 x may hide."""
    return scale * weight + added + theta.dtype.type(0)


@reordering_row_kernel
def _scale_range(theta, sums, k, begin, end, scale, count):
    """Scale the weights begin ... end - 1; returns the sum of `square_gained` over them."""
    grown = 0.0
    k = np.uint64(k)
    for j in range(np.uint64(begin), np.uint64(end)):
        old = theta[k, j]
        new = _scaled(theta, old, scale, theta.dtype.type(0))
        theta[k, j] = new
        grown += square_gained(old, new)
        if sums is not None:
            sums[k, j] = _summed(sums[k, j], count, old, new)
    return grown


@_scale_range.by_numpy
def _(theta, sums, k, begin, end, scale, count):
    if begin == end:
        return 0.0
    old = theta[k, begin:end].copy()
    new = _scaled(theta, old, scale, theta.dtype.type(0))
    theta[k, begin:end] = new
    if sums is not None:
        sums[k, begin:end] = _summed(sums[k, begin:end], count, old, new)
    return square_gained(old, new).sum()


@row_kernel
def _summed(total, count, old, new):
    """The lazy average after one more update: += count * (new - old)."""
    return total + count * (np.float64(new) - np.float64(old))


def _grown(rule, grown, inner, step, norm, row_norm, width, precision):
    return grown_norm(norm, inner, step, row_norm, precision)


def _followed(rule, grown, inner, step, norm, row_norm, width, precision):
    # Of the sizes of the terms of `grown`, which sum to less than both squares, a few units each.
    rounded = 1.0 + (width + 16) * 2.0**-52
    return math.sqrt(max(norm * norm * rounded + grown, 0.0) * rounded + 2.0**-1000)


@row_kernel
def write_step(numbers, e, y, step, sound):
    """numbers[e, 0] <- y step in theta's type; NaN, which is refused, where that is no step.

    sound : whether what the step was computed from is in the range of doubles
    """
    step = numbers.dtype.type(step)
    if not sound or step == 0.0 or not math.isfinite(step):
        step = numbers.dtype.type(np.nan)
    numbers[e, 0] = step if y > 0 else -step


@row_kernel
def square_gained(old, new):
    """new^2 - old^2, with three roundings."""
    new, old = np.float64(new), np.float64(old)
    return (new - old) * (new + old)


@row_kernel
def add_sum(offset_sums, k, amount):
    """offset_sums[k] += amount, where there are sums."""
    if offset_sums is not None:
        offset_sums[k] += amount
