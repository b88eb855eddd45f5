"""`novikoff fit --checkpoint`: a run that is killed goes on, to the very same model."""

import os
import signal
import subprocess
import time

import numpy as np
import pytest

from novikoff import AveragedPerceptron, load
from tests.cli.helpers import COMMAND, document, inside
from tests.systems import posix

EPOCHS = 100


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """Rows that cannot be separated, so that a run takes all of its epochs: (path, X, y)."""
    random = np.random.RandomState(1)
    X = random.randint(-99, 100, (3000, 4)) / 8.0
    y = (X[:, 0] + 5.0 * random.normal(size=len(X)) > 0).astype(int)
    path = tmp_path_factory.mktemp("checkpoint") / "rows.csv"
    lines = [",".join(map(repr, [*x, int(c)])) for x, c in zip(X.tolist(), y, strict=True)]
    path.write_text("a,b,c,d,y\n" + "\n".join(lines) + "\n")
    return path, X, y


@posix
@pytest.mark.thorough
def test_kill_9_and_go_on(rows, tmp_path):
    path, X, y = rows
    state, out = tmp_path / "state", tmp_path / "model"
    options = ("fit", path, "--no-scale", "--holdout", 0, "--shuffle", 0, "--epochs", EPOCHS,
               "--checkpoint", state, "--out", out)  # fmt: skip
    process = subprocess.Popen(
        [*COMMAND, *map(str, options)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env={**os.environ, "NOVIKOFF_PATIENCE": "inf"},  # nor is it done before it is killed
    )  # fmt: skip
    begin = time.monotonic()
    while not state.exists() and process.poll() is None and time.monotonic() < begin + 120:
        time.sleep(0.002)
    process.kill()
    assert process.wait() == -signal.SIGKILL  # it had not finished
    assert not out.exists()
    resumed = document(*options)
    whole = AveragedPerceptron(order="cyclic", max_iter=EPOCHS).fit(X, y)
    assert resumed["updates"] == whole.n_updates_.sum()
    assert np.array_equal(load(out)[-1].coef_, whole.coef_)
    assert np.array_equal(load(out)[-1].intercept_, whole.intercept_)
    other = inside(*options, "--eta0", 2, code=2)
    assert "state" in other.stderr
