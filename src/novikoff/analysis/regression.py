"""A regression as the columns of a table describe it: for the command line and for the report.

The table becomes a data frame, the columns a formula (or the user gives one), and both become the
question of :func:`novikoff.separation`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, NamedTuple

from novikoff._messages import Message, Setting
from novikoff.streams.tables.options import Decision, resolve, resolve_all, said

if TYPE_CHECKING:
    import polars as pl

    from novikoff.streams.tables.options import TableOptions
    from novikoff.streams.tables.reader import Reader

UNUSED = ("keep", "missing", "hash_bits")  # options of a table that mean nothing here
OF_CLASSES = ("binomial", "multinomial", "ordinal")  # outcomes that a perceptron can learn, too


@dataclass(frozen=True)
class Wanted:
    """What a user says of a regression; columns by their names.

    family : see :func:`novikoff.separation`; None for "binomial"
    formula : None for the target on all other columns
    event : of a Cox model without a formula: who failed
    groups, entry, strata, absorb : see :func:`novikoff.separation`
    """

    family: str | None = None
    formula: str | None = None
    event: str | None = None
    groups: str | None = None
    entry: str | None = None
    strata: str | None = None
    absorb: tuple[str, ...] = ()

    @property
    def settings(self) -> list[Setting]:
        """What was said."""
        said = [Setting(field.name, getattr(self, field.name)) for field in fields(self)]
        return [setting for setting in said if setting.value]


@dataclass(frozen=True)
class Regression:
    """The question: a family, a formula, and the columns that are something else."""

    family: str
    formula: str
    groups: str | None
    entry: str | None
    strata: str | None
    absorb: tuple[str, ...]

    def design(self, frame: pl.DataFrame) -> Any:
        """The same about a frame, as `separation` and `verify` take it."""
        from novikoff.certificates.formulas import formula_design

        question = asdict(self)
        return formula_design(question.pop("formula"), frame, **question)


class Opened(NamedTuple):
    """A table in memory, what is asked of it, and what was decided about its columns."""

    reader: Reader
    regression: Regression
    design: Any
    decisions: list[Decision]

    def lines(self, rows: Any) -> list[int]:
        """The lines of the file on which rows stand; none where a file has no lines."""
        if self.reader.kind != "csv":
            return []
        return list(self.reader.lines_of(rows.tolist()).values())


def open_regression(source: Any, options: TableOptions, wanted: Wanted) -> Opened:
    """Read a table, a file or a frame, and find out which regression is meant."""
    from novikoff.streams.tables.reader import open_reader

    for name in said(options):
        if name in UNUSED:
            raise ValueError(
                Message(Setting(name), " means nothing to a regression: its formula does it.")
            )
    reader = open_reader(source, options)
    regression = _meant(reader, options, wanted)
    frame = _read(reader, options, regression)
    decisions = [*reader.decisions, *_categories(frame, regression)]
    return Opened(reader, regression, regression.design(frame), decisions)


def _categories(frame: pl.DataFrame, regression: Regression) -> Iterator[Decision]:
    """What is said of columns of text: each of their texts has a coefficient."""
    for column in frame:
        name = column.name
        if not column.dtype.is_numeric() and f"`{name}`" in regression.formula.partition("~")[2]:
            told = f"{name} is text: each of its {column.n_unique()} levels has a coefficient"
            if 2 * column.n_unique() <= len(column):
                yield Decision("column", name, told)
            else:
                drop = Setting("drop", (name,)), " leaves it out"
                yield Decision("doubt", name, Message(f"{told}, in {len(column)} rows; ", *drop))


def read_frame(source: Any, options: TableOptions, regression: Regression) -> pl.DataFrame:
    """A table in memory, as `regression` reads it."""
    from novikoff.streams.tables.reader import open_reader

    return _read(open_reader(source, options), options, regression)


def _read(reader: Reader, options: TableOptions, regression: Regression) -> pl.DataFrame:
    """Columns that hold nothing but numbers as numbers; labels, and all others, as text."""
    import polars as pl

    from novikoff.streams.tables.columns import as_number

    frame = pl.concat(reader.frames())
    named = {
        *resolve_all(reader.names, options.categorical, "categorical"),
        regression.groups, regression.strata, *regression.absorb,
    }  # fmt: skip
    columns = []
    for column in frame:
        numbers = column
        if column.dtype == pl.String and column.name not in named:
            numbers = frame.select(as_number(pl.col(column.name), reader.decimal)).to_series()
            if (numbers == numbers.cast(pl.Int64, strict=False)).all():
                numbers = numbers.cast(pl.Int64)  # so that a class is called 1, not 1.0
        same = column.name not in named and numbers.null_count() == column.null_count()
        if same and column.dtype == pl.String:
            _refuse_rounded(column, numbers)
        columns.append(numbers if same else column.cast(pl.String))
    return pl.DataFrame(columns)


def _refuse_rounded(column: pl.Series, numbers: pl.Series) -> None:
    """Raise ValueError if the text of an integer is not the number that it was read as."""
    from novikoff.geometry.doubles import EXACT_INTEGER

    large = numbers.abs() >= EXACT_INTEGER
    for text, number in zip(column.filter(large), numbers.filter(large), strict=True):
        if text.strip().lstrip("+-").isdecimal() and int(text) != int(number):
            raise ValueError(
                Message(
                    f"{column.name}: {text.strip()} is an integer beyond 2**53, which no double "
                    "holds. If it is a label, say so: ",
                    Setting("categorical", (column.name,)),
                    ".",
                )
            )


def _meant(reader: Reader, options: TableOptions, wanted: Wanted) -> Regression:
    """The regression that was described; without a formula, on all other columns."""
    from novikoff.certificates.formulas import quoted
    from novikoff.streams.tables.target import choose_target

    family, formula = wanted.family or "binomial", wanted.formula
    named = {
        name: None if (column := getattr(wanted, name)) is None
        else resolve(reader.names, column, name)
        for name in ("event", "groups", "entry", "strata")
    }  # fmt: skip
    event = named.pop("event")
    absorb = tuple(resolve(reader.names, name, "absorb") for name in wanted.absorb)
    if formula is None:
        if family == "cox" and event is None:
            needed = " needs ", Setting("event"), ", the column that says who failed."
            raise ValueError(Message(Setting("family", family), *needed))
        drop = resolve_all(reader.names, options.drop, "drop")
        used = {*drop, *absorb, event, *named.values()}
        free = [name for name in reader.names if name not in used]
        target = choose_target(free, options.target).name
        outcomes = [target] if event is None else [target, event]
        others = [name for name in free if name != target]
        formula = f"{quoted(outcomes)} ~ {quoted(others) or 1}"
    elif event is not None or options.target is not None or options.drop:
        spare = Setting("target"), ", ", Setting("drop"), " and ", Setting("event")
        raise ValueError(
            Message(Setting("formula"), " says which columns are what: leave out ", *spare, ".")
        )
    return Regression(family, formula, **named, absorb=absorb)
