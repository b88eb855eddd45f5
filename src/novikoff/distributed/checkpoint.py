"""The standing of a run in a file, so that it survives the client and the scheduler.

The file is one of :mod:`novikoff.streams.archive`, replaced in one step.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from novikoff.distributed.standing import Standing
from novikoff.streams.archive import read_archive, write_archive

FORMAT, VERSION = "novikoff.mixing-checkpoint", 1
_ARRAYS = ("theta", "offset", "sums", "offset_sums", "counts", "active", "n_updates", "examples")


def write(path: Path, settings: dict[str, Any], seed: int, standing: Standing) -> None:
    """Replace the checkpoint at `path`.

    settings : what must be the same when the run is taken up again; JSON
    """
    arrays = {name: getattr(standing, name) for name in _ARRAYS}
    head = {
        "format": FORMAT,
        "version": VERSION,
        "settings": settings,
        "seed": seed,
        "status": standing.status,
    }
    present = {name: array for name, array in arrays.items() if array is not None}
    write_archive(path, head, {"mistakes": np.array(standing.mistakes), **present})


def read(path: Path, settings: dict[str, Any]) -> tuple[int, Standing]:
    """The seed and the standing that `path` holds; refused if it belongs to another run."""
    head, arrays = read_archive(path, (FORMAT, VERSION), settings)
    fields: dict[str, Any] = {name: arrays.get(name) for name in _ARRAYS}
    standing = Standing(**fields, mistakes=list(arrays["mistakes"]), status=head["status"])
    return int(head["seed"]), standing
