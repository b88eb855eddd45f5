"""Pass 0 over a table: what each column holds, said by every row, and the rows stored as that.

The first rows suggest what a column holds; the cells are converted on that guess and counted. A
column whose guess is refuted starts the pass again with what was learned. In the end a column is
numeric if every cell parses; if at least 99 in 100 do, the others are taken for errors and named;
else it is text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from novikoff._messages import Setting
from novikoff.streams.bytes import StreamError
from novikoff.streams.tables import columns as kinds
from novikoff.streams.tables.frames import Frames, rows_per_frame
from novikoff.streams.tables.lazy import pl
from novikoff.streams.tables.options import listed
from novikoff.streams.tables.reader import NotNumbersError, ReadAgainError, Reader
from novikoff.streams.tables.target import TargetValues

N_NAMED = 5  # as many cells as an error names
ERRORS = 0.01  # a share of cells that are no numbers, up to which they are errors


@dataclass
class Column:
    """A column and what is known of its cells after some rows."""

    name: str
    key: str  # its name in the stored frames
    kind: str = ""  # "number", "flag", "date", "string" or "category"; "" not guessed yet
    words: str = ""  # of a flag: "true/false" or "yes/no"
    n_present: int = 0
    n_numbers: int = 0  # of a string: cells that are numbers nevertheless
    n_dressed: int = 0  # of a string: cells that are none, and numbers to a person
    n_refused: int = 0  # of a number: cells that are none
    refused: list[tuple[int, str]] = field(default_factory=list)  # (row, cell): the first few
    no_date: tuple[int, str] | None = None  # the cell for which it is no column of dates
    rounded: int | None = None  # of a number: one of its first cells that is no double

    def forget(self) -> None:
        self.n_present = self.n_numbers = self.n_dressed = self.n_refused = 0
        self.refused = []


@dataclass
class Survey:
    """What pass 0 found.

    columns : those that were read; not the target and not the dropped ones
    frames : for each column its `key`, and "y", the number of the row's label (-1: none)
    labels : the target's values; empty where no target was asked for
    """

    columns: list[Column]
    frames: Frames
    labels: TargetValues


class _RefutedError(Exception):
    """A guess was wrong: start again."""


def survey(
    reader: Reader,
    names: Sequence[str],
    target: str | None,
    forced: set[str],
    *,
    progress: Callable[[int, int | None], None] | None = None,
) -> Survey:
    """Read all rows once, or once more for each round of refuted guesses.

    names : the columns to store; `forced`: those of them that are categories whatever they hold
    """
    columns = [
        Column(name, str(k), "category" if name in forced else "") for k, name in enumerate(names)
    ]
    height = rows_per_frame(len(columns) + 1)
    numbers = _first_guess(reader, columns)
    while True:
        frames = Frames(height)
        labels = TargetValues(reader.decimal)
        for column in columns:
            column.forget()
        try:
            _pass(reader, columns, numbers, target, frames, labels, progress)
            _judge(reader, columns)
        except (_RefutedError, NotNumbersError, ReadAgainError) as refuted:
            frames.close()
            if isinstance(refuted, NotNumbersError):
                numbers = set()  # as text every cell can be looked at
            continue
        return Survey(columns, frames, labels)


def _first_guess(reader: Reader, columns: list[Column]) -> set[str]:
    """Guess what the columns hold from the first rows; the names of those with numbers."""
    first = reader.head()
    rounded = kinds.rounded(first.select(column.name for column in columns))
    for column in columns:
        column.rounded = rounded.get(column.name)
        if not column.kind and not kinds.unstorable(first[column.name].dtype):
            column.kind, column.words = kinds.guess(first[column.name], reader.decimal)
    return {column.name for column in columns if column.kind == "number"}


def _pass(
    reader: Reader,
    columns: list[Column],
    numbers: set[str],
    target: str | None,
    frames: Frames,
    labels: TargetValues,
    progress: Callable[[int, int | None], None] | None,
) -> None:
    numbers = {c.name for c in columns if c.kind == "number" and c.name in numbers}
    for frame in reader.frames(numbers):
        if not frame.height:
            continue
        for column in columns:
            if kinds.unstorable(frame[column.name].dtype):
                what = f"{frame[column.name].dtype}: neither numbers nor text nor dates. "
                drop = Setting("drop", (column.name,))
                raise StreamError(f"the column {column.name} holds ", what, drop, file=reader.name)
            if not column.kind:
                column.kind, column.words = kinds.guess(frame[column.name], reader.decimal)
                if column.kind in ("string", "category") and frames.height:
                    raise _RefutedError  # so far its missing cells were stored as numbers
        typed = frame.select(
            kinds.stored(c.name, c.kind, frame[c.name].dtype, reader.decimal, c.words).alias(c.key)
            for c in columns
        )
        _count(frame, typed, columns, reader, frames.height)
        typed = kinds.missing_to_nan(typed)
        if target is not None:
            cells = kinds.as_text(frame, target, reader.decimal)
            typed = typed.with_columns(labels.encode(cells))
        else:
            typed = typed.with_columns(pl.zeros(frame.height, pl.Int32, eager=True).alias("y"))
        frames.append(typed)
        if progress is not None:
            progress(frames.height, None)
    frames.finish()


def _count(
    frame: pl.DataFrame, typed: pl.DataFrame, columns: list[Column], reader: Reader, start: int
) -> None:
    """Count the cells that a guess does not fit; give up at once where that is plain."""
    numbers = [c.key for c in columns if c.kind == "number"]
    infinite = typed.select(pl.col(numbers).is_infinite().any()).row(0) if numbers else ()
    suspect = {key for key, any_infinite in zip(numbers, infinite, strict=True) if any_infinite}
    if reader.kind == "csv" and any(
        c.key in suspect and frame[c.name].dtype == pl.Float64 for c in columns
    ):
        raise NotNumbersError  # the text says how it was spelled
    for column in columns:
        if column.key in suspect and frame[column.name].dtype.is_float():
            row = start + int(typed[column.key].is_infinite().arg_true()[0])
            what = f"the column {column.name} holds an infinite number in row {row} (counted from "
            drop = ("0). Replace it, or ", Setting("drop", (column.name,)), ".")
            raise StreamError(what, *drop, file=reader.name)
    decimal = reader.decimal
    strings = [c for c in columns if c.kind == "string" and frame[c.name].dtype == pl.String]
    if strings:
        parsed = typed.select(
            kinds.as_number(pl.col(c.key), decimal).is_finite().sum() for c in strings
        )
        for column in strings:
            column.n_numbers += parsed[column.key][0]
    named = {c.key for c in strings if len(c.refused) < N_NAMED}
    for column in columns:
        cells, values = frame[column.name], typed[column.key]
        column.n_present += len(cells) - cells.null_count()
        if column.kind in ("string", "category"):
            if column.key in named:
                values = typed.select(kinds.as_number(pl.col(column.key), decimal)).to_series()
                _refuse(column, cells, kinds.refused_cells(cells, values), start)
        elif values.null_count() > cells.null_count() or column.key in suspect:
            rows = kinds.refused_cells(cells, values)
            if decimal == "," and column.kind == "number":
                _refuse_grouped(reader, column, cells.gather(rows), rows, start)
            column.n_refused += len(rows)
            _refuse(column, cells, rows, start)
            if rows and (column.kind != "number" or column.n_refused > 0.5 * column.n_present):
                column.no_date = column.refused[0] if column.kind == "date" else None
                column.kind = "string"
                raise _RefutedError
    for column in strings:
        if any(kinds.DRESSED.match(cell) for _, cell in column.refused):  # else it has none so far
            cell = pl.col(column.key)
            dressed = cell.str.contains(kinds.DRESSED.pattern)
            column.n_dressed += typed.select(
                (dressed & kinds.as_number(cell, decimal).is_null()).sum()
            ).item()


def _refuse_grouped(
    reader: Reader, column: Column, cells: pl.Series, rows: list[int], start: int
) -> None:
    """Refuse a number that may be read in two ways, see `columns.GROUPED`."""
    for k in cells.str.contains(kinds.GROUPED).arg_true().to_list()[:1]:
        cell, row = cells[k], start + rows[k]
        raise StreamError(
            f"the column {column.name} holds {cell} in a file with decimal commas: that may be "
            f"{cell.replace('.', '')} or {cell.replace('.', ',')}. Write the one that is meant; "
            "or, if it is no number, ",
            Setting("categorical", (column.name,)),
            " or ",
            Setting("drop", (column.name,)),
            ".",
            file=reader.name,
            line=reader.lines_of([row]).get(row),
        )


def _refuse(column: Column, cells: pl.Series, rows: list[int], start: int) -> None:
    for row in rows[: N_NAMED - len(column.refused)]:
        column.refused.append((start + row, str(cells[row])))


def _judge(reader: Reader, columns: list[Column]) -> None:
    """The rule of 99 in 100, once all cells have been counted."""
    again = False
    for column in columns:
        column.kind = column.kind or "number"
        if column.kind == "string":
            n_bad = column.n_present - column.n_numbers
        elif column.kind == "number":
            n_bad = column.n_refused
        else:
            continue
        if 0 < n_bad <= ERRORS * column.n_present:
            raise spoiled(reader, column.name, column.n_present, n_bad, column.refused)
        fits = "number" if n_bad == 0 and column.n_present else "string"
        if column.kind != fits and column.n_present:
            column.kind = fits
            again = True
    if again:
        raise _RefutedError


def spoiled(
    reader: Reader, name: str, n_present: int, n_bad: int, refused: list[tuple[int, str]]
) -> StreamError:
    """What is said of a column of numbers with a few cells that are none; `refused` are some."""
    lines = reader.lines_of(row for row, _ in refused)
    cells = listed([f"{text!r} on line {lines.get(row, row + 1)}" for row, text in refused])
    more = f" and {n_bad - len(refused)} more" if n_bad > len(refused) else ""
    row, spelling = refused[0]
    return StreamError(
        f"the column {name} is numeric, except for {n_bad} of its {n_present} "
        f"cells: {cells}{more}. Mend them, or say what they are: ",
        Setting("na", (spelling,)),
        " if that means missing, ",
        Setting("categorical", (name,)),
        " if it is no number at all, or ",
        Setting("drop", (name,)),
        ".",
        file=reader.name,
        line=lines.get(row),
    )
