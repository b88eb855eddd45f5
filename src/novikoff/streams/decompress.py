"""Decompression by magic bytes: gzip, bzip2 and xz by the standard library, Zstandard.

Whatever goes wrong inside (truncated, damaged) is raised as the caller's error, which knows the
name of the file.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import zlib
from collections.abc import Callable
from typing import Any, BinaryIO, cast

from novikoff._memory import shown
from novikoff._messages import Message, Setting

MAGIC_LENGTH = 10
BUFFER = 1 << 18

_OUTPUT = 1 << 18  # bytes at a time
# Zstandard gives all that its input stands for, up to 32 KiB for every byte, so it is fed little.
_INPUT = 4096

# How a stream begins; of Zstandard, a frame of data or one to be skipped.
_BEGINNINGS = {
    "bzip2": re.compile(rb"BZh[1-9](?:1AY&SY|\x17\x72\x45\x38\x50\x90)"),
    "xz": re.compile(rb"\xfd7zXZ\x00"),
    "zstd": re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18"),
}


def compression(head: bytes) -> str | None:
    """The compression a file's first bytes tell of: "gzip", "bzip2", "xz", "zstd" or None."""
    if head.startswith(b"\x1f\x8b\x08"):
        return "gzip"
    return next((kind for kind, begins in _BEGINNINGS.items() if begins.match(head)), None)


def decompressed(
    stored: BinaryIO, kind: str, fail: Callable[[str | Message], Exception], most: int
) -> BinaryIO:
    """What a compressed stream holds, in bounded memory; `fail` makes the error to raise.

    most : bytes that a decompressor may take because the file says so
    """
    inner: Any = gzip.GzipFile(fileobj=stored) if kind == "gzip" else _Streams(stored, kind, most)
    return cast(BinaryIO, io.BufferedReader(_Guarded(stored, inner, kind, fail, most), BUFFER))


class _Guarded(io.RawIOBase):
    """A decompressing stream whose errors a person can read."""

    def __init__(
        self,
        stored: BinaryIO,
        inner: Any,
        kind: str,
        fail: Callable[[str | Message], Exception],
        most: int,
    ) -> None:
        self._stored = stored
        self._kind = kind
        self._fail = fail
        self._most = most
        self._inner = inner

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            return cast(int, self._inner.readinto(buffer))
        except MemoryError:
            raise self._fail(
                Message(
                    f"to decompress it, {self._kind} needs more than the {shown(self._most)} of "
                    "memory that are allowed; ", Setting("max_memory"), " allows more",
                )
            ) from None  # fmt: skip
        except EOFError:
            text = f"the {self._kind} data end too early: the file was cut short; fetch it again"
        except (OSError, zlib.error) as error:
            text = f"the {self._kind} data are damaged ({error}); fetch the file again"
        raise self._fail(text)

    def close(self) -> None:
        if not self.closed:
            self._inner.close()
            self._stored.close()
        super().close()


class _Streams(io.RawIOBase):
    """Compressed streams, one after the other, of bzip2, xz or Zstandard.

    The standard library takes what follows the first stream and is none for nothing, though it may
    be one that was damaged; and Zstandard's own reader takes a file that was cut short for
    complete.
    """

    def __init__(self, stored: BinaryIO, kind: str, most: int) -> None:
        self._stored = stored
        self._kind = kind
        self._new, self._failure = _decompressor(kind, most)
        self._stream: Any = None
        self._input = b""
        self._output = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._output:
            if not self._advance():
                return 0
        n = min(len(buffer), len(self._output))
        buffer[:n] = self._output[:n]
        self._output = self._output[n:]
        return n

    def _advance(self) -> bool:
        """Decompress some more; False at the end of the file."""
        if self._stream is None and not self._begin():
            return False
        if not self._input and getattr(self._stream, "needs_input", True):
            self._input = self._stored.read(_INPUT)
            if not self._input:
                raise EOFError
        # Zstandard's streams know no limit to what they give.
        limit = () if self._kind == "zstd" else (_OUTPUT,)
        given, self._input = self._input, b""
        try:
            self._output = memoryview(self._stream.decompress(given, *limit))
        except self._failure as error:
            if "memory" in str(error).lower():  # neither library has a code for it
                raise MemoryError from error
            raise OSError(str(error)) from error
        if self._stream.eof:
            self._input = self._stream.unused_data
            self._stream = None
        return True

    def _begin(self) -> bool:
        """Go to the next stream; False if there is none."""
        if self._kind == "xz":
            self._skip_padding()
        while len(self._input) < MAGIC_LENGTH and (more := self._stored.read(_INPUT)):
            self._input += more
        if not self._input:
            return False
        if not _BEGINNINGS[self._kind].match(self._input):
            raise OSError("something else follows the compressed data")
        self._stream = self._new()
        return True

    def _skip_padding(self) -> None:
        """Between xz streams and behind them there may be zeros, a multiple of four."""
        n_zeros = 0
        while self._input or (more := self._stored.read(_INPUT)):
            given = self._input or more
            self._input = given.lstrip(b"\x00")
            n_zeros += len(given) - len(self._input)
            if self._input:
                break
        if n_zeros % 4:
            raise OSError("zeros follow the compressed data, and not a multiple of four")


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
