"""Training as `novikoff fit` does it: in a stream where the model allows it, else in memory.

Which rule is the best, `--rule auto` finds out by training with a few.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from novikoff._messages import Message
from novikoff.analysis.parts import Parts, TextParts
from novikoff.analysis.sources import about_rows
from novikoff.analysis.wording import (
    KEPT,
    count,
    for_shell,
    grouped,
    label,
    option,
    percent,
    plain,
    spoken,
)
from novikoff.cli.console import note
from novikoff.cli.errors import UsageError
from novikoff.cli.options import RuleName, the_rule
from novikoff.cli.progress import progress, waiting

if TYPE_CHECKING:
    from novikoff.streams.bytes import Bytes


ModelKind = Literal[
    "last", "averaged", "voted", "pocket", "margin", "max-margin", "kernel"
]  # of the family


CLASSES = {
    "last": "Perceptron",
    "averaged": "AveragedPerceptron",
    "voted": "VotedPerceptron",
    "pocket": "PocketPerceptron",
    "margin": "Perceptron",
    "max-margin": "MaxMarginClassifier",
    "kernel": "KernelPerceptron",
}
MARGIN = 1.0  # of --model margin, if not told otherwise
DEFAULTS: dict[str, Any] = {
    "fit_intercept": True, "margin": 0.0, "ties": "mistake", "eta0": 1.0, "multi_class": "auto",
    "class_weight": None,
}  # fmt: skip


def estimator(
    kind: ModelKind,
    rule: RuleName = "perceptron",
    C: float | None = None,
    told: Iterable[str] | None = None,
    *,
    epochs: int,
    seed: int,
    order: str,
    from_zero: bool = True,
    **settings: Any,
) -> Any:
    """The estimator that the options describe; options it does not have are refused.

    from_zero : whether training starts there
    """
    import novikoff

    learns_by = the_rule(rule, C, told)
    keepers = {model: keep for keep, model in KEPT.items()}
    if learns_by is not None and kind not in keepers:
        raise UsageError(
            f"--model {kind} has no --rule {rule}: use --model last, averaged, voted or pocket."
        )
    if settings["margin"] is None:
        settings["margin"] = MARGIN if kind == "margin" else DEFAULTS["margin"]
    elif kind == "margin" and settings["margin"] == 0:
        raise UsageError("--model margin with --margin 0 has no margin rule: use --model last.")
    cls = getattr(novikoff, CLASSES[kind] if learns_by is None else "OnlineClassifier")
    known = inspect.signature(cls.__init__).parameters
    whom = f"--model {kind}" if learns_by is None else f"--rule {rule}"
    for name, value in settings.items():
        if name not in known and value != DEFAULTS[name]:
            raise UsageError(f"{option(name)} means nothing to {whom}.")
    if kind == "kernel" and settings.get("multi_class") in ("auto", "ovo"):
        if settings["multi_class"] == "ovo":
            raise UsageError("--model kernel has no --multi-class ovo: use ovr or joint.")
        settings["multi_class"] = "ovr"
    if settings["ties"] == "correct" and settings["margin"] == 0 and from_zero:
        raise UsageError(
            "--ties correct never learns from zero: every score is 0 at first, and y s < 0 is "
            "never so. Use --margin with a number above 0, or --ties mistake."
        )
    always = {
        "max_iter": epochs, "random_state": seed, "order": order, "rule": learns_by,
        "keep": keepers.get(kind),
    }  # fmt: skip
    chosen = {**settings, **always}
    model = cls(**{name: value for name, value in chosen.items() if name in known})
    if hasattr(model, "learning_rule"):
        model.learning_rule.check()
    return model


def impossible(model: Any, kind: ModelKind, source: str) -> Message | None:
    """Why a model cannot learn from a source of rows, see `training/capabilities.py`; or None."""
    from novikoff.estimators.linear import LinearClassifier
    from novikoff.training.capabilities import SOURCES, limit

    if not isinstance(model, LinearClassifier):
        needs = "it needs all rows in memory"
        return Message(f"--model {kind} is not possible {SOURCES[source]}: {needs}.")
    found = limit(model.describe(), source)
    return None if found is None else found.message


def text_parts(data: Bytes, share: float, seed: int, *, zero_based: bool) -> TextParts:
    """Text of rows, counted; what is done to it, and what is not, is said as it is of tables."""
    with progress(f"counting {data.name}", expected=about_rows(data)) as bar:
        parts = TextParts(data, share, seed, bar, zero_based=zero_based)
    note("scale: nothing is scaled: the numbers of the text are learned from as they are")
    held, rows = (int(parts.counts[part].sum()) for part in ("test", "all"))
    if held:
        note(
            f"holdout: {grouped(held)} of {count(rows, 'row')} are held out for testing, by a hash "
            f"of the row number (seed {seed})"
        )
    else:
        few = f": there are only {count(rows, 'row')}" if share else ""
        note(f"holdout: no rows are held out for testing{few}")
    return parts


def train(
    model: Any, kind: ModelKind, parts: Parts, *, epochs: int, shuffle: int, checkpoint: Path | None
) -> None:
    """Fit the model on the training rows."""
    from sklearn.exceptions import ConvergenceWarning

    from novikoff.streams.fit import fit_stream

    _check_classes(parts)
    # How a run ended is among the results.
    with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
        why = impossible(model, kind, "stream")
        if why is None:
            with progress("training") as bar:
                fit_stream(
                    model, parts.source, epochs=epochs, checkpoint=checkpoint,
                    shuffle_buffer=shuffle, progress=bar,
                )  # fmt: skip
            return
        if checkpoint is not None:
            raise UsageError(f"--checkpoint is for training in a stream. {for_shell(why)}")
        with waiting(f"training {kind}"):
            _in_memory(model, parts)


def _check_classes(parts: Parts) -> None:
    """Refuse training rows of one class, where it is the hold-out that took the others."""
    left = parts.counts["train"] > 0
    if left.sum() == 1 < len(parts.classes):
        only = plain(label(parts.classes[left][0].item()))
        raise UsageError(
            f"{parts.name}: the training rows are all of class {only}, the rows of any "
            "other are held out. --holdout 0 learns from all rows; another --seed holds out others."
        )


def _in_memory(model: Any, parts: Parts) -> None:
    from novikoff import MaxMarginClassifier, NotSeparableError
    from novikoff.certificates.results import in_words

    if isinstance(model, MaxMarginClassifier) and len(parts.classes) > 2:
        raise UsageError(
            f"--model max-margin takes two classes; {parts.name} has {len(parts.classes)}. Use "
            "another model, for example --model averaged."
        )
    X, y = parts.matrix()
    weights = parts.weights()
    # The largest margin is the same whatever the weights are.
    weighted = weights is not None and not isinstance(model, MaxMarginClassifier)
    try:
        model.fit(X, y, **({"sample_weight": weights} if weighted else {}))
    except NotSeparableError as error:
        first, last = (spoken(label(parts.classes[k].item())) for k in (0, -1))
        raise UsageError(
            "There is no largest margin: the training rows are "
            f"{in_words(error.separability.verdict)}, no hyperplane separates {first} from {last}. "
            "novikoff separable names the rows that forbid it; --model averaged learns anyway."
        ) from None


CANDIDATES: tuple[RuleName, ...] = ("perceptron", "pa", "arow", "scw")


def choose(parts: Parts, *, shuffle: int, **settings: Any) -> RuleName:
    """The candidate with the smallest progressive error in one epoch, the first of several.

    settings : as `estimator` takes them
    """
    if len(parts.classes) > 2:  # where predictions are counted
        settings["multi_class"] = "joint"
    errors = {}
    for rule in CANDIDATES:
        model = estimator("last", rule, epochs=1, **settings)
        train(model, "last", parts, epochs=1, shuffle=shuffle, checkpoint=None)
        errors[rule] = model.progressive_error_
    best = min(errors, key=lambda rule: errors[rule])
    listed = ", ".join(f"{rule} {percent(error)}" for rule, error in errors.items())
    note(f"rule: {best}, by the progressive error of one epoch: {listed}")
    return best
