"""What a user may say about a table, and what the program decided without being told.

Users call columns by name, or by position where no column has that name.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple

from novikoff._messages import Message, Setting


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


def decided(topic: str, column: str | None, *told: str | Setting | Message) -> Decision:
    """A decision, told in parts."""
    return Decision(topic, column, Message(*told))


class UnknownColumnError(ValueError):
    """A table has no such column; `names` are those it has."""

    def __init__(self, message: Message, names: Sequence[str]) -> None:
        super().__init__(message)
        self.names = list(names)


def resolve(names: Sequence[str], wanted: str | int, parameter: str) -> str:
    """The column that `wanted` means; positions count from 1, or from -1 backwards.

    parameter : the one that names it. Raises an UnknownColumnError that lists near matches if
    there is none.
    """
    if isinstance(wanted, str) and wanted in names:
        return wanted
    try:
        position = int(wanted)
    except ValueError:
        raise _no_match(names, str(wanted), parameter) from None
    if 1 <= abs(position) <= len(names):
        return names[position - 1 if position > 0 else position]
    told = f": there is no such position; the {len(names)} columns count from 1, or from -1 "
    raise ValueError(Message(Setting(parameter, wanted), told, "backwards."))


def _no_match(names: Sequence[str], wanted: str, parameter: str) -> UnknownColumnError:
    lowered = {name.lower(): name for name in names}
    near = [lowered[n] for n in difflib.get_close_matches(wanted.lower(), lowered, n=5, cutoff=0.5)]
    hint = f"did you mean {listed(near, 'or')}?" if near else f"there are {listed(names)}."
    told = Message(Setting(parameter, wanted), f": there is no such column; {hint}")
    return UnknownColumnError(told, names)


def resolve_all(names: Sequence[str], wanted: Iterable[str] | str, parameter: str) -> set[str]:
    """The columns that each of `wanted` means."""
    if isinstance(wanted, str):
        wanted = (wanted,)
    return {resolve(names, one, parameter) for one in wanted}


def listed(names: Sequence[str], last: str = "and", most: int = 12) -> str:
    """Names as a person lists them; the middle of a long list is left out."""
    names = [str(name) for name in names]
    if len(names) == 1:
        return names[0]
    if len(names) <= most:
        return f"{', '.join(names[:-1])} {last} {names[-1]}"
    return f"{', '.join(names[:3])}, …, {names[-1]} ({len(names)} in all)"
