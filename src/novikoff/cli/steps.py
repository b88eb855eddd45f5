"""`novikoff trace --check`: what is said of a table of steps made by hand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from novikoff.analysis.steps import compare_table, right_before
from novikoff.analysis.wording import count, plain
from novikoff.cli.console import Output, note
from novikoff.cli.errors import REFUSED, UsageError

if TYPE_CHECKING:
    from novikoff.trace import Trace


def check_table(output: Output, trace: Trace, path: Path) -> None:
    """Compare a student's table with the run; the exit code says whether it is right."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8 text: {error.reason}.") from None
    try:
        found = compare_table(trace, text, str(path))
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
    raise typer.Exit(REFUSED)


def _show_wrong(output: Output, wrong: dict[str, Any]) -> None:
    step = wrong["step"]
    before = right_before(step)
    if wrong["what"] == "surplus":
        output.line(
            f"Line {wrong['line']}: update {step} is one too many; the run makes "
            f"{count(step - 1, 'update')}.{before}",
            "bold",
        )
        return
    if wrong["what"] == "missing":
        output.line(f"Update {step} is missing at the end of your table.{before}", "bold")
    else:
        output.line(f"Line {wrong['line']}: update {step} is wrong.{before}", "bold")
    output.table(
        ["column", "yours", "expected"],
        [[plain(c["column"]), plain(c["yours"]), c["expected"]] for c in wrong["cells"]],
    )
