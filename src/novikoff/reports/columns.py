"""What was decided about each column of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from novikoff._messages import Setting
from novikoff.analysis.wording import as_option, count, for_shell, grouped, plain
from novikoff.streams.tables.state import ColumnState, names_of, unpacked

if TYPE_CHECKING:
    from novikoff.streams.tables.options import Decision
    from novikoff.streams.tables.table import Table

MOST_COLUMNS = 200  # that are listed
MOST_NAMED = 10  # columns left out that are named
TITLES = {
    "read": "How the file was read",
    "target": "The target",
    "rows": "Rows",
    "column": "Columns",
    "missing": "Missing cells",
    "scale": "Scale",
    "holdout": "Held-out rows",
    "leak": "Leaks",
}


@dataclass(frozen=True)
class Column:
    """One column in use."""

    name: str
    kind: str
    becomes: str
    remarks: list[str]


def columns_in_use(table: Table) -> list[Column]:
    """The columns that features are made of, in the order of the file."""
    found = []
    for state in table.encoder.columns_[:MOST_COLUMNS]:
        remarks = [
            for_shell(d.message)
            for d in table.decisions
            if d.column == state["name"]
            and d.topic in ("column", "missing", "leak")
            # "numeric: age" says what the row of the table says already
            and not d.text.endswith(f": {state['name']}")
        ]
        found.append(Column(state["name"], _kind(state), _becomes(state), remarks))
    return found


def left_out(table: Table) -> list[str]:
    """A sentence about the columns that nobody dropped and that are not used all the same."""
    names = table.left_out
    if not names:
        return []
    shown = ", ".join(map(plain, names[:MOST_NAMED])) + ", …" * (len(names) > MOST_NAMED)
    verb = "is" if len(names) == 1 else "are"
    keep = as_option(Setting("keep", tuple(names[:MOST_NAMED])))
    return [f"{shown} {verb} not learned from (why, Columns says); {plain(keep)} overrules that"]


def by_topic(decisions: list[Decision]) -> list[tuple[str, list[str]]]:
    """Every decision, under titles."""
    topics = {
        topic: [for_shell(d.message) for d in decisions if d.topic == topic] for topic in TITLES
    }
    return [(TITLES[topic], texts) for topic, texts in topics.items() if texts]


def _kind(state: ColumnState) -> str:
    if state["kind"] == "flag":
        return f"{state['spelling']}"
    return {"number": "number", "date": "date", "category": "categories", "text": "text"}[
        state["kind"]
    ]


def _becomes(state: ColumnState) -> str:
    kind, n = state["kind"], len(names_of(state))
    if state.get("hashed"):
        return "hashed features"
    if kind == "category":
        return f"{count(n, 'feature')}, one per category"
    if kind == "text":
        return f"{grouped(len(unpacked(state['words'])))} features, one per word"
    if kind == "flag":
        return "1 or 0" + (", and a mark where missing" if state["missing"] else "")
    if not state["parts"]:
        return "a mark where missing"
    parts = ", ".join(state["parts"]) if kind == "date" else ""
    text = f"{count(n, 'feature')}" + (f": {parts}" if parts else "")
    shift, scale = state["shifts"][0], state["scales"][0]
    if kind == "number" and (shift, scale) != (0.0, 1.0):
        text = f"(x − {shift:.4g}) / {scale:.4g}".replace("− -", "+ ")
    elif kind == "number":
        text = "as it is"
    return text + (", and a mark where missing" if kind == "number" and state["missing"] else "")
