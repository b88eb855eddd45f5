"""Two sides of a data set: one class against another, or against the rest."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from novikoff._messages import Message, Setting
from novikoff.analysis.wording import label, plain

REST = "the rest"


@dataclass(frozen=True)
class Sides:
    """Labels as two sides."""

    positive: str
    negative: str  # a label, or "the rest"
    y: Any  # (n,) -1 and +1


def sides(y: Any, positive: str | None) -> list[Sides]:
    """The questions that labels ask: one for two classes, one per class for more.

    `positive` picks the class that is +1.
    """
    import numpy as np

    classes = np.unique(y)
    names = [label(value) for value in classes.tolist()]
    if len(classes) < 2:
        raise ValueError(
            f"There is only one class, {plain(names[0]) if names else 'and no rows'}; two sides "
            "need two. Add rows of another class."
        )
    if positive is not None and positive not in names:
        near = get_close_matches(positive, names, n=3) or names[:5]
        meant = f": there is no such class. Did you mean {' or '.join(map(plain, near))}?"
        raise ValueError(Message(Setting("positive", positive), meant))
    wanted = [positive] if positive is not None else names if len(names) > 2 else names[1:]
    found = []
    for name in wanted:
        chosen = y == classes[names.index(name)]
        others = [other for other in names if other != name]
        negative = others[0] if len(others) == 1 else REST
        found.append(Sides(name, negative, np.where(chosen, 1, -1)))
    return found
