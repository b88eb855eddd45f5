"""Files that are replaced whole or not at all."""

import resource

import numpy as np
import pytest

from novikoff.streams.archive import CheckpointError, read_archive, write_archive

KIND = ("a test", 1)
HEAD = {"format": "a test", "version": 1, "settings": {"eta": 1.0}}


def test_a_write_that_finds_no_room_leaves_the_file_before(tmp_path):
    path = tmp_path / "run.ckpt"
    write_archive(path, HEAD, {"theta": np.arange(3.0)})
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))  # the system refuses more
    try:
        with pytest.raises(OSError, match=r"the checkpoint .*run\.ckpt could not be written"):
            write_archive(path, HEAD, {"theta": np.zeros(100_000)})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert [file.name for file in tmp_path.iterdir()] == ["run.ckpt"]
    assert read_archive(path, KIND, {"eta": 1.0})[1]["theta"].tolist() == [0.0, 1.0, 2.0]


def test_what_belongs_to_another_run_or_is_damaged_is_refused(tmp_path):
    path = tmp_path / "run.ckpt"
    write_archive(path, HEAD, {"theta": np.arange(3.0)})
    with pytest.raises(CheckpointError, match=r"its eta was 1\.0, now it is 2\.0"):
        read_archive(path, KIND, {"eta": 2.0})
    with pytest.raises(CheckpointError, match="version 2, is read"):
        read_archive(path, ("a test", 2), {"eta": 1.0})
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(CheckpointError, match="no checkpoint, or a damaged one"):
        read_archive(path, KIND, {"eta": 1.0})
