"""The certificate in plain words: which rows obstruct, or how wide the gap is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from novikoff.analysis.sources import Loaded
from novikoff.analysis.verdicts import REST, sentence, shares, why
from novikoff.analysis.wording import between, count, label, number, spoken
from novikoff.geometry.sparse import dense

MOST_ROWS = 12  # of a proof that are listed
MOST_VALUES = 6  # features up to which a row's values are shown


@dataclass
class Verdict:
    """What was found out about one class against another, or against the rest."""

    positive: str
    negative: str
    verdict: str | None = None
    sentence: str = ""
    why: str = ""
    rows: list[dict[str, Any]] = field(default_factory=list)
    n_rows: int = 0
    margin: str | None = None
    gap: str | None = None
    support: list[str] = field(default_factory=list)
    n_support: int = 0

    @property
    def n_more(self) -> int:
        """Rows of the proof that are not listed."""
        return max(0, self.n_rows - MOST_ROWS)


def verdicts(
    loaded: Loaded | None, classes: list[str], answers: Iterable[dict[str, Any]]
) -> list[Verdict]:
    """Answers of :mod:`novikoff.analysis.settle` as they stand in the report.

    classes : all labels; one verdict per question that they ask
    """
    if len(classes) == 2:
        found = {classes[1]: Verdict(classes[1], classes[0])}
    else:
        found = {name: Verdict(name, REST) for name in classes}
    for answer in answers:
        assert loaded is not None  # nothing is answered about rows that were not loaded
        if "verdict" in answer:
            _judge(found[answer["class"]], loaded, answer)
        elif "margin" in answer:
            _measure(found[answer["class"]], loaded, answer)
    return list(found.values())


def _judge(verdict: Verdict, loaded: Loaded, answer: dict[str, Any]) -> None:
    verdict.verdict = answer["verdict"]
    verdict.sentence = sentence(verdict.positive, verdict.negative, answer["verdict"])
    if "rows" not in answer:
        return
    rows = answer["rows"]
    verdict.n_rows = len(rows)
    shown = rows[:MOST_ROWS]
    places = loaded.places(shown)
    labels = [label(loaded.y[row].item()) for row in rows]
    verdict.why = why(labels, places, fit_intercept=True)
    weights = shares(answer["weights"])
    verdict.rows = [
        {"place": place, "label": name, "weight": weight, "values": _values(loaded, row)}
        for place, name, weight, row in zip(places, labels, weights, shown, strict=False)
    ]


def _measure(verdict: Verdict, loaded: Loaded, answer: dict[str, Any]) -> None:
    verdict.margin = between(answer["margin"], answer["upper_bound"])
    verdict.gap = number(2 * answer["margin"])
    verdict.n_support = len(answer["support"])
    verdict.support = loaded.places(answer["support"][:MOST_ROWS])


def _values(loaded: Loaded, row: int) -> list[str]:
    if loaded.X.shape[1] > MOST_VALUES:
        return []
    return [number(float(value)) for value in dense(loaded.X[[row]])[0]]


def in_short(found: list[Verdict]) -> str:
    """One sentence for the first screen; empty if nothing is known."""
    from novikoff.certificates.results import in_words

    known = [v for v in found if v.verdict is not None]
    if not known:
        return ""
    if len(found) == 1:
        (one,) = found
        pair = f"{spoken(one.positive)} from {spoken(one.negative)}"
        return {
            "separable": f"A hyperplane separates {pair} without a single mistake.",
            "quasi-separable": f"No hyperplane separates {pair}: one that has no row on the wrong "
            f"side has some exactly on its boundary. They are {in_words('quasi-separable')}.",
        }.get(one.verdict or "", f"No hyperplane separates {pair}: that is proved.")
    apart = [v.positive for v in known if v.verdict == "separable"]
    if len(known) < len(found):
        several = count(len(apart), "class", "classes")
        return f"{several} can be separated from the rest, as far as is known."
    if len(apart) == len(found):
        return "A hyperplane separates each class from the rest without a single mistake."
    if not apart:
        return "No class can be separated from the rest by a hyperplane."
    if len(apart) <= 3:
        which = " and ".join(map(spoken, apart))
        return f"Only {which} can be separated from the rest by a hyperplane."
    return (
        f"{len(apart)} of the {len(found)} classes can be separated from the rest by a hyperplane."
    )
