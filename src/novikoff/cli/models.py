"""Model files: opening one, and pouring the rows of a file into it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from novikoff.analysis.wording import count, first_of, grouped, option, plain
from novikoff.cli.console import note, warn
from novikoff.cli.errors import UsageError
from novikoff.cli.options import TableArguments, as_target
from novikoff.cli.sources import is_text, say
from novikoff.streams.formats import TEXTS
from novikoff.streams.tables.options import UnknownColumnError, listed

if TYPE_CHECKING:
    from novikoff.analysis.confusion import Confusion
    from novikoff.streams.bytes import Bytes
    from novikoff.streams.tables.encoder import TableEncoder
    from novikoff.streams.tables.rows import TableRows
    from novikoff.streams.tables.table import Block
    from novikoff.streams.texts import RowText

FIXED = ("drop", "keep", "categorical")  # settled when the model was trained


@dataclass
class OpenedModel:
    """A classifier with the encoder of its table, or its features' names, if it has them."""

    name: str
    classifier: Any
    encoder: TableEncoder | None
    names: list[str] | None = None  # of features, if it was trained on text that names them
    unseen: dict[str, int] = field(default_factory=dict)  # filled while rows are read
    missing: dict[str, int] = field(default_factory=dict)
    n_dropped: int = 0
    loaded: bool = False  # from a file: then --target names a column of the rows, not of training

    @property
    def classes(self) -> Any:
        return self.classifier.classes_

    def blocks(self, data: Bytes, arguments: TableArguments, *, labelled: bool) -> Iterator[Block]:
        """The rows of DATA as this model takes them; with labels, if they are wanted."""
        from novikoff.streams.bytes import recognise

        if self.names is not None and recognise(data) == "csv":
            data.format = "vw"  # rows without labels do not show what they are; the model knows
        if is_text(data, arguments):
            yield from self._text_blocks(self._text(data, arguments, labelled=labelled))
            return
        if self.encoder is None:
            raise UsageError(
                f"{self.name} was trained on rows of numbers, not on a table like {data.name}: it "
                f"takes {TEXTS['libsvm']}."
            )
        rows = self._rows(data, arguments, self.encoder, labelled)
        say(rows.decisions)
        fixed = FIXED if labelled else (*FIXED, "target")
        ignored = [option(name) for name in arguments.given() if name in fixed]
        if ignored:
            note(
                f"column: the model says what it takes and how, whatever {', '.join(ignored)} says"
            )
        yield from rows.blocks()
        self.unseen, self.n_dropped = dict(rows.unseen), rows.n_dropped
        self.missing = dict(rows.missing)

    def _text(self, data: Bytes, arguments: TableArguments, *, labelled: bool) -> RowText:
        """Text of the kind that the model was trained on."""
        from novikoff.streams.bytes import recognise
        from novikoff.streams.texts import open_text

        kind = recognise(data)
        if self.encoder is not None:
            raise UsageError(
                f"{self.name} was trained on a table; {data.name} is {TEXTS[kind]}, which does "
                "not say which column is which."
            )
        if (kind == "vw") != (self.names is not None):
            named = "names" if self.names is not None else "numbers"
            raise UsageError(
                f"{self.name} knows its features by their {named}; {data.name} is {TEXTS[kind]}."
            )
        return open_text(data, zero_based=arguments.zero_based, names=self.names, labelled=labelled)

    def _rows(
        self, data: Bytes, arguments: TableArguments, encoder: TableEncoder, labelled: bool
    ) -> TableRows:
        from novikoff.streams.tables.rows import open_rows

        target = None
        if labelled:
            target = as_target(arguments.target)
            target = getattr(encoder, "target_", None) if target is None else target
            if target is None:
                raise UsageError(f"{self.name} does not say what it predicts: use --target.")
        try:
            return open_rows(
                data, encoder, arguments.options(), target=target, classes=self.classes
            )
        except UnknownColumnError as error:
            if arguments.target is not None:
                raise
            raise UsageError(
                f"{data.name} has no column {target}, which {self.name} predicts; it has "
                f"{listed(error.names)}."
                + (" If another column holds the labels: --target." if self.loaded else "")
            ) from None

    def _text_blocks(self, text: RowText) -> Iterator[Block]:
        import numpy as np

        from novikoff.streams.blocks import widened
        from novikoff.streams.tables.table import Block

        first, width = 0, self.classifier.n_features_in_
        surplus = 0
        for X, y in text.blocks():
            if X.shape[1] > width:  # features that training never saw have no weight
                surplus += int((X.indices >= width).sum())
                X = X[:, :width]
            elif X.shape[1] < width:
                X = widened(X, width)
            yield Block(X, y, np.arange(first, first + len(y)))
            first += len(y)
        surplus += text.unknown
        if surplus:
            self.unseen = {f"beyond {width}" if self.names is None else "without a weight": surplus}

    def say_unseen(self) -> None:
        """Report what the model had no weights for."""
        for column, cells in self.unseen.items():
            _warn_of(column, cells, "with values never seen in training; counted as none")
        for column, cells in self.missing.items():
            instead = self._instead_of_missing(column)
            _warn_of(column, cells, f"missing, as none was in training; {instead}")
        if self.n_dropped:
            warn(f"{count(self.n_dropped, 'row')} without a target left out")

    def _instead_of_missing(self, name: str) -> str:
        """What a missing cell counts as in a column that had none in training."""
        assert self.encoder is not None
        (column,) = (c for c in self.encoder.columns_ if c["name"] == name)
        if column["kind"] not in ("category", "text"):
            return "the training mean stands in"
        hashed = column["kind"] == "category" and column["hashed"]
        return "(missing) is hashed as any category" if hashed else "counted as none"

    def say_unknown(self, found: Confusion) -> dict[str, int]:
        """Report the classes that the model cannot predict, and give them back with their rows."""
        unknown = found.unknown(self.classes)
        if unknown:
            named = first_of([f"{plain(name)} {grouped(n)}" for name, n in unknown.items()], 10)
            classes = count(len(unknown), "class", "classes")
            warn(
                f"{count(sum(unknown.values()), 'row')} of {classes} that the model does not know, "
                f"counted as errors: {named}"
            )
        return unknown


def _warn_of(column: str, cells: int, what: str) -> None:
    if cells:
        warn(f"column {plain(column)}: {count(cells, 'cell')} {what}")


def open_model(path: Path) -> OpenedModel:
    """Read a model file."""
    from novikoff import load

    opened = wrap(load(path), str(path))
    opened.loaded = True
    return opened


def wrap(model: Any, name: str) -> OpenedModel:
    """A fitted estimator or pipeline, as this program uses it."""
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.pipeline import Pipeline

    from novikoff.streams.tables.encoder import TableEncoder

    if not hasattr(model, "predict"):
        raise UsageError(f"{name} holds a {type(model).__name__}, which does not predict.")
    if isinstance(model, Pipeline) and isinstance(model[0], TableEncoder):
        classifier = model[1] if len(model) == 2 else model[1:]
        return OpenedModel(name, classifier, model[0])
    if isinstance(model, Pipeline) and isinstance(model[0], DictVectorizer) and len(model) == 2:
        return OpenedModel(name, model[1], None, list(model[0].feature_names_))
    return OpenedModel(name, model, None)
