"""Signs and spans against rational arithmetic."""

import ast
import sys
import tracemalloc
from fractions import Fraction as F
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import novikoff.certificates.check as check_package
from novikoff.certificates.check.data import read
from novikoff.certificates.check.signs import IntegerScore, signs
from novikoff.certificates.check.spans import not_identified, spanned_by
from tests.examples import examples

doubles = st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from(
    [0.0, 1.0, -1.0, 0.1, 0.2, 0.3, 1e16, 2.0**-60, 5e-324, -5e-324, 2.0**-540, 1.7e308, -1.7e308]
)
exacts = doubles.map(F) | st.fractions() | st.integers(-(2**90), 2**90).map(F)


@examples(100)
@given(st.data())
def test_signs_are_those_of_rational_arithmetic(data):
    d, n, m = (data.draw(st.integers(1, 4)) for _ in range(3))

    def draw_all(numbers, size):
        return data.draw(st.lists(numbers, min_size=size, max_size=size))

    X = np.array([draw_all(doubles, d) for _ in range(n)])
    X = np.concatenate([X, X], axis=1)  # with weights a and -a, or nearly: cancellation
    planes = []
    for _ in range(m):
        theta = draw_all(exacts, d)
        nudge = data.draw(st.sampled_from([F(0), F(0), F(1, 2**1200), F(1, 3)]))
        offset = data.draw(st.sampled_from([F(0), F(5e-324), F(1, 3**900)]) | exacts)
        planes.append(([*theta, -theta[0] + nudge, *(-t for t in theta[1:])], offset))
    truth = [
        [np.sign(float((s > 0) - (s < 0))) for s in scores]
        for scores in (
            [sum((t * F(x) for t, x in zip(theta, row, strict=True)), b) for theta, b in planes]
            for row in X.tolist()
        )
    ]
    exact_planes = [IntegerScore.of(theta, b) for theta, b in planes]
    y = [1] + [-1] * n
    for storage in (np.concatenate([X[:1], X]), sp.csr_array(np.concatenate([X[:1], X]))):
        assert signs(read(storage, y).X, exact_planes)[1:].tolist() == truth


@pytest.mark.parametrize(
    ("row", "theta", "offset", "sign"),
    [
        ([1e16, 1.0, -1e16], [1, 1, 1], 0, 1),  # 1e16 + 1 rounds to 1e16
        ([0.1] * 10, [1] * 10, -1, 1),  # the sum rounds to 0.9999999999999999
        ([0.1] * 10, [F(1, 3)] * 10, F(-1, 3), 1),
        ([5e-324], [1], 0, 1),  # half of it, the weight in the filter, rounds to zero
        ([5e-324] * 5, [6, 6, 6, -9, -9], 0, 0),  # each product rounds to 5e-324: 3 - 2 > 0
        ([1.7e308, 1.7e308, 1.7e308], [1, 1, -2], 0, 0),
        ([1.7e308, 1.7e308, 1.7e308], [1, 1, -2], F(1, 10**400), 1),
        ([2.0**900, 1.0], [F(1, 2**1900), F(-1, 2**1000)], 0, 0),
        ([2.0**900, 1.0, 0.0], [F(1, 2**1900), F(-1, 2**1000), 1], 0, 0),
        ([3.0, 1.0], [7**2000, -3 * 7**2000], 0, 0),
        ([3.0, 1.0], [7**2000, -3 * 7**2000], -1, -1),
        ([0.75, 0.25], [-(7**2000), 3 * 7**2000], F(1, 7**9), 1),
        ([2.0**-450, 2.0**-450], [7**2000, -(7**2000)], 1, 1),  # 1 is far from the entries
        ([2.0**1000, 2.0**-800], [F(-1, 2**1200), 1], 0, -1),  # as a double, that weight is zero
        ([0.0, 0.0], [1, 1], 0, 0),
        ([0.0, 0.0], [0, 0], -1, -1),
    ],
)
def test_signs_where_rounding_misleads(row, theta, offset, sign):
    exact = IntegerScore.of([F(t) for t in theta], F(offset))
    for storage in (np.array([row, row]), sp.csr_array(np.array([row, row]))):
        assert signs(read(storage, [1, -1]).X, [exact]).tolist() == [[sign]] * 2


def rank_oracle(rows):
    """Gaussian elimination in fractions."""
    rows, rank = [[F(x) for x in row] for row in rows], 0
    for c in range(len(rows[0])):
        pivot = next((r for r in rows[rank:] if r[c]), None)
        if pivot is None:
            continue
        at = next(k for k, r in enumerate(rows) if r is pivot)
        rows[rank], rows[at] = rows[at], rows[rank]
        for k in range(rank + 1, len(rows)):
            f = rows[k][c] / pivot[c]
            rows[k] = [a - f * b for a, b in zip(rows[k], pivot, strict=True)]
        rank += 1
    return rank


