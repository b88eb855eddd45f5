"""`novikoff grade`: is the code of a student, or of a class, right; and if not, why not?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from novikoff.analysis.step_tables import escaped
from novikoff.cli.console import Output
from novikoff.cli.errors import REFUSED, UsageError
from novikoff.cli.options import (
    Aggressiveness,
    AsJson,
    Order,
    ThroughOrigin,
    TieRule,
    numbers_in,
)

if TYPE_CHECKING:
    from novikoff.teaching import Verdict

Kind = Annotated[
    str,
    typer.Option(
        help="What was asked for: perceptron, averaged, voted, pocket, margin, kernel or pa."
    ),
]
StartOfRun = Annotated[
    str | None,
    typer.Option(
        metavar="NUMBERS",
        help="Where to start instead of at zero: one number per feature, then the offset if there "
        "is one, as in 1,0,-0.5.",
    ),
]
MarginOfKind = Annotated[
    float | None, typer.Option(min=0, help="Of --kind margin; 1 if not said.", show_default=False)
]
Language = Annotated[str, typer.Option(help="Of what is said: a language, or a file of texts.")]


Shown = Literal["text", "markdown", "json", "gradescope"]  # how verdicts are printed


def grade(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="SUBMISSIONS",
            exists=True,
            help="A file (.py, .ipynb), a folder of files, or a folder with a folder for each.",
            show_default=False,
        ),
    ],
    function: Annotated[
        str, typer.Option(metavar="NAME", help="The function or class that was to be written.")
    ] = "perceptron",
    kind: Kind = "perceptron",
    ties: TieRule = "mistake",
    order: Order = "cyclic",
    through_origin: ThroughOrigin = False,
    start: StartOfRun = None,
    points: Annotated[
        list[Path] | None,
        typer.Option(
            exists=True,
            dir_okay=False,
            help="Your own points instead of ours (repeatable): CSV, the label in a column y or "
            "in the last one.",
        ),
    ] = None,
    epochs: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="How many epochs a function without a parameter T runs; if not said, until one "
            "makes no mistake.",
        ),
    ] = None,
    margin: MarginOfKind = None,
    C: Aggressiveness = None,
    returns: Annotated[
        str | None,
        typer.Option(
            help="What the function returns: theta (and theta_0, if there is an offset), "
            "'theta_0, theta', 'theta_0 first', 'theta_0 last', votes, alpha, 'signed alpha', "
            "predictions or updates. By --kind if not said.",
        ),
    ] = None,
    data: Annotated[
        str, typer.Option(help="Where the examples are in X: in its rows, or columns.")
    ] = "rows",
    labels: Annotated[str, typer.Option(help="The two labels: -1,1 or 0,1.")] = "-1,1",
    lists: Annotated[bool, typer.Option("--lists", help="X and y are lists, not arrays.")] = False,
    seconds: Annotated[float, typer.Option(min=0.1, help="Of each submission, at most.")] = 10.0,
    memory: Annotated[int, typer.Option(min=64, help="Megabytes of each, at most.")] = 1024,
    how: Annotated[Shown, typer.Option("--format", help="How to print verdicts.")] = "text",
    html: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Also write a page for each, with the replay of its run beside the right one.",
        ),
    ] = None,
    worth: Annotated[float, typer.Option(min=0, help="Points, for --format gradescope.")] = 1.0,
    language: Language = "en",
    as_json: AsJson = False,
) -> None:
    """Grade code: whether a function is right and, if not, which mistake it makes.

    Each submission runs in a process of its own, with limits on time and memory and without a
    network where the system allows. Exit code 1 if one of them is wrong.
    """
    from novikoff.teaching.grading import grade as graded
    from novikoff.teaching.task import task_of

    if (C is not None and kind != "pa") or (kind == "pa" and ties != "mistake"):
        unused = "--C" if kind != "pa" else "--ties"
        raise UsageError(f"{unused} means nothing to --kind {kind}.")
    low_high = [int(number) for number in numbers_in("--labels", labels)]
    task = task_of(
        kind=kind, ties=ties, order=order, fit_intercept=not through_origin,
        start=start_of(start, through_origin), margin=margin, C=1 if C is None else C,
        epochs=epochs, returns=returns, data=data, labels=low_high, lists=lists,
    )  # fmt: skip
    if how == "gradescope" and path.is_dir():
        raise UsageError("--format gradescope is about one submission: name a file.")
    if html is not None:
        html.mkdir(parents=True, exist_ok=True)
    how = "json" if as_json else how
    output = Output(how in ("json", "gradescope"))
    found: list[Verdict] = []
    for verdict in graded(path, function, task, points or None, seconds=seconds,
                          memory=memory * 2**20, language=language):  # fmt: skip
        if path.is_dir() and not found:
            output.line(verdict.convention)
            output.line()
        found.append(verdict)
        _print(output, verdict, how, worth, alone=path.is_file())
        if html is not None:
            (html / f"{verdict.name}.html").write_text(verdict.html(), encoding="utf-8")
    if how == "json":
        output.document("grades", {"submissions": [v.document() for v in found]})
    if path.is_dir():
        _table(output, found, how)
    if not all(verdict.right for verdict in found):
        raise typer.Exit(REFUSED)


def start_of(text: str | None, through_origin: bool) -> Any:
    """theta and offset of --start, or None."""
    if text is None:
        return None
    numbers = numbers_in("--start", text)
    return (numbers, 0.0) if through_origin else (numbers[:-1], numbers[-1])


def _print(output: Output, verdict: Verdict, how: Shown, worth: float, *, alone: bool) -> None:
    if how == "gradescope":
        typer.echo(json.dumps(verdict.gradescope(worth), indent=1))
    elif how != "json":
        markdown = how == "markdown"
        shown = verdict.markdown() if markdown else verdict.text(convention=alone)
        for line in [*shown.rstrip("\n").split("\n"), ""]:
            output.line(line)


def _table(output: Output, found: list[Verdict], how: Shown) -> None:
    heads = [found[0].say(name) for name in ("submission", "result", "mistake")]
    rows = [[v.name, v.word(v.right), ", ".join(v.mistakes) or v.error or ""] for v in found]
    if how == "markdown":
        for row in [heads, ["---"] * 3, *([escaped(cell) for cell in row] for row in rows)]:
            output.line(f"| {' | '.join(row)} |")
    else:
        output.table(heads, rows)
