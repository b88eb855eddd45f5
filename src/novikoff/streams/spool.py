"""Temporary copies of what cannot be read in place: pipes, compressed data, other encodings."""

from __future__ import annotations

from novikoff.persistence.leftovers import Temporary
from novikoff.streams.bytes import Bytes, open_bytes

CHUNK = 1 << 20


def spool(data: Bytes) -> Temporary:
    """The content of `data`, decompressed, as a temporary file."""
    copy = Temporary()
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
