"""Rows to learn from and rows held out, of a table or of text; both by the same rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from novikoff.streams.bytes import Bytes
    from novikoff.streams.source import Progress
    from novikoff.streams.tables.table import Table


HOLDOUT = 0.2  # the share of rows that the error is measured on, if not told otherwise


class TableParts:
    """A surveyed table."""

    def __init__(self, table: Table) -> None:
        self.table = self.source = table  # what `fit_stream` learns from
        self.name = table.name
        self.feature_names = table.feature_names
        self.features = len(table.feature_names)
        self.classes = table.classes
        self.counts = table.class_counts
        self.sparse = bool(table.encoder.sparse_)

    def blocks(self, part: str) -> Iterator[tuple[Any, Any]]:
        for X, y, _ in self.table.blocks(part):
            yield X, y

    def matrix(self, part: str = "train") -> tuple[Any, Any]:
        """The rows of a part, in memory."""
        X, y, _ = self.table.matrix(part)
        return X, y

    def weights(self) -> Any:
        """Of the training rows, where they have any."""
        return None

    def savable(self, model: Any) -> Any:
        """What a model file should hold."""
        return self.table.pipeline(model)


class TextParts:
    """Text of rows: likewise. It is read once to count its classes and features."""

    sparse = True

    def __init__(
        self,
        data: Bytes,
        share: float,
        seed: int,
        progress: Progress | None = None,
        *,
        zero_based: bool = False,
    ) -> None:
        import numpy as np

        from novikoff.streams.chunks import reopenable
        from novikoff.streams.texts import TextPart, open_text, share_to_hold_out

        data = reopenable(data)
        text = open_text(data, zero_based=zero_based)
        share = share_to_hold_out(text, share) if share else 0.0
        self.name, self._first = data.name, 0 if zero_based else 1
        read = "-from 0" if zero_based else ""
        self.parts = {
            part: TextPart(text, share, seed, held=part == "test", read=read)
            for part in ("train", "test")
        }
        self.source: Any = self.parts["train"]  # what `fit_stream` learns from
        counted: dict[str, Counter[float]] = {"train": Counter(), "test": Counter()}
        self.features = 0
        for part, text in self.parts.items():
            for X, y in text.blocks() if part == "train" or share else ():
                self.features = max(self.features, X.shape[1])
                values, counts = np.unique(y, return_counts=True)
                counted[part].update(dict(zip(values.tolist(), counts.tolist(), strict=True)))
                if progress is not None:
                    progress(sum(map(Counter.total, counted.values())), None)
        self.classes = np.array(sorted({*counted["train"], *counted["test"]}))
        self.counts = {
            part: np.array([of[value] for value in self.classes.tolist()], np.int64)
            for part, of in counted.items()
        }
        self.counts["all"] = self.counts["train"] + self.counts["test"]
        if not len(self.classes):
            raise ValueError(f"{data.name}: there are no rows in this file.")
        self.names = None if text.names is None else list(text.names)
        self._refuse_too_wide()

    def _refuse_too_wide(self) -> None:
        from novikoff._messages import Message
        from novikoff.streams.blocks import too_wide

        several = len(self.classes) if len(self.classes) > 2 else 1
        reason = too_wide(self.features, several)
        if reason is not None:
            raise ValueError(Message(f"{self.name}: ", reason, "."))

    @property
    def feature_names(self) -> list[str]:
        return self.names or [str(self._first + j) for j in range(self.features)]

    def blocks(self, part: str) -> Iterator[tuple[Any, Any]]:
        """Blocks as wide as the training rows; what only held-out rows have is left out."""
        from novikoff.streams.blocks import widened

        for X, y in self.parts[part].blocks():
            X = X[:, : self.features] if X.shape[1] > self.features else X
            yield widened(X, self.features), y

    def matrix(self, part: str = "train") -> tuple[Any, Any]:
        """The rows of a part, in memory."""
        import numpy as np
        import scipy.sparse as sp

        from novikoff.streams.blocks import stacked

        blocks = list(self.blocks(part))
        if not blocks:
            return sp.csr_array((0, self.features)), np.zeros(0)
        return stacked([X for X, _ in blocks]), np.concatenate([y for _, y in blocks])

    def weights(self) -> Any:
        import numpy as np

        found = [rows.weights for rows in self.source.rows()]
        if not found or found[0] is None:
            return None
        weights = np.concatenate(found)
        return None if (weights == 1.0).all() else weights

    def savable(self, model: Any) -> Any:
        """With the names of its features, where they have names: it then takes dictionaries."""
        if self.names is None:
            return model
        from sklearn.feature_extraction import DictVectorizer
        from sklearn.pipeline import make_pipeline

        names = DictVectorizer(sort=False)
        names.feature_names_ = self.names
        names.vocabulary_ = {name: j for j, name in enumerate(self.names)}
        return make_pipeline(names, model)


Parts = TableParts | TextParts
