"""Training as `novikoff fit` does it: in a stream where the model allows it, else in memory."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from novikoff.cli.console import spoken
from novikoff.cli.errors import UsageError
from novikoff.cli.progress import progress, waiting
from novikoff.cli.sources import about_rows

if TYPE_CHECKING:
    from novikoff.streams.bytes import Bytes
    from novikoff.streams.tables.table import Table


class ModelKind(StrEnum):
    """The family."""

    last = "last"
    averaged = "averaged"
    voted = "voted"
    pocket = "pocket"
    margin = "margin"
    kernel = "kernel"


CLASSES = {
    ModelKind.last: "Perceptron",
    ModelKind.averaged: "AveragedPerceptron",
    ModelKind.voted: "VotedPerceptron",
    ModelKind.pocket: "PocketPerceptron",
    ModelKind.margin: "MaxMarginClassifier",
    ModelKind.kernel: "KernelPerceptron",
}
STREAMED = (ModelKind.last, ModelKind.averaged, ModelKind.voted)
DEFAULTS: dict[str, Any] = {
    "fit_intercept": True, "margin": 0.0, "ties": "mistake", "eta0": 1.0, "multi_class": "ovr",
    "class_weight": None,
}  # fmt: skip
SPELLED = {
    "fit_intercept": "--through-origin", "margin": "--margin", "ties": "--ties", "eta0": "--eta0",
    "multi_class": "--multi-class", "class_weight": "--class-weight",
}  # fmt: skip


def estimator(kind: ModelKind, *, epochs: int, seed: int, shuffled: bool, **settings: Any) -> Any:
    """The estimator that the options describe; options it does not have are refused."""
    import novikoff

    cls = getattr(novikoff, CLASSES[kind])
    known = inspect.signature(cls.__init__).parameters
    for name, value in settings.items():
        if name not in known and value != DEFAULTS[name]:
            raise UsageError(f"{SPELLED[name]} means nothing to --model {kind.value}.")
    always = {
        "max_iter": epochs, "random_state": seed, "order": "shuffled" if shuffled else "cyclic"
    }  # fmt: skip
    chosen = {**settings, **always}
    return cls(**{name: value for name, value in chosen.items() if name in known})


@dataclass
class TableParts:
    """A surveyed table: rows to learn from and rows held out."""

    table: Table

    def __post_init__(self) -> None:
        self.name = self.table.name
        self.features = len(self.table.feature_names)
        self.classes = self.table.classes
        self.counts = self.table.class_counts
        self.sparse = bool(self.table.encoder.sparse_)

    @property
    def source(self) -> Any:
        return self.table

    def blocks(self, part: str) -> Iterator[tuple[Any, Any]]:
        for X, y, _ in self.table.blocks(part):
            yield X, y

    def matrix(self) -> tuple[Any, Any]:
        """The training rows, in memory."""
        X, y, _ = self.table.matrix("train")
        return X, y

    def savable(self, model: Any) -> Any:
        return self.table.pipeline(model)


class TextParts:
    """LIBSVM text: likewise. Its classes and features are known once it has been read."""

    sparse = True

    def __init__(self, data: Bytes, share: float, seed: int) -> None:
        import numpy as np

        from novikoff.cli.libsvm import TextPart, reopenable, share_to_hold_out

        data = reopenable(data)
        share = share_to_hold_out(data, share) if share else 0.0
        self.name = data.name
        self.parts = {
            "train": TextPart(data, share, seed, held=False),
            "test": TextPart(data, share, seed, held=True),
        }
        counted: dict[str, dict[float, int]] = {"train": {}, "test": {}}
        self.features = 0
        with progress(f"counting {data.name}", expected=about_rows(data)) as bar:
            done = 0
            for part, text in self.parts.items():
                for X, y in text.blocks() if part == "train" or share else ():
                    self.features = max(self.features, X.shape[1])
                    for value, n in zip(*np.unique(y, return_counts=True), strict=True):
                        counted[part][value] = counted[part].get(value, 0) + int(n)
                    done += len(y)
                    bar(done, None)
        self.classes = np.array(sorted({*counted["train"], *counted["test"]}))
        self.counts = {
            part: np.array([of.get(value, 0) for value in self.classes], np.int64)
            for part, of in counted.items()
        }
        self.counts["all"] = self.counts["train"] + self.counts["test"]
        if not len(self.classes):
            raise UsageError(f"{data.name}: there are no rows in this file.")

    @property
    def source(self) -> Any:
        return self.parts["train"]

    def blocks(self, part: str) -> Iterator[tuple[Any, Any]]:
        """Blocks as wide as the training rows; what only held-out rows have is left out."""
        import scipy.sparse as sp

        for X, y in self.parts[part].blocks():
            X = X[:, : self.features] if X.shape[1] > self.features else X
            yield sp.csr_array((X.data, X.indices, X.indptr), (X.shape[0], self.features)), y

    def matrix(self) -> tuple[Any, Any]:
        import numpy as np
        import scipy.sparse as sp

        blocks = list(self.blocks("train"))
        return sp.vstack([X for X, _ in blocks], format="csr"), np.concatenate(
            [y for _, y in blocks]
        )

    def savable(self, model: Any) -> Any:
        return model


Parts = TableParts | TextParts


def train(
    model: Any, kind: ModelKind, parts: Parts, *, epochs: int, shuffle: int, checkpoint: Path | None
) -> None:
    """Fit the model on the training rows."""
    from sklearn.exceptions import ConvergenceWarning

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


def _stream(model: Any, parts: Parts, epochs: int, shuffle: int, checkpoint: Path | None) -> None:
    from novikoff.streams.fit import fit_stream

    with progress("training") as bar:
        fit_stream(
            model, parts.source, epochs=epochs, checkpoint=checkpoint, shuffle_buffer=shuffle,
            progress=bar,
        )  # fmt: skip


def _in_memory(model: Any, parts: Parts) -> None:
    from novikoff import MaxMarginClassifier, NotSeparableError

    if isinstance(model, MaxMarginClassifier) and len(parts.classes) > 2:
        raise UsageError(
            f"--model margin takes two classes; {parts.name} has {len(parts.classes)}. Use another "
            "model, for example --model averaged."
        )
    X, y = parts.matrix()
    try:
        model.fit(X, y)
    except NotSeparableError as error:
        raise UsageError(
            f"There is no largest margin: the training rows are {error.separability.verdict}, no "
            f"hyperplane separates {spoken(str(parts.classes[0]))} from "
            f"{spoken(str(parts.classes[-1]))}. novikoff separable names the rows that forbid it; "
            "--model averaged learns anyway."
        ) from None
