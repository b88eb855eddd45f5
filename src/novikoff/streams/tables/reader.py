"""A table file as batches of rows, whatever its format."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, BinaryIO, Protocol

from novikoff._memory import refusal
from novikoff._messages import Message
from novikoff.streams.bytes import Bytes, StreamError, open_bytes, recognise
from novikoff.streams.formats import TEXTS
from novikoff.streams.tables.options import Decision, TableOptions

if TYPE_CHECKING:
    import polars as pl

_READERS = {  # of `bytes.recognise`'s tables: the module, and the class in it
    "arff": "arff.ArffReader",
    "arrow": "columnar.ColumnarReader",
    "csv": "csv.CsvReader",
    "jsonl": "columnar.ColumnarReader",
    "parquet": "columnar.ColumnarReader",
}
_BYTES_PER_COLUMN = 20_000  # that surveying one takes, however few rows there are; measured


class NotNumbersError(Exception):
    """A column that was taken for numbers holds something else: read it as text."""


class ReadAgainError(Exception):
    """The file is not as plain as its first rows: call `frames` again, it knows better now."""


class Reader(Protocol):
    """A table that can be read from its first row as often as needed, in bounded memory.

    Attributes
    ----------
    name : str
        The file, for messages.
    kind : {"csv", "parquet", "arrow", "jsonl", "arff", "frame"}
    names : list of str
        The columns; all different.
    named : bool
        Whether the table says these names; otherwise they are positions: c1, c2, …
    decimal : {".", ","}
        How numbers are written, where they come as text.
    decisions : list of Decision
        How the file was read.
    """

    name: str
    kind: str
    names: list[str]
    named: bool
    decimal: str
    decisions: list[Decision]

    def head(self) -> pl.DataFrame:
        """The first rows, some hundred or more, typed as `frames` without numbers gives them."""

    def frames(self, numbers: Collection[str] = ()) -> Iterator[pl.DataFrame]:
        """The rows, in the order of the file, in batches of a size bounded whatever the file.

        CSV: every column is a String, stripped of surrounding blanks, null where missing.
        Others: columns typed as they are stored.

        numbers : columns of text that are believed to hold numbers. They may come as Float64, which
            is faster; if one of them does not hold numbers only, NotNumbersError is raised.
            ReadAgainError may be raised too.
        """

    def line_of(self, row: int) -> int | None:
        """The line (from 1) of the file on which data row `row` (from 0) starts."""

    def lines_of(self, rows: Iterable[int]) -> dict[int, int]:
        """The lines of many rows, found in one pass."""

    def fingerprint(self) -> str:
        """A digest that tells this content from another."""


def require_polars() -> None:
    """Fail early where polars is missing, and say why it is needed."""
    try:
        import polars  # noqa: F401 - whether it is there is all that is asked
    except ImportError as error:
        raise ImportError('reading tables needs polars: pip install "novikoff[tables]"') from error


def _refuse_too_wide(reader: Reader, data: Bytes) -> None:
    """One endless line of cells must not fill the memory with columns."""
    n = len(reader.names)
    reason = refusal(n * _BYTES_PER_COLUMN, f"a table of {n} columns", given=data.max_memory)
    if reason is not None:
        raise data.error(
            Message(reason, ". Rows with so many numbers, most of them 0, suit LIBSVM text")
        )


def open_reader(data: Bytes | str | os.PathLike[str] | BinaryIO, options: TableOptions) -> Reader:
    """Find out how a table is stored and make it ready to be read.

    Parameters
    ----------
    data : Bytes, path, or binary stream
        "-" is standard input.
    options : TableOptions
        Only `header`, `na`, `encoding`, `delimiter` and `drop` matter here.
    """
    require_polars()
    if not isinstance(data, Bytes):
        data = open_bytes(data)
    kind = recognise(data, encoding=options.encoding)
    if kind in TEXTS:
        raise StreamError(f"this is {TEXTS[kind]}, not a table", file=data.name)
    module, _, name = _READERS[kind].partition(".")
    room = import_module(f"novikoff.streams.tables.{module}")
    opened: Reader = getattr(room, name)(data, options)
    _refuse_too_wide(opened, data)
    return opened
