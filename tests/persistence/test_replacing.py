"""Files appear whole or not at all, and what a kill leaves goes away."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from novikoff.persistence.disk import Temporary, replace_text, replacing
from tests.systems import linux, posix


def names(folder):
    return sorted(os.listdir(folder))


@posix
def test_a_full_disk_leaves_what_was_there(tmp_path):
    path = tmp_path / "report.html"
    replace_text(path, "the old one, whole")
    import resource

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))  # the system refuses more
    try:
        with pytest.raises(OSError, match="File too large"):
            replace_text(path, "x" * 100_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_text() == "the old one, whole"
    assert names(tmp_path) == ["report.html"]


def test_nothing_is_seen_before_the_end(tmp_path):
    path = tmp_path / "f"
    path.write_bytes(b"old")
    with replacing(path) as file:
        file.write(b"new")
        file.flush()
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert names(tmp_path) == ["f"]


@posix
def test_permissions_and_links_stay(tmp_path):
    path, link = tmp_path / "f", tmp_path / "link"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    replace_text(link, "new")
    assert link.is_symlink()
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_an_error_names_the_file_that_was_asked_for(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        replace_text(tmp_path / "no" / "f", "text")
    assert caught.value.filename == str(tmp_path / "no" / "f")


@posix
def test_a_pipe_is_written_to_and_stays(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        replace_text(pipe, "text")
        assert os.read(reader, 100) == b"text"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert names(tmp_path) == ["pipe"]


@posix
def test_a_device_is_written_to_and_stays():
    replace_text("/dev/null", "text")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


WRITE = """
import sys
from novikoff.persistence.disk import replace_text
print("before", flush=True)
replace_text(sys.argv[1], "text\\n")
print("after", flush=True)
"""


@linux
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_standard_output_is_written_to_wherever_it_leads(tmp_path, name):
    command = [sys.executable, "-c", WRITE, name]
    piped = subprocess.run(command, capture_output=True, text=True, check=True)
    assert piped.stdout == "before\ntext\nafter\n"
    path = tmp_path / "out"
    with path.open("a") as file:
        file.write("first\n")
        file.flush()
        subprocess.run(command, stdout=file, check=True)
    assert path.read_text() == "first\nbefore\ntext\nafter\n"
    assert names(tmp_path) == ["out"]


BEGIN = """
import sys, time
from novikoff.persistence.disk import Temporary
from novikoff.persistence.disk import replacing
with replacing(sys.argv[1]) as file:
    file.write(b"half")
    file.flush()
    kept = [Temporary(), Temporary(folder=True)]
    (kept[1].path / "inside").touch()
    print("ready", flush=True)
    time.sleep(600)
"""


@posix
def test_what_a_kill_left_is_removed_and_what_is_in_use_is_not(tmp_path, monkeypatch):
    scratch, place = tmp_path / "scratch", tmp_path / "place"
    scratch.mkdir()
    place.mkdir()
    path = place / "f"
    path.write_text("old")
    (place / ".fallow.tmp").touch()  # somebody else's
    monkeypatch.setenv("TMPDIR", str(scratch))
    monkeypatch.setattr(tempfile, "tempdir", None)
    command = [sys.executable, "-c", BEGIN, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        with Temporary() as mine:  # while it lives, its files do
            assert mine.path.parent == scratch
            assert len(names(scratch)) == 3
        replace_text(path, "new")
        assert len(names(place)) == 3
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert len(names(place)) == 3
    replace_text(path, "newer")
    assert names(place) == [".fallow.tmp", "f"]
    with Temporary(folder=True) as mine:
        assert names(scratch) == [mine.path.name]
    assert names(scratch) == []
    monkeypatch.setattr(tempfile, "tempdir", None)


def test_a_temporary_file_goes_with_its_object():
    path = Temporary().path
    assert not path.exists()
    assert isinstance(path, Path)
