"""What `novikoff fit` reports about a training run."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from novikoff.analysis.confusion import Confusion, confusion
from novikoff.analysis.parts import Parts, TableParts
from novikoff.analysis.settle import SECONDS, Settled, settle
from novikoff.analysis.wording import (
    first_of,
    for_shell,
    grouped,
    label,
    number,
    percent,
    plain,
)
from novikoff.analysis.worker import MOST_NUMBERS, Here, Worker, n_numbers
from novikoff.cli.console import Output
from novikoff.cli.models import OpenedModel, wrap
from novikoff.cli.sources import find

if TYPE_CHECKING:
    from novikoff.cli.options import TableArguments
    from novikoff.rules import Perceptron, Rule
    from novikoff.streams.tables.options import Decision
    from novikoff.streams.tables.table import Table

STATUS = {
    "separated": "separated: an epoch made no update",
    "epoch_limit": "epoch limit: the last epoch still made updates",
}
MOST_CLASSES = 10  # that are listed
ROUNDING = 1e-12  # of the longest row: what scaling and encoding may shift a row by, and more


class Results:
    """The report: filled in step by step, then shown."""

    def __init__(
        self, data: str, parts: Parts, model: Any, kind: str, arguments: TableArguments
    ) -> None:
        self.data, self.parts, self.model, self.kind = data, parts, model, kind
        self.arguments = arguments
        self.found: dict[str, Confusion] = {}
        self.unknown: dict[str, int] = {}  # classes of the rows judged that the model cannot say
        self.rows: dict[str, int] = {p: int(n.sum()) for p, n in parts.counts.items()}
        self.test_file: str | None = None
        self.settled = Settled()  # nothing yet
        self.n_numbers = 0  # in the training rows
        self.seconds = self.train_seconds = 0.0

    # ------------------------------------------------------------------- measuring

    def measure(self, test: str | None, bar: Any) -> None:
        """The errors, by predicting the rows."""
        self.found["train"] = confusion(self.model, self._counted(), bar)
        if self.rows["test"]:
            held = self.found["test"] = confusion(self.model, self.parts.blocks("test"), bar)
            self.unknown = OpenedModel("the model", self.model, None).say_unknown(held)
        if test is not None:
            model = wrap(self.parts.savable(self.model), "the model")
            blocks = model.blocks(find(test, self.arguments), self.arguments, labelled=True)
            judged = self.found["file"] = confusion(model.classifier, blocks, bar)
            model.say_unseen()
            self.unknown = model.say_unknown(judged)
            self.test_file = test

    def _counted(self) -> Iterator[tuple[Any, Any]]:
        """The training rows; the numbers they hold are counted on the way."""
        for X, y in self.parts.blocks("train"):
            self.n_numbers += n_numbers(X)
            yield X, y

    @property
    def errors(self) -> dict[str, tuple[float, float]]:
        """By part: the error, and that of always predicting what is commonest in training."""
        commonest = label(self.parts.classes[self.parts.counts["train"].argmax()].item())
        return {p: (of.error, of.error_of_always(commonest)) for p, of in self.found.items()}

    def settle(self, worker: Worker | Here) -> None:
        """Whether the training rows are separable, within a few seconds."""
        model = self.model
        intercept = getattr(model, "fit_intercept", True)
        rule = self._perceptron
        strict = rule is not None and (rule.ties == "mistake" or rule.margin > 0)
        known = self.kind == "max-margin" or (
            strict and getattr(model, "status_", None) == "separated"
            and (len(self.parts.classes) == 2 or model.multi_class_ == "ovr")
        )  # fmt: skip
        self.settled = Settled(separable=True if known else None)
        if self.n_numbers <= MOST_NUMBERS:
            X, y = self.parts.matrix()
            self.settled = settle(worker, X, y, fit_intercept=intercept, separable=known)

    @property
    def bound(self) -> float | None:
        """The most updates that the theorem allows, if it speaks of this run."""
        found, rule = self.settled, self._perceptron
        if not found.bound or not found.radius or not found.gamma:
            return None
        if rule is None or self.model.class_weight is not None:
            return None
        bound = found.bound
        if rule.margin > 0:
            bound = float((found.radius**2 + 2 * rule.margin / rule.eta) / found.gamma**2)
        return bound if math.isfinite(bound) else None

    @property
    def rule(self) -> Rule | None:
        """What the model learned by; the hyperplane with the largest margin has none."""
        return getattr(self.model, "learning_rule", None)

    @property
    def _perceptron(self) -> Perceptron | None:
        """The rule of a hyperplane that the theorem speaks of."""
        from novikoff.rules import Perceptron

        of_theorem = isinstance(self.rule, Perceptron) and self.kind != "kernel"
        return self.rule if of_theorem else None

    @property
    def updates(self) -> int | None:
        found = getattr(self.model, "n_updates_", None)
        return None if found is None else int(found.sum())

    # --------------------------------------------------------------------- showing

    def show(self, output: Output) -> None:
        """Print the report."""
        pairs = [*self._about(), *self._training(), *self._error(), *self._separable()]
        seconds = f"{self.seconds:.2f}   (training {self.train_seconds:.2f})"
        output.pairs([*pairs, ("seconds", seconds)])

    def _about(self) -> list[tuple[str, str]]:
        rows = grouped(self.rows["all"])
        if self.rows["test"]:
            rows += f"   ({grouped(self.rows['train'])} to learn from, "
            rows += f"{grouped(self.rows['test'])} held out)"
        classes = sorted(
            zip(self.parts.classes, self.parts.counts["all"], strict=True), key=lambda c: -c[1]
        )
        listed = [f"{plain(label(name.item()))} {grouped(int(n))}" for name, n in classes]
        return [
            ("data", plain(self.data)),
            *([] if self._table is None else [("target", plain(self._table.target))]),
            ("rows", rows),
            ("features", grouped(self.parts.features)),
            ("classes", first_of(listed, MOST_CLASSES, f" ({len(listed)} classes)")),
        ]

    @property
    def _table(self) -> Table | None:
        return self.parts.table if isinstance(self.parts, TableParts) else None

    def _training(self) -> list[tuple[str, str]]:
        pairs = [("model", self.kind)]
        if self.rule is not None and self._perceptron is None and self.kind != "kernel":
            told = self.rule.noted()
            numbers = (f"{k} = {number(v)}" for k, v in told.get("parameters", {}).items())
            pairs.append(("rule", ", ".join([told["rule"], *numbers])))
        if hasattr(self.model, "n_iter_"):
            pairs.append(("epochs", str(self.model.n_iter_)))
        if self.updates is not None:
            pairs.append(("updates", grouped(self.updates)))
        if hasattr(self.model, "status_"):
            pairs.append(("status", STATUS.get(self.model.status_, self.model.status_)))
        if hasattr(self.model, "progressive_error_"):
            when = "first epoch, each row predicted before it was learned from"
            share = percent(self.model.progressive_error_)
            pairs.append(("progressive error", f"{share}   ({when})"))
        return pairs

    def _error(self) -> list[tuple[str, str]]:
        names = {"train": "training error", "test": "held-out error", "file": "test error"}
        return [
            (names[part], f"{percent(error)}   (always the commonest class: {percent(majority)})")
            for part, (error, majority) in self.errors.items()
        ]

    def _separable(self) -> list[tuple[str, str]]:
        found = self.settled
        what = "the training rows, as encoded" + " and scaled" * self._scaled
        if found.separable is None:
            return [("separable", f"not checked: run novikoff separable {plain(self.data)}")]
        if len(self.parts.classes) > 2:
            each = "each class from the rest"
            if not found.separable:
                each = f"{plain(found.obstructed or 'one class')} cannot be separated from the rest"
            return [("separable", f"{'yes' if found.separable else 'no'}: {each} ({what})")]
        if not found.separable:
            return [("separable", f"no   ({what})")]
        pairs = [("separable", f"yes   ({what})")]
        if found.margin is None:
            slow = f"not found within {SECONDS:.0f} s: run novikoff separable {plain(self.data)}"
            return [*pairs, ("margin", slow)]
        about = "from the best hyperplane to a row"
        if found.radius and found.margin < ROUNDING * found.radius:
            about += f"; rounding may have made it: see novikoff separable {plain(self.data)}"
        pairs.append(("margin", f"{number(found.margin)}   ({about})"))
        return [*pairs, *self._theorem(found)]

    def _theorem(self, found: Settled) -> list[tuple[str, str]]:
        bound, updates = self.bound, self.updates
        if found.radius is None or found.gamma is None:
            return []
        offset = getattr(self.model, "fit_intercept", True)
        space = "the longest row" + " (x, 1)" * offset
        pairs = [("R", f"{number(found.radius)}   ({space}; γ = {number(found.gamma)} there)")]
        if bound is not None and updates is not None:
            formula = "(R² + 2β/η)/γ²" if self.model.margin else "(R/γ)²"
            used = percent(updates / bound)
            # A small bound is no whole number, and its share would not fit one.
            most = grouped(int(bound)) if 1000 <= bound < 1e15 else number(bound)
            pairs.append(("bound", f"{most} updates = {formula}; this run used {used} of it"))
        return pairs

    @property
    def _scaled(self) -> bool:
        return self._table is not None and not self.arguments.no_scale

    def document(self) -> dict[str, Any]:
        """The same, as something JSON can hold."""
        parts, found = self.parts, self.settled
        table, counts = self._table, parts.counts
        bound, updates = self.bound, self.updates
        return {
            "data": self.data,
            "target": None if table is None else table.target,
            "rows": {part: self.rows[part] for part in ("all", "train", "test")},
            "features": parts.features,
            "classes": [
                {
                    "label": label(name.item()),
                    **{part: counts[part][i] for part in ("all", "train", "test")},
                }
                for i, name in enumerate(parts.classes)
            ],
            "model": self.kind,
            "rule": None if self.rule is None else self.rule.noted()["rule"],
            "C": getattr(self.rule, "C", None),
            "parameters": {} if self.rule is None else self.rule.noted().get("parameters", {}),
            "epochs": getattr(self.model, "n_iter_", None),
            "updates": updates,
            "status": getattr(self.model, "status_", None),
            "progressive_error": getattr(self.model, "progressive_error_", None),
            "error": {
                part: {"error": error, "majority": majority}
                for part, (error, majority) in self.errors.items()
            },
            "test_file": self.test_file,
            "unknown_classes": self.unknown,
            "separable": {
                "verdict": found.separable,
                "scaled": self._scaled,
                "margin": found.margin,
                "radius": found.radius,
                "gamma": found.gamma,
                "bound": bound,
                "share": updates / bound if bound and updates is not None else None,
            },
            "decisions": [] if table is None else [_told(d) for d in table.decisions],
            "leaks": [] if table is None else table.leaks,
            "seconds": {"all": self.seconds, "training": self.train_seconds},
        }


def _told(decision: Decision) -> dict[str, Any]:
    text = for_shell(decision.message)
    return {"topic": decision.topic, "column": decision.column, "text": text}
