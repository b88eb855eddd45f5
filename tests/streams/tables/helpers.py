"""What the tests of reading share."""

import polars as pl

from novikoff.streams.tables.options import TableOptions
from novikoff.streams.tables.reader import open_reader


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
