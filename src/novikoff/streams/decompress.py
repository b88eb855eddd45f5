"""Decompression by magic bytes: gzip, bzip2 and xz by the standard library, Zstandard.

Whatever goes wrong inside (truncated, damaged) is raised as the caller's error, which knows the
name of the file.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from io import BufferedReader, RawIOBase
from typing import Any, BinaryIO

from novikoff._memory import shown
from novikoff._messages import Message, Setting

MAGIC_LENGTH = 10
BUFFER = 1 << 18

_OUTPUT = 1 << 18  # bytes at a time
# Zstandard gives all that its input stands for, up to 32 KiB for every byte, so it is fed little.
_INPUT = 4096

# How a stream begins; of Zstandard, a frame of data or one to be skipped.
_BEGINNINGS = {
    "gzip": re.compile(rb"\x1f\x8b\x08"),
    "bzip2": re.compile(rb"BZh[1-9](?:1AY&SY|\x17\x72\x45\x38\x50\x90)"),
    "xz": re.compile(rb"\xfd7zXZ\x00"),
    "zstd": re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18"),
}


def compression(head: bytes) -> str | None:
    """The compression a file's first bytes tell of: "gzip", "bzip2", "xz", "zstd" or None."""
    return next((kind for kind, begins in _BEGINNINGS.items() if begins.match(head)), None)


def at_least(stream: BinaryIO, n: int, before: bytes = b"") -> bytes:
    """`before` and what follows it in a stream, until it is `n` bytes long or the stream ends."""
    while len(before) < n and (more := stream.read(n - len(before))):
        before += more
    return before


def in_pieces(stream: Any) -> Iterator[bytes]:
    """What is left of a stream."""
    return iter(partial(stream.read, BUFFER), b"")


def as_stream(pieces: Iterable[bytes], close: Callable[[], None] | None = None) -> BufferedReader:
    """Bytes that come in pieces, as a stream; `close` is called when it is closed."""
    return BufferedReader(_Pieces(iter(pieces), close), BUFFER)


class _Pieces(RawIOBase):
    def __init__(self, pieces: Iterator[bytes], close: Callable[[], None] | None) -> None:
        self._pieces = pieces
        self._close = close
        self._piece = memoryview(b"")
        # A generator that failed, or was interrupted, would seem to have ended.
        self._failure: BaseException | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._failure is not None:
            raise self._failure
        try:
            while not self._piece:
                self._piece = memoryview(next(self._pieces))
        except StopIteration:
            return 0
        except BaseException as error:
            self._failure = error
            raise
        n = min(len(buffer), len(self._piece))
        buffer[:n] = self._piece[:n]
        self._piece = self._piece[n:]
        return n

    def close(self) -> None:
        if self._close is not None and not self.closed:
            self._close()
        super().close()


def decompressed(
    stored: BinaryIO, kind: str, fail: Callable[[str | Message], Exception], most: int
) -> BufferedReader:
    """What a compressed stream holds, in bounded memory; `fail` makes the error to raise.

    most : bytes that a decompressor may take because the file says so
    """
    if kind == "gzip":
        pieces = in_pieces(gzip.GzipFile(fileobj=stored))
    else:
        pieces = _streams(stored, kind, *_decompressor(kind, most))
    return as_stream(_told(pieces, kind, fail, most), stored.close)


def _told(
    pieces: Iterator[bytes], kind: str, fail: Callable[[str | Message], Exception], most: int
) -> Iterator[bytes]:
    """The same pieces; what goes wrong is said so that a person can read it."""
    why: str | Message
    try:
        yield from pieces
        return
    except MemoryError:
        why = Message(
            f"to decompress it, {kind} needs more than the {shown(most)} of memory that are "
            "allowed; ", Setting("max_memory"), " allows more",
        )  # fmt: skip
    except EOFError:
        why = f"the {kind} data end too early: the file was cut short; fetch it again"
    except (OSError, zlib.error) as error:
        why = f"the {kind} data are damaged ({error}); fetch the file again"
    raise fail(why)


def _streams(
    stored: BinaryIO, kind: str, new: Callable[[], Any], failure: type[Exception]
) -> Iterator[bytes]:
    """What compressed streams of bzip2, xz or Zstandard hold, one after the other.

    The standard library takes what follows the first stream and is none for nothing, though it may
    be one that was damaged; and Zstandard's own reader takes a file that was cut short for
    complete.

    new : makes a decompressor of one stream, which raises `failure`
    """
    limit = () if kind == "zstd" else (_OUTPUT,)  # Zstandard knows no limit to what it gives
    waiting = b""
    while True:
        if kind == "xz":
            waiting = _without_padding(stored, waiting)
        waiting = at_least(stored, MAGIC_LENGTH, waiting)
        if not waiting:
            return
        if not _BEGINNINGS[kind].match(waiting):
            raise OSError("something else follows the compressed data")
        stream = new()
        while not stream.eof:
            if not waiting and getattr(stream, "needs_input", True):
                waiting = stored.read(_INPUT)
                if not waiting:
                    raise EOFError
            try:
                output = stream.decompress(waiting, *limit)
            except failure as error:
                if "memory" in str(error).lower():  # neither library has a code for it
                    raise MemoryError from error
                raise OSError(str(error)) from error
            waiting = b""
            yield output
        waiting = stream.unused_data


def _without_padding(stored: BinaryIO, waiting: bytes) -> bytes:
    """Between xz streams and behind them there may be zeros, a multiple of four."""
    n_zeros = 0
    while waiting or (waiting := stored.read(_INPUT)):
        kept = waiting.lstrip(b"\x00")
        n_zeros += len(waiting) - len(kept)
        waiting = kept
        if waiting:
            break
    if n_zeros % 4:
        raise OSError("zeros follow the compressed data, and not a multiple of four")
    return waiting


def _decompressor(kind: str, most: int) -> tuple[Callable[[], Any], type[Exception]]:
    """What makes a decompressor of one stream, and what it raises."""
    if kind == "bzip2":
        return bz2.BZ2Decompressor, OSError
    if kind == "xz":
        return lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=most), lzma.LZMAError
    try:
        import zstandard
    except ImportError as error:
        raise ImportError(
            'reading .zst files needs zstandard: pip install "novikoff[tables]"'
        ) from error
    window = 1 << max(10, min(31, most.bit_length() - 1))
    return zstandard.ZstdDecompressor(max_window_size=window).decompressobj, zstandard.ZstdError
