"""The checkpoint of a cluster's run: what is not of its lesson is refused before it is used."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import numpy as np
import pytest

from novikoff.distributed.shard import Lesson
from novikoff.distributed.standing import KIND, MixingStanding, read, write
from novikoff.kernels.rules.passive_aggressive import PassiveAggressiveRule
from novikoff.streams import CheckpointError
from novikoff.training.schemes import closed_scheme
from novikoff.training.spec import RunSpec

K, WIDTH, SHARDS = 3, 5, 2


@pytest.fixture
def lesson():
    spec = RunSpec(PassiveAggressiveRule(1.0, 1.0, False), "mean", order="cyclic")
    return Lesson(
        "token", spec, SHARDS, np.arange(K), np.ones(K), closed_scheme("ovr", K), WIDTH,
        np.dtype(np.float64), 0, 5, False,
    )  # fmt: skip


@pytest.fixture
def standing(lesson):
    started = MixingStanding.begin(lesson, SHARDS)
    random = np.random.RandomState(0)
    theta, sums = random.randn(K, WIDTH), random.randn(K, WIDTH)
    beside = started.beside | {"sums": sums}
    return replace(started, theta=theta, beside=beside, mistakes=[np.ones((SHARDS, K), np.int64)])


def test_what_was_written_is_read(lesson, standing, tmp_path):
    write(tmp_path / "run", {"eta": 1}, 7, standing)
    seed, found = read(tmp_path / "run", {"eta": 1}, lesson)
    assert seed == 7
    for name, value in vars(standing).items():
        np.testing.assert_equal(getattr(found, name), value)


def test_a_file_from_before_the_release_is_refused(lesson, tmp_path):
    header = b'{"format": "novikoff.mixing-checkpoint", "version": 2, "tree": 2, "arrays": 0}\n'
    whole = KIND.mark + header + b"[]"
    (tmp_path / "run").write_bytes(whole + hashlib.sha256(whole).digest())
    with pytest.raises(CheckpointError, match=r"version 2, .* before its release.*Train again"):
        read(tmp_path / "run", {}, lesson)


def test_a_flipped_bit_is_refused_wherever_it_is(lesson, standing, tmp_path):
    path = tmp_path / "run"
    write(path, {"eta": 1}, 7, standing)
    sound = path.read_bytes()
    for place in range(0, len(sound), 7):
        damaged = bytearray(sound)
        damaged[place] ^= 1 << place % 8
        path.write_bytes(damaged)
        with pytest.raises(CheckpointError, match="cannot be loaded"):
            read(path, {"eta": 1}, lesson)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("theta", lambda a: a.T.copy()),
        ("theta", lambda a: a[:, :-1].copy()),
        ("theta", lambda a: a.astype(np.float32)),
        ("theta", lambda a: a * np.inf),
        ("offset", lambda a: a[:0]),
        ("offset", lambda a: a.astype(np.float32)),
        ("beside", lambda b: None),
        ("beside", lambda b: {}),
        ("beside", lambda b: b | {"sums": None}),
        ("beside", lambda b: b | {"sums": b["sums"].astype(np.float32)}),
        ("beside", lambda b: b | {"sums_offset": b["sums_offset"][:1]}),
        ("beside", lambda b: dict(reversed(b.items()))),
        ("beside", lambda b: b | {"more": b["sums"]}),
        ("counts", lambda a: a - 1),
        ("counts", lambda a: a.astype(np.int64)),
        ("active", lambda a: a[:1]),
        ("active", lambda a: a.astype(np.int64)),
        ("n_updates", lambda a: a[:1]),
        ("n_updates", lambda a: a - 1),
        ("examples", lambda a: a.T.copy()),
        ("examples", lambda a: a - 5),
        ("mistakes", lambda a: []),
        ("mistakes", lambda a: [np.zeros((1, 1), np.int64)]),
        ("mistakes", lambda a: None),
        ("status", lambda a: "separated"),
        ("n_wrong", lambda a: None),
        ("n_wrong", lambda a: 3),
        ("n_wrong", lambda a: np.zeros(1, np.int64)),
        ("first_wrong", lambda a: 0.5),
    ],
)
def test_a_standing_of_another_lesson_is_refused(lesson, standing, tmp_path, name, change):
    write(tmp_path / "run", {}, 7, replace(standing, **{name: change(getattr(standing, name))}))
    with pytest.raises(CheckpointError, match="cannot be loaded"):
        read(tmp_path / "run", {}, lesson)


@pytest.mark.parametrize(
    ("n_wrong", "first_wrong"),
    [(np.array([3]), 0.5), (np.array([-1]), 0.5), (np.array([3]), None), (np.array([3]), 1.5),
     (np.array([3]), 1), (np.array([3]), np.nan), (np.array([3.0]), 0.5), (np.zeros(0, int), 0.5)],
)  # fmt: skip
def test_mistakes_that_nobody_counted_are_refused(lesson, standing, tmp_path, n_wrong, first_wrong):
    joint = replace(lesson, scheme=closed_scheme("joint", K))
    mistakes = [np.ones((SHARDS, 1), np.int64)]
    made_up = replace(standing, mistakes=mistakes, n_wrong=n_wrong, first_wrong=first_wrong)
    write(tmp_path / "run", {}, 7, made_up)
    if n_wrong.tolist() == [3] and n_wrong.dtype == np.int64 and first_wrong == 0.5:
        assert read(tmp_path / "run", {}, joint)[1].first_wrong == 0.5
        return
    with pytest.raises(CheckpointError, match="wrong predictions"):
        read(tmp_path / "run", {}, joint)


@pytest.mark.parametrize("seed", [-1, 2.5, None, "7", 2**70])
def test_a_seed_that_is_none_is_refused(lesson, standing, tmp_path, seed):
    write(tmp_path / "run", {}, seed, standing)
    with pytest.raises(CheckpointError, match="the seed is"):
        read(tmp_path / "run", {}, lesson)
