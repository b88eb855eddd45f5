"""What the tests of reading share."""

from pathlib import Path

import polars as pl
import pytest

from novikoff.streams.tables.options import TableOptions
from novikoff.streams.tables.reader import open_reader

SHARED = Path(__file__).parents[3].parent / "shared" / "data"


def shared(name):
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"{path} is not here")
    return path


def written(folder, content, name="data.csv"):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def read(source, **options):
    """A reader and all its rows."""
    reader = open_reader(source, TableOptions(**options))
    return reader, rows_of(reader)


def rows_of(reader):
    return [row for frame in reader.frames() for row in frame.rows()]


def frame_of(reader):
    return pl.concat(reader.frames())
