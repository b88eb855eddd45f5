"""Scores of several hyperplanes at a row, against integers, whose sums are exact in any order."""

import numpy as np
import pytest

from novikoff._jit import kernel
from novikoff.kernels.rows import dots
from novikoff.kernels.words import five_rows, one_row


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
        all_planes = np.arange(n_planes)
        some = [all_planes[random.rand(n_planes) < share] for share in (0.05, 0.2, 0.5, 0.8)]
        for planes in (all_planes, all_planes[1:], all_planes[[0, -1]], all_planes[::7], *some):
            scores = np.full(n_planes, -1e6, weight_type)
            scored(theta, values.astype(value_type), indices, low, high, planes, scores)
            assert scores[planes].tolist() == truth[planes].tolist()


@kernel
def at_dense_row(theta, values, low, high, planes, one, five):
    for a in range(planes.shape[0]):
        one_row(theta, planes, a, values, low, high - low, one)
    five_rows(theta, planes, 0, values, low, high - low, five)


@pytest.mark.parametrize(
    "types", [("i2", "u1", "i4"), ("f4", "u1", "f4"), ("f4", "f8", "f4"), ("f8", "i2", "f8"),
              ("f8", "f4", "f8"), ("f8", "f8", "f8")],
)  # fmt: skip
@pytest.mark.parametrize("width", [16, 17, 31, 32, 33, 47, 64, 79, 100])
def test_dense_rows_meet_five_hyperplanes_at_a_time(width, types):
    weight_type, value_type, sum_type = types
    random = np.random.RandomState(width)
    most = 2**15 if weight_type == "i2" else 1000
    exact = random.randint(-most, most, (7, width))
    values = random.randint(0, 256, 3 * width)
    planes = np.array([6, 0, 3, 4, 1])
    for low in (0, width, 2 * width):  # the first row and the last have nothing beside them
        one, five = np.zeros(7, sum_type), np.zeros(7, sum_type)
        at_dense_row(
            exact.astype(weight_type), values.astype(value_type), low, low + width, planes, one,
            five,
        )  # fmt: skip
        truth = exact @ values[low : low + width]
        assert one[planes].tolist() == five[planes].tolist() == truth[planes].tolist()
        assert one[[2, 5]].tolist() == [0, 0]
