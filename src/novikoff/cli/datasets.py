"""`novikoff datasets`: the data sets that ship with the package."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from novikoff.cli.console import Output

FOLDER = Path(__file__).parents[1] / "data"
DEFAULT = "sonar"  # what `novikoff fit` trains on if it is not told


@dataclass(frozen=True)
class Dataset:
    """A data set that ships, as data/datasets.json describes it."""

    name: str
    file: str
    about: str
    rows: int
    features: int
    classes: list[str]
    columns: str
    source: str
    licence: str

    @property
    def path(self) -> Path:
        return FOLDER / self.file


def shipped() -> dict[str, Dataset]:
    """The data sets by name."""
    entries = json.loads((FOLDER / "datasets.json").read_text(encoding="utf-8"))
    return {entry["name"]: Dataset(**entry) for entry in entries}


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
