"""The first screen: how good, compared with what, and what to beware of."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from novikoff._messages import Setting
from novikoff.analysis.confusion import Confusion, confusion
from novikoff.analysis.wording import (
    as_option,
    count,
    first_of,
    for_shell,
    grouped,
    label,
    percent,
    plain,
    spoken,
)

if TYPE_CHECKING:
    from novikoff.analysis.parts import Parts
    from novikoff.reports.data import Data

EPOCHS = 10
BUFFER = 100_000  # rows that are shuffled at a time, as in `novikoff fit`
MOST_CLASSES = 10  # that are listed


@dataclass(frozen=True)
class Fitted:
    """The averaged perceptron, and its errors."""

    model: Any
    train: Confusion
    test: Confusion | None  # None: too few rows to hold any out
    commonest: str

    @property
    def judged(self) -> Confusion:
        """What the verdict rests on."""
        return self.train if self.test is None else self.test

    @property
    def baseline(self) -> float:
        """The error of always predicting the class that is commonest in training."""
        return self.judged.error_of_always(self.commonest)


def fit(parts: Parts, seed: int) -> Fitted:
    """Train as `novikoff fit` does, and measure."""
    from novikoff import AveragedPerceptron
    from novikoff.streams.fit import fit_stream

    model = AveragedPerceptron(max_iter=EPOCHS, random_state=seed)
    with warnings.catch_warnings(action="ignore"):  # how the run ended is in the report
        fit_stream(model, parts.source, epochs=EPOCHS, shuffle_buffer=BUFFER)
    parts.features = model.n_features_in_
    held = int(parts.counts["test"].sum())
    commonest = parts.classes[parts.counts["train"].argmax()].item()
    return Fitted(
        model,
        confusion(model, parts.blocks("train")),
        confusion(model, parts.blocks("test")) if held else None,
        label(commonest),
    )


def about_rows(data: Data) -> dict[str, Any]:
    """Rows, features and classes."""
    counts, classes = data.parts.counts, data.parts.classes
    listed = sorted(zip(classes.tolist(), counts["all"].tolist(), strict=True), key=lambda c: -c[1])
    return {
        "rows": grouped(int(counts["all"].sum())),
        "features": grouped(data.parts.features),
        "n_features": data.parts.features,
        "classes": [(label(name), grouped(n)) for name, n in listed[:MOST_CLASSES]],
        "n_classes": len(classes),
        "target": None if data.table is None else data.table.target,
    }


def verdict(fitted: Fitted) -> str:
    """How good the model is, in a sentence."""
    found, error, baseline = fitted.judged, fitted.judged.error, fitted.baseline
    always = f"always saying {spoken(fitted.commonest)}"
    rows = "training rows" if fitted.test is None else "held-out rows"
    if error == 0:
        return (
            f"The averaged perceptron predicts all {count(found.n, rows[:-1], rows)} correctly; "
            f"{always} would be wrong on {percent(baseline)}."
        )
    if error < baseline:
        close = baseline - error <= 2 * _standard_error(found)
        chance = f" On {count(found.n, 'row')} such a difference may be chance."
        return (
            f"The averaged perceptron is wrong on {percent(error)} of the {rows}; {always} would "
            f"be wrong on {percent(baseline)}.{chance * close}"
        )
    return (
        f"The averaged perceptron does no better than {always}: it is wrong on {percent(error)} of "
        f"the {rows}, and that would be wrong on {percent(baseline)}."
    )


def numbers(fitted: Fitted) -> list[dict[str, Any]]:
    """The errors beside each other, with the lengths of their bars."""
    found = fitted.judged
    longest = max(fitted.baseline, found.error, fitted.train.error) or 1.0
    rows = []
    if fitted.test is not None:
        about = f"{count(found.n, 'row')} it has not seen; {_chance(found)}"
        rows.append(_bar("Held-out error", found.error, about, longest, "model"))
    about = f"{count(fitted.train.n, 'row')} it learned from"
    rows.append(_bar("Training error", fitted.train.error, about, longest, "model"))
    always = f"always {plain(fitted.commonest)}"
    rows.append(_bar("Baseline", fitted.baseline, always, longest, "baseline"))
    return rows


def _chance(found: Confusion) -> str:
    """How far the true error may be from the one measured on so few rows."""
    if found.error == 0:  # no mistake in n rows: below 3/n with a confidence of 95 %
        return f"the true error may be up to {percent(min(1.0, 3 / found.n))}"
    return f"standard error {percent(_standard_error(found))}"


def _standard_error(found: Confusion) -> float:
    return math.sqrt(found.error * (1 - found.error) / found.n) if found.n else 0.0


def _bar(name: str, error: float, about: str, longest: float, kind: str) -> dict[str, Any]:
    return {
        "name": name, "error": percent(error), "about": about, "bar": 100 * error / longest,
        "kind": kind,
    }  # fmt: skip


def warnings_of(data: Data, fitted: Fitted) -> list[str]:
    """What to beware of."""
    from novikoff.reports.columns import left_out

    found: list[str] = []
    table = data.table
    if table is not None:
        found += [for_shell(d.message) for d in table.decisions if d.topic == "leak"]
        if table.target_guessed:
            found.append(
                f"{table.target} was guessed to be what is to be predicted; "
                f"{as_option(Setting('target'))} names another column"
            )
        found += left_out(table)
    if fitted.test is None:
        found.append("No rows were held out: the error is that of rows it has learned from")
    rare = data.parts.classes[data.parts.counts["all"] < 5].tolist()
    if rare:
        names = first_of([plain(label(name)) for name in rare], 5)
        found.append(f"Hardly any rows are of class {names}: fewer than 5 each")
    return found
