"""`novikoff fit --rule auto`: the rule that errs least while it learns."""

from __future__ import annotations

from typing import Any

from novikoff.analysis.parts import Parts
from novikoff.analysis.wording import percent
from novikoff.cli.console import note
from novikoff.cli.options import RuleName
from novikoff.cli.training import ModelKind, estimator, train

CANDIDATES = (RuleName.perceptron, RuleName.pa, RuleName.arow, RuleName.scw)


def choose(parts: Parts, *, shuffle: int, **settings: Any) -> RuleName:
    """The candidate with the smallest progressive error in one epoch, the first of several.

    settings : as `estimator` takes them
    """
    if len(parts.classes) > 2:  # where predictions are counted
        settings["multi_class"] = "joint"
    errors = {}
    for rule in CANDIDATES:
        model = estimator(ModelKind.last, rule, epochs=1, **settings)
        train(model, ModelKind.last, parts, epochs=1, shuffle=shuffle, checkpoint=None)
        errors[rule] = model.progressive_error_
    best = min(errors, key=lambda rule: errors[rule])
    listed = ", ".join(f"{rule.value} {percent(error)}" for rule, error in errors.items())
    note(f"rule: {best.value}, by the progressive error of one epoch: {listed}")
    return best
