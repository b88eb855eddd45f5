"""What is learned from: rows with their classes and weights, and a sketch of them where that pays.

See :mod:`novikoff.kernels.sketch`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff._arrays import Array, Floats, Ints
from novikoff.kernels.filter import precision_of, relative_error, underflow_error
from novikoff.kernels.packed import Packed, pack
from novikoff.kernels.rows import FETCHED, LINE, Rows, read_only, take
from novikoff.kernels.sketch import Sketch, draw, narrow
from novikoff.kernels.walk import Examples
from novikoff.training.matrix import norms_of, refuse_bad_row

Held = tuple[Rows, Floats, Ints]


@dataclass(frozen=True)
class Problem:
    """Rows with their classes and weights; `visited` numbers those that are learned from."""

    rows: Rows
    examples: Examples
    weights: Floats  # (n,) class weight times sample weight
    visited: Ints
    drawing: Drawing
    dtype: np.dtype[Any]  # of theta

    @property
    def sparse(self) -> bool:
        return self.rows.indices is not None

    @property
    def mean_length(self) -> float:
        """How many values a row has, on average."""
        return float(self.rows.values.size / max(1, len(self.weights)))

    @property
    def is_short(self) -> bool:
        """Whether a row is no more than what `rows.fetch` has on its way."""
        return not self.sparse and self.rows.width * self.rows.values.itemsize <= FETCHED * LINE

    def without(self, learn: Ints, check: Ints) -> tuple[Problem, Held]:
        """Learn from rows `learn` only; (rows, norms, classes) of the rows `check`, copied."""
        held = (
            take(self.rows, check),
            self.examples.norms[check],
            self.examples.labels[check],
        )
        return replace(self, visited=learn), held


def build_problem(
    rows: Rows,
    codes: Ints,
    class_weights: Floats,
    sample_weights: Floats | None,
    used: Ints,
    dtype: np.dtype[Any],
    *,
    rule: Any,
    constant: float,
    n_planes: int,
    max_iter: int,
    norms: Floats | None = None,
) -> Problem:
    """From validated input to a problem.

    used : the rows of positive weight; dtype : of theta
    norms : of the rows, as `matrix.norms_of` gives them, where they are known
    """
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        sizes = (rule.size * class_weights)[codes]
        weights = class_weights[codes]
        if sample_weights is not None:
            sizes *= sample_weights
            weights *= sample_weights
        rounded = sizes.astype(dtype, copy=False) if rule.IS_STEP else sizes
    good = (rounded > 0) & (np.isfinite(rounded) | np.isinf(rule.size))
    if not good.all() and not good[used].all():
        bad = used[~good[used]][0]
        raise ValueError(
            f"{rule.SIZE} times the weights of row {bad} is {sizes[bad]}, which is {rounded[bad]} "
            f"in {rounded.dtype}: use a more moderate {rule.SIZE} or weights."
        )
    drawing = Drawing.none()
    if norms is None:
        rows, norms, drawing = prepare(
            rows, len(codes), constant, max_iter=max_iter, n_planes=n_planes
        )
    longest = rows.width if rows.indptr is None else int(np.diff(rows.indptr).max(initial=0))
    return Problem(
        rows, Examples(codes, sizes, norms, longest), weights, used, drawing, np.dtype(dtype)
    )


# Smaller data stays in the caches, and a sketch of larger data would take more than a gigabyte.
_FEWEST_VALUES, _MOST_VALUES = 2**20, 2**30
# Where there is no sketch, bytes are worth more: scores of sparse rows are known to be exact, and
# several hyperplanes look at dense ones in half the time.
_FEWEST_BYTES = 2**16
_NARROWEST, _NARROWEST_OF_SEVERAL, _WIDEST = 16, 32, 2**17
_FEWEST_EPOCHS = 4
_FEWEST_WORDS, _MOST_COLUMNS = 2**21, 2**18
_FEWEST_A_COLUMN = 16  # else to copy theta costs what it saves
_SAMPLE = 512  # rows that the levels of the columns are taken from
_MOST_SORTED = 2**21  # values of a sample; to sort more, of wide rows, takes time and memory
_SAME = 1e-6  # of a step, or of a column's range: what is rounding
_PARTS = 6  # so many steps of a grid may lie between any two values of a sample
_FEWEST_STEPS = 4  # a shorter grid would leave most of the 256 levels unused
_ALIGNED = 32  # values that one turn of a vectorised loop takes
_SINGLE = precision_of(np.float32)


@dataclass(frozen=True)
class Drawing:
    """The part of a sketch that depends on the rows alone; without `reach` there is none."""

    values: NDArray[np.uint8]
    stride: int
    reach: Floats
    limit: float
    lowest: Floats
    step: Floats

    @classmethod
    def none(cls) -> Drawing:
        return cls(read_only(np.empty(0, np.uint8)), 0, np.empty(0), 0.0, np.empty(0), np.empty(0))

    @classmethod
    def of_bytes(cls, values: NDArray[np.uint8], width: int, norms: Array) -> Drawing:
        """Bytes are their own sketch; what is saved is the arithmetic in double precision."""
        reach = 1.0001 * relative_error(width, _SINGLE) * norms
        limit = 1e37 / float(norms.max(initial=1.0))
        return cls(values, width, reach, limit, np.zeros(width), np.ones(width))

    def sketch(self, n_planes: int) -> Sketch:
        """For use by one learner."""
        return Sketch(
            self.values, self.stride, self.reach, 256.0 * underflow_error(self.stride, _SINGLE),
            self.limit, self.lowest, self.step, np.zeros((n_planes, self.stride), np.float32),
            np.zeros(1, np.int64), np.zeros(len(self.reach), np.uint8), np.zeros(1, np.uint8),
        )  # fmt: skip


def prepare(
    rows: Rows, n_rows: int, constant: float, *, max_iter: int, n_planes: int
) -> tuple[Rows, Floats, Drawing]:
    """Rows to learn from, their norms as `matrix.norms_of` gives them, and a drawing if it pays.

    The rows hold the values of the ones given, perhaps in a narrower type.
    """
    size, values = rows.values.size, rows.values
    narrowest = _NARROWEST if n_planes == 1 else _NARROWEST_OF_SEVERAL
    fits = rows.indices is None and narrowest <= rows.width < _WIDEST
    if values.dtype == np.uint8 and fits and n_planes == 1:
        norms = norms_of(rows, n_rows, constant)
        return rows, norms, Drawing.of_bytes(values, rows.width, norms)
    fewest = _FEWEST_VALUES if fits and n_planes == 1 else _FEWEST_BYTES
    if max_iter < _FEWEST_EPOCHS or not fewest <= size <= _MOST_VALUES:
        return rows, norms_of(rows, n_rows, constant), Drawing.none()
    if values.dtype.kind == "f":
        norms, result = np.empty(n_rows), np.empty(size, np.uint8)
        if narrow(rows, constant, norms, result):
            result = read_only(result)
            drawing = Drawing.none()
            if fits and n_planes == 1:  # several hyperplanes have a use of their own for bytes
                drawing = Drawing.of_bytes(result, rows.width, norms)
            return rows._replace(values=result), norms, drawing
        del result
    # Of several hyperplanes only wide numbers: others are looked at as fast as bytes.
    if not fits or size < _FEWEST_VALUES or (n_planes > 1 and values.dtype.kind != "f"):
        return rows, norms_of(rows, n_rows, constant), Drawing.none()
    if not draw.runs_compiled(rows):  # plain Python has no use for a sketch
        return rows, norms_of(rows, n_rows, constant), Drawing.none()
    return rows, *_draw(rows, n_rows, constant)


def _draw(rows: Rows, n_rows: int, constant: float) -> tuple[Floats, Drawing]:
    """The norms of the rows, and their drawing."""
    lowest, step = _levels(rows.values.reshape(n_rows, rows.width))
    stride = -(-rows.width // _ALIGNED) * _ALIGNED
    norms, reach = np.empty(n_rows), np.empty(n_rows)
    room = np.empty(n_rows * stride + LINE, np.uint8)
    result = room[-room.ctypes.data % LINE :][: n_rows * stride]  # a short row is one line
    g = relative_error(rows.width, _SINGLE)
    bad, limit = draw(
        rows.values, rows.width, constant, lowest, step, 1.0 / step, stride, g, norms, result, reach
    )
    refuse_bad_row(rows, bad)
    return norms, Drawing(read_only(result), stride, reach, limit, lowest, step)


def packs(rows: Rows) -> bool:
    """Whether rows are worth a `packed` copy, where few of them are read beside it."""
    size, values = rows.values.size, rows.values
    if rows.indices is None or values.dtype != np.float64:  # of others too little would be saved
        return False
    few_columns: bool = rows.width <= min(_MOST_COLUMNS, size // _FEWEST_A_COLUMN)
    return few_columns and _FEWEST_WORDS <= size <= _MOST_VALUES and pack.runs_compiled(rows)


def packed(rows: Rows, norms: Floats, longest: int) -> Packed:
    """A sketch of sparse rows with these `norms`, for use by one learner.

    longest : how many values the longest row has, at most
    """
    bits = max(rows.width - 1, 2**7).bit_length()  # single precision holds the other 24
    words, (unit, reach) = np.empty(rows.values.size, np.int32), np.empty((2, len(norms)))
    limit = pack(rows, norms, bits, unit, reach, words)
    least = longest * 2.0**-140 * float(norms.max(initial=1.0))  # what is lost of small weights
    return Packed(
        words, bits, unit, reach, least, limit, np.zeros((1, rows.width), np.float32),
        np.zeros(1, np.int64), np.zeros(len(norms), np.uint8), np.zeros(1, np.uint8),
    )  # fmt: skip


def unpacked(kind: type[Packed]) -> Packed:
    """Of no rows: there is no sketch, or not yet."""
    none, one = np.empty(0), np.zeros(1, np.int64)
    words, read_in, epoch = np.empty(0, np.int32), np.zeros(0, np.uint8), np.zeros(1, np.uint8)
    theta = np.zeros((1, 0), np.float32)
    return kind(words, 0, none, none, 0.0, 0.0, theta, one, read_in, epoch)


def _levels(matrix: Array) -> tuple[Floats, Floats]:
    """The lowest value and the step of every column, by a sample: a bad one costs only time.

    Where values lie on a grid of 256, as standardised pixels and counts do, so do the levels, and
    the sketch has no rest. The least gap between two values is a step of it, or a few.
    """
    sample = matrix[:: max(1, len(matrix) // _SAMPLE)]  # of few rows all of them, so no copy
    lowest = sample.min(axis=0).astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        step = (sample.max(axis=0).astype(np.float64) - lowest) / 255.0
        if sample.size <= _MOST_SORTED:
            _lay_on_grids(sample - lowest, step)
    step[~((step > 1e-290) & (step < 1e290))] = 1.0
    return lowest, step


def _lay_on_grids(above: Floats, step: Floats) -> None:
    """Replace the step of columns whose values, `above` the lowest, lie on a grid of their own."""
    most = above.max(axis=0)
    gaps = np.diff(np.sort(above, axis=0), axis=0)
    gap = np.where(gaps > _SAME * most, gaps, np.inf).min(axis=0, initial=np.inf)
    left = np.flatnonzero((gap < most) & (gap >= step))
    for parts in range(1, _PARTS + 1):
        level = above[:, left] * (parts / gap[left])
        fits = np.abs(level - np.rint(level)).max(axis=0) < _SAME
        fits &= (level.max(axis=0) >= _FEWEST_STEPS) & (level.max(axis=0) < 255.5)
        step[left[fits]] = gap[left[fits]] / parts
        left = left[~fits]
