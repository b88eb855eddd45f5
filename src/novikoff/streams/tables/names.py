"""Columns as users name them: by name, or by position where no column has that name."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from novikoff._messages import Message, Setting

__all__ = ["UnknownColumnError", "listed", "resolve", "resolve_all"]


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
        position = None
    if position is not None:
        if 1 <= abs(position) <= len(names):
            return names[position - 1 if position > 0 else position]
        told = f": there is no such position; the {len(names)} columns count from 1, or from -1 "
        raise ValueError(Message(Setting(parameter, wanted), told, "backwards."))
    return _no_match(names, str(wanted), parameter)


def _no_match(names: Sequence[str], wanted: str, parameter: str) -> str:
    lowered = {name.lower(): name for name in names}
    near = [lowered[n] for n in difflib.get_close_matches(wanted.lower(), lowered, n=5, cutoff=0.5)]
    hint = f"did you mean {listed(near, 'or')}?" if near else f"there are {listed(names)}."
    told = Message(Setting(parameter, wanted), f": there is no such column; {hint}")
    raise UnknownColumnError(told, names)


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
