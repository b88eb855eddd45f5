"""How far a run over a stream has come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.streams.digest import ReadSoFar
from novikoff.training.schemes import Scheme
from novikoff.training.state import State


class StreamChanges(NamedTuple):
    """What an epoch changed: how many updates each hyperplane took part in."""

    per_plane: NDArray[np.int64]

    def erred(self, n_planes: int) -> NDArray[np.bool_]:
        assert len(self.per_plane) == n_planes
        return self.per_plane > 0


@dataclass
class Standing:
    """How far a run has come: everything a checkpoint must hold, but for the rows.

    n_epochs : epochs completed; n_rows : rows visited in the epoch under way
    in_epoch, in_all : (K,) updates of each hyperplane, in the epoch under way and before it
    class_counts : examples of each class in the epoch under way
    random : the state of the random numbers when the epoch began
    read : what was read of the source so far
    """

    classes: NDArray[Any]
    scheme: Scheme
    state: State
    active: NDArray[np.bool_]
    in_epoch: NDArray[np.int64]
    in_all: NDArray[np.int64]
    class_counts: NDArray[np.int64]
    n_epochs: int = 0
    n_rows: int = 0
    random: Any = None
    status: str | None = None  # once the run has ended
    read: ReadSoFar | None = None
