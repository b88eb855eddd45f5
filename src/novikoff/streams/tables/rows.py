"""Another table's rows, encoded as a fitted encoder encodes: to predict, to evaluate, to verify."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from novikoff._arrays import Array, Ints
from novikoff.streams.bytes import Bytes, StreamError, open_bytes, recognise
from novikoff.streams.chunks import reopenable
from novikoff.streams.tables import columns as kinds
from novikoff.streams.tables.encoder import TableEncoder
from novikoff.streams.tables.lazy import pl
from novikoff.streams.tables.options import Decision, TableOptions, resolve
from novikoff.streams.tables.reader import Reader, is_frame, open_reader
from novikoff.streams.tables.table import Block, joined
from novikoff.streams.tables.target import as_labels


class TableRows:
    """Rows of a table that an encoder was not fitted on; made by :func:`open_rows`.

    Attributes
    ----------
    name : str
    target : str or None
        The column of labels, None if there are none.
    decisions : list of Decision
        How the file was read.
    n_rows, n_dropped : int
        TableRows so far, and how many more had no label.
    unseen : dict
        Per column, cells so far of a category that the encoder was not fitted on.
    missing : dict
        Per column, missing cells so far, where training had none: no feature marks them.
    """

    def __init__(
        self, reader: Reader, encoder: TableEncoder, target: str | None, whole: bool | None
    ) -> None:
        self._reader, self._encoder, self._whole = reader, encoder, whole
        self.name = reader.name
        self.target = target
        self.decisions: list[Decision] = [*reader.decisions, *_doubts(reader, encoder)]
        self._start_again()

    def _start_again(self) -> None:
        self.n_rows = self.n_dropped = 0
        self.unseen: dict[str, int] = {}
        self.missing: dict[str, int] = {}

    def blocks(self) -> Iterator[Block]:
        """Blocks in file order; `y` has no entries where there is no target."""
        self._start_again()
        start = 0
        unseen: Counter[str] = Counter()
        missing: Counter[str] = Counter()
        for frame in self._reader.frames():
            rows = np.arange(start, start + frame.height)
            start += frame.height
            labels = np.zeros(0, np.int64)
            if self.target is not None:
                cells = kinds.as_text(frame, self.target, self._reader.decimal)
                known = cells.is_not_null().to_numpy()
                self.n_dropped += int((~known).sum())
                frame, rows = frame.filter(pl.Series(known)), rows[known]
                labels = self._labels(cells.drop_nulls().to_list())
            if not len(rows):
                continue
            stored = self._stored(frame, rows)
            gone = Counter(self._encoder._newly_missing(stored))
            # To the encoder a missing cell is one more category; here it is said once what it is.
            unseen += Counter(self._encoder._unseen(stored)) - gone
            missing += gone
            self.unseen, self.missing = dict(unseen), dict(missing)
            self.n_rows += len(rows)
            yield Block(self._encoder._encode(stored), labels, rows)

    def matrix(self) -> Block:
        """All rows, in memory."""
        width = len(self._encoder.get_feature_names_out())
        return joined(self.blocks(), width, self._encoder.sparse_)

    def line_of(self, row: int) -> int:
        """The line of the file, from 1, where data row `row`, from 0, starts."""
        return self._reader.lines_of([row]).get(row, row + 1)

    def _labels(self, cells: list[str]) -> Array:
        if self._whole is False:
            return np.array(cells, np.str_)
        labels = as_labels(cells, self._reader.decimal)
        if self._whole and cells and labels.dtype.kind != "i":
            bad = next(c for c in cells if as_labels([c], self._reader.decimal).dtype.kind != "i")
            raise StreamError(
                f"the classes are whole numbers, but the target {self.target} holds {bad!r}.",
                file=self.name,
            )
        return labels

    def _stored(self, frame: pl.DataFrame, rows: Ints) -> pl.DataFrame:
        def where(row: int) -> str:
            return f"line {self.line_of(int(rows[row]))}"

        try:
            return self._encoder._stored(frame, self._reader.decimal, where)
        except ValueError as error:
            raise StreamError(str(error), file=self.name) from error


def _doubts(reader: Reader, encoder: TableEncoder) -> list[Decision]:
    """What speaks against columns that are matched by position: there are more or fewer now.

    Only the target may be absent, and only behind the others.
    """
    before, now = getattr(encoder, "n_columns_", None), len(reader.names)
    if reader.named or before is None or now == before:
        return []
    if now == before - 1 and encoder.target_ == f"c{before}":
        return []
    text = (
        f"neither this table nor the one that the model learned from names its columns, and it has "
        f"{now} where that had {before}: is it the same kind of table? The first column is taken "
        "for the first, and so on"
    )
    return [Decision("doubt", None, text)]


def open_rows(
    source: Any,
    encoder: TableEncoder,
    options: TableOptions | None = None,
    *,
    target: str | int | None = None,
    classes: Array | None = None,
) -> TableRows:
    """Open another table, to be encoded by a fitted `encoder`; columns are matched by name.

    Parameters
    ----------
    source : path, "-", binary file, Bytes, or a DataFrame
    options : TableOptions, optional
        Only those about reading matter. What means a missing cell, the encoder knows already.
    target : str or int, optional
        The column of labels, if they are wanted; rows without a label are then dropped. It must
        exist. ``encoder.target_`` is the one that the encoder's table had.
    classes : array, optional
        Labels come as these do: whole numbers or strings. By default whatever they look like, as in
        :func:`open_table`, but block by block.
    """
    options = options or TableOptions()
    options = replace(options, na=(*encoder.na, *options.na))
    reader = _with_header(source, encoder, options)
    name = None if target is None else resolve(reader.names, target, "target")
    whole = None if classes is None else np.asarray(classes).dtype.kind in "iu"
    return TableRows(reader, encoder, name, whole)


def _with_header(source: Any, encoder: TableEncoder, options: TableOptions) -> Reader:
    """A reader of `source`, whose first row is a header too if it names the encoder's columns."""
    if is_frame(source) or options.header is not None:
        return open_reader(source, options)
    data = source if isinstance(source, Bytes) else open_bytes(source)
    if recognise(data, encoding=options.encoding) != "csv":
        return open_reader(data, options)
    data = reopenable(data)
    reader = open_reader(data, options)
    needed = set(encoder.feature_names_in_.tolist())
    if needed <= set(reader.names):
        return reader
    with suppress(StreamError):
        named = open_reader(data, replace(options, header=True))
        if len(needed & set(named.names)) > len(needed & set(reader.names)):
            told = "the first row names the columns: it has names that the model knows"
            named.decisions.append(Decision("read", None, told))
            return named
    return reader
