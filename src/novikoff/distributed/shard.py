"""A shard: rows that stay on one worker for all rounds, what is asked of them, and what told.

What was asked says whether shards go together. Told are all of them: once, what is learned; in
every round, where to start.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from novikoff._arrays import Array, Bools, Floats, Ints
from novikoff.streams.blocks import widened
from novikoff.training.input import merge_classes, number_classes
from novikoff.training.matrix import as_rows, theta_dtype
from novikoff.training.problem import Problem
from novikoff.training.schemes import Scheme
from novikoff.training.spec import RunSpec
from novikoff.training.state import State


class ShardError(ValueError):
    """A shard that cannot be learned from: which one, and what is wrong with it.

    Attributes
    ----------
    shard : int
        Its number, from 0.
    source : str or None
        Its file, if it has one.
    """

    def __init__(self, message: str, shard: int, source: str | None = None) -> None:
        super().__init__(f"Shard {shard}{f' ({source})' * (source is not None)}: {message}")
        self.message = message
        self.shard = shard
        self.source = source

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message, self.shard, self.source)


class Label(NamedTuple):
    """What a shard is called."""

    number: int
    source: str | None

    @contextmanager
    def blamed(self) -> Iterator[None]:
        """Errors about the rows name the shard."""
        try:
            yield
        except ShardError:
            raise
        except (ValueError, TypeError, OSError) as error:
            raise ShardError(str(error), *self) from error

    def error(self, message: str) -> ShardError:
        return ShardError(message, *self)


class Survey(NamedTuple):
    """What must be known of every shard before the first round."""

    label: Label
    n_rows: int  # of positive weight
    classes: Array  # sorted
    class_counts: Ints
    width: int
    grows: bool  # whether further features are merely absent here, as in LIBSVM text
    names: Array | None  # of the columns
    dtype: np.dtype[Any]  # of theta
    weighted: bool
    n_bytes: int
    digest: str | None


class Shard:
    """The rows of a shard, validated.

    X : array or CSR matrix; y : labels; weights : (n,) or None
    used : numbers of the rows of positive weight
    """

    def __init__(
        self,
        label: Label,
        X: Any,
        y: Array,
        weights: Floats | None,
        *,
        names: Array | None = None,
        grows: bool = False,
    ) -> None:
        self.label, self.X, self.y, self.weights = label, X, y, weights
        self.names, self.grows = names, grows
        self.used = np.arange(len(y)) if weights is None else np.flatnonzero(weights)
        self._made: tuple[str, Problem] | None = None

    def survey(self, *, digest: bool) -> Survey:
        """Classes, width and types; with a digest of all rows, if it is wanted."""
        with self.label.blamed():
            classes, numbers = number_classes(self.y[self.used])
        return Survey(
            self.label, len(self.used), classes, np.bincount(numbers, minlength=len(classes)),
            self.X.shape[1], self.grows, self.names, theta_dtype(self.X.dtype),
            self.weights is not None, self.n_bytes, self._digest() if digest else None,
        )  # fmt: skip

    def problem(self, lesson: Lesson) -> Problem:
        """The rows as the kernels take them: made in the first round, kept for the others."""
        if self._made is None or self._made[0] != lesson.token:
            with self.label.blamed():
                self._made = lesson.token, lesson.problem(self)
        return self._made[1]

    def _arrays(self) -> list[Array]:
        X = self.X
        parts = [X.data, X.indices, X.indptr] if sp.issparse(X) else [X]
        return [*parts, self.y, *([] if self.weights is None else [self.weights])]

    def _digest(self) -> str:
        digest = hashlib.sha256(repr((self.X.shape, self.grows)).encode())
        for array in self._arrays():
            digest.update(str(array.dtype).encode())
            if array.dtype == object:
                digest.update(repr(array.tolist()).encode())
            else:
                digest.update(np.ascontiguousarray(array).view(np.uint8).data)
        return digest.hexdigest()

    @property
    def n_bytes(self) -> int:
        """What it takes, with what a problem keeps for each row: class, step, norm."""
        return sum(array.nbytes for array in self._arrays()) + 24 * len(self.y)

    # Dask decides by the size of a result where its dependents run and when it goes to disk.
    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + self.n_bytes

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_made": None}


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


def classes_of(surveys: list[Survey]) -> tuple[Array, Ints]:
    """The classes of all shards and how many examples each has."""
    known: Array | None = None
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


@dataclass(frozen=True)
class Lesson:
    """What is learned, and how; the same in all rounds.

    token : tells the lessons of different calls of `fit` apart
    spec : what a shard's epoch is told; dtype : of theta; width : the most features of any shard
    by_mistakes : whether shards are weighed by their mistakes
    """

    token: str
    spec: RunSpec
    n_shards: int
    classes: Array
    class_weights: Floats
    scheme: Scheme
    width: int
    dtype: np.dtype[Any]
    seed: int
    rounds: int
    by_mistakes: bool

    def problem(self, shard: Shard) -> Problem:
        """The rows of a shard as the kernels take them."""
        X = shard.X
        if X.shape[1] < self.width:  # LIBSVM text, or no rows
            X = widened(sp.csr_array(X), self.width)
        codes = np.zeros(len(shard.y), np.int64)
        codes[shard.used] = np.searchsorted(self.classes, shard.y[shard.used])
        return self.spec.problem(
            as_rows(X), codes, self.class_weights, shard.weights, shard.used, self.dtype,
            n_planes=len(self.scheme.roles), max_iter=self.rounds,
        )  # fmt: skip

    def random(self, number: int, shard: int) -> np.random.RandomState:
        """The random numbers of one shard in one round, whoever runs it and when."""
        sequence = np.random.SeedSequence([self.seed, number, shard])
        return np.random.RandomState(np.random.MT19937(sequence))

    def per_plane(self, parts: Array) -> Array:
        """(..., n_parts) -> (..., K): what is counted of a part holds for its hyperplanes."""
        if not self.scheme.joint:
            return parts
        return np.repeat(parts, len(self.scheme.roles), axis=-1)


@dataclass(frozen=True)
class Start:
    """Where every shard starts in a round: the mixed hyperplanes."""

    lesson: Lesson
    number: int  # of the round, from 1
    theta: Array  # (K, d)
    offset: Array  # (K,)
    beside: dict[str, Floats]  # what the rule keeps, mixed
    active: Bools  # (K,) which hyperplanes have not converged

    def state(self, *, sparse: bool) -> State:
        """A copy to change, its counters at zero."""
        lesson = self.lesson
        state = lesson.spec.start(len(self.theta), lesson.width, lesson.dtype, sparse=sparse)
        state.theta[...] = self.theta
        state.offset[...] = self.offset
        for name, array in self.beside.items():
            state.beside[name][...] = array
        return state

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + self.theta.nbytes + self.offset.nbytes
