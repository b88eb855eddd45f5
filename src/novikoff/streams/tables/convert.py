"""A DataFrame's columns as a fitted encoder wants them: matched by name, stored by kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from novikoff.streams.tables import columns as kinds
from novikoff.streams.tables.missing import without_missing
from novikoff.streams.tables.names import listed
from novikoff.streams.tables.source import as_frame
from novikoff.streams.tables.state import State

if TYPE_CHECKING:
    import polars as pl

__all__ = ["stored_columns"]

_WANTED = {
    "number": "numbers",
    "flag": "true/false, yes/no or 1/0",
    "date": "ISO dates",
}


def stored_columns(
    columns: list[State],
    source: Any,
    decimal: str = ".",
    refuse_missing: bool = False,
    where: Callable[[int], str] | None = None,
    na: Sequence[str] = (),
) -> pl.DataFrame:
    """The columns named in `columns` as "0", "1", …; a ValueError names what does not fit."""
    names = [column["name"] for column in columns]
    frame = as_frame(source, names)
    present = set(frame.columns)
    absent = [name for name in names if name not in present]
    if absent:
        raise ValueError(
            f"the table lacks {listed(absent)}, which the model was trained with. It has "
            f"{listed([str(name) for name in source.columns])}."
        )
    frame = without_missing(frame.select(names), na)
    for column in columns:
        if kinds.unstorable(frame[column["name"]].dtype):
            raise ValueError(f"the column {column['name']} holds {frame[column['name']].dtype}.")
    stored = frame.select(
        kinds.stored(
            column["name"],
            str(column["kind"]),
            frame[column["name"]].dtype,
            decimal,
            kinds.ANY,
        ).alias(str(k))
        for k, column in enumerate(columns)
    )
    where = where or (lambda row: f"row {row}")
    for k, column in enumerate(columns):
        cells, values = frame[column["name"]], stored[str(k)]
        rows = kinds.refused_cells(cells, values)
        if rows:
            raise ValueError(
                f"the column {column['name']} held {_WANTED[column['kind']]} in training, but "
                f"{str(cells[rows[0]])!r} stands in {where(rows[0])}."
            )
        if refuse_missing and values.null_count():
            row = values.is_null().arg_true()[0]
            raise ValueError(
                f"the cell of {column['name']} in {where(row)} is missing, and missing cells are "
                "refused."
            )
    return kinds.missing_to_nan(stored)
