"""A run's standing in a file, so that a killed run can be taken up again where it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.kernels.rows import Rows
from novikoff.streams.archive import read_archive, write_archive
from novikoff.streams.standing import Standing
from novikoff.training import matrix
from novikoff.training.schemes import Role, Scheme
from novikoff.training.state import State
from novikoff.training.votes import Chain, History

FORMAT, VERSION = "novikoff.checkpoint", 1
_STATE = ("theta", "offset", "counts", "sums", "offset_sums")


def write(
    path: Path, settings: dict[str, Any], standing: Standing, history: History | None
) -> None:
    """Replace the checkpoint at `path` by one of this standing.

    settings : what must be the same when the run is taken up again; JSON
    """
    classes = standing.classes
    if classes.dtype == object:
        classes = classes.astype(str)
    random = standing.random
    arrays: dict[str, Any] = {
        "classes": classes,
        "active": standing.active,
        "in_epoch": standing.in_epoch,
        "in_all": standing.in_all,
        "class_counts": standing.class_counts,
        "random": random[1],
        **_state_arrays("", standing.state),
    }
    if history is not None:
        arrays |= _history_arrays(history)
    head = {
        "format": FORMAT,
        "version": VERSION,
        "settings": settings,
        "scheme": _scheme_json(standing.scheme),
        "object_classes": standing.classes.dtype == object,
        "constant": standing.state.constant,
        "n_epochs": standing.n_epochs,
        "n_rows": standing.n_rows,
        "status": standing.status,
        "random_position": int(random[2]),
        "n_chains": None if history is None else len(history.chains),
    }
    write_archive(path, head, arrays)


def read(path: Path, settings: dict[str, Any]) -> tuple[Standing, History | None]:
    """The standing that `path` holds; refused if it belongs to another run."""
    head, arrays = read_archive(path, (FORMAT, VERSION), settings)
    scheme = _scheme(head["scheme"])
    state = _state("", arrays, head["constant"])
    classes = arrays["classes"]
    standing = Standing(
        classes.astype(object) if head["object_classes"] else classes,
        scheme,
        state,
        arrays["active"],
        arrays["in_epoch"],
        arrays["in_all"],
        arrays["class_counts"],
        n_epochs=head["n_epochs"],
        n_rows=head["n_rows"],
        random=("MT19937", arrays["random"], head["random_position"], 0, 0.0),
        status=head["status"],
    )
    history = None
    if head["n_chains"] is not None:
        history = _history(arrays, scheme, head["n_chains"], head["constant"])
    return standing, history


def _scheme_json(scheme: Scheme) -> dict[str, Any]:
    return {
        "name": scheme.name,
        "n_classes": scheme.n_classes,
        "roles": [list(role) for role in scheme.roles],
        "n_shown": scheme.n_shown,
        "open": scheme.open,
    }


def _scheme(stored: dict[str, Any]) -> Scheme:
    roles = tuple(Role(*role) for role in stored["roles"])
    return Scheme(stored["name"], stored["n_classes"], roles, stored["n_shown"], stored["open"])


def _state_arrays(prefix: str, state: State) -> dict[str, NDArray[Any]]:
    arrays = {prefix + name: getattr(state, name) for name in _STATE}
    return {name: array for name, array in arrays.items() if array is not None}


def _state(prefix: str, arrays: dict[str, Any], constant: float) -> State:
    stored: dict[str, Any] = {name: arrays.get(prefix + name) for name in _STATE}
    return State(**stored, constant=constant)


def _history_arrays(history: History) -> dict[str, Any]:
    arrays: dict[str, Any] = _state_arrays("start_", history.start)
    if history.kept:
        rows = matrix.stack(history.kept)
        arrays["kept_values"], arrays["kept_width"] = rows.values, np.array(rows.width)
        if rows.indices is not None:
            arrays["kept_indices"], arrays["kept_indptr"] = rows.indices, rows.indptr
    for k, chain in enumerate(history.chains):
        arrays |= {f"chain_{k}_{name}": array for name, array in chain._asdict().items()}
    return arrays


def _history(arrays: dict[str, Any], scheme: Scheme, n_chains: int, constant: float) -> History:
    history = History(scheme, _state("start_", arrays, constant))
    if "kept_values" in arrays:
        width = int(arrays["kept_width"])
        values = matrix.read_only(arrays["kept_values"])
        if "kept_indptr" in arrays:
            indices = matrix.read_only(arrays["kept_indices"])
            indptr = matrix.read_only(arrays["kept_indptr"])
            history.kept, history.n_kept = [Rows(values, indices, indptr, width)], len(indptr) - 1
        else:
            history.kept, history.n_kept = [Rows(values, None, None, width)], len(values) // width
    history.chains = [
        Chain(*(arrays[f"chain_{k}_{name}"] for name in Chain._fields)) for k in range(n_chains)
    ]
    return history
