"""Compiled code is cached where that is possible, and nothing fails where it is not."""

import os
import platform
import subprocess
import sys

import numpy as np
import pytest

from novikoff import _jit
from tests.systems import posix

COMPILED = {**os.environ, "NOVIKOFF_PATIENCE": "0", "NUMBA_DISABLE_JIT": "0"}

PROGRAM = """
import os
real = os.makedirs
def denied(path, *args, **options):
    if "novikoff-" in str(path):
        raise PermissionError(path)
    return real(path, *args, **options)
os.makedirs = denied
from novikoff import _jit
from novikoff.kernels.exact import settle
import numpy as np
assert _jit.cache_folder() == ""
assert settle(np.zeros(140, np.int64)) == 0
print("fine")
"""


def test_without_a_writable_folder_kernels_compile_uncached():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False, env=COMPILED
    )
    assert done.stdout == "fine\n", done.stderr


FULL_DISK = """
from numba.core import caching
import numpy as np
def full(self, name, data):
    raise OSError(28, "No space left on device")
caching.IndexDataCacheFile._save_data = full
from novikoff.kernels.exact import settle
assert settle(np.zeros(140, np.int64)) == 0
print("fine")
"""


def test_a_full_disk_costs_the_cache_and_not_the_fit(tmp_path):
    environment = {**COMPILED, "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK], capture_output=True, text=True, check=False,
        env=environment,
    )  # fmt: skip
    assert done.stdout == "fine\n", done.stderr


SETTLED = """
from novikoff.kernels.exact import settle
import numpy as np
assert settle(np.zeros(140, np.int64)) == 0
print(*map(len, (settle.compiled._cache_hits, settle.compiled._cache_misses)))
"""


