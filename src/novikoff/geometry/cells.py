"""An error about one value of X, which says where it is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class CellError(ValueError):
    """A value of X that cannot be used, and where it is."""

    def __init__(self, what: str, row: int, column: int, why: str, name: str | None = None) -> None:
        super().__init__(what, row, column, why, name)  # as it is pickled

    def __str__(self) -> str:
        what, row, column, why, name = self.args
        place = f"row {row}, column {column}" + (f" ({name!r})" if name is not None else "")
        return f"{what} at {place}{why}"


@contextmanager
def columns_named(X: Any, names: Any = None) -> Iterator[None]:
    """A `CellError` raised inside says the name of its column, too: that of a frame, or given.

    Values are looked at when X has become an array, by code that knows of no names.
    """
    try:
        yield
    except CellError as error:
        names = list(getattr(X, "columns", ()) if names is None else names)
        what, row, column, why, _ = error.args
        if column >= len(names) or not isinstance(names[column], str):
            raise
        raise CellError(what, row, column, why, names[column]) from None
