"""What a report is about: rows, a model and its weights, two sides, a pair of features."""

from __future__ import annotations

import shlex
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import combinations
from typing import Any

import numpy as np

from novikoff._arrays import Array, Floats
from novikoff._messages import Message, Setting
from novikoff.analysis.compare import numbers_of
from novikoff.analysis.parts import HOLDOUT, Parts
from novikoff.analysis.regression import Wanted
from novikoff.analysis.verdicts import REST
from novikoff.analysis.wording import in_one_line, label, plain, words
from novikoff.reports.data import Data
from novikoff.reports.pictures import MOST_POINTS
from novikoff.reports.summary import Fitted
from novikoff.streams.tables.options import TableOptions, said


@dataclass(frozen=True)
class Subject:
    """Everything that the parts of a report have in common.

    X, y : training rows to be shown, a sample where there are many
    scaled : (k, d) standardised weights, see `by_class`
    pair : the two features to look at, or None
    side : the class that is + where only two sides can be shown; of several, the commonest
    """

    data: Data
    fitted: Fitted
    clock: Clock
    seed: int
    X: Any
    y: Array
    scaled: Floats
    pair: tuple[int, int] | None
    side: int
    asked: bool  # whether the pair was asked for
    wanted: Wanted | None  # a regression that is asked about as well

    @property
    def classes(self) -> list[str]:
        return [label(name) for name in self.data.parts.classes.tolist()]

    @property
    def binary(self) -> bool:
        return len(self.data.parts.classes) == 2

    @property
    def positive(self) -> str:
        return self.classes[self.side]

    @property
    def negative(self) -> str:
        return self.classes[0] if self.binary else REST

    @property
    def names(self) -> list[str]:
        """The features, as they are called on the page."""
        names = self.data.parts.feature_names
        return [f"feature {name}" for name in names] if self.data.is_numbered else names

    def command(self, verb: str, *more: str) -> str:
        """A command about these rows."""
        return command(verb, self.data.argument, self.data.options, *self.data.reading, *more)

    @property
    def report_command(self) -> str:
        """The command that makes this report again."""
        return self.command("report", *self._settings)

    @property
    def more_time(self) -> str:
        """The command that makes a part for which the time was too short."""
        budget = max(600.0, 10 * self.clock.budget)
        return self.command("report", *self._settings, "--budget", f"{budget:g}")

    @property
    def _settings(self) -> list[str]:
        """What was said beside the options of a table."""
        words = []
        if self.asked and self.pair is not None:
            names = self.data.parts.feature_names
            words += ["--features", in_one_line(names[j] for j in self.pair)]
        if self.data.holdout != HOLDOUT:
            words += ["--holdout", f"{self.data.holdout:g}"]
        if self.seed:
            words += ["--seed", str(self.seed)]
        return words if self.wanted is None else [*words, *told(self.wanted)]


def choose(
    data: Data,
    fitted: Fitted,
    clock: Clock,
    seed: int,
    features: Sequence[str] | None,
    wanted: Wanted | None,
) -> Subject:
    """Decide what to look at."""
    X, y = data.sample("train", MOST_POINTS, seed)
    scaled = by_class(standardised(fitted.model.coef_, X), fitted.model, data.parts.classes)
    pair = choose_pair(data.parts, X, scaled, features)
    several = len(data.parts.classes) > 2
    side = int(data.parts.counts["all"].argmax()) if several else 1
    return Subject(
        data, fitted, clock, seed, X, y, scaled, pair, side, features is not None, wanted
    )


def by_class(weights: Floats, model: Any, classes: Array) -> Floats:
    """What speaks for each class: of two one row, for the second; of pairs, of all that it is in.

    classes : all that the data has; those that the model has not met have no weights
    """
    if len(classes) == 2:
        return weights
    among = classes.tolist()
    places = [among.index(name) for name in model.classes_.tolist()]
    result = np.zeros((len(among), weights.shape[1]))
    if len(weights) == len(places) and model.multi_class_ != "ovo":
        result[places] = weights
    else:
        for (first, second), row in zip(combinations(places, 2), weights, strict=False):
            result[first] -= row
            result[second] += row
    return result


