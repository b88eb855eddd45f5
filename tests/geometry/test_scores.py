"""Scores against rational arithmetic: the sign is exact, whatever doubles do."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given

from novikoff.geometry import Hyperplane, _exact
from tests.geometry.oracle import LARGEST, SMALLEST, planes_and_points, score, sign


@given(planes_and_points())
def test_signs_are_exact_and_values_close(case):
    theta, offset, rows = case
    exact = [score(theta, offset, x) for x in rows]
    for points in (rows, sp.csr_array(np.array(rows)), sp.coo_matrix(np.array(rows))):
        computed = Hyperplane(theta, offset).scores(points)
        assert computed.dtype == np.float64
        for s, t in zip(computed.tolist(), exact, strict=True):
            assert sign(s) == sign(t)
            if abs(t) > LARGEST:
                assert abs(s) == LARGEST
            else:  # as near as doubles get, where those are subnormal
                assert abs(Fraction(s) - t) <= max(abs(t) / 10**6, Fraction(SMALLEST))


@pytest.mark.parametrize(
    ("theta", "offset", "x", "expected"),
    [
        ([1e16, 1.0, -1e16], 0.0, [1.0, 1.0, 1.0], 1.0),
        ([1e16, 1.0, -1e16], -1.0, [1.0, 1.0, 1.0], 0.0),
        (
            [0.1, 0.2, -0.3],
            0.0,
            [1.0, 1.0, 1.0],
            float(Fraction(0.1) + Fraction(0.2) - Fraction(0.3)),
        ),
        ([0.1], -0.01, [0.1], float(Fraction(0.1) ** 2 - Fraction(0.01))),  # 0.1 * 0.1 is rounded
        ([1e200, -1e200], 3.0, [1e200, 1e200], 3.0),  # inf - inf in doubles
        ([1e200, 1e200], -1.0, [1e200, 1e200], LARGEST),
        ([1e-200], 0.0, [1e-200], SMALLEST),  # 0.0 in doubles
        ([1e-200], 0.0, [-1e-200], -SMALLEST),
        ([1e-200, 1e-200], 0.0, [1e-200, -1e-200], 0.0),
        # Five products of 0.75 * 2**-1074, each rounded up to 2**-1074: the sum changes its sign.
        ([3 * 2.0**-540] * 5, -4 * SMALLEST, [2.0**-536] * 5, -SMALLEST),
        ([SMALLEST], -SMALLEST, [1.0], 0.0),
        ([LARGEST, 1.0], -LARGEST, [1.0, SMALLEST], SMALLEST),
        ([0.0, 0.0], 0.0, [0.1, 5.0], 0.0),
    ],
)
def test_what_doubles_get_wrong(theta, offset, x, expected):
    plane = Hyperplane(theta, offset)
    for points in ([x], sp.csr_array(np.array([x]))):
        (s,) = plane.scores(points).tolist()
        assert s == expected
        assert math.copysign(1.0, s) == (-1.0 if expected < 0 else 1.0)  # no -0.0


@given(planes_and_points())
def test_the_exact_path_rounds_to_the_nearest_double(case):
    theta, offset, rows = (np.array(part) for part in case)
    for x in rows:
        t = score(theta.tolist(), float(offset), x.tolist())
        s = _exact._exact_score(slice(None), x, theta, float(offset), exponent=0)
        if 0 < abs(t) < SMALLEST or abs(t) > LARGEST:
            continue  # clamped
        for neighbour in (math.nextafter(s, -math.inf), math.nextafter(s, math.inf)):
            if math.isfinite(neighbour):
                assert abs(Fraction(s) - t) <= abs(Fraction(neighbour) - t)


def test_many_rows_are_cut_into_blocks(monkeypatch):
    rng = np.random.RandomState(0)
    points = rng.randint(-3, 4, (50, 3))
    plane = Hyperplane([0.1, 0.2, -0.3], 0.5)
    expected = plane.scores(points)
    monkeypatch.setattr(_exact, "_BLOCK", 16)
    for layout in (points, np.asfortranarray(points), sp.csr_array(points), sp.csc_array(points)):
        assert np.allclose(plane.scores(layout), expected, rtol=1e-6, atol=0.0)


def test_any_table_will_do():
    plane = Hyperplane([1.0, 2.0], -3.0)
    table = [[1, 1], [2, 0], [5, 200]]
    expected = [0.0, -1.0, 402.0]
    for points in (table, pd.DataFrame(table), pl.DataFrame(table, orient="row")):
        assert plane.scores(points).tolist() == expected
    for dtype in ("u1", "i2", "f2", "f4", "f8", ">f8", "i8", "O", np.longdouble):
        assert plane.scores(np.array(table, dtype)).tolist() == expected
    for dtype in ("u1", "i2", "f4", "f8", "i8", np.longdouble):  # those SciPy has
        assert plane.scores(sp.csr_array(np.array(table, dtype))).tolist() == expected
    assert plane.scores(np.empty((0, 2))).shape == (0,)


def test_a_sparse_matrix_with_duplicates_is_summed_and_left_alone():
    twice = sp.csr_array((np.array([1.0, 2.0, 4.0]), np.array([1, 1, 0]), np.array([0, 3])), (1, 2))
    assert Hyperplane([1.0, 10.0]).scores(twice).tolist() == [34.0]
    assert twice.data.tolist() == [1.0, 2.0, 4.0]
