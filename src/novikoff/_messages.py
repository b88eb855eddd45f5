"""What a person is told, as data: text, and the parameters that would mend it.

The library calls a parameter by its name in Python, ``keep=["age"]``; the command line calls the
same thing ``--keep age``. A message therefore keeps its parameters apart from its prose, and
whoever shows it spells them: `str` as Python does, `novikoff.analysis.wording` as a shell does.
Nobody translates finished prose.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

__all__ = ["Message", "Setting", "said"]


@dataclass(frozen=True)
class Setting:
    """A parameter and the value to give it; `...` where that is for the reader to choose.

    >>> print(Setting("ties", "mistake"), Setting("drop", ("a", "b")), Setting("target"))
    ties="mistake" drop=["a", "b"] target=…
    """

    name: str
    value: Any = ...

    def __str__(self) -> str:
        return f"{self.name}={'…' if self.value is ... else _written(self.value)}"


def _written(value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, str) and value.isprintable() and not {'"', "\\"} & set(value):
        return f'"{value}"'
    return repr(value)


class Message:
    """Text and settings, one after the other; `str` spells the settings as Python does.

    An exception or a warning is made of it as of text, ``ValueError(Message(...))``, and `said`
    gives it back.

    >>> print(Message("nothing is left; ", Setting("missing", "impute"), " keeps the rows"))
    nothing is left; missing="impute" keeps the rows
    """

    def __init__(self, *parts: str | Setting | Message) -> None:
        self.parts: tuple[str | Setting, ...] = tuple(
            piece
            for part in parts
            for piece in (part.parts if isinstance(part, Message) else (part,))
        )

    def spelled(self, spell: Callable[[Setting], str]) -> str:
        """The text, with every setting as `spell` has it."""
        return "".join(p if isinstance(p, str) else spell(p) for p in self.parts)

    def __str__(self) -> str:
        return self.spelled(str)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Message) and self.parts == other.parts

    def __hash__(self) -> int:
        return hash(self.parts)

    def __repr__(self) -> str:
        return f"Message{self.parts!r}"


def said(told: BaseException | Message | str) -> Message:
    """What was told, in parts; what came as text is one."""
    first = told.args[0] if isinstance(told, BaseException) and told.args else told
    return first if isinstance(first, Message) else Message(str(told))
