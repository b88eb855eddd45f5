"""Numbers filled in and standardised by what the training rows of a fold say.

A table is encoded once, unscaled; its means and scales are taken anew in every fold, because rows
that a model is judged by must not have a say in how it sees the others.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from novikoff.streams.tables.table import Table


@dataclass(frozen=True)
class Number:
    """A feature that holds numbers.

    feature : its place
    mark : the place of the feature that marks its missing cells; None if none is missing
    scaled : whether it is to be standardised
    """

    feature: int
    mark: int | None
    scaled: bool

    def document(self) -> tuple[Any, ...]:
        """As something JSON can hold: ``Number(*document)`` is the same."""
        return astuple(self)


def numbers_of(table: Table, *, scale: bool) -> list[Number]:
    """The numeric features of a table; flags are numbers that are never standardised."""
    from novikoff.streams.tables.state import names_of

    found, first = [], 0
    for column in table.encoder.columns_:
        parts = len(column.get("parts", ()))
        mark = first + parts if parts and column["missing"] else None
        scaled = scale and column["kind"] != "flag"
        found += [Number(first + k, mark, scaled) for k in range(parts)]
        first += len(names_of(column))
    return found


def prepared(X: Any, numbers: list[Number], learn: Any) -> Any:
    """All rows, as seen by who knows the rows `learn` only; X itself if there is nothing to do."""
    import numpy as np
    import scipy.sparse as sp

    numbers = [number for number in numbers if number.scaled or number.mark is not None]
    if not numbers:
        return X
    features = [number.feature for number in numbers]
    columns = X[:, features].toarray() if sp.issparse(X) else X[:, features]
    for k, number in enumerate(numbers):
        missing = np.zeros(len(columns), bool)
        if number.mark is not None:
            mark = X[:, [number.mark]]
            missing = (mark.toarray() if sp.issparse(mark) else mark)[:, 0] != 0
        _prepare(columns[:, k], missing, learn, number.scaled)
    if not sp.issparse(X):
        X = X.copy()
        X[:, features] = columns
        return X
    others = np.setdiff1d(np.arange(X.shape[1]), features)
    order = np.argsort(np.concatenate([others, features]))
    return sp.csr_array(sp.hstack([X[:, others], sp.csr_array(columns)], format="csr")[:, order])


def _prepare(column: Any, missing: Any, learn: Any, scaled: bool) -> None:
    """Fill in and standardise one column, in place."""
    known = column[learn][~missing[learn]]
    mean = known.mean() if len(known) else 0.0
    column[missing] = mean
    if scaled:
        column -= mean
        column /= (known.std() if len(known) else 0.0) or 1.0
