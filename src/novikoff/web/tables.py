"""Points from a table: two of its columns and a target.

The text is read by :mod:`novikoff.streams.tables`, which finds the delimiter, the header, the
decimal sign and what stands for a missing cell.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from novikoff.analysis.sides import REST
from novikoff.streams.bytes import Bytes, StreamError, open_bytes
from novikoff.web.questions import MOST_POINTS, Point, TableQuestion
from novikoff.web.replies import Classes, Column, Suggested, TableAnswer

if TYPE_CHECKING:
    import polars as pl

_SAMPLE = 8  # rows that are shown
_MOST_LABELS = 50  # values of a target that are listed
_FEW = 20  # values up to which a column is suggested as a target
_LARGEST = 1e9


def table_answer(question: TableQuestion) -> TableAnswer:
    """A pasted table: its columns, and its points once two of them and a target are chosen."""
    if not question.text.strip():
        raise ValueError("The table is empty.")
    data = open_bytes(io.BytesIO(question.text.encode("utf-8", "replace")))
    data.name = "the table"
    return read(data, question.features, question.target, question.positive)


def read(
    data: Bytes,
    features: tuple[str, str] | None = None,
    target: str | None = None,
    positive: str | None = None,
) -> TableAnswer:
    """A table from anywhere."""
    from novikoff.streams.tables.options import TableOptions
    from novikoff.streams.tables.reader import open_reader

    try:
        reader = open_reader(data, TableOptions())
        frames = list(reader.frames())
    except StreamError as error:
        raise ValueError(str(error)) from error
    import polars as pl

    if not frames:
        raise ValueError("The table has no rows below its heads.")
    frame = pl.concat(frames)
    numbers = {name: _numbers(frame[name], reader.decimal) for name in frame.columns}
    columns = [_column(frame[name], numbers[name] is not None) for name in frame.columns]
    texts = [decision.text for decision in reader.decisions]
    answer = TableAnswer(
        columns=columns,
        rows=[[_text(cell) for cell in row] for row in frame.head(_SAMPLE).iter_rows()],
        n_rows=frame.height,
        suggested=_suggested(columns),
        notes=[f"{text[:1].upper()}{text[1:]}." for text in texts],
    )
    if target is not None:
        answer.labels = _labels(_existing(frame, target))[:_MOST_LABELS]
    if features is not None and target is not None:
        _choose(answer, frame, numbers, features, target, positive)
    return answer


def _choose(
    answer: TableAnswer,
    frame: pl.DataFrame,
    numbers: dict[str, Any],
    features: tuple[str, str],
    target: str,
    positive: str | None,
) -> None:
    """Fill in the points."""
    if features[0] == features[1] or target in features:
        raise ValueError("Choose two different columns of numbers, and a third one as the target.")
    columns = []
    for name in features:
        _existing(frame, name)
        if numbers[name] is None:
            raise ValueError(f"The column {name} does not hold numbers only; choose another.")
        columns.append(numbers[name])
    answer.classes = _classes(_labels(frame[target]), target, positive)
    answer.axes = features
    X = np.column_stack([column.to_numpy() for column in columns])  # missing cells are NaN
    y = [None if cell is None else _text(cell) for cell in frame[target]]
    usable = np.isfinite(X).all(axis=1) & (abs(X) <= _LARGEST).all(axis=1)
    usable &= np.array([label is not None for label in y])
    rows = np.flatnonzero(usable)
    if len(rows) < len(X):
        n = len(X) - len(rows)
        answer.notes.append(
            f"{n} row{'s' * (n != 1)} without two numbers (up to 10⁹) and a label left out."
        )
    if len(rows) > MOST_POINTS:
        answer.notes.append(f"{MOST_POINTS} of {len(rows)} rows, drawn at random.")
        rows = np.sort(np.random.RandomState(0).choice(rows, MOST_POINTS, replace=False))
    points = []
    for row in rows.tolist():
        label: Literal[-1, 1] = 1 if y[row] == answer.classes.positive else -1
        points.append(Point(x=float(X[row, 0]), y=float(X[row, 1]), label=label))
    answer.points = points


def _classes(labels: list[str], target: str, positive: str | None) -> Classes:
    """Two sides: the label asked for, or else the second of two or the first of more."""
    if len(labels) < 2:
        raise ValueError(f"The column {target} has only one value; a target needs two.")
    if positive is None:
        positive = labels[-1] if len(labels) == 2 else labels[0]
    if positive not in labels:
        raise ValueError(f"No row of {target} holds {positive}.")
    others = [label for label in labels if label != positive]
    return Classes(positive=positive, negative=others[0] if len(others) == 1 else REST)


# ----------------------------------------------------------------------------- columns


def _existing(frame: pl.DataFrame, name: str) -> pl.Series:
    if name not in frame.columns:
        raise ValueError(f"There is no column {name}; there are {', '.join(frame.columns[:20])}.")
    return frame[name]


def _numbers(series: pl.Series, decimal: str) -> pl.Series | None:
    """The column as doubles, missing cells null; None if some cell is no number."""
    import polars as pl

    from novikoff.streams.tables.columns import as_number

    if series.dtype == pl.String:
        values = series.to_frame("").select(as_number(pl.col(""), decimal)).to_series()
    elif series.dtype.is_numeric():
        values = series.cast(pl.Float64)
    else:
        return None
    lost = values.null_count() > series.null_count()
    return None if lost or values.null_count() == len(values) else values


def _column(series: pl.Series, number: bool) -> Column:
    return Column(
        name=series.name,
        kind="number" if number else "text",
        distinct=series.drop_nulls().n_unique(),
        missing=series.null_count(),
    )


def _suggested(columns: list[Column]) -> Suggested:
    """Two columns of numbers, and a target: by its name, or the last with few values."""
    from novikoff.streams.tables.target import choose_target

    chosen = choose_target([column.name for column in columns], None)
    named = {column.name: column for column in columns}
    target: str | None = chosen.name
    if chosen.guessed and not 2 <= named[chosen.name].distinct <= _FEW:
        few = [c.name for c in columns if 2 <= c.distinct <= _FEW]
        text = [name for name in few if named[name].kind == "text"]
        target = [None, *few, *text][-1]
    numeric = [c.name for c in columns if c.kind == "number" and c.distinct > 1]
    numeric = [name for name in numeric if name != target]
    features = (numeric[0], numeric[1]) if len(numeric) >= 2 else None
    return Suggested(features=features, target=target)


def _labels(series: pl.Series) -> list[str]:
    """The values of a column as text: numbers in their order, else by the alphabet."""
    values = sorted({_text(cell) for cell in series.drop_nulls()})
    try:
        return sorted(values, key=float)
    except ValueError:
        return values


def _text(cell: Any) -> str:
    return "" if cell is None else str(cell)
