"""VIPR files, read and checked here by the rules of the format, and by `viprchk` where it is."""

from __future__ import annotations

import shutil
import subprocess
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris

from novikoff import separability
from tests.certificates.oracle import signed_rows
from tests.examples import examples

SENSES = {"G": 1, "E": 0, "L": -1}


class Reader:
    """A VIPR 1.1 file: sections in their order, every derivation by `lin`, checked in fractions."""

    def __init__(self, text: str) -> None:
        lines = text.splitlines()
        self.comments = [line for line in lines if line.startswith("% ")]
        self.words = iter(" ".join(lines[len(self.comments) :]).split())
        self._expect("VER", "1.1", "VAR")
        self.names = [next(self.words) for _ in range(int(next(self.words)))]
        self._expect("INT", "0", "OBJ", "min", "0", "CON")
        count, bounds = int(next(self.words)), int(next(self.words))
        assert bounds == 0
        self.constraints = [self._constraint() for _ in range(count)]
        self.claim = self._claim()
        self.solutions = self._solutions()
        self._expect("DER")
        self.derived = [self._derivation() for _ in range(int(next(self.words)))]
        assert next(self.words, None) is None

    def holds(self) -> bool:
        """Whether the file proves what it claims."""
        if self.claim == "infeas":
            _, sense, right, vector = self.derived[-1]
            return not vector and (sense, right > 0) == (1, True)
        return bool(self.solutions) and all(map(self._solves, self.solutions))

    def _expect(self, *words: str) -> None:
        for word in words:
            found = next(self.words)
            assert found == word, f"{found} instead of {word}"

    def _vector(self) -> dict[int, Fraction]:
        entries = {}
        for _ in range(int(next(self.words))):
            index = int(next(self.words))
            assert index not in entries
            entries[index] = Fraction(next(self.words))
        return entries

    def _constraint(self):
        name, sense = next(self.words), SENSES[next(self.words)]
        right, vector = Fraction(next(self.words)), self._vector()
        assert all(0 <= j < len(self.names) for j in vector)
        return name, sense, right, {j: x for j, x in vector.items() if x}

    def _claim(self) -> str:
        self._expect("RTP")
        kind = next(self.words)
        if kind == "range":
            self._expect("-inf", "0")
        return kind

    def _solutions(self):
        self._expect("SOL")
        count = int(next(self.words))
        return [(next(self.words), self._vector())[1] for _ in range(count)]

    def _solves(self, w: dict[int, Fraction]) -> bool:
        return all(
            sum(x * w.get(j, 0) for j, x in vector.items()) >= right
            for _, _, right, vector in self.constraints
        )

    def _derivation(self):
        name, sense, right, vector = self._constraint()
        self._expect("{", "lin")
        weights = self._vector()
        self._expect("}", "-1")
        total: dict[int, Fraction] = {}
        reached = Fraction(0)
        for k, weight in weights.items():
            _, s, r, row = self.constraints[k]
            assert weight * s >= 0
            reached += weight * r
            for j, x in row.items():
                total[j] = total.get(j, Fraction(0)) + weight * x
        assert {j: x for j, x in total.items() if x} == vector, "it derives something else"
        assert reached >= right, "it derives less"
        return name, sense, right, vector


def sets():
    """Data, and what the two files claim: of a strict separator, of a weak one."""
    random = np.random.RandomState(0)
    X, y = load_iris(return_X_y=True)
    yield X, y == 0, "range", "range"
    yield X, y == 1, "infeas", "infeas"
    line = np.array([[0.0], [1.0], [1.0], [2.0]])
    yield line, np.array([0, 0, 1, 1]), "infeas", "range"
    lean = np.c_[X, X[:, 0] - X[:, 1], np.zeros(150)]  # dependent columns, and one of zeros
    yield lean, y == 2, "infeas", "infeas"
    wild = np.ldexp(random.standard_normal((40, 3)), [0, -300, 300])
    yield wild, random.randint(0, 2, 40), "infeas", "infeas"


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("storage", [np.asarray, sp.csr_array])
def test_the_files_prove_what_they_claim(tmp_path, storage, fit_intercept):
    for X, y, strict, weak in sets():
        result = separability(X, y, fit_intercept=fit_intercept)
        paths = result.to_vipr(tmp_path / "proof.vipr", storage(X), y)
        assert [path.name for path in paths] == ["proof.vipr", "proof-weak.vipr"]
        files = [Reader(path.read_text()) for path in paths]
        assert all(file.holds() for file in files)
        if fit_intercept:
            assert [file.claim for file in files] == [strict, weak]
        assert all(result.digest in " ".join(file.comments) for file in files)


