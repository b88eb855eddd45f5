"""Tables: from a messy file to rows of numbers, every decision said."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from novikoff.streams.tables.options import Decision, TableOptions

if TYPE_CHECKING:
    from novikoff.streams.tables.encoder import TableEncoder
    from novikoff.streams.tables.rows import TableRows, open_rows
    from novikoff.streams.tables.table import Block, Table, open_table

__all__ = [
    "Block",
    "Decision",
    "Table",
    "TableEncoder",
    "TableOptions",
    "TableRows",
    "open_rows",
    "open_table",
]

# What needs numpy and scikit-learn is imported when it is asked for: the command line reads the
# options long before it reads a table.
_LAZY = {
    "Block": "table",
    "TableRows": "rows",
    "Table": "table",
    "TableEncoder": "encoder",
    "open_rows": "rows",
    "open_table": "table",
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
