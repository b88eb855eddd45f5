"""Labels as numbers, while it is not known yet which labels there are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.estimators._input import merge_classes
from novikoff.training.input import number_classes


@dataclass
class Labels:
    """Numbers labels in the order they turn up, which later ones do not change."""

    known: NDArray[Any] | None = None
    counts: list[int] = field(default_factory=list)

    def number(self, y: NDArray[Any]) -> NDArray[np.int32]:
        found, place = number_classes(y)
        if self.known is None:
            self.known = found
        else:
            merge_classes(np.unique(self.known), found)  # refuses labels of another kind
            new = found[~np.isin(found, self.known)]
            self.known = np.concatenate([self.known, new])
        order = np.argsort(self.known, kind="stable")
        numbers = order[np.searchsorted(self.known, found, sorter=order)]
        self.counts += [0] * (len(self.known) - len(self.counts))
        for number, count in zip(numbers, np.bincount(place), strict=True):
            self.counts[number] += int(count)
        return numbers.astype(np.int32)[place]
