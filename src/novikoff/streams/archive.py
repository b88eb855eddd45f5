"""Files of checkpoints: the container of model files, read and checked as they are.

Such a file replaces its predecessor in one step, so that whenever the process dies there is a whole
one. What it holds is stored by name, in dicts; whoever reads it checks every value before use.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from novikoff._json import read_json
from novikoff.persistence.container import Kind, open_file, refusing, write_file
from novikoff.persistence.errors import ModelFileError, require
from novikoff.persistence.reading import Reader
from novikoff.persistence.writing import Writer

T = TypeVar("T")


class CheckpointError(ValueError):
    """A checkpoint that cannot be used, and why."""


def write_archive(path: Path, kind: Kind, settings: dict[str, Any], content: Any) -> None:
    """Replace the file at `path`; if that fails, the one before is still there.

    settings : what must be the same when the run is taken up again; JSON
    content : what `Writer` can store
    """
    writer = Writer()
    tree = writer.tree({"settings": json.dumps(settings), "content": content})
    try:
        write_file(path, kind.format, tree, writer.arrays, kind)
    except OSError as error:
        raise OSError(
            error.errno, f"the checkpoint {path} could not be written ({error.strerror})"
        ) from error


def read_archive(path: Path, kind: Kind, settings: dict[str, Any], build: Callable[[Any], T]) -> T:
    """What `build` makes of the content of a file; refused if it belongs to another run.

    build : raises a `ModelFileError`, or whatever bad values bring about, if it is unsound
    """
    try:
        with open_file(path, kind) as file:
            stored = Reader(file).content()
            before = read_json(stored["settings"], constants=True)
            require(isinstance(before, dict), "it has no settings.")
        _compare(path, before, settings)
        with refusing(str(path), kind):
            return build(stored["content"])
    except (ModelFileError, OSError) as error:
        raise _unusable(str(error)) from error


@contextmanager
def taken_up(path: Path | None) -> Iterator[None]:
    """What turns out to be unsound about a checkpoint while it is used, said of its file."""
    try:
        yield
    except ModelFileError as error:
        raise _unusable(f"{path} cannot be loaded: {error}") from error


def _unusable(why: str) -> CheckpointError:
    return CheckpointError(
        f"{why} Name another file; or, if it is a checkpoint that you need no more, delete it to "
        "start afresh."
    )


def _compare(path: Path, before: dict[str, Any], now: dict[str, Any]) -> None:
    now = json.loads(json.dumps(now))
    different = [key for key in now if before.get(key) != now[key]]
    if different:
        key = different[0]
        how = f"its {key} was {before.get(key)!r}, now it is {now[key]!r}"
        if key == "data":  # known by a digest, which says nothing to people
            how = "it learned from other data"
        raise another_run(path, how)


def another_run(path: Path, how: str) -> CheckpointError:
    """The error about a checkpoint of other data or other parameters."""
    return CheckpointError(
        f"{path} is the checkpoint of another run: {how}. Give the same data and parameters to "
        "go on with it, or delete it to start afresh."
    )
