"""The HTML report: what the rows of a file are like, and what a perceptron makes of them.

The room is called `reports` because `novikoff.report` is the function: a package of that name would
take its place as soon as anything in it is imported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from novikoff.reports.make import report

__all__ = ["report"]


def __getattr__(name: str) -> Any:
    if name != "report":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from novikoff.reports.make import report

    return report
