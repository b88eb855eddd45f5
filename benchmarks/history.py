"""``python -m benchmarks.history RESULTS.json``: keep a run of ``make bench`` as its release's.

Writes ``benchmarks/history/VERSION.json``, from which the documentation draws its picture, and says
which lines are slower than in the release before.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from typing import Any

from benchmarks.lines import Line, ratios

FOLDER = Path(__file__).parent / "history"


def in_order(files: list[Path]) -> list[Path]:
    """The files of releases, the earliest first."""
    return sorted(files, key=lambda file: [int(part) for part in file.stem.split(".")])


def slower(now: list[Line], before: list[Line]) -> list[str]:
    """The lines of both runs whose fastest turn is slower than the slowest turn before."""
    then = {line["work"]: line for line in ratios(before)}
    return [
        f"{line['work']}: {line['value']:.2f}, {then[line['work']]['value']:.2f} before"
        for line in ratios(now)
        if line["work"] in then and high(line) < low(then[line["work"]])
    ]


def low(line: Line) -> float:
    return float(line.get("low", line["value"]))


def high(line: Line) -> float:
    return float(line.get("high", line["value"]))


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.history", description=__doc__)
    parser.add_argument("results", type=Path, help="what `python -m benchmarks --json` wrote")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    options = parser.parse_args(arguments)
    result: dict[str, Any] = json.loads(options.results.read_text(encoding="utf-8"))
    target = options.folder / f"{result['versions']['novikoff']}.json"
    shutil.copyfile(options.results, target)
    earlier = in_order([*options.folder.glob("*.json")])
    earlier = earlier[: earlier.index(target)]
    if earlier:
        before = json.loads(earlier[-1].read_text(encoding="utf-8"))
        found = slower(result["lines"], before["lines"])
        print(f"Slower than in {earlier[-1].stem}: {'; '.join(found) or 'nothing'}.")


if __name__ == "__main__":
    main()
