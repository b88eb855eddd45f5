"""The standing of a run in a file, so that it survives the client and the scheduler.

The file is one of :mod:`novikoff.streams.archive`, replaced in one step. It holds the fields by
name, and all of them are checked: workers would follow wrong ones anywhere.
"""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.distributed.lesson import Lesson
from novikoff.distributed.standing import MixingStanding
from novikoff.persistence.checks import array_of, check_beside, check_share, floats, integers, whole
from novikoff.persistence.container import Kind
from novikoff.persistence.errors import require
from novikoff.streams.archive import read_archive, write_archive

KIND = Kind("checkpoint of mixing", "novikoff.mixing-checkpoint", 3)


def write(path: Path, settings: dict[str, Any], seed: int, standing: MixingStanding) -> None:
    """Replace the checkpoint at `path`.

    settings : what must be the same when the run is taken up again; JSON
    """
    stored = {field.name: getattr(standing, field.name) for field in fields(standing)}
    write_archive(path, KIND, settings, {"seed": seed, "standing": stored})


def read(path: Path, settings: dict[str, Any], lesson: Lesson) -> tuple[int, MixingStanding]:
    """The seed and the standing that `path` holds; refused if it belongs to another run."""

    def built(stored: Any) -> tuple[int, MixingStanding]:
        standing = MixingStanding(**stored["standing"])
        _check(standing, lesson)
        return whole(stored["seed"], "the seed"), standing

    return read_archive(path, KIND, settings, built)


def _check(standing: MixingStanding, lesson: Lesson) -> None:
    """Refuse a standing that is not of this lesson."""
    n_planes = len(lesson.scheme.roles)
    wide = (n_planes, lesson.width)
    theta, offset = (
        floats(standing.theta, wide, "theta"),
        floats(standing.offset, wide[:1], "the offset"),
    )
    require(theta.dtype == offset.dtype == lesson.dtype, "its weights are of another type.")
    check_beside(standing.beside, lesson.spec.beside, *wide)
    for name, array in standing.beside.items():
        require(array.flags.writeable, f"{name} is unsound.")
    counts = floats(standing.counts, (n_planes,), "a counter")
    sound = counts.dtype == np.float64 and counts.flags.writeable and bool((counts >= 0).all())
    require(sound and bool((counts < 2**62).all()), "a counter counts nothing.")
    active = array_of(standing.active, (np.bool_,), (n_planes,), "what is active")
    require(active.flags.writeable, "what is active cannot be changed.")
    integers(standing.n_updates, (n_planes,), "a number of updates", 0, 2**62)
    integers(standing.examples, (lesson.n_shards, n_planes), "a number of examples", 0, 2**62)
    require(type(standing.mistakes) is list and standing.mistakes, "it has no round behind it.")
    for each in standing.mistakes:
        integers(each, (lesson.n_shards, lesson.scheme.n_parts), "a number of mistakes", 0, 2**62)
    require(standing.status is None, "it is of a run that has ended.")
    scheme = lesson.scheme
    integers(standing.n_wrong, (scheme.n_counted,), "a number of wrong predictions", 0, 2**62)
    check_share(standing.first_wrong, known=scheme.predicts_while_learning)
