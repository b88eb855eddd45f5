"""`novikoff report`: everything about a data set on one page."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from novikoff.analysis.parts import HOLDOUT
from novikoff.analysis.wording import plain
from novikoff.cli.console import Output, note, warn
from novikoff.cli.errors import UsageError, refuse_unwritable
from novikoff.cli.options import (
    AsJson,
    Data,
    RegressionArguments,
    Seed,
    TableArguments,
    names_in,
    takes_regression,
    takes_table,
)
from novikoff.cli.progress import progress
from novikoff.cli.sources import find
from novikoff.persistence.disk import replace_text


@takes_table()
@takes_regression
def report(
    data: Data,
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="FILE", help="Where; - is standard output.")
    ] = "report.html",
    features: Annotated[
        str | None,
        typer.Option(
            metavar="A,B",
            help="The two features of the replay; otherwise the numeric ones with the largest "
            "standardised weights.",
        ),
    ] = None,
    budget: Annotated[
        float,
        typer.Option(min=0.0, metavar="SECONDS", help="A part not ready in time is left out."),
    ] = 60.0,
    holdout: Annotated[
        float,
        typer.Option(min=0.0, max=0.9, help="The share of rows that the error is measured on."),
    ] = HOLDOUT,
    seed: Seed = 0,
    as_json: AsJson = False,
    *,
    regression: RegressionArguments,
    table: TableArguments,
) -> None:
    """Write a report on DATA: one HTML file that opens anywhere and needs no network.

    The verdict, the proof, the family compared, learning curves, weights, the boundary, a replay of
    every update, and what was decided about each column. With --family or --formula also whether
    the maximum-likelihood estimates of that regression exist; if its outcomes are no classes, or
    there is a formula, nothing but that.
    """
    output = Output(as_json)
    if out == "-" and as_json:
        raise UsageError("--out - and --json both want standard output: name a file.")
    if out != "-":
        refuse_unwritable("--out", Path(out), data, channels=True)
    from novikoff.reports.make import make

    pair = None if features is None else names_in("--features", features)
    with progress("reading", "steps") as bar:
        made = make(
            find(data, table), options=table.options(), features=pair, budget=budget,
            holdout=holdout, seed=seed, zero_based=table.zero_based, wanted=regression.wanted(),
            progress=bar.tell,
        )  # fmt: skip
    for text in made.warnings:
        warn(plain(text))
    if made.left_out:
        note(f"left out for want of time: {'; '.join(made.left_out)}; --budget gives more")
    if out == "-":
        html = "\n".join(map(plain, made.html.split("\n"))) if sys.stdout.isatty() else made.html
        sys.stdout.buffer.write(html.encode("utf-8"))
        return
    replace_text(out, made.html)
    output.line(made.verdict, "bold")
    for sentence in (made.separable, made.estimates):
        if sentence and sentence != made.verdict:
            output.line(sentence)
    note(f"report: written to {out} in {made.seconds:.1f} s; open it in a browser")
    told = {name: value for name, value in vars(made).items() if name != "html"}
    output.document("report", {"data": data, "out": out, **told})
