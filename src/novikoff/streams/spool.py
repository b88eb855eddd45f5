"""Temporary copies of what cannot be read in place: pipes, compressed data, other encodings."""

from __future__ import annotations

import os
import tempfile
import weakref
from pathlib import Path

from novikoff.streams.bytes import Bytes, open_bytes

CHUNK = 1 << 20


class TemporaryPath:
    """A temporary file that is removed when this object is, or at the latest at exit."""

    def __init__(self) -> None:
        handle, name = tempfile.mkstemp(prefix="novikoff-")
        os.close(handle)
        self.path = Path(name)
        self._finalizer = weakref.finalize(self, self.path.unlink, missing_ok=True)

    def remove(self) -> None:
        """Remove the file now."""
        self._finalizer()


def spool(data: Bytes) -> TemporaryPath:
    """The content of `data`, decompressed, as a temporary file."""
    copy = TemporaryPath()
    with data.open() as source, copy.path.open("wb") as target:
        while chunk := source.read(CHUNK):
            target.write(chunk)
    return copy


def reopenable(data: Bytes) -> Bytes:
    """The same bytes, in a file if they come from a pipe, so that they can be read again."""
    if data.reopenable:
        return data
    copy = spool(data)
    kept = open_bytes(copy.path)
    kept.name = data.name
    kept.spooled = copy
    return kept
