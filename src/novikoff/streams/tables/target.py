"""The target: which column it is, and its values as labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from novikoff._arrays import Array, Ints
from novikoff._messages import Message, Setting
from novikoff.streams.tables.columns import places_among
from novikoff.streams.tables.lazy import pl
from novikoff.streams.tables.options import Decision, decided, listed, resolve

USUAL_NAMES = ("target", "label", "class", "y", "outcome")
MOST_GUESSED = 20  # a guessed target has at most so many values
MOST = 1 << 16  # and any target


class Target(NamedTuple):
    """A chosen column and why: "given", by its usual "name", or the "last"."""

    name: str
    how: str

    @property
    def guessed(self) -> bool:
        return self.how == "last"

    def decision(self, labels: Array) -> Decision:
        """What to print of it."""
        if self.how == "last":
            why = (
                f" is guessed to be the target: it is the last column and has {len(labels)} values"
            )
        elif self.how == "name":
            why = " is the target, by its name"
        else:
            return Decision("target", self.name, f"{self.name} is the target")
        another = ("; ", Setting("target"), " names another")
        return decided("target", self.name, self.name, why, *another)


def choose_target(names: Sequence[str], wanted: str | int | None) -> Target:
    """The column asked for, or one of a usual name, or the last."""
    if wanted is not None:
        return Target(resolve(names, wanted, "target"), "given")
    lowered: dict[str, str] = {}
    for name in names:
        lowered.setdefault(name.strip().lower(), name)
    for usual in USUAL_NAMES:
        if usual in lowered:
            return Target(lowered[usual], "name")
    return Target(names[-1], "last")


class TargetValues:
    """Numbers the values of a target in the order they turn up."""

    def __init__(self, decimal: str = ".") -> None:
        self._decimal = decimal
        self._codes: dict[str, int] = {}

    def encode(self, cells: pl.Series) -> pl.Series:
        """The values' numbers; -1 where there is none."""
        for value in cells.unique(maintain_order=True).to_list():
            if value is not None and len(self._codes) <= MOST:
                self._codes.setdefault(value, len(self._codes))
        if len(self._codes) > MOST:
            return pl.Series("y", np.full(len(cells), -1, np.int32))
        return places_among(cells, self._codes).rename("y")

    def classes(self) -> tuple[Array, Ints]:
        """The sorted labels, and for each number of `encode` its place among them."""
        labels = as_labels(list(self._codes), self._decimal)
        classes, places = np.unique(labels, return_inverse=True)
        return classes, places.astype(np.int64)

    def refuse(self, target: Target, n_rows: int) -> str | Message | None:
        """Why these values are no classes and what to do, or None if they are."""
        values = list(self._codes)
        classes = self.classes()[0] if len(values) <= MOST else np.array(values)
        n, name = len(classes), target.name
        if not values:
            return f"no row has a value of the target {name}."
        if target.guessed and not 2 <= n <= MOST_GUESSED:
            some = f"more than {MOST}" if n > MOST else str(n)
            return Message(
                "no column is named target, label, class, y or outcome, and the last one, "
                f"{name}, has {some} value{'s' * (n != 1)} (2 to {MOST_GUESSED} would do). "
                "Say which one to predict with ", Setting("target"), ".",
            )  # fmt: skip
        if n == 1:
            return Message(
                f"the target {name} has one value only, {classes[0]}: there is nothing to tell "
                "apart. Choose another column with ", Setting("target"), ", or add rows of another "
                "class.",
            )  # fmt: skip
        # A few fractions that recur are classes; many, or one for nearly every row, are none.
        many = n > MOST_GUESSED or 2 * n > n_rows
        if many and _fractional(values, self._decimal):
            return Message(
                f"the target {name} is continuous ({n} different numbers, such as {values[0]}): "
                "that is regression. Cut it into classes first, or choose another column with ",
                Setting("target"), ".",
            )  # fmt: skip
        if n > MOST or (n > MOST_GUESSED and 2 * n > n_rows):
            return Message(
                f"the target {name} has {n} different values in {n_rows} rows: nearly every row "
                "would be a class of its own. Choose another column with ", Setting("target"), ".",
            )  # fmt: skip
        return None


def _fractional(values: list[str], decimal: str) -> bool:
    """Whether all are numbers and some are not whole."""
    try:
        numbers = [float(value.replace(decimal, ".")) for value in values]
    except ValueError:
        return False
    return not all(number.is_integer() for number in numbers)


def as_labels(values: list[str], decimal: str = ".") -> Array:
    """int64 if every value is a whole number (1, 1.0 or 1e3), else the values as they are."""
    try:
        # int() reads what float() would round; float() reads 1.0 and 1e3.
        whole = [_whole(value.replace(decimal, ".")) for value in values]
        return np.array(whole, np.int64)
    except (ValueError, OverflowError):
        return np.array(values, np.str_)


def _whole(value: str) -> int:
    if "_" in value:  # Python's own spelling of 1000 as 1_000 is text to everybody else
        raise ValueError
    try:
        return int(value)
    except ValueError:
        number = float(value)
        if number.is_integer():
            return int(number)
        raise


def candidates(frame: pl.DataFrame) -> str:
    """A sentence that lists the columns of `frame` which could be a target."""
    fitting = [
        f"{column.name} ({column.n_unique()} values)"
        for column in frame
        if 2 <= column.drop_nulls().n_unique() <= MOST_GUESSED
    ]
    if not fitting:
        return (
            f"No column has between 2 and {MOST_GUESSED} values; there are {listed(frame.columns)}."
        )
    return f"Candidates: {listed(fitting, 'or')}."
