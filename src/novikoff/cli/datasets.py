"""`novikoff datasets`: the data sets that ship with the package."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from novikoff.analysis.datasets import DEFAULT, Dataset, shipped
from novikoff.cli.console import Output


def complete_names(incomplete: str) -> list[tuple[str, str]]:
    """For the shell: the names that begin like this; files are completed by the shell itself."""
    return [(d.name, d.about) for d in shipped().values() if d.name.startswith(incomplete)]


def datasets(
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document instead.")
    ] = False,
) -> None:
    """List the data sets that ship; their names can be used as DATA."""
    output = Output(as_json)
    found = list(shipped().values())
    output.table(
        ["name", "rows", "features", "classes", "what it is"],
        [[d.name, str(d.rows), str(d.features), ", ".join(d.classes), d.about] for d in found],
        numeric=(1, 2),
    )
    output.line()
    for d in found:
        output.line(f"{d.name}: {d.columns} {d.source} {d.licence}.")
    output.line("Try: novikoff fit iris")
    output.document("datasets", {"datasets": [_described(d) for d in found]})


def _described(d: Dataset) -> dict[str, Any]:
    return {**vars(d), "path": str(d.path), "default": d.name == DEFAULT}
