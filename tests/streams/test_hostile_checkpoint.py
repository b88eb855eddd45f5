"""Checkpoints that were damaged, or made up: refused, or the same model to the bit."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from novikoff import (
    AveragedPerceptron,
    PassiveAggressiveClassifier,
    Perceptron,
    VotedPerceptron,
)
from novikoff.kernels.rules.passive_aggressive import PassiveAggressiveRule
from novikoff.persistence.container import open_file
from novikoff.persistence.reading import Reader
from novikoff.streams import CheckpointError, fit_stream
from novikoff.streams.checkpoint import KIND, write_archive
from novikoff.training.schemes import Role
from tests.streams.test_checkpoint import Killed, assert_same, die_after, small_blocks, text

__all__ = ["text"]

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def fit(estimator, path, checkpoint, **more):
    return fit_stream(
        estimator, small_blocks(path), epochs=2, shuffle_buffer=50, checkpoint=checkpoint,
        checkpoint_seconds=0.0, **more,
    )  # fmt: skip


@pytest.fixture
def killed(tmp_path, text):
    """A function: the checkpoint of a run over `text` that was killed after some blocks."""

    def make(estimator, n_blocks=4):
        path = tmp_path / "run.ckpt"
        with pytest.raises(Killed):
            fit(estimator, text, path, progress=die_after(n_blocks))
        return path

    return make


def test_a_flipped_bit_is_refused_wherever_it_is(killed, text):
    path = killed(Perceptron())
    sound = path.read_bytes()
    places = [*range(0, len(sound), 97), *range(300), *range(len(sound) - 40, len(sound))]
    for place in places:
        damaged = bytearray(sound)
        damaged[place] ^= 1 << place % 8
        path.write_bytes(damaged)
        with pytest.raises(CheckpointError, match=r"run\.ckpt cannot be loaded"):
            fit(Perceptron(), text, path)
    for length in (0, 1, 30, len(sound) // 2, len(sound) - 1):
        path.write_bytes(sound[:length])
        with pytest.raises(CheckpointError, match=r"run\.ckpt cannot be loaded"):
            fit(Perceptron(), text, path)
    path.write_bytes(sound)
    assert_same(fit(Perceptron(), text, path), fit(Perceptron(), text, None))


def forge(path, change):
    """Change the content of a checkpoint; its digest is right all the same."""
    with open_file(path, KIND) as file:
        stored = Reader(file).content()
    change(stored["content"])
    with pytest.MonkeyPatch.context() as patch:  # what is unsound would not be written
        patch.setattr("novikoff.persistence.writing.check", lambda thing: None)
        write_archive(path, KIND, json.loads(stored["settings"]), stored["content"])


def put(*path, to):
    """Replace what is at a path of keys, by a value or by a function of what was there."""

    def changed(thing, first=None, *more):
        if first is None:
            return to(thing) if callable(to) else to
        if not isinstance(thing, dict | list):
            part = changed(getattr(thing, first), *more)
            put_in = thing._replace if hasattr(thing, "_replace") else partial(replace, thing)
            return put_in(**{first: part})
        copy = thing.copy()
        copy[first] = changed(thing[first], *more)
        return copy

    return lambda content: content.update(changed(content, *path))


def first(value):
    def change(array):
        array = array.copy()
        array[0] = value
        return array

    return change


def wider(array):
    return np.asfortranarray(np.pad(array, ((0, 0), (0, 1))))


def sums_of(content):
    """The sums of a mean, for the hyperplanes of a checkpoint."""
    theta = content["state"].theta
    return {"sums": np.zeros_like(theta), "sums_offset": np.zeros(len(theta))}


STANDING = {
    "theta-transposed": put("state", "theta", to=lambda a: a.T.copy()),
    "theta-short": put("state", "theta", to=lambda a: a[:1].copy()),
    "theta-single": put("state", "theta", to=lambda a: a.astype(np.float32)),
    "all-single": lambda c: [
        put("state", name, to=lambda a: a.astype(np.float32))(c) for name in ("theta", "offset")
    ],
    "theta-integers": put("state", "theta", to=lambda a: a.astype(np.int64)),
    "theta-nan": put("state", "theta", to=lambda a: a * np.nan),
    "theta-flat": put("state", "theta", to=lambda a: a.ravel()),
    "theta-frozen": put("state", "theta", to=lambda a: _frozen(a)),
    "theta-none": put("state", "theta", to=None),
    "offset-empty": put("state", "offset", to=lambda a: a[:0]),
    "counts-negative": put("state", "counts", to=first(-1)),
    "counts-short": put("state", "counts", to=lambda a: a[:1]),
    "constant": put("state", "constant", to=0.0),
    "sums": lambda c: c["state"].beside.update(sums_of(c)),
    "beside-none": put("state", "beside", to=None),
    "beside-list": put("state", "beside", to=lambda b: []),
    "wrong-none": put("n_wrong", to=None),
    "wrong-number": put("n_wrong", to=3),
    "wrong-long": put("n_wrong", to=lambda a: np.append(a, 0)),
    "first-wrong": put("first_wrong", to=0.5),
    "active-short": put("active", to=lambda a: a[:1]),
    "active-integers": put("active", to=lambda a: a.astype(np.int64)),
    "in-epoch": put("in_epoch", to=lambda a: a[:1]),
    "in-all": put("in_all", to=lambda a: a.astype(float)),
    "class-counts": put("class_counts", to=lambda a: a[:1]),
    "class-counts-wrong": put("class_counts", to=lambda a: a + 1),
    "classes-unsorted": put("classes", to=lambda a: a[::-1].copy()),
    "classes-many": put("classes", to=lambda a: np.arange(99.0)),
    "classes-other": put("classes", to=lambda a: a + 0.5),
    "scheme-joint": put("scheme", "name", to="joint"),
    "scheme-closed": put("scheme", "open", to=False),
    "scheme-roles": put("scheme", "roles", to=lambda r: r[:-1]),
    "scheme-wild": put("scheme", "roles", to=lambda r: (Role(0, 10**6), *r[1:])),
    "epochs": put("n_epochs", to=10**9),
    "epochs-one": put("n_epochs", to=1),
    "epochs-none": put("n_epochs", to=None),
    "rows": put("n_rows", to=10**12),
    "rows-negative": put("n_rows", to=-5),
    "random": put("random", to=None),
    "status": put("status", to="won"),
    "history": put("history", to=lambda h: {"start": {}, "kept": [], "n_kept": 0, "chains": []}),
    "read-none": put("read", to=None),
    "read-rows": put("read", "n_rows", to=10**12),
    "read-digest": put("read", "digest", to="0" * 64),
    "read-no-digest": put("read", "digest", to=7),
    "key-missing": lambda c: c.pop("active"),
    "key-unknown": lambda c: c.update(more=1),
    "no-dict": lambda c: c.update(state=[1, 2]),
}


def _frozen(array):
    array = array.copy()
    array.flags.writeable = False
    return array


@pytest.mark.parametrize("change", list(STANDING))
def test_a_made_up_standing_is_refused(killed, text, change):
    path = killed(Perceptron())
    forge(path, STANDING[change])
    with pytest.raises(CheckpointError):
        fit(Perceptron(), text, path)


BESIDE = {
    "none": put("state", "beside", to={}),
    "half": put("state", "beside", to=lambda b: {"sums": b["sums"]}),
    "turned": put("state", "beside", to=lambda b: dict(reversed(b.items()))),
    "more": put("state", "beside", to=lambda b: b | {"x": b["sums"], "x_offset": b["sums_offset"]}),
    "short": put("state", "beside", "sums", to=lambda a: a[:1].copy()),
    "single": put("state", "beside", "sums", to=lambda a: a.astype(np.float32)),
    "nan": put("state", "beside", "sums_offset", to=lambda a: a * np.nan),
    "frozen": put("state", "beside", "sums", to=lambda a: _frozen(a)),
    "offset-wide": put("state", "beside", "sums_offset", to=lambda a: np.zeros((len(a), 2))),
    "counters-frozen": put("in_epoch", to=lambda a: _frozen(a)),
}


@pytest.mark.parametrize("change", list(BESIDE))
def test_made_up_sums_are_refused(killed, text, change):
    estimator = PassiveAggressiveClassifier(average=True)
    path = killed(estimator)
    forge(path, BESIDE[change])
    with pytest.raises(CheckpointError, match="cannot be loaded"):
        fit(estimator, text, path)


@pytest.mark.parametrize(
    "change",
    [
        put("n_wrong", to=lambda a: a - 10**6),
        put("n_wrong", to=lambda a: a[:0]),
        put("first_wrong", to=None),
        put("first_wrong", to=1.5),
        put("first_wrong", to=float("nan")),
        put("first_wrong", to="0.5"),
    ],
)
def test_made_up_mistakes_are_refused(tmp_path, text, change):
    estimator, path = PassiveAggressiveClassifier(multi_class="joint"), tmp_path / "run.ckpt"
    fit(estimator, text, path)
    forge(path, change)
    with pytest.raises(CheckpointError, match="wrong predictions"):
        fit(estimator, text, path)


def test_weights_for_other_features_are_refused(tmp_path):
    """Of a table all features are known; what is stored must have as many."""
    table = tmp_path / "rows.csv"
    lines = [f"{i % 7},{i % 5},{'a' if i % 3 else 'b'}" for i in range(60)]
    table.write_text("\n".join(["x,z,y", *lines]) + "\n")
    path = tmp_path / "run.ckpt"
    with pytest.raises(Killed):
        fit_stream(Perceptron(), table, epochs=2, checkpoint=path, checkpoint_seconds=0.0,
                   progress=die_after(1))  # fmt: skip
    forge(path, put("state", "theta", to=lambda a: np.ascontiguousarray(a[:, :1])))
    with pytest.raises(CheckpointError, match="not for 2 features"):
        fit_stream(Perceptron(), table, epochs=2, checkpoint=path)


CHAINS = {
    "row-beyond": ("row", first(10**9)),
    "row-negative": ("row", first(-1)),
    "numbers-short": ("numbers", lambda a: a[:-1]),
    "numbers-single": ("numbers", lambda a: a.astype(np.float32)),
    "numbers-wide": ("numbers", lambda a: np.repeat(a, 2, axis=1)),
    "numbers-flat": ("numbers", lambda a: a.ravel()),
    "time-late": ("time", lambda a: a + 10**6),
    "own-negative": ("own", first(-7)),
}


@pytest.mark.parametrize("change", list(CHAINS))
def test_a_made_up_vote_is_refused(killed, text, change):
    path = killed(VotedPerceptron())
    name, function = CHAINS[change]
    forge(path, put("history", "chains", 0, name, to=function))
    with pytest.raises(CheckpointError, match="cannot be loaded"):
        fit(VotedPerceptron(), text, path)


@pytest.mark.parametrize(
    "change",
    [
        put("history", to=None),
        put("history", "start", "offset", to=lambda a: a[:0]),
        put("history", "start", "theta", to=lambda a: a[:, :1].copy()),
        put("history", "kept", 0, "width", to=10**9),
        put("history", "kept", 0, "indices", to=first(10**6)),
        put("history", "kept", 0, "indptr", to=lambda a: a * 2),
        put("history", "n_kept", to=10**9),
        put("history", "chains", to=lambda c: c[:1]),
        put("history", "rule", to=None),
        put("history", "rule", to=PassiveAggressiveRule(1.0, 1.0, False)),
        put("history", "start", "beside", to=None),
        lambda c: c["history"].start.beside.update(sums_of(c)),
    ],
)
def test_made_up_rows_of_a_vote_are_refused(killed, text, change):
    path = killed(VotedPerceptron())
    forge(path, change)
    with pytest.raises(CheckpointError, match="cannot be loaded"):
        fit(VotedPerceptron(), text, path)


@pytest.mark.parametrize("n_blocks", [2, 9])
@pytest.mark.parametrize("estimator", [Perceptron, AveragedPerceptron])
def test_other_labels_are_other_data(killed, text, estimator, n_blocks):
    """As many bytes as before, the same at both ends: only a look at every row tells."""
    path = killed(estimator(), n_blocks)
    before = path.read_bytes()
    lines = text.read_text().splitlines(keepends=True)
    swap = {"0": "1", "1": "0", "2": "2"}
    lines[40] = swap[lines[40][0]] + lines[40][1:]
    text.write_text("".join(lines))
    with pytest.raises(CheckpointError, match="it learned from other data"):
        fit(estimator(), text, path)
    assert path.read_bytes() == before


def test_a_finished_run_knows_its_data_too(text, tmp_path):
    path = tmp_path / "run.ckpt"
    fit(Perceptron(), text, path)
    lines = text.read_text().splitlines(keepends=True)
    lines[150], lines[151] = lines[151], lines[150]
    text.write_text("".join(lines))
    with pytest.raises(CheckpointError, match="it learned from other data"):
        fit(Perceptron(), text, path)
