"""The table of the family compared by cross-validation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from novikoff.analysis.compare import ABOUT, Score
from novikoff.analysis.wording import percent
from novikoff.streams.tables.options import listed


def compared(answers: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The scores in the order of the family; those that there was no time for are not there.

    Lengths of bars are shares of the longest.
    """
    known = {answer["name"]: Score(**answer) for answer in answers}
    scores = [known[name] for name in ABOUT if name in known]
    best = min((s.mean for s in scores), default=None)
    longest = max((s.mean + s.deviation for s in scores), default=1.0)
    scale = 100.0 / longest if longest else 0.0
    return [
        {
            "name": s.name,
            "about": ABOUT[s.name],
            "error": percent(s.mean),
            "deviation": percent(s.deviation),
            "seconds": f"{s.seconds:.2f}",
            "remark": s.reason or "",
            "bar": s.mean * scale,
            "low": max(0.0, s.mean - s.deviation) * scale,
            "high": (s.mean + s.deviation) * scale,
            "best": s.mean == best,
        }
        for s in scores
    ]


def in_short(lines: list[dict[str, Any]]) -> str:
    """What to take away from the table."""
    best = [line for line in lines if line["best"]]
    if not best:
        return ""
    error, deviation = best[0]["error"], best[0]["deviation"]
    names = listed([line["name"] for line in best])
    verb = "does" if len(best) == 1 else "do"
    if error == percent(0.0):
        return f"Here {names} {verb} best, without a mistake on any row left out of training."
    return (
        f"Here {names} {verb} best, with an error of {error}. It varies by {deviation} from fold "
        "to fold: models that differ by less than that are hardly different."
    )
