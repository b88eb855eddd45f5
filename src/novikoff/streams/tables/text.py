"""Text as a file of UTF-8 lines, which is what is read in the end.

A plain UTF-8 file is read where it lies. Anything else (compressed, a pipe, UTF-16 or another
encoding, lines that end in a lone carriage return) is first written to a temporary file.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterator
from pathlib import Path

from novikoff._messages import Message, Setting
from novikoff.persistence.disk import Temporary
from novikoff.streams.bytes import PEEK, Bytes, StreamError
from novikoff.streams.chunks import spool, with_lines
from novikoff.streams.decompress import BUFFER, in_pieces
from novikoff.streams.formats import byte_order_mark

_MARK = codecs.BOM_UTF8


class Text:
    """A file of UTF-8 text.

    Attributes
    ----------
    name : str
        The file as the user knows it, for messages.
    path : Path
        Where it can be read: there is no other encoding, compression or line ending here than
        UTF-8, none, and LF or CR LF.
    encoding : str
        What the encoding was.
    start : int
        Where the text begins, after a byte order mark.
    """

    def __init__(self, data: Bytes, encoding: str | None) -> None:
        self.name = data.name
        self._temporary: Temporary | None = None
        head = data.peek(PEEK)
        mark = byte_order_mark(head)
        if encoding is not None:
            self.encoding = _known(encoding, data)
        else:
            self.encoding = "utf-8" if mark is None else mark[1].removesuffix("-sig")
        returns_only = self.encoding == "utf-8" and b"\r" in head[:-1] and b"\n" not in head
        if self.encoding != "utf-8" or returns_only:
            self._temporary = _recoded(data, self.encoding, returns_only)
        elif data.path is None:
            self._temporary = spool(data, lines=True)
        path = data.path if self._temporary is None else self._temporary.path
        assert path is not None
        self.path: Path = path
        with path.open("rb") as file:
            self.start = len(_MARK) if file.read(len(_MARK)) == _MARK else 0

    def behind(self, n: int) -> int:
        """Where the first `n` lines end."""
        with self.path.open("rb") as file:
            file.seek(self.start)
            for _ in range(n):
                file.readline()
            return file.tell()

    def sample(self, size: int) -> tuple[str, bool]:
        """The first whole lines within `size` bytes, and whether they are the whole text."""
        with self.path.open("rb") as file:
            file.seek(self.start)
            head = file.read(size)
            complete = not file.read(1)
        if not complete:
            head = head[: head.rfind(b"\n") + 1]
        try:
            return head.decode(), complete
        except UnicodeDecodeError:
            self.check_encoding()
            raise

    def lines(self) -> Iterator[str]:
        """The lines, with their ends; only LF ends a line."""
        encoding = "utf-8-sig" if self.start else "utf-8"
        with self.path.open(encoding=encoding, newline="\n") as file:
            try:
                yield from file
            except UnicodeDecodeError:
                self.check_encoding()
                raise

    def quotes_and_blanks(self, delimiter: str) -> tuple[bool, bool]:
        """Whether there are quotes, and whether any character may be a blank within a cell."""
        blanks = [blank for blank in (b" ", b"\t", b"\v", b"\f") if blank != delimiter.encode()]
        quotes = blank = False
        with self.path.open("rb", buffering=0) as file:
            file.seek(self.start)
            while not (quotes and blank) and (chunk := file.read(BUFFER)):
                quotes = quotes or b'"' in chunk
                # Beyond ASCII there are more kinds of blanks than are worth looking for.
                blank = blank or not chunk.isascii() or any(b in chunk for b in blanks)
        return quotes, blank

    def ends_with(self, character: str) -> bool:
        """Whether an ASCII character is the very last one."""
        with self.path.open("rb") as file:
            file.seek(-1, os.SEEK_END)
            return file.read() == character.encode()

    def check_encoding(self) -> None:
        """Raise the error that says where the text is not UTF-8, if it is not."""
        with self.path.open("rb") as file:
            for _ in _decoded(in_pieces(file), "utf-8", self.name):
                pass


def _known(encoding: str, data: Bytes) -> str:
    try:
        name = codecs.lookup(encoding).name
        "".encode(name)  # some of Python's codecs are not about text
    except LookupError:
        raise data.error(
            f"there is no encoding {encoding!r}; use one such as utf-8, latin-1, cp1252 or utf-16"
        ) from None
    return "utf-8" if name == "utf-8-sig" else name


def _recoded(data: Bytes, encoding: str, returns_only: bool) -> Temporary:
    copy = Temporary()
    with data.open() as source, copy.path.open("w", encoding="utf-8", newline="") as target:
        pieces = in_pieces(source) if returns_only else with_lines(in_pieces(source), data)
        for text in _decoded(pieces, encoding, data.name):
            target.write(text.replace("\r", "\n") if returns_only else text)
    return copy


def _decoded(chunks: Iterator[bytes], encoding: str, name: str) -> Iterator[str]:
    """Decode piece by piece; an error names the byte and the line."""
    decoder = codecs.getincrementaldecoder(encoding)()
    offset, line = 0, 1  # of what the decoder has not turned into text yet
    final = False
    while not final:
        chunk = next(chunks, b"")
        final = not chunk
        waiting = decoder.getstate()[0]
        try:
            text = decoder.decode(chunk, final)
        except UnicodeDecodeError as error:
            line += error.object[: error.start].decode(encoding, "replace").count("\n")
            hint = Message(Setting("encoding", "latin-1"), " or ", Setting("encoding", "cp1252"))
            if encoding != "utf-8":
                hint = Message("another ", Setting("encoding"))
            place = f"the byte 0x{error.object[error.start]:02x} at offset {offset + error.start}"
            what = f" is not {encoding.upper()} text; try "
            raise StreamError(place, what, hint, file=name, line=line) from None
        offset += len(waiting) + len(chunk) - len(decoder.getstate()[0])
        line += text.count("\n")
        yield text
