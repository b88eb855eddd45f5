"""Where the bytes of a data file come from: a path, a folder, a pipe; compressed or not.

Compression and format are recognised by content, never by a name: files are renamed, and pipes
have no names.
"""

from __future__ import annotations

import difflib
import hashlib
import io
import os
import stat
import sys
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, cast

from novikoff._memory import as_bytes, limit
from novikoff._messages import Message, Setting
from novikoff.streams import decompress, formats
from novikoff.streams.decompress import BUFFER, MAGIC_LENGTH, as_stream, at_least, in_pieces

PEEK = 65536


class StreamError(ValueError):
    """A data file cannot be read: what is wrong, in which file and where.

    Attributes
    ----------
    file : str
        The file, as the user named it.
    line, column : int or None
        Where in the file, counted from 1, if it is about one place.
    """

    def __init__(
        self,
        *told: str | Setting | Message,
        file: str,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        where = file
        if line is not None:
            where += f", line {line}"
        if column is not None:
            where += f", column {column}"
        super().__init__(Message(where, ": ", *told))
        self.file = file
        self.line = line
        self.column = column


class Bytes:
    """The bytes of a file, a folder of files or a pipe; made by `open_bytes`.

    Attributes
    ----------
    name : str
        For messages: the path as given, or "<stdin>".
    path : Path or None
        The file itself, if it is regular and not compressed.
    folder : Path or None
        The folder, if it is a data set of many files.
    reopenable : bool
        False for a pipe, which can be read once.
    size : int or None
        What the file takes on disk (of a folder, all its files), for progress.
    max_memory : int or None
        How many bytes of memory may be taken for what the content says; None for the usual limit.
    format : str or None
        What `recognise` answers whatever the content is; None to look at it.
    """

    format: str | None = None

    def __init__(
        self,
        name: str,
        *,
        stored: Path | None = None,
        pipe: BinaryIO | None = None,
        owned: bool = False,
        max_memory: int | None = None,
    ) -> None:
        self.name = name
        self.max_memory = max_memory
        self.reopenable = stored is not None
        self.folder = stored if stored is not None and stored.is_dir() else None
        self.path: Path | None = None
        self.size: int | None = None
        self._stored = stored
        self._pipe = pipe
        self._owned = owned  # whether the pipe is ours to close
        self.spooled: Any = None  # a temporary file that is to vanish with this object
        self._content: BinaryIO | None = None  # of a pipe: decompressed, as far as not in _head
        self._head = b""
        if self.folder is not None:
            self.size = sum(file.stat().st_size for file in self.files())
        elif stored is not None:
            self.size = stored.stat().st_size
            with stored.open("rb") as file:
                if decompress.compression(file.read(MAGIC_LENGTH)) is None:
                    self.path = stored

    def open(self) -> BinaryIO:
        """The content from its first byte, decompressed."""
        if self.folder is not None:
            raise self.error("this is a folder: it can be read as a table, not as one stream")
        if self._stored is not None:
            return self._decompressed(self._stored.open("rb", BUFFER))
        content = self._pipe_content()
        if self._pipe is None:
            raise self.error("it was read already and cannot be read a second time; use a file")
        self._pipe = None
        return as_stream(chain([self._head], in_pieces(content)), content.close)

    def peek(self, n: int = PEEK) -> bytes:
        """The first bytes of the content, decompressed, at most `n`; consumes nothing."""
        if self._stored is not None:
            with self.open() as file:
                return file.read(n)
        content = self._pipe_content()
        if self._pipe is not None:
            self._head = at_least(content, n, self._head)
        return self._head[:n]

    def fingerprint(self, copy: Path | None = None) -> str:
        """A digest that tells this content from another, from samples of what is stored.

        copy : where the content of a pipe was written to
        """
        stored = self._stored or copy
        if stored is None:
            raise ValueError(f"{self.name} is read once and has no fingerprint")
        if self.folder is None:
            return _file_fingerprint(stored)
        digest = hashlib.sha256()
        for file in self.files():
            digest.update(f"{file.relative_to(self.folder)}\n{_file_fingerprint(file)}\n".encode())
        return digest.hexdigest()

    def files(self) -> list[Path]:
        """The data files of a folder, sorted; names that start with . or _ are no data."""
        if self.folder is None:
            return []
        found = []
        for file in self.folder.rglob("*"):
            inside = file.relative_to(self.folder).parts
            if not any(part.startswith((".", "_")) for part in inside) and file.is_file():
                found.append(file)
        return sorted(found)

    def error(self, *told: str | Setting | Message, **where: int | None) -> StreamError:
        """An error about this file."""
        return StreamError(*told, file=self.name, **where)

    def _pipe_content(self) -> BinaryIO:
        if self._content is None:
            assert self._pipe is not None
            pieces = chain([at_least(self._pipe, MAGIC_LENGTH)], in_pieces(self._pipe))
            close = self._pipe.close if self._owned else None
            self._content = self._decompressed(as_stream(pieces, close))
        return self._content

    def _decompressed(self, stored: Any) -> BinaryIO:
        kind = decompress.compression(stored.peek(MAGIC_LENGTH))
        if kind is None:
            return cast(BinaryIO, stored)
        return decompress.decompressed(stored, kind, self.error, limit(self.max_memory))


def open_bytes(
    source: str | os.PathLike[str] | BinaryIO, *, max_memory: str | int | None = None
) -> Bytes:
    """Find the bytes that `source` stands for.

    Parameters
    ----------
    source : path or binary stream
        A file (compressed or not), a folder of Parquet or Arrow files, "-" for standard input, or
        an open binary stream, which is read once, from where it stands.
    max_memory : str or int, optional
        The most memory that may be taken for what the content says (a large index, a compressor's
        window), such as "4GB"; by default half of what the machine has.
    """
    most = as_bytes(max_memory)
    if not isinstance(source, str | os.PathLike):
        name = getattr(source, "name", None)
        name = name if isinstance(name, str) else "<stream>"
        if isinstance(source, io.TextIOBase):
            raise StreamError('this is text, and bytes are read: open it with "rb"', file=name)
        return Bytes(name, pipe=source, max_memory=most)
    name = os.fspath(source)
    if name == "-":
        return Bytes("<stdin>", pipe=cast(BinaryIO, sys.stdin.buffer), max_memory=most)
    if not name:  # to a path it would mean the current folder
        what = "an empty text is no file name; name a file, or - for standard input"
        raise StreamError(what, file=repr(name))
    path = Path(name).expanduser()
    try:
        mode = path.stat().st_mode
        if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
            return Bytes(name, stored=path, max_memory=most)
        return Bytes(name, pipe=path.open("rb"), owned=True, max_memory=most)
    except (FileNotFoundError, NotADirectoryError):
        raise StreamError(f"there is no such file{_similar(path)}", file=name) from None
    except PermissionError:
        raise StreamError("no permission to read it", file=name) from None
    except OSError as error:
        raise StreamError(f"cannot be read ({error.strerror})", file=name) from error
    except ValueError as error:  # a NUL in the name
        raise StreamError(f"is no file name ({error})", file=name) from error


def recognise(data: Bytes, *, encoding: str | None = None) -> str:
    """The format of the data: "csv", "parquet", "arrow", "jsonl", "arff", "libsvm" or "vw".

    A folder is "parquet" or "arrow" by its files. With an `encoding`, what is not Parquet or Arrow
    is taken for text.
    """
    if data.folder is not None:
        return _recognise_folder(data)
    head = data.peek()
    if not head:
        raise data.error("the file is empty")
    if data.format is not None:
        return data.format
    kind = formats.columnar(head)
    if kind is not None:
        return "parquet" if kind == "parquet" else "arrow"
    if encoding is None and formats.byte_order_mark(head) is None:
        what = formats.stranger(head)
        if what is not None:
            raise data.error(
                "this is ", what, "; novikoff reads CSV, Parquet, Arrow, JSON lines, ARFF, LIBSVM "
                "text and Vowpal Wabbit's, plain or compressed by gzip, bzip2, xz or zstd",
            )  # fmt: skip
    if (kind := formats.table_text(head)) is not None:
        return kind
    if formats.looks_like_vowpal(head):
        return "vw"
    return "libsvm" if formats.looks_like_libsvm(head) else "csv"


def _recognise_folder(data: Bytes) -> str:
    files = data.files()
    if not files:
        raise data.error("the folder holds no data files")
    kinds = {}
    for path in files:
        with path.open("rb") as file:
            kind = formats.columnar(file.read(16))
        if kind not in ("parquet", "arrow"):
            raise data.error(
                f"a folder must hold Parquet or Arrow files only, and {path.name} is neither; "
                "name one file instead"
            )
        kinds[kind] = path.name
    if len(kinds) > 1:
        raise data.error(f"{kinds['parquet']} is Parquet, but {kinds['arrow']} is Arrow")
    return next(iter(kinds))


def scannable(path: Path) -> Path | BinaryIO:
    """What polars can open: the path, or the open file where its name is no UTF-8."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return path.open("rb")
    return path


def _file_fingerprint(path: Path) -> str:
    """SHA-256 of a file's size, its beginning, its end and samples between them."""
    size = path.stat().st_size
    digest = hashlib.sha256(str(size).encode())
    with path.open("rb") as file:
        for k in range(17):
            file.seek(max(0, size - PEEK) * k // 16)
            digest.update(file.read(PEEK if k in (0, 16) else 4096))
    return digest.hexdigest()


def _similar(path: Path) -> str:
    try:
        near = difflib.get_close_matches(path.name, os.listdir(path.parent), n=1)
    except OSError:
        return ""
    return f"; did you mean {path.with_name(near[0])}?" if near else ""
