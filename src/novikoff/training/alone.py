"""What an only hyperplane keeps from epoch to epoch, so that its walks look at fewer bytes."""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.kernels.alone import Excused
from novikoff.kernels.packed import Packed, Unpacked
from novikoff.kernels.sketch import Sketch
from novikoff.training.problem import Problem, packed, packs, unpacked
from novikoff.training.schemes import Scheme

# One row in so many: fewer that asked for an update are worth packing all; of more that were read
# in full short ones are all fetched beside a sketch; and with more of them it costs what it saves.
_FEW, _MANY, _MOST = 10, 8, 3


class Alone:
    """A sketch of the rows, and those that need not be looked at; see `kernels.alone`."""

    def __init__(self, problem: Problem, scheme: Scheme, rule: Any) -> None:
        self.signs = scheme.sides()[0].astype(np.int8)[problem.examples.labels]
        self._problem = problem
        self._packs = rule.ADDITIVE and packs(problem.rows)
        self._sketch: Sketch | Packed
        if problem.sparse:
            self._sketch = unpacked(Packed if self._packs else Unpacked)
        else:
            self._sketch = problem.drawing.sketch(1)
        # How far an update moves theta is known where it adds a multiple of the row.
        until = np.full(len(self.signs) if rule.ADDITIVE else 0, -np.inf)
        self._excused = Excused(until, np.zeros(1))
        self._nobody = self._excused._replace(until=np.empty(0))
        self._moved = 0.0  # before the last epoch

    def before(self, norm: float, n_updates: int | None) -> tuple[Sketch | Packed, Excused]:
        """What the walk of the next epoch takes, from where theta has this `norm`.

        n_updates : in the epoch before, if there was one
        """
        n_rows, n_read = len(self.signs), self._sketch.n_read[0]
        if self._packs and n_updates is not None and n_updates < n_rows // _FEW:
            examples, self._packs = self._problem.examples, False
            self._sketch = packed(self._problem.rows, examples.norms, examples.longest)
        if n_read > n_rows // _MANY:
            if self._problem.is_short:  # fetch them all, which are few lines
                self._sketch.read_in[:] = self._sketch.epoch
            elif n_read > n_rows // _MOST:  # it takes more time than it saves
                self._sketch = self._sketch._replace(reach=np.empty(0))
        self._sketch.n_read[0] = 0
        np.add(self._sketch.epoch, 1, out=self._sketch.epoch)  # an array begins anew in silence
        before, self._moved = self._moved, float(self._excused.moved[0])
        # No margin is longer than theta: if theta moves further in an epoch nobody stays excused.
        return self._sketch, self._excused if self._moved - before <= norm else self._nobody
