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
    from novikoff.streams.tables import Table, TableEncoder, TableOptions, open_table
    from novikoff.streams.vowpal import VowpalError, VowpalText

__all__ = [
    "CheckpointError",
    "LibsvmError",
    "LibsvmText",
    "StreamError",
    "Table",
    "TableEncoder",
    "TableOptions",
    "VowpalError",
    "VowpalText",
    "batches",
    "fit_stream",
    "open_source",
    "open_table",
]

_HOMES = {
    "CheckpointError": "checkpoint",
    "LibsvmError": "libsvm",
    "LibsvmText": "libsvm",
    "StreamError": "bytes",
    "VowpalError": "vowpal",
    "VowpalText": "vowpal",
    "batches": "source",
    "fit_stream": "fit",
    "open_source": "source",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'novikoff.streams' has no attribute {name!r}")
    value = getattr(import_module(f"novikoff.streams.{_HOMES.get(name, 'tables')}"), name)
    globals()[name] = value
    return value
