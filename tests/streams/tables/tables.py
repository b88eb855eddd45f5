"""What the tests of surveyed tables share."""

from unittest.mock import patch

from novikoff.streams.tables import frames
from novikoff.streams.tables.options import TableOptions
from novikoff.streams.tables.table import open_table
from tests.streams.tables.helpers import written


def table_of(folder, text, *, holdout=0.0, seed=0, n_rows=None, **options):
    """A table written to a file and surveyed; the target is y unless said otherwise."""
    path = written(folder, text)
    options = TableOptions(**{"target": "y", **options})
    with patch.object(frames, "MOST_ROWS", n_rows or frames.MOST_ROWS):
        return open_table(path, options, holdout=holdout, seed=seed)


def csv_of(**columns):
    """CSV of columns given as lists; None is an empty cell."""
    lines = [",".join(columns)]
    for row in zip(*columns.values(), strict=True):
        cells = ["" if cell is None else str(cell) for cell in row]
        lines.append(",".join(f'"{c}"' if "," in c else c for c in cells))
    return "\n".join(lines) + "\n"


def said(table, topic=None):
    """The decisions as lines."""
    return "\n".join(d.text for d in table.decisions if topic in (None, d.topic))


def dense(X):
    return X.toarray() if hasattr(X, "toarray") else X
