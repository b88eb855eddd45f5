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

MAGIC_LENGTH = 10
BUFFER = 1 << 18

# Zstandard gives all that its input stands for, up to 32 KiB for every byte, so it is fed little.
_ZSTD_INPUT = 4096
_ZSTD_FRAME = re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18")  # data, or to be skipped


def compression(head: bytes) -> str | None:
    """The compression a file's first bytes tell of: "gzip", "bzip2", "xz", "zstd" or None."""
    if head.startswith(b"\x1f\x8b\x08"):
        return "gzip"
    if head.startswith(b"BZh") and head[4:10] in (b"1AY&SY", b"\x17\x72\x45\x38\x50\x90"):
        return "bzip2"
    if head.startswith(b"\xfd7zXZ\x00"):
        return "xz"
    return "zstd" if _ZSTD_FRAME.match(head) else None


def decompressed(stored: BinaryIO, kind: str, fail: Callable[[str], Exception]) -> BinaryIO:
    """What a compressed stream holds, in bounded memory; `fail` makes the error to raise."""
    openers: dict[str, Callable[[BinaryIO], Any]] = {
        "gzip": lambda stream: gzip.GzipFile(fileobj=stream),
        "bzip2": bz2.BZ2File,
        "xz": lzma.LZMAFile,
        "zstd": _Zstd,
    }
    return cast(BinaryIO, io.BufferedReader(_Guarded(stored, openers[kind], kind, fail), BUFFER))


class _Guarded(io.RawIOBase):
    """A decompressing stream whose errors a person can read."""

    def __init__(
        self,
        stored: BinaryIO,
        opener: Callable[[BinaryIO], Any],
        kind: str,
        fail: Callable[[str], Exception],
    ) -> None:
        self._stored = stored
        self._kind = kind
        self._fail = fail
        self._inner = opener(stored)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            return cast(int, self._inner.readinto(buffer))
        except EOFError:
            text = f"the {self._kind} data end too early: the file was cut short; fetch it again"
        except (OSError, zlib.error, lzma.LZMAError) as error:
            text = f"the {self._kind} data are damaged ({error}); fetch the file again"
        raise self._fail(text)

    def close(self) -> None:
        if not self.closed:
            self._inner.close()
            self._stored.close()
        super().close()


class _Zstd(io.RawIOBase):
    """Zstandard frames, one after the other.

    The package's own stream reader takes a file that was cut short for complete.
    """

    def __init__(self, stored: BinaryIO) -> None:
        try:
            import zstandard
        except ImportError as error:
            raise ImportError(
                'reading .zst files needs zstandard: pip install "novikoff[tables]"'
            ) from error
        self._stored = stored
        self._error = zstandard.ZstdError
        self._decompressor = zstandard.ZstdDecompressor()
        self._frame: Any = None
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
        if not self._input:
            self._input = self._stored.read(_ZSTD_INPUT)
        if self._frame is None:
            if len(self._input) < 4:
                self._input += self._stored.read(_ZSTD_INPUT)
            if not self._input:
                return False
            if not _ZSTD_FRAME.match(self._input):
                raise OSError("something else follows the compressed data")
            self._frame = self._decompressor.decompressobj()
        if not self._input:
            raise EOFError
        try:
            self._output = memoryview(self._frame.decompress(self._input))
        except self._error as error:
            raise OSError(str(error)) from error
        self._input = self._frame.unused_data if self._frame.eof else b""
        if self._frame.eof:
            self._frame = None
        return True
