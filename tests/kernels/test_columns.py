"""Scores by columns against a loop that rounds product and sum for one feature after the other."""

import numpy as np
import pytest

from novikoff._jit import compiling_at_once, kernel
from novikoff.kernels.columns import score_columns, stand_in_rows


@kernel
def scored(theta, values, width, first, size, columns, scores):
    score_columns(theta, values, width, first, size, columns, scores)


@pytest.mark.parametrize("n_planes", [1, 2, 3, 4, 7, 10])
@pytest.mark.parametrize(("width", "chunk"), [(1, 64), (7, 64), (8, 64), (30, 8), (150, 64)])
@pytest.mark.parametrize("types", [("f4", "f4"), ("f8", "f8"), ("f8", "f4"), ("u1", "f4")])
def test_scores_are_those_of_a_loop(n_planes, width, chunk, types):
    random = np.random.default_rng(width)
    stored, summed = types
    X = (random.random((90, width)) * 200).astype(stored)
    theta = random.standard_normal((n_planes, width)).astype(summed)
    x = X.astype(summed)
    totals = np.zeros((90, n_planes), summed)
    for j in range(width):
        totals += x[:, [j]] * theta[:, j]
    for values in (X.ravel(), np.ascontiguousarray(X.T)):
        for first, size in ((0, 64), (20, 64), (60, 30), (83, 7)):
            columns, scores = np.zeros((chunk, 64), summed), np.empty((n_planes, 64), summed)
            scored(theta, values, width, first, size, columns, scores)
            np.testing.assert_array_equal(scores[:, :size].T, totals[first : first + size])


@pytest.mark.parametrize("stored", ["u1", "i2", "f4", "f8"])
@pytest.mark.parametrize("shape", [(1, 9), (7, 8), (8, 7), (64, 1), (200, 70)])
def test_columns_are_turned_into_rows(stored, shape):
    columns = (np.random.default_rng(0).random(shape[::-1]) * 200).astype(stored)
    with compiling_at_once(True):
        result = np.empty(shape, stored)
        stand_in_rows(columns, result)
    np.testing.assert_array_equal(result, columns.T)
