"""Decisions about columns as sentences, like ones together."""

from __future__ import annotations

from collections import defaultdict

from novikoff._messages import Setting
from novikoff.streams.tables.counts import MOST_VALUES, MOST_WORDS
from novikoff.streams.tables.fitting import MOST_CATEGORIES, PLURAL, Fitted, Wishes
from novikoff.streams.tables.options import Decision, decided, listed
from novikoff.streams.tables.state import ColumnState, unpacked
from novikoff.streams.tables.statistics import Numbers
from novikoff.streams.tables.survey import Column

_LONGEST_CELL = 40  # characters of it that are shown


def decisions(
    fitted: Fitted,
    columns: list[Column],
    wishes: Wishes,
    missing: str,
    target: str | None,
    *,
    split: bool,
) -> list[Decision]:
    """Everything decided about the columns, one line each.

    columns : all that were surveyed; split : whether some rows were held out
    """
    found = [
        *_rounded(columns),
        *_left_out(fitted, columns, split),
        *_numbers(fitted),
        *_categories(fitted, wishes),
        *_forgotten(fitted),
    ]
    if missing == "impute":
        found += _missing(fitted)
    found += _scale(fitted, wishes)
    if target is not None:
        for name in fitted.leaks:
            told = f"{name} determines {target}: a copy? "
            found.append(decided("leak", name, told, Setting("drop", (name,))))
    return found


def _rounded(columns: list[Column]) -> list[Decision]:
    return [
        decided(
            "column",
            c.name,
            f"{c.name} has whole numbers beyond 2^53, which are rounded to the nearest double: "
            f"{c.rounded} is read as {int(float(c.rounded))}; if they are names, ",
            Setting("categorical", (c.name,)),
        )
        for c in columns
        if c.rounded is not None and c.kind == "number"
    ]


def _left_out(fitted: Fitted, columns: list[Column], split: bool) -> list[Decision]:
    groups = defaultdict(list)
    for name, why in fitted.left_out.items():
        groups[why].append(name)
    found = []
    for why, (first, *others) in groups.items():
        if others:
            told = f"{listed([first, *others])} are left out: {_among(PLURAL[why], split)}; "
            found.append(decided("column", None, told, Setting("keep"), " keeps one"))
        else:
            told = f"{first} is left out: {_among(why, split)}; "
            found.append(decided("column", first, told, Setting("keep", (first,)), " keeps it"))
    nearly = [c for c in columns if c.name in fitted.left_out and _is_nearly_numeric(c)]
    return [*found, *(_nearly_numeric(c, "text") for c in nearly)]


def _among(why: str, split: bool) -> str:
    """A reason, said of the training rows where others are held out: those may say otherwise."""
    if not split:
        return why
    in_every = why.replace("in every row", "in every training row")
    return in_every if in_every != why else f"{why} in the training rows"


def _numbers(fitted: Fitted) -> list[Decision]:
    groups = defaultdict(list)
    for column in fitted.columns:
        if column["kind"] in ("number", "flag", "date"):
            groups[column["kind"], column["spelling"]].append(column["name"])
    found = []
    for (kind, spelling), names in groups.items():
        alone = names[0] if len(names) == 1 else None
        what = {
            "number": "numeric",
            "flag": f"{spelling} as 1/0",
            "date": "dates, as days since 1970-01-01, month and weekday",
        }[kind]
        found.append(Decision("column", alone, f"{what}: {listed(names)}"))
    return found


def _categories(fitted: Fitted, wishes: Wishes) -> list[Decision]:
    found = []
    sizes = []
    for column, s in zip(fitted.columns, fitted.used, strict=True):
        name = column["name"]
        if isinstance(s, Numbers):
            continue
        if column["kind"] == "text":
            found.append(Decision("column", name, _text(column)))
            continue
        sizes.append(f"{name} ({s.n_values})")
        if s.column.no_date is not None:
            row, cell = s.column.no_date
            told = (
                f"{name} is taken for categories: its first cells are ISO dates, but "
                f"{_shown(cell)} (row {row + 1}) is none; if it means missing, say so with "
            )
            found.append(decided("column", name, told, Setting("na")))
        if _is_nearly_numeric(s.column):
            found.append(_nearly_numeric(s.column, "categories"))
        if s.n_values > MOST_CATEGORIES and wishes.hash_bits is None:
            text = (
                f"{name} has {s.n_values} categories in the training rows: the "
                f"{MOST_CATEGORIES} commonest are listed, the others are (other)"
            )
            found.append(Decision("column", name, text))
    if sizes:
        hashed = f", hashed into {1 << wishes.hash_bits} columns" if wishes.hash_bits else ""
        found.insert(0, Decision("column", None, f"categories{hashed}: {listed(sizes)}"))
    return found


def _text(column: ColumnState) -> str:
    if column["hashed"]:
        return f"{column['name']} is text: its words are counted, hashed"
    n = len(unpacked(column["words"]))
    which = f"its {MOST_WORDS} commonest words" if n == MOST_WORDS else f"its {n} words"
    return f"{column['name']} is text: {which} are counted"


def _shown(cell: str) -> str:
    return repr(cell if len(cell) <= _LONGEST_CELL else f"{cell[:_LONGEST_CELL]}…")


def _is_nearly_numeric(column: Column) -> bool:
    n_alike = column.n_numbers + column.n_dressed
    return column.kind == "string" and 2 * n_alike > column.n_present


def _nearly_numeric(column: Column, taken_for: str) -> Decision:
    name, n_bad = column.name, column.n_present - column.n_numbers
    are = "is no number" if n_bad == 1 else "are no numbers"
    examples = listed(list(dict.fromkeys(_shown(cell) for _, cell in column.refused))[:3], "or")
    told = (
        f"{name} is taken for {taken_for}: {n_bad} of its {column.n_present} cells {are}, "
        f"such as {examples}; "
    )
    if 2 * column.n_dressed > n_bad:
        told += "if they are numbers, write them with digits and a decimal point only; if they are "
        return decided("column", name, told, "names, ", Setting("categorical", (name,)))
    return decided("column", name, told, "if that means missing, say so with ", Setting("na"))


def _forgotten(fitted: Fitted) -> list[Decision]:
    told = (
        f" has more than {MOST_VALUES} different values, too many to count: the rarest were "
        "forgotten; ",
        Setting("hash_bits", 20),
        " would hash them all",
    )
    return [decided("column", name, name, *told) for name in fitted.forgotten]


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
    if not wishes.scale:
        text = "numeric columns are left as they are: an unscaled column may rule the others"
        return [Decision("scale", None, text)]
    text = "numeric columns are standardised to mean 0 and standard deviation 1 (training rows); "
    return [decided("scale", None, text, Setting("scale", False), " leaves them as they are")]
