"""The rows as points to search among in floating point: signed, scaled, centred."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from novikoff._arrays import Floats, Ints
from novikoff.certificates.data import Labelled

SAMPLE = 1000  # rows of each side that the centre, the size and the first guess are taken from


class Points:
    """The rows p_i = y_i x_i of the data, each with its side.

    They are scaled by a power of two, so that the largest value is below 1, and with an offset
    centred, unless they are sparse. Neither changes which hyperplane is best; rounding errors are
    smaller for both.

    Attributes
    ----------
    sides : (n,) int64
        With an offset 0 and 1, the classes; through the origin all 0.
    groups : list of arrays, the rows of each side
    sigma : float
        The root of the mean of ||p_i||^2 over a sample: the size of the points.
    guess : (d,)
        A first guess at v: the sum of the means of the sides over that sample.
    """

    def __init__(self, data: Labelled) -> None:
        self.data = data
        self.sides = (data.y + 1) // 2 if data.fit_intercept else np.zeros_like(data.y)
        self.groups = [np.flatnonzero(self.sides == c) for c in np.unique(self.sides)]
        values = data.rows.values
        low, high = float(values.min(initial=0)), float(values.max(initial=0))
        self.exponent = int(np.frexp(max(-low, high))[1])
        self.centre = np.zeros(data.shape[1])
        samples = [group[:: len(group) // SAMPLE + 1] for group in self.groups]
        if data.fit_intercept and not data.sparse:
            sample = np.concatenate(samples)
            self.centre = (data.y[sample, None] * self.take(sample)).mean(axis=0)
        drawn = [self.take(sample) for sample in samples]
        squares = np.concatenate([(p * p).sum(axis=1) for p in drawn])
        self.sigma = float(np.sqrt(squares.mean())) or 1.0
        self.guess: Floats = np.sum([p.mean(axis=0) for p in drawn], axis=0)

    def take(self, index: Ints) -> Any:
        """The p_i of the rows numbered `index` in float64: an array, or a CSR array if sparse."""
        p, y = self.unsigned(index), self.data.y[index].astype(np.float64)
        if self.data.sparse:
            p.data *= np.repeat(y, np.diff(p.indptr))
        else:
            p *= y[:, None]
        return p

    def unsigned(self, index: Ints) -> Any:
        """The same without their signs: the x_i, scaled and centred."""
        X = self.data.X[index].astype(np.float64)
        if self.data.sparse:
            X.data = np.ldexp(X.data, -self.exponent)
            return X
        return np.ldexp(X, -self.exponent) - self.centre

    def with_sides(self, index: Ints) -> Any:
        """The q_i = (sigma e_c, p_i) of the rows numbered `index`; c is the side of row i."""
        sides = self.sigma * np.eye(len(self.groups))[self.sides[index]]
        points = self.take(index)
        if self.data.sparse:
            return sp.hstack([sp.csr_array(sides), points], format="csr")
        return np.hstack([sides, points])

    def price(self, v: Floats) -> Floats:
        """(n,): p_i . v for every row, rounded."""
        half = self.exponent // 2  # 2 ** -exponent may be no normal number, its root is
        found = np.ldexp(self.data.scores(np.ldexp(v, -half)), half - self.exponent)
        return found - self.data.y * (self.centre @ v)
