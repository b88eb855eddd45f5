"""The table of the family compared by cross-validation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from novikoff.analysis.compare import NAMES, Score
from novikoff.analysis.wording import percent

ABOUT = {
    "majority": "always the commonest class",
    "last": "perceptron, its last hypothesis",
    "averaged": "perceptron, the mean of all hypotheses",
    "voted": "perceptron, all hypotheses vote",
    "pocket": "perceptron, the best hypothesis met",
    "margin": "perceptron, the last hypothesis with the margin rule, β = 1",
    "passive-aggressive": "PA-I with C = 1, the mean of all hypotheses",
    "AROW": "AROW with r = 1 and a variance for every feature, the mean of all hypotheses",
    "kernel": "perceptron with an RBF kernel: curved boundaries",
    "logistic regression": "of scikit-learn, for comparison",
}


@dataclass(frozen=True)
class Compared:
    """One line of the table; lengths of bars are shares of the longest."""

    name: str
    about: str
    error: str
    deviation: str
    seconds: str
    remark: str
    bar: float
    low: float
    high: float
    best: bool


def compared(answers: Iterable[dict[str, Any]]) -> list[Compared]:
    """The scores in the order of the family; those that there was no time for are not there."""
    scores = {answer["name"]: Score(**answer) for answer in answers}
    means = [s.mean for s in scores.values()]
    longest = max((s.mean + s.deviation for s in scores.values()), default=1.0)
    scale = 100.0 / longest if longest else 0.0
    return [
        _line(scores[name], scale, min(means, default=None)) for name in NAMES if name in scores
    ]


def _line(score: Score, scale: float, best: float | None) -> Compared:
    mean, deviation = score.mean, score.deviation
    return Compared(
        score.name, ABOUT[score.name], percent(mean), percent(deviation), f"{score.seconds:.2f}",
        score.reason or "", mean * scale, max(0.0, mean - deviation) * scale,
        (mean + deviation) * scale, mean == best,
    )  # fmt: skip


def in_short(lines: list[Compared]) -> str:
    """What to take away from the table."""
    best = [line.name for line in lines if line.best]
    if not best:
        return ""
    (error, deviation) = next((line.error, line.deviation) for line in lines if line.best)
    names = best[0] if len(best) == 1 else f"{', '.join(best[:-1])} and {best[-1]}"
    verb = "does" if len(best) == 1 else "do"
    if error == percent(0.0):
        return f"Here {names} {verb} best, without a mistake on any row left out of training."
    return (
        f"Here {names} {verb} best, with an error of {error}. It varies by {deviation} from fold "
        "to fold: models that differ by less than that are hardly different."
    )
