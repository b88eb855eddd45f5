"""What the package promises as a whole: public names, cheap imports, types for those who check."""

import subprocess
import sys
from pathlib import Path

import pytest

import novikoff

ROOT = Path(__file__).parent.parent
TYPED = """
import numpy as np

from novikoff import Hyperplane, Perceptron, separability

X = np.eye(3)
clf = Perceptron(order="cyclic", record_trace=True).fit(X, [0, 1, 1])
updates: int = len(clf.trace_)
verdict: str = separability(X, [0, 1, 1]).verdict
valid: bool = separability(X, [0, 1, 1]).verify(X, [0, 1, 1])
plane = Hyperplane(np.ones(3), 1.0)
clf = Perceptron(maxiter=10)  # no: it has no such parameter
Perceptron(max_iter="ten")  # no
"""


def test_all_names_are_there_and_in_the_reference():
    reference = (ROOT / "docs" / "api" / "index.md").read_text()
    for name in novikoff.__all__:
        thing = getattr(novikoff, name)
        assert thing.__doc__, name
        assert name in reference, name
    assert sorted(novikoff.__all__) == list(novikoff.__all__)
    assert set(dir(novikoff)) == {*novikoff.__all__, "__version__"}  # what completion offers
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        novikoff.Nothing  # noqa: B018


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("import novikoff", {"numpy", "scipy", "sklearn", "numba", "polars"}),
        ("from novikoff import Perceptron", {"numba", "polars", "matplotlib", "flint"}),
        ("from novikoff import Hyperplane", {"numba", "sklearn"}),
    ],
)
def test_an_import_brings_no_more_than_it_needs(code, absent):
    told = f"{code}\nimport sys; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert not absent & {name.partition(".")[0] for name in run.stdout.split()}


@pytest.mark.thorough
def test_a_typed_program_is_checked_against_our_types(tmp_path):
    """py.typed: what is right passes, what is wrong is found, by name."""
    (tmp_path / "program.py").write_text(TYPED)
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file=", "--ignore-missing-imports",
         f"--cache-dir={tmp_path}", "program.py"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    errors = [line for line in run.stdout.splitlines() if ": error:" in line]
    wrong = [1 + n for n, line in enumerate(TYPED.splitlines()) if "# no" in line]
    assert [int(line.split(":")[1]) for line in errors] == wrong, run.stdout
