"""`novikoff trace`: every update of a run, as a table; and a check of a table made by hand."""

from __future__ import annotations

import warnings
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from novikoff.analysis.step_tables import cells, escaped, unescaped
from novikoff.analysis.steps import compare_table, right_before
from novikoff.analysis.verdicts import Sides, sides
from novikoff.analysis.wording import count, first_of, for_shell, plain
from novikoff.cli.console import Output, note
from novikoff.cli.errors import REFUSED, UsageError
from novikoff.cli.options import (
    Aggressiveness,
    AsJson,
    Data,
    Epochs,
    Eta0,
    Margin,
    Order,
    Positive,
    Seed,
    TableArguments,
    ThroughOrigin,
    TieRule,
    UpdateRule,
    numbers_in,
    takes_table,
)
from novikoff.cli.sources import find, is_text, load
from novikoff.cli.training import estimator

if TYPE_CHECKING:
    from novikoff.streams.bytes import Bytes
    from novikoff.trace import Trace


MOST_FEATURES = 20  # that are named
_NUMBERS_ROWS = {"", "#", "i", "id", "index", "k", "n", "no", "nr", "obs", "row", "t"}


Format = Literal["text", "markdown", "json"]  # how a trace is printed


@takes_table("no_scale")
def trace(
    data: Data,
    rule: UpdateRule = "perceptron",
    C: Aggressiveness = None,
    ties: TieRule = "mistake",
    order: Order = "cyclic",
    through_origin: ThroughOrigin = False,
    start: Annotated[
        str | None,
        typer.Option(
            metavar="NUMBERS",
            help="Where to start instead of at zero: one number per feature, then the offset (may "
            "be left out), as in 1,0,-0.5.",
        ),
    ] = None,
    check: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A table of your own (CSV or Markdown): its first wrong row is marked. "
            "Exit code 1 if there is one.",
        ),
    ] = None,
    how: Annotated[Format, typer.Option("--format", help="How to print the steps.")] = "text",
    limit: Annotated[
        int, typer.Option(min=0, help="The most updates that are printed; 0 for all.")
    ] = 50,
    epochs: Epochs = 100,
    margin: Margin = 0.0,
    eta0: Eta0 = 1.0,
    positive: Positive = None,
    seed: Seed = 0,
    as_json: AsJson = False,
    *,
    table: TableArguments,
) -> None:
    """Print every update of a run, with its arithmetic, as on paper.

    The last hypothesis of the perceptron or of another --rule, rows in the order of the file,
    nothing scaled. Rows are numbered from 0. JSON is the format of docs/trace-format.md, and always
    whole.
    """
    from novikoff.estimators.runs import spec_of
    from novikoff.streams.chunks import reopenable
    from novikoff.training import capabilities

    output = Output(as_json or how == "json")
    model = estimator(
        "last", rule, C, epochs=epochs, seed=seed, order=order,
        from_zero=start is None, ties=ties, margin=margin, eta0=eta0,
        fit_intercept=not through_origin,
    ).set_params(record_trace=True)  # fmt: skip
    impossible = capabilities.limit(spec_of(model), "memory")
    if impossible is not None:
        raise UsageError(f"--rule {rule} leaves no trace: {for_shell(impossible.why)}.")
    source = reopenable(find(data, table))
    loaded = load(source, _as_on_paper(source, table), silent=("leak",))
    question = _one_question(loaded.y, positive)
    theta, offset = _start(start, loaded.X.shape[1], not through_origin)
    # That the epochs ran out is the last line of the table.
    with warnings.catch_warnings(action="ignore"):
        model.fit(loaded.X, question.y, theta, offset, sample_weight=loaded.weights)
    # The run knows its sides as -1 and +1; a reader wants their names.
    steps = replace(model.trace_, classes=(question.negative, question.positive))
    if check is not None:
        check_table(output, steps, check, rounded=_decimals_are_rounded(loaded.X))
    elif output.json:
        typer.echo(steps.to_json())
    else:
        named = loaded.features if loaded.kind != "libsvm" else []
        _print(output, steps, how, limit or None, named)


def _as_on_paper(source: Bytes, arguments: TableArguments) -> TableArguments:
    """What was said of a table, and that every number counts, constant or rising row by row.

    But for a column that is called as what numbers rows.
    """
    if arguments.keep or is_text(source, arguments):
        return arguments
    from novikoff.streams.tables.columns import numbers_of
    from novikoff.streams.tables.options import resolve_all
    from novikoff.streams.tables.reader import open_reader

    options = arguments.options()
    reader = open_reader(source, options)
    dropped = resolve_all(reader.names, options.drop, "drop")
    keep = []
    for column in reader.head():
        name, missing = column.name, column.null_count()
        whole = numbers_of(column, reader.decimal).null_count() == missing < len(column)
        if whole and name not in dropped and name.lower() not in _NUMBERS_ROWS:
            keep.append('"{}"'.format(name.replace('"', '""')))
    return replace(arguments, keep=keep)


