"""Arrow's stream format, message by message.

polars reads such a stream only as a whole. Each record batch is handed to it as a short stream of
its own, behind the schema and the dictionaries, so that memory stays bounded.
Format: https://arrow.apache.org/docs/format/Columnar.html (encapsulated messages).
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    import polars as pl

_CONTINUATION = b"\xff\xff\xff\xff"
_END = _CONTINUATION + bytes(4)
_SCHEMA, _DICTIONARY, _BATCH = 1, 2, 3


def ipc_stream_schema(path: Path) -> dict[str, pl.DataType]:
    """The columns of a stream and their types."""
    import polars as pl

    with path.open("rb") as file:
        for kind, message in _messages(file):
            if kind == _SCHEMA:
                return dict(pl.read_ipc_stream(io.BytesIO(message + _END)).schema)
    raise EOFError


def ipc_stream_frames(path: Path, rows: int) -> Iterator[pl.DataFrame]:
    """The rows of a stream, at most `rows` at a time."""
    import polars as pl

    before = b""
    with path.open("rb") as file:
        for kind, message in _messages(file):
            if kind == _BATCH:
                frame = pl.read_ipc_stream(io.BytesIO(before + message + _END))
                yield from frame.iter_slices(rows)
            else:
                before += message


def _messages(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Kind and bytes of each message; EOFError if the stream was cut short."""
    while prefix := file.read(8):
        if prefix == _END:
            return
        if len(prefix) < 8 or prefix[:4] != _CONTINUATION:
            raise EOFError
        metadata = _exactly(file, struct.unpack("<i", prefix[4:])[0])
        try:
            kind, length = _kind_and_body(metadata)
        except (struct.error, IndexError):
            raise OSError("a message is damaged") from None
        yield kind, prefix + metadata + _exactly(file, length)


def _exactly(file: BinaryIO, n: int) -> bytes:
    found = file.read(max(0, n))
    if len(found) != n:
        raise EOFError
    return found


def _kind_and_body(metadata: bytes) -> tuple[int, int]:
    """The kind of a message and the length of its body, from its flatbuffer.

    A flatbuffer starts with the position of its table, a table with the distance back to its
    vtable, and the vtable holds, after two sizes, where each field lies (0: it is absent). Of the
    table Message, field 1 is the kind and field 3 the length.
    """
    table = struct.unpack_from("<I", metadata, 0)[0]
    vtable = table - struct.unpack_from("<i", metadata, table)[0]
    size = struct.unpack_from("<H", metadata, vtable)[0]

    def field(k: int, form: str) -> int:
        if 4 + 2 * k >= size:
            return 0
        at = struct.unpack_from("<H", metadata, vtable + 4 + 2 * k)[0]
        return int(struct.unpack_from(form, metadata, table + at)[0]) if at else 0

    return field(1, "<B"), field(3, "<q")
