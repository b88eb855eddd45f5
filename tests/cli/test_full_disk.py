"""A command that finds no room leaves the file that was there before."""

import resource
from contextlib import contextmanager

import pytest

from tests.cli.helpers import inside


@contextmanager
def no_room(n_bytes):
    """The system refuses files that are larger."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


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
