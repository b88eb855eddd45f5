"""`novikoff teaching new`: a starter kit for an assignment."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from novikoff.cli.console import Output
from novikoff.cli.errors import UsageError
from novikoff.cli.grade import Kind, Language, MarginOfKind, StartOfRun, start_of
from novikoff.cli.options import Order, ThroughOrigin, TieRule


def new(
    folder: Annotated[Path, typer.Argument(help="A folder that is new, or empty.")],
    function: Annotated[
        str, typer.Option(metavar="NAME", help="The function that students write.")
    ] = "perceptron",
    kind: Kind = "perceptron",
    ties: TieRule = "mistake",
    order: Order = "cyclic",
    through_origin: ThroughOrigin = False,
    start: StartOfRun = None,
    margin: MarginOfKind = None,
    language: Language = "en",
) -> None:
    """Write a starter kit: an assignment under your conventions, a template, tests, a solution.

    In its folder teacher: hidden tests, an autograder for Gradescope, a test file for otter-grader,
    a notebook for nbgrader, and how to use them.
    """
    from novikoff.teaching.kit import write_kit
    from novikoff.teaching.task import task_of

    if not function.isidentifier():
        raise UsageError(f"--function {function}: this is no name of a function.")
    task = task_of(
        kind=kind, ties=ties, order=order, fit_intercept=not through_origin,
        start=start_of(start, through_origin), margin=margin,
    )  # fmt: skip
    output = Output()
    for path in write_kit(folder, task, function, language):
        output.line(str(path))
