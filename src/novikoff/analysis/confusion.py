"""How often each label was predicted for each true label."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from novikoff.analysis.wording import label


@dataclass
class Confusion:
    """How often each label was predicted for each true label."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, truth: Any, predicted: Any) -> None:
        """Count the rows of two arrays of labels."""
        import numpy as np

        labels = (np.asarray(values).tolist() for values in (truth, predicted))
        for (true, said), n in Counter(zip(*labels, strict=True)).items():
            self.counts[label(true), label(said)] += n

    @property
    def n(self) -> int:
        return self.counts.total()

    @property
    def labels(self) -> list[str]:
        """Every label that occurs, true or predicted, in order."""
        found = {name for pair in self.counts for name in pair}
        return sorted(found, key=_sort_key)

    @property
    def error(self) -> float:
        right = sum(self.counts[name, name] for name in self.labels)
        return math.nan if not self.n else 1 - right / self.n

    def error_of_always(self, name: str) -> float:
        """The error of predicting this label whatever the row."""
        return 1 - self.support(name) / self.n if self.n else math.nan

    def support(self, name: str) -> int:
        return sum(n for (truth, _), n in self.counts.items() if truth == name)

    def recall(self, name: str) -> float:
        support = self.support(name)
        return self.counts[name, name] / support if support else math.nan

    def precision(self, name: str) -> float:
        said = sum(n for (_, predicted), n in self.counts.items() if predicted == name)
        return self.counts[name, name] / said if said else math.nan

    def unknown(self, classes: Any) -> dict[str, int]:
        """The true labels that are none of the classes, and how many rows have them."""
        known = {label(value) for value in classes.tolist()}
        return {n: self.support(n) for n in self.labels if n not in known and self.support(n)}

    @property
    def balanced_error(self) -> float:
        """1 - the mean recall of the classes that occur."""
        recalls = [self.recall(name) for name in self.labels if self.support(name)]
        return 1 - sum(recalls) / len(recalls) if recalls else math.nan


def _sort_key(name: str) -> tuple[bool, float, str]:
    """Numbers before words, by value."""
    try:
        return False, float(name), name
    except ValueError:
        return True, 0.0, name


def confusion(
    classifier: Any,
    blocks: Iterable[Any],
    progress: Callable[[int, int | None], None] | None = None,
) -> Confusion:
    """Predict labelled rows and count."""
    found, done = Confusion(), 0
    for X, y, *_ in blocks:
        if len(y):
            found.add(y, classifier.predict(X))
        done += len(y)
        if progress is not None:
            progress(done, None)
    return found
