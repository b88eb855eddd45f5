"""A regression as it is asked about: rows, outcomes, and what else its likelihood looks at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from novikoff._arrays import Array, Ints
from novikoff.geometry.doubles import refuse_large_integers

INTERCEPT = "(Intercept)"
FAMILY = "binomial"  # unless another is named


@dataclass(frozen=True, eq=False)
class Design:
    """What `separation` is asked about; a model of statsmodels and a formula become one of these.

    Attributes
    ----------
    X : (n, d) array, data frame or sparse matrix
    y : the outcomes, as the family has them; ordered classes as numbers
    family, fit_intercept, groups, entry, strata : see :func:`novikoff.separation`
    absorb : sequence of (n,) arrays, the fixed effects; one that is in no list is the only one
    names : of the columns of X; None for its own, or x1, x2, ...
    classes : the labels behind the numbers in y; None for those in y
    notes : what was done to the data, in words
    rows, n_rows : the rows of the user's data that are asked about, and how many it has; None for
        all
    """

    X: Any
    y: Any
    family: str = FAMILY
    fit_intercept: bool = True
    groups: Any = None
    entry: Any = None
    strata: Any = None
    absorb: Any = ()
    names: Sequence[str] | None = None
    classes: tuple[str, ...] | None = None
    notes: tuple[str, ...] = ()
    rows: Ints | None = None
    n_rows: int | None = None

    @property
    def beside(self) -> tuple[Any, ...]:
        """What the likelihood looks at beside X and y: groups, entry, strata, each fixed effect."""
        absorb = () if self.absorb is None else self.absorb
        factors = absorb if isinstance(absorb, list | tuple) else [absorb]
        return self.groups, self.entry, self.strata, *factors

    def with_beside(self, columns: Iterable[Any]) -> Design:
        """The same with other columns, in the order of `beside`."""
        groups, entry, strata, *absorb = columns
        return replace(self, groups=groups, entry=entry, strata=strata, absorb=tuple(absorb))


def described(X: Any, y: Any, **details: Any) -> Design:
    """A design out of what a user passed: columns of a frame may be named instead of passed.

    details : further fields of a `Design`; `absorb` and `names` may be lists, or None
    """
    if y is None:
        raise ValueError(
            "y is missing. Without it, X must be a model or a result of statsmodels; of a data "
            "frame, y may be the name of a column."
        )
    asked = Design(X, y, **details)
    if hasattr(X, "columns"):
        refuse_twice(X.columns)
    columns = [column_of(X, given) for given in asked.beside]
    named = [given for given in (y, *asked.beside) if isinstance(given, str)]
    y = column_of(X, y)
    if named:
        X = X[[name for name in X.columns if name not in named]]
    codes, classes = _ordered(y, asked.family)
    names = getattr(X, "columns", None) if asked.names is None else asked.names
    if hasattr(X, "columns") and len(X.columns) == 0:
        X = np.zeros((len(asked.X), 0))  # a frame without columns may have forgotten its rows
    if asked.family == "cox":
        codes, columns[1] = _times(codes, columns[1])
    return replace(
        asked.with_beside(columns),
        X=X,
        y=codes,
        names=None if names is None else tuple(map(str, names)),
        classes=classes,
    )


def refuse_twice(columns: Iterable[Any]) -> None:
    """Raise ValueError if two columns of a frame have the same name."""
    seen = set()
    for name in columns:
        if name in seen:
            raise ValueError(f"The data frame has two columns named {name!r}. Rename one of them.")
        seen.add(name)


def column_of(frame: Any, given: Any) -> Any:
    """The column of the frame that is named, or what was given."""
    if not isinstance(given, str):
        return given
    if not hasattr(frame, "columns"):
        raise ValueError(f"X is no data frame, so there is no column {given!r}: pass its values.")
    if given not in list(frame.columns):
        there = ", ".join(map(repr, list(frame.columns)[:20]))
        raise ValueError(f"There is no column {given!r}. There are {there}.")
    return frame[given]


def _ordered(y: Any, family: str) -> tuple[Any, tuple[str, ...] | None]:
    """Labels that come with an order (pandas' Categorical, polars' Enum) as numbers, and labels."""
    if family not in ("multinomial", "ordinal"):
        return y, None
    dtype: Any = getattr(y, "dtype", None)
    if type(dtype).__name__ == "Enum":
        categories, codes = list(dtype.categories), y.to_physical().to_numpy()
    elif type(dtype).__name__ == "CategoricalDtype":
        if family == "ordinal" and not dtype.ordered:
            return np.asarray(y), None
        categories, codes = list(dtype.categories), np.asarray(getattr(y, "cat", y).codes)
    else:
        return y, None
    if (codes < 0).any() or codes.dtype.kind == "f":
        raise ValueError("y has missing values. Drop such rows first.")
    there = np.bincount(codes.astype(np.int64), minlength=len(categories)) > 0
    if family == "ordinal" and not there.all():
        never = categories[int(np.flatnonzero(~there)[0])]
        raise ValueError(
            f"The class {never!r} never occurs in y, so its thresholds cannot be estimated. Remove "
            "it from the categories."
        )
    labels = tuple(str(category) for category, here in zip(categories, there, strict=True) if here)
    return (np.cumsum(there) - 1)[codes], labels


def _times(y: Any, entry: Any) -> tuple[Any, Any]:
    """(time, event) as two columns, and entries; a record array has its events in the boolean one.

    Dates and durations are counted in the longest unit that all of them are multiples of.
    """
    names = getattr(getattr(y, "dtype", None), "names", None)
    if isinstance(y, tuple) and len(y) == 2:
        time, event = y
    elif names and len(names) == 2:
        time, event = (
            y[name] for name in sorted(names, key=lambda name: y.dtype[name].kind == "b")
        )
    else:
        return y, entry
    moments = [np.asarray(given) for given in (time, entry) if given is not None]
    if any(each.dtype.kind in "mM" for each in moments):
        moments = [*_counted(moments)]
        entry = None if entry is None else moments[1]
    time = moments[0]
    refuse_large_integers("The times", time)
    both = np.asarray(time), np.asarray(event)
    if both[0].shape != both[1].shape:
        raise ValueError(f"There are {len(both[0])} times and {len(both[1])} events.")
    kind = np.float64 if all(part.dtype.kind in "biuf" for part in both) else object
    return np.column_stack([part.astype(kind) for part in both]), entry


def _counted(moments: list[Array]) -> list[Ints]:
    """Dates, or durations, as whole numbers from the first of them on."""
    if len({each.dtype.kind for each in moments}) > 1:
        raise ValueError("Times and entries must both be dates, durations or numbers.")
    for each, what in zip(moments, ("time", "entry"), strict=False):
        missing = np.flatnonzero(np.isnat(each))
        if len(missing):
            raise ValueError(f"The {what} of row {missing[0]} is missing; drop such rows first.")
    together = np.concatenate(moments)
    units = (together - together.min()).astype(np.int64)
    units //= max(1, int(np.gcd.reduce(units)))
    return np.split(units, np.cumsum([len(each) for each in moments])[:-1])
