"""``python -m benchmarks.page RESULTS.json``: one run of ``make bench``, into docs/benchmarks.md.

What stands between the page's two markers is replaced; the rest is written by hand. So no number on
the page was ever typed.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from benchmarks.lines import Line, ratios, spread, summary

PAGE = Path(__file__).resolve().parents[1] / "docs" / "benchmarks.md"
BEGIN, END = "<!-- results: python -m benchmarks.page -->", "<!-- end of results -->"


def amount(line: Line) -> str:
    """A value with its unit; ratios have none."""
    value = f"{line['value']:.3g}"
    return value if line["unit"] == "x" else f"{value} {line['unit']}"


def compared(line: Line) -> str:
    value = line["value"]
    digits = 2 if value < 0.995 else 1 if value < 9.95 else 0
    cells = [line["work"], peer(line), f"{value:.{digits}f}", spread(line, digits)]
    return f"| {' | '.join(cells)} | {line['required'] or ''} |"


def limited(line: Line) -> str:
    sign = "≤" if line.get("at_most") else "≥"
    limit = "" if line["required"] is None else amount({**line, "value": line["required"]})
    limit = limit and f"{sign} {limit}"
    return f"| {line['work']} | {peer(line)} | {amount(line)} | {limit} |"


def peer(line: Line) -> str:
    return "" if line["against"] == "-" else str(line["against"])


def rendered(result: dict[str, Any]) -> str:
    """The Markdown between the markers."""
    faster = ratios(result["lines"])
    others = [line for line in result["lines"] if line not in faster]
    versions = ", ".join(f"{name} {version}" for name, version in result["versions"].items())
    gigabytes = result["read_bandwidth"] / 1e9
    parts = [
        f"Machine: {result['machine']}; one thread reads {gigabytes:.1f} GB/s from memory. "
        f"Versions: {versions}. Data: {', '.join(result['data'])}. {result['epochs']} epochs.",
        "| work | against | times as fast | of all turns | aim |\n|---|---|---|---|---|\n"
        + "\n".join(map(compared, faster)),
        summary(result["lines"]),
    ]
    if others:
        head = "| what has a limit | against | measured | limit |\n|---|---|---|---|\n"
        parts.append(head + "\n".join(map(limited, others)))
    return "\n\n".join(filter(None, parts))


def renewed(page: str, result: dict[str, Any]) -> str:
    """The page with this run between its markers."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"The page lacks its markers, {BEGIN!r} and {END!r}.")
    return f"{before}{BEGIN}\n\n{rendered(result)}\n\n{END}{after}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.page", description=__doc__)
    parser.add_argument("results", type=Path, help="what `python -m benchmarks --json` wrote")
    parser.add_argument("--page", type=Path, default=PAGE)
    options = parser.parse_args()
    result = json.loads(options.results.read_text(encoding="utf-8"))
    options.page.write_text(renewed(options.page.read_text("utf-8"), result), encoding="utf-8")


if __name__ == "__main__":
    main()