@examples(50)
@given(
    st.lists(st.tuples(st.integers(-2, 2), st.integers(-2, 2)), min_size=2, max_size=7), st.data()
)
def test_the_constraints_are_the_rows_and_the_claim_is_the_verdict(tmp_path_factory, X, data):
    X = np.array(X, float)
    more = data.draw(st.lists(st.integers(0, 1), min_size=len(X) - 2, max_size=len(X) - 2))
    y, offset = np.array([0, 1, *more]), data.draw(st.booleans())
    result = separability(X, y, fit_intercept=offset)
    paths = result.to_vipr(tmp_path_factory.mktemp("vipr") / "a.vipr", X, y)
    strict, weak = (Reader(path.read_text()) for path in paths)
    assert strict.holds()
    assert weak.holds()
    assert (strict.claim == "range") == (result.verdict == "separable")
    assert (weak.claim == "infeas") == (result.verdict == "overlapping")
    rows = signed_rows(X.tolist(), np.where(y, 1, -1).tolist(), offset)
    for file, least in ((strict, 1), (weak, 0)):
        for name, sense, right, vector in file.constraints:
            if name != "sum":
                row = rows[int(name.removeprefix("row"))]
                assert (sense, right) == (1, least)
                assert vector == {j: x for j, x in enumerate(row) if x}
    name, sense, right, vector = weak.constraints[-1]
    total = [sum(column) for column in zip(*rows, strict=True)]
    assert (name, sense, right) == ("sum", 1, 1)
    assert vector == {j: x for j, x in enumerate(total) if x}


def tampered(text: str) -> str:
    """The same file with another weight for the first row of its derivation."""
    head, _, tail = text.partition("{ lin ")
    count, first, weight, *rest = tail.split(" ")
    return f"{head}{{ lin {' '.join([count, first, str(Fraction(weight) + 1), *rest])}"


def test_a_tampered_file_is_rejected(tmp_path):
    X, y = load_iris(return_X_y=True)
    path, _ = separability(X, y == 1).to_vipr(tmp_path / "a.vipr", X, y == 1)
    with pytest.raises(AssertionError, match="derives something else"):
        Reader(tampered(path.read_text()))


def test_other_data_and_no_verdict_are_refused(tmp_path):
    X, y = np.array([[0.0], [1.0], [2.0]]), np.array([0, 1, 0])
    result = separability(X, y)
    with pytest.raises(ValueError, match="digest differs"):
        result.to_vipr(tmp_path / "a.vipr", X + 1, y)
    random = np.random.RandomState(0)
    hard = random.standard_normal((3000, 300))
    lots = random.randint(0, 2, 3000)
    unknown = separability(hard, lots, time_limit=1e-9)
    assert unknown.verdict == "undecided"
    with pytest.raises(ValueError, match="no proof"):
        unknown.to_vipr(tmp_path / "a.vipr", hard, lots)


@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("viprchk") is None, reason="viprchk is not on the path")
def test_viprchk_agrees(tmp_path):
    for X, y, _, _ in sets():
        for path in separability(X, y).to_vipr(tmp_path / "a.vipr", X, y):
            assert subprocess.run(["viprchk", path], capture_output=True).returncode == 0
    X, y = load_iris(return_X_y=True)
    path, _ = separability(X, y == 1).to_vipr(tmp_path / "a.vipr", X, y == 1)
    path.write_text(tampered(path.read_text()))
    assert subprocess.run(["viprchk", path], capture_output=True).returncode != 0
