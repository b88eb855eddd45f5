"""Many dummies: sparse elimination, rows with an opposite, and panels whose truth is known."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from novikoff import CertificateError, separability
from novikoff.certificates import Combination, Separability, sparse
from novikoff.certificates.check import spans
from novikoff.certificates.check.data import read as read_for_checking
from novikoff.certificates.check.modular import sparse_planes
from novikoff.certificates.data import read
from novikoff.certificates.opposites import Opposites
from novikoff.certificates.scaled import Scaled
from novikoff.certificates.sparse import SparseSpan, residues, small_fraction
from tests.certificates.oracle import Truth, dot, orthogonal, reduced, signed_rows
from tests.examples import examples


def dummies(codes, levels):
    n = len(codes)
    return sp.csr_array((np.ones(n), codes, np.arange(n + 1)), shape=(n, levels))


def panel(n, firms, years, zeros, seed=0):
    """Counts with two fixed effects and a regressor; `zeros` firms never count anything.

    Rows with y > 0 are entered on both sides, as Poisson regression has it. Returns the rows, their
    labels, and for each whether its firm is one of the `zeros`.
    """
    random = np.random.RandomState(seed)
    firm, year = random.randint(0, firms, n), random.randint(0, years, n)
    firm[: 2 * firms] = np.repeat(np.arange(firms), 2)
    y = np.where(firm < zeros, 0, random.poisson(1.0, n))
    y[: 2 * firms][firm[: 2 * firms] >= zeros] = 1
    X = sp.hstack(
        [dummies(firm, firms), dummies(year, years), random.randint(-9, 10, (n, 1))], format="csr"
    )
    both = np.flatnonzero(y)
    labels = np.concatenate([y > 0, np.zeros(len(both), bool)])
    firms_of = np.concatenate([firm, firm[both]])
    return sp.vstack([X, X[both]], format="csr"), labels, firms_of < zeros


@pytest.fixture
def _sparsely(monkeypatch):
    """Everything is too large for dense arithmetic."""
    monkeypatch.setattr(sparse, "DENSE", 0)
    monkeypatch.setattr(spans, "DENSE", 0)


@pytest.mark.usefixtures("_sparsely")
@pytest.mark.parametrize("zeros", [0, 1, 5])
def test_firms_without_a_count_are_separated_and_nothing_else(zeros):
    X, y, separated = panel(600, 40, 7, zeros)
    result = separability(X, y, core=True)
    assert result.verdict == ("quasi-separable" if zeros else "overlapping")
    np.testing.assert_array_equal(result.overlap_rows, np.flatnonzero(~separated))
    assert result.infinite[:-2] == ("not identified",) * 47  # firms and years both add up to 1
    assert result.infinite[-2:] == ("finite", "not identified")
    assert result.verify(X, y)
    again = Separability.from_json(result.to_json())
    assert again.verify(X, y)
    assert len(result.to_json()) < 50_000  # a hyperplane that serves many is written once
    left_out = Combination(result.spanning.rows[1:], result.spanning.weights[1:])
    with pytest.raises(CertificateError, match="spanning"):
        Separability(**{**vars(result), "spanning": left_out}).verify(X, y)


@pytest.mark.usefixtures("_sparsely")
def test_sparse_and_dense_arithmetic_say_the_same(monkeypatch):
    X, y, _ = panel(300, 12, 5, 3, seed=1)
    found = separability(X, y, core=True)
    monkeypatch.setattr(sparse, "DENSE", 10**9)
    expected = separability(X, y, core=True)
    assert (found.verdict, found.infinite) == (expected.verdict, expected.infinite)
    np.testing.assert_array_equal(found.overlap_rows, expected.overlap_rows)


@pytest.mark.usefixtures("_sparsely")
def test_what_is_too_large_is_undecided_with_what_is_known():
    """Rows that overlap, but not two by two, would need dense arithmetic."""
    X = np.unique(np.random.RandomState(0).randint(-3, 4, (60, 3)), axis=0)
    y = np.arange(len(X)) % 2
    result = separability(sp.csr_array(X), y)
    assert result.verdict == "undecided"
    assert "dense exact arithmetic" in result.so_far
    assert "No hyperplane has every row strictly on its side" in result.so_far
    assert result.obstruction is not None
    with pytest.raises(CertificateError, match="undecided"):
        result.verify(X, y)
    assert separability(X, y).verdict == "undecided"  # dense rows, without a word of sparse ones


@st.composite
def matrices(draw):
    """Twice these are integers up to 4: by Hadamard no minor of four rows exceeds 8^4 < 2^15.

    That is what fractions are found again by, modulo a prime of 31 bits.
    """
    n, d = draw(st.integers(1, 8)), draw(st.integers(1, 4))
    row = st.lists(st.integers(-2, 2) | st.sampled_from([0.5, -1.5]), min_size=d, max_size=d)
    X = np.array(draw(st.lists(row, min_size=n, max_size=n)), float)
    if d > 1 and draw(st.booleans()):
        X[:, -1] = X[:, 0]
    return X, draw(st.booleans())


@examples(100)
@given(matrices())
def test_spans_are_those_of_rational_arithmetic(problem):
    X, offset = problem
    X = np.concatenate([X, X[:1]])
    y = np.arange(len(X)) == len(X) - 1
    scaled = Scaled(read(sp.csr_array(X), y, offset))
    every = np.arange(len(X))
    rows = signed_rows(X.tolist(), np.where(y, 1, -1).tolist(), offset)
    span = SparseSpan(scaled, every, every)
    assert len(span.rows) == len(reduced([rows[i] for i in span.rows])) == len(reduced(rows))
    scales = [Fraction(2) ** -int(e) for e in scaled.column_exponents]
    vectors = [[int(x) * s for x, s in zip(v, scales, strict=True)] for v in span.complement()]
    assert len(reduced(vectors)) == len(orthogonal(rows, X.shape[1] + offset))
    assert not any(dot(v, row) for v in vectors for row in rows)
    few = read_for_checking(X, y).X
    planes = [list(map(Fraction, v)) for v in sparse_planes(few, 2**31 - 1, offset=offset)]
    assert len(planes) == len(reduced(planes)) == len(vectors)
    assert not any(dot(v, row) for v in planes for row in rows)


def test_numbers_modulo_the_prime():
    p = sparse.PRIME
    values = [0.0, 1.0, -2.5, 1e300, 5e-324, 2.0**-31, 123456789.125]
    for value, residue in zip(values, residues(np.array(values)).tolist(), strict=True):
        exact = Fraction(value)
        assert residue * exact.denominator % p == exact.numerator % p
    for fraction in (Fraction(0), Fraction(-7), Fraction(22, 7), Fraction(-12345, 32767)):
        residue = fraction.numerator * pow(fraction.denominator, -1, p) % p
        assert small_fraction(residue) == fraction


@examples(60)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1), st.booleans()), min_size=2))
def test_opposites_are_equal_rows_on_different_sides(points):
    X = np.array([point[:2] for point in points], float)
    y = np.array([point[2] for point in points])
    y[:2] = [False, True]
    for storage in (np.asarray, sp.csr_array):
        opposites = Opposites(read(storage(X), y, True))
        clashing = {tuple(x) for x in X[y].tolist()} & {tuple(x) for x in X[~y].tolist()}
        assert {tuple(X[i].tolist()) for i in opposites.rows} == clashing
        for i in opposites.rows.tolist():
            j = opposites.of(i)
            assert y[i] != y[j]
            assert (X[i] == X[j]).all()
        assert (opposites.pair() is None) == (not clashing)


@examples(40)
@given(st.data())
def test_counts_against_brute_force(data):
    """Rows with y > 0 on both sides, those with y = 0 on one: ppmlhdfe's question."""
    n, d = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 3))
    row = st.lists(st.integers(-1, 2), min_size=d, max_size=d)
    X = np.array(data.draw(st.lists(row, min_size=n, max_size=n)), float)
    both = np.array([True, *data.draw(st.lists(st.booleans(), min_size=n - 1, max_size=n - 1))])
    Z = np.concatenate([X, X[both]])
    y = np.concatenate([both, np.zeros(both.sum(), bool)])
    truth = Truth(signed_rows(Z.tolist(), np.where(y, 1, -1).tolist(), True))
    result = separability(Z, y, core=True)
    assert result.verdict == truth.verdict
    assert result.overlap_rows.tolist() == truth.overlap_rows
    assert list(result.infinite) == truth.infinite
    assert result.verify(Z, y)
