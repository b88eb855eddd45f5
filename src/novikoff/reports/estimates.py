"""Whether the estimates of a regression exist, as a section of the page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from novikoff.analysis.regression import Regression, Wanted, open_regression
from novikoff.reports.subject import command, told

if TYPE_CHECKING:
    from novikoff.certificates import Separation
    from novikoff.reports.data import Source
    from novikoff.reports.subject import Clock
    from novikoff.streams.tables.options import TableOptions

MOST_ROWS = 50  # separated rows that are listed
LEAST = 1.0  # seconds, whatever the budget


@dataclass(frozen=True)
class Estimates:
    """What the section shows.

    places : of the separated rows, as far as they are listed: lines, or rows counted from 0
    report, certify, verify : commands that make this page again, write the proof, and check it
    """

    regression: Regression
    result: Separation
    places: str
    report: str
    certify: str
    verify: str


def estimates(source: Source, options: TableOptions, wanted: Wanted, clock: Clock) -> Estimates:
    """Ask :func:`novikoff.separation`, within the time that is left."""
    from novikoff import separation

    opened = open_regression(source.content, replace(options, scale=False), wanted)
    result = separation(opened.design, time_limit=max(LEAST, clock.left))
    shown = result.separated_rows[:MOST_ROWS]
    lines = opened.lines(shown)
    what = ("line" if lines else "row") + "s" * (len(shown) > 1)
    said = (*source.reading, *told(wanted))
    proof = ("--certificate", "proof.json")
    return Estimates(
        opened.regression,
        result,
        f"{what} {', '.join(map(str, lines or shown.tolist()))}",
        command("report", source.argument, options, *said),
        command("separable", source.argument, options, *said, *proof),
        f"novikoff verify proof.json {source.quoted}",
    )
