"""A run's standing in a file, so that a killed run can be taken up again where it was.

The file holds fields by name. Nothing in it is trusted: what kernels index with is checked as in a
model file, by the same functions, and what must go with the rows when the first of them come
(`StreamLearner`).
"""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.kernels.rows import Rows
from novikoff.persistence.check_linear import check_labels
from novikoff.persistence.check_votes import check_vote
from novikoff.persistence.checks import array_of, check, check_share, integers, whole
from novikoff.persistence.container import Kind
from novikoff.persistence.errors import require
from novikoff.streams.archive import read_archive, write_archive
from novikoff.streams.digest import ReadSoFar
from novikoff.streams.standing import StreamStanding
from novikoff.training.loop import EPOCH_LIMIT, SEPARATED
from novikoff.training.schemes import Role, Scheme
from novikoff.training.state import State
from novikoff.training.votes import Chain, History

KIND = Kind("checkpoint", "novikoff.checkpoint", 3)


def write(
    path: Path, settings: dict[str, Any], standing: StreamStanding, history: History | None
) -> None:
    """Replace the checkpoint at `path` by one of this standing.

    settings : what must be the same when the run is taken up again; JSON
    """
    assert standing.read is not None
    random = np.random.RandomState(0)
    random.set_state(standing.random)
    content = _by_name(standing) | {
        "scheme": _by_name(standing.scheme)
        | {"roles": [list(role) for role in standing.scheme.roles]},
        "state": _by_name(standing.state),
        "random": random,
        "read": standing.read._asdict(),
        "history": None,
    }
    if history is not None:
        content["history"] = {
            "rule": history.rule,
            "start": _by_name(history.start),
            "kept": [rows._asdict() for rows in history.kept],
            "n_kept": history.n_kept,
            "chains": [chain._asdict() for chain in history.chains],
        }
    write_archive(path, KIND, settings, content)


def read(path: Path, settings: dict[str, Any]) -> tuple[StreamStanding, History | None]:
    """The standing that `path` holds; refused if it belongs to another run."""
    return read_archive(path, KIND, settings, _built)


def _by_name(record: Any) -> dict[str, Any]:
    """The fields of a dataclass."""
    return {field.name: getattr(record, field.name) for field in fields(record)}


def _built(stored: dict[str, Any]) -> tuple[StreamStanding, History | None]:
    history = stored.pop("history")
    roles = tuple(Role(*role) for role in stored["scheme"].pop("roles"))
    standing = StreamStanding(
        **stored
        | {
            "scheme": Scheme(**stored["scheme"], roles=roles),
            "state": State(**stored["state"]),
            "random": _random(stored["random"]),
            "read": ReadSoFar(**stored["read"]),
        }
    )
    _check(standing)
    if history is None:
        return standing, None
    kept = [Rows(**rows) for rows in history["kept"]]
    chains = [Chain(**chain) for chain in history["chains"]]
    start = State(**history["start"])
    built = History(history["rule"], standing.scheme, start, kept, history["n_kept"], chains)
    for part in (built.start, *kept, *chains, built):
        check(part)
    check_vote(built, standing.scheme, standing.state)
    return standing, built


def _random(stored: Any) -> Any:
    require(type(stored) is np.random.RandomState, "it has no random state.")
    return stored.get_state()


def _check(now: StreamStanding) -> None:
    """Refuse a standing whose parts do not go together."""
    check(now.scheme)
    check(now.state)
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
