"""Temporary files and folders of processes that were killed, and how they are told from others.

Whoever makes one holds a lock on it, which ends with the process, however that ends. So one that
nobody has locked is nobody's. Where there are no such locks (Windows) nothing is swept away.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

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
