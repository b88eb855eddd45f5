"""Real data, which does not ship: where the benchmarks look for it, or else the test is skipped."""

import pytest

from benchmarks.data import FOLDER


def shared(name):
    """A file, or a folder, among the real data."""
    path = FOLDER / name
    if not path.exists():
        pytest.skip(f"{name} is not in the folder of real data, {FOLDER}")
    return path
