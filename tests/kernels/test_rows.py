"""Scores of several hyperplanes at a row, against integers, whose sums are exact in any order."""

import numpy as np
import pytest

from novikoff._jit import kernel
from novikoff.kernels.rows import dots


@kernel
def scored(theta, values, indices, low, high, planes, scores):
    dots(theta, values, indices, low, high, planes, 0, len(planes), scores)


@pytest.mark.parametrize("order", ["F", "C"])
@pytest.mark.parametrize("types", [("f4", "f4"), ("f8", "f8"), ("f8", "u1")])
@pytest.mark.parametrize("n_planes", [2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 105])
def test_scores_are_those_of_each_hyperplane(n_planes, types, order):
    random = np.random.RandomState(n_planes)
    width, (weight_type, value_type) = 40, types
    exact = random.randint(-9, 10, (n_planes, width))
    theta = np.array(exact, weight_type, order=order)
    for low, high in [(0, 0), (0, 1), (3, 20), (5, 36)]:
        indices = random.permutation(width).astype(np.uint32)
        values = random.randint(0, 20, width)
        truth = exact[:, indices[low:high]] @ values[low:high]
        for planes in (np.arange(n_planes), np.arange(n_planes)[1:], np.array([0, n_planes - 1])):
            scores = np.full(n_planes, -1e6, weight_type)
            scored(theta, values.astype(value_type), indices, low, high, planes, scores)
            assert scores[planes].tolist() == truth[planes].tolist()
