"""What is refused before the first round: shards that differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from novikoff.training.input import merge_classes

if TYPE_CHECKING:
    from novikoff.distributed.shard import Survey


def check_alike(surveys: list[Survey]) -> None:
    """Refuse shards of another width or with other columns than the first one."""
    if not any(survey.n_rows for survey in surveys):
        raise ValueError("No shard has a row to learn from.")
    wide = [
        survey for survey in surveys if not (survey.grows or survey.width == 0 == survey.n_rows)
    ]
    for survey in wide:
        first = wide[0]
        if survey.width != first.width:
            raise survey.label.error(
                f"it has {survey.width} features, shard {first.label.number} has {first.width}."
            )
        if survey.names is None or first.names is None:
            continue
        if not np.array_equal(survey.names, first.names):
            other = next(b for a, b in zip(first.names, survey.names, strict=True) if a != b)
            raise survey.label.error(
                f"its columns are not those of shard {first.label.number}: {other!r} is another, "
                "or in another place."
            )


def classes_of(surveys: list[Survey]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The classes of all shards and how many examples each has."""
    known: NDArray[Any] | None = None
    for survey in surveys:
        if survey.n_rows:
            with survey.label.blamed():
                known = survey.classes if known is None else merge_classes(known, survey.classes)
    assert known is not None
    if len(known) < 2:
        raise ValueError(
            "A classifier needs examples of at least two classes; all shards together hold only "
            f"{known.tolist()[0]!r}."
        )
    counts = np.zeros(len(known), np.int64)
    for survey in surveys:
        if survey.n_rows:
            counts[np.searchsorted(known, survey.classes)] += survey.class_counts
    return known, counts
