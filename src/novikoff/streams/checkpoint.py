"""How far a run over a stream has come, in a file: a killed run is taken up again where it was.

The file is a container like that of model files. It replaces its predecessor in one step, so that
whenever the process dies there is a whole one, and holds fields by name. Nothing in it is trusted:
what kernels index with is checked as in a model file, by the same functions; that it is right for
this run and these rows, when the first of them come (`check_spec`, `check_rows`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from novikoff._arrays import Array, Bools, Ints
from novikoff._json import read_json
from novikoff.persistence.check_linear import check_labels
from novikoff.persistence.check_votes import check_vote
from novikoff.persistence.checks import (
    array_of,
    check_beside,
    check_share,
    integers,
    whole,
)
from novikoff.persistence.container import Kind, open_file, refusing, write_file
from novikoff.persistence.errors import ModelFileError, require
from novikoff.persistence.reading import Reader
from novikoff.persistence.writing import Writer
from novikoff.streams.numbered import ReadSoFar
from novikoff.training.loop import EPOCH_LIMIT, SEPARATED
from novikoff.training.matrix import theta_dtype
from novikoff.training.schemes import Scheme, closed_scheme, open_scheme
from novikoff.training.spec import RunSpec
from novikoff.training.state import State
from novikoff.training.votes import History

T = TypeVar("T")


@dataclass
class StreamStanding:
    """How far a run has come: everything a checkpoint must hold, but for the rows.

    n_epochs : epochs completed; n_rows : rows visited in the epoch under way
    in_epoch, in_all : (K,) updates of each hyperplane, in the epoch under way and before it
    class_counts : examples of each class in the epoch under way
    random : the state of the random numbers when the epoch began
    n_wrong : predictions that were wrong before the row was learned from, see `Scheme.n_counted`
    first_wrong : their share in the first epoch, where they are counted
    read : what was read of the source so far
    """

    classes: Array
    scheme: Scheme
    state: State
    active: Bools
    in_epoch: Ints
    in_all: Ints
    class_counts: Ints
    n_wrong: Ints
    n_epochs: int = 0
    n_rows: int = 0
    random: Any = None
    status: str | None = None  # once the run has ended
    first_wrong: float | None = None
    read: ReadSoFar | None = None


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


KIND = Kind("checkpoint", "novikoff.checkpoint", 4)


def write(
    path: Path, settings: dict[str, Any], standing: StreamStanding, history: History | None
) -> None:
    """Replace the checkpoint at `path` by one of this standing.

    settings : what must be the same when the run is taken up again; JSON
    """
    assert standing.read is not None
    random = np.random.RandomState(0)
    random.set_state(standing.random)
    more = {"random": random, "read": standing.read._asdict(), "history": history}
    write_archive(path, KIND, settings, vars(standing) | more)


def read(path: Path, settings: dict[str, Any]) -> tuple[StreamStanding, History | None]:
    """The standing that `path` holds; refused if it belongs to another run."""
    return read_archive(path, KIND, settings, _built)


def _built(stored: dict[str, Any]) -> tuple[StreamStanding, History | None]:
    history, random = stored.pop("history"), stored.pop("random")
    require(type(random) is np.random.RandomState, "it has no random state.")
    read = ReadSoFar(**stored.pop("read"))
    standing = StreamStanding(**stored, random=random.get_state(), read=read)
    _check(standing)
    if history is not None:
        require(type(history) is History, "its history is none.")
        check_vote(history, standing.scheme, standing.state)
    return standing, history


def _check(now: StreamStanding) -> None:
    """Refuse a standing whose parts do not go together."""
    require(type(now.scheme) is Scheme and type(now.state) is State, "it has no hyperplanes.")
    n_planes, n_classes = len(now.scheme.roles), now.scheme.n_classes
    require(len(now.state.theta) == n_planes, f"theta is not that of {n_planes} hyperplanes.")
    state = now.state
    for array in (state.theta, state.offset, state.counts, *state.beside.values()):
        require(array.flags.writeable, "its weights cannot be changed.")
    require(
        check_labels(now.classes, "what it calls its classes") == n_classes,
        "it has other classes than its scheme.",
    )
    array_of(now.active, (np.bool_,), (n_planes,), "what is active")
    for counts in (now.in_epoch, now.in_all):
        integers(counts, (n_planes,), "a number of updates", 0, 2**62)
    counted = integers(now.class_counts, (n_classes,), "a number of examples", 0, 2**62)
    n_counted = now.scheme.n_counted
    integers(now.n_wrong, (n_counted,), "a number of wrong predictions", 0, 2**62)
    for array in (now.active, now.in_epoch, now.class_counts, now.n_wrong):
        require(array.flags.writeable, "its counters cannot be changed.")
    whole(now.n_epochs, "the number of epochs")
    check_share(now.first_wrong, known=now.n_epochs > 0 and n_counted == 1)
    require(now.status in (None, SEPARATED, EPOCH_LIMIT), "its status is none.")
    assert now.read is not None
    whole(now.n_rows, "the number of rows", 0, whole(now.read.n_rows, "the rows read") + 1)
    digest = now.read.digest
    require(
        type(digest) is str and re.fullmatch(r"[0-9a-f]{64}", digest) is not None
        and type(now.read.complete) is bool,
        "it does not say what was read.",
    )  # fmt: skip
    require(now.read.complete or now.n_epochs == 0, "it has epochs over rows that were not read.")
    require(int(counted.sum()) == (now.n_rows or now.read.n_rows), "it miscounted its examples.")


def check_spec(standing: StreamStanding, spec: RunSpec, history: History | None) -> None:
    """Refuse the standing of a run that was told something else."""
    state, scheme = standing.state, standing.scheme
    require(
        (history is not None) == (spec.keep == "vote"),
        "it has a history that is not asked for, or lacks one.",
    )
    require(history is None or type(history.rule) is type(spec.rule), "it has another rule.")
    check_beside(state.beside, spec.beside, *state.theta.shape)
    require(state.constant == spec.constant, "it has another offset.")
    made = open_scheme if scheme.open else closed_scheme
    require(
        scheme == made(spec.multi_class, scheme.n_classes)
        and not (scheme.open and (standing.n_epochs or standing.status)),
        "it has the hyperplanes of another scheme.",
    )


def check_rows(standing: StreamStanding, labels: Array, X: Any, *, growing: bool) -> None:
    """Refuse a standing that is not for the rows X, as wide as theta should be.

    labels : of all rows or, while they are `growing`, of those read so far
    """
    theta = standing.state.theta
    require(
        set(standing.classes.tolist()) <= set(labels.tolist())
        and (growing or len(standing.classes) == len(labels))
        and standing.scheme.open == growing
        and theta.dtype == theta_dtype(X.dtype)
        and theta.shape[1] == X.shape[1],
        "its weights are not for these rows.",
    )
