"""Files of checkpoints: a NumPy archive of arrays, and one JSON text that says what they are.

Such a file replaces its predecessor in one step, so that whenever the process dies there is a whole
one.
"""

from __future__ import annotations

import json
import os
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np


class CheckpointError(ValueError):
    """A checkpoint that cannot be used, and why."""


def write_archive(path: Path, head: dict[str, Any], arrays: dict[str, Any]) -> None:
    """Replace the file at `path`; if that fails, the one before is still there."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez(file, head=np.array(json.dumps(head)), **arrays)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        os.unlink(temporary)
        raise OSError(
            error.errno, f"the checkpoint {path} could not be written ({error.strerror})"
        ) from error
    except BaseException:
        os.unlink(temporary)
        raise


def read_archive(
    path: Path, kind: tuple[str, int], settings: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The JSON text and the arrays of a file; refused if it belongs to another run.

    kind : the format and the version that the file must have
    """
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
            head = json.loads(str(arrays.pop("head")))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise CheckpointError(
            f"{path} is no checkpoint, or a damaged one. Name another file; or, if it is one that "
            "you need no more, delete it to start afresh."
        ) from error
    found = (head.get("format"), head.get("version"))
    if found != kind:
        raise CheckpointError(
            f"{path} is a checkpoint of format {found[0]!r}, version {found[1]!r}; here "
            f"{kind[0]!r}, version {kind[1]}, is read. Name another file, or delete it to start "
            "afresh."
        )
    _compare(path, head["settings"], settings)
    return head, arrays


def _compare(path: Path, before: dict[str, Any], now: dict[str, Any]) -> None:
    now = json.loads(json.dumps(now))
    different = [key for key in now if before.get(key) != now[key]]
    if different:
        key = different[0]
        how = f"its {key} was {before.get(key)!r}, now it is {now[key]!r}"
        if key == "data":  # known by a digest, which says nothing to people
            how = "it learned from other data"
        raise CheckpointError(
            f"{path} is the checkpoint of another run: {how}. Give the same data and parameters to "
            "go on with it, or delete it to start afresh."
        )
