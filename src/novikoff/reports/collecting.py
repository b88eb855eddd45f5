"""What is asked of other processes, and what they answered in time, as the page shows it.

The prover proves; the drawer draws and, unless that is quick, compares.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff.analysis import compare, settle
from novikoff.analysis.wording import count, grouped, number, percent
from novikoff.analysis.worker import Here
from novikoff.geometry.sparse import dense
from novikoff.reports import bound, boundary, certificate, comparison, learning
from novikoff.reports.data import can_be_handed_over
from novikoff.reports.pictures import MOST_POINTS
from novikoff.streams.blocks import stacked

if TYPE_CHECKING:
    from novikoff.analysis.sources import Loaded
    from novikoff.analysis.worker import Worker
    from novikoff.reports.subject import Subject

MOST_GRID_FEATURES = 300  # with which regions of several classes can be drawn
FEW_ROWS = 1000  # that are compared by who proves, if that is this process: in a second or so
THE_BOUND = "the run against the bound"


class Collector:
    """Asks, and waits for answers in the order in which the questions were asked.

    left_out : the parts for which the time was too short
    """

    def __init__(self, subject: Subject, prover: Worker | Here, drawer: Worker) -> None:
        self.subject, self.prover, self.drawer = subject, prover, drawer
        # All rows, not scaled, if the prover was asked about them.
        self.loaded: Loaded | None = None
        self.hulls = False
        self.comparer: Worker | Here | None = None
        self.folds = compare.n_folds(int(subject.data.parts.counts["all"].min()))
        self.left_out: list[str] = []

    # ---------------------------------------------------------------------- asking

    def ask(self, folder: Path) -> None:
        """Ask for everything but the bound, of each worker first what is quick."""
        self._ask_for_proof()
        self._ask_for_boundary(folder / "model")
        self._ask_for_hulls()
        self._ask_for_learning()
        self._ask_for_comparison()

    def _ask_for_proof(self) -> None:
        """Whether the classes are separable: all rows, not scaled."""
        if not self.subject.data.is_small or self._left == 0:
            return
        loaded = self.subject.data.unscaled()
        if not can_be_handed_over(loaded.X):
            return
        self.loaded = loaded
        self.prover.ask(
            settle.MODULE, loaded.X, loaded.y, seconds=self._left, fit_intercept=True, known=False,
            every=True, bound=False,
        )  # fmt: skip

    def _ask_for_boundary(self, file: Path) -> None:
        from novikoff import save

        subject = self.subject
        save(subject.fitted.model, file)
        self.drawer.ask(
            boundary.MODULE, subject.X, subject.y, seconds=self._left, model=str(file),
            features=subject.names, pair=subject.pair, regions=self._can_be_drawn,
            units=subject.data.units(),
        )  # fmt: skip

    @property
    def _can_be_drawn(self) -> bool:
        """Whether a plane can be coloured by class: one hyperplane always, others by trying."""
        return self.subject.binary or self.subject.X.shape[1] <= MOST_GRID_FEATURES

    def _ask_for_hulls(self) -> None:
        subject, loaded = self.subject, self.loaded
        if subject.pair is None or loaded is None:
            return
        wanted = [subject.data.parts.feature_names[j] for j in subject.pair]
        if any(name not in loaded.features for name in wanted):
            return  # a category may be there without scaling, or on all rows, only
        X, y = loaded.X[:, [loaded.features.index(name) for name in wanted]], loaded.y
        if len(y) > MOST_POINTS:
            chosen = np.random.RandomState(subject.seed).choice(len(y), MOST_POINTS, replace=False)
            X, y = X[chosen], y[chosen]
        self.hulls = True
        self.drawer.ask(
            boundary.MODULE, dense(X), y, seconds=self._left,
            features=[subject.names[j] for j in subject.pair], positive=subject.positive,
            negative=subject.negative,
        )  # fmt: skip

    def _ask_for_learning(self) -> None:
        data, seed = self.subject.data, self.subject.seed
        X, y = data.sample("train", learning.MOST_ROWS, seed)
        n_train = X.shape[0]
        if self.subject.fitted.test is not None:
            held = data.sample("test", learning.MOST_ROWS, seed)
            X, y = stacked([X, held[0]]), np.concatenate([y, held[1]])
        self.drawer.ask(learning.MODULE, X, y, seconds=self._left, n_train=n_train, seed=seed)

    def _ask_for_comparison(self) -> None:
        loaded = self.loaded
        if loaded is None or not self.folds or self._left == 0:
            return
        quick = isinstance(self.prover, Here) and len(loaded.y) <= FEW_ROWS
        self.comparer = self.prover if quick else self.drawer
        scale = self.subject.data.options.scale
        numbers = [] if loaded.table is None else compare.numbers_of(loaded.table, scale=scale)
        self.comparer.ask(
            compare.MODULE, loaded.X, loaded.y, seconds=self._left, seed=self.subject.seed,
            folds=self.folds, numbers=numbers,
        )  # fmt: skip

    def _ask_for_bound(
        self, bounder: Worker, verdicts: list[certificate.Verdict]
    ) -> dict[str, Any] | None:
        """Ask for the run on all features; why not, if the theorem does not speak of it."""
        subject = self.subject
        verdict = next(v.verdict for v in verdicts if v.positive == subject.positive)
        if verdict in ("quasi-separable", "overlapping"):
            return {"inapplicable": True}
        if verdict is None or self._left == 0:
            return {"how": self._missed(THE_BOUND)}
        X, y = subject.data.parts.matrix("train")
        if not can_be_handed_over(X):
            return {"how": self._missed(THE_BOUND)}
        bounder.ask(bound.MODULE, X, y, seconds=self._left, positive=subject.positive)
        return None

    # ------------------------------------------------------------------ collecting

    def collect(self) -> dict[str, Any]:
        """All parts that came from workers; the drawer works on while others are waited for."""
        found: dict[str, Any] = {"certificate": self._certificate()}
        # Whoever proves a bound also draws it, and for that takes another process.
        bounder = self.drawer if isinstance(self.prover, Here) else self.prover
        told = self._ask_for_bound(bounder, found["certificate"]["verdicts"])
        if self.comparer is not self.drawer:
            found["comparison"] = self._comparison()
        found["boundary"] = self._boundary()
        found["learning"] = self._learning()
        if self.comparer is self.drawer:
            found["comparison"] = self._comparison()
        found["bound"] = self._bound(bounder) if told is None else told
        found["left_out"] = self.left_out
        return found

    @property
    def _left(self) -> float:
        return self.subject.clock.left

    def _answers(self, worker: Worker | Here) -> Iterable[dict[str, Any]]:
        return worker.answers(self._left)

    def _merged(self, worker: Worker | Here) -> dict[str, Any]:
        """All answers to a question as one."""
        return {name: value for told in self._answers(worker) for name, value in told.items()}

    def _missed(self, what: str, how: str | None = None) -> str:
        """Note that a part is left out; returns the command that makes it."""
        self.left_out.append(what)
        return how or self.subject.more_time

    def _certificate(self) -> dict[str, Any]:
        loaded = self.loaded
        answers: list[dict[str, Any]] = []
        if loaded is not None and self.prover.ready(self._left):
            answers = list(self._answers(self.prover))
        found = certificate.verdicts(loaded, self.subject.classes, answers)
        unknown = sum(v.verdict is None for v in found)
        how = None
        if unknown or any(v.verdict == "separable" and v.margin is None for v in found):
            what = "whether the classes are separable" if unknown else "the width of the gap"
            how = self._missed(what, self.subject.command("separable"))
        few = loaded is not None and loaded.X.shape[1] <= certificate.MOST_VALUES
        names = loaded.features if few and loaded is not None else []
        return {"verdicts": found, "how": how, "unknown": unknown, "features": names}

    def _bound(self, bounder: Worker) -> dict[str, Any]:
        found = self._merged(bounder)
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
        found: dict[str, Any] = {"main": None, "pair": None, "hulls": None, "how": None}
        found["few"] = self.subject.X.shape[1] < 2
        found["wide"] = not self._can_be_drawn
        if self.drawer.ready(self._left):
            found.update(self._merged(self.drawer))
        if self.hulls:
            found["hulls"] = self._merged(self.drawer) or None
        if found["main"] is None and not found["few"] and not found["wide"]:
            found["how"] = self._missed("pictures of the boundary")
        return found

    def _learning(self) -> dict[str, Any]:
        found = self._merged(self.drawer)
        if not found:
            return {"how": self._missed("learning curves")}
        for row in found["rows"]:
            for name in ("training", "validation", "first_pass"):
                row[name] = None if row[name] is None else percent(row[name])
        most = learning.MOST_ROWS
        found["sampled"] = grouped(most) if self.subject.fitted.train.n > most else None
        return found

    def _comparison(self) -> dict[str, Any]:
        if not self.folds:
            return {"folds": 0}
        lines: list[dict[str, Any]] = []
        if self.comparer is not None:
            lines = comparison.compared(self._answers(self.comparer))
        there = {line["name"] for line in lines}
        missing = [name for name in compare.ABOUT if name not in there]
        how = None
        if missing:
            what = "a part of the comparison" if lines else "the comparison"
            how = self._missed(what, self.subject.command("compare"))
        return {
            "folds": self.folds, "few": self.folds < compare.FOLDS,
            "scaled": self.subject.data.is_scaled, "lines": lines, "missing": missing, "how": how,
            "short": comparison.in_short(lines),
        }  # fmt: skip
