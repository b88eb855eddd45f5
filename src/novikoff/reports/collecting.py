"""What the workers answered in time, as the page shows it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from novikoff.analysis import compare
from novikoff.analysis.wording import count, grouped, number, percent
from novikoff.analysis.worker import Here
from novikoff.reports import bound, certificate, comparison, learning
from novikoff.reports.asking import Asked, can_be_drawn, rarest
from novikoff.reports.data import can_be_handed_over

if TYPE_CHECKING:
    from novikoff.analysis.worker import Worker
    from novikoff.reports.subject import Subject

THE_BOUND = "the run against the bound"


class Collector:
    """Waits for answers, in the order in which the questions were asked.

    left_out : the parts for which the time was too short
    """

    def __init__(
        self, subject: Subject, asked: Asked, prover: Worker | Here, drawer: Worker
    ) -> None:
        self.subject, self.asked = subject, asked
        self.prover, self.drawer = prover, drawer
        self.left_out: list[str] = []

    def collect(self) -> dict[str, Any]:
        """All parts that came from workers; the drawer works on while others are waited for."""
        found: dict[str, Any] = {"certificate": self._certificate()}
        # Whoever proves a bound also draws it, and for that takes another process.
        bounder = self.drawer if isinstance(self.prover, Here) else self.prover
        told = self._ask_for_bound(bounder, found["certificate"]["verdicts"])
        if self.asked.comparer is not self.drawer:
            found["comparison"] = self._comparison()
        found["boundary"] = self._boundary()
        found["learning"] = self._learning()
        if self.asked.comparer is self.drawer:
            found["comparison"] = self._comparison()
        found["bound"] = self._bound(bounder) if told is None else told
        found["left_out"] = self.left_out
        return found

    def _answers(self, worker: Worker | Here) -> Iterable[dict[str, Any]]:
        return worker.answers(self.subject.clock.left)

    def _missed(self, what: str, how: str | None = None) -> str:
        """Note that a part is left out; returns the command that makes it."""
        self.left_out.append(what)
        return how or self.subject.more_time

    def _certificate(self) -> dict[str, Any]:
        loaded, classes = self.asked.loaded, self.subject.classes
        answers: list[dict[str, Any]] = []
        if loaded is not None and self.prover.ready(self.subject.clock.left):
            answers = list(self._answers(self.prover))
        found = certificate.verdicts(loaded, classes, answers)
        unknown = sum(v.verdict is None for v in found)
        how = None
        if unknown or any(v.verdict == "separable" and v.margin is None for v in found):
            what = "whether the classes are separable" if unknown else "the width of the gap"
            how = self._missed(what, self.subject.command("separable"))
        few = loaded is not None and loaded.X.shape[1] <= certificate.MOST_VALUES
        names = loaded.features if few and loaded is not None else []
        return {"verdicts": found, "how": how, "unknown": unknown, "features": names}

    def _ask_for_bound(
        self, bounder: Worker, verdicts: list[certificate.Verdict]
    ) -> dict[str, Any] | None:
        """Ask for the run on all features; why not, if the theorem does not speak of it."""
        subject = self.subject
        verdict = next(v.verdict for v in verdicts if v.positive == subject.positive)
        if verdict in ("quasi-separable", "overlapping"):
            return {"inapplicable": True}
        if verdict is None or subject.clock.left == 0:
            return {"how": self._missed(THE_BOUND)}
        X, y = subject.data.parts.matrix("train")
        if not can_be_handed_over(X):
            return {"how": self._missed(THE_BOUND)}
        bounder.ask(bound.MODULE, X, y, seconds=subject.clock.left, positive=subject.positive)
        return None

    def _bound(self, bounder: Worker) -> dict[str, Any]:
        found = _merged(self._answers(bounder))
        if not found:
            return {"how": self._missed(THE_BOUND)}
        if "picture" in found:
            found["share"] = percent(found["updates"] / found["bound"])
            found["most"] = grouped(int(found["bound"]))
            found["updates"] = count(found["updates"], "update")
            found["epochs"] = count(found["epochs"], "epoch")
            found["radius"], found["gamma"] = number(found["radius"]), number(found["gamma"])
        return found

    def _boundary(self) -> dict[str, Any]:
        subject = self.subject
        found: dict[str, Any] = {"main": None, "pair": None, "hulls": None, "how": None}
        found["few"] = subject.X.shape[1] < 2
        found["wide"] = not can_be_drawn(subject)
        if self.drawer.ready(self.subject.clock.left):
            found.update(_merged(self._answers(self.drawer)))
        if self.asked.hulls:
            found["hulls"] = _merged(self._answers(self.drawer)) or None
        if found["main"] is None and not found["few"] and not found["wide"]:
            found["how"] = self._missed("pictures of the boundary")
        return found

    def _learning(self) -> dict[str, Any]:
        found = _merged(self._answers(self.drawer))
        if not found:
            return {"how": self._missed("learning curves")}
        for row in found["rows"]:
            for name in ("training", "validation", "first_pass"):
                row[name] = None if row[name] is None else percent(row[name])
        most = learning.MOST_ROWS
        found["sampled"] = grouped(most) if self.subject.fitted.train.n > most else None
        return found

    def _comparison(self) -> dict[str, Any]:
        folds = compare.n_folds(rarest(self.subject))
        if not folds:
            return {"folds": 0}
        lines: list[comparison.Compared] = []
        if self.asked.comparer is not None:
            lines = comparison.compared(self._answers(self.asked.comparer))
        there = {line.name for line in lines}
        missing = [name for name in compare.NAMES if name not in there]
        how = None
        if missing:
            what = "a part of the comparison" if lines else "the comparison"
            how = self._missed(what, self.subject.command("compare"))
        return {
            "folds": folds, "few": folds < compare.FOLDS, "scaled": self.subject.data.is_scaled,
            "lines": lines, "missing": missing, "how": how,
            "short": comparison.in_short(lines),
        }  # fmt: skip


def _merged(answers: Iterable[dict[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for answer in answers:
        found.update(answer)
    return found
