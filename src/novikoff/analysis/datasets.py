"""The data sets that ship with the package."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

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
