"""`novikoff separable --family`: whether the estimates of a regression exist, from a file.

The table becomes a data frame, the columns a formula (or the user gives one), and both become the
question of :func:`novikoff.separation`. The certificate file holds all of that, so that
`novikoff verify` can ask it of the data again; nothing in it is believed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from novikoff.analysis.wording import count, option, plain
from novikoff.cli.certificate import field, table_options
from novikoff.cli.console import Output, note
from novikoff.cli.errors import Refused, UsageError
from novikoff.cli.progress import waiting
from novikoff.cli.sources import say
from novikoff.persistence.disk import replace_text

if TYPE_CHECKING:
    import polars as pl

    from novikoff.certificates import Separation
    from novikoff.cli.options import TableArguments
    from novikoff.streams.bytes import Bytes
    from novikoff.streams.tables.options import TableOptions
    from novikoff.streams.tables.reader import Reader

FORMAT, VERSION = "novikoff.regression", 1
UNUSED = ("keep", "missing", "hash_bits")  # options of a table that mean nothing here
MOST = 20  # separated rows that are listed


class Family(StrEnum):
    """What the outcomes are."""

    binomial = "binomial"
    poisson = "poisson"
    multinomial = "multinomial"
    ordinal = "ordinal"
    conditional = "conditional"
    cox = "cox"


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
        from novikoff.certificates.sources import formula_design

        return formula_design(
            self.formula, frame, family=self.family, groups=self.groups, entry=self.entry,
            strata=self.strata, absorb=list(self.absorb),
        )  # fmt: skip


def _refuse_unused(given: Sequence[str]) -> None:
    """Options that say how cells become features: a formula says that."""
    for name in UNUSED:
        if name in given:
            raise UsageError(f"{option(name)} means nothing to a regression: its formula does it.")


def read_frame(source: Bytes, options: TableOptions) -> tuple[pl.DataFrame, Reader]:
    """A table in memory: columns that hold nothing but numbers as numbers, the others as text."""
    import polars as pl

    from novikoff.streams.tables.columns import as_number
    from novikoff.streams.tables.options import resolve_all
    from novikoff.streams.tables.reader import open_reader

    reader = open_reader(source, options)
    frame = pl.concat(reader.frames())
    named = resolve_all(reader.names, options.categorical, "categorical")
    columns = []
    for column in frame:
        numbers = column
        if column.dtype == pl.String:
            numbers = frame.select(as_number(pl.col(column.name), reader.decimal)).to_series()
        same = column.name not in named and numbers.null_count() == column.null_count()
        columns.append(numbers if same else column.cast(pl.String))
    return pl.DataFrame(columns), reader


def asked(
    reader: Reader,
    options: TableOptions,
    family: Family | None,
    formula: str | None,
    event: str | None,
    beside: dict[str, str | None],
    absorb: tuple[str, ...],
) -> Regression:
    """The regression that the options describe; without a formula, on all other columns."""
    from novikoff.streams.tables.options import resolve, resolve_all
    from novikoff.streams.tables.target import choose_target

    kind = str(family or Family.binomial)
    named = {k: None if v is None else resolve(reader.names, v, k) for k, v in beside.items()}
    absorbed = tuple(resolve(reader.names, name, "absorb") for name in absorb)
    if formula is None:
        drop = resolve_all(reader.names, options.drop, "drop")
        used = {*drop, *absorbed, *filter(None, named.values())}
        outcomes = [] if event is None else [resolve(reader.names, event, "event")]
        free = [name for name in reader.names if name not in used and name not in outcomes]
        if kind == Family.cox and event is None:
            raise UsageError("--family cox needs --event, the column that says who failed.")
        target = choose_target(free, options.target)
        outcomes.insert(0, target.name)
        quoted = [f"`{name}`" for name in free if name != target.name] or ["1"]
        left = " + ".join(f"`{name}`" for name in outcomes)
        formula = f"{left} ~ {' + '.join(quoted)}"
        note(f"formula: {formula}")
    elif event is not None or options.target is not None or options.drop:
        raise UsageError("--formula says which columns are what: leave --target, --drop, --event.")
    return Regression(kind, formula, **named, absorb=absorbed)


def answer(
    output: Output,
    source: Bytes,
    table: TableArguments,
    certificate: Path | None,
    time_limit: float | None,
    **question: Any,
) -> dict[str, Any]:
    """Print whether the estimates exist; the same as something JSON can hold."""
    from novikoff import separation

    _refuse_unused(table.given())
    options = table.options(scale=False)
    frame, reader = read_frame(source, options)
    say(reader.decisions)
    regression = asked(reader, options, **question)
    design = regression.design(frame)
    with waiting(f"deciding about {source.name}"):
        result = separation(design, time_limit=time_limit)
    lines = reader.lines_of(result.separated_rows.tolist()) if reader.kind == "csv" else {}
    _show(output, result, list(lines.values()))
    if certificate is not None and certificate.suffix == ".vipr":
        written = result.to_vipr(certificate, design)
        note(f"certificate: written to {' and '.join(map(str, written))}; check it with viprchk")
    elif certificate is not None:
        _write(certificate, source.name, options, regression, result)
        note(f"certificate: written to {certificate}; check it with novikoff verify")
    names = [f"{outcome} {name}".strip() for outcome, name, _ in result.table()]
    return {
        "data": source.name,
        **asdict(regression),
        "rows": result.n_rows,
        "verdict": result.verdict,
        "separated_rows": result.separated_rows,
        "separated_lines": list(lines.values()) or None,
        "coefficients": dict(zip(names, result.coefficients, strict=True)),
        "notes": list(result.notes),
        "certificate": None if certificate is None else str(certificate),
    }


def _show(output: Output, result: Separation, lines: list[int]) -> None:
    first, *others = str(result).split("\n")
    output.line(first, "bold")
    for line in others:
        output.line(line)
    if lines:
        more = f", … ({len(lines) - MOST} more)" if len(lines) > MOST else ""
        noun = "line" if len(lines) == 1 else "lines"
        output.line(f"Separated: {noun} {', '.join(map(str, lines[:MOST]))}{more} of the file.")


def _write(
    path: Path, name: str, options: TableOptions, regression: Regression, result: Separation
) -> None:
    from novikoff import __version__

    document = {
        "format": FORMAT,
        "version": VERSION,
        "novikoff": __version__,
        "data": Path(name).name,
        "options": asdict(options),
        "regression": asdict(regression),
        "separation": json.loads(result.to_json()),
    }
    replace_text(path, json.dumps(document) + "\n")


@dataclass(frozen=True)
class Certificate:
    """A certificate file about a regression, read and not yet believed."""

    options: TableOptions
    regression: Regression
    result: Separation
    target: None = None  # the formula names it


def parsed(document: dict[str, Any]) -> Certificate:
    """The certificate in a document of this format."""
    from novikoff.certificates import Separation

    if document.get("version") != VERSION:
        raise ValueError(
            f"this program reads version {VERSION}; it has {document.get('version')!r:.80}."
        )
    asked = field(document, "regression", dict)
    texts = {name: field(asked, name, str) for name in ("family", "formula")}
    for name in ("groups", "entry", "strata"):
        texts[name] = field(asked, name, str | None)
    absorb = tuple(field({"absorb": x}, "absorb", str) for x in field(asked, "absorb", list))
    if set(asked) != {each.name for each in fields(Regression)}:
        raise ValueError("its question has other fields than it should.")
    return Certificate(
        table_options(field(document, "options", dict)),
        Regression(**texts, absorb=absorb),
        Separation.from_json(json.dumps(field(document, "separation", dict))),
    )


def checked(found: Certificate, source: Bytes, output: Output) -> dict[str, Any]:
    """What the certificate says, held against the data; raises Refused."""
    regression, result = found.regression, found.result
    try:
        frame, _ = read_frame(source, found.options)
        design = regression.design(frame)
    except (ValueError, LookupError) as error:
        raise Refused(f"{source.name} does not go with its formula: {error}") from None
    try:
        with waiting("checking the proof"):
            result.verify(design)
    except (RecursionError, MemoryError) as error:
        raise Refused(f"its proof cannot be checked: {type(error).__name__}.") from None
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise Refused(f"its proof fails: {error}") from None
    names = design.names or ()
    if result.family != regression.family or result.names[: len(names)] != names:
        raise Refused("its answer names another family or other coefficients than its question.")
    output.line("Valid. Checked exactly, against the data as its formula says:", "bold")
    for line in str(result).split("\n"):
        output.line(line)
    about = f"{count(len(frame), 'row')}; {regression.family}: {plain(regression.formula)}"
    output.line(f"Data: {source.name} ({about}).")
    return {**asdict(regression), "rows": len(frame), "verdict": result.verdict}
