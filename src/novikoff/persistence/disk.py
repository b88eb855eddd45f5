"""What the library puts on a disk: temporary files that vanish, and files that are whole.

Whoever makes a temporary file or folder holds a lock on it, which ends with the process, however
that ends. So one that nobody has locked is nobody's, and is swept away. Where there are no such
locks (Windows) nothing is.

Every file is written beside its place first and then put into it, so that a full disk, an error or
a kill leaves what was there before. What a kill leaves beside it is removed when the same file is
written again.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import tempfile
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import Any, BinaryIO

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows
    fcntl = None  # type: ignore[assignment]  # Windows has none


_PREFIX, _SUFFIX = "novikoff-", ".tmp"


class Hold:
    """The mark that a temporary file or folder is in use; it ends with `release`, or with us."""

    def __init__(self, path: Path) -> None:
        self.swept = False  # by another process, between its creation and its mark
        self._handle: int | None = None
        if fcntl is None:
            return
        try:
            self._handle = os.open(path, os.O_RDONLY)
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.swept = not _is_at(self._handle, path)
        except (FileNotFoundError, BlockingIOError):
            self.swept = True
        except OSError:  # a file system without locks: `sweep` gets none there either
            pass

    def release(self) -> None:
        """End it; may be called again."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def claimed(make: Callable[[], Path]) -> tuple[Path, Hold]:
    """A new file or folder, and the mark that it is in use."""
    while True:
        path = make()
        hold = Hold(path)
        if not hold.swept:
            return path, hold
        hold.release()


class Temporary:
    """A temporary file, or folder, that is removed with this object, at the latest at exit."""

    def __init__(self, *, folder: bool = False) -> None:
        sweep(Path(tempfile.gettempdir()), _PREFIX, _SUFFIX)
        self.path, hold = claimed(_new_folder if folder else _new_file)
        self._finalizer = weakref.finalize(self, _discard, self.path, hold)

    def remove(self) -> None:
        """Remove it now."""
        self._finalizer()

    def __enter__(self) -> Temporary:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


def _new_file() -> Path:
    handle, name = tempfile.mkstemp(_SUFFIX, _PREFIX)
    os.close(handle)
    return Path(name)


def _new_folder() -> Path:
    return Path(tempfile.mkdtemp(_SUFFIX, _PREFIX))


def _discard(path: Path, hold: Hold) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
    hold.release()


def sweep(folder: Path, before: str, after: str) -> None:
    """Remove what is left in `folder` under names with this beginning and this end."""
    if fcntl is None:
        return
    with suppress(OSError), os.scandir(folder) as found:
        left = [e.path for e in found if e.name.startswith(before) and e.name.endswith(after)]
        for path in left:
            with suppress(OSError):  # in use, or not ours to remove
                _remove(Path(path))


def _remove(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        if os.fstat(handle).st_uid != os.getuid():
            return
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if _is_at(handle, path):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    finally:
        os.close(handle)


def _is_at(handle: int, path: Path) -> bool:
    """Whether `path` still names what is open."""
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(handle), path.stat())
    return False


_NO_ROOM = {errno.ENOSPC, errno.EFBIG, errno.EDQUOT}
_LONGEST_STEM = 100  # of a temporary name, which must not be longer than names may be


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A new file that takes the place of `path` when it is complete and on the disk.

    A link is followed, and permissions stay. What is there and is no file (a terminal, a pipe, a
    device) is written to, for a file must never take its place.
    """
    with _named(path):
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
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise
        finally:
            held.release()
        _on_disk(target.parent)


@contextmanager
def _named(path: str | os.PathLike[str]) -> Iterator[None]:
    """A full disk is said of the file that was to be written."""
    try:
        yield
    except OSError as error:
        if error.errno in _NO_ROOM and error.filename is None:
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


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
