"""A command that finds no room leaves the file that was there before; a pipe stays a pipe."""

import json
import os
import stat
import subprocess
import threading
from contextlib import contextmanager

import pytest

from tests.cli.helpers import COMMAND, inside
from tests.systems import posix


@contextmanager
def no_room(n_bytes):
    """The system refuses files that are larger."""
    import resource

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@posix
def test_a_certificate_goes_into_a_pipe(four, tmp_path):
    pipe, found = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: found.append(pipe.read_text()), daemon=True)
    reader.start()
    inside("separable", four, "--certificate", pipe)
    reader.join(60)
    assert json.loads(found[0])["claims"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize("options", ["", "--family binomial"])
def test_a_certificate_is_there_though_nobody_reads_on(four, tmp_path, options):
    proof = tmp_path / "proof.json"
    command = f"{' '.join(COMMAND)} separable {four} {options} --certificate {proof} | true"
    subprocess.run(["bash", "-c", command], env={**os.environ, "PYTHONUNBUFFERED": "1"}, check=True)
    assert inside("verify", proof, four).stdout.startswith("Valid.")


@posix
@pytest.mark.parametrize("command", ["predict", "separable"])
def test_the_old_file_stays(model, flowers, tmp_path, command):
    out = tmp_path / "out"
    arguments = {
        "predict": ("predict", model, flowers, "--out", out),
        "separable": ("separable", flowers, "--certificate", out),
    }[command]
    inside(*arguments)
    before = out.read_bytes()
    assert len(before) > 100
    with no_room(100):
        refused = inside(*arguments, code=2)
    assert refused.stderr.endswith(f"error: {out}: File too large.\n")
    assert out.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_nothing_is_written_over_what_is_read(tmp_path):
    text = "x,y\n" + "".join(f"{k * 3 % 8},{k % 2}\n" for k in range(8))
    data, model = tmp_path / "data.csv", tmp_path / "data.model"
    data.write_text(text)
    inside("fit", data, "--target", "y", "--out", model)
    kept = model.read_bytes()
    for asked in (
        ("fit", data, "--target", "y", "--out", data),
        ("predict", model, data, "--out", data),
        ("predict", model, data, "--out", model),
        ("card", model, "--out", model),
        ("separable", data, "--target", "y", "--certificate", data),
        ("report", data, "--target", "y", "--out", data),
    ):
        assert "this file is read" in inside(*asked, code=2).stderr
    assert (data.read_text(), model.read_bytes()) == (text, kept)
    assert inside("predict", model, data, "--out", "-").stdout.startswith("row,prediction,score\n")
    assert not (tmp_path / "-").exists()
