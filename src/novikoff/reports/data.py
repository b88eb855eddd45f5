"""The rows that a report speaks of, read as often as it needs them."""

from __future__ import annotations

import os
import shlex
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from novikoff.analysis.compare import drawn
from novikoff.analysis.parts import Parts, TableParts, TextParts
from novikoff.analysis.sources import Loaded, find, is_text, load_table, load_text
from novikoff.analysis.worker import MOST_NUMBERS, n_numbers
from novikoff.streams.tables.options import TableOptions, said

if TYPE_CHECKING:
    from novikoff.streams.bytes import Bytes
    from novikoff.streams.source import Progress
    from novikoff.streams.tables.table import Table


class Source:
    """A file, or a DataFrame, that can be read again and again.

    content : its bytes, or the DataFrame
    name : for people; argument : what stands for it in a command that a reader may copy
    """

    def __init__(self, source: Any, *, zero_based: bool = False) -> None:
        self.zero_based = zero_based
        self._bytes = _bytes_of(source)
        self.content = source if self._bytes is None else self._bytes
        self.name = "the table" if self._bytes is None else self._bytes.name
        self.argument = "DATA" if self._bytes is None else self._bytes.name
        if self.argument == "<stdin>":
            self.argument = "-"

    @property
    def short_name(self) -> str:
        """The name without folders."""
        return PurePath(self.name).name or self.name

    @property
    def reading(self) -> list[str]:
        """What a command is told about the file beside the options of a table."""
        format = None if self._bytes is None else self._bytes.format
        told = [] if format is None else ["--input-format", format]
        return [*told, "--zero-based"] if self.zero_based else told

    @property
    def quoted(self) -> str:
        """The argument of a command, for a shell."""
        return shlex.quote(self.argument)


class Data(Source):
    """What a perceptron is to learn from.

    parts : rows to learn from and rows held out, scaled, as `novikoff fit` takes them
    """

    def __init__(
        self,
        source: Any,
        options: TableOptions,
        holdout: float,
        seed: int,
        progress: Progress,
        *,
        zero_based: bool = False,
    ) -> None:
        super().__init__(source, zero_based=zero_based)
        self.options, self.holdout, self._progress = options, holdout, progress
        self.parts: Parts
        if self._bytes is not None and is_text(
            self._bytes, said(options), options.encoding, zero_based=zero_based
        ):
            self.parts = TextParts(self._bytes, holdout, seed, progress, zero_based=zero_based)
        else:
            table = self._survey(options, holdout=holdout, seed=seed)
            self.parts = TableParts(table)

    @property
    def table(self) -> Table | None:
        return self.parts.table if isinstance(self.parts, TableParts) else None

    @property
    def is_numbered(self) -> bool:
        """Whether the features have numbers instead of names."""
        return isinstance(self.parts, TextParts) and self.parts.names is None

    @property
    def is_small(self) -> bool:
        """Whether all rows may be asked for at once, as far as is known before they are read."""
        return self.parts.sparse or self.size <= MOST_NUMBERS

    @property
    def size(self) -> int:
        """How many numbers all rows have, zeros included."""
        return int(self.parts.counts["all"].sum()) * max(1, self.parts.features)

    @property
    def is_scaled(self) -> bool:
        return self.table is not None and self.options.scale

    def units(self) -> tuple[list[float], list[float]] | None:
        """Shift and scale of every feature: x in the file is x * scale + shift here.

        None if the features are in the units of the file already, or sparse.
        """
        if self.table is None or not self.options.scale or self.parts.sparse:
            return None
        from novikoff.streams.tables.state import names_of

        shifts, scales = [], []
        for column in self.table.encoder.columns_:
            # Beside the numbers there are categories, and what marks missing cells.
            marks = len(names_of(column)) - len(column.get("parts", ()))
            shifts += [*column.get("shifts", ()), *([0.0] * marks)]
            scales += [*column.get("scales", ()), *([1.0] * marks)]
        return shifts, scales

    def unscaled(self) -> Loaded:
        """All rows as `novikoff separable` takes them."""
        if self.table is None:
            assert self._bytes is not None
            return load_text(self._bytes, self._progress, zero_based=self.zero_based)
        options = replace(self.options, scale=False)
        return load_table(self._survey(options), options, self._bytes)

    def sample(self, part: str, most: int, seed: int) -> tuple[Any, Any]:
        """At most so many rows of a part, drawn at random, in the order of the file."""
        import numpy as np

        from novikoff.streams.blocks import stacked

        n = int(self.parts.counts[part].sum())
        if n <= most:
            return self.parts.matrix(part)
        chosen = drawn(n, seed, most)
        kept, first = [], 0
        for X, y in self.parts.blocks(part):
            low, high = np.searchsorted(chosen, (first, first + len(y)))
            mine = chosen[low:high] - first
            kept.append((X[mine], y[mine]))
            first += len(y)
        return stacked([X for X, _ in kept]), np.concatenate([y for _, y in kept])

    def _survey(self, options: TableOptions, *, holdout: float = 0.0, seed: int = 0) -> Table:
        from novikoff.streams.tables.table import open_table

        return open_table(
            self.content, options, holdout=holdout, seed=seed, progress=self._progress
        )


def can_be_handed_over(X: Any) -> bool:
    """Whether a worker can be given these rows in reasonable time."""
    return n_numbers(X) <= MOST_NUMBERS


def _bytes_of(source: Any) -> Bytes | None:
    """The bytes behind a source; None for a DataFrame."""
    from novikoff.streams.bytes import Bytes, open_bytes
    from novikoff.streams.chunks import reopenable
    from novikoff.streams.tables.reader import is_frame

    if is_frame(source):
        return None
    if isinstance(source, Bytes):
        return reopenable(source)
    if isinstance(source, str | os.PathLike):
        return reopenable(find(os.fspath(source)))
    if hasattr(source, "read"):
        return reopenable(open_bytes(source))
    raise TypeError(
        "A report is made of a file (a path, an open binary file, '-'), of a data set that ships, "
        f"or of a DataFrame with the target among its columns; this is a {type(source).__name__}."
    )