P = 2.0**31 - 1  # the first prime that is tried: multiples of it vanish there
awkward = st.sampled_from([0.0, 0.0, 0.0, 1.0, -1.0, 2.0, P, -3 * P, P * P, 0.1, 2.0**-1074, 1e300])


@examples(100)
@given(st.data())
def test_what_is_spanned_is_what_leaves_the_rank_as_it_is(data):
    d, n, k = (data.draw(st.integers(1, high)) for high in (5, 6, 4))
    numbers = data.draw(st.sampled_from([awkward, st.integers(-2, 2).map(float)]))
    few = np.array([data.draw(st.lists(numbers, min_size=d, max_size=d)) for _ in range(k)])
    mix = np.array(
        [data.draw(st.lists(st.sampled_from([0, 1, 2]), min_size=k, max_size=k)) for _ in range(n)]
    )
    X = np.concatenate([few, np.clip(mix @ few, -1e308, 1e308)])
    if data.draw(st.booleans()):
        X[-1, data.draw(st.integers(0, d - 1))] += 1.0
    offset = data.draw(st.booleans())
    wide = np.c_[X, np.ones(len(X))] if offset else X
    rank = rank_oracle(wide[:k].tolist())
    unspanned = [
        i for i in range(k + n) if rank_oracle([*wide[:k].tolist(), wide[i].tolist()]) > rank
    ]
    for storage in (X, sp.csr_array(X)):
        matrix = read(storage, [1] + [-1] * (k + n - 1)).X
        found = spanned_by(matrix, np.arange(k), offset=offset)[1]
        assert (found is None and not unspanned) or found in unspanned


@examples(100)
@given(st.data())
def test_what_is_identified_is_what_leaves_the_rank_as_it_is(data):
    d, k, copies = (data.draw(st.integers(1, high)) for high in (5, 5, 30))
    numbers = data.draw(st.sampled_from([awkward, st.integers(-1, 2).map(float)]))
    few = np.array([data.draw(st.lists(numbers, min_size=d, max_size=d)) for _ in range(k)])
    if data.draw(st.booleans()):
        few[:, -1] = few[:, 0]
    X = np.concatenate([np.repeat(few[:1], copies, axis=0), few])  # most rows say the same
    offset = data.draw(st.booleans())
    wide = (np.c_[few, np.ones(k)] if offset else few).tolist()
    units = np.eye(d + offset).tolist()
    free = [j for j, e in enumerate(units) if rank_oracle([*wide, e]) > rank_oracle(wide)]
    wanted = data.draw(st.lists(st.integers(0, d + offset - 1), unique=True))
    for storage in (X, sp.csr_array(X)):
        matrix = read(storage, [1] + [-1] * (len(X) - 1)).X
        found = not_identified(matrix, wanted, offset=offset)
        assert found in set(wanted) & set(free) if set(wanted) & set(free) else found is None


def test_a_prime_that_divides_the_rows_is_not_trusted():
    for third, spanned in (([1, 3, 3], True), ([0, 1, 2], False)):
        X = read([[P, 0, 0], [0, 1, 1], third], [1, -1, 1]).X
        assert (spanned_by(X, np.array([0, 1]), offset=False)[1] is None) == spanned


@pytest.mark.parametrize("storage", [np.asarray, sp.csr_array])
def test_rows_that_span_everything_need_no_copy_of_the_others(storage):
    X = np.random.RandomState(0).randint(1, 9, (50_000, 5)).astype(np.float64)
    matrix = read(storage(X), [1] + [-1] * (len(X) - 1)).X
    tracemalloc.start()
    try:
        spanned, outside = spanned_by(matrix, np.arange(10), offset=True)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (spanned.columns.tolist(), spanned.planes, outside) == ([0, 1, 2, 3, 4, 5], [], None)
    assert peak < X.nbytes / 4


def test_large_annihilators_are_found():
    """59 random rows in 60 columns: the hyperplane through them has numbers of hundreds of bits."""
    random = np.random.RandomState(0)
    basis = random.randint(-9, 10, (59, 60))
    X = read(np.concatenate([basis, random.randint(-9, 10, (20, 59)) @ basis]), [1] + [-1] * 78).X
    assert spanned_by(X, np.arange(59), offset=False)[1] is None
    assert spanned_by(X, np.arange(58), offset=False)[1] is not None


def test_only_numpy_and_the_standard_library_are_imported():
    allowed = {*sys.stdlib_module_names, "numpy"}
    for path in Path(check_package.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                own = name.startswith("novikoff.certificates.check.")
                assert own or name.split(".")[0] in allowed, f"{path.name} imports {name}"
