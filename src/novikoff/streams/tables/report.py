"""Decisions about columns as sentences, like ones together."""

from __future__ import annotations

from collections import defaultdict

from novikoff.streams.tables import leak
from novikoff.streams.tables.counts import MOST_VALUES
from novikoff.streams.tables.fitting import (
    CONSTANT,
    COUNTING,
    DISTINCT,
    EMPTY,
    MOST_CATEGORIES,
    Fitted,
    Wishes,
)
from novikoff.streams.tables.names import as_option, listed
from novikoff.streams.tables.options import Decision
from novikoff.streams.tables.state import State, unpacked
from novikoff.streams.tables.statistics import Numbers, Strings
from novikoff.streams.tables.words import MOST_WORDS

__all__ = ["decisions"]

_PLURAL = {
    CONSTANT: "they are constant",
    COUNTING: "they merely count the rows",
    DISTINCT: "their text is different in every row",
    EMPTY: "they have no values",
}


def decisions(fitted: Fitted, wishes: Wishes, missing: str, target: str | None) -> list[Decision]:
    """Everything decided about the columns, one line each."""
    found = [
        *_left_out(fitted),
        *_numbers(fitted),
        *_categories(fitted, wishes),
        *_forgotten(fitted),
    ]
    if missing == "impute":
        found += _missing(fitted)
    found += _scale(fitted, wishes)
    if target is not None:
        found += [leak.decision(name, target) for name in fitted.leaks]
    return found


def _left_out(fitted: Fitted) -> list[Decision]:
    groups = defaultdict(list)
    for name, why in fitted.left_out.items():
        groups[why].append(name)
    return [
        Decision(
            "column",
            names[0],
            f"{names[0]} is left out: {why}; {as_option('--keep', names[0])} keeps it",
        )
        if len(names) == 1
        else Decision(
            "column",
            None,
            f"{listed(names)} are left out: {_PLURAL[why]}; --keep keeps one",
        )
        for why, names in groups.items()
    ]


def _numbers(fitted: Fitted) -> list[Decision]:
    groups = defaultdict(list)
    for column in fitted.columns:
        if column["kind"] in ("number", "flag", "date"):
            groups[column["kind"], column["spelling"]].append(column["name"])
    found = []
    for (kind, spelling), names in groups.items():
        alone = names[0] if len(names) == 1 else None
        if kind == "number":
            text = f"numeric: {listed(names)}"
        elif kind == "flag":
            text = f"{spelling} as 1/0: {listed(names)}"
        else:
            text = f"dates, as days since 1970-01-01, month and weekday: {listed(names)}"
        found.append(Decision("column", alone, text))
    return found


def _categories(fitted: Fitted, wishes: Wishes) -> list[Decision]:
    found = []
    sizes = []
    for column, s in zip(fitted.columns, fitted.used, strict=True):
        name = column["name"]
        if isinstance(s, Numbers):
            continue
        if column["kind"] == "text":
            found.append(Decision("column", name, _text(column, wishes)))
            continue
        sizes.append(f"{name} ({s.n_values})")
        if s.column.no_date is not None:
            found.append(Decision("column", name, _nearly_dates(s)))
        n_numbers = s.column.n_numbers
        if s.column.kind == "string" and 2 * n_numbers > s.column.n_present:
            found.append(Decision("column", name, _nearly_numeric(s)))
        if s.n_values > MOST_CATEGORIES and wishes.hash_bits is None:
            text = (
                f"{name} has {s.n_values} categories: the {MOST_CATEGORIES} commonest are listed, "
                "the others are (other)"
            )
            found.append(Decision("column", name, text))
    if sizes:
        hashed = f", hashed into {1 << wishes.hash_bits} columns" if wishes.hash_bits else ""
        text = f"categories{hashed}: {listed(sizes)}"
        found.insert(0, Decision("column", None, text))
    return found


def _text(column: State, wishes: Wishes) -> str:
    if column["hashed"]:
        return f"{column['name']} is text: its words are counted, hashed"
    n = len(unpacked(column["words"]))
    which = f"its {MOST_WORDS} commonest words" if n == MOST_WORDS else f"its {n} words"
    return f"{column['name']} is text: {which} are counted"


def _nearly_numeric(s: Strings) -> str:
    column = s.column
    n_bad = column.n_present - column.n_numbers
    examples = listed([repr(cell) for _, cell in column.refused[:3]], "or")
    return (
        f"{column.name} is taken for categories: {n_bad} of its {column.n_present} cells are no "
        f"numbers, such as {examples}; if these mean missing, say so with --na"
    )


def _nearly_dates(s: Strings) -> str:
    assert s.column.no_date is not None
    row, cell = s.column.no_date
    return (
        f"{s.column.name} is taken for categories: its first cells are ISO dates, but {cell!r} "
        f"(row {row + 1}) is none; if it means missing, say so with --na"
    )


def _forgotten(fitted: Fitted) -> list[Decision]:
    return [
        Decision(
            "column",
            name,
            f"{name} has more than {MOST_VALUES} different values, too many to count: the rarest "
            "were forgotten; --hash-bits 20 would hash them all",
        )
        for name in fitted.forgotten
    ]


def _missing(fitted: Fitted) -> list[Decision]:
    found = []
    for column, s in zip(fitted.columns, fitted.used, strict=True):
        if not s.n_missing:
            continue
        name = column["name"]
        share = f"{name} is missing in {s.n_missing} of {s.n_rows} training rows"
        if column["kind"] == "category":
            text = f"{share}; (missing) is a category"
        elif column["kind"] == "text":
            text = f"{share}; a column '{name} is missing' marks them"
        elif not column["parts"]:
            text = f"{share} and constant elsewhere; only a column '{name} is missing' is kept"
        else:
            mean = "the mean" if column["kind"] == "date" else f"the mean {column['fills'][0]:.4g}"
            text = f"{share}; {mean} stands in, and a column '{name} is missing' marks them"
        found.append(Decision("missing", name, text))
    return found


def _scale(fitted: Fitted, wishes: Wishes) -> list[Decision]:
    names = [c["name"] for c in fitted.columns if c["kind"] in ("number", "date") and c["parts"]]
    if not names:
        return []
    if wishes.scale:
        text = (
            "numeric columns are standardised to mean 0 and standard deviation 1 (training rows); "
            "--no-scale leaves them as they are"
        )
    else:
        text = "numeric columns are left as they are: an unscaled column may rule the others"
    return [Decision("scale", None, text)]
