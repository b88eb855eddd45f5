"""Points of a plane from a table: two of its columns and a target, chosen by their looks.

The text is read by :mod:`novikoff.streams.tables`, which finds the delimiter, the header, the
decimal sign and what stands for a missing cell. A table that is pasted into the playground is read
by its page (`web/static/engine/table.js`).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from novikoff._messages import Message, Setting
from novikoff.analysis.compare import drawn
from novikoff.analysis.verdicts import REST, positive_of
from novikoff.replay.html import MAX_ROWS
from novikoff.streams.bytes import Bytes, StreamError
from novikoff.streams.tables.lazy import pl
from novikoff.streams.tables.options import TableOptions, listed, resolve

MOST_POINTS = MAX_ROWS  # so that every run on them can be saved as a replay
LARGEST = 1e9  # a coordinate
_FEW = 20  # values up to which a column is suggested as a target


class Points(NamedTuple):
    """Points of two classes.

    Attributes
    ----------
    points : x, y and the side of each
    axes : the names of x and y
    classes : what is negative, and what is positive
    note : which columns were chosen, and which rows were left out
    """

    points: list[tuple[float, float, int]]
    axes: tuple[str, str]
    classes: tuple[str, str]
    note: str


def read_points(
    data: Bytes,
    axes: Sequence[str] = (),
    target: str | int | None = None,
    positive: str | None = None,
) -> Points:
    """The points of a table; what is not said of its columns is chosen.

    axes : the columns of x and y; positive : the class that is +1
    """
    from novikoff.streams.tables.reader import open_reader

    try:
        reader = open_reader(data, TableOptions())
        frames = list(reader.frames())
    except StreamError as error:
        raise ValueError(str(error)) from error

    if not frames:
        raise ValueError(f"{data.name} has no rows below its heads.")
    frame = pl.concat(frames)
    found = {name: _numbers(frame[name], reader.decimal) for name in frame.columns}
    numbers = {name: column for name, column in found.items() if column is not None}
    chosen = [resolve(frame.columns, name, "axes") for name in axes]
    if words := [name for name in chosen if name not in numbers]:
        raise ValueError(f"{data.name}: {words[0]} has cells that are no numbers.")
    varying = chosen or [name for name in numbers if numbers[name].n_unique() > 1]
    named = [] if target is None else [resolve(frame.columns, target, "target")]
    for candidate in named or _targets(frame, numbers):
        features = [numbers[name] for name in varying if name != candidate]
        if len(features) >= 2:
            return _points(data.name, frame[candidate], features[:2], positive)
    raise ValueError(
        f"{data.name}: it takes two columns of numbers, and a third with few values as the target."
    )


def _points(
    name: str, target: pl.Series, features: list[pl.Series], positive: str | None
) -> Points:
    X = np.column_stack([column.to_numpy() for column in features])  # missing cells are NaN
    labels = [None if cell is None else str(cell) for cell in target]
    negative, positive = _classes(labels, positive)
    usable = (abs(X) <= LARGEST).all(axis=1) & np.array([label is not None for label in labels])
    rows = np.flatnonzero(usable)
    x, y = (column.name for column in features)
    note = [f"{name}: {x} and {y}; {target.name} is the target, {positive} against {negative}."]
    if missing := len(X) - len(rows):
        note.append(
            f"{missing} row{'s' * (missing != 1)} without two numbers (up to 10⁹) and a label "
            "left out."
        )
    if len(rows) > MOST_POINTS:
        note.append(f"{MOST_POINTS} of {len(rows)} rows, drawn at random.")
        rows = drawn(rows, 0, MOST_POINTS)
    points = [
        (float(X[row, 0]), float(X[row, 1]), 1 if labels[row] == positive else -1)
        for row in rows.tolist()
    ]
    return Points(points, (x, y), (negative, positive), " ".join(note))


def _classes(labels: list[str | None], positive: str | None) -> tuple[str, str]:
    """Two sides: the second of two labels is positive, or else the first of more."""
    values = sorted({label for label in labels if label is not None})
    with suppress(ValueError):
        values = sorted(values, key=float)  # numbers in their order, else by the alphabet
    if len(values) < 2:
        raise ValueError(f"The target has {len(values)} values; two sides need two.")
    if positive is None:
        positive = positive_of(values) if len(values) == 2 else values[0]
    elif positive not in values:
        told = f": there is no such class; there are {listed(values)}."
        raise ValueError(Message(Setting("positive", positive), told))
    others = [value for value in values if value != positive]
    return (others[0] if len(others) == 1 else REST), positive


def _numbers(series: pl.Series, decimal: str) -> pl.Series | None:
    """The column as doubles, missing cells null; None if some cell is no number."""
    from novikoff.streams.tables.columns import numbers_of

    values = numbers_of(series, decimal)
    lost = values.null_count() > series.null_count()
    return None if lost or values.null_count() == len(values) else values.alias(series.name)


def _targets(frame: pl.DataFrame, numbers: dict[str, Any]) -> list[str]:
    """Columns with few values: that of a usual name, or the last; then text, then numbers."""
    from novikoff.streams.tables.target import choose_target

    few = [name for name in frame.columns if 2 <= frame[name].drop_nulls().n_unique() <= _FEW]
    text = [name for name in few if name not in numbers]
    named = choose_target(frame.columns, None).name
    return [name for name in [named, *text[::-1], *few[::-1]] if name in few]
