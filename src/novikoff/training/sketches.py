"""When a sketch of the rows pays, and making it. See :mod:`novikoff.kernels.sketch`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.kernels.filter import precision_of
from novikoff.kernels.rows import Rows
from novikoff.kernels.sketch import Sketch, draw, narrow
from novikoff.training.matrix import norms_of, read_only, refuse_bad_row

# Smaller data stays in the caches, and a sketch of larger data would take more than a gigabyte.
_FEWEST_VALUES, _MOST_VALUES = 2**20, 2**30
_NARROWEST, _WIDEST = 64, 2**17
_FEWEST_EPOCHS = 4


class Drawing(NamedTuple):
    """The part of a sketch that depends on the rows alone."""

    values: NDArray[np.uint8]
    zero: float
    scale: NDArray[np.float64]
    gap: NDArray[np.float64]

    @classmethod
    def none(cls) -> Drawing:
        return cls(read_only(np.empty(0, np.uint8)), 0.0, np.empty(0), np.empty(0))

    @classmethod
    def of_bytes(cls, values: NDArray[np.uint8], n_rows: int) -> Drawing:
        """Bytes are their own sketch; what is saved is the arithmetic in double precision."""
        return cls(values, 0.0, np.ones(n_rows), np.zeros(n_rows))

    def sketch(self, theta: NDArray[Any]) -> Sketch:
        """For use with hyperplanes `theta`."""
        is_copy = len(self.gap) > 0 and theta.dtype != np.float32
        if theta.dtype == np.float32:
            single = theta
        elif is_copy:
            with np.errstate(over="ignore"):
                single = theta.astype(np.float32)
        else:
            single = np.empty((0, 0), np.float32)
        return Sketch(
            self.values, self.zero, self.scale, self.gap, single, is_copy, precision_of(np.float32)
        )


def prepare(
    rows: Rows, n_rows: int, constant: float, *, max_iter: int, n_planes: int
) -> tuple[Rows, NDArray[np.float64], Drawing]:
    """Rows to learn from, their norms as `matrix.norms_of` gives them, and a drawing if it pays.

    The rows hold the values of the ones given, perhaps in a narrower type.
    """
    size, values = rows.values.size, rows.values
    one_dense_plane = rows.indices is None and n_planes == 1 and rows.width >= _NARROWEST
    if values.dtype == np.uint8 and one_dense_plane:
        return rows, norms_of(rows, n_rows, constant), Drawing.of_bytes(values, n_rows)
    pays = max_iter >= _FEWEST_EPOCHS and _FEWEST_VALUES <= size <= _MOST_VALUES
    if not pays or values.dtype.kind != "f":
        return rows, norms_of(rows, n_rows, constant), Drawing.none()

    norms, result = np.empty(n_rows), np.empty(size, np.uint8)
    if narrow(rows, constant, norms, result) == -1:
        result = read_only(result)
        drawing = Drawing.of_bytes(result, n_rows) if one_dense_plane else Drawing.none()
        return rows._replace(values=result), norms, drawing
    if not one_dense_plane or rows.width >= _WIDEST:
        return rows, norms_of(rows, n_rows, constant), Drawing.none()
    # Where values are not negative all 256 levels serve them; a guess, a wrong one costs only time.
    zero = 128.0 if (values[: 1000 * rows.width] < 0).any() else 0.0
    scale, gap = np.empty(n_rows), np.empty(n_rows)
    bits = values.view(np.int32 if values.itemsize == 4 else np.int64)
    bad = draw(values, bits, rows.width, constant, zero, norms, result, scale, gap)
    refuse_bad_row(rows, bad)
    return rows, norms, Drawing(read_only(result), zero, scale, gap)
