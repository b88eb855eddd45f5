"""What the programs share: a table in Markdown, and a clear end where data is missing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks import data


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table as it stands on a page."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def needed(*names: str) -> list[Path]:
    """The files of that name in the data folder; the program ends if one is not there."""
    paths = [data.FOLDER / name for name in names]
    missing = [str(path) for path in paths if not path.exists()]
    if missing:
        raise SystemExit(
            f"This reproduction needs {' and '.join(missing)}, which is not there. Set "
            "NOVIKOFF_DATA to the folder that holds the data."
        )
    return paths
