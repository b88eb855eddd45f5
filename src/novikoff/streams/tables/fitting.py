"""From what the training rows say to an encoder's state, and to sentences that say why.

Left out unless asked for: constants, integers that merely count the rows, and text that is
different in every row (but not if nothing else remains).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from novikoff._arrays import Ints
from novikoff.streams.tables.counts import MOST_WORDS, Counts
from novikoff.streams.tables.frames import Piece
from novikoff.streams.tables.state import ColumnState, feature_names, packed
from novikoff.streams.tables.statistics import Numbers, Strings, count_words, gather
from novikoff.streams.tables.survey import Column

MOST_CATEGORIES = 1000

# Why a column is left out.
CONSTANT = "it is constant"
COUNTING = "it merely counts the rows"
DISTINCT = "its text is different in every row"
EMPTY = "it has no values"
PLURAL = {
    CONSTANT: "they are constant",
    COUNTING: "they merely count the rows",
    DISTINCT: "their text is different in every row",
    EMPTY: "they have no values",
}


@dataclass(frozen=True)
class Wishes:
    """What the user asked for that matters here."""

    keep: frozenset[str] = frozenset()
    scale: bool = True
    hash_bits: int | None = None


@dataclass
class Fitted:
    """An encoder's state and how it came about."""

    columns: list[ColumnState] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)  # where the columns are in the stored frames
    used: list[Numbers | Strings] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)  # column -> why
    forgotten: list[str] = field(default_factory=list)  # columns with too many different values
    leaks: list[str] = field(default_factory=list)
    sparse: bool = False


def fit(
    columns: list[Column],
    pieces: Callable[[], Iterable[Piece]],
    wishes: Wishes,
    n_rows: Ints,
) -> Fitted:
    """Learn how to encode `columns` from the training rows; `n_rows` of them in each class."""
    fitted = Fitted()
    fitted.used = _select(gather(columns, pieces(), len(n_rows)), wishes.keep, fitted.left_out)
    hashed = wishes.hash_bits is not None
    texts = [s.column for s in fitted.used if isinstance(s, Strings) and s.is_text]
    vocabularies = {} if hashed else count_words(texts, pieces())
    prose = {column.name for column in texts}
    n_entries = 0
    for s in fitted.used:
        name = s.column.name
        fitted.keys.append(s.column.key)
        if isinstance(s, Numbers):
            state = _number_state(s, wishes.scale, name in wishes.keep)
            n_entries += sum(
                s.n_rows - (0 if shift else moments.n_zero)
                for shift, moments in zip(state["shifts"], s.moments.values(), strict=False)
            )
        elif name in prose:
            state = _text_state(s, vocabularies.get(name))
            n_entries += s.n_rows * 10 if hashed else _total(vocabularies[name])
        else:
            state = _category_state(s, hashed)
            n_entries += s.n_rows
        fitted.columns.append(state)
        counted = None if isinstance(s, Numbers) else vocabularies.get(name, s.counts)
        if counted is not None and counted.forgotten and not hashed:
            fitted.forgotten.append(name)
        if s.determines(n_rows):
            fitted.leaks.append(name)
    d = len(feature_names(fitted.columns, wishes.hash_bits))
    # A dense row takes 8 bytes a feature, a sparse one 12 an entry: sparse where it saves three
    # quarters of the memory, for otherwise dense is faster.
    fitted.sparse = 8 * d * int(n_rows.sum()) > 4 * 12 * n_entries
    return fitted


def _select(
    statistics: list[Numbers | Strings], keep: frozenset[str], left_out: dict[str, str]
) -> list[Numbers | Strings]:
    chosen: list[Numbers | Strings] = []
    distinct: list[Strings] = []
    for s in statistics:
        why = _why_not(s)
        if why is None or s.column.name in keep:
            chosen.append(s)
            continue
        left_out[s.column.name] = why
        if isinstance(s, Strings) and s.all_distinct:
            distinct.append(s)
    if chosen or not distinct:
        return chosen
    # Nothing else remains: prose rather than names.
    rescued = [s for s in distinct if s.is_text] or distinct
    for s in rescued:
        del left_out[s.column.name]
    return list(rescued)


def _why_not(s: Numbers | Strings) -> str | None:
    """Why a column is left out, or None."""
    if s.n_missing == s.n_rows:
        return EMPTY
    if isinstance(s, Numbers):
        constant = not any(moments.variance() for moments in s.moments.values())
        if constant and not s.n_missing:
            return CONSTANT
        return COUNTING if s.counts_rows else None
    if s.n_values == 1 and not s.n_missing:
        return CONSTANT
    return DISTINCT if s.all_distinct else None


def _number_state(s: Numbers, scale: bool, kept: bool) -> ColumnState:
    kind = s.column.kind
    # A part that never changes carries nothing, but that it is missing may.
    parts = [part for part, moments in s.moments.items() if kept or moments.variance()]
    means = [s.moments[part].mean() for part in parts]
    standardise = scale and kind != "flag"
    return {
        "name": s.column.name,
        "kind": kind,
        "spelling": s.column.words,
        "parts": parts,
        "fills": means,
        "shifts": means if standardise else [0.0] * len(parts),
        "scales": [s.moments[p].deviation() or 1.0 for p in parts]
        if standardise
        else [1.0] * len(parts),
        "missing": s.n_missing > 0,
    }


def _category_state(s: Strings, hashed: bool) -> ColumnState:
    commonest: list[Any] = s.counts.commonest()["value"].drop_nulls().to_list()
    return {
        "name": s.column.name,
        "kind": "category",
        "categories": packed([] if hashed else sorted(commonest[:MOST_CATEGORIES])),
        "rare": packed([] if hashed else sorted(commonest[MOST_CATEGORIES:])),
        "missing": s.n_missing > 0,
        "hashed": hashed,
    }


def _text_state(s: Strings, vocabulary: Counts | None) -> ColumnState:
    found = [] if vocabulary is None else vocabulary.commonest()["value"].to_list()
    return {
        "name": s.column.name,
        "kind": "text",
        "words": packed(sorted(found[:MOST_WORDS])),
        "missing": s.n_missing > 0,
        "hashed": vocabulary is None,
    }


def _total(vocabulary: Counts) -> int:
    return int(vocabulary.commonest()["n"].head(MOST_WORDS).sum())
