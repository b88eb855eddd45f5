"""The checkpoint of a cluster's run: what is not of its lesson is refused before it is used."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from novikoff.distributed.checkpoint import read, write
from novikoff.distributed.lesson import Lesson
from novikoff.distributed.standing import Standing
from novikoff.streams import CheckpointError
from novikoff.training.schemes import closed_scheme

K, WIDTH, SHARDS = 3, 5, 2


@pytest.fixture
def lesson():
    rule = None  # nothing is learned here
    return Lesson(
        "token", SHARDS, np.arange(K), np.ones(K), closed_scheme("ovr", K), WIDTH,
        np.dtype(np.float64), 1.0, 1.0, rule, "cyclic", 0, 5, False, True, None,
    )  # fmt: skip


@pytest.fixture
def standing(lesson):
    started = Standing.begin(lesson, SHARDS)
    random = np.random.RandomState(0)
    theta, sums = random.randn(K, WIDTH), random.randn(K, WIDTH)
    return replace(started, theta=theta, sums=sums, mistakes=[np.ones((SHARDS, K), np.int64)])


def test_what_was_written_is_read(lesson, standing, tmp_path):
    write(tmp_path / "run", {"eta": 1}, 7, standing)
    seed, found = read(tmp_path / "run", {"eta": 1}, lesson)
    assert seed == 7
    for name, value in vars(standing).items():
        np.testing.assert_array_equal(getattr(found, name), value)


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
        ("sums", lambda a: None),
        ("sums", lambda a: a.astype(np.float32)),
        ("offset_sums", lambda a: a[:1]),
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
    ],
)
def test_a_standing_of_another_lesson_is_refused(lesson, standing, tmp_path, name, change):
    write(tmp_path / "run", {}, 7, replace(standing, **{name: change(getattr(standing, name))}))
    with pytest.raises(CheckpointError, match="cannot be loaded"):
        read(tmp_path / "run", {}, lesson)


@pytest.mark.parametrize("seed", [-1, 2.5, None, "7", 2**70])
def test_a_seed_that_is_none_is_refused(lesson, standing, tmp_path, seed):
    write(tmp_path / "run", {}, seed, standing)
    with pytest.raises(CheckpointError, match="the seed is"):
        read(tmp_path / "run", {}, lesson)