def _decimals_are_rounded(X: Any) -> bool:
    """Whether a number is not what it is written as."""
    values = X.data if hasattr(X, "indptr") else X.ravel()
    return any(Fraction(value) != Fraction(repr(value)) for value in set(values.tolist()))


def _one_question(y: Any, positive: str | None) -> Sides:
    questions = sides(y, positive)
    if len(questions) > 1:
        names = [question.positive for question in questions]
        raise UsageError(
            f"There are {len(names)} classes and a trace follows one hyperplane: say which class "
            f"is to be +1, for example --positive {names[0]} (there are {', '.join(names[:10])})."
        )
    return questions[0]


def _start(text: str | None, d: int, with_offset: bool) -> tuple[Any, Any]:
    """theta (1, d) and offset (1,) of a start, or None and None."""
    if text is None:
        return None, None
    import numpy as np

    numbers = numbers_in("--start", text)
    if len(numbers) == d:
        return np.array([numbers]), None
    if with_offset and len(numbers) == d + 1:
        return np.array([numbers[:-1]]), np.array(numbers[-1:])
    asked = f"{d} numbers" + f", or {d + 1} with the offset last" * with_offset
    raise UsageError(f"--start {text}: it takes {asked}, not {len(numbers)}.")


def _legend(features: list[str]) -> str:
    """Which component of theta belongs to which feature."""
    named = [f"θ{k} = {plain(name)}" for k, name in enumerate(features, start=1)]
    return f"Features: {first_of(named, MOST_FEATURES, f' ({len(named)} features)')}."


def _print(
    output: Output, trace: Trace, how: Format, limit: int | None, features: list[str]
) -> None:
    """Print the table; `features` are those that have names."""
    lines = trace.markdown(limit).rstrip("\n").split("\n")
    if features:  # after the sentence that says how many there are
        lines[1:1] = ["", escaped(_legend(features))]
    if how == "markdown":
        for line in lines:
            output.line(line)
        return
    bars = [line for line in lines if line.startswith("|")]
    at = lines.index(bars[0]) if bars else None
    for number, line in enumerate(lines):
        if number == at:
            heads, aligned, *rows = map(cells, bars)
            numeric = tuple(k for k, mark in enumerate(aligned) if mark == "--:")
            output.table(heads, rows, numeric)
        elif not line.startswith("|"):
            output.line(unescaped(line))


def check_table(output: Output, trace: Trace, path: Path, *, rounded: bool = False) -> None:
    """Compare a student's table with the run; the exit code says whether it is right.

    rounded : whether the points have decimals that no double holds
    """
    try:
        found = compare_table(trace, path.read_text(encoding="utf-8-sig"), str(path))
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8 text: {error.reason}.") from None
    except ValueError as error:
        raise UsageError(str(error)) from None
    for head in found.unknown:
        note(f"column {plain(head)!r}: not known, not compared")
    if found.from_one:
        note("rows: counted from 1 in your table, from 0 in ours; accepted")
    wrong = found.wrong
    output.document(
        "trace-check",
        {
            "right": wrong is None,
            "updates": found.updates,
            "right_rows": found.right_rows,
            "wrong": wrong,
        },
    )
    if wrong is None:
        output.line(f"All right: {count(len(trace), 'update')}, each as it should be.", "bold")
        return
    _show_wrong(output, wrong)
    if rounded:
        note(
            "numbers: decimals such as 0.1 are taken as the doubles next to them, so a score that "
            "is 0 on paper may not be here; whole numbers are exact"
        )
    raise typer.Exit(REFUSED)


def _show_wrong(output: Output, wrong: dict[str, Any]) -> None:
    step, line = wrong["step"], wrong["line"]
    makes = count(step - 1, "update")
    told = {
        "surplus": f"Line {line}: update {step} is one too many; the run makes {makes}.",
        "missing": f"Update {step} is missing at the end of your table.",
        "wrong": f"Line {line}: update {step} is wrong.",
    }[wrong["what"]]
    output.line(f"{told}{right_before(step)}", "bold")
    if wrong["cells"]:
        output.table(
            ["column", "yours", "expected"],
            [[plain(c["column"]), plain(c["yours"]), c["expected"]] for c in wrong["cells"]],
        )
