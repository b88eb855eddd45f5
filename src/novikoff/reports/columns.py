"""What was decided about each column of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from novikoff._messages import Setting
from novikoff.analysis.wording import as_option, count, first_of, for_shell, grouped, plain
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


def columns_in_use(table: Table) -> list[dict[str, Any]]:
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
        name, kind, becomes = state["name"], _kind(state), _becomes(state)
        found.append({"name": name, "kind": kind, "becomes": becomes, "remarks": remarks})
    return found


def left_out(table: Table) -> list[str]:
    """A sentence about the columns that nobody dropped and that are not used all the same."""
    names = table.left_out
    if not names:
        return []
    shown = first_of([*map(plain, names)], MOST_NAMED)
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
    return "categories" if state["kind"] == "category" else state["kind"]


def _becomes(state: ColumnState) -> str:
    kind, features = state["kind"], count(len(names_of(state)), "feature")
    if state.get("hashed"):
        return "hashed features"
    if kind == "category":
        return f"{features}, one per category"
    if kind == "text":
        return f"{grouped(len(unpacked(state['words'])))} features, one per word"
    mark = ", and a mark where missing" if state["missing"] else ""
    if kind == "flag":
        return f"1 or 0{mark}"
    if not state["parts"]:
        return "a mark where missing"
    if kind == "date":
        return f"{features}: {', '.join(state['parts'])}"
    shift, scale = state["shifts"][0], state["scales"][0]
    if (shift, scale) == (0.0, 1.0):
        return f"as it is{mark}"
    return f"(x − {shift:.4g}) / {scale:.4g}".replace("− -", "+ ") + mark
