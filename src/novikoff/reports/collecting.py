"""What the workers answered in time, as the page shows it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from novikoff.analysis import compare
from novikoff.analysis.wording import count, grouped, number, percent
from novikoff.reports import bound, certificate, comparison, learning
from novikoff.reports.asking import Asked, can_be_drawn, rarest
from novikoff.reports.data import can_be_handed_over

if TYPE_CHECKING:
    from novikoff.analysis.worker import Worker
    from novikoff.reports.subject import Subject


class Collector:
    """Waits for answers, in the order in which the questions were asked.

    left_out : the parts for which the time was too short
    """

    def __init__(self, subject: Subject, asked: Asked, prover: Worker, drawer: Worker) -> None:
        self.subject, self.asked = subject, asked
        self.prover, self.drawer = prover, drawer
        self.left_out: list[str] = []

    def collect(self) -> dict[str, Any]:
        """All parts that came from workers; the drawer works on while the prover is waited for."""
        found: dict[str, Any] = {"certificate": self._certificate()}
        found["bound"] = self._bound(found["certificate"]["verdicts"])
        found["boundary"] = self._boundary()
        found["learning"] = self._learning()
        found["comparison"] = self._comparison()
        found["left_out"] = self.left_out
        return found

    def _answers(self, worker: Worker) -> Iterable[dict[str, Any]]:
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

    def _bound(self, verdicts: list[certificate.Verdict]) -> dict[str, Any]:
        """The run on all features, if the theorem speaks of it."""
        subject, what = self.subject, "the run against the bound"
        verdict = next(v.verdict for v in verdicts if v.positive == subject.positive)
        if verdict in ("quasi-separable", "overlapping"):
            return {"inapplicable": True}
        if verdict is None or subject.clock.left == 0:
            return {"how": self._missed(what)}
        X, y = subject.data.parts.matrix("train")
        if not can_be_handed_over(X):
            return {"how": self._missed(what)}
        self.prover.ask(bound.MODULE, X, y, seconds=subject.clock.left, positive=subject.positive)
        found = _merged(self._answers(self.prover))
        if not found:
            return {"how": self._missed(what)}
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
        if self.asked.compared:
            lines = comparison.compared(self._answers(self.drawer))
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
