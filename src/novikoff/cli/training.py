"""Training as `novikoff fit` does it: in a stream where the model allows it, else in memory."""

from __future__ import annotations

import inspect
import warnings
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from novikoff.analysis.parts import Parts, TextParts
from novikoff.analysis.sources import about_rows
from novikoff.analysis.spelling import option
from novikoff.analysis.wording import count, grouped, label, plain, spoken
from novikoff.cli.console import note
from novikoff.cli.errors import UsageError
from novikoff.cli.progress import progress, waiting

if TYPE_CHECKING:
    from novikoff.streams.bytes import Bytes


class ModelKind(StrEnum):
    """The family."""

    last = "last"
    averaged = "averaged"
    voted = "voted"
    pocket = "pocket"
    margin = "margin"
    max_margin = "max-margin"
    kernel = "kernel"


CLASSES = {
    ModelKind.last: "Perceptron",
    ModelKind.averaged: "AveragedPerceptron",
    ModelKind.voted: "VotedPerceptron",
    ModelKind.pocket: "PocketPerceptron",
    ModelKind.margin: "Perceptron",
    ModelKind.max_margin: "MaxMarginClassifier",
    ModelKind.kernel: "KernelPerceptron",
}
STREAMED = (ModelKind.last, ModelKind.averaged, ModelKind.voted, ModelKind.margin)
MARGIN = 1.0  # of --model margin, if not told otherwise
DEFAULTS: dict[str, Any] = {
    "fit_intercept": True, "margin": 0.0, "ties": "mistake", "eta0": 1.0, "multi_class": "ovr",
    "class_weight": None,
}  # fmt: skip


def estimator(kind: ModelKind, *, epochs: int, seed: int, shuffled: bool, **settings: Any) -> Any:
    """The estimator that the options describe; options it does not have are refused."""
    import novikoff

    if settings["margin"] is None:
        settings["margin"] = MARGIN if kind is ModelKind.margin else DEFAULTS["margin"]
    elif kind is ModelKind.margin and settings["margin"] == 0:
        raise UsageError("--model margin with --margin 0 has no margin rule: use --model last.")
    cls = getattr(novikoff, CLASSES[kind])
    known = inspect.signature(cls.__init__).parameters
    for name, value in settings.items():
        if name not in known and value != DEFAULTS[name]:
            raise UsageError(f"{option(name)} means nothing to --model {kind.value}.")
    if kind is ModelKind.kernel and settings["multi_class"] == "ovo":
        raise UsageError("--model kernel has no --multi-class ovo: use ovr or joint.")
    _check_rule(settings["ties"], settings["margin"])
    always = {
        "max_iter": epochs, "random_state": seed, "order": "shuffled" if shuffled else "cyclic"
    }  # fmt: skip
    chosen = {**settings, **always}
    return cls(**{name: value for name, value in chosen.items() if name in known})


def _check_rule(ties: str, margin: float) -> None:
    """Refuse a tie rule that does not go with the margin: training starts at zero."""
    if ties == "sign" and margin > 0:
        raise UsageError(
            "--ties sign asks whether the sign is right and knows no margin: leave out --margin "
            "(or --model margin), or use --ties mistake."
        )
    if ties == "correct" and margin == 0:
        raise UsageError(
            "--ties correct never learns from zero: every score is 0 at first, and y s < 0 is "
            "never so. Use --margin with a number above 0, or --ties mistake."
        )


def text_parts(data: Bytes, share: float, seed: int, *, zero_based: bool) -> TextParts:
    """LIBSVM text, counted; what is done to it, and what is not, is said as it is of tables."""
    with progress(f"counting {data.name}", expected=about_rows(data)) as bar:
        parts = TextParts(data, share, seed, bar, zero_based=zero_based)
    note("scale: nothing is scaled: the numbers of LIBSVM text are learned from as they are")
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

    _check_classes(parts)

    with warnings.catch_warnings():
        # How a run ended is among the results.
        warnings.simplefilter("ignore", ConvergenceWarning)
        if kind in STREAMED:
            _stream(model, parts, epochs, shuffle, checkpoint)
            return
        if checkpoint is not None:
            raise UsageError(
                f"--checkpoint is for training in a stream; --model {kind.value} learns from all "
                "rows in memory."
            )
        with waiting(f"training {kind.value}"):
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


def _stream(model: Any, parts: Parts, epochs: int, shuffle: int, checkpoint: Path | None) -> None:
    from novikoff.streams.fit import fit_stream

    with progress("training") as bar:
        fit_stream(
            model, parts.source, epochs=epochs, checkpoint=checkpoint, shuffle_buffer=shuffle,
            progress=bar,
        )  # fmt: skip


def _in_memory(model: Any, parts: Parts) -> None:
    from novikoff import MaxMarginClassifier, NotSeparableError
    from novikoff.certificates.results import in_words

    if isinstance(model, MaxMarginClassifier) and len(parts.classes) > 2:
        raise UsageError(
            f"--model max-margin takes two classes; {parts.name} has {len(parts.classes)}. Use "
            "another model, for example --model averaged."
        )
    X, y = parts.matrix()
    try:
        model.fit(X, y)
    except NotSeparableError as error:
        first, last = (spoken(label(parts.classes[k].item())) for k in (0, -1))
        raise UsageError(
            "There is no largest margin: the training rows are "
            f"{in_words(error.separability.verdict)}, no hyperplane separates {first} from {last}. "
            "novikoff separable names the rows that forbid it; --model averaged learns anyway."
        ) from None
