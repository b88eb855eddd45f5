"""Verdicts against brute force, known truth and real data; every certificate must verify."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from benchmarks import questions
from novikoff import CertificateError, NotSeparableError, separability
from novikoff.certificates import Combination, Separability
from tests.certificates.oracle import Truth, signed_rows
from tests.examples import examples

VERDICTS = ("separable", "quasi-separable", "overlapping")


@st.composite
def two_classes(draw):
    """A few small integer rows in up to three dimensions, with duplicates, zeros and constants."""
    n, d = draw(st.integers(2, 7)), draw(st.integers(1, 3))
    size = draw(st.sampled_from([1, 2, 5]))
    row = st.lists(st.integers(-size, size), min_size=d, max_size=d)
    X = draw(st.lists(row, min_size=n, max_size=n))
    y = draw(st.lists(st.sampled_from([-1, 1]), min_size=n, max_size=n))
    y[0], y[1] = -1, 1
    return np.array(X, float), np.array(y), draw(st.booleans())


@examples(100)
@given(two_classes())
def test_agrees_with_brute_force(problem):
    X, y, fit_intercept = problem
    truth = Truth(signed_rows(X.tolist(), y.tolist(), fit_intercept))
    result = separability(X, y, fit_intercept=fit_intercept, core=True)
    assert result.verdict == truth.verdict
    assert result.overlap_rows.tolist() == truth.overlap_rows
    assert list(result.infinite) == truth.infinite
    assert result.verify(X, y)
    # Gordan: exactly one of a strict separator and an obstruction.
    assert (result.obstruction is None) == (result.verdict == "separable")


@examples(50)
@given(two_classes(), st.integers(-40, 40), st.data())
@pytest.mark.thorough
def test_does_not_depend_on_what_cannot_matter(problem, exponent, data):
    """Scaling by powers of two, order of the rows, dense or sparse, float or integer."""
    X, y, fit_intercept = problem
    expected = separability(X, y, fit_intercept=fit_intercept).verdict
    order = np.array(data.draw(st.permutations(range(len(y)))))
    for Z, labels in (
        (np.ldexp(X, exponent), y),
        (X[order], y[order]),
        (sp.csr_array(X), y),
        (sp.csc_matrix(X), y),
        (X.astype(np.int8), y),
        (X.astype(np.float32), np.where(y > 0, "yes", "no")),
    ):
        result = separability(Z, labels, fit_intercept=fit_intercept)
        assert result.verdict == expected
        assert result.verify(Z, labels)


@pytest.mark.parametrize("where", questions.VERDICT_OF)
@pytest.mark.parametrize(
    "k", [1, 20, 40, *(pytest.param(k, marks=pytest.mark.thorough) for k in (7, 33))]
)
@pytest.mark.parametrize(("d", "n"), [(1, 4), (2, 30), (7, 100), (20, 300)])
def test_a_gap_of_any_size_is_seen(d, n, k, where):
    X, y = questions.known_truth(d, n, k, where, seed=k + d)
    result = separability(X, y)
    assert result.verdict == questions.VERDICT_OF[where]
    assert result.verify(X, y)


@pytest.mark.parametrize(
    "question",
    [q for q in questions.questions() if "MNIST" not in q.name and "IMDB" not in q.name],
    ids=lambda q: q.name,
)
def test_real_data(question):
    if not question.available:
        pytest.skip(f"{question.path} is not in the data folder")
    X, y = question.load()
    core = question.strict_rows is not None
    result = separability(X, y, core=core)
    assert result.verdict == question.verdict
    assert result.verify(X, y)
    if core:
        assert len(y) - len(result.overlap_rows) == question.strict_rows


def test_endometrial_has_one_infinite_coefficient():
    """Heinze and Schemper (2002): the estimate of NV is infinite, those of PI and EH are not."""
    if not (questions.data.FOLDER / "separation" / "endometrial.csv").exists():
        pytest.skip("endometrial.csv is not in the data folder")
    result = separability(*questions.endometrial(), core=True)
    assert result.infinite == ("+inf", "finite", "finite", "finite")


def test_sizes_of_the_proofs():
    """At most D + 1 rows obstruct (Carathéodory), at most 8 D span."""
    rng = np.random.RandomState(0)
    for d in (1, 3, 10):
        X, y = rng.standard_normal((20 * d, d)), rng.randint(0, 2, 20 * d)
        for fit_intercept in (False, True):
            result = separability(X, y, fit_intercept=fit_intercept)
            assert result.verdict == "overlapping"
            dimension = d + fit_intercept
            assert len(result.obstruction) <= dimension + 1
            assert len(result.spanning) <= 8 * dimension
            assert all(type(w) is int and w > 0 for w in result.obstruction.weights)
            assert result.verify(X, y)


@pytest.mark.parametrize("seed", range(4))
def test_coefficients_of_separable_rows_are_those_of_linear_programs(seed):
    """A coefficient is infinite if every separator has its sign, undetermined if some have not."""
    random = np.random.default_rng(seed)
    X = random.integers(-2, 3, (400, 12)) * (random.random((400, 12)) < 0.4)
    scores = X @ np.array([5, -4, 3, 0, 0, 1, -1, 2, 0, 0, 1, -3])
    X, y = X[scores != 0].astype(float), np.sign(scores[scores != 0])
    result = separability(X, y, core=True)
    assert result.verify(X, y)
    rows = np.column_stack([X, np.ones(len(y))]) * y[:, None]
    kinds = []
    for unit in np.eye(13):
        reach = [
            -linprog(-sign * unit, A_ub=-rows, b_ub=np.zeros(len(y)), bounds=(-1, 1)).fun > 1e-7
            for sign in (1, -1)
        ]
        kinds.append({(1, 1): "undetermined", (1, 0): "+inf", (0, 1): "-inf"}[tuple(reach)])
    assert result.infinite == tuple(kinds)
    assert len(set(kinds)) == 3


def test_of_wide_data_one_vector_says_what_no_row_sees():
    """More columns than rows: no coefficient is identified, and the proof is as short as that."""
    random = np.random.default_rng(0)
    X, y = random.integers(0, 10, (20, 90)).astype(float), np.arange(20) % 2
    X[:, 7] = 0.0
    result = separability(X, y, core=True)
    assert result.verify(X, y)
    assert set(result.infinite) == {"not identified"}
    assert len({id(evidence) for evidence in result.evidence}) <= 2


def test_corner_cases():
    one_each = separability([[1.0], [2.0]], [0, 1])
    assert one_each.verdict == "separable"
    same = separability([[1.0, 5.0], [1.0, 5.0]], ["a", "b"])
    assert same.verdict == "overlapping"
    assert same.obstruction.rows.tolist() == [0, 1]
    zero = separability([[0.0], [1.0]], [0, 1], fit_intercept=False)
    assert (zero.verdict, zero.obstruction.rows.tolist()) == ("quasi-separable", [0])
    constant = separability([[3.0], [3.0], [3.0]], [0, 1, 1])
    assert constant.verdict == "overlapping"
    wide = separability(np.eye(3, 50), [0, 1, 0])
    assert wide.verdict == "separable"


def test_large_and_tiny_values():
    """Products of these overflow or underflow in doubles; the verdict must not."""
    for scale in (1e300, 1e-300, 5e-324):
        X = np.array([[-1.0], [0.0], [0.0], [1.0]]) * scale
        result = separability(X, [0, 0, 1, 1])
        assert result.verdict == "quasi-separable"
        assert result.verify(X, [0, 0, 1, 1])
    mixed = np.array([[1e300, 1e-300], [1e300, -1e-300]])
    result = separability(mixed, [1, 0])
    assert result.verdict == "separable"
    assert result.verify(mixed, [1, 0])


def test_a_hidden_strict_separator_that_doubles_cannot_hold():
    """theta must satisfy equations no vector of doubles satisfies; fractions come back."""
    X = [[1.0, 3.0], [-1.0, -3.0], [3.0, 9.0], [2.0, 5.0], [-3.0, -9.0]]
    y = [1, 1, 0, 1, 0]
    result = separability(X, y, fit_intercept=False)
    assert result.verdict == "quasi-separable"
    theta = [Fraction(t) for t in result.separator.theta]
    assert theta[0] * 1 + theta[1] * 3 == 0
    assert result.verify(X, y)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ([[1.0], [2.0]], [1, 1], "two classes"),
        ([[1.0], [2.0], [3.0]], [1, 2, 3], "one class against the rest"),
        ([[np.nan], [1.0]], [0, 1], "NaN at row 0, column 0"),
        ([[np.inf], [1.0]], [0, 1], "infinity at row 0, column 0"),
        (np.zeros((0, 2)), [], "0 sample"),
        (np.zeros((2, 0)), [0, 1], "0 feature"),
        ([[1.0], [2.0]], [0, 1, 1], "as many rows"),
        ([["a"], ["b"]], [0, 1], "'a' at row 0, column 0.*Encode"),
        (np.array([[2**53 + 1], [0]]), [0, 1], "beyond 2"),
    ],
)
def test_bad_input_is_refused(X, y, message):
    with pytest.raises(ValueError, match=message):
        separability(X, y)


class TestCertificate:
    """What is published can be read back, and what was tampered with is found out."""

    X = np.array([[0.0, 1.0], [1.0, 1.0], [1.0, 1.0], [2.0, 1.0], [3.0, 2.0], [0.5, 0.0]])
    y = np.array([0, 0, 1, 1, 1, 0])

    def results(self):
        far = np.where(self.y[:, None] == 1, self.X + 10, self.X)
        mixed = 1 - (np.arange(6) % 2)
        yield far, self.y, separability(far, self.y)
        yield self.X, self.y, separability(self.X, self.y)
        yield self.X, self.y, separability(self.X, self.y, core=True)
        yield self.X, mixed, separability(self.X, mixed)
        yield self.X, self.y, separability(self.X, self.y, fit_intercept=False, core=True)

    def test_round_trip(self):
        for _, _, result in self.results():
            text = result.to_json()
            again = Separability.from_json(text)
            assert again.to_json() == text
            for part in ("obstruction", "spanning"):
                ours, theirs = getattr(result, part), getattr(again, part)
                if ours is not None:
                    assert ours.weights == theirs.weights
                    assert ours.rows.tolist() == theirs.rows.tolist()

    def test_every_weight_and_row_matters(self):
        result = separability(self.X, self.y)
        for k in range(len(result.obstruction)):
            weights, rows = list(result.obstruction.weights), result.obstruction.rows.copy()
            weights[k] += 1
            with pytest.raises(CertificateError, match="obstruction"):
                replace(result, obstruction=Combination(rows, tuple(weights))).verify(
                    self.X, self.y
                )
            rows[k] = next(i for i in range(6) if i not in rows)
            same = result.obstruction.weights
            with pytest.raises(CertificateError):
                replace(result, obstruction=Combination(rows, same)).verify(self.X, self.y)

    def test_every_value_and_label_matters(self):
        """Also where the identity still holds: the digest speaks of all rows."""
        for X, y, result in self.results():
            assert result.verify(X, y)
            for i in range(len(y)):
                flipped = y.copy()
                flipped[i] = 1 - flipped[i]
                with pytest.raises(ValueError, match="digest"):
                    result.verify(X, flipped)
                for j in range(2):
                    moved = X.copy()
                    moved[i, j] = np.nextafter(moved[i, j], np.inf)
                    with pytest.raises(CertificateError, match="digest"):
                        result.verify(moved, y)

    def test_no_verdict_can_be_swapped(self):
        for X, y, result in self.results():
            for verdict in set(VERDICTS) - {result.verdict}:
                with pytest.raises(CertificateError):
                    replace(result, verdict=verdict).verify(X, y)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "not JSON"),
            ("[]", "format"),
            ('{"format": "novikoff.trace"}', "novikoff.separability"),
            ('{"format": "novikoff.separability", "version": 99}', "version"),
            (
                '{"format": "novikoff.separability", "version": 1}',
                "has 1. Check it with",
            ),
            ('{"format": "novikoff.separability", "version": 2}', "no field"),
        ],
    )
    def test_what_is_no_certificate_is_refused(self, text, message):
        with pytest.raises(ValueError, match=message):
            Separability.from_json(text)


@pytest.mark.parametrize(
    "change",
    [
        {"obstruction": {"rows": [1.5, 2], "weights": ["0x1", "0x1"]}},
        {"obstruction": {"rows": [True, 2], "weights": ["0x1", "0x1"]}},
        {"obstruction": {"rows": [1, 10**30], "weights": ["0x1", "0x1"]}},
        {"obstruction": {"rows": [1, 2], "weights": ["0x1/0x0", "0x1"]}},
        {"separator": {"theta": ["0x1.0p+99999999"], "offset": "0x0p+0"}},
        {"overlap_rows": "12"},
        {"fit_intercept": "no"},
        {"shape": None},
        {"shape": [4, 1, 1]},
        {"shape": [4.5, 1]},
        {"shape": ["4", True]},
    ],
)
def test_a_hostile_document_is_refused(change):
    result = separability([[0.0], [1.0], [1.0], [2.0]], [0, 0, 1, 1], core=True)
    document = {**json.loads(result.to_json()), **change}
    with pytest.raises(ValueError, match="malformed"):
        Separability.from_json(json.dumps(document))


def test_the_error_carries_the_proof():
    import pickle

    X, y = [[0.0], [1.0], [2.0]], [0, 1, 0]
    error = NotSeparableError(separability(X, y))
    again = pickle.loads(pickle.dumps(error))
    assert again.obstruction.rows.tolist() == error.obstruction.rows.tolist() == [0, 1, 2]
    assert again.separability.verify(X, y)


@pytest.mark.parametrize(
    ("X", "fit_intercept", "words"),
    [
        ([[0.0], [1.0]], False, "row 0 strictly on its side"),
        ([[1.0], [1.0]], True, "rows 0, 1 all strictly on their side"),
    ],
)
def test_the_error_names_the_rows(X, fit_intercept, words):
    assert words in str(NotSeparableError(separability(X, [0, 1], fit_intercept=fit_intercept)))


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_what_no_score_shows_is_not_passed_off_as_undetermined(fit_intercept):
    """A weak separator plus a direction no score sees has any sign wanted at its coefficients."""
    random = np.random.RandomState(0)
    forged = 0
    for _ in range(20):
        X = random.randint(-1, 2, (8, 3))
        X = np.c_[X, X[:, 0] - X[:, 1]]
        y = np.arange(8) % 2
        result = separability(X, y, fit_intercept=fit_intercept, core=True)
        if result.separator is None:
            continue
        for j, (state, blind) in enumerate(zip(result.infinite, result.evidence, strict=True)):
            if state != "not identified":
                continue
            for factor in (100, -100):
                w = replace(
                    blind,
                    theta=result.separator.theta + factor * blind.theta,
                    offset=result.separator.offset + factor * blind.offset,
                )
                infinite, evidence = list(result.infinite), list(result.evidence)
                infinite[j], evidence[j] = "undetermined", w
                forgery = replace(result, infinite=tuple(infinite), evidence=tuple(evidence))
                with pytest.raises(CertificateError, match="undetermined"):
                    forgery.verify(X, y)
                forged += 1
    assert forged


def test_people_are_told_the_name_that_statistics_has_for_it():
    X, y = [[0.0], [1.0], [1.0], [2.0]], [0, 0, 1, 1]
    found = separability(X, y)
    assert "quasi-separable (quasi-complete separation)" in repr(found)
    assert "quasi-separable (quasi-complete separation)" in str(NotSeparableError(found))
    assert found.verdict == json.loads(found.to_json())["verdict"] == "quasi-separable"
