"""Stored rows: the same frames however they came, in memory or on disk."""

import gc
import tempfile

import polars as pl
import pytest

from novikoff.streams.tables.frames import Frames


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where temporary files go."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def stored(cuts, in_memory):
    whole = pl.DataFrame({"x": [0.5 * k for k in range(100)], "s": [str(k) for k in range(100)]})
    frames = Frames(16, in_memory)
    for start, stop in zip([0, *cuts], [*cuts, 100], strict=True):
        frames.append(whole[start:stop])
    frames.finish()
    assert pl.concat(frames).equals(whole)
    return frames


@pytest.mark.parametrize("in_memory", [0, 700, 1 << 20])
@pytest.mark.parametrize("cuts", [(), (16,), (1, 2, 50), (99,)])
def test_frames_are_cut_alike(cuts, in_memory, folder):
    frames = stored(cuts, in_memory)
    assert [frame.height for frame in frames] == [16] * 6 + [4]
    assert frames.height == 100


def test_the_folder_vanishes_with_the_object(folder):
    frames = stored((), 0)
    assert len(list(folder.iterdir())) == 1
    del frames
    gc.collect()
    assert not list(folder.iterdir())


def test_small_tables_touch_no_disk(folder):
    stored((), 1 << 20)
    assert not list(folder.iterdir())
