"""How far a run over a stream has come, and what it must have in common with one that goes on.

The parts of a checkpoint go together (`checkpoint.py`). That they are right for this run and these
rows must be seen as well, for kernels would follow wrong ones anywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from novikoff._arrays import Array, Bools, Ints
from novikoff.persistence.checks import check_beside
from novikoff.persistence.errors import require
from novikoff.streams.numbered import ReadSoFar
from novikoff.training.matrix import theta_dtype
from novikoff.training.schemes import Scheme, closed_scheme, open_scheme
from novikoff.training.spec import RunSpec
from novikoff.training.state import State
from novikoff.training.votes import History


class StreamChanges(NamedTuple):
    """What an epoch changed: how many updates each hyperplane took part in."""

    per_plane: Ints

    def moved(self, n_planes: int) -> Bools:
        assert len(self.per_plane) == n_planes
        return self.per_plane > 0


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
