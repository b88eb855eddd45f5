"""A run that is killed and taken up again ends with the very same model."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import textwrap
import time
from contextlib import suppress

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

from novikoff import (
    AveragedPerceptron,
    OnlineClassifier,
    PassiveAggressiveClassifier,
    Perceptron,
    VotedPerceptron,
    rules,
)
from novikoff.streams import CheckpointError, LibsvmText, blocks, fit_stream
from novikoff.streams.bytes import open_bytes
from novikoff.streams.checkpoint import KIND

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
ONLINE = [
    Perceptron(),
    AveragedPerceptron(),
    VotedPerceptron(),
    PassiveAggressiveClassifier(C=0.5),
    *(
        pytest.param(OnlineClassifier(rule, keep=keep), marks=pytest.mark.thorough)
        for rule, keep in (
            (rules.PassiveAggressive(loss="squared_hinge"), "mean"),
            (rules.PassiveAggressive(C=0.1), "vote"),
        )
    ),
]


@pytest.fixture(autouse=True)
def _apart(monkeypatch):
    """Small blocks stay small in the cache: a checkpoint is taken, or not, after each of them."""
    monkeypatch.setattr(blocks, "_TOGETHER", 1)


class Killed(BaseException):
    """Stands for the end of the process: nothing of the library catches it."""


@pytest.fixture
def text(tmp_path):
    """LIBSVM text whose third class and last feature turn up late."""
    random = np.random.RandomState(3)
    X = sp.random_array((300, 40), density=0.2, random_state=random, format="csr")
    X = sp.csr_array(X.toarray() * (np.arange(40) < 1 + np.arange(300)[:, None] // 7))
    y = random.randint(0, 2, size=300) + (np.arange(300) > 200) * random.randint(0, 2, size=300)
    path = tmp_path / "data.libsvm"
    dump_svmlight_file(X, y, str(path), zero_based=False)
    return path


class SmallBlocks(LibsvmText):
    """The same text, cut into blocks of some sixty rows."""

    def blocks(self):
        return super().blocks(_chunk=4096)


def small_blocks(path) -> LibsvmText:
    return SmallBlocks(open_bytes(path))


def die_after(n_blocks: int):
    """A progress callback that ends the process after so many blocks."""
    calls = []

    def progress(done: int, total: int | None) -> None:
        if len(calls) == n_blocks:
            raise Killed
        calls.append(done)

    return progress


def arrays_of(model) -> list[np.ndarray]:
    found = [model.coef_, model.intercept_, model.n_updates_, model.learned_.state.counts]
    found += [model.learned_.n_wrong, model.learned_.state.theta]
    found += getattr(model, "survival_times_", [])
    return [*found, model.decision_function(np.eye(model.n_features_in_))]


def assert_same(one, other):
    for name in ("status_", "n_iter_", "n_mistakes_", "progressive_error_"):
        assert getattr(one, name, None) == getattr(other, name, None)
    assert one.classes_.tolist() == other.classes_.tolist()
    assert one.learned_.n_seen == other.learned_.n_seen
    for mine, theirs in zip(arrays_of(one), arrays_of(other), strict=True):
        np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize("shuffle_buffer", [0, 70])
@pytest.mark.parametrize(
    "multi_class", ["ovr", *(pytest.param(m, marks=pytest.mark.thorough) for m in ("ovo", "joint"))]
)
@pytest.mark.parametrize("estimator", ONLINE, ids=str)
def test_taken_up_after_any_block(tmp_path, text, estimator, multi_class, shuffle_buffer):
    def fit(**more):
        return fit_stream(
            clone(estimator).set_params(multi_class=multi_class), small_blocks(text), epochs=3,
            shuffle_buffer=shuffle_buffer, **more,
        )  # fmt: skip

    expected = fit()
    for n_blocks in (0, 1, 3, 5, 10):
        checkpoint = tmp_path / f"{n_blocks}"
        with pytest.raises(Killed):
            fit(checkpoint=checkpoint, checkpoint_seconds=0.0, progress=die_after(n_blocks))
        assert checkpoint.exists() == (n_blocks > 0)
        # killed again, one block later
        with pytest.raises(Killed):
            fit(checkpoint=checkpoint, checkpoint_seconds=0.0, progress=die_after(1))
        assert_same(fit(checkpoint=checkpoint), expected)


def test_a_finished_run_is_not_run_again(tmp_path, text):
    fitted = fit_stream(AveragedPerceptron(), text, epochs=3, checkpoint=tmp_path / "c")
    again = fit_stream(
        AveragedPerceptron(), text, epochs=3, checkpoint=tmp_path / "c", progress=die_after(0)
    )
    assert_same(again, fitted)


def modified(path) -> int:
    """When a file was last written; 0 if there is none."""
    return path.stat().st_mtime_ns if path.exists() else 0


@pytest.mark.thorough
def test_killed_at_random_moments(tmp_path, text):
    """kill -9, wherever it hits: before, between or inside the writes of a checkpoint."""
    program = textwrap.dedent(
        """
        import sys
        from novikoff import AveragedPerceptron
        from novikoff.streams import fit_stream
        from tests.streams.test_checkpoint import small_blocks
        source = small_blocks(sys.argv[1])
        print("go", flush=True)
        fit_stream(AveragedPerceptron(), source, epochs=300, checkpoint=sys.argv[2],
                   checkpoint_seconds=0.0)
        """
    )
    checkpoint = tmp_path / "checkpoint"
    random = np.random.RandomState(0)
    killed = 0
    for written in (False, True, True, True, True):
        before = modified(checkpoint)
        process = subprocess.Popen(
            [sys.executable, "-c", program, str(text), str(checkpoint)], stdout=subprocess.PIPE
        )
        assert process.stdout is not None
        process.stdout.readline()
        while written and process.poll() is None and modified(checkpoint) == before:
            time.sleep(0.001)
        time.sleep(0.2 * random.rand())
        killed += process.poll() is None
        process.kill()
        process.wait()
        process.stdout.close()
    assert killed >= 1
    resumed = fit_stream(
        AveragedPerceptron(), small_blocks(text), epochs=300, checkpoint=checkpoint
    )
    assert_same(resumed, fit_stream(AveragedPerceptron(), text, epochs=300))


def test_other_data_or_parameters_are_refused(tmp_path, text):
    checkpoint = tmp_path / "c"
    fit_stream(Perceptron(), text, epochs=2, checkpoint=checkpoint)
    before = checkpoint.read_bytes()
    with pytest.raises(CheckpointError, match=r"eta0 was '1\.0', now it is '0\.5'"):
        fit_stream(Perceptron(eta0=0.5), text, epochs=2, checkpoint=checkpoint)
    with pytest.raises(CheckpointError, match="epochs was 2"):
        fit_stream(Perceptron(), text, epochs=3, checkpoint=checkpoint)
    with pytest.raises(CheckpointError, match="estimator was"):
        fit_stream(AveragedPerceptron(), text, epochs=2, checkpoint=checkpoint)
    text.write_text(text.read_text() + "1 3:4\n")
    with pytest.raises(CheckpointError, match="it learned from other data"):
        fit_stream(Perceptron(), text, epochs=2, checkpoint=checkpoint)
    assert checkpoint.read_bytes() == before


def test_another_rule_is_another_run(tmp_path, text):
    checkpoint = tmp_path / "c"
    fit_stream(OnlineClassifier(keep="mean"), text, epochs=2, checkpoint=checkpoint)
    other = OnlineClassifier(rules.PassiveAggressive(), keep="mean")
    with pytest.raises(CheckpointError, match=r"rule was 'None', now it is 'PassiveAggressive"):
        fit_stream(other, text, epochs=2, checkpoint=checkpoint)


def test_a_checkpoint_from_before_the_release_is_refused(tmp_path, text):
    checkpoint = tmp_path / "c"
    header = b'{"format": "novikoff.checkpoint", "version": 2, "tree": 2, "arrays": 0}\n'
    whole = KIND.mark + header + b"[]"
    checkpoint.write_bytes(whole + hashlib.sha256(whole).digest())
    with pytest.raises(CheckpointError, match=r"version 2, .* before its release.*Train again"):
        fit_stream(Perceptron(), text, checkpoint=checkpoint)


@pytest.mark.parametrize(
    "estimator",
    [
        PassiveAggressiveClassifier(C=0.5, order="cyclic"),
        Perceptron(ties="correct", margin=0.01, order="cyclic"),
        OnlineClassifier(keep="vote", order="cyclic", multi_class="joint"),
    ],
    ids=str,
)
def test_mistakes_are_counted_across_a_kill(tmp_path, text, estimator):
    """As `fit` counts them on all rows, in file order; wherever the run was cut."""
    X, y = load_svmlight_file(str(text))
    if estimator.multi_class != "joint":  # of more classes the scores are not known
        y = np.minimum(y, 1)
        dump_svmlight_file(X, y, str(text), zero_based=False)
    whole = clone(estimator).set_params(max_iter=3).fit(X, y)
    assert 0 < whole.progressive_error_ < 1
    for _ in range(100):  # killed after every single block
        with suppress(Killed):
            resumed = fit_stream(
                clone(estimator), small_blocks(text), epochs=3, checkpoint=tmp_path / "c",
                checkpoint_seconds=0.0, progress=die_after(1),
            )  # fmt: skip
            break
    assert_same(resumed, whole)
    assert resumed.n_mistakes_ == whole.n_mistakes_


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04 cut short"])
def test_a_damaged_checkpoint_is_refused(tmp_path, text, content):
    checkpoint = tmp_path / "c"
    checkpoint.write_bytes(content)
    with pytest.raises(CheckpointError, match="cannot be loaded"):
        fit_stream(Perceptron(), text, checkpoint=checkpoint)


def test_what_cannot_be_read_again_has_no_checkpoint(tmp_path):
    with pytest.raises(ValueError, match="checkpoint"):
        fit_stream(Perceptron(), [(np.eye(2), [0, 1])], checkpoint=tmp_path / "c")
    with pytest.raises(ValueError, match="only once"):
        fit_stream(Perceptron(), iter([(np.eye(2), [0, 1])]), checkpoint=tmp_path / "c")
