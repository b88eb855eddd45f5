"""The outcomes of the families, read: numbers, all of them checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from novikoff._arrays import Array, Floats, Ints
from novikoff._messages import Message, Setting
from novikoff.certificates.design import INTERCEPT, Design
from novikoff.geometry.cells import columns_named
from novikoff.geometry.doubles import refuse_large_integers
from novikoff.training.input import check_labels, check_numbers, is_missing, number_classes
from novikoff.training.matrix import as_rows, refuse_not_finite

Columns = dict[str, Floats]
# What is said of two classes that are not 0 and 1.
WORDS = {
    "binomial": "The coefficients are those of the outcome {1}, against {0}.",
    "conditional": "Rows with {1} are chosen, rows with {0} are not.",
    "cox": "{1} is an event, {0} is none.",
}
ROUNDED = (
    "But for the last digits a column is a combination of the others (and the intercept): decimals "
    "such as 0.1 are stored as the nearest doubles, and the verdict is that of the doubles. If it "
    "is meant to be one, leave it out, or multiply the columns to whole numbers."
)
_MOST_JUDGED = 100  # columns, for that
Outcomes = tuple[Columns, tuple[str, ...]]  # what the family looks at, and its classes


@dataclass(frozen=True, eq=False)
class Question:
    """A design that was read: numbers, all of them checked.

    Attributes
    ----------
    X : (n, d) array or CSR matrix
    columns : per row, what else the family looks at; labels as the numbers of sorted classes
    factors : the absorbed fixed effects as numbers of levels
    names, classes : of the columns of X; of the outcomes, where they have names of their own
    """

    family: str
    X: Any
    columns: Columns
    factors: tuple[Ints, ...]
    fit_intercept: bool
    names: tuple[str, ...]
    classes: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def coefficients(self) -> tuple[str, ...]:
        """The names of the coefficients that are judged; of one class, where there are several."""
        if self.family == "ordinal":
            between = pairwise(self.classes)
            return (*self.names, *(f"{low}/{high}" for low, high in between))
        return (*self.names, INTERCEPT) if self.fit_intercept else self.names

    @property
    def outcomes(self) -> tuple[str, ...]:
        """The classes that have coefficients of their own: all but the reference, the first."""
        return self.classes[1:] if self.family == "multinomial" else ()


def question(design: Design) -> Question:
    """Read a design; whatever is wrong with it is said."""
    if design.family not in FAMILIES:
        raise ValueError(
            f"family={design.family!r} is none of {', '.join(map(repr, FAMILIES))}. (Logit, probit "
            "and complementary log-log are 'binomial'. Links that bound the score, as log-binomial "
            "and identity do, or whose log-likelihood is not concave, as that of cauchit, are none "
            "of them: there it is another question.)"
        )
    family = FAMILIES[design.family]
    for name in ("groups", "entry", "strata"):
        if getattr(design, name) is not None and name not in family.takes:
            what = Setting(name), " means nothing to ", Setting("family", design.family), "."
            raise ValueError(Message(*what))
    with columns_named(design.X, design.names):
        X = check_numbers(design.X, ensure_min_features=0)
        refuse_not_finite(as_rows(X), X.shape[0])
    n, d = X.shape
    X = X if d else sp.csr_array((n, 0))  # which has rows, without columns
    names = tuple(design.names or (f"x{j + 1}" for j in range(d)))
    if len(names) != d:
        raise ValueError(f"There are {len(names)} names for {d} columns of X.")
    columns, classes = family.read(design, n)
    factors = tuple(_labels(factor, n, "absorb")[1] for factor in design.absorb)
    offset = bool(design.fit_intercept) and family.offset and not factors
    if d + offset + len(factors) == 0 and design.family != "ordinal":
        raise ValueError("X has no columns, so there is no coefficient to ask about.")
    notes = (*design.notes, *(_skipped(columns) if design.family == "conditional" else ()))
    if classes and design.family in WORDS:
        notes = (*notes, WORDS[design.family].format(*classes))
    return Question(design.family, X, columns, factors, offset, names, classes, notes)


def dependent_but_for_rounding(asked: Question) -> bool:
    """Whether the columns, and the intercept, would be dependent if doubles had fewer digits."""
    n, d = asked.X.shape
    X: Any = asked.X if sp.issparse(asked.X) else np.asarray(asked.X, np.float64)
    values = X.data if sp.issparse(X) else X
    if not 1 <= d <= min(n, _MOST_JUDGED) or (np.floor(values) == values).all():
        return False
    largest = abs(X).max(axis=0)
    largest = np.ravel(largest.toarray() if sp.issparse(largest) else largest)
    if not (largest.min() > 1e-150 and largest.max() < 1e150):  # the sums below might leave doubles
        return False
    sample = X[:: max(1, n // (20 * d))]
    sample = (sample.toarray() if sp.issparse(sample) else sample) / largest
    without = not (asked.fit_intercept or asked.factors or not FAMILIES[asked.family].offset)
    constant = 0.0 if without else 1.0
    sample = np.column_stack([sample, np.full(len(sample), constant)])[:, : d + int(constant)]
    least = np.linalg.svd(sample, full_matrices=False)[2][-1]
    return bool(abs(X @ (least[:d] / largest) + constant * least[-1]).max() < 2.0**-44)


def _numbers(values: Any, n: int, what: str) -> Floats:
    """n finite numbers."""
    refuse_large_integers(f"The {what}", values)
    try:
        found = np.asarray(values, np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"The {what} must be numbers: {error}.") from None
    if found.shape != (n,):
        raise ValueError(f"There must be one {what} per row: X has {n}, of shape {found.shape}.")
    bad = np.flatnonzero(~np.isfinite(found))
    if len(bad):
        raise ValueError(f"The {what} of row {bad[0]} is {found[bad[0]]}; drop such rows first.")
    return found


def _counts(values: Any, n: int, what: str) -> Floats:
    found = _numbers(values, n, what)
    bad = np.flatnonzero(found < 0)
    if len(bad):
        raise ValueError(f"The {what} of row {bad[0]} is {found[bad[0]]:g}; none is below 0.")
    return found


def _labels(values: Any, n: int, what: str, *, fractions: bool = True) -> tuple[Array, Ints]:
    """Labels of any one type, and for every row the number of its label in sorted order."""
    if np.shape(values) != (n,):
        raise ValueError(f"{what}: one label per row of X is wanted, {n}, in one column.")
    try:
        labels, numbers = number_classes(check_labels(values, n, fractions=fractions))
    except ValueError as error:
        for row, value in enumerate(np.asarray(values, object).tolist()):
            if is_missing(value):
                raise ValueError(f"{what}: row {row} has none; drop such rows first.") from None
        raise ValueError(f"{what}: {error}") from None
    return labels, numbers.astype(np.int64)


def _two(values: Any, n: int, what: str) -> tuple[Floats, tuple[str, ...]]:
    """0 and 1 for labels of two kinds, and what they are called; numbers may be all 0 or all 1."""
    labels, numbers = _labels(values, n, what, fractions=False)
    if len(labels) == 1 and labels[0] in (0, 1):
        return np.full(n, float(labels[0])), ()
    if len(labels) != 2:
        shown = ", ".join(map(repr, labels.tolist()[:5])) + ", ..." * (len(labels) > 5)
        raise ValueError(
            Message(
                f"{what} must be of two kinds; there are {len(labels)}: {shown}. Counts and "
                "classes have a ", Setting("family"), " of their own.",
            )
        )  # fmt: skip
    kinds = labels.tolist()
    called = () if kinds == [0, 1] else tuple(_shown(kind) for kind in kinds)
    return numbers.astype(np.float64), called


def _shown(label: Any) -> str:
    return f"{label:g}" if isinstance(label, float) else str(label)


def _read_binomial(design: Design, n: int) -> Outcomes:
    y = np.asarray(design.y)
    if y.ndim == 2 and y.shape[1] == 2:
        successes, failures = (
            _counts(y[:, k], n, f"number of {what}")
            for k, what in enumerate(("successes", "failures"))
        )
        return {"successes": successes, "failures": failures}, ()
    shares = y[np.isfinite(y)] if y.ndim == 1 and y.dtype.kind == "f" else np.zeros(0)
    shares = shares[shares != np.floor(shares)]
    if len(shares):
        raise ValueError(
            f"The outcomes y: {shares[0]:g} is no class. Shares are passed as two columns, how "
            "many successes and how many failures."
        )
    successes, classes = _two(design.y, n, "The outcomes y")
    return {"successes": successes, "failures": 1.0 - successes}, classes


def _read_poisson(design: Design, n: int) -> Outcomes:
    return {"y": _counts(design.y, n, "count y")}, ()


def _read_classes(design: Design, n: int) -> Outcomes:
    labels, numbers = _labels(design.y, n, "The outcomes y", fractions=design.family == "ordinal")
    if len(labels) < 2:
        raise ValueError(f"y holds one class only, {labels.tolist()[0]!r}.")
    known = design.classes is not None or all(isinstance(label, Real) for label in labels.tolist())
    if design.family == "ordinal" and not known:
        raise ValueError(
            "y holds text, whose order is not known. Pass ordered classes as numbers, as pandas' "
            "ordered Categorical or as polars' Enum."
        )
    return {"class": numbers.astype(np.float64)}, design.classes or tuple(map(str, labels.tolist()))


def _read_conditional(design: Design, n: int) -> Outcomes:
    if design.groups is None:
        needed = " needs ", Setting("groups"), ": for every row, its group."
        raise ValueError(Message(Setting("family", "conditional"), *needed))
    chosen, classes = _two(design.y, n, "The outcomes y")
    group = _labels(design.groups, n, "groups")[1]
    columns = {"chosen": chosen, "group": group.astype(np.float64)}
    if not any(True for _ in informative(columns)):
        raise ValueError("No group has both rows that are chosen and rows that are not.")
    return columns, classes


def _read_cox(design: Design, n: int) -> Outcomes:
    y = np.asarray(design.y)
    if y.ndim != 2 or y.shape[1] != 2:
        raise ValueError(
            f"y must be times and events, as two columns or as a tuple (time, event); its shape is "
            f"{y.shape}."
        )
    if y.dtype != object and len(np.unique(y[:, 1])) > 2 >= len(np.unique(y[:, 0])):
        raise ValueError("y must be (time, event); its first column looks like the event.")
    time, (event, classes) = _numbers(y[:, 0], n, "time"), _two(y[:, 1], n, "The events")
    if not event.any():
        raise ValueError("There is no event at all: no row has event 1.")
    entry = np.full(n, -np.inf) if design.entry is None else _numbers(design.entry, n, "entry")
    late = np.flatnonzero(entry >= time)
    if len(late):
        raise ValueError(
            f"Row {late[0]} enters at {entry[late[0]]:g} and leaves at {time[late[0]]:g}; it must "
            "enter before."
        )
    stratum = np.zeros(n) if design.strata is None else _labels(design.strata, n, "strata")[1]
    strata = stratum.astype(np.float64)
    return {"time": time, "event": event, "entry": entry, "stratum": strata}, classes


def informative(columns: Columns) -> Iterator[tuple[Ints, Ints]]:
    """Per group that has both, the chosen rows and the others."""
    order = np.argsort(columns["group"], kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(columns["group"][order])) + 1):
        chosen = columns["chosen"][rows] > 0
        if chosen.any() and not chosen.all():
            yield rows[chosen], rows[~chosen]


def _skipped(columns: Columns) -> tuple[str, ...]:
    """What is to be said of the groups of a conditional model that say nothing."""
    sizes = [len(chosen) + len(others) for chosen, others in informative(columns)]
    groups = len(np.unique(columns["group"])) - len(sizes)
    rows = len(columns["group"]) - sum(sizes)
    if not groups:
        return ()
    have = "1 group has" if groups == 1 else f"{groups} groups have"
    return (f"{have} all rows chosen or none ({rows} rows): nothing follows from that.",)


class Family(NamedTuple):
    """How its outcomes are read, what else it takes, whether it has an intercept of its own."""

    read: Callable[[Design, int], Outcomes]
    takes: tuple[str, ...] = ()
    offset: bool = True


FAMILIES = {
    "binomial": Family(_read_binomial),
    "poisson": Family(_read_poisson),
    "multinomial": Family(_read_classes),
    "ordinal": Family(_read_classes, offset=False),
    "conditional": Family(_read_conditional, ("groups",), offset=False),
    "cox": Family(_read_cox, ("entry", "strata"), offset=False),
}
