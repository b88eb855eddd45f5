"""Whether something is compiled changes how long it takes, and nothing else."""

import os
import subprocess
import sys

import pytest


def results(patience, program="tests.every_form"):
    environment = {**os.environ, "NOVIKOFF_PATIENCE": patience}
    if not patience:
        del environment["NOVIKOFF_PATIENCE"]
    done = subprocess.run(
        [sys.executable, "-m", program], capture_output=True, text=True, check=False,
        env=environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def plain():
    return results("inf")


# By default, so that it changes in the middle of a run, and always compiled.
@pytest.mark.thorough
@pytest.mark.parametrize("patience", ["", "0.005", "0"])
def test_every_result_is_the_same_bit_for_bit_in_every_form(plain, patience):
    assert len(plain) > 40
    assert results(patience) == plain


def loaded(program):
    program = "import sys\n" + program + "\nprint('numba' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=True,
        env={key: value for key, value in os.environ.items() if key != "NOVIKOFF_PATIENCE"},
    )  # fmt: skip
    return done.stdout.strip() == "True"


SMALL = """
import numpy as np
import novikoff
X, y = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), [0, 0, 0, 1]
clf = novikoff.Perceptron().fit(X, y)
assert clf.score(X, y) == 1.0 and (clf.decision_function(X) >= 0).sum() == 1
assert novikoff.separability(X, y).verdict == "separable"
assert novikoff.max_margin(X, y).margin > 0.3
"""
LARGE = """
import numpy as np
import novikoff
X = np.random.RandomState(0).standard_normal((200_000, 60))
novikoff.Perceptron(max_iter=1).fit(X, X[:, 0] > 0)
"""


def test_a_small_fit_does_not_import_numba():
    assert not loaded(SMALL)


@pytest.mark.thorough
def test_a_large_fit_does():
    assert loaded(LARGE)


WITHOUT_NUMBA = """
import sys, warnings
sys.modules["numba"] = None
import numpy as np
import novikoff
X, y = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), [0, 0, 0, 1]
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    for _ in range(2):
        assert novikoff.Perceptron().fit(X, y).score(X, y) == 1.0
print(*(warning.message for warning in caught), sep="\\n")
"""


@pytest.mark.parametrize(("patience", "n_told"), [("0", 1), ("inf", 0)])
def test_without_numba_all_works_and_large_work_says_once_what_to_install(patience, n_told):
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_NUMBA], capture_output=True, text=True, check=True,
        env={**os.environ, "NOVIKOFF_PATIENCE": patience, "NUMBA_DISABLE_JIT": "0"},
    )  # fmt: skip
    assert done.stdout.count("pip install numba") == n_told


COMPILING = """
import numpy as np
import novikoff
X, y = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), [0, 0, 0, 1]
novikoff.Perceptron(verbose=1).fit(X, y)
"""


@pytest.mark.thorough
def test_verbose_says_when_it_compiles_and_only_then(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "NUMBA_DISABLE_JIT": "0"}
    told = [
        subprocess.run(
            [sys.executable, "-c", COMPILING], capture_output=True, text=True, check=True,
            env={**environment, "NOVIKOFF_PATIENCE": patience},
        ).stdout.splitlines()
        for patience in ("inf", "0", "0")
    ]  # fmt: skip
    assert [sum("compiling" in line for line in lines) for lines in told] == [0, 1, 0]
    assert "compiling" in told[1][0]


def test_a_fit_imports_neither_traces_nor_votes_nor_hyperplanes():
    """Together a third of what the first fit of four points takes."""
    program = SMALL.split("assert")[0] + (
        "import sys\n"
        "unused = ('novikoff.trace', 'novikoff.training.votes', 'novikoff.geometry.hyperplane')\n"
        "assert not [name for name in unused if name in sys.modules]"
    )
    subprocess.run([sys.executable, "-W", "ignore", "-c", program], check=True)