@pytest.mark.thorough
def test_a_damaged_cache_is_compiled_again_and_mended(tmp_path):
    environment = {**COMPILED, "NUMBA_CACHE_DIR": str(tmp_path)}

    def hits_and_misses():
        done = subprocess.run(
            [sys.executable, "-c", SETTLED], capture_output=True, text=True, check=False,
            env=environment,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return tuple(map(int, done.stdout.split()))

    assert hits_and_misses() == (0, 1)
    (index,) = tmp_path.rglob("*.settle-*.nbi")
    index.write_bytes(index.read_bytes()[:-9])
    assert hits_and_misses() == (0, 1)
    for data in tmp_path.rglob("*.settle-*.nbc"):
        data.write_bytes(b"no pickle")
    assert hits_and_misses() == (0, 1)
    assert hits_and_misses() == (1, 0)


NORMS = """
import os, sys
import numpy as np
from novikoff.kernels.filter import weight_norms
for dtype in map(str.strip, sys.stdin):
    if os.fork() == 0:
        theta, norms = np.full((2, 3), 2.0, dtype), np.empty(2)
        weight_norms(theta, np.full(2, 2.0, dtype), norms)
        print(*norms.round(6), end=' ', flush=True)
        os._exit(0)
    print(os.wait()[1], flush=True)
"""


@posix
@pytest.mark.thorough
def test_processes_that_compile_at_the_same_time_leave_each_other_alone(tmp_path):
    """Forks of one process, who have all but what they compile in common."""
    environment = {**COMPILED, "NUMBA_CACHE_DIR": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-c", NORMS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env=environment,
    ) as process:  # fmt: skip

        def norms(dtype):
            print(dtype, file=process.stdin, flush=True)
            return process.stdout.readline()

        right = "4.0 4.0 0\n"
        assert norms("f4") == right
        (index,) = tmp_path.rglob("*.weight_norms-*.nbi")
        of_the_first = index.read_bytes()
        index.unlink()  # the second began before the first had written its own
        assert norms("f8") == right
        index.write_bytes(of_the_first)  # and the first comes last
        assert norms("f4") == norms("f8") == right
        process.stdin.close()


def test_the_users_cache_folder_is_respected(tmp_path):
    program = (
        "from novikoff import _jit; print(_jit.cache_folder())\n"
        "from novikoff.kernels.exact import settle; settle.compiled\n"
        "import numba; print(numba.config.CACHE_DIR)"
    )
    environment = {**COMPILED, "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment
    )
    folder, after = done.stdout.splitlines()
    assert folder.startswith(str(tmp_path))
    assert after == str(tmp_path)  # other users of numba find what they set


ENGINE = """
from novikoff._jit import by_class, kernel

@by_class
def f(rule): ...

@kernel
def twice(rule):
    return 2 * f(rule)
"""
RULE = """
from typing import NamedTuple
from engine import f, twice

class Rule(NamedTuple):
    size: int

@f.of(Rule)
def _(rule):
    return {result}
"""
RUN = "import rule; t = rule.twice; print(t(rule.Rule(5)), sum(t.compiled._cache_hits.values()))"


@pytest.mark.thorough
def test_what_was_compiled_for_a_rule_of_ones_own_is_not_used_once_the_rule_has_changed(tmp_path):
    (tmp_path / "engine.py").write_text(ENGINE)
    environment = {**COMPILED, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    told = []
    for result in ("rule.size", "rule.size", "rule.size + 1"):
        (tmp_path / "rule.py").write_text(RULE.format(result=result))
        done = subprocess.run(
            [sys.executable, "-B", "-c", RUN], capture_output=True, text=True, check=True,
            cwd=tmp_path, env=environment,
        )  # fmt: skip
        told.append(done.stdout.split())
    assert told == [["10", "0"], ["10", "1"], ["12", "0"]]


FOR_TYPES = """
import sys
import numpy as np
from novikoff.kernels.filter import weight_norms
for name in sys.argv[1:]:
    theta = np.ones((1, 2_000_000), name)  # more work than it takes to load, less than to compile
    weight_norms(theta, theta[:, 0].copy(), np.empty(1))
    print(len(weight_norms.compiled.signatures))
"""


@pytest.mark.thorough
def test_what_lies_on_disk_for_other_types_is_compiled_only_where_that_is_worth_it(tmp_path):
    usual = {name: value for name, value in COMPILED.items() if name != "NOVIKOFF_PATIENCE"}

    def loaded(environment, *types):
        done = subprocess.run(
            [sys.executable, "-c", FOR_TYPES, *types], capture_output=True, text=True, check=True,
            env={**environment, "NUMBA_CACHE_DIR": str(tmp_path)},
        )  # fmt: skip
        return [int(line) for line in done.stdout.split()]

    assert loaded(usual, "float64") == [0]
    assert loaded(COMPILED, "float64") == [1]
    assert loaded(usual, "float64", "float32") == [1, 1]


def test_calls_that_are_not_worth_a_compiler_seldom_ask_what_lies_on_disk(monkeypatch):
    asked = []
    monkeypatch.setattr(_jit, "patience", None)
    monkeypatch.setattr(_jit, "_WORTH_LOADING", 0.0)
    monkeypatch.setattr(_jit, "_WORTH_NUMBA", 0.0)
    monkeypatch.setattr(_jit.Kernel, "_is_on_disk", lambda *_: asked.append(True))
    total = _jit.kernel(lambda x: x.sum())
    for _ in range(1000):
        total(np.ones(3))
    assert 1 <= len(asked) <= 20


STRICT = """
import numpy as np
from novikoff._jit import kernel, reordering_row_kernel, row_kernel

@row_kernel
def less(a, b, c):
    return a * b - c

@reordering_row_kernel
def total(x, squares):
    result = 0.0
    for i in range(x.shape[0]):
        result += less(x[i], x[i], squares[i])
    return result

@kernel
def both(x, squares):
    return total(x, squares), less(x[0], x[0], squares[0])

x = 1.0 + np.arange(1.0, 30.0) * 2.0**-30
print(*both(x, x * x))  # fused, a product would not be rounded before the difference
"""


@pytest.mark.thorough
def test_what_is_strict_stays_strict_where_it_is_called_by_what_reorders(tmp_path):
    (tmp_path / "strict.py").write_text(STRICT)  # numba reads its source
    done = subprocess.run(
        [sys.executable, "strict.py"], capture_output=True, text=True, check=True, cwd=tmp_path,
        env={**COMPILED, "NUMBA_CACHE_DIR": str(tmp_path / "cache")},
    )  # fmt: skip
    assert done.stdout.split() == ["0.0", "0.0"]


NO_FUSED = """
from fractions import Fraction
import numpy as np
from novikoff._jit import kernel
from novikoff.kernels.rounded import rounded_score

@kernel
def score(most, theta, offset, x, limbs):
    return rounded_score(most, theta, offset, 0, -1, x, None, 0, len(x), limbs)

random, limbs = np.random.RandomState(0), np.zeros(140, np.int64)
for d in range(1, 60):
    x, theta = random.normal(size=d), random.normal(size=(1, d))
    exact = sum(Fraction(a) * Fraction(b) for a, b in zip(x.tolist(), theta[0].tolist()))
    assert score(10.0 * d, theta, np.zeros(1), x, limbs) == float(exact)
assert score._ready.signatures  # it was compiled
print("fine")
"""


@pytest.mark.thorough
@pytest.mark.skipif(platform.machine() != "x86_64", reason="all other processors have it")
def test_a_processor_without_fused_instructions_gives_the_same_sums(tmp_path):
    old = {"NUMBA_CPU_NAME": "x86-64", "NUMBA_CPU_FEATURES": "+sse2", "NUMBA_CACHE_DIR": tmp_path}
    (tmp_path / "sums.py").write_text(NO_FUSED)  # numba reads its source
    done = subprocess.run(
        [sys.executable, "sums.py"], capture_output=True, text=True, check=False, cwd=tmp_path,
        env={**COMPILED, **old},
    )  # fmt: skip
    assert done.stdout == "fine\n", done.stderr
