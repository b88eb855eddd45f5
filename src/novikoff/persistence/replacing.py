"""Files that are written whole or not at all: beside their place first, then put into it.

Every file of the library is written this way, so that a full disk, an error or a kill leaves what
was there before. What a kill leaves beside it is removed when the same file is written again.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import Any, BinaryIO

from novikoff.persistence.leftovers import Hold, claimed, sweep

_NO_ROOM = {errno.ENOSPC, errno.EFBIG, errno.EDQUOT}
_LONGEST_STEM = 100  # of a temporary name, which must not be longer than names may be


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A new file that takes the place of `path` when it is complete and on the disk.

    A link is followed, and permissions stay. What is there and is no file (a terminal, a pipe, a
    device) is written to, for a file must never take its place.
    """
    if is_channel(path):
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND), "wb") as channel:
            yield channel
        return
    target = Path(os.path.realpath(path))
    temporary, held = _created(target)
    try:
        with open(temporary, "wb") as file:
            with suppress(FileNotFoundError):
                os.chmod(temporary, stat.S_IMODE(target.stat().st_mode))
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except BaseException as error:
        with suppress(OSError):
            temporary.unlink()
        if isinstance(error, OSError) and error.errno in _NO_ROOM and error.filename is None:
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise
    finally:
        held.release()
    _on_disk(target.parent)


def replace_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file, in UTF-8, in place of what is at `path`."""
    with replacing(path) as file:
        file.write(text.encode("utf-8"))


def _created(target: Path) -> tuple[Path, Hold]:
    """A new, empty file beside `target`, and the mark that it is in use."""
    before, after = f".{target.name[:_LONGEST_STEM]}.", ".tmp"
    sweep(target.parent, before, after)

    def make() -> Path:
        path = target.with_name(f"{before}{token_hex(8)}{after}")
        open(path, "xb").close()
        return path

    try:
        return claimed(make)
    except OSError as error:  # said of the file that was asked for
        raise OSError(error.errno, error.strerror, str(target)) from error


def is_channel(path: Any) -> bool:
    """Whether `path` is no file, or names what a process has open, as /dev/stdout does."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return True
    except FileNotFoundError:
        return False
    step = os.path.abspath(path)
    while True:
        folder = os.path.realpath(os.path.dirname(step))
        if folder == "/dev/fd" or folder.startswith("/proc/"):
            return True
        if not os.path.islink(step):
            return False
        step = os.path.join(folder, os.readlink(step))


def _on_disk(folder: Path) -> None:
    """Wait until the names in a folder are on the disk."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
