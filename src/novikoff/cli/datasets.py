"""`novikoff datasets`: the data sets that ship with the package."""

from __future__ import annotations

from typing import Any

from novikoff.analysis.sources import DEFAULT, Dataset, shipped
from novikoff.cli.console import Output
from novikoff.cli.options import AsJson


def datasets(as_json: AsJson = False) -> None:
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
