"""Files that are replaced whole or not at all."""

import numpy as np
import pytest

from novikoff.persistence.container import Kind
from novikoff.streams.checkpoint import CheckpointError, read_archive, write_archive
from tests.systems import posix

KIND = Kind("test", "a test", 1)
SETTINGS = {"eta": 1.0}


def read(path, kind=KIND, settings=SETTINGS):
    return read_archive(path, kind, settings, lambda content: content)


@posix
def test_a_write_that_finds_no_room_leaves_the_file_before(tmp_path):
    path = tmp_path / "run.ckpt"
    write_archive(path, KIND, SETTINGS, {"theta": np.arange(3.0)})
    import resource

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))  # the system refuses more
    try:
        with pytest.raises(OSError, match=r"the checkpoint .*run\.ckpt could not be written"):
            write_archive(path, KIND, SETTINGS, {"theta": np.zeros(100_000)})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert [file.name for file in tmp_path.iterdir()] == ["run.ckpt"]
    assert read(path)["theta"].tolist() == [0.0, 1.0, 2.0]


def test_what_belongs_to_another_run_or_is_damaged_is_refused(tmp_path):
    path = tmp_path / "run.ckpt"
    write_archive(path, KIND, SETTINGS, {"theta": np.arange(3.0)})
    with pytest.raises(CheckpointError, match=r"its eta was 1\.0, now it is 2\.0"):
        read(path, settings={"eta": 2.0})
    with pytest.raises(CheckpointError, match="its header is damaged"):
        read(path, Kind("test", "another", 1))
    with pytest.raises(CheckpointError, match=r"version 1, and .* reads up to 0"):
        read(path, Kind("test", "a test", 0))
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(CheckpointError, match=r"it is truncated.*delete it to start afresh"):
        read(path)