def spreads(X: Any) -> Floats:
    """(d,): the standard deviation of every feature."""
    if hasattr(X, "multiply"):
        mean = np.asarray(X.mean(axis=0)).ravel()
        square = np.asarray(X.multiply(X).mean(axis=0)).ravel()
        deviation: Floats = np.sqrt(np.maximum(square - mean**2, 0.0))
        return deviation
    return np.asarray(X.std(axis=0), np.float64)


def standardised(coef: Any, X: Any) -> Floats:
    """(k, d): weights times the standard deviations of their features, so that they compare."""
    return np.atleast_2d(np.asarray(coef, np.float64)) * spreads(X)


def choose_pair(
    parts: Parts, X: Any, scaled: Floats, wanted: Sequence[str] | None
) -> tuple[int, int] | None:
    """The pair asked for, or the numeric one with the largest weights; None if there is none."""
    names = parts.feature_names
    if wanted is not None:
        return _asked_for(names, wanted)
    if len(names) == 2:
        return 0, 1
    numeric = [j for j in _numeric(parts, X) if np.abs(scaled[:, j]).max() > 0]
    if len(numeric) < 2:
        return None
    size = np.abs(scaled).max(axis=0)
    first, second = sorted(numeric, key=lambda j: -size[j])[:2]
    return first, second


def _asked_for(names: list[str], wanted: Sequence[str]) -> tuple[int, int]:
    if len(wanted) != 2 or wanted[0] == wanted[1]:
        example, got = Setting("features", ("a", "b")), f"; got {', '.join(wanted) or 'none'}."
        told = " takes two different features, as in "
        raise ValueError(Message(Setting("features"), told, example, got))
    for name in wanted:
        if name not in names:
            near = get_close_matches(name, names, n=3, cutoff=0.5) or names[:10]
            there = f"{', '.join(map(plain, near))}{' and more' * (len(names) > len(near))}"
            told = f": there is no feature {plain(name)}. There are {there}."
            raise ValueError(Message(Setting("features"), told))
    return names.index(wanted[0]), names.index(wanted[1])


def _numeric(parts: Parts, X: Any) -> list[int]:
    """The features that are numbers: not categories, words, or marks of missing cells."""
    table = getattr(parts, "table", None)
    if table is None:  # text does not say; what takes two values only is a mark
        return [j for j in range(X.shape[1]) if _more_than_two(X, j)]
    return [number.feature for number in numbers_of(table, scale=True) if number.scaled]


def _more_than_two(X: Any, j: int) -> bool:
    column = X[:, [j]]
    stored = np.unique(column.data)
    return len(stored) + (column.nnz < X.shape[0] and 0.0 not in stored) > 2


WRITING = 1.0  # seconds that are kept back to put the page together


class Clock:
    """Runs from the moment it is made."""

    def __init__(self, budget: float) -> None:
        self.budget = budget
        self._begin = time.monotonic()

    @property
    def spent(self) -> float:
        """Seconds since the beginning."""
        return time.monotonic() - self._begin

    @property
    def left(self) -> float:
        """Seconds for what is still to be computed; never negative."""
        return max(0.0, self.budget - WRITING - self.spent)


def told(wanted: Wanted) -> list[str]:
    """What was said of a regression, as the command line has it."""
    return [word for setting in wanted.settings for word in words(setting)]


def command(verb: str, data: str, options: TableOptions, *more: str) -> str:
    """`novikoff VERB DATA OPTIONS`, quoted for a shell; options that are not as they would be."""
    if verb == "separable":  # it never scales
        options = replace(options, scale=True)
    spelled: list[str] = []
    for name in said(options):
        value = getattr(options, name)
        for item in ((one,) for one in value) if isinstance(value, tuple) else (value,):
            spelled += words(Setting(name, item))
    return shlex.join(["novikoff", verb, data, *spelled, *more])
