"""Temporary copies of what cannot be read in place: pipes, compressed data, other encodings."""

from __future__ import annotations

from novikoff.persistence.leftovers import Temporary
from novikoff.streams.bytes import Bytes, open_bytes
from novikoff.streams.chunks import EndlessLine, with_lines

CHUNK = 1 << 20


def spool(data: Bytes, *, lines: bool = False) -> Temporary:
    """The content of `data`, decompressed, as a temporary file.

    lines : whether it is text, whose lines must not be too long: a short file may hold a huge one
    """
    copy = Temporary()
    with data.open() as source, copy.path.open("wb") as target:
        pieces = iter(lambda: source.read(CHUNK), b"")
        try:
            for piece in with_lines(pieces) if lines else pieces:
                target.write(piece)
        except EndlessLine as error:
            raise data.error(f"{error.text}: is this a table?") from None
    return copy


def reopenable(data: Bytes) -> Bytes:
    """The same bytes, in a file if they come from a pipe, so that they can be read again."""
    if data.reopenable:
        return data
    copy = spool(data)
    kept = open_bytes(copy.path, max_memory=data.max_memory)
    kept.name, kept.format = data.name, data.format
    kept.spooled = copy
    return kept
