"""The standing of a run in a file, so that it survives the client and the scheduler.

A NumPy archive as those of :mod:`novikoff.streams.checkpoint`, replaced in one step.
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.distributed.standing import Standing
from novikoff.streams.checkpoint import CheckpointError, compare_settings, replace_file

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
    replace_file(
        path,
        {
            "head": np.array(json.dumps(head)),
            "mistakes": np.array(standing.mistakes),
            **{name: array for name, array in arrays.items() if array is not None},
        },
    )


def read(path: Path, settings: dict[str, Any]) -> tuple[int, Standing]:
    """The seed and the standing that `path` holds; refused if it belongs to another run."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            head = json.loads(str(archive["head"]))
            arrays = {name: archive[name] for name in archive.files}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise CheckpointError(
            f"{path} is no checkpoint, or a damaged one. Name another file; or, if it is one that "
            "you need no more, delete it to start afresh."
        ) from error
    if head.get("format") != FORMAT or head.get("version") != VERSION:
        raise CheckpointError(
            f"{path} is a checkpoint of format {head.get('format')!r}, version "
            f"{head.get('version')!r}; ParameterMixing reads {FORMAT!r}, version {VERSION}. Name "
            "another file."
        )
    compare_settings(path, head["settings"], settings)
    fields: dict[str, Any] = {name: arrays.get(name) for name in _ARRAYS}
    standing = Standing(**fields, mistakes=list(arrays["mistakes"]), status=head["status"])
    return int(head["seed"]), standing
