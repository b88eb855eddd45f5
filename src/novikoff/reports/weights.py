"""The weights that matter, and the pair of features to look at."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff._arrays import Floats
from novikoff._messages import Message, Setting
from novikoff.analysis.compare import numbers_of
from novikoff.analysis.wording import plain

if TYPE_CHECKING:
    from novikoff.analysis.parts import Parts


def spreads(X: Any) -> Floats:
    """(d,): the standard deviation of every feature."""
    if hasattr(X, "multiply"):
        mean = np.asarray(X.mean(axis=0)).ravel()
        square = np.asarray(X.multiply(X).mean(axis=0)).ravel()
        deviation: Floats = np.sqrt(np.maximum(square - mean**2, 0.0))
        return deviation
    return np.asarray(X.std(axis=0), np.float64)


def standardised(coef: Any, X: Any) -> Floats:
    """(k, d): weights times the standard deviations of their features, so that they compare."""
    return np.atleast_2d(np.asarray(coef, np.float64)) * spreads(X)


# ------------------------------------------------------------------------------ the pair


def choose_pair(
    parts: Parts, X: Any, scaled: Floats, wanted: Sequence[str] | None
) -> tuple[int, int] | None:
    """The pair asked for, or the numeric one with the largest weights; None if there is none."""
    names = parts.feature_names
    if wanted is not None:
        return _asked_for(names, wanted)
    if len(names) == 2:
        return 0, 1
    numeric = [j for j in _numeric(parts, X) if np.abs(scaled[:, j]).max() > 0]
    if len(numeric) < 2:
        return None
    size = np.abs(scaled).max(axis=0)
    first, second = sorted(numeric, key=lambda j: -size[j])[:2]
    return first, second


def _asked_for(names: list[str], wanted: Sequence[str]) -> tuple[int, int]:
    if len(wanted) != 2 or wanted[0] == wanted[1]:
        example, got = Setting("features", ("a", "b")), f"; got {', '.join(wanted) or 'none'}."
        told = " takes two different features, as in "
        raise ValueError(Message(Setting("features"), told, example, got))
    for name in wanted:
        if name not in names:
            near = get_close_matches(name, names, n=3, cutoff=0.5) or names[:10]
            there = f"{', '.join(map(plain, near))}{' and more' * (len(names) > len(near))}"
            told = f": there is no feature {plain(name)}. There are {there}."
            raise ValueError(Message(Setting("features"), told))
    return names.index(wanted[0]), names.index(wanted[1])


def _numeric(parts: Parts, X: Any) -> list[int]:
    """The features that are numbers: not categories, words, or marks of missing cells."""
    table = getattr(parts, "table", None)
    if table is None:  # text does not say; what takes two values only is a mark
        return [j for j in range(X.shape[1]) if _more_than_two(X, j)]
    return [number.feature for number in numbers_of(table, scale=True) if number.scaled]


def _more_than_two(X: Any, j: int) -> bool:
    column = X[:, [j]]
    stored = np.unique(column.data)
    return len(stored) + (column.nnz < X.shape[0] and 0.0 not in stored) > 2
