"""Files of examples, and training on data larger than memory.

`fit_stream` trains an estimator on a file; `open_source` opens one (`Table`, `LibsvmText`,
`VowpalText`) and says what is in it; `batches` yields it as pairs (X, y) for anything that learns
in batches.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from novikoff.streams.bytes import StreamError
    from novikoff.streams.checkpoint import CheckpointError
    from novikoff.streams.fit import fit_stream
    from novikoff.streams.libsvm import LibsvmError, LibsvmText
    from novikoff.streams.source import batches, open_source
    from novikoff.streams.tables.encoder import TableEncoder
    from novikoff.streams.tables.options import TableOptions
    from novikoff.streams.tables.table import Table, open_table
    from novikoff.streams.vowpal import VowpalError, VowpalText

__all__ = [
    "CheckpointError", "LibsvmError", "LibsvmText", "StreamError", "Table", "TableEncoder",
    "TableOptions", "VowpalError", "VowpalText", "batches", "fit_stream", "open_source",
    "open_table",
]  # fmt: skip

_HOMES = {
    "bytes": "StreamError",
    "checkpoint": "CheckpointError",
    "fit": "fit_stream",
    "libsvm": "LibsvmError LibsvmText",
    "source": "batches open_source",
    "tables.encoder": "TableEncoder",
    "tables.options": "TableOptions",
    "tables.table": "Table open_table",
    "vowpal": "VowpalError VowpalText",
}


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names.split():
            globals()[name] = value = getattr(import_module(f"{__name__}.{home}"), name)
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
