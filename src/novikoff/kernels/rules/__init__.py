"""Update rules: when an example asks for an update, and what the update is.

A rule is one file here: a named tuple with the numbers it is told, and the form that two functions
take for it. It knows one hyperplane and one example. Its tuple has at least

    size        what sample and class weights multiply: the step, or the C that caps it
    threshold   an example with y s above it asks for no update, whatever else there is; not below
                0, since such an example also counts as rightly predicted

and its class is declared (`declared`, `additive`) with

    SIZE        what `size` is called in an error: a parameter of the estimators
    IS_STEP     whether `size`, times the weights, is the step itself, and so must fit theta's type
    NUMBERS     how many numbers of an update the log carries, in theta's type; the first is never 0
    EXTRA       what is kept beside theta, see `Extra`
    HYPERPLANE  None, or what is predicted with, where that is not theta itself: a function of
                theta, offset and the arrays of EXTRA that returns the weights and the offset
    ADDITIVE    whether an update adds a multiple of the row to theta, which a trace can replay

`asks` decides, and writes the numbers of the update into the log. `update` carries it out, when
training and whenever a run is replayed, from nothing but these numbers and the row. A rule that
adds a multiple of the row to theta needs no `update` of its own: see `additive`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from novikoff._jit import by_class, row_kernel
from novikoff.kernels.filter import grown_norm
from novikoff.kernels.rows import add_row

__all__ = ["Extra", "additive", "asks", "declared", "norm_after", "update"]


class Extra(NamedTuple):
    """An array that a rule keeps beside theta, (K, d) float64, and (K,) for the offset's part."""

    name: str
    start: float  # what every number is at first
    mix: str  # how shards make one of theirs: "mean", as of theta, or "smallest"

    @property
    def names(self) -> tuple[str, str]:
        """Of the array, and of the offset's part."""
        return self.name, f"{self.name}_offset"


@by_class
def asks(rule, y, side, size, score, error, theta, offset, extra, k, rival, values, indices, low,
         high, constant, limbs, numbers, e):  # fmt: skip
    """Whether the row asks for an update of hyperplane k; if so, numbers[e] are those of it.

    y : +1 or -1; side : the same, or, joint, which of two classes wins a tie
    size : the rule's, times the weights of the row
    score, error : y's factor, theta[k] . x + offset[k] (joint: less the rival's), to within `error`
    rival : -1, or the class that x will be subtracted from
    extra : the arrays of `EXTRA`, and after each the offset's
    """


@by_class
def update(rule, theta, offset, extra, sums, offset_sums, k, sign, values, indices, low, high,
           constant, numbers, e, count):  # fmt: skip
    """Hyperplane k moves by the update numbers[e], with `sign` -1 away from the row.

    sums, offset_sums : the lazy average, += count * (new - old); or None
    """


@by_class
def norm_after(rule, theta, offset, k, inner, step, norm, row_norm, precision):
    """An upper bound on ||(theta[k], offset[k])|| after an update whose first number is `step`.

    norm, row_norm : such bounds from before, and on ||(x, 1)||
    inner : an upper bound on step * (theta[k] . x + offset[k]) before the update
    """


def declared(
    size: str,
    *,
    is_step: bool = False,
    numbers: int = 1,
    extra: tuple[Extra, ...] = (),
    hyperplane: Callable[..., tuple[Any, Any]] | None = None,
) -> Callable[[Any], Any]:
    """Declare the class of a rule; see the module's text."""
    assert all(each.name != "sums" for each in extra), "the sums of the mean have that name"

    def declare(rule: Any) -> Any:
        rule.SIZE, rule.IS_STEP, rule.NUMBERS, rule.EXTRA = size, is_step, numbers, extra
        rule.HYPERPLANE, rule.ADDITIVE = hyperplane, False
        return rule

    return declare


def additive(size: str, *, is_step: bool = False) -> Callable[[Any], Any]:
    """Declare the class of a rule whose update is theta <- theta + c x, with c its one number."""

    def declare(rule: Any) -> Any:
        update.of(rule)(_add)
        norm_after.of(rule)(_grown)
        rule = declared(size, is_step=is_step)(rule)
        rule.ADDITIVE = True
        return rule

    return declare


def _add(rule, theta, offset, extra, sums, offset_sums, k, sign, values, indices, low, high,
         constant, numbers, e, count):  # fmt: skip
    step = numbers[e, 0] if sign > 0 else -numbers[e, 0]
    add_row(theta, sums, k, values, indices, low, high, step, count)
    old = offset[k]
    new = old + step * offset.dtype.type(constant)
    offset[k] = new
    _add_offset_sum(offset_sums, k, count * (np.float64(new) - np.float64(old)))


def _grown(rule, theta, offset, k, inner, step, norm, row_norm, precision):
    return grown_norm(norm, inner, step, row_norm, precision)


@row_kernel
def _add_offset_sum(offset_sums, k, amount):
    if offset_sums is not None:
        offset_sums[k] += amount
