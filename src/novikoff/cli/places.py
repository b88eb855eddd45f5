"""Files to be written: that they cannot be is said before an hour of work, not after it."""

from __future__ import annotations

import os
from pathlib import Path

from novikoff.cli.errors import UsageError
from novikoff.persistence.replacing import is_channel


def refuse_unwritable(option: str, path: Path | None, *, channels: bool = False) -> None:
    """Refuse a place where no file can be written; a pipe or device will do if `channels`."""
    if path is None:
        return
    if path.is_dir():
        raise UsageError(f"{option} {path}: this is a folder; name a file.")
    if channels and is_channel(path):
        return
    if path.exists() and not path.is_file():
        raise UsageError(f"{option} {path}: this is not a regular file.")
    if path.exists() and not os.access(path, os.W_OK):
        raise UsageError(f"{option} {path}: this file cannot be written to.")
    if not os.access(path.parent, os.W_OK):
        why = "cannot be written to" if path.parent.is_dir() else "does not exist"
        raise UsageError(f"{option} {path}: the folder {path.parent} {why}.")
