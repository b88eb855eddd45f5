"""Scores of several hyperplanes at a row, against integers, whose sums are exact in any order."""

import numpy as np
import pytest

from novikoff._jit import kernel
from novikoff.kernels.registers import five_rows, numbers_of, one_row
from novikoff.kernels.rows import dots, sparse_dots
from novikoff.kernels.words import bfloat


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


@pytest.mark.parametrize("n_planes", [32, 33, 64, 105])
def test_half_of_single_precision_is_enough_for_short_integers(n_planes):
    random = np.random.RandomState(n_planes)
    exact, values = random.randint(-255, 256, (n_planes, 40)), random.randint(0, 20, 40)
    indices = random.permutation(40).astype(np.uint32)
    planes = np.flatnonzero(random.rand(n_planes) < 0.5)
    scores = np.zeros(n_planes, np.float32)
    bits = np.asfortranarray(bfloat(exact))
    np.testing.assert_array_equal(numbers_of(bits), exact)
    at_half_precision(bits, values.astype(float), indices, 5, 36, planes, scores)
    assert scores[planes].tolist() == (exact[planes][:, indices[5:36]] @ values[5:36]).tolist()


@kernel
def at_half_precision(bits, values, indices, low, high, planes, scores):
    sparse_dots(bits, values, indices, low, high, planes, 0, len(planes), scores)


@kernel
def as_bits(x, bits):
    for i in range(len(x)):
        bits[i] = bfloat(x[i])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_bfloat_is_off_by_a_256th_at_most(dtype):
    x = np.random.RandomState(0).standard_normal(5000) * 2.0 ** np.arange(-100, 100).repeat(25)
    x, bits = x.astype(dtype), np.empty(5000, np.uint16)
    as_bits(x, bits)
    np.testing.assert_array_equal(bits, bfloat(x))
    assert (np.abs(numbers_of(bits) - x) <= np.abs(x) * (1.0 + 1e-6) / 256).all()


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
