"""The two sides of a question about separability, the verdict in words, and why it is so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from typing import Any

from novikoff._messages import Message, Setting
from novikoff.analysis.wording import label, plain, spoken


def sentence(positive: str, negative: str, verdict: str, origin: bool = False) -> str:
    """The verdict in words."""
    from novikoff.certificates.results import in_words

    plane = "hyperplane through the origin" if origin else "hyperplane"
    first, second = spoken(positive), spoken(negative)
    pair = f"{first} from {second}"
    return {
        "separable": f"Yes: a {plane} separates {pair}, every row strictly on its own side.",
        "quasi-separable": f"Not quite: a {plane} can have every row of {first} and {second} on "
        "its own side or exactly on the boundary, but none has all of them strictly on their own "
        f"side. They are {in_words(verdict)}.",
        "overlapping": f"No: no {plane} separates {pair}; the classes overlap, and rows are on the "
        f"wrong side of every {plane}.",
        "undecided": f"Not known: the search for a {plane} that separates {pair} had to end.",
    }[verdict]


def why(labels: Sequence[str], places: Sequence[str], fit_intercept: bool) -> str:
    """Why the rows of an obstruction forbid a separation, in words.

    labels, places : of its rows; a place is "line 17" or "row 16".
    """
    n = len(labels)
    if n == 1:
        return f"{places[0].capitalize()} alone forbids it: it lies at the origin."
    if says_it_all(n, fit_intercept):
        return (
            f"{places[0].capitalize()} ({plain(labels[0])}) and {places[1]} ({plain(labels[1])}) "
            "alone forbid it: their features are the same, their labels are not."
        )
    what = "mean" if fit_intercept else "sum"
    return (
        f"These {n} rows alone forbid it: with the weights below, those on one side and those on "
        f"the other have the very same {what}."
    )


def says_it_all(n: int, fit_intercept: bool) -> bool:
    """Whether an obstruction of n rows needs no weights to be understood.

    That is two rows with the same features and different labels; through the origin, a row there.
    """
    return n == (2 if fit_intercept else 1)


def shares(weights: Sequence[Any]) -> list[str]:
    """Weights as they are if short, else as shares of their sum."""
    texts = [str(weight) for weight in weights]
    if max(map(len, texts)) <= 12:
        return texts
    exact = [Fraction(weight) for weight in weights]
    total = sum(exact)
    return [f"{float(100 * weight / total):.3g} %" for weight in exact]


REST = "the rest"


@dataclass(frozen=True)
class Sides:
    """Labels as two sides."""

    positive: str
    negative: str  # a label, or "the rest"
    y: Any  # (n,) -1 and +1


def positive_of(names: Sequence[str]) -> str:
    """Which of two classes, in their order, is +1 if nobody says so: the second, but + beside -."""
    return "+" if set(names) in ({"+", "-"}, {"+", "−"}) else names[-1]


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
    wanted = [positive or positive_of(names)] if len(names) == 2 or positive is not None else names
    found = []
    for name in wanted:
        chosen = y == classes[names.index(name)]
        others = [other for other in names if other != name]
        negative = others[0] if len(others) == 1 else REST
        found.append(Sides(name, negative, np.where(chosen, 1, -1)))
    return found
