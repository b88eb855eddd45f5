"""What a user may say about a table, and what the program decided without being told."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import NamedTuple

from novikoff._messages import Message


@dataclass(frozen=True)
class TableOptions:
    """How to read and encode a table; every default means "find out".

    Parameters
    ----------
    target : str or int, optional
        The column to predict: a name, or a position (-1 is the last).
    drop, keep, categorical : tuple of str
        Columns to leave out, to keep whatever speaks against them, to treat as categories.
    header : bool, optional
        Whether the first row of a CSV file names the columns; None detects it.
    na : tuple of str
        More spellings of "missing", beside the empty cell, NA, N/A, NaN, null and ?.
    encoding : str, optional
        The encoding of a text file, by a name Python knows; None stands for UTF-8, or UTF-16 by
        its byte order mark.
    delimiter : str, optional
        What separates the cells of a CSV file; None detects comma, semicolon, tab or pipe.
    missing : {"impute", "error", "drop"}
        What to do with missing cells.
    scale : bool
        Whether numeric columns are standardised.
    hash_bits : int, optional
        Hash categories into 2**hash_bits columns instead of listing them.
    """

    target: str | int | None = None
    drop: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    categorical: tuple[str, ...] = ()
    header: bool | None = None
    na: tuple[str, ...] = ()
    encoding: str | None = None
    delimiter: str | None = None
    missing: str = "impute"
    scale: bool = True
    hash_bits: int | None = None


def said(options: TableOptions) -> list[str]:
    """The names of the options that are not as they would be anyway."""
    return [f.name for f in fields(options) if getattr(options, f.name) != f.default]


# What a decision may be about, in the order in which they are told.
TOPICS = ("read", "target", "rows", "column", "missing", "scale", "holdout", "leak", "doubt")


class Decision(NamedTuple):
    """Something decided without a question, to be printed."""

    topic: str  # one of TOPICS
    column: str | None
    message: str | Message  # one line, complete in itself

    @property
    def text(self) -> str:
        """The message, its parameters as Python spells them."""
        return str(self.message)
