"""A regression as the columns of a table describe it: for the command line and for the report.

The table becomes a data frame, the columns a formula (or the user gives one), and both become the
question of :func:`novikoff.separation`.
"""

from __future__ import annotations

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

    @property
    def beside(self) -> list[str]:
        """The columns that are said beside the formula."""
        given = (self.groups, self.entry, self.strata, *self.absorb)
        return [name for name in given if name is not None]

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
    frame, decisions = _read(reader, options, regression)
    decisions = [*reader.decisions, *decisions]
    return Opened(reader, regression, regression.design(frame), decisions)


def read_frame(source: Any, options: TableOptions, regression: Regression) -> pl.DataFrame:
    """A table in memory, as `regression` reads it."""
    from novikoff.streams.tables.reader import open_reader

    return _read(open_reader(source, options), options, regression)[0]


def _read(
    reader: Reader, options: TableOptions, regression: Regression
) -> tuple[pl.DataFrame, list[Decision]]:
    """The columns that are asked about, and what is said of those that have categories.

    Columns that hold nothing but numbers are numbers; labels, and all others, are text.
    """
    import polars as pl

    from novikoff.certificates.formulas import columns_of

    dropped = resolve_all(reader.names, options.drop, "drop")
    there = [name for name in reader.names if name not in dropped]
    outcomes, regressors = columns_of(regression.formula, there, regression.beside)
    used = {*outcomes, *regressors, *regression.beside}
    categorical = {*resolve_all(reader.names, options.categorical, "categorical")}
    labels = categorical | {*regression.beside} - {regression.entry, *regressors}
    names = [name for name in there if name in used]
    frame = pl.concat(part.select(names) for part in reader.frames())
    columns, decisions = [], []
    for column in frame:
        read = column.cast(pl.String)
        if column.name not in labels:
            read = _in_numbers(reader, column, column.name in regressors)
        columns.append(read)
        if column.name in regressors and not (read.dtype.is_numeric() or read.dtype == pl.Boolean):
            decisions.append(_of_categories(reader, read, column.name in categorical))
    return pl.DataFrame(columns), decisions


def _in_numbers(reader: Reader, column: pl.Series, regressor: bool) -> pl.Series:
    """A column as numbers, if it holds nothing else; whole ones as integers."""
    import polars as pl

    from novikoff.streams.tables.columns import numbers_of
    from novikoff.streams.tables.survey import ERRORS, N_NAMED, spoiled

    if column.dtype.is_decimal():
        return column.cast(pl.Float64)
    if column.dtype != pl.String:
        return column
    numbers = numbers_of(column, reader.decimal)
    refused = column.is_not_null() & numbers.is_null()
    n_bad, n_present = int(refused.sum()), len(column) - column.null_count()
    if n_bad:
        if regressor and n_bad <= ERRORS * n_present:
            rows = refused.arg_true().head(N_NAMED).to_list()
            told = [(row, str(column[row])) for row in rows]
            raise spoiled(reader, column.name, n_present, n_bad, told)
        return column
    _refuse_rounded(column, numbers)
    whole = numbers.cast(pl.Int64, strict=False)
    if whole.null_count() == numbers.null_count() and (numbers == whole).all():
        return whole  # so that a class is called 1, not 1.0
    return numbers


def _of_categories(reader: Reader, column: pl.Series, meant: bool) -> Decision:
    """What is said of a regressor of text: each of its texts has a coefficient.

    meant : whether somebody said so
    """
    import polars as pl

    from novikoff.streams.tables.columns import numbers_of

    name, n_levels = column.name, column.n_unique()
    told = f"{name} is text: each of its {n_levels} levels has a coefficient"
    cells = column.cast(pl.String).drop_nulls()
    bad = cells.filter(numbers_of(cells, reader.decimal).is_null())
    if meant or (2 * n_levels <= len(column) and len(bad) == len(cells)):
        return Decision("column", name, told)
    advice: list[Any] = [f"{told}, in {len(column)} rows; "]
    if len(bad) < len(cells):
        told = f"all but {len(bad)} of its cells are numbers: "
        advice += [told, Setting("na", (bad[0],)), " if that means missing; "]
    return Decision("doubt", name, Message(*advice, Setting("drop", (name,)), " leaves it out"))


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
    elif event is not None or options.target is not None:
        spare = Setting("target"), " and ", Setting("event")
        raise ValueError(
            Message(Setting("formula"), " says which columns are what: leave out ", *spare, ".")
        )
    return Regression(family, formula, **named, absorb=absorb)
