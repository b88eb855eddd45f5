"""Epochs over rows that are never all in memory.

To the epoch loop this is a learner like any other; inside, every block of rows is a problem of its
own, visited in file order by the same kernels. What is not known before the first epoch has ended
(classes, features) grows while it lasts: a late class continues a spare hyperplane as in
`partial_fit`, a late feature has had weight zero all along. So the result is that of an epoch over
all rows at once, bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from novikoff._arrays import Array, Bools, Floats, Ints
from novikoff._messages import Message
from novikoff.persistence.errors import require
from novikoff.streams.blocks import RowBlock, RowCache, shuffled, too_wide, widened
from novikoff.streams.checkpoint import StreamStanding, check_rows, check_spec
from novikoff.streams.numbered import NumberedRows
from novikoff.streams.source import Source
from novikoff.training.input import balanced_weights, class_weights, merge_classes, number_classes
from novikoff.training.keepers import LastKeeper
from novikoff.training.learners import RowError
from novikoff.training.matrix import as_rows, theta_dtype
from novikoff.training.problem import Problem
from novikoff.training.schemes import Scheme, ancestors, closed_scheme, open_scheme
from novikoff.training.spec import RunSpec
from novikoff.training.state import State, inherit
from novikoff.training.votes import History


class StreamChanges(NamedTuple):
    """What an epoch changed: how many updates each hyperplane took part in."""

    per_plane: Ints

    def moved(self, n_planes: int) -> Bools:
        assert len(self.per_plane) == n_planes
        return self.per_plane > 0


class StreamLearner:
    """The hyperplanes of a run, learning from a source block by block.

    spec : what is learned and kept
    check_start : refuses a start that could never change, given theta and offset
    cache : where rows are kept for later epochs; None if there are none
    watched : whether to know what was read, for a checkpoint
    tell : called after each block
    """

    def __init__(
        self,
        spec: RunSpec,
        source: Source,
        *,
        check_start: Callable[..., None],
        cache: RowCache | None,
        shuffle_buffer: int,
        random: np.random.RandomState,
        watched: bool,
        tell: Callable[[], None],
    ) -> None:
        self.rule = spec.rule
        self._spec = spec
        self._check_start = check_start
        self._source = source
        self._rows = NumberedRows(source, cache, spec.constant, watched=watched)
        self._shuffle_buffer = shuffle_buffer
        self._random = random
        self._tell = tell
        self._class_counts = source.class_counts
        self.standing: StreamStanding | None = None  # until the first row has come
        self.keeper: LastKeeper  # from then on
        self._resumed = False  # and no row has come since that shows whether that was right

    @property
    def now(self) -> StreamStanding:
        """The standing, once the first row has come."""
        assert self.standing is not None
        return self.standing

    # What the epoch loop asks of a learner

    @property
    def problem(self) -> StreamLearner:
        return self

    visited = None  # file order needs no row numbers

    @property
    def scheme(self) -> Scheme:
        return self.now.scheme

    @property
    def state(self) -> State:
        return self.now.state

    @property
    def active(self) -> Bools:
        return self.now.active

    @active.setter
    def active(self, value: Bools) -> None:
        self.now.active = value

    def epoch(self, order: None) -> StreamChanges:
        """Visit all rows once; what an interrupted epoch has visited already is skipped."""
        done = self._begin_epoch()
        seen = 0
        for rows in self._visits():
            before, seen = seen, seen + len(rows)
            if seen <= done:
                continue
            self._learn(rows.part(slice(done - before, None)) if before < done else rows)
            self._tell()
        return self._end_epoch()

    def examples_per_plane(self, visit: None) -> Ints:
        """(K,): how many of the rows concern each hyperplane."""
        if self.scheme.name != "ovo":
            return np.full(len(self.scheme.roles), self.now.class_counts.sum())
        return np.abs(self.scheme.sides()) @ self.now.class_counts

    @property
    def n_wrong(self) -> Ints:
        return self.now.n_wrong

    @property
    def n_seen(self) -> int:
        """How many rows were visited, when an epoch has ended."""
        return self.now.n_epochs * int(self.now.class_counts.sum())

    def asks_for_more(self, k: int) -> bool:
        raise NotImplementedError("a stream has no random order whose epochs need confirming")

    # Taking up a run again

    def resume(self, standing: StreamStanding, history: History | None) -> None:
        """Go on from a checkpoint; a `ModelFileError` if it is not one of this estimator."""
        self.standing = standing
        self._resumed = True
        self._rows.expected = standing.read
        require(
            self._source.width in (None, standing.state.theta.shape[1]),
            f"its weights are not for {self._source.width} features.",
        )
        check_spec(standing, self._spec, history)
        self.keeper = self._spec.keeper(self, history)

    def note_read(self) -> bool:
        """Note in the standing what was read; False while it is less than a checkpoint knows."""
        self.now.read = self._rows.read
        return self._rows.recognised

    def recognise(self) -> None:
        """Read all rows, and raise `OtherRows` if they are not those of the checkpoint."""
        if self._rows.read is None:
            for _ in self._rows.blocks():
                pass

    @property
    def rows_per_epoch(self) -> int | None:
        """How many rows there are, once that is known."""
        if self._class_counts is not None:
            return int(self._class_counts.sum())
        return sum(self._rows.labels.counts) if self._rows.complete else None

    # Blocks

    def survey(self) -> None:
        """Read all rows into the cache and learn which classes there are, before any epoch."""
        self._rows.fill()
        met = self._rows.labels
        if met.known is not None:
            classes, place = number_classes(met.known)
            self._source.classes = classes
            self._class_counts = np.array(met.counts, np.int64)[np.argsort(place)]

    def _begin_epoch(self) -> int:
        """How many rows an interrupted epoch has behind it; 0 where one begins."""
        now = self.standing
        if now is None:
            self._draws = self._random.get_state()
            return 0
        if now.n_epochs:
            self._rows.fill()  # a run taken up again has an empty cache
        if now.n_rows:
            self._draws = now.random
            self._random.set_state(now.random)
            return now.n_rows
        self._draws = self._random.get_state()
        now.in_epoch = np.zeros_like(now.in_epoch)
        now.class_counts = np.zeros_like(now.class_counts)
        return 0

    def _visits(self) -> Iterator[RowBlock]:
        if self._shuffle_buffer:
            return shuffled(self._rows.blocks(), self._shuffle_buffer, self._random)
        return self._rows.blocks()

    def _learn(self, rows: RowBlock) -> None:
        known = self._rows.labels.known
        assert known is not None
        classes, scheme = self._classes_and_scheme(known)
        codes = np.searchsorted(classes, known)[rows.y]
        X = self._with_room(rows.X, len(scheme.roles))
        if self._resumed:
            growing = self._source.classes is None and self.now.n_epochs == 0
            labels = known if self._source.classes is None else self._source.classes
            check_rows(self.now, labels, X, growing=growing)
            self._resumed = False
        done = 0 if self.standing is None else self.standing.n_rows
        problem = self._spec.problem(
            as_rows(X), codes, self._weights(classes), rows.weights, np.arange(len(rows)),
            theta_dtype(X.dtype), n_planes=len(scheme.roles), norms=rows.norms,
        )  # fmt: skip
        self._prepare(classes, scheme, problem)
        now = self.now
        learner = self._spec.learner(problem, scheme, now.state)
        learner.active = now.active
        try:
            updates = learner.epoch(problem.visited)
        except RowError as error:
            raise error.shifted(done) from None
        self.keeper.absorb(problem, updates)
        now.n_wrong += learner.n_wrong
        now.in_epoch += learner.updates_per_plane(updates)
        now.class_counts += np.bincount(codes, minlength=len(classes))
        now.n_rows += len(rows)

    def _classes_and_scheme(self, known: Array) -> tuple[Array, Scheme]:
        """The classes met so far, and the hyperplanes for them; `known` are the labels so far."""
        if self._source.classes is not None:
            classes = self._source.classes
            if len(classes) < 2:
                raise _one_class(classes, self._source.name)
            return classes, closed_scheme(self._spec.multi_class, len(classes))
        met = number_classes(known)[0]
        if self.standing is not None:
            met = merge_classes(self.standing.classes, met)
            if self.standing.n_epochs:
                return met, closed_scheme(self._spec.multi_class, len(met))
        return met, open_scheme(self._spec.multi_class, len(met))

    def _weights(self, classes: Array) -> Floats:
        weight = self._spec.class_weight
        if weight == "balanced":
            assert self._class_counts is not None
            return balanced_weights(self._class_counts)
        return class_weights(weight, classes, None)

    def _with_room(self, X: Any, n_planes: int) -> Any:
        """X as wide as theta is, which has room for more features while they are being counted."""
        if not sp.issparse(X):
            return X
        room = 0 if self.standing is None else self.state.theta.shape[1]
        if X.shape[1] > room:
            reason = too_wide(X.shape[1], n_planes, self._source.max_memory)
            if reason is not None:
                raise ValueError(Message(f"{self._source.name}: ", reason, "."))
            known = self._source.width is not None or self._rows.complete
            room = X.shape[1] if known else max(2 * room, X.shape[1])
            if self.standing is not None:
                self._resize(room)
        wide = widened(X, room)
        wide.has_canonical_format = X.has_canonical_format
        return wide

    def _resize(self, width: int) -> None:
        if self.state.theta.shape[1] != width:
            self.now.state = self.state.resized(width, self._spec.beside)
            self.keeper.resize(width)

    def _prepare(self, classes: Array, scheme: Scheme, problem: Problem) -> None:
        """Begin with the first block; take in the classes that a later one is first to have."""
        n_planes = len(scheme.roles)
        if self.standing is None:
            state = self._spec.start(
                n_planes, problem.rows.width, problem.dtype, sparse=problem.sparse
            )
            self._check_start(state.theta, state.offset, joint=scheme.joint)
            nothing = np.zeros(n_planes, np.int64)
            self.standing = StreamStanding(
                classes, scheme, state, np.ones(n_planes, bool), nothing, nothing.copy(),
                np.zeros(len(classes), np.int64), np.zeros(scheme.n_counted, np.int64),
                random=self._draws,
            )  # fmt: skip
            self.keeper = self._spec.keeper(self)
        now = self.now
        now.random = self._draws
        if len(classes) > len(now.classes):
            renumbered = np.searchsorted(classes, now.classes)
            counts = np.zeros(len(classes), np.int64)
            counts[renumbered] = now.class_counts
            self._change_scheme(scheme, ancestors(now.scheme, scheme, renumbered))
            now.class_counts = counts
        now.classes = classes

    def _change_scheme(self, scheme: Scheme, lineage: list[int | None]) -> None:
        now = self.now
        state = now.state.descend(lineage, self._spec.beside)
        now.state = state.prepared(state.theta.dtype, sparse=self._rows.sparse)
        now.in_epoch = inherit(now.in_epoch, lineage)
        now.in_all = inherit(now.in_all, lineage)
        now.n_wrong = inherit(now.n_wrong, lineage[: scheme.n_counted])
        now.active = np.ones(len(lineage), bool)
        now.scheme = scheme
        self.keeper.descend(scheme, lineage)

    def _end_epoch(self) -> StreamChanges:
        if self.standing is None:
            raise ValueError(f"There are no rows to learn from in {self._source.name}.")
        now = self.now
        if now.scheme.open:  # all classes are known now: no spares any more
            if len(now.classes) < 2:
                raise _one_class(now.classes, self._source.name)
            scheme = closed_scheme(self._spec.multi_class, len(now.classes))
            self._change_scheme(scheme, list(range(len(scheme.roles))))
        self._resize(self._rows.width)
        now.in_all = now.in_all + now.in_epoch
        if now.n_epochs == 0 and now.scheme.predicts_while_learning:
            now.first_wrong = int(now.n_wrong[0]) / int(now.class_counts.sum())
        now.n_epochs += 1
        now.n_rows = 0
        return StreamChanges(now.in_epoch)


def _one_class(classes: Array, name: str) -> ValueError:
    only = classes.tolist()[0]
    if isinstance(only, float) and only.is_integer():  # labels of LIBSVM text are written as 1
        only = int(only)
    return ValueError(
        f"A classifier needs examples of at least two classes; in {name} there is only {only!r}."
    )
